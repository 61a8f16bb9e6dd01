import { expect, test } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';

const TIMEOUT = 30_000;
const FAKE = `
  import { fakeDriver } from '@/tests/helpers/fake-driver.ts';
  import { useTables } from '@/src/cuda/select.ts';
  const fake = fakeDriver();
  fake.devices = 2;
  useTables({ driver: fake.table });
  const auto = await import('@/src/cuda/autoinit.ts');`;

test(
  'autoinit without a driver says where it looked and what to do',
  async () => {
    const { code, stderr } = await runChild("import '@/src/cuda/autoinit.ts';", {
      RAWKERNEL_DEVICE: 'gpu',
      RAWKERNEL_LIBCUDA: '/nowhere/libcuda.so',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /LibraryNotFoundError: Could not load the CUDA driver\nTried:\n {2}- \/nowhere\/libcuda\.so: /,
    );
    expect(stderr).toMatch(/What to do:\n {2}- install NVIDIA's driver/);
  },
  TIMEOUT,
);

test(
  'autoinit makes the primary context of the first device current, and releases it at the end',
  async () => {
    const script = `${FAKE}
    import { Context } from '@/src/cuda/device/context.ts';
    console.log(auto.device.ordinal, auto.context.primary, Context.current === auto.context, fake.live.primary);
    process.on('exit', () => console.log(fake.live.primary));`;
    await expect(runChild(script)).resolves.toEqual({
      code: 0,
      signal: null,
      stdout: '0 true true 1\n0\n',
      stderr: '',
    });
  },
  TIMEOUT,
);

test(
  'RAWKERNEL_CUDA_DEVICE chooses the device',
  async () => {
    const script = `${FAKE} console.log(auto.device.ordinal);`;
    const ended = await Promise.all(
      ['1', '0000:01:00.0', '7'].map((RAWKERNEL_CUDA_DEVICE) => runChild(script, { RAWKERNEL_CUDA_DEVICE })),
    );
    expect(ended.map(({ stdout }) => stdout)).toEqual(['1\n', '0\n', '']);
    expect(ended[2]?.stderr).toMatch(
      /RangeError: RAWKERNEL_CUDA_DEVICE=7: There is no CUDA device 7; this machine has 2, devices 0 to 1/,
    );
  },
  TIMEOUT,
);
