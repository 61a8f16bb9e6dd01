import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { LOADER } from '../../../src/opencl/table.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

const { describe: built } = needs.build();
/** Of what other files test inside this process. */
const { test: full } = needs.full();
const main = join(root, 'dist', 'cli', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'rawkernel-bin-'));
const kernel = join(folder, 'over.cu');
const prints = join(folder, 'prints.cu');
writeFileSync(kernel, '__global__ void over(int *x, int n) { x[threadIdx.x + n] = 1; }\n');
writeFileSync(prints, '__global__ void prints(int n) { printf("thread %d of %d\\n", (int)threadIdx.x, n); }\n');
afterAll(() => rmSync(folder, { recursive: true }));

function rawkernel(argv: readonly string[], env: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [main, ...argv], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 1 << 26,
  });
}

built('the built command', () => {
  test('starts, by a link too', () => {
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const link = join(folder, 'rawkernel');
    symlinkSync(main, link);
    const { stdout, status } = spawnSync(process.execPath, [link, '--version'], { encoding: 'utf8' });
    expect({ stdout, status }).toEqual({ stdout: expect.stringMatching(/^\d/) as unknown as string, status: 0 });
  });

  test('info --json is one document', () => {
    const { stdout, status } = rawkernel(['info', '--json'], { RAWKERNEL_DEVICE: 'cpu' });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ cuda: { devices: [{ embedded: true }] } });
  });

  test('exit codes, and no stack', () => {
    const { status, stderr } = rawkernel(['frobnicate']);
    expect({ status, stderr }).toEqual({ status: 2, stderr: "error: unknown command 'frobnicate'\n" });
    expect(rawkernel(['info', 'metal']).status).toBe(2);
  });

  test('run --check finds what a kernel does wrong', () => {
    const { status, stdout, stderr } = rawkernel(
      ['run', kernel, 'over', '--block', '64', '-a', 'zeros:64:i32', '-a', '1', '--check'],
      { RAWKERNEL_DEVICE: '' },
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/out-of-bounds write of \w+\[64\] .* of over\n {2}at over \(.*over\.cu:1:/);
    expect(stderr).not.toMatch(/launched at|allocated at/);
    const fine = rawkernel(['run', kernel, 'over', '--block', '64', '-a', 'zeros:64:i32', '-a', '0', '--check']);
    expect({ status: fine.status, said: fine.stdout.includes('checked: nothing was found') }).toEqual({
      status: 0,
      said: true,
    });
  });

  full('run --check-svg draws what --json has as data', () => {
    const argv = ['run', kernel, 'over', '--block', '64', '-a', 'zeros:64:i32', '--check-svg', 'over.svg', '--json'];
    const { status, stdout } = rawkernel([...argv, '-a', '1']);
    expect({ status, document: JSON.parse(stdout) as object }).toMatchObject({
      status: 1,
      document: { error: { reports: [{ kind: 'out-of-bounds', blockSize: [64, 1, 1] }] } },
    });
    const file = join(folder, 'over.svg');
    expect(readFileSync(file, 'utf8')).toMatch(/^<svg [^]*out-of-bounds write of \w+\[64\][^]*<\/svg>\n$/);
    rmSync(file);
    const fine = rawkernel([...argv, '-a', '0']);
    expect({ status: fine.status, document: JSON.parse(fine.stdout) as object }).toMatchObject({
      status: 0,
      document: { reports: [] },
    });
    expect(existsSync(file)).toBe(false);
  });

  test('what a kernel prints does not come between the JSON', () => {
    const argv = ['run', prints, 'prints', '--block', '2', '-a', '2'];
    const plain = rawkernel(argv);
    expect(plain.stdout).toMatch(/^thread 1 of 2$/m);
    const { status, stdout, stderr } = rawkernel([...argv, '--json']);
    expect({ status, document: JSON.parse(stdout) as object }).toMatchObject({
      status: 0,
      document: { kernel: 'prints(int n)' },
    });
    expect(stderr).toMatch(/^thread 0 of 2\nthread 1 of 2$/m);
    const wrong = rawkernel([...argv, '-a', '3', '--json']);
    expect({ status: wrong.status, document: JSON.parse(wrong.stdout) as object }).toMatchObject({
      status: 2,
      document: { error: { name: 'UsageError' } },
    });
  });

  full('--check and --device cpu are for the embedded device, whatever RAWKERNEL_CTX names', () => {
    const file = join(folder, 'one.cl');
    writeFileSync(file, '__kernel void one(__global int *x) { x[get_global_id(0)] = 1; }\n');
    for (const option of [['--check'], ['--device', 'cpu']]) {
      const argv = ['run', file, 'one', '--global', '4', '-a', 'zeros:4:i32', '--out', 'x', ...option];
      const { status, stdout } = rawkernel(argv, { RAWKERNEL_DEVICE: '', RAWKERNEL_CTX: 'nowhere' });
      expect({ status, stdout }).toEqual({
        status: 0,
        stdout: expect.stringMatching(
          / on rawkernel CPU .*\n(?:checked.*\n)?x {2}i32\[4\]\n {2}1 1 1 1\n$/,
        ) as unknown as string,
      });
    }
  });

  test('compile --wasm makes a module', () => {
    const { status, stdout } = rawkernel(['compile', kernel, '--wasm']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/over\.wasm: \d+ bytes\n$/) as unknown as string,
    });
    expect(readFileSync(join(folder, 'over.wasm')).subarray(0, 4).toString('latin1')).toBe('\0asm');
  });

  const gcc = needs.command('gcc');
  (process.platform === 'linux' ? gcc.test : test.skip)(
    'beside a driver that fails, another process runs the embedded device',
    () => {
      const library = join(folder, 'libcuda.so.1');
      const input = 'int cuInit(unsigned flags) { return 999; }';
      expect(spawnSync('gcc', ['-shared', '-fPIC', '-x', 'c', '-', '-o', library], { input }).status).toBe(0);
      const env = { RAWKERNEL_DEVICE: '', LD_LIBRARY_PATH: folder };
      const info = rawkernel(['info', 'cuda', '--json'], env);
      expect(JSON.parse(info.stdout)).toMatchObject({
        cuda: { devices: [], missing: 'cuInit failed: CUDA_ERROR_UNKNOWN' },
        embedded: { devices: [{ embedded: true }] },
      });
      const doctor = rawkernel(['doctor', 'cuda'], env);
      expect(doctor.stdout).toMatch(/^ {2}works {4}cpu .*\n\nproblem {2}cuInit failed: CUDA_ERROR_UNKNOWN$/m);
      expect([info.status, doctor.status]).toEqual([0, 1]);
    },
  );

  needs.library(LOADER).test('where nothing can run a kernel, doctor says what would and exits with 1', () => {
    const { status, stdout } = rawkernel(['doctor', 'opencl'], {
      RAWKERNEL_DEVICE: 'gpu',
      OCL_ICD_VENDORS: folder,
      OCL_ICD_FILENAMES: '',
    });
    expect(stdout).toMatch(/^missing {2}No OpenCL device was found\. What to do:\n +- .*apt-get install/m);
    expect({ status, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      status: 1,
      last: 'Nothing here can run a kernel.',
    });
  });

  // By a shell and a program of its kind.
  (process.platform === 'win32' ? test.skip : test)('a reader that has enough is not a failure', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${main}" run --help | head -1`], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

const nvrtc = spawnSync(process.execPath, ['-e', "require('rawkernel/cuda').compilerVersion()"], {
  cwd: root,
  env: { ...process.env, RAWKERNEL_DEVICE: 'gpu' },
});

(nvrtc.status === 0 ? built : describe.skip)('compile for a GPU', () => {
  test('PTX, to stdout', () => {
    const { status, stdout, stderr } = rawkernel(['compile', kernel, '--ptx', '--arch', '80', '-o', '-']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\.target sm_80/);
    expect(stdout).not.toContain('\0');
    expect(stderr).toMatch(/^1 kernel for compute_80\n/);
  });

  test('a cubin, with what its kernels need', () => {
    const { status, stdout } = rawkernel(['compile', kernel, '--cubin', '--arch', 'sm_80', '-o', 'x.cubin', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      target: 'sm_80',
      kernels: [{ registers: expect.any(Number) as unknown as number, sharedBytes: 0, spillBytes: 0 }],
    });
    expect(readFileSync(join(folder, 'x.cubin')).subarray(1, 4).toString()).toBe('ELF');
  });
});
