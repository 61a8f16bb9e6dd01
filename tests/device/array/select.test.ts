import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import { argpartition, partition, topk } from '../../../src/array/function/partition.ts';
import { median, percentile, quantile } from '../../../src/array/function/quantile.ts';
import type { QuantileMethod } from '../../../src/array/method-options.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { randomOf } from '../../helpers/math-points.ts';

function numbers(x: NDArray): number[] {
  return Array.from(x.get() as ArrayLike<number | bigint>, Number);
}

/** The places of elements in order, NaN last; of equal ones the first is first. */
function orderOf(elements: readonly number[], descending: boolean): number[] {
  const rank = (x: number): number => (Number.isNaN(x) ? Infinity : descending ? -x : x);
  return elements
    .map((_, i) => i)
    .sort((i, j) => {
      const [a, b] = [elements[i] as number, elements[j] as number];
      if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
      return (rank(a) === rank(b) ? 0 : rank(a) - rank(b)) || i - j;
    });
}

/** What NumPy gives by each rule for quantiles of 0, 0.1, 0.35, 0.5, 0.75 and 1 of the powers of 2 up to 64, and up to 32. */
const RESULTS: Readonly<Record<QuantileMethod, readonly [readonly number[], readonly number[]]>> = {
  linear: [
    [1, 1.6, 4.4, 8, 24, 64],
    [1, 1.5, 3.5, 6, 14, 32],
  ],
  lower: [
    [1, 1, 4, 8, 16, 64],
    [1, 1, 2, 4, 8, 32],
  ],
  higher: [
    [1, 2, 8, 8, 32, 64],
    [1, 2, 4, 8, 16, 32],
  ],
  midpoint: [
    [1, 1.5, 6, 8, 24, 64],
    [1, 1.5, 3, 6, 12, 32],
  ],
  nearest: [
    [1, 2, 4, 8, 16, 64],
    [1, 1, 4, 4, 16, 32],
  ],
  inverted_cdf: [
    [1, 1, 4, 8, 32, 64],
    [1, 1, 4, 4, 16, 32],
  ],
  averaged_inverted_cdf: [
    [1, 1, 4, 8, 32, 64],
    [1, 1, 4, 6, 16, 32],
  ],
  closest_observation: [
    [1, 1, 2, 8, 16, 64],
    [1, 1, 2, 4, 8, 32],
  ],
  interpolated_inverted_cdf: [
    [1, 1, 2.9, 6, 20, 64],
    [1, 1, 2.2, 4, 12, 32],
  ],
  hazen: [
    [1, 1.2, 3.9, 8, 28, 64],
    [1, 1.1, 3.2, 6, 16, 32],
  ],
  weibull: [
    [1, 1, 3.6, 8, 32, 64],
    [1, 1, 2.9, 6, 20, 32],
  ],
  median_unbiased: [
    [1, 1.06667, 3.8, 8, 29.33333, 64],
    [1, 1, 3.1, 6, 17.33333, 32],
  ],
  normal_unbiased: [
    [1, 1.1, 3.825, 8, 29, 64],
    [1, 1, 3.125, 6, 17, 32],
  ],
};

