import { beforeAll, describe, expect, test } from '@jest/globals';
import { compileText, programOf, TestDevice } from '../../../helpers/cpu-program.ts';

const LIMIT = 300_000;
const AMOUNTS = [0, 1, 7, 15, 31, 32, 33, 40, 63, 64, 65, 255, 2 ** 31 - 1, -(2 ** 31), -1];
const VALUES = [0x7654_3210, -0x1234_5678, 0x81, -1];
const TYPES = {
  int: { bits: 32, wide: 32, signed: true },
  unsigned: { bits: 32, wide: 32, signed: false },
  'long long': { bits: 64, wide: 64, signed: true },
  'unsigned long long': { bits: 64, wide: 64, signed: false },
  'signed char': { bits: 8, wide: 32, signed: true },
  'unsigned short': { bits: 16, wide: 32, signed: false },
} as const;

/** What the PTX ISA says of shl and shr: an amount above the register's width, read as unsigned, is clamped to it. */
function shifted(value: number, amount: number, { bits, wide, signed }: (typeof TYPES)[keyof typeof TYPES]): bigint[] {
  const own = signed ? BigInt.asIntN(bits, BigInt(value)) : BigInt.asUintN(bits, BigInt(value));
  // 8 and 16 bits become an int before the shift, whether they have a sign or not.
  const clamped = BigInt(Math.min(amount >>> 0, wide));
  return [own << clamped, own >> clamped].map((result) => BigInt.asUintN(wide, result));
}

describe('shifts by the width of the type and more', () => {
  const kernels = Object.keys(TYPES).map(
    (type, i) => `
extern "C" __global__ void k${i}(const int* x, const int* n, unsigned long long* out) {
  int t = threadIdx.x;
  ${type} v = (${type})x[t];
  auto left = v << n[t];
  auto right = v >> n[t];
  unsigned long long mask = sizeof(left) == 4 ? 0xffffffffull : ~0ull;
  out[2 * t] = (unsigned long long)left & mask;
  out[2 * t + 1] = (unsigned long long)right & mask;
}`,
  );
  let device: TestDevice;
  beforeAll(() => {
    device = new TestDevice(programOf(kernels.join('\n')));
  }, LIMIT);

  test.each(Object.entries(TYPES).map(([type, shape], i) => [type, shape, i] as const))('%s', (_, shape, i) => {
    const pairs = VALUES.flatMap((value) => AMOUNTS.map((amount) => [value, amount] as const));
    const x = device.i32(pairs.map(([value]) => value));
    const n = device.i32(pairs.map(([, amount]) => amount));
    const out = device.i32(new Array<number>(pairs.length * 4).fill(0));
    device.launch(`k${i}`, [1], [pairs.length], [x.address, n.address, out.address]);
    const results = new BigUint64Array(out.view.buffer, out.address, pairs.length * 2);
    expect([...results]).toEqual(pairs.flatMap(([value, amount]) => shifted(value, amount, shape)));
  });

  test('by a constant beyond the width', () => {
    const source = `extern "C" __global__ void k(int* x) {
  int v = x[0];
  x[1] = v << 32; x[2] = v >> 40; x[3] = (unsigned)v >> 33; x[4] = v << -1; x[5] = v >> 31;
}`;
    const one = new TestDevice(programOf(source));
    const x = one.i32([-5, 7, 7, 7, 7, 7]);
    one.launch('k', [1], [1], [x.address]);
    expect([...x.view]).toEqual([-5, 0, -1, 0, 0, -1]);
  });
});

describe("ptxas's limits", () => {
  const errors = (source: string, options: readonly string[] = []): string => {
    const { program, log } = compileText(source, { options });
    return program ? '' : log;
  };

  test('constant memory', () => {
    const source = (n: number): string =>
      `__constant__ float big[${n}];\n__constant__ char small[64];\nextern "C" __global__ void k(float* o) { o[0] = big[threadIdx.x] + small[0]; }`;
    expect(errors(source(16_368))).toBe('');
    expect(errors(source(16_369))).toMatch(
      /^kernel\.cu:1:1: error: the program uses too much global constant data \(0x10004 bytes, 0x10000 max\), of which big has 0xffc4/,
    );
  });

  test('static shared memory of a kernel, with what its functions use and without what it does not use', () => {
    const source = (n: number): string => `
__shared__ float unused[20000];
__device__ __noinline__ float last(const float* x) {
  __shared__ float s[${n}];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  return s[31 - threadIdx.x];
}
extern "C" __global__ void k(float* x) { __shared__ int own[8]; own[threadIdx.x & 7] = 1; __syncthreads(); x[threadIdx.x] = last(x) + own[0]; }`;
    expect(errors(source(12_280))).toBe('');
    expect(errors(source(12_281))).toMatch(
      /^kernel\.cu:9:1: error: entry function 'k' uses too much shared data \(0xc004 bytes, 0xc000 max\): .*extern __shared__/,
    );
  });

  test('parameters, fewer for old architectures', () => {
    const source = (n: number): string =>
      `struct S { char c[${n}]; };\nextern "C" __global__ void k(char* o, S s) { o[0] = s.c[threadIdx.x]; }`;
    expect(errors(source(32_756))).toBe('');
    expect(errors(source(32_757))).toMatch(
      /^kernel\.cu:2:1: error: formal parameter space overflowed \(32765 bytes required, max 32764 bytes allowed\) in function 'k'/,
    );
    expect(errors(source(4088), ['-arch=sm_60'])).toBe('');
    expect(errors(source(4089), ['-arch=sm_60'])).toMatch(/\(4097 bytes required, max 4096 bytes allowed\)/);
  });
});
