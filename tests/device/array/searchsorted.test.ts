import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { diff } from '../../../src/array/function/diff.ts';
import { digitize, searchsorted } from '../../../src/array/function/searchsorted.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { randomOf } from '../../helpers/math-points.ts';

const ways = deviceWays.slice(0, 2);

function numbers(x: NDArray): number[] {
  return Array.from(x.get() as ArrayLike<number | bigint>, Number);
}

/** Numbers in order, NaN last. */
const order = (a: number, b: number): number => {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a === b ? 0 : a - b;
};

function placesOf(sorted: readonly number[], values: readonly number[], side: 'left' | 'right'): number[] {
  return values.map((value) => {
    return sorted.filter((each) => (side === 'left' ? order(each, value) < 0 : order(each, value) <= 0)).length;
  });
}

describeArrays('searching', (engine) => {
  test.each(ways)('searchsorted finds places on both sides, with NaN last, %s', (_, way) => {
    inWay(engine(), way, () => {
      const random = randomOf(1);
      for (const length of [0, 1, 2, 31, 1023, 1024, 1025, 2500]) {
        const elements = Array.from({ length }, () => Math.floor(random() * 500) / 2);
        if (length > 30) elements.push(NaN, NaN, Infinity, -Infinity);
        elements.sort(order);
        const values = Array.from({ length: 300 }, () => Math.floor(random() * 520 - 10) / 2);
        values.push(NaN, Infinity, -Infinity, -0);
        using sorted = array(engine(), Float32Array.from(elements));
        using v = array(engine(), Float32Array.from(values));
        for (const side of ['left', 'right'] as const) {
          using places = searchsorted(sorted, v, { side });
          expect([length, places.dtype, numbers(places)]).toEqual([length, 'i64', placesOf(elements, values, side)]);
        }
      }
    });
  });

  test.each(ways)('searchsorted in views, by a sorter, of values of any shape and another dtype, %s', (_, way) => {
    inWay(engine(), way, () => {
      using elements = array(engine(), [30, 10, 20, 40], { dtype: 'i32' });
      using sorter = array(engine(), [1, 2, 0, 3], { dtype: 'u8' });
      using values = array(engine(), [
        [5, 10, 15],
        [30, 45, 20],
      ]);
      using turned = values.T;
      using places = searchsorted(elements, turned, { sorter });
      expect(places.toArray()).toEqual([
        [0n, 2n],
        [0n, 4n],
        [1n, 1n],
      ]);
      using descending = array(engine(), [9, 0, 7, 0, 3, 0, 1]);
      using ascending = descending.at('::-2');
      using between = searchsorted(ascending, values);
      expect(numbers(between)).toEqual([2, 4, 4, 4, 4, 4]);
      using six = array(engine(), [1, 3, 3, 8], { dtype: 'i32' });
      using out = empty(engine(), [3, 2], { dtype: 'i64' });
      using into = out.at(':, 1');
      using looked = array(engine(), [3, 4, 0], { dtype: 'i32' });
      expect(searchsorted(six, looked, { side: 'right', out: into })).toBe(into);
      expect(numbers(into)).toEqual([3, 3, 0]);
      using one = searchsorted(six, 2.5);
      expect([one.shape, one.item()]).toEqual([[], 1n]);
    });
  });

  test('searchsorted of every dtype of real numbers', () => {
    for (const dtype of ['bool', 'i8', 'u64', 'f16', 'f64'] as ArrayDType[]) {
      if (dtype === 'f64' && !engine().facts.hasDoubles) continue;
      using sorted = array(engine(), [0, 0, 1, 1, 1], { dtype });
      using v = array(engine(), [1, 0], { dtype });
      using left = searchsorted(sorted, v);
      using right = searchsorted(sorted, v, { side: 'right' });
      expect([dtype, numbers(left), numbers(right)]).toEqual([dtype, [2, 0], [5, 2]]);
    }
  });

  test.each(ways)('digitize by edges that ascend and descend, %s', (_, way) => {
    inWay(engine(), way, () => {
      using x = array(engine(), [0.2, 6.4, 3, 1, 10, -1, NaN]);
      // numpy.digitize
      const rows: [number[], boolean, number[]][] = [
        [[0, 1, 2.5, 4, 10], false, [1, 4, 3, 2, 5, 0, 5]],
        [[0, 1, 2.5, 4, 10], true, [1, 4, 3, 1, 4, 0, 5]],
        [[10, 4, 2.5, 1, 0], false, [4, 1, 2, 3, 0, 5, 0]],
        [[10, 4, 2.5, 1, 0], true, [4, 1, 2, 4, 1, 5, 0]],
        [[2, 2, 2], false, [0, 3, 3, 0, 3, 0, 3]],
        [[], false, [0, 0, 0, 0, 0, 0, 0]],
      ];
      for (const [bins, right, expected] of rows) {
        using found = digitize(x, bins, { right });
        expect([bins, right, numbers(found)]).toEqual([bins, right, expected]);
      }
      using edges = array(engine(), [1, 3], { dtype: 'i32' });
      using whole = array(
        engine(),
        [
          [0, 1],
          [2, 3],
        ],
        { dtype: 'i32' },
      );
      using bins = digitize(whole, edges);
      expect(bins.toArray()).toEqual([
        [0n, 1n],
        [1n, 2n],
      ]);
    });
  });

  test('diff() with elements before and behind', () => {
    using x = array(engine(), [
      [1, 3, 6],
      [0, 5, 6],
    ]);
    using before = diff(x, { prepend: 0 });
    expect(before.toArray()).toEqual([
      [1, 2, 3],
      [0, 5, 1],
    ]);
    using more = array(engine(), [[10, 10, 10]]);
    using both = diff(x, { axis: 0, prepend: more, append: 7, n: 2 });
    expect(both.toArray()).toEqual([
      [8, 9, 4],
      [8, 0, 1],
    ]);
    using scalar = array(engine(), 1);
    using behind = diff(x, { append: scalar });
    expect(behind.shape).toEqual([2, 3]);
    using unsigned = array(engine(), [3, 1], { dtype: 'u8' });
    using wrapped = diff(unsigned);
    expect(numbers(wrapped)).toEqual([254]);
    using wide = diff(unsigned, { prepend: 0.5 });
    expect([wide.dtype, numbers(wide)]).toEqual(['f32', [2.5, -2]]);
    using same = diff(x, { n: 0, prepend: 0 });
    expect(same.shape).toEqual([2, 3]);
    expect(() => diff(x, { append: 'a' as never })).toThrow(
      'diff: append must be an NDArray or a number, got the string',
    );
    expect(() => diff(x, { append: unsigned })).toThrow('concat: the arrays must have the same shape');
  });

  test('refuse what has no meaning', () => {
    using x = array(engine(), [1, 2, 3]);
    using grid = array(engine(), [[1, 2, 3]]);
    using complex = array(engine(), [1], { dtype: 'c64' });
    expect(() => searchsorted(grid, x)).toThrow('sorted elements of rank 1, got shape [1, 3]');
    expect(() => searchsorted(complex, x)).toThrow('searchsorted must be given elements of bool, i8');
    expect(() => searchsorted(x, x, { side: 'middle' as never })).toThrow(
      "side must be 'left' or 'right', got the string",
    );
    expect(() => searchsorted(x, x, { sorter: x })).toThrow(
      'searchsorted: sorter must be an array of integers, got f32',
    );
    using short = array(engine(), [0], { dtype: 'i32' });
    expect(() => searchsorted(x, x, { sorter: short })).toThrow(
      'sorter must have the shape [3] of the elements, got [1]',
    );
    expect(() => digitize(x, [1, 3, 2])).toThrow('digitize: bins must ascend or descend, got [1, 3, 2]');
    expect(() => digitize(x, 4 as never)).toThrow('digitize: bins must be');
  });
});
