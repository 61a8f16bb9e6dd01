import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { arange } from '../../../src/array/creation/arange.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { viewOf, type NDArray } from '../../../src/array/ndarray.ts';
import { BitonicSort } from '../../../src/array/sort/bitonic-sort.ts';
import { permute } from '../../../src/array/view.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { randomOf } from '../../helpers/math-points.ts';

function numbers(x: NDArray): number[] {
  return Array.from(x.get() as ArrayLike<number | bigint>, Number);
}

function shuffled(n: number, seed: number): number[] {
  const random = randomOf(seed);
  return Array.from({ length: n }, () => Math.floor(random() * 1000) - 500);
}

/** The lines of elements in row-major order along an axis, sorted. */
function sortedAlong(elements: readonly number[], shape: readonly number[], axis: number): number[] {
  const result = [...elements];
  const step = shape.slice(axis + 1).reduce((size, length) => size * length, 1);
  const n = shape[axis] as number;
  for (let first = 0; first < result.length; first++) {
    if (Math.floor(first / step) % n !== 0) continue;
    const places = Array.from({ length: n }, (_, i) => first + i * step);
    const line = places.map((place) => elements[place] as number).sort((a, b) => a - b);
    for (const [i, place] of places.entries()) result[place] = line[i] as number;
  }
  return result;
}

describeArrays('BitonicSort', (engine) => {
  const sort = new BitonicSort();

  // PyOpenCL's test_bitonic_sort
  test('test_bitonic_sort: along every axis', () => {
    const shape = [8, 4, 16];
    for (let axis = 0; axis < 3; axis++) {
      const elements = shuffled(512, axis);
      using x = array(engine(), elements, { shape, dtype: 'i32' });
      expect(sort(x, { axis })).toBe(x);
      expect(numbers(x)).toEqual(sortedAlong(elements, shape, axis));
    }
    const elements = shuffled(512, 7);
    using x = array(engine(), elements, { shape, dtype: 'i32' });
    using turned = viewOf(x, permute(x, [2, 0, 1]));
    sort(turned, { axis: 0 });
    expect(numbers(x)).toEqual(sortedAlong(elements, shape, 2));
  });

  test('sort lines of any power of two, longer than a tile, too', () => {
    for (const [rows, n] of [
      [3, 1],
      [5, 2],
      [700, 4],
      [3, 512],
      [2, 1024],
      [3, 2048],
      [1, 8192],
    ] as const) {
      const elements = shuffled(rows * n, n);
      using x = array(engine(), elements, { shape: [rows, n], dtype: 'i32' });
      sort(x, { axis: -1 });
      expect([n, numbers(x)]).toEqual([n, sortedAlong(elements, [rows, n], 1)]);
    }
  });

  // PyOpenCL's test_bitonic_argsort
  test('test_bitonic_argsort: an array of indices goes along', () => {
    const elements = Array.from({ length: 4096 }, (_, i) => ((i * 1597) % 4096) / 8);
    using x = array(engine(), Float32Array.from(elements));
    using idx = arange(engine(), 4096, { dtype: 'i32' });
    sort(x, { idx });
    const order = numbers(idx);
    expect(numbers(x)).toEqual([...elements].sort((a, b) => a - b));
    expect(order.map((i) => elements[i])).toEqual(numbers(x));
    using grid = array(engine(), [
      [3, 9],
      [1, 2],
    ]);
    using places = array(engine(), [
      [0, 0],
      [1, 1],
    ]);
    using both = places.astype('u8');
    sort(grid, { idx: both, axis: 0 });
    expect([grid.toArray(), both.toArray()]).toEqual([
      [
        [1, 2],
        [3, 9],
      ],
      [
        [1, 1],
        [0, 0],
      ],
    ]);
  });

  test('sort every dtype of real numbers, NaN last', () => {
    for (const dtype of ['bool', 'i16', 'u64', 'f16'] as ArrayDType[]) {
      using x = array(engine(), [1, 0, 1, 0], { dtype });
      sort(x);
      expect([dtype, (x.toArray() as unknown[]).map(Number)]).toEqual([dtype, [0, 0, 1, 1]]);
    }
    using x = array(engine(), [NaN, 2, -Infinity, NaN, Infinity, -0.5, 0, 1]);
    sort(x);
    expect(numbers(x)).toEqual([-Infinity, -0.5, 0, 1, 2, Infinity, NaN, NaN]);
  });

  test('refuse what has no meaning', () => {
    using x = array(engine(), [[1, 2, 3]]);
    expect(() => sort(x, { axis: 1 })).toThrow(
      'a power of two of elements along axis 1, got 3 of shape [1, 3]; write sort()',
    );
    expect(() => sort(x, { axis: 2 })).toThrow('BitonicSort: axis must be in -2 to 1');
    using pair = array(engine(), [1, 2]);
    expect(() => sort(pair, { idx: x })).toThrow('BitonicSort: idx must have the shape [2], got [1, 3]');
    expect(() => sort(pair, { idx: pair })).toThrow('idx must have elements of its own');
    using complex = array(engine(), [1, 2], { dtype: 'c64' });
    expect(() => sort(complex)).toThrow('BitonicSort must be given elements of bool, i8');
  });
});