describeArrays('selections', (engine) => {
  const floats = (n: number, seed: number, of: (x: number) => number): NDArray => {
    const random = randomOf(seed);
    return array(
      engine(),
      Float32Array.from({ length: n }, () => of(random())),
    );
  };

  test.each(deviceWays)('choose the greatest and the least of long lines and of short ones, %s', (_, way) => {
    inWay(engine(), way, () => {
      using many = floats(50_000, 1, (x) => Math.floor(x * 1e5) - 5e4);
      using few = floats(40_000, 2, (x) => [NaN, 3, -0, 0, -7, Infinity][Math.floor(x * 6)] as number);
      using short = floats(300, 3, (x) => Math.floor(x * 50));
      for (const x of [many, few, short]) {
        const elements = numbers(x);
        for (const largest of [true, false]) {
          const order = orderOf(elements, largest);
          for (const k of [1, 10, 300]) {
            const { values, indices } = topk(x, k, { largest });
            expect([x.size, k, largest, numbers(indices)]).toEqual([x.size, k, largest, order.slice(0, k)]);
            expect(numbers(values)).toEqual(order.slice(0, k).map((place) => elements[place]));
            values.close();
            indices.close();
          }
        }
      }
      const { values, indices } = many.topk(100, { sorted: false });
      expect(numbers(indices).sort((a, b) => a - b)).toEqual(
        orderOf(numbers(many), true)
          .slice(0, 100)
          .sort((a, b) => a - b),
      );
      values.close();
      indices.close();
    });
  });

  test.each(deviceWays)('divide lines at the place of an element, %s', (_, way) => {
    inWay(engine(), way, () => {
      using long = floats(40_000, 4, (x) => Math.floor(x * 100));
      using short = floats(101, 5, (x) => x);
      for (const x of [long, short]) {
        const elements = numbers(x);
        const sorted = orderOf(elements, false).map((place) => elements[place] as number);
        for (const kth of [0, 77, -1]) {
          const rank = kth < 0 ? kth + x.size : kth;
          using divided = partition(x, kth);
          using places = argpartition(x, kth);
          const got = numbers(divided);
          const pivot = sorted[rank] as number;
          expect([kth, got[rank]]).toEqual([kth, pivot]);
          expect(got.slice(0, rank).every((each) => each <= pivot)).toBe(true);
          expect(got.slice(rank).every((each) => each >= pivot)).toBe(true);
          expect(numbers(places).map((place) => elements[place])).toEqual(got);
          expect([...got].sort((a, b) => a - b)).toEqual(sorted);
        }
      }
    });
  });

  test('choose along an axis, and of complex numbers', () => {
    using x = array(engine(), [
      [3, 9, 2],
      [8, 1, 7],
      [5, 4, 6],
    ]);
    const { values, indices } = x.topk(2, { axis: 0 });
    expect(values.toArray()).toEqual([
      [8, 9, 7],
      [5, 4, 6],
    ]);
    expect(indices.toArray()).toEqual([
      [1n, 0n, 1n],
      [2n, 2n, 2n],
    ]);
    using divided = x.partition([0, 2], { axis: 1 });
    expect(divided.toArray()).toEqual([
      [2, 3, 9],
      [1, 7, 8],
      [4, 5, 6],
    ]);
    using places = x.argpartition(1, { axis: -1 });
    expect(places.toArray()).toEqual([
      [2n, 0n, 1n],
      [1n, 2n, 0n],
      [1n, 0n, 2n],
    ]);
    using complex = array(engine(), [{ re: 1, im: 2 }, { re: 1, im: 3 }, 0]);
    const least = complex.topk(1, { largest: false });
    expect(numbers(least.values)).toEqual([0, 0]);
    const none = x.topk(0);
    expect([none.values.shape, none.indices.shape]).toEqual([
      [3, 0],
      [3, 0],
    ]);
  });

  test('take quantiles by every rule', () => {
    using x = array(engine(), [64, 2, 1, 32, 8, 4, 16]);
    const q = [0, 0.1, 0.35, 0.5, 0.75, 1];
    using six = array(engine(), [32, 1, 2, 16, 8, 4]);
    for (const [method, [seven, ofSix]] of Object.entries(RESULTS)) {
      using first = quantile(x, q, { method: method as QuantileMethod });
      using second = quantile(six, q, { method: method as QuantileMethod });
      for (const [i, each] of seven.entries())
        expect([method, first.item(i)]).toEqual([method, expect.closeTo(each, 4)]);
      for (const [i, each] of ofSix.entries())
        expect([method, second.item(i)]).toEqual([method, expect.closeTo(each, 4)]);
    }
  });

  test('take quantiles along axes, in floats, with NaN where a line has one', () => {
    using x = array(engine(), [
      [3, 1, 2],
      [5, NaN, 4],
    ]);
    using middle = x.median({ axis: 1 });
    expect(middle.toArray()).toEqual([2, NaN]);
    using kept = x.median({ axis: 0, keepdims: true });
    expect(kept.toArray()).toEqual([[4, NaN, 3]]);
    using all = median(x);
    expect(all.toArray()).toBe(NaN);
    using parts = percentile(x, [0, 50], { axis: 1, keepdims: true });
    expect(parts.toArray()).toEqual([
      [[1], [NaN]],
      [[2], [NaN]],
    ]);
    using integers = array(
      engine(),
      [
        [1, 2],
        [4, 8],
      ],
      { dtype: 'i16' },
    );
    using ofIntegers = integers.quantile(0.5);
    expect([ofIntegers.dtype, ofIntegers.item()]).toEqual(['f32', 3]);
    using infinite = array(engine(), [Infinity, Infinity, -Infinity]);
    using ends = infinite.quantile([0.75, 1]);
    expect(ends.toArray()).toEqual([Infinity, Infinity]);
    using out = empty(engine(), [2], { dtype: 'f64' });
    expect(x.percentile(0, { axis: 1, out })).toBe(out);
    expect(numbers(out)).toEqual([1, NaN]);
  });

  test('refuse what has no meaning', () => {
    using x = array(engine(), [[1, 2]]);
    using none = empty(engine(), [2, 0]);
    using complex = array(engine(), [{ re: 1, im: 2 }]);
    expect(() => x.topk(3)).toThrow('topk: k must be at most the 2 elements of axis 1 of shape [1, 2], got 3');
    expect(() => x.topk(-1)).toThrow('topk: k must be');
    expect(() => x.topk(1, { largest: 0 as never })).toThrow('topk: largest must be true or false, got 0');
    expect(() => x.partition(2)).toThrow(
      'partition: kth must be integers in -2 to 1 for axis 1 of shape [1, 2], got 2',
    );
    expect(() => x.argpartition([0.5])).toThrow('argpartition: kth must be integers');
    expect(() => x.quantile(1.5)).toThrow('quantile: q must be in 0 to 1, got 1.5');
    expect(() => x.percentile([50, 101])).toThrow('percentile: q must be in 0 to 100, got [50, 101]');
    expect(() => x.quantile(0.5, { method: 'cubic' as never })).toThrow(
      'quantile: method must be one of linear, lower',
    );
    expect(() => x.median({ method: 'lower' } as never)).toThrow('method');
    expect(() => none.median({ axis: 1 })).toThrow('median must have an element along the axes, got shape [2, 0]');
    expect(() => complex.median()).toThrow('median must be given real elements, got c64; write real() or abs() first');
  });
});
