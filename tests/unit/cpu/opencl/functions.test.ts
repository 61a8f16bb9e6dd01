import { readFileSync } from 'node:fs';
import { Float16Array } from '@petamoriken/float16';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenCLBench } from './bench.ts';
import { COMPILE_MS, openCLBench } from './compile.ts';
import { arrayOf } from './numbers.ts';

const sourceOf = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
const ONE = { global: [1], local: [1] } as const;
const INF = Infinity;

describe('functions', () => {
  let bench: OpenCLBench;
  beforeAll(async () => {
    bench = await openCLBench(sourceOf('various.cl'), '-cl-std=CL2.0');
  }, COMPILE_MS);

  test.each([
    ['float', 2 ** -149, 2 ** -126],
    ['double', 2 ** -1074, 2 ** -1022],
  ] as const)('relations of %s: 1 for scalars, -1 for elements', (type, least, normal) => {
    const numbers = [0, -0, 1, -1, 2, least, -normal, INF, -INF, NaN];
    const pairs = numbers.flatMap((x) => numbers.map((y) => [x, y] as const));
    const columns = [pairs.map(([x]) => x), pairs.map(([, y]) => y)].map((column) => arrayOf(type, column));
    const bit = (value: boolean): number => (value ? 1 : 0);
    const ordered = (x: number, y: number): boolean => !Number.isNaN(x) && !Number.isNaN(y);
    const wanted = pairs.map(([x, y]) => [
      ...[x === y, x !== y, x > y, x >= y, x < y, x <= y, x < y || x > y, Number.isFinite(x)].map(bit),
      ...[Math.abs(x) === INF, Number.isNaN(x), Number.isFinite(x) && Math.abs(x) >= normal].map(bit),
      ...[ordered(x, y), !ordered(x, y), x < 0 || Object.is(x, -0)].map(bit),
    ]);
    const [x, y] = columns;
    const run = (kernel: string, count: number): number[][] => {
      const results = new Int32Array(16 * pairs.length);
      bench.run(kernel, { global: [count], local: [1] }, [x ?? 0, y ?? 0, results]);
      return pairs.map((_, i) => [...results.subarray(16 * i, 16 * i + 14)]);
    };
    expect(run(`relations_${type}`, pairs.length)).toEqual(wanted);
    expect(run(`relations_${type}_vector`, pairs.length / 4)).toEqual(wanted);
  });

  test('nan() has the code in it', () => {
    const single = new Uint32Array(3);
    const double = new BigUint64Array(1);
    const half = new Uint16Array(1);
    bench.run('nans', ONE, [single, double, half]);
    expect([...single]).toEqual([0x7fc00005, 0x7fc00001, 0x7fc00002]);
    expect([double[0], half[0]]).toEqual([0x7ff8000000000006n, 0x7e07]);
  });

  test('select, bitselect, any, all', () => {
    const integers = new Int32Array(16);
    const floats = new Float32Array(8);
    const longs = new BigInt64Array(4);
    bench.run('choices', ONE, [integers, floats, longs]);
    expect([...integers]).toEqual([1, 2, 2, 0, 1, 6, 3, 8, 0, 1, 1, 0, 1, 0, 1, 1]);
    expect([...floats]).toEqual([1, 2, 1, 2, -1, 2.5, 3, 2]);
    expect([...longs]).toEqual([-1n, 0n, -1n, 0n]);
  });

  test('shuffles and swizzles', () => {
    const integers = new Int32Array(24);
    const bytes = new Uint8Array(4);
    bench.run('shuffles', ONE, [integers, bytes, Uint32Array.of(3, 6, 4, 9)]);
    expect([...integers.subarray(0, 8)]).toEqual([13, 12, 10, 11, 13, 22, 20, 11]);
    expect([...integers.subarray(8, 18)]).toEqual([13, 12, 11, 10, 10, 11, 12, 13, 20, 13]);
    // The first and the last element have changed places; every other one of the lower half went into the upper half.
    expect([...integers.subarray(18, 22)]).toEqual([23, 10, 11, 4]);
    expect([...bytes]).toEqual([15, 15, 1, 0]);
  });

  test('vectors in memory of all kinds, three elements without a gap', () => {
    const array = Float32Array.from({ length: 16 }, (_, i) => i);
    const constants = Float32Array.of(0, 10, 20, 30, 40, 50);
    const results = new Float32Array(24);
    bench.run('memory', ONE, [array, constants, { local: 64 }, results]);
    expect([...array.subarray(0, 8)]).toEqual([0, 1, 2, 31, 41, 51, 6, 7]);
    expect([...results.subarray(0, 10)]).toEqual([7, 8, 15, 3, 0, 0, 0, 1, 2, 0]);
    expect([...results.subarray(16)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('halves in memory, rounded in every direction', () => {
    const bits = Uint16Array.from({ length: 40 }, (_, i) => (i * 1637) & 0xffff);
    const values = new Float16Array(bits.buffer);
    const edges = [
      0,
      -0,
      1,
      1 + 2 ** -11,
      1 + 2 ** -10,
      1 + 3 * 2 ** -11,
      -1 - 2 ** -12,
      65504,
      65519,
      65520,
      7e4,
      -7e4,
      INF,
      NaN,
    ];
    const small = [2 ** -24, 2 ** -25, 3 * 2 ** -25, -(2 ** -26), 2 ** -14 - 2 ** -26, 1e-30, -1e-30];
    const numbers = Float32Array.from({ length: 40 }, (_, i) => [...edges, ...small][i] ?? i * 0.37 - 3);
    const floats = new Float32Array(140);
    const results = new Uint16Array(300);
    bench.run('halves', { global: [40], local: [40] }, [bits, floats, results, numbers]);
    expect([...floats.subarray(0, 40)]).toEqual([...values]);
    expect([...floats.subarray(120, 123)]).toEqual([...values.subarray(4, 7)]);
    expect([...floats.subarray(123, 126)]).toEqual([...values.subarray(3, 6)]);
    expect([...floats.subarray(126, 129)]).toEqual([...values.subarray(4, 7)]);
    expect([...floats.subarray(132, 136)]).toEqual([...values.subarray(4, 8)]);
    const got = new Float16Array(results.buffer);
    const nearest = [...Float16Array.from(numbers)];
    const [zero, up, down] = [nearest.map(towardsZero), nearest.map(above), nearest.map(below)];
    expect([...got.subarray(0, 40)]).toEqual(nearest);
    expect([...got.subarray(40, 80)]).toEqual(zero);
    expect([...got.subarray(80, 120)]).toEqual(up);
    expect([...got.subarray(120, 160)]).toEqual(down);
    expect([...got.subarray(160, 200)]).toEqual(nearest);
    expect([...got.subarray(200, 239)]).toEqual(zero.slice(0, 39));
    const aligned = nearest.slice(0, 39).flatMap((x, i) => (i % 3 === 2 ? [x, 0] : [x]));
    expect([...got.subarray(248, 300)]).toEqual(aligned);

    function step(x: number, upwards: boolean): number {
      const array = Float16Array.of(x);
      const raw = new Int16Array(array.buffer);
      if (x === 0) return upwards ? 2 ** -24 : -(2 ** -24);
      raw[0] = (raw[0] ?? 0) + (upwards === x > 0 ? 1 : -1);
      return array[0] ?? NaN;
    }
    function above(x: number, i: number): number {
      return (numbers[i] ?? 0) > x ? step(x, true) : x;
    }
    function below(x: number, i: number): number {
      return (numbers[i] ?? 0) < x ? step(x, false) : x;
    }
    function towardsZero(x: number, i: number): number {
      return (numbers[i] ?? 0) > 0 ? below(x, i) : (numbers[i] ?? 0) < 0 ? above(x, i) : x;
    }
  });

  test('geometry, also of what overflows in between', () => {
    const r = new Float32Array(32);
    const d = new Float64Array(5);
    bench.run('geometry', ONE, [r, d]);
    const root = Math.fround(Math.SQRT1_2);
    expect([...r.subarray(0, 4)]).toEqual([12, 5, 2, 2]);
    expect([...r.subarray(6, 9)]).toEqual([27, 6, -13]);
    expect([...r.subarray(12, 20)]).toEqual([27, 6, -13, 0, 0, Math.fround(0.6), 0, Math.fround(-0.8)]);
    expect([...r.subarray(20, 26)]).toEqual([root, root, 0, 0, 1, 0]);
    expect([...r.subarray(26)]).toEqual([Math.fround(Math.sqrt(3) * Math.fround(1e30)), 5, 2, -1, 6, 500]);
    expect([...d]).toEqual([7e200, 1, 13, 20, 1]);
  });

  test('common functions', () => {
    const r = new Float32Array(34);
    bench.run('common_ones', ONE, [r]);
    expect([...r.subarray(0, 12)].map((x) => Math.round(x * 1e5) / 1e5)).toEqual([
      1, 180, 3.14159, 2, 1, 1.5, 0, 1, 0.5, 0, -1, 0,
    ]);
    expect([...r.subarray(12, 28)]).toEqual([0.5, 1, 1.5, 2, 0, 1, 1, 1, 0.15625, 0.5, 0.84375, 1, 1, 2, 2.5, 2.5]);
    expect([...r.subarray(28, 32)]).toEqual([2, 0.15625, 0, 4]);
  });

  test('half_ and native_ functions are as exact as the others', () => {
    const numbers = Float32Array.of(0.001, 0.5, 1, 1.7, 3, 10, 30, 1e-5);
    const results = new Int32Array(8);
    bench.run('quick', { global: [8], local: [8] }, [numbers, results]);
    expect([...results]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  test('second results in memory of all kinds', () => {
    const r = new Float32Array(24);
    const n = new Int32Array(11);
    bench.run('with_pointers', ONE, [r, n, { local: 16 }, { local: 16 }]);
    const near = [Math.sin(1), Math.cos(1), Math.sin(2), Math.cos(2)];
    near.forEach((value, i) => expect(r[i]).toBeCloseTo(value, 6));
    expect([...r.subarray(4, 6)]).toEqual([0.75, -2]);
    expect(r[6]).toBeCloseTo(1.2655121, 5);
    expect(r[7]).toBeCloseTo(0.860047, 5);
    expect(r[8]).toBe(INF);
    expect(r[9]).toBeCloseTo(12.801827, 5);
    expect([...r.subarray(12, 22)]).toEqual([0.5, -0.25, 0, 0, 1, -2, 0, 7, 0.75, 0.75]);
    expect([...n]).toEqual([-1, 1, 0, 1, 0, 4, -1, -2147483648, 2147483647, -133, 2147483647]);
  });
});

describe('atomic functions', () => {
  const ids = Array.from({ length: 192 }, (_, i) => i);
  const sum = ids.reduce((a, b) => a + b);
  const ALL = { global: [192], local: [48] };

  test.each(['-cl-std=CL1.2', '-cl-std=CL3.0'])(
    'of OpenCL 1.x, %s',
    async (standard) => {
      const bench = await openCLBench(sourceOf('atomics.cl'), standard);
      const i = new Int32Array(32);
      i.set([0, 0, 0, 0, 0, 0, -1], 0);
      const u = Uint32Array.of(0, 0xffffffff, 0);
      const f = Float32Array.of(1.5, 0);
      const l = new BigInt64Array(6);
      bench.run('old', ALL, [i, u, f, l, { local: 16 }]);
      const xor = ids.reduce((a, b) => a ^ b);
      expect([...i.subarray(0, 9)]).toEqual([sum, -sum, 192, -192, -191, 191, 0, 0x7fffffff, xor]);
      expect([...i.subarray(9, 14)]).toEqual([0, 99, 0, 5, 5]);
      expect([...i.subarray(16, 20)]).toEqual([48, 48, 48, 48]);
      expect([...u]).toEqual([0x80000000 + 191, 0, 384]);
      expect([...f]).toEqual([2.5, 1.5]);
      expect([...l]).toEqual([BigInt(sum) << 32n, 191n << 33n, 192n, BigInt(xor) << 20n, 0n, 1n << 40n]);
      if (standard !== '-cl-std=CL3.0') return;

      const integers = new Int32Array(12);
      integers[4] = -1;
      const unsigned = new Uint32Array(1);
      const longs = new BigInt64Array(1);
      const single = Float32Array.of(0.5);
      const double = Float64Array.of(0.25);
      const seen = new Int32Array(8);
      bench.run('modern', ALL, [integers, unsigned, longs, single, double, new Int32Array(2), seen]);
      expect([...integers]).toEqual([sum, -sum, 0x7fffffff, xor, -0x80000000, -191, 0, 0, 9, 12, 14, 0]);
      expect([unsigned[0], longs[0], single[0], double[0]]).toEqual([
        0x80000000 + 191,
        BigInt(sum) << 32n,
        192.5,
        384.25,
      ]);
      expect([...seen]).toEqual([1, 0, 4, 1, 9, 13, 0, 0]);
      const sums = new Float32Array(2);
      const doubles = new Float64Array(2);
      const local = new Float32Array(192);
      bench.run('floating', ALL, [sums, doubles, { local: 16 }, local]);
      expect([...sums, ...doubles]).toEqual([sum + 96, -95.5, 47.75, -192]);
      expect([...local]).toEqual(ids.map(() => 96));
      const counted = new Int32Array(1);
      bench.run('counted', ONE, [counted]);
      expect(counted[0]).toBe(192);
    },
    COMPILE_MS,
  );
});
