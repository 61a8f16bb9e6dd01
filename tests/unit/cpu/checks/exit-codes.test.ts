import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { run, runBuilt, type Ended } from '../../../helpers/child.ts';
import { isFull, some } from '../../../helpers/full.ts';
import { needs } from '../../../helpers/require.ts';
import { root } from '../../../helpers/root.ts';

const TIMEOUT = 120_000;

/** A program's beginning: `fill` writes as many elements as it has threads, `a` has 8, and `wait` waits. */
interface Half {
  readonly setup: string;
  readonly launch: (threads: number) => string;
  readonly close: string;
  readonly reports: string;
  /** A read that no memory has, which unchecked kernels fail with, too. */
  readonly far: string;
  /** In the report. */
  readonly thread: string;
}

const CUDA: Half = {
  setup: `
    import * as cuda from 'rawkernel/cuda';
    const context = new cuda.Context();
    const module = new cuda.SourceModule(\`
      __global__ void fill(int *a) { a[threadIdx.x] = 1; }
      __global__ void far_away(int *a) { a[1 << 29] = 1; }
      __global__ void forever(volatile int *a) { while (!*a) { } }\`);
    const kernels = Object.fromEntries(['fill', 'far_away', 'forever'].map((name) => [name, module.getFunction(name)]));
    const a = cuda.toDevice(new Int32Array(8));
    const used = [a, module];
    const wait = () => context.synchronize();
    globalThis.kept = [context, module, kernels, a];`,
  launch: (threads) => `kernels.fill(a, { block: ${threads} });`,
  far: 'kernels.far_away(a, { block: 1 });',
  close: 'for (const one of used) one.close();',
  reports: 'context.reports',
  thread: 'thread',
};

const OPENCL: Half = {
  setup: `
    import * as cl from 'rawkernel/opencl';
    const context = cl.createSomeContext();
    const queue = new cl.CommandQueue(context);
    const program = new cl.Program(context, \`
      __kernel void fill(__global int *a) { a[get_global_id(0)] = 1; }
      __kernel void far_away(__global int *a) { a[1 << 29] = 1; }
      __kernel void forever(__global volatile int *a) { while (!*a) { } }\`).build();
    const { kernels } = program;
    const a = new cl.Buffer(context, cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR, new Int32Array(8));
    const used = [a, kernels.fill, program, queue];
    const wait = () => queue.finish();
    globalThis.kept = [context, queue, program, kernels, a];`,
  launch: (threads) => `kernels.fill(queue, ${threads}, ${threads}, a);`,
  far: 'kernels.far_away(queue, 1, 1, a);',
  close: 'for (const one of used) one.close();',
  reports: 'context.reports',
  thread: 'work-item',
};

const built = needs.build();

/** What is said of the ninth of eight elements. */
const found = ({ thread }: Half): RegExp =>
  new RegExp(`^rawkernel: out-of-bounds write of a\\[8\\] by ${thread} \\(8, 0, 0\\) of .* fill$`, 'gm');

const count = (text: string, what: RegExp): number => [...text.matchAll(what)].length;

