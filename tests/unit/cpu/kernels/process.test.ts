import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OWN_COMPILERS, runBuilt, type Ended } from '../../../helpers/child.ts';
import { needs } from '../../../helpers/require.ts';
import { root } from '../../../helpers/root.ts';
import { some } from '../../../helpers/full.ts';

const TIMEOUT = 120_000;
const CPU = { RAWKERNEL_DEVICE: 'cpu' };

// One source for all, so that it is compiled once.
const SETUP = `
  import * as cuda from 'rawkernel/cuda';
  import { context } from 'rawkernel/cuda/autoinit';
  const module = new cuda.SourceModule(\`
    __global__ void add(int *x, int n) { atomicAdd(x, n); }
    __global__ void forever(volatile int *stop) { while (!*stop) { } }\`);
  const memory = cuda.toDevice(new Int32Array(64));
  const run = (name, ...args) => module.getFunction(name)(...args);
  globalThis.kept = [module, memory];
`;
const FOREVER = `${SETUP} run('forever', memory, { block: 1 });`;

const built = needs.build();

built.describe('a kernel that never ends', () => {
  test.each(
    some<readonly [string, string, object]>(
      [
        ['the end of the program', '', { code: 0, signal: null }],
        ['process.exit()', 'process.exit(3);', { code: 3, signal: null }],
        ['an exception that nobody catches', "throw new Error('mine');", { code: 1, signal: null }],
        ['a promise that nobody catches', "Promise.reject(new Error('mine'));", { code: 1, signal: null }],
        [
          'a signal while the program waits for it',
          "console.log('waiting'); context.synchronize();",
          { code: null, signal: 'SIGINT' },
        ],
        [
          'a signal while JavaScript runs',
          "console.log('waiting'); setTimeout(() => undefined, 1e6);",
          { code: null, signal: 'SIGINT' },
        ],
      ],
      2,
    ),
  )(
    'does not hold up %s',
    async (_, text, end) => {
      const { code, signal } = await runBuilt(FOREVER + text, CPU, root, (child) => {
        child.stdout?.on('data', () => child.kill('SIGINT'));
      });
      expect({ code, signal }).toEqual(end);
    },
    TIMEOUT,
  );

  test.each(some(['1', '2', '4'], 3))(
    'ends after RAWKERNEL_CPU_TIMEOUT_MS, and all is well after it, with %s workers',
    async (workers) => {
      const text = `${SETUP}
        run('add', memory, 2, { block: 128, grid: 100 });
        console.log(cuda.Device.count(), context.device.multiprocessorCount, cuda.fromDevice(memory, 'i32')[0]);
        cuda.memcpyHtoD(memory, new Int32Array(1));
        run('forever', memory, { block: 1 });
        const codes = [() => context.synchronize(), () => cuda.memAlloc(4)].map((call) => {
          try { call(); } catch (error) { return error.code; }
        });
        console.log(codes.join());
        using own = new cuda.Context(context.device, { own: true });
        using other = new cuda.SourceModule('__global__ void place(int *x) { x[threadIdx.x] = threadIdx.x; }');
        const out = new Int32Array(256);
        other.getFunction('place')(cuda.Out(out), { block: 256 });
        using event = new cuda.Event().record();
        event.synchronize();
        console.log(out[255], event.query());`.replaceAll('using ', 'const ');
      const { code, stdout } = await runBuilt(text, {
        ...CPU,
        RAWKERNEL_CPU_TIMEOUT_MS: '300',
        RAWKERNEL_CPU_WORKERS: workers,
      });
      const timeout = 'CUDA_ERROR_LAUNCH_TIMEOUT';
      expect(stdout).toBe(`1 ${workers} 25600\n${timeout},${timeout}\n255 true\n`);
      expect(code).toBe(0);
    },
    TIMEOUT,
  );
});

