import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Files that are left out of a quick run: each takes a core for 5 to 25 seconds, most for one large compilation or one long walk. */
const long = [
  'api/{naming,reach,status-constants}',
  'conformance/cpu/{corpus-checked,corpus-orders,random-kernels}',
  'device/array/{bitonic-sort,compact,contraction,evaluate,gather,histogram,join,large,mask,planted,ported,ported-math,product}',
  'device/array/{random-distributions,random-elementwise,random-order,random-words,reduce,reduce-walks,reduction-kernel}',
  'device/array/{scan,scan-kernel,scatter,searchsorted,segments,select,shape,sort,special-values}',
  'device/jit/tools',
  'device/nccl/{faults,matrix}',
  'docs/{language,snippets}',
  'faults/{cuda,cuda-arguments,opencl,opencl-arguments}',
  'unit/cli/launch',
  'unit/cpu/checks/order-launches',
  'unit/cpu/kernels/{device-behaviour,device-functions,groups}',
  'unit/cpu/runtime/order',
  'unit/jit/simulate/{builtins,together}',
  'unit/nccl/{early-end,job}',
  'unit/node-opencl/misuse',
];
const isNamed = process.argv.some(
  (arg, i, all) => arg.startsWith('tests/') && all[i - 1] !== '--testPathIgnorePatterns',
);
// Workers do not know the arguments: tests/helpers/array-halves.ts.
if (isNamed) process.env.RAWKERNEL_TEST_NAMED = '1';
const isQuick = process.env.RAWKERNEL_TEST_FULL !== '1' && !isNamed;
const without = long.map((pattern) => `!**/tests/${pattern}.test.ts`);
/** Files that another stage of the gate has run whole: tests/helpers/left-out.ts. */
const whole = process.env.RAWKERNEL_TEST_EXCEPT;
const ran = whole ? readFileSync(whole, 'utf8').split('\n').filter(Boolean) : [];
/** Of the tests of arrays, whose time goes into compiling, a commit's gate runs every second file: tests/README.md. */
const turn = isQuick || isNamed ? undefined : process.env.RAWKERNEL_TEST_TURN;
const arrays = turn === undefined ? [] : readdirSync(new URL('tests/device/array', import.meta.url)).sort();
const others = arrays.filter((name) => name.endsWith('.test.ts')).filter((_, i) => i % 2 !== Number(turn) % 2);

// eslint-disable-next-line no-restricted-syntax -- jest asks for it
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/tests', '<rootDir>/examples'],
  watchman: false,
  reporters: ['<rootDir>/tests/helpers/reporter.js', 'summary'],
  testSequencer: '<rootDir>/tests/helpers/sequencer.js',
  testMatch: [
    '<rootDir>/tests/**/*.test.ts',
    ...(isQuick ? without : []),
    ...ran.map((path) => `!${path}`),
    ...others.map((name) => `!**/tests/device/array/${name}`),
  ],
  extensionsToTreatAsEsm: ['.ts'],
  resolver: '<rootDir>/tests/helpers/resolver.js',
  globalSetup: '<rootDir>/tests/helpers/global-setup.js',
  // One more than there are cores: some tests wait for a while.
  maxWorkers: availableParallelism() + 1,
  // A worker that has run many files is slow to collect its garbage, which some tests wait for.
  workerIdleMemoryLimit: '300MB',
  testTimeout: 180_000,
  setupFilesAfterEnv: ['<rootDir>/tests/helpers/setup.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};
