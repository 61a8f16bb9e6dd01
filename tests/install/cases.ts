import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './place.ts';
import type { Workshop } from './workshop.ts';

/** One way to install the package or to use it. */
export interface Case {
  readonly name: string;
  /** Whether the gate has the time for it. */
  readonly quick: boolean;
  readonly run: (shop: Workshop) => void;
}

const HELLO = 'node hello.mjs';

const quick = (name: string, run: Case['run']): Case => ({ name, quick: true, run });
const long = (name: string, run: Case['run']): Case => ({ name, quick: false, run });

/** All of them. */
export const CASES: readonly Case[] = [
  quick("npm: the README's blocks", (shop) => {
    const place = shop.empty('readme');
    place.expect(shop.block, 'PASSED');
    const inside = place.at('first-kernel').write('hello.ts', shop.program);
    inside.expect(shop.typescript, 'PASSED');
    inside.expect('npx rawkernel --version', '0.');
  }),
  long('npm: strict scripts', (shop) => {
    const place = shop.project('strict');
    place.run('npm pkg set allowScripts.koffi=false --json');
    place.run(`npm install --strict-allow-scripts ${shop.packages}`);
    place.expect(HELLO, 'PASSED');
  }),
  ...['latest', '22', '24'].map((version) =>
    (version === 'latest' ? quick : long)(`Node ${version}`, (shop) => {
      shop.filled().with(shop.node(version)).expect(HELLO, 'PASSED');
    }),
  ),
  ...[10, 11, 12].map((version) =>
    quick(`pnpm ${version}`, (shop) => {
      const place = shop.project(`pnpm-${version}`).with(shop.tool(`pnpm@${version}`), shop.node('latest'));
      place.write('pnpm-workspace.yaml', shop.workspace);
      place.run(`pnpm add ${shop.packages}`);
      place.expect(HELLO, 'PASSED');
      place.expect('pnpm rawkernel --version', '0.');
    }),
  ),
  quick('yarn 1', (shop) => {
    const place = shop.project('yarn-1').with(shop.tool('yarn@1.22'));
    place.run(`yarn add file:${shop.packages}`);
    place.expect(HELLO, 'PASSED');
  }),
  long('yarn 4, node-modules', (shop) => {
    const place = berry(shop, 'yarn-4', 'node-modules');
    place.expect('yarn node hello.mjs', 'PASSED');
  }),
  quick("yarn 4, Plug'n'Play", (shop) => {
    const place = berry(shop, 'yarn-pnp', 'pnp');
    place.expect('yarn node hello.mjs', 'PASSED');
    place.expect('yarn rawkernel --version', '0.');
    place.under({ RAWKERNEL_NO_CACHE: '1' }).with(shop.node('latest')).expect('yarn node hello.mjs', 'PASSED');
    if (existsSync(join(place.folder, 'node_modules'))) throw new Error("that was not Plug'n'Play");
  }),
  quick('bun', (shop) => {
    const place = shop.project('bun').with(shop.tool('bun@1'));
    place.run(`bun add rawkernel@file:${shop.packages}`);
    place.expect('bun hello.mjs', 'PASSED');
    expectKernels(shop, place, 'bun');
    // Under its own test runner, with coverage.
    const inner = shop.kernels(place).write('kernels.test.ts', BUN_TEST);
    inner.expect('bun test --coverage kernels.test.ts', shop.report);
  }),
  quick('Deno', (shop) => {
    const place = shop.filled().under({ RAWKERNEL_NO_CACHE: '1' }).with(shop.tool('deno@2'));
    place.expect('deno run -A hello.mjs', 'PASSED');
    expectKernels(shop, place, 'deno run -A');
  }),
  quick('kernels in TypeScript: Node latest, tsx, c8', (shop) => {
    const place = beside(shop, 'typescript', 'tsx@4 c8');
    for (const line of ['npx tsx', 'npx c8 --reporter none npx tsx']) expectKernels(shop, place, line);
    const newest = place.with(shop.node('latest'));
    for (const line of ['node', 'npx c8 --reporter none node']) expectKernels(shop, newest, line);
  }),
  long('kernels in TypeScript: jest, with coverage', (shop) => {
    const packages = 'jest@30 @babel/preset-typescript @swc/core @swc/jest ts-jest typescript@6';
    const place = shop
      .kernels(beside(shop, 'jest-kernels', packages).under(JEST))
      .write('kernels.test.ts', TEST_REPORT);
    for (const [name, transform] of Object.entries(TRANSFORMS)) {
      const config = { rootDir: '.', extensionsToTreatAsEsm: ['.ts'], coverageReporters: ['none'], transform };
      place.write('jest.config.json', JSON.stringify({ ...config, cacheDirectory: name }));
      for (const flags of ['', '--coverage', '--coverage --coverageProvider=v8'])
        place.expect(`npx jest ${flags} --testMatch '**/kernels.test.ts'`, shop.report);
    }
  }),
  long('kernels in TypeScript: vitest, with coverage', (shop) => {
    const packages = 'vitest@5 @vitest/coverage-v8@5 @vitest/coverage-istanbul@5';
    const place = shop.kernels(beside(shop, 'vitest-kernels', packages).with(shop.node('latest')));
    place.write('kernels.test.ts', `import { test } from 'vitest';\n${TEST_REPORT}`);
    const coverage = '--coverage.enabled --coverage.reporter=json --coverage.provider';
    for (const flags of ['', `${coverage}=v8`, `${coverage}=istanbul`])
      place.expect(`npx vitest run --disable-console-intercept ${flags}`, shop.report);
  }),
  ...(['3', '4', '5'] as const).map((version) =>
    (version === '4' ? quick : long)(`vitest ${version}, every pool`, (shop) => {
      const place = beside(shop, `vitest-${version}`, `vitest@${version}`).with(shop.node('latest'));
      place.write('kernel.test.mjs', `import { expect, test } from 'vitest';\n${IMPORTS}\n${TEST}`);
      for (const pool of ['forks', 'threads', 'vmThreads', 'vmForks']) {
        place.expect(`node node_modules/vitest/vitest.mjs run --pool ${pool}`, '1 passed');
      }
      // The hook of docs/cpu-device.md#exit-codes: vitest kills what runs its tests, which has no last word.
      const hook = 'afterEach(() => context.synchronize());';
      place.write(
        'kernel.test.mjs',
        `import { afterEach, expect, test } from 'vitest';\n${IMPORTS}\n${hook}\n${FAULTY}`,
      );
      const said = place.under({ RAWKERNEL_CPU_CHECK: '1' }).fail('node node_modules/vitest/vitest.mjs run');
      if (!/out-of-bounds write of \w+\[/.test(said)) throw new Error(said);
    }),
  ),
  long('jest', (shop) => {
    const place = beside(shop, 'jest', 'jest@30').under({ NODE_OPTIONS: '--experimental-vm-modules' });
    place.write('kernel.test.mjs', `${IMPORTS}\n${TEST}`);
    place.expect("npx jest --testMatch '**/*.test.mjs'", '1 passed');
  }),
  quick('esbuild', (shop) => {
    const place = beside(shop, 'esbuild', 'esbuild').write('hello.mjs', shop.program);
    const line = 'npx esbuild hello.mjs --bundle --platform=node';
    place.run(`${line} --format=esm --external:rawkernel --outfile=out.mjs`);
    place.expect('node out.mjs', 'PASSED');
    place.run(`${line} --format=cjs --packages=external --outfile=out.cjs`);
    place.expect('node out.cjs', 'PASSED');
    for (const [format, file] of [
      ['esm', 'whole.mjs'],
      ['cjs', 'whole.cjs'],
    ]) {
      place.run(`${line} --format=${format} --external:koffi --outfile=${file}`);
      const said = place.fail(`node ${file}`);
      if (!/rawkernel is not whole.*docs\/guide\/installing\.md#bundlers/.test(said)) throw new Error(said);
    }
  }),
  long('rollup', (shop) => {
    const place = beside(shop, 'rollup', 'rollup@4').write('hello.mjs', shop.program);
    const config = "{ input: 'hello.mjs', external: /^rawkernel(\\/|$)/, output: { file: 'out.mjs' } }";
    place.write('rollup.config.mjs', `export default ${config};`).run('npx rollup -c');
    place.expect('node out.mjs', 'PASSED');
  }),
  ...(['commonjs', 'module'] as const).map((type) =>
    long(`webpack, ${type}`, (shop) => {
      const place = beside(shop, `webpack-${type}`, 'webpack@5 webpack-cli').write('hello.mjs', shop.program);
      const output =
        type === 'module'
          ? "experiments: { outputModule: true }, output: { filename: 'out.mjs' }"
          : "output: { filename: 'out.cjs' }";
      const rest = `externals: /^rawkernel(\\/|$)/, externalsType: '${type}', ${output}`;
      place.write(
        'webpack.config.mjs',
        `export default { entry: './hello.mjs', target: 'node20', mode: 'none', ${rest} };`,
      );
      place.run('npx webpack');
      place.expect(`node dist/out.${type === 'module' ? 'mjs' : 'cjs'}`, 'PASSED');
    }),
  ),
  ...([6, 7] as const).map((version) =>
    quick(`tsc ${version}`, (shop) => {
      const place = beside(shop, `tsc-${version}`, `typescript@${version} @types/node`, { type: 'module' });
      place.write('hello.ts', shop.program);
      const line =
        'npx tsc hello.ts --noEmit --ignoreConfig --strict --types node --target es2023 --lib es2023,esnext.disposable';
      place.run(`${line} --module nodenext --skipLibCheck false`);
      place.run(`${line} --module esnext --moduleResolution bundler --skipLibCheck false`);
      if (version === 6) place.run(`${line} --module commonjs --moduleResolution node10 --ignoreDeprecations 6.0`);
    }),
  ),
  long('tslab', (shop) => {
    const place = beside(shop, 'tslab', 'tslab').write('cell.cjs', CELL);
    place.write('hello.txt', shop.program).expect('node cell.cjs', 'PASSED');
  }),
];

/** A folder in the one that npm has filled, with something more installed. */
function beside(shop: Workshop, name: string, packages: string, manifest: object = {}): Place {
  const place = shop.filled().inner(name, manifest);
  place.run(`npm install --no-audit --no-fund ${packages}`);
  return place;
}

/** Kernels in TypeScript compute what they compute elsewhere, on the device and in the simulator; mistakes have the same places. */
function expectKernels(shop: Workshop, place: Place, line: string): void {
  const inner = shop.kernels(place);
  for (const where of ['simulate', 'at']) inner.expect(`${line} jit-report-main.ts ${where}`, shop.report);
}

function berry(shop: Workshop, name: string, linker: string): Place {
  const place = shop.project(name).with(shop.tool('@yarnpkg/cli-dist@4'));
  place.write('yarn.lock', '').write('.yarnrc.yml', `nodeLinker: ${linker}\n`);
  place.run(`yarn add rawkernel@file:${shop.packages}`);
  return place;
}

const IMPORTS = "import * as cuda from 'rawkernel/cuda';\nimport { context } from 'rawkernel/cuda/autoinit';";

const TEST = `test('a kernel', () => {
  const mod = new cuda.SourceModule('__global__ void twice(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }');
  const x = Float32Array.of(1, 2, 3);
  mod.getFunction('twice')(cuda.InOut(x), 3, { block: 32 });
  expect([...x]).toEqual([2, 4, 6]);
  expect(() => mod.getFunction('twice')(cuda.InOut(x), 'no', { block: 32 })).toThrow(TypeError);
  expect(() => new cuda.SourceModule('nonsense')).toThrow(cuda.CompileError);
  mod.close();
}, 120_000);
`;

/** A test that prints what kernels compute. Output of one piece is not divided by what tests print themselves. */
const TEST_REPORT = `import { writeSync } from 'node:fs';
import { jitReport } from './jit-report.ts';
test('kernels', () => {
  writeSync(1, JSON.stringify(jitReport('at')) + '\\n');
}, 120_000);
`;
const BUN_TEST = `import { test } from 'bun:test';\n${TEST_REPORT}`;

const JEST = { NODE_OPTIONS: '--experimental-vm-modules' };
/** What people let jest transform TypeScript with. */
const TRANSFORMS: Readonly<Record<string, object>> = {
  babel: { '\\.ts$': ['babel-jest', { configFile: false, presets: ['@babel/preset-typescript'] }] },
  swc: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, swcrc: false },
    ],
  },
  'ts-jest': {
    '\\.ts$': [
      'ts-jest',
      {
        useESM: true,
        diagnostics: false,
        tsconfig: { module: 'esnext', target: 'es2022', moduleResolution: 'bundler' },
      },
    ],
  },
};

/** A test that launches a wrong kernel, and does not wait for it. */
const FAULTY = `test('a launch', () => {
  const mod = new cuda.SourceModule('__global__ void fill(int *a) { a[threadIdx.x] = 1; }');
  mod.getFunction('fill')(cuda.memAlloc(32), { block: 9 });
}, 120_000);
`;

/** A cell of a notebook, without Jupyter. */
const CELL = `const { createConverter } = require('tslab/dist/converter');
const { createExecutor } = require('tslab/dist/executor');
const node = createConverter({ isJS: false, cwd: process.cwd() });
const executor = createExecutor(process.cwd(), { node, browser: node }, { close() {}, rpc() {} });
executor.execute(require('node:fs').readFileSync('hello.txt', 'utf8')).then((ok) => process.exit(ok ? 0 : 1));
`;
