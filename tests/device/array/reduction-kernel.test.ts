import { expect, test } from '@jest/globals';
import { array, empty, zeros } from '../../../src/array/create.ts';
import { arange } from '../../../src/array/creation/arange.ts';
import { ReductionKernel } from '../../../src/array/generated/reduction-kernel.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { slice } from '../../../src/array/slice.ts';
import { struct } from '../../../src/core/struct.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';

const MinMax = struct({ least: 'i32', most: 'i32', place: 'i64' });

// Kernels are built once for each engine and layout: tests share them.
const dot = new ReductionKernel('f32', 0, 'a + b', 'x[i] * y[i]', 'float s, const float *x, const float *y', {
  name: 'dot_product',
});
const minmax = new ReductionKernel(
  MinMax,
  '{ INT_MAX, INT_MIN, -1 }',
  'joined(a, b)',
  'single(x[i], i)',
  'const int *x',
  {
    name: 'minmax',
    types: { MinMax },
    preamble: `
__device__ MinMax single(int x, long i) {
  MinMax one;
  one.least = one.most = x;
  one.place = i;
  return one;
}
__device__ MinMax joined(MinMax a, MinMax b) {
  if (b.least < a.least || (b.least == a.least && b.place < a.place)) {
    a.least = b.least;
    a.place = b.place;
  }
  if (b.most > a.most) a.most = b.most;
  return a;
}`,
  },
);
const size = new ReductionKernel({
  in: 'T x, raw T weight, int32 scale',
  out: 'T z',
  map: 'x * x * weight[_J] * scale',
  reduce: 'a + b',
  postMap: 'z = sqrt(a) + 0 * _in_ind.size()',
  identity: 0,
  name: 'size',
});

function total(n: number, term: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += term(i);
  return sum;
}

