import { expect, test } from '@jest/globals';
import { array, zeros } from '../../../src/array/create.ts';
import { arange } from '../../../src/array/creation/arange.ts';
import { ElementwiseKernel } from '../../../src/array/generated/elementwise-kernel.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { slice, type Slice } from '../../../src/array/slice.ts';
import { struct } from '../../../src/core/struct.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';

const Inner = struct({ tag: 'u8', value: 'i16' });
const Body = struct({
  id: 'u8',
  place: ['f32', 3],
  inner: Inner,
  list: [Inner, 2],
  grid: [['i32', 3], 2],
  mass: 'f64',
});

// Kernels are built once for each engine and layout: tests share them.
const combine = new ElementwiseKernel(
  'float a, const float *x, float b, const float *y, float *z',
  'z[i] = a * x[i] + b * y[i]',
  { name: 'linear_combination' },
);
const difference = new ElementwiseKernel({ in: 'T x, T y', out: 'T z', op: 'z = x - y', name: 'difference' });
const reversed = new ElementwiseKernel({
  in: 'T x, raw T y, int32 k',
  out: 'T z, int64 place',
  op: 'z = x + k * y[_ind.size() - 1 - i]; place = i',
  name: 'reversed',
});
const keep = new ElementwiseKernel({ in: 'float32 x', out: 'float32 z', op: 'if (x > 2) z = x', name: 'keep' });

function numbers(x: NDArray): number[] {
  return Array.from(x.get() as ArrayLike<number | bigint>, Number);
}

/** The indices of a slice. */
function indicesOf(part: Slice, length: number): number[] {
  const { start, count, step } = part.rangeOf(length);
  return Array.from({ length: count }, (_, k) => start + k * step);
}