built.describe.each<[string, Half]>([
  ['CUDA', CUDA],
  ['OpenCL', OPENCL],
])('the exit code, with %s', (_, half) => {
  const CHECKED = { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_CHECK: '1' };
  const faulty = half.launch(9);
  const program = (text: string, env: Record<string, string> = CHECKED): Promise<Ended> =>
    runBuilt(`${half.setup}${text}`, env);
  const catching = `try { wait(); } catch (error) { console.log(error.reports.length); }`;

  const rows: [string, string, number][] = [
    ['nobody waits for the last kernel', faulty, 1],
    ['what it used is closed', `${faulty}${half.close}`, 1],
    ['the context is closed, too', `${faulty}${half.close} context.close();`, 1],
    ['process.exit(0) comes first', `${faulty} process.exit(0);`, 1],
    ['process.exit(3) comes first', `${faulty} process.exit(3);`, 3],
    ['the program sets an exit code', `${faulty} process.exitCode = 4;`, 4],
    ['a promise is rejected', `${faulty} Promise.reject(new Error('mine'));`, 1],
    ['an exception ends the program', `${faulty} throw new Error('mine');`, 1],
    ['another caught error comes first', `${faulty} try { throw new Error('mine'); } catch { }`, 1],
  ];
  // What follows the kernel's end is the same in both halves.
  const oneHalf = half === CUDA || isFull ? test : test.skip;
  test.each(some(rows, half === CUDA ? 3 : 5))(
    '%s: the report is on stderr, once',
    async (_, text, expected) => {
      const { code, stderr } = await program(text);
      expect(stderr).toMatch(found(half));
      expect(count(stderr, found(half))).toBe(1);
      expect(stderr).toMatch(
        expected === 1 && !text.includes('mine') ? /no call has thrown; exit code 1\n$/ : /report/,
      );
      expect(code).toBe(expected);
      if (text.includes("new Error('mine')") && !text.includes('catch')) expect(stderr).toMatch(/Error: mine/);
    },
    TIMEOUT,
  );

  oneHalf(
    'nothing is wrong: 0, and nothing is said',
    async () => {
      const ends = [half.launch(8), `${half.launch(8)}${half.close} context.close();`, `${half.launch(8)} wait();`];
      for (const text of ends) expect(await program(text)).toMatchObject({ code: 0, stderr: '' });
    },
    TIMEOUT,
  );

  test(
    "an error that is caught was heard: it is not said again, and the code is the program's",
    async () => {
      expect(await program(`${faulty}${catching}${half.close} context.close();`)).toMatchObject({
        ...{ code: 0, stdout: '1\n', stderr: '' },
      });
      expect(await program(`${faulty}${catching} process.exitCode = 5;`)).toMatchObject({ code: 5, stderr: '' });
      const uncaught = await program(`${faulty} wait();`);
      expect(uncaught.code).toBe(1);
      expect(uncaught.stderr).not.toMatch(/^rawkernel:/m);
    },
    TIMEOUT,
  );

  oneHalf(
    'what a program says at close(), and hears afterwards, leaves the code to it',
    async () => {
      const text = `${faulty}
        for (let i = 0; i < 200; i++) await new Promise((resolve) => setTimeout(resolve, 1));
        a.close(); console.log('closed'); ${catching}`;
      const { code, stdout, stderr } = await program(text);
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'closed\n1\n' });
      expect(count(stderr, found(half))).toBe(1);
    },
    TIMEOUT,
  );

  oneHalf(
    'without checks a kernel that fails is said, too',
    async () => {
      const { code, stderr } = await program(half.far, { RAWKERNEL_DEVICE: 'cpu' });
      expect(stderr).toMatch(/^rawkernel: access of an address that no memory has by far_away[^]*exit code 1\n$/);
      expect(code).toBe(1);
    },
    TIMEOUT,
  );

  oneHalf(
    'with report: each place once, a count, and 1 where the program does not read the reports itself',
    async () => {
      const env = { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_CHECK: 'report' };
      const thrice = `${faulty} wait(); ${faulty} wait(); ${faulty}`;
      const silent = await program(thrice, env);
      expect(count(silent.stderr, found(half))).toBe(1);
      expect(silent.stderr).toMatch(/\nrawkernel: [23] reports of kernels; exit code 1\n$/);
      expect(silent.code).toBe(1);
      const read = await program(`${faulty} wait(); console.log(${half.reports}.length);`, env);
      expect(read).toMatchObject({ code: 0, stdout: '1\n' });
      expect(count(read.stderr, found(half))).toBe(1);
      expect(read.stderr).toMatch(/\nrawkernel: 1 report of kernels\n$/);
      const own = half === CUDA ? 'new cuda.Context({ check: "report" })' : 'cl.createSomeContext({ check: "report" })';
      const option = half.setup.replace(/new cuda\.Context\(\)|cl\.createSomeContext\(\)/, own);
      const { code, stderr } = await runBuilt(`${option}${faulty}`, { RAWKERNEL_DEVICE: 'cpu' });
      expect({ code, said: count(stderr, found(half)) }).toEqual({ code: 1, said: 1 });
    },
    TIMEOUT,
  );

  oneHalf(
    'in a worker thread: an error of the thread, which ends a process that does not listen',
    async () => {
      const thread = (text: string, listen: string): Promise<Ended> => {
        const inner = JSON.stringify(`${half.setup}${faulty}${text}`);
        return runBuilt(
          `import { Worker } from 'node:worker_threads';
          const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(${inner}.replace(/from '(rawkernel[^']*)'/g,
            (_, name) => "from '" + import.meta.resolve(name) + "'"))));
          ${listen}`,
          CHECKED,
        );
      };
      for (const text of ['', 'process.exit(0);']) {
        const { code, stderr } = await thread(text, '');
        expect(code).toBe(1);
        expect(count(stderr, /out-of-bounds write/g)).toBe(1);
      }
      const heard = await thread('', "worker.on('error', (error) => console.log(error.message));");
      expect(heard).toMatchObject({ code: 0, stderr: '' });
      expect(heard.stdout).toMatch(/that no call has thrown; exit code 1\nout-of-bounds write of a\[8\]/);
    },
    TIMEOUT,
  );

  // Ten seconds of a core for each that nothing limits.
  needs.full().test(
    'a kernel that does not end in time',
    async () => {
      const forever = half === CUDA ? 'kernels.forever(a, { block: 1 });' : 'kernels.forever(queue, 1, 1, a);';
      const unlimited = { RAWKERNEL_CPU_TIMEOUT_MS: '0' };
      const [limited, plain, checked] = await Promise.all([
        program(forever, { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_TIMEOUT_MS: '300' }),
        program(forever, { RAWKERNEL_DEVICE: 'cpu', ...unlimited }),
        program(forever, { ...CHECKED, ...unlimited }),
      ]);
      expect(limited.code).toBe(1);
      expect(limited.stderr).toMatch(/^rawkernel: a kernel ran longer than RAWKERNEL_CPU_TIMEOUT_MS allows: 300 ms\n/);
      expect(plain).toMatchObject({ code: 0, stderr: '' });
      expect(checked.code).toBe(1);
      expect(checked.stderr).toMatch(/^rawkernel: a kernel was ended with the process, 10 s after it.*exit code 1\n$/);
    },
    TIMEOUT,
  );
});