describeArrays('reduction kernels', (engine) => {
  const sequence = (n: number): NDArray => arange(engine(), n, { dtype: 'f32' });

  test.each(deviceWays.slice(0, 2))('reduce expressions of an index, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const n of [1, 5, 1000, 4097, 150_001]) {
        using x = array(
          engine(),
          Float32Array.from({ length: n }, (_, i) => (i % 7) - 3),
        );
        using y = array(
          engine(),
          Float32Array.from({ length: n }, (_, i) => i % 3),
        );
        using result = dot(2, x, y);
        const expected = total(n, (i) => 2 * ((i % 7) - 3) * (i % 3)) / 2;
        expect([n, result.shape, result.item()]).toEqual([n, [], expected]);
        using odd = dot(1, x, y, { slice: slice(1, null, 2) });
        expect([n, odd.item()]).toEqual([n, total(n, (i) => (i % 2) * ((i % 7) - 3) * (i % 3))]);
      }
      using none = zeros(engine(), [0]);
      using nothing = dot(1, none, none);
      expect(nothing.item()).toBe(0);
    });
  });

  test.each(deviceWays.slice(0, 2))('reduce to a struct, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const n of [1, 300, 100_003]) {
        const data = Int32Array.from({ length: n }, (_, i) => ((i * 7919) % 1013) - 500);
        using x = array(engine(), data);
        using result = minmax(x);
        expect([result.dtype, result.shape]).toEqual(['u8', [MinMax.byteLength]]);
        const [least, most] = [Math.min(...data.subarray(0, 2000)), Math.max(...data.subarray(0, 2000))];
        expect(MinMax.unpack(result.get() as Uint8Array<ArrayBuffer>)).toEqual([
          { least, most, place: BigInt(data.indexOf(least)) },
        ]);
      }
    });
  });

  test('write results into elements and structs of an array', () => {
    using x = sequence(10);
    using results = zeros(engine(), [4]);
    using second = results.at('1');
    expect(dot(1, x, x, { out: second })).toBe(second);
    using third = results.at('2:3');
    dot(1, x, x, { out: third, range: [0, 4] });
    expect(results.toArray()).toEqual([0, 285, 14, 0]);
    using integers = array(engine(), [3, 1, 2], { dtype: 'i32' });
    using structs = zeros(engine(), [2 * MinMax.byteLength], { dtype: 'u8' });
    using last = structs.at(`${MinMax.byteLength}:`);
    minmax(integers, { out: last });
    expect(MinMax.unpack(structs.get())[1]).toEqual({ least: 1, most: 3, place: 1n });
  });

  test('reduce the elements of the first array, and a range without an array', () => {
    const most = new ReductionKernel('i32', 'INT_MIN', 'max(a, b)', null, 'int bias, const int *x', { name: 'most' });
    using x = array(engine(), [3, 9, -4], { dtype: 'i32' });
    using greatest = most(0, x);
    expect(greatest.item()).toBe(9);
    const sum = new ReductionKernel('i64', 0, 'a + b', 'i * factor', 'int factor', { name: 'sum_of_range' });
    using out = empty(engine(), [], { dtype: 'i64' });
    sum(3, { range: [0, 100], out });
    expect(out.item()).toBe(14_850n);
    expect(() => sum(3, { range: [0, 100] })).toThrow(
      'sum_of_range must be given an NDArray, as an argument or as out',
    );
    expect(() => sum(3, { out })).toThrow('sum_of_range must be given an array, or { range }, got numbers alone');
  });

  test('reduce a subset by its indices, complex numbers, halves and truth values', () => {
    using x = array(engine(), [5, 1, 8, 2], { dtype: 'f16' });
    using chosen = array(engine(), [3, 0], { dtype: 'i32' });
    const least = new ReductionKernel(
      'f16',
      Infinity,
      'a < b ? a : b',
      'f16_to_f32(x[at[i]])',
      'const int *at, const f16 *x',
      {
        name: 'subset_min',
      },
    );
    using few = least(chosen, x, { slice: slice() });
    expect([few.dtype, few.item()]).toEqual(['f16', 2]);
    const product = new ReductionKernel('c64', 1, 'cfloat_mul(a, b)', 'x[i]', 'const cfloat_t *x', { name: 'product' });
    using z = array(engine(), Float32Array.of(0, 1, 0, 1, 2, 0), { dtype: 'c64', shape: [3] });
    using w = product(z);
    expect(w.item()).toEqual({ re: -2, im: 0 });
    const any = new ReductionKernel(
      'bool',
      false,
      'a || b',
      'x[i] > bound',
      'const cfloat_t *unused, float bound, const f32 *x',
      {
        name: 'any_above',
      },
    );
    using reals = array(engine(), [1, 2, 3]);
    using is = any(z, 2, reals);
    using isNot = any(z, 3, reals);
    expect([is.dtype, is.item(), isNot.item()]).toEqual(['bool', true, false]);
  });

  test.each(deviceWays.slice(0, 2))('reduce along any axes of views in the form of CuPy, %s', (_, way) => {
    inWay(engine(), way, () => {
      using x = sequence(60).reshape([3, 4, 5]);
      using turned = x.permuteDims([2, 0, 1]);
      using ones = array(engine(), new Float32Array(60).fill(1));
      using weights = array(
        engine(),
        Float32Array.from({ length: 60 }, (_, i) => i % 2),
      );
      const element = (i: number, j: number, k: number): number => (i * 4 + j) * 5 + k;
      using all = size(x, ones, 1);
      expect(all.item()).toBe(Math.fround(Math.sqrt(total(60, (i) => i * i))));
      using rows = size(turned, weights, 4, { axis: 1, keepdims: true });
      expect(rows.shape).toEqual([5, 1, 4]);
      const expected = [0, 1, 2, 3, 4].map((k) => [[0, 1, 2, 3].map((j) => 2 * element(1, j, k))]);
      expect(rows.toArray()).toEqual(expected);
      using out = zeros(engine(), [4]);
      expect(size(x, ones, 1, { axis: [0, 2], out })).toBe(out);
      expect(out.toArray()).toEqual(
        [0, 1, 2, 3].map((j) => Math.fround(Math.sqrt(total(15, (i) => element(Math.floor(i / 5), j, i % 5) ** 2)))),
      );
    });
  });

  test('reduce operands that broadcast, in another dtype than the result', () => {
    const mean = new ReductionKernel({
      in: 'int8 x, T y',
      out: 'float32 z',
      map: '(float)x * y',
      reduce: 'a + b',
      postMap: 'z = a / (_in_ind.size() / _out_ind.size())',
      identity: 0,
      reduceType: 'float32',
      name: 'mean_of_products',
    });
    using x = array(engine(), [1, 2, 3], { dtype: 'i8' });
    using y = array(engine(), [[1], [10]], { dtype: 'i32' });
    using result = mean(x, y, { axis: 1 });
    expect([result.dtype, result.toArray()]).toEqual(['f32', [2, 20]]);
  });

  test('show what was generated', () => {
    using x = sequence(4);
    dot(1, x, x).close();
    expect(dot.source).toContain('return x[i] * y[i];');
    expect([dot.name, String(dot)]).toEqual(['dot_product', 'ReductionKernel(dot_product)']);
  });

  test('refuse other arguments, and say which ones they take', () => {
    using x = sequence(4);
    using wide = array(engine(), [1, 2, 3, 4], { dtype: 'f64' });
    using every = sequence(8).at('::2');
    using integer = zeros(engine(), [], { dtype: 'i32' });
    const refusals: readonly (readonly [call: () => unknown, message: string])[] = [
      [() => dot(1, x, wide), "y must be an NDArray of f32 (float *), got f64; write astype('f32')"],
      [() => dot(1, x, every), 'y must be an NDArray whose elements follow each other'],
      [() => dot(1, x), 'dot_product must be given 3 arguments (s, x, y), got 2'],
      [() => dot(1, x, x, { out: integer }), 'out must be an NDArray of one f32, got one of i32'],
      [() => dot(1, x, x, { out: x }), 'out must be an NDArray of one f32, got shape [4]'],
      [() => dot(1, x, x, { axis: 0 }), "has no option 'axis'"],
      [() => minmax(integer, { out: x }), 'out must be an NDArray of 16 bytes, u8, got one of f32'],
      [() => size(x, every, 1), 'weight is raw: it must be an NDArray whose elements follow each other'],
      [() => size(1, x, 1), 'size must be given an NDArray that is not raw, got none'],
      [() => size(x, wide, 1), 'T must be one dtype, got f32 of x and f64 of weight'],
      [() => size(x, x, 1, { axis: 1 }), 'axis'],
    ];
    for (const [call, message] of refusals) expect(call).toThrow(message);
  });
});

