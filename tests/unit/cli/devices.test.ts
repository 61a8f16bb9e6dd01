import { afterAll, describe, expect, test } from '@jest/globals';
import { liveObjects } from '../../../src/core/handle.ts';
import * as cuda from '../../../src/cuda/index.ts';
import { useTables } from '../../../src/cuda/select.ts';
import { command } from '../../helpers/command.ts';
import { fakeDriver } from '../../helpers/fake-driver.ts';
import { needs } from '../../helpers/require.ts';

// What NVML says is looked at elsewhere.
process.env['RAWKERNEL_LIBNVML'] = '/nowhere/libnvidia-ml.so.1';

const device = needs.gpu().missing === undefined ? needs.nvrtc() : needs.cuda();
const built = needs.build();
const works = built.missing === undefined ? device : built;
const embedded = works.missing === undefined && new cuda.Device(0).isEmbedded;

/** What differs from machine to machine. */
function masked(text: string): string {
  return text
    .replace(/rawkernel \d\S+, Node\.js v\S+, .*/, 'rawkernel VERSION')
    .replace(/rawkernel CPU \([^\n]*\)(?=$|:)/gm, 'rawkernel CPU (NAME)')
    .replace(
      /^( {2}(?:multiprocessors|compute units|memory|largest buffer|constant buffer|cache|L2 cache|driver|NVRTC|UUID|vendor) {2,}).*/gm,
      '$1...',
    )
    .replace(/\d+ ms/g, 'N ms');
}

works.describe('info', () => {
  (embedded ? test : test.skip)('of the embedded device, CUDA and OpenCL', async () => {
    const { code, stdout } = await command(['info']);
    expect(code).toBe(0);
    expect(masked(stdout)).toMatchSnapshot();
  });

  test('--json has what the text has', async () => {
    const { code, stdout } = await command(['info', 'cuda', '--json', '--all']);
    const { cuda: found } = JSON.parse(stdout) as { cuda: { devices: Record<string, unknown>[] } };
    expect(code).toBe(0);
    expect(found.devices).toHaveLength(cuda.Device.count());
    expect(found.devices[0]).toMatchObject({ id: 'cuda:0', warpSize: 32, WARP_SIZE: 32, maxBlock: [1024, 1024, 64] });
  });

  test('colours are for terminals, and NO_COLOR is respected', async () => {
    const colour = '\x1b[';
    expect((await command(['info', 'cuda'], { terminal: true })).stdout).toContain(colour);
    expect((await command(['info', 'cuda'])).stdout).not.toContain(colour);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      expect((await command(['info', 'cuda'], { terminal: true, env })).stdout).not.toContain(colour);
    }
  });
});

describe('over a GPU', () => {
  const fake = fakeDriver();
  const over = async (run: () => Promise<void>): Promise<void> => {
    useTables({ driver: fake.table });
    try {
      await run();
    } finally {
      useTables({ driver: undefined });
    }
  };
  const answer = { cuda: { devices: [{ id: 'cuda:0', name: 'rawkernel CPU (NAME)', warpSize: 32, ecc: false }] } };

  test('info asks another process for the embedded device', () =>
    over(async () => {
      const asked: unknown[] = [];
      const again = (argv: readonly string[], env: object): Promise<string> => {
        asked.push(argv, env);
        return Promise.resolve(JSON.stringify(answer));
      };
      const { code, stdout } = await command(['info', 'cuda'], { again });
      expect(code).toBe(0);
      expect(asked).toEqual([['info', 'cuda', '--json'], { RAWKERNEL_DEVICE: 'cpu' }]);
      expect(masked(stdout)).toMatchSnapshot();
    }));

  test('info goes on where that process does not answer, and where a driver fails', () =>
    over(async () => {
      expect((await command(['info', 'cuda'])).stdout).toMatch(/embedded CPU device\n {2}no other process/);
      fake.fail.set('cuDeviceGetCount', 999);
      const { code, stdout } = await command(['info', 'cuda']);
      fake.fail.clear();
      expect(code).toBe(0);
      expect(stdout).toMatch(/^CUDA\n {2}cuDeviceGetCount failed: CUDA_ERROR_UNKNOWN$/m);
    }));

  test.each(['info', 'doctor'])('%s asks no other process where RAWKERNEL_DEVICE is cpu and the device fails', (name) =>
    over(async () => {
      let asked = 0;
      const again = (): Promise<string> => Promise.reject(new Error(`asked ${++asked} times`));
      fake.fail.set('cuDeviceGetCount', 999);
      const { stdout } = await command([name, 'cuda'], { again, env: { RAWKERNEL_DEVICE: 'cpu' } });
      fake.fail.clear();
      expect(stdout).toMatch(/cuDeviceGetCount failed: CUDA_ERROR_UNKNOWN/);
      expect(asked).toBe(0);
    }),
  );

  test('doctor says what does not work, and exits with 1', () =>
    over(async () => {
      const again = (): Promise<string> =>
        Promise.resolve(JSON.stringify({ devices: [{ id: 'cuda:0', name: 'CPU', ok: true, milliseconds: 3 }] }));
      const { code, stdout } = await command(['doctor', 'cuda', '--json'], { again });
      const found = JSON.parse(stdout) as { ok: boolean; devices: { id: string; ok: boolean }[] };
      expect({ code, ok: found.ok }).toEqual({ code: 1, ok: false });
      expect(found.devices.map(({ id, ok }) => `${id} ${ok}`)).toEqual(['cuda:0 false', 'cpu true']);
    }));
});