built.describe('the exit code of a test run', () => {
  let place = '';

  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'rawkernel-jest-'));
    mkdirSync(join(place, 'node_modules'));
    symlinkSync(root, join(place, 'node_modules', 'rawkernel'), 'dir');
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => {
    rmSync(place, { recursive: true });
  });

  /** jest, with tests that launch and look at nothing. */
  const jest = (files: number, hook: string): Promise<Ended> => {
    const text = `${CUDA.setup}\ntest('a launch', () => { ${CUDA.launch(9)} });\n${hook}`;
    const names = Array.from({ length: files }, (_, i) => `file-${i}.test.mjs`);
    for (const name of names) writeFileSync(join(place, name), text);
    const file = join(root, 'node_modules/jest/bin/jest.js');
    const args = ['--experimental-vm-modules', '--no-warnings', file, '--rootDir', '.', '--testMatch', '**/*.test.mjs'];
    const env = { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_CHECK: '1', NODE_OPTIONS: '' };
    return run([...args, files === 1 ? '--runInBand' : '--maxWorkers=2'], env, place);
  };

  needs.full().test(
    'is 1 where jest runs the tests in its own process',
    async () => {
      const { code, stderr } = await jest(1, '');
      expect(stderr).toMatch(found(CUDA));
      expect(stderr).toMatch(/no call has thrown; exit code 1\n$/);
      expect(code).toBe(1);
    },
    TIMEOUT,
  );

  needs.full().test(
    "is jest's where it has worker processes: they say what they found, and a hook makes the test fail",
    async () => {
      const { code, stderr } = await jest(2, '');
      expect(stderr).toMatch(found(CUDA));
      expect(code).toBe(0);
      const hooked = await jest(2, 'afterEach(() => context.synchronize());');
      expect(hooked.stderr).toMatch(/● a launch[^]*out-of-bounds write of a\[8\]/);
      expect(hooked.code).toBe(1);
    },
    TIMEOUT,
  );
});