describeArrays('elementwise kernels', (engine) => {
  const sequence = (n: number): NDArray => arange(engine(), n, { dtype: 'f32' });

  test.each(deviceWays.slice(0, 2))('go over every element, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const n of [1, 255, 257, 1024, 1025, 40_001]) {
        using x = sequence(n);
        using y = sequence(n);
        using z = zeros(engine(), [n]);
        combine(2, x, 3, y, z);
        expect([n, numbers(z)]).toEqual([n, Array.from({ length: n }, (_, i) => 5 * i)]);
      }
      using none = zeros(engine(), [0]);
      combine(1, none, 1, none, none);
    });
  });

  test.each(deviceWays.slice(0, 2))('go over slices and ranges, with steps and backwards, %s', (_, way) => {
    inWay(engine(), way, () => {
      const n = 2000;
      using x = sequence(n);
      const slices = [
        slice(20, null),
        slice(null, 20),
        slice(null, null, 17),
        slice(null, 100, -1),
        slice(-30, -5),
        slice(7, 7),
      ];
      for (const part of slices) {
        using z = zeros(engine(), [n]);
        combine(1, x, 1, x, z, { slice: part });
        const chosen = new Set(indicesOf(part, n));
        expect([part, numbers(z)]).toEqual([part, Array.from({ length: n }, (_, i) => (chosen.has(i) ? 2 * i : 0))]);
      }
      using z = zeros(engine(), [n]);
      combine(1, x, 1, x, z, { range: [1900, 10, -3] });
      expect(z.item(1900)).toBe(3800);
      expect([z.item(1901), z.item(10), z.item(13)]).toEqual([0, 0, 26]);
    });
  });

  test('write an array that they read', () => {
    using x = sequence(1000);
    combine(2, x, 1, x, x);
    expect(numbers(x)).toEqual(Array.from({ length: 1000 }, (_, i) => 3 * i));
    using view = x.at('500:');
    combine(1, view, 0, view, view);
    expect(x.item(999)).toBe(2997);
  });

  test.each(deviceWays.slice(0, 2))('have what a thread begins and ends with, %s', (_, way) => {
    inWay(engine(), way, () => {
      const prepared = new ElementwiseKernel(
        'int *z, int *ends, int s',
        'if (i % 3 == 0) PYOPENCL_ELWISE_CONTINUE; z[i] = twice; seen = 1',
        {
          name: 'prepared',
          loopPrep: 'int twice = 2 * s; int seen = 0',
          afterLoop: 'if (seen) ends[0] = 1',
        },
      );
      using z = zeros(engine(), [3000], { dtype: 'i32' });
      using ends = zeros(engine(), [3000], { dtype: 'i32' });
      prepared(z, ends, 21);
      expect(numbers(z)).toEqual(Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? 0 : 42)));
      expect(ends.item(0)).toBe(1);
    });
  });

  test('take options, a preamble and the words of both languages', () => {
    const powers = new ElementwiseKernel(
      '__global const float *x, __global float *z, unsigned long n',
      'z[i] = powf(twice(x[i]), EXPONENT) + clamp(3, 0, 2) + make_float2(1, 2).y + n + fabsf(-FLT_EPSILON) * 0; // a comment',
      {
        name: 'powers',
        options: ['-DEXPONENT=2.0f'],
        preamble: '__device__ float twice(float x) { return 2 * x; }',
      },
    );
    using x = sequence(4);
    using z = zeros(engine(), [4]);
    powers(x, z, 1000);
    expect(numbers(z)).toEqual([1004, 1008, 1020, 1040]);
  });

  test('compute with complex numbers, truth values and integers of 64 bits', () => {
    const rotate = new ElementwiseKernel(
      'pycuda::complex<float> w, const cfloat_t *x, bool *big, long long *count, bool isLeft',
      'cfloat_t y = cfloat_mul(w, x[i]); big[i] = cfloat_abs(y) > 4; count[i] = (isLeft ? -1 : 1) * (long)cfloat_real(y)',
      { name: 'rotate' },
    );
    using x = array(engine(), Float32Array.of(1, 2, 3, 4), { dtype: 'c64', shape: [2] });
    using big = zeros(engine(), [2], { dtype: 'bool' });
    using count = zeros(engine(), [2], { dtype: 'i64' });
    rotate({ re: 0, im: 1 }, x, big, count, true);
    expect([big.toArray(), count.toArray()]).toEqual([
      [false, true],
      [2n, 4n],
    ]);
  });

  test('read and write structs with the layout that the host packs', () => {
    const facts = new ElementwiseKernel(
      'const Body *x, int *sizes, Body *y, Inner add',
      `sizes[0] = sizeof(Body); sizes[1] = sizeof(Inner);
       sizes[2] = (int)((long)&x[0].place - (long)&x[0]); sizes[3] = (int)((long)&x[0].inner - (long)&x[0]);
       sizes[4] = (int)((long)&x[0].list - (long)&x[0]); sizes[5] = (int)((long)&x[0].grid - (long)&x[0]);
       sizes[6] = (int)((long)&x[0].mass - (long)&x[0]);
       y[i] = x[i]; y[i].inner.value = x[i].inner.value + add.value; y[i].grid[1][2] = x[i].grid[0][0];`,
      { name: 'layout', types: { Body, Inner } },
    );
    const inner = (value: number): { tag: number; value: number } => ({ tag: 7, value });
    const bodies = [1, 2, 3].map((id) => ({
      id,
      place: [id, 0, 0.5],
      inner: inner(id),
      list: [inner(5), inner(6)],
      grid: [
        [id * 10, 2, 3],
        [4, 5, 6],
      ],
      mass: id / 4,
    }));
    using x = array(engine(), Body.pack(bodies));
    using y = zeros(engine(), [x.size], { dtype: 'u8' });
    using sizes = zeros(engine(), [7], { dtype: 'i32' });
    facts(x, sizes, y, { tag: 0, value: 100 }, { range: [0, 3] });
    const { place, inner: innerAt, list, grid, mass } = Body.offsets;
    expect(numbers(sizes)).toEqual([Body.byteLength, Inner.byteLength, place, innerAt, list, grid, mass]);
    const back = Body.unpack(y.get());
    expect(back).toEqual(
      bodies.map((body) => ({
        ...body,
        inner: inner(body.id + 100),
        grid: [body.grid[0], [4, 5, body.id * 10]],
      })),
    );
  });

  test.each(deviceWays.slice(0, 2))('broadcast views of any strides in the form of CuPy, %s', (_, way) => {
    inWay(engine(), way, () => {
      using x = sequence(12).reshape([3, 4]);
      using y = array(engine(), [10, 20, 30]);
      using turned = x.T;
      using z = difference(turned, y);
      expect(z.toArray()).toEqual([0, 1, 2, 3].map((i) => [i - 10, i + 4 - 20, i + 8 - 30]));
      using less = difference(x, 1);
      expect(numbers(less)).toEqual(Array.from({ length: 12 }, (_, i) => i - 1));
      using integers = array(engine(), [5, 6], { dtype: 'i16' });
      using whole = difference(integers, 1);
      expect([whole.dtype, whole.toArray()]).toEqual(['i16', [4, 5]]);
      using halves = array(engine(), [1.5, 2.5], { dtype: 'f16' });
      using half = difference(halves, halves);
      expect([half.dtype, half.toArray()]).toEqual(['f16', [0, 0]]);
      using out = zeros(engine(), [3, 4]);
      expect(difference(x, x, { out })).toBe(out);
      // A result over its operand, shifted by one: as if the operand had been copied first.
      using line = sequence(6);
      difference(line.at(':-1'), line.at(':-1'), { out: line.at('1:') });
      expect(numbers(line)).toEqual([0, 0, 0, 0, 0, 0]);
    });
  });

  test.each(deviceWays.slice(0, 2))('index raw arrays, return several results and know the place, %s', (_, way) => {
    inWay(engine(), way, () => {
      using x = sequence(6).reshape([2, 3]);
      using turned = x.T;
      const [z, place] = reversed(turned, x, 10);
      expect(z?.toArray()).toEqual([
        [0 + 50, 3 + 40],
        [1 + 30, 4 + 20],
        [2 + 10, 5 + 0],
      ]);
      expect(place?.toArray()).toEqual([
        [0n, 1n],
        [2n, 3n],
        [4n, 5n],
      ]);
      z?.close();
      place?.close();
    });
  });

  test('leave what they do not set as it was, or 0', () => {
    using x = array(engine(), [1, 2, 3, 4]);
    using fresh = keep(x);
    expect(numbers(fresh)).toEqual([0, 0, 3, 4]);
    using out = array(engine(), [-1, -2, -3, -4]);
    keep(x, out);
    expect(numbers(out)).toEqual([-1, -2, 3, 4]);
  });

  test('write raw results, and go over a number of elements', () => {
    const spread = new ElementwiseKernel({
      in: 'float32 a',
      out: 'raw float32 z',
      op: 'z[2 * i] = a + i',
      name: 'spread',
      noReturn: true,
    });
    using out = zeros(engine(), [8]);
    expect(spread(100, { out, size: 4 })).toBeUndefined();
    expect(numbers(out)).toEqual([100, 0, 101, 0, 102, 0, 103, 0]);
  });

  test('show what was generated', () => {
    using x = sequence(4);
    using z = zeros(engine(), [4]);
    combine(1, x, 1, x, z);
    expect(combine.source).toContain('z[i] = a * x[i] + b * y[i];');
    expect(combine.sourceFor(1, x, 1, x, z)).toBe(combine.source);
    expect(difference.sourceFor(x, x)).toContain('z = x - y;');
    expect(combine.name).toBe('linear_combination');
    expect(String(combine)).toBe('ElementwiseKernel(linear_combination)');
  });

  test('refuse other arguments, and say which ones they take', () => {
    using x = sequence(4);
    using y = sequence(5);
    using wide = array(engine(), [1, 2, 3, 4], { dtype: 'f64' });
    using every = sequence(8).at('::2');
    using bytes = zeros(engine(), [7], { dtype: 'u8' });
    const points = new ElementwiseKernel('Inner *p', 'p[i].tag = 1', { types: { Inner }, name: 'points' });
    const closed = sequence(4);
    closed.close();
    const refusals: readonly (readonly [call: () => unknown, message: string])[] = [
      [() => combine(1, wide, 1, x, x), "x must be an NDArray of f32 (float *), got f64; write astype('f32')"],
      [() => combine(1, x, 1, y, x), 'y must have as many elements as x, 4, got 5'],
      [
        () => combine(1, every, 1, x, x),
        'x must be an NDArray whose elements follow each other, got one with strides [2]; write contiguous()',
      ],
      [() => combine(1, closed, 1, x, x), 'closed'],
      [() => combine(1, 'x' as never, 1, x, x), 'x must be an NDArray of f32, got the string "x"'],
      [() => combine(x, x, 1, x, x), 'a must be a number, got'],
      [() => combine(1, x, 1, x), 'must be given 5 arguments (a, x, b, y, z), got 4'],
      [() => combine(1, x, 1, x, x, { ranges: [0, 1] }), "has no option 'ranges'"],
      [() => combine(1, x, 1, x, x, { range: 3 }), 'range must be [start, stop, step]'],
      [() => points(bytes), 'p must have a multiple of 4 bytes, the size of Inner, got 7'],
      [
        () => points(bytes.at('1:5')),
        'p must begin at a multiple of 2 bytes, the alignment of Inner, got a view from byte 1 on',
      ],
      [() => points(x), 'p must be an NDArray of u8, the bytes of Inner, got f32'],
      [() => difference(x, wide), 'T must be one dtype, got f32 of x and f64 of y'],
      [() => difference(1, 2), 'difference must be given an NDArray'],
      [() => difference(x, y), 'do not broadcast'],
      [() => difference(x, x, { out: y }), 'out must have the shape [4], got [5]'],
      [() => reversed(x, every, 1), 'y is raw: it must be an NDArray whose elements follow each other'],
      [() => reversed(x, x, 1, { out: [x, x] }), 'place must be an NDArray of i64, got f32'],
      [() => reversed(x, x, 2.5), 'k must be an integer, since it is of i32, got 2.5'],
    ];
    for (const [call, message] of refusals) expect(call).toThrow(message);
  });

  test('refuse two results in one array', () => {
    const both = new ElementwiseKernel({ in: 'T x', out: 'T y, T z', op: 'y = x; z = x', name: 'both' });
    using x = sequence(4);
    expect(() => both(x, { out: [x, x] })).toThrow(
      'each result must have an array of its own, got two that share elements',
    );
  });

  test('show the text of a user where it does not compile', () => {
    const wrong = new ElementwiseKernel('float *z', 'z[i] = nowhere + 1', { name: 'wrong' });
    using z = zeros(engine(), [4]);
    expect(() => {
      wrong(z);
    }).toThrow(/nowhere/);
  });
});

