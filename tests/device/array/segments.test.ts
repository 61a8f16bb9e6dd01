import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import {
  segmentedArgsort,
  segmentedReduce,
  segmentedScan,
  segmentedSort,
} from '../../../src/array/generated/segments.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { randomOf } from '../../helpers/math-points.ts';

const numbers = (x: unknown): number[] => Array.from((x as NDArray).get() as ArrayLike<number>, Number);

/** Whole numbers, of which some are equal. */
function whole(n: number, seed: number): Int32Array {
  const random = randomOf(seed);
  return Int32Array.from({ length: n }, () => Math.floor(random() * 50) - 25);
}

/** Where segments of random lengths begin, some of them without elements, from `first` to `end`. */
function startsOf(first: number, end: number, seed: number): Int32Array {
  const random = randomOf(seed);
  const starts = [first];
  for (let at = first; at < end; starts.push(at)) {
    at = random() < 0.2 ? at : Math.min(end, at + Math.floor(random() ** 6 * 3000) + 1);
  }
  return Int32Array.from(starts);
}

function partsOf(data: Int32Array, starts: ArrayLike<number>): Int32Array[] {
  return Array.from({ length: starts.length - 1 }, (_, k) => data.slice(starts[k], starts[k + 1]));
}

describeArrays('segments', (engine) => {
  test.each(deviceWays)('are reduced and scanned, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const n of [1, 33, 257, 20_001]) {
        const data = whole(n, n);
        const offsets = startsOf(0, n, n + 1);
        const parts = partsOf(data, offsets);
        using x = array(engine(), data);
        using starts = array(engine(), offsets);
        const sums = parts.map((part) => part.reduce((sum, value) => sum + value, 0));
        expect(numbers(segmentedReduce(x, starts))).toEqual(sums);
        const greatest = parts.map((part) => Math.max(-100, ...part));
        using wide = starts.astype('i64');
        expect(numbers(segmentedReduce(x, wide, 'a > b ? a : b', { neutral: -100 }))).toEqual(greatest);
        const upTo = parts.flatMap((part) =>
          Array.from(
            part,
            (
              (sum) => (value: number) =>
                (sum += value)
            )(0),
          ),
        );
        expect(numbers(segmentedScan(x, starts))).toEqual(upTo);
        using before = empty(engine(), n, { dtype: 'i32' });
        segmentedScan(x, starts, 'a + b', { exclusive: true, out: before });
        expect(numbers(before)).toEqual(upTo.map((sum, i) => sum - (data[i] as number)));
      }
    });
  });

  test('are sorted', () => {
    for (const n of [1, 257, 20_001]) {
      const data = whole(n, n);
      const offsets = startsOf(0, n, n + 1);
      const parts = partsOf(data, offsets);
      using x = array(engine(), data);
      using starts = array(engine(), offsets);
      const sorted = parts.flatMap((part) => Array.from(part.toSorted()));
      expect(numbers(segmentedSort(x, starts))).toEqual(sorted);
      const places = parts.flatMap((part, k) => {
        const first = offsets[k] as number;
        const own = Array.from(part, (value, i) => [value, first + i] as const);
        return own.sort(([a], [b]) => b - a).map(([, place]) => place);
      });
      expect(numbers(segmentedArgsort(x, starts, { descending: true }))).toEqual(places);
    }
  });

  test('need not cover all elements, and what is out of range is cut off', () => {
    using x = array(engine(), [1, 2, 3, 4, 5, 6]);
    const reduced = (starts: Int32Array): number[] => {
      using offsets = array(engine(), starts);
      return numbers(segmentedReduce(x, offsets));
    };
    expect(reduced(Int32Array.of(1, 3, 5))).toEqual([5, 9]);
    expect(reduced(Int32Array.of(-7, 2, 100, 200))).toEqual([3, 18, 0]);
    expect(reduced(Int32Array.of(4))).toEqual([]);
    using inner = array(engine(), Int32Array.of(1, 3, 5));
    expect(numbers(segmentedScan(x, inner, 'a * b'))).toEqual([1, 2, 6, 4, 20, 6]);
    using reversed = array(engine(), [6, 5, 4, 3, 2, 1]);
    expect(numbers(segmentedSort(reversed, inner))).toEqual([6, 4, 5, 2, 3, 1]);
  });

  test('of an empty array, of NaN, of complex numbers', () => {
    using none = empty(engine(), 0);
    using starts = array(engine(), Int32Array.of(0, 0, 0));
    expect(numbers(segmentedReduce(none, starts))).toEqual([0, 0]);
    expect(segmentedScan(none, starts).size).toBe(0);
    expect(segmentedSort(none, starts).size).toBe(0);
    using f = array(engine(), [NaN, 1, -0, 0]);
    using two = array(engine(), Int32Array.of(0, 2, 4));
    expect(segmentedSort(f, two).toArray()).toEqual([1, NaN, -0, 0]);
    using z = array(engine(), new Float32Array([1, 2, 3, 4, 5, 6]), { dtype: 'c64' });
    using parts = array(engine(), Int32Array.of(0, 2, 2, 3));
    expect(numbers(segmentedReduce(z, parts, 'cfloat_add(a, b)', { neutral: 0 }))).toEqual([4, 6, 0, 0, 5, 6]);
  });

  test('are refused where they have no meaning', () => {
    using x = array(engine(), [1, 2, 3]);
    using starts = array(engine(), Int32Array.of(0, 3));
    expect(() => segmentedReduce(x, x)).toThrow("starts must be integers, got f32; write astype('i64')");
    expect(() => segmentedReduce(x, empty(engine(), 0, { dtype: 'i32' }))).toThrow(
      'starts must have one axis and the end of the last segment behind them, got shape [0]',
    );
    expect(() => segmentedReduce(x.reshape([1, 3]), starts)).toThrow('got shape [1, 3]; write ravel()');
    expect(() => segmentedReduce(x, starts, 'a * b')).toThrow('a neutral element must be given');
    expect(() => segmentedScan(x, starts, 'a * b', { exclusive: true })).toThrow('must be given a neutral element');
    expect(() => segmentedSort(x, starts, { axis: 0 } as never)).toThrow('axis');
    expect(() => segmentedReduce(x, [0, 3] as never)).toThrow('starts must be an NDArray');
  });
});
