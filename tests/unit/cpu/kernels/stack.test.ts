import { expect, test } from '@jest/globals';
import { compileText, programOf, TestDevice } from '../../../helpers/cpu-program.ts';

const LIMIT = 300_000;
/** The stack of a test device has a megabyte at least: as much as its arguments are behind the local block. */
const BYTES = 1 << 20;
const TOP = 12 << 20;

/** A sum by recursion, which no compiler makes a loop of: each call has an array. */
const RECURSION = `
  __device__ int deep(const int *p, int n) {
    int own[16];
    for (int i = 0; i < 16; i++) own[i] = n * p[i & 3];
    return n == 0 ? 0 : deep(p, n - 1) + own[p[1] & 15];
  }
  extern "C" __global__ void k(const int *p, int *out, int n) { *out = deep(p, n); }`;

test(
  'private arrays beyond the local memory of a thread are refused with their size',
  () => {
    const kernel = (ints: number): string =>
      `extern "C" __global__ void k(int *p) { int a[${ints}]; for (int i = 0; i < ${ints}; i++) a[i] = p[i]; *p = a[p[1]]; }`;
    expect(compileText(`\n${kernel(1 << 18)}`).log).toMatch(
      /^kernel\.cu:2:1: error: the private arrays of a thread have 1048576 bytes, and a thread has at most 524288 bytes/m,
    );
    expect(compileText(kernel(1 << 16))).toMatchObject({ program: {}, log: '' });
  },
  LIMIT,
);

test(
  'a type with a comma in its name has a size',
  () => {
    const source = `template <class A, class B> struct Two { A a[64]; B b; };
      extern "C" __global__ void k(int *p) {
        Two<int, float> own[4];
        for (int i = 0; i < 256; i++) own[i & 3].a[i >> 2] = p[i];
        *p = own[p[1] & 3].a[p[2] & 63];
      }`;
    expect(compileText(source)).toMatchObject({ program: {}, log: '' });
  },
  LIMIT,
);

test(
  'a recursion ends the kernel before it leaves the stack',
  () => {
    const device = new TestDevice(programOf(RECURSION));
    (device.exports['__rk_stack'] as (end: bigint) => void)(BigInt(TOP - BYTES));
    const p = device.i32([1, 2, 3, 4]);
    const out = device.i32([0]);
    device.launch('k', [1], [1], [p.address, out.address, 1000]);
    expect(out.view[0]).toBe((3 * 1000 * 1001) / 2);
    // Below the stack lies what a deeper recursion would write over.
    const below = new Uint8Array(device.memory.buffer, TOP - 2 * BYTES, BYTES);
    below.fill(0xa5);
    expect(() => device.launch('k', [1], [1], [p.address, out.address, 100_000])).toThrow(RangeError);
    expect(below.subarray(0, BYTES - 4096).every((byte) => byte === 0xa5)).toBe(true);
  },
  LIMIT,
);
