import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runBuilt, type Ended } from '../../helpers/child.ts';
import { needs } from '../../helpers/require.ts';

const DEVICE = `
  import { Device } from 'rawkernel/cuda';
  try {
    console.log(Device.count(), new Device(0).name, new Device(0).isEmbedded);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }`;
const EMBEDDED = /^1 rawkernel CPU \(.+\) true\n$/;
const NOTICE = / CUDA runs on the embedded CPU device \(RAWKERNEL_DEVICE=cpu: without this line; gpu: never\)\n$/;
const TIMEOUT = 60_000;

/** A program on a system whose CUDA driver is the file in this folder. */
function withDriver(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runBuilt(DEVICE, { RAWKERNEL_DEVICE: 'auto', LD_LIBRARY_PATH: folder, ...env });
}

const built = needs.build();
const gcc = needs.command('gcc');

(built.missing === undefined ? gcc : built).describe('a driver that is there', () => {
  const folders: Record<string, string> = {};

  /** Put something in the place of the CUDA driver. */
  function place(name: string, make: (file: string) => void): void {
    const folder = mkdtempSync(join(tmpdir(), `rawkernel-${name}-`));
    for (const file of ['libcuda.so.1', 'libcuda.so']) make(join(folder, file));
    folders[name] = folder;
  }

  function compile(text: string, ...args: string[]): void {
    const { status, stderr } = spawnSync('gcc', ['-shared', '-fPIC', '-x', 'c', '-', '-x', 'none', ...args], {
      input: text,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  }

  beforeAll(() => {
    for (const status of [100, 34, 804, 999]) {
      place(`status-${status}`, (file) => compile(`int cuInit(unsigned flags) { return ${status}; }`, '-o', file));
    }
    place('broken', (file) => writeFileSync(file, 'no library'));
    place('dependent', (file) => {
      const other = join(file, '..', 'librawkernelneeded.so');
      compile('int needed(void) { return 0; }', '-o', other);
      compile('int needed(void); int cuInit(unsigned flags) { return needed(); }', '-o', file, other);
      rmSync(other);
    });
  });
  afterAll(() => {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true });
  });

  test(
    'and finds no GPU leaves CUDA to the embedded device, and a line says so',
    async () => {
      const { code, stdout, stderr } = await withDriver(folders['status-100'] ?? '');
      expect(stdout).toMatch(EMBEDDED);
      expect(stderr).toMatch(NOTICE);
      expect(stderr).toMatch(/^rawkernel: CUDA's driver finds no GPU: [^\n]*\n$/);
      expect(code).toBe(0);
    },
    TIMEOUT,
  );

  test.each([
    ['LOCAL_RANK', '0', NOTICE],
    ['LOCAL_RANK', '1', /^$/],
    ['OMPI_COMM_WORLD_LOCAL_RANK', '2', /^$/],
  ])(
    'and finds no GPU is told of by one rank of a machine: %s=%s',
    async (name, rank, notice) => {
      const { stdout, stderr } = await withDriver(folders['status-100'] ?? '', { [name]: rank });
      expect(stdout).toMatch(EMBEDDED);
      expect(stderr).toMatch(notice);
    },
    TIMEOUT,
  );

  test.each([
    ['34', 'CUDA_ERROR_STUB_LIBRARY'],
    ['804', 'CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE'],
    ['999', 'CUDA_ERROR_UNKNOWN'],
  ])(
    'and answers cuInit with %s is an error: %s',
    async (status, name) => {
      const { stdout, stderr } = await withDriver(folders[`status-${status}`] ?? '');
      expect(stdout).toMatch(new RegExp(`^\\w+ ${name} cuInit failed: ${name}\n`));
      expect(stdout).toMatch(/RAWKERNEL_DEVICE=cpu/);
      expect(stderr).toBe('');
    },
    TIMEOUT,
  );

  test.each([
    ['is not a library', 'broken', /libcuda\.so\.1: (?:file too short|invalid ELF header)/],
    ['needs a library that is missing', 'dependent', /libcuda\.so\.1: \S*librawkernelneeded\.so: cannot open/],
  ])(
    'and %s is an error',
    async (_, name, reason) => {
      const { stdout, stderr } = await withDriver(folders[name] ?? '');
      expect(stdout).toMatch(/^LibraryNotFoundError ERR_RAWKERNEL_LIBRARY_NOT_FOUND Could not load the CUDA driver\n/);
      expect(stdout).toMatch(reason);
      expect(stderr).toBe('');
    },
    TIMEOUT,
  );

  test(
    'named by RAWKERNEL_LIBCUDA has no stand-in',
    async () => {
      const RAWKERNEL_LIBCUDA = join(folders['status-100'] ?? '', 'libcuda.so');
      const { stdout, stderr } = await withDriver('', { RAWKERNEL_LIBCUDA });
      expect(stdout).toMatch(/CUDA_ERROR_NO_DEVICE/);
      expect(stderr).toBe('');
    },
    TIMEOUT,
  );

  test(
    'and finds no GPU stays the driver where RAWKERNEL_DEVICE=gpu',
    async () => {
      const { stdout, stderr } = await withDriver(folders['status-100'] ?? '', { RAWKERNEL_DEVICE: 'gpu' });
      expect(stdout).toMatch(/CUDA_ERROR_NO_DEVICE/);
      expect(stderr).toBe('');
    },
    TIMEOUT,
  );
});

// The run's own choice: the embedded device on a machine without a GPU.
const bare = process.env['RAWKERNEL_DEVICE'] === 'cpu' && process.platform !== 'win32';
if (!bare) process.stderr.write('Tests skipped: there is a CUDA driver\n');

(bare ? built.describe : describe.skip)('without a driver', () => {
  test(
    'CUDA runs on the embedded device, and one line says so',
    async () => {
      const { code, stdout, stderr } = await runBuilt(
        `${DEVICE}
        await import('rawkernel/cuda/autoinit');
        const { driver, nvrtc } = await import('rawkernel/cuda/sys');
        driver();
        nvrtc();`,
        { RAWKERNEL_DEVICE: '' },
      );
      expect(stdout).toMatch(EMBEDDED);
      expect(stderr).toMatch(NOTICE);
      expect(stderr).toMatch(/^rawkernel: no CUDA driver is installed: [^\n]*\n$/);
      expect(code).toBe(0);
    },
    TIMEOUT,
  );

  test(
    'RAWKERNEL_DEVICE=cpu says nothing',
    async () => {
      const { stdout, stderr } = await runBuilt(DEVICE, { RAWKERNEL_DEVICE: 'cpu' });
      expect(stdout).toMatch(EMBEDDED);
      expect(stderr).toBe('');
    },
    TIMEOUT,
  );

  test.each([
    ['RAWKERNEL_DEVICE=gpu', { RAWKERNEL_DEVICE: 'gpu' }],
    ['a library that RAWKERNEL_LIBCUDA names', { RAWKERNEL_DEVICE: 'auto', RAWKERNEL_LIBCUDA: '/nowhere/libcuda.so' }],
  ])(
    '%s is an error',
    async (_, env) => {
      const { stdout, stderr } = await runBuilt(DEVICE, env);
      expect(stdout).toMatch(/^LibraryNotFoundError [^]*\n {2}- or without a GPU: RAWKERNEL_DEVICE=cpu /);
      expect(stderr).toBe('');
    },
    TIMEOUT,
  );
});

built.test(
  'RAWKERNEL_DEVICE has three values',
  async () => {
    const { stdout } = await runBuilt(DEVICE, { RAWKERNEL_DEVICE: 'CPU' });
    expect(stdout).toMatch(
      /^TypeError undefined RAWKERNEL_DEVICE must be 'auto', 'cpu' or 'gpu', got 'CPU'; unset RAWKERNEL_DEVICE for the default\n$/,
    );
  },
  TIMEOUT,
);