const linux = needs.file('/proc/self/stat');
(built.missing === undefined ? linux : built).test(
  'no process that compiles outlives the program, and none is hurt by what a terminal sends',
  async () => {
    const { code, stdout } = await runBuilt(
      `
      import { SourceModule } from 'rawkernel/cuda';
      import 'rawkernel/cuda/autoinit';
      import { readdirSync, readFileSync } from 'node:fs';
      const parentOf = (pid) => {
        try { return readFileSync('/proc/' + pid + '/stat', 'utf8').replace(/.*\\) /s, '').split(' ')[1]; } catch { return ''; }
      };
      const children = () => readdirSync('/proc').filter((pid) => /^\\d+$/.test(pid) && parentOf(pid) === String(process.pid));
      const compiling = SourceModule.compile('__global__ void k(int *x) { *x = 1; }', { cache: false });
      const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
      while (children().length === 0) await pause();
      const pids = children();
      const looksAfterSignals = (pid) => /^SigCgt:.*[13579bdf]$/m.test(readFileSync('/proc/' + pid + '/status', 'utf8'));
      while (!pids.every(looksAfterSignals)) await pause();
      for (const pid of pids) process.kill(Number(pid), 'SIGHUP');
      const module = await compiling;
      console.log(module.kernels.join(), pids.join(' '));
      module.close();`,
      { ...CPU, ...OWN_COMPILERS },
    );
    expect(code).toBe(0);
    const [, kernels, pids = ''] = /^(\S+ \S+) (.*)\n$/.exec(stdout) ?? [];
    expect(kernels).toBe('k(int *x)');
    const alive = (): string[] => pids.split(' ').filter((pid) => commandOf(pid).includes('server.js'));
    while (alive().length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  },
  TIMEOUT,
);

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

built.describe("without the compiler's package", () => {
  let place = '';

  // The built package as npm installs it, beside what it depends on.
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'rawkernel-package-'));
    const modules = join(place, 'node_modules');
    mkdirSync(join(modules, 'rawkernel'), { recursive: true });
    for (const name of ['dist', 'kernels', 'package.json']) {
      cpSync(join(root, name), join(modules, 'rawkernel', name), { recursive: true });
    }
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (name.startsWith('.') || name === '@yowasp') continue;
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir');
    }
  });
  afterAll(() => {
    rmSync(place, { recursive: true });
  });

  const PROGRAM = `${SETUP}
    run('add', memory, 1, { block: 64 });
    console.log(cuda.fromDevice(memory, 'i32')[0]);`;
  const run = (text: string, cwd: string, cache: string): Promise<Ended> =>
    runBuilt(text, { ...CPU, ...OWN_COMPILERS, RAWKERNEL_CACHE_DIR: join(place, cache) }, cwd);

  test(
    'compiling is an error that says what to install',
    async () => {
      const both = PROGRAM.replace('const module = new', 'const module = await').replace(
        'cuda.SourceModule(',
        'either(',
      );
      const text = `${both}
        async function either(source) {
          for (const compile of [cuda.SourceModule.compile, (source) => new cuda.SourceModule(source)]) {
            await (async () => compile(source))().catch((error) => console.log(error.name, error.code, error.message));
          }
          process.exit();
        }`;
      const { stdout } = await run(text, place, 'empty');
      const said =
        /LibraryNotFoundError ERR_RAWKERNEL_LIBRARY_NOT_FOUND Could not load the embedded CPU device's compiler\n.*\n.*@yowasp\/clang.*\nWhat to do:\n {2}- npm install @yowasp\/clang@\S+\n/g;
      expect(stdout.match(said)).toHaveLength(2);
    },
    TIMEOUT,
  );

  test(
    'a program that was compiled before runs',
    async () => {
      expect(existsSync(join(place, 'node_modules', '@yowasp'))).toBe(false);
      const first = await run(PROGRAM, root, 'filled');
      expect(first).toMatchObject({ code: 0, stdout: '64\n' });
      const second = await run(PROGRAM, place, 'filled');
      expect(second).toMatchObject({ code: 0, stdout: '64\n' });
    },
    TIMEOUT,
  );

  const OPENCL = `
    import * as cl from 'rawkernel/opencl';
    const ctx = cl.createSomeContext();
    const queue = new cl.CommandQueue(ctx);
    const memory = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4);
    const source = '__kernel void five(__global int *x) { *x = 5; }';
    try {
      const prg = new cl.Program(ctx, source).build();
      prg.kernels.five(queue, 1, null, memory);
      const result = new Int32Array(1);
      cl.enqueueCopy(queue, result, memory);
      console.log(result[0]);
      for (const one of [prg.kernels.five, prg]) one.close();
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
    for (const one of [memory, queue, ctx]) one.close();`;

  test(
    'OpenCL C is compiled by the same package',
    async () => {
      const failed = await run(OPENCL, place, 'empty');
      expect(failed.stdout).toMatch(
        /^BuildError CL_COMPILER_NOT_AVAILABLE [^]*\nWhat to do:\n {2}- npm install @yowasp\/clang@/,
      );
      expect(await run(OPENCL, root, 'opencl')).toMatchObject({ code: 0, stdout: '5\n', stderr: '' });
      expect(await run(OPENCL, place, 'opencl')).toMatchObject({ code: 0, stdout: '5\n', stderr: '' });
    },
    TIMEOUT,
  );
});