test('reduction kernels refuse texts that are none', () => {
  const make =
    (...args: unknown[]) =>
    (): unknown =>
      new (ReductionKernel as never as new (...args: unknown[]) => object)(...args);
  const Big = struct({ list: ['f32', 2] });
  expect(make('f32', 0)).toThrow('reduction: reduceExpr must be a text in C, got undefined');
  expect(make('f31', 0, 'a + b')).toThrow('reduction: the dtype must be one of bool, i8');
  expect(make(Big, 0, 'a + b')).toThrow('a struct must have a name in C; write { types: { Name: theStruct } }');
  expect(make('f32', NaN, 'a + b')).toThrow('the neutral element must be a text in C or a number, got NaN');
  expect(make('f32', 0, 'a + b', null, 'float s')).toThrow('mapExpr must be given where no parameter is an array');
  expect(make('f32', 0, 'a + b', '')).toThrow('mapExpr must be an expression in C, got an empty text');
  expect(make({ in: 'T x', out: 'T y', map: 'x', reduce: 'a + b' })).toThrow(
    'identity must be a text in C or a number',
  );
  expect(make({ in: 'T x', out: 'T y, T z', map: 'x', reduce: 'a', identity: 0 })).toThrow(
    "out must be one result, 'T z'",
  );
  expect(make({ in: 'T a', out: 'T y', map: 'a', reduce: 'a', identity: 0 })).toThrow("name of its own, got 'a' twice");
});