works.describe('doctor', () => {
  test('runs a kernel on each device', async () => {
    const before = liveObjects();
    const again = (): Promise<string> => Promise.resolve('{ "devices": [] }');
    const { code, stdout } = await command(['doctor'], { again, env: { CUDA_HOME: '/toolkit' } });
    const [first, second] = stdout.split('\n');
    expect([first, second]).toEqual([
      expect.stringMatching(/^CUDA {4}works on cuda:0 \(/),
      expect.stringMatching(/^OpenCL {2}works on opencl:0:0 \(/),
    ]);
    expect(stdout).toMatch(/^ {2}works {4}cuda:0 {2}.*: a kernel compiled and ran in \d+ ms$/m);
    expect(stdout).toMatch(/^ {2}works {4}opencl:0:0 {2}.*: a kernel compiled and ran in \d+ ms$/m);
    expect(stdout).toMatch(/^ {2}CUDA_HOME {2}\/toolkit$/m);
    expect(stdout).toMatch(/the OpenCL loader/);
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'What is installed works.' });
    expect(liveObjects()).toEqual(before);
  });

  test('a library that is there and cannot be loaded is a problem; one that is not there has its fixes', async () => {
    const before = process.env['RAWKERNEL_LIBNVVM'];
    process.env['RAWKERNEL_LIBNVVM'] = import.meta.filename;
    try {
      const { code, stdout } = await command(['doctor', 'cuda'], { again: () => Promise.resolve('{ "devices": [] }') });
      expect(code).toBe(1);
      expect(stdout).toMatch(/^ {2}broken {3}libNVVM/m);
      // The loader of Windows has its own words.
      const why = process.platform === 'win32' ? 'devices\\.test\\.ts: ' : 'invalid ELF';
      expect(stdout).toMatch(
        new RegExp(`^problem  libNVVM, the compiler for NVVM IR is installed and does not load: .*${why}`, 'm'),
      );
      process.env['RAWKERNEL_LIBNVVM'] = '/nowhere/libnvvm.so';
      const other = await command(['doctor', 'cuda'], { again: () => Promise.resolve('{ "devices": [] }') });
      expect(other.stdout).toMatch(/^ {2}missing {2}libNVVM.*\n +tried {2}\/nowhere\/libnvvm\.so: .*\n( +fix .*\n)+/m);
      expect(other.code).toBe(0);
    } finally {
      if (before === undefined) delete process.env['RAWKERNEL_LIBNVVM'];
      else process.env['RAWKERNEL_LIBNVVM'] = before;
    }
  });
});

works.describe('bench', () => {
  test('measures everything on each device', async () => {
    const { code, stdout } = await command(['bench', 'cuda', '--seconds', '0.1', '--json']);
    const { devices } = JSON.parse(stdout) as { devices: { measured: Record<string, number> }[] };
    expect({ code, count: devices.length }).toEqual({ code: 0, count: cuda.Device.count() });
    for (const { measured } of devices) {
      expect(Object.values(measured)).toHaveLength(7);
      expect(Object.values(measured).every((value) => value > 0)).toBe(true);
    }
  });

  test('as a table', async () => {
    const { code, stdout } = await command(['bench', 'opencl', '--seconds', '0.1']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^copies in GB\/s.*\ndevice +to device +pinned.*\n[- ]+\nopencl:0:0 +[\d.]+ /);
  });
});

afterAll(() => {
  useTables({ driver: undefined });
});
