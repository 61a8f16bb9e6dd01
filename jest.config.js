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
/**
 * Folders whose files take longest: a commit's gate runs one in so many of them, which its turn says: tests/README.md. The numbers
 * have no divisor in common with those of `share` in the files, or a file would have the same share each time.
 */
const inTurns = {
  'conformance/cpu': 3,
  'device/array': 5,
  'device/jit': 2,
  faults: 2,
  leaks: 2,
  'unit/cpu/kernels': 2,
  'unit/jit/simulate': 4,
};
const turn = isQuick || isNamed ? undefined : process.env.RAWKERNEL_TEST_TURN;
const others = Object.entries(turn === undefined ? {} : inTurns).flatMap(([folder, parts]) =>
  readdirSync(new URL(`tests/${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .filter((_, i) => i % parts !== Number(turn) % parts)
    .map((name) => `!**/tests/${folder}/${name}`),
);

// eslint-disable-next-line no-restricted-syntax -- jest asks for it
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/tests', '<rootDir>/examples'],
  watchman: false,
  reporters: ['<rootDir>/tests/helpers/reporter.js', 'summary'],
  testSequencer: '<rootDir>/tests/helpers/sequencer.js',
  testMatch: ['<rootDir>/tests/**/*.test.ts', ...(isQuick ? without : []), ...ran.map((path) => `!${path}`), ...others],
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