test('elementwise kernels refuse texts that are none', () => {
  const make =
    (...args: unknown[]) =>
    (): unknown =>
      new (ElementwiseKernel as never as new (...args: unknown[]) => object)(...args);
  expect(make('float *x')).toThrow('elementwise: the operation must be a text in C, got undefined');
  expect(make(3)).toThrow('ElementwiseKernel must be given parameters or { in, out, op }, got 3');
  expect(make('float *x', 'x[i] = 0', { name: 'kernel' })).toThrow(
    'name must be one of a function in C, other than kernel',
  );
  expect(make('float *x', 'x[i] = 0', { nam: 'a' })).toThrow("ElementwiseKernel has no option 'nam'");
  expect(make('float *x', 'x[i] = 0', { options: '-O3' })).toThrow("options must be a list of the compiler's options");
  expect(make({ in: 'T x', out: '', op: '' })).toThrow('out must have a result');
  expect(make({ in: 'float x', out: 'T y', op: '' })).toThrow(
    "parameter 'x' must be float32, C's float, or float64, NumPy's, got float",
  );
  expect(make({ in: 'T *x', out: 'T y', op: '' })).toThrow("parameters such as 'T x' or 'raw float32 y', got 'T*x'");
  expect(make({ in: 'T x', out: 'T x', op: '' })).toThrow("each parameter must have a name of its own, got 'x' twice");
});
