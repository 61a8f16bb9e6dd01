import { expect, test } from '@jest/globals';
import { array, empty, zeros } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { bincount } from '../../../src/array/function/bincount.ts';
import { histogram, histogramBinEdges } from '../../../src/array/function/histogram.ts';
import { histogram2d, histogramdd } from '../../../src/array/function/histogramdd.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { randomOf } from '../../helpers/math-points.ts';

/** Counts do not depend on whether groups go on: two ways are enough. */
const ways = deviceWays.slice(0, 2);

function numbers(x: NDArray): number[] {
  return Array.from(x.get() as ArrayLike<number | bigint>, Number);
}

/** NumPy's counts between edges, which decide alone. */
function countsBetween(elements: readonly number[], edges: readonly number[], weights?: readonly number[]): number[] {
  const bins = edges.length - 1;
  const counts = new Array<number>(bins).fill(0);
  const [first, last] = [edges[0] as number, edges[bins] as number];
  for (const [i, x] of elements.entries()) {
    if (!(x >= first && x <= last)) continue;
    let bin = bins - 1;
    while (bin > 0 && x < (edges[bin] as number)) bin--;
    counts[bin] = (counts[bin] as number) + (weights?.[i] ?? 1);
  }
  return counts;
}

function countsOf(elements: readonly number[], length: number, weights?: readonly number[]): number[] {
  const counts = new Array<number>(length).fill(0);
  for (const [i, x] of elements.entries()) counts[x] = (counts[x] as number) + (weights?.[i] ?? 1);
  return counts;
}

function integersBelow(limit: number, n: number, seed: number): number[] {
  const random = randomOf(seed);
  return Array.from({ length: n }, () => Math.floor(random() * limit));
}

describeArrays('histograms', (engine) => {
  test.each(ways)('bincount of few and many bins, all equal ones and runs, %s', (_, way) => {
    inWay(engine(), way, () => {
      const n = 20_003;
      const cases = [
        integersBelow(10, n, 1),
        integersBelow(700, n, 2),
        integersBelow(16_000, n, 3),
        integersBelow(130_000, n, 4),
        new Array<number>(n).fill(5),
        new Array<number>(n).fill(9000),
        Array.from({ length: n }, (_, i) => Math.floor(i / 7)),
        integersBelow(3, 1, 5),
      ];
      for (const elements of cases) {
        using x = array(engine(), Int32Array.from(elements));
        using counts = bincount(x);
        const length = Math.max(...elements) + 1;
        expect([counts.dtype, counts.shape]).toEqual(['i64', [length]]);
        expect(numbers(counts)).toEqual(countsOf(elements, length));
      }
    });
  });

  test.each(ways)('bincount counts again where what it did not look at is greater, %s', (_, way) => {
    inWay(engine(), way, () => {
      const elements = integersBelow(6, 40_000, 6);
      elements[12_345] = 4999;
      using x = array(engine(), Int32Array.from(elements));
      using counts = bincount(x);
      expect(numbers(counts)).toEqual(countsOf(elements, 5000));
      using more = bincount(x, { minlength: 6000 });
      expect(numbers(more)).toEqual(countsOf(elements, 6000));
      elements[12_345] = -3;
      using negative = array(engine(), Int32Array.from(elements));
      expect(() => bincount(negative)).toThrow('bincount must be given no negative elements, got -3');
    });
  });

  test.each(ways)('bincount of weights, %s', (_, way) => {
    inWay(engine(), way, () => {
      const elements = integersBelow(300, 9001, 7);
      const weights = integersBelow(64, 9001, 8).map((value) => value / 8 - 2);
      using x = array(engine(), Int32Array.from(elements));
      using by = array(engine(), Float32Array.from(weights));
      using sums = bincount(x, { weights: by, minlength: 400 });
      expect(sums.dtype).toBe(engine().facts.hasDoubles ? 'f64' : 'f32');
      expect(numbers(sums)).toEqual(countsOf(elements, 400, weights));
      using large = array(
        engine(),
        Int32Array.from(elements, (value) => value * 400),
      );
      using scattered = bincount(large, { weights: by });
      const expected = countsOf(elements, Math.max(...elements) + 1, weights);
      expect(numbers(scattered).filter((_, i) => i % 400 === 0)).toEqual(expected);
    });
  });

  test('bincount of every dtype of integers, of views, and of nothing', () => {
    const elements = [3, 1, 1, 0, 1];
    for (const dtype of ['i8', 'u16', 'i64', 'u64'] as const) {
      using x = array(engine(), elements, { dtype });
      using counts = bincount(x);
      expect([dtype, numbers(counts)]).toEqual([dtype, [1, 3, 0, 1]]);
    }
    using flags = array(engine(), [true, false, true]);
    using truths = bincount(flags);
    expect(numbers(truths)).toEqual([1, 2]);
    using grid = array(
      engine(),
      [
        [3, 0],
        [1, 0],
        [2, 0],
      ],
      { dtype: 'i32' },
    );
    using column = grid.at('::-1, 0');
    using weights = array(engine(), [1, 2, 4]);
    using sums = bincount(column, { weights });
    expect(numbers(sums)).toEqual([0, 2, 1, 4]);
    using none = empty(engine(), [0], { dtype: 'i32' });
    using zero = bincount(none);
    using some = bincount(none, { minlength: 3 });
    expect([zero.shape, numbers(some)]).toEqual([[0], [0, 0, 0]]);
  });

  test.each(ways)('histogram of bins of one width by the edges of NumPy, %s', (_, way) => {
    inWay(engine(), way, () => {
      const random = randomOf(9);
      const elements = Array.from({ length: 10_007 }, () => Math.fround(random() * 4 - 2));
      // Edges themselves, their neighbours, and what is outside.
      using uniform = histogramBinEdges(array(engine(), new Float32Array(1)), 100, { range: [-1, 1] });
      const edges = numbers(uniform);
      elements.push(
        ...edges,
        ...edges.map((edge) => Math.fround(edge * (1 + 2 ** -23))),
        NaN,
        Infinity,
        -Infinity,
        1,
        -1,
      );
      using x = array(engine(), Float32Array.from(elements));
      using x2 = x.at('1:');
      for (const part of [x, x2]) {
        const [counts, made] = histogram(part, 100, { range: [-1, 1] });
        expect([counts.dtype, made.dtype, numbers(made)]).toEqual(['i64', 'f32', edges]);
        expect(numbers(counts)).toEqual(countsBetween(part === x ? elements : elements.slice(1), edges));
        counts.close();
        made.close();
      }
    });
  });

  test.each(ways)('histogram of explicit edges, few and more than shared memory holds, %s', (_, way) => {
    inWay(engine(), way, () => {
      const elements = integersBelow(5000, 6000, 10).map((value) => value / 4);
      elements.push(NaN, Infinity, -1);
      using x = array(engine(), Float32Array.from(elements));
      const many = Array.from({ length: 5001 }, (_, i) => i * 0.2).map(Math.fround);
      for (const edges of [[0, 1, 1, 400, 1249.75], many, [3, 3], [100, 900]]) {
        const [counts, made] = histogram(x, edges);
        expect(numbers(counts)).toEqual(countsBetween(elements, edges));
        expect(numbers(made)).toEqual(edges);
        counts.close();
        made.close();
      }
    });
  });

  test.each(ways)('histogram of weights and densities, %s', (_, way) => {
    inWay(engine(), way, () => {
      const elements = integersBelow(40, 3000, 11).map((value) => value / 4);
      const weights = integersBelow(16, 3000, 12).map((value) => value / 4);
      const edges = [0, 2, 4, 6, 8, 10];
      using x = array(engine(), Float32Array.from(elements));
      using by = array(engine(), Float32Array.from(weights));
      const [sums, first] = histogram(x, 5, { range: [0, 10], weights: by });
      expect([sums.dtype, numbers(sums)]).toEqual(['f32', countsBetween(elements, edges, weights)]);
      const [densities, second] = histogram(x, 5, { range: [0, 10], density: true });
      expect(densities.dtype).toBe(engine().facts.hasDoubles ? 'f64' : 'f32');
      const expected = countsBetween(elements, edges).map((count) => count / 2 / 3000);
      for (const [i, density] of numbers(densities).entries()) expect(density).toBeCloseTo(expected[i] as number, 6);
      for (const opened of [sums, first, densities, second]) opened.close();
    });
  });

  test('histogram of complex weights and of integers', () => {
    using x = array(engine(), [0, 1, 1, 3], { dtype: 'i32' });
    using weights = array(engine(), [{ re: 1, im: 2 }, 1, { re: 0, im: 4 }, 8], { dtype: 'c64' });
    const [sums, edges] = histogram(x, 3, { weights });
    expect(edges.dtype).toBe(engine().facts.hasDoubles ? 'f64' : 'f32');
    expect(sums.toArray()).toEqual([
      { re: 1, im: 2 },
      { re: 1, im: 4 },
      { re: 8, im: 0 },
    ]);
    using whole = array(engine(), [2, 3, 4, 5], { dtype: 'i32' });
    const [counts] = histogram(x, 3, { weights: whole });
    expect([counts.dtype, numbers(counts)]).toEqual(['i32', [2, 7, 5]]);
  });

  test('edges are those of NumPy, from elements and from a range', () => {
    // numpy.histogram_bin_edges(numpy.float32([0.1, 0.7, 0.3]), 7)
    using x = array(engine(), [0.1, 0.7, 0.3]);
    using own = histogramBinEdges(x, 7);
    expect(numbers(own)).toEqual([
      0.10000000149011612, 0.18571427464485168, 0.27142855525016785, 0.357142835855484, 0.44285711646080017,
      0.5285714268684387, 0.6142857074737549, 0.699999988079071,
    ]);
    using same = array(engine(), [3, 3], { dtype: 'i32' });
    using around = histogramBinEdges(same, 2);
    expect(numbers(around)).toEqual([2.5, 3, 3.5]);
    using none = empty(engine(), [0]);
    using unit = histogramBinEdges(none, 4);
    expect(numbers(unit)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    using halves = array(engine(), [0, 1, 0.5, 0.25], { dtype: 'f16' });
    const [counts, edges] = histogram(halves, 4);
    expect([edges.dtype, numbers(counts)]).toEqual(['f16', [1, 1, 1, 1]]);
  });

  test('histogram of every dtype of real numbers, of views of any strides', () => {
    for (const dtype of ['bool', 'i8', 'u64', 'bf16', 'f64'] as ArrayDType[]) {
      if (dtype === 'f64' && !engine().facts.hasDoubles) continue;
      using x = array(engine(), [1, 0, 1, 1], { dtype });
      const [counts] = histogram(x, [0, 1, 2]);
      expect([dtype, numbers(counts)]).toEqual([dtype, [1, 3]]);
    }
    using grid = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    using turned = grid.T;
    using part = turned.at('::-2');
    const [counts] = histogram(part, 2, { range: [1, 6] });
    expect(numbers(counts)).toEqual([2, 2]);
    const [single, edges] = histogram(grid, 1);
    expect([numbers(single), numbers(edges)]).toEqual([[6], [1, 6]]);
    const [nothing] = histogram(empty(engine(), [0, 3]), 2);
    expect(numbers(nothing)).toEqual([0, 0]);
  });

  test.each(ways)('histogramdd and histogram2d, %s', (_, way) => {
    inWay(engine(), way, () => {
      const random = randomOf(13);
      const points = Array.from(
        { length: 999 },
        () => [random() * 4, random() * 4].map(Math.fround) as [number, number],
      );
      const edges = [0, 1, 2, 3, 4];
      const expected = edges.slice(1).map((_, i) => {
        const row = points.filter(([x]) => countsBetween([x], edges)[i] === 1).map(([, y]) => y);
        return countsBetween(row, [0, 0.5, 4]);
      });
      using sample = array(engine(), points);
      const bins = [4, [0, 0.5, 4]] as const;
      const range = [[0, 4], undefined] as const;
      const [counts, [first, second]] = histogramdd(sample, bins, { range });
      expect(counts.shape).toEqual([4, 2]);
      expect(counts.toArray()).toEqual(expected);
      expect([numbers(first as NDArray), numbers(second as NDArray)]).toEqual([edges, [0, 0.5, 4]]);
      using x = sample.at(':, 0');
      using y = sample.at(':, 1');
      const [again] = histogram2d(x, y, bins, { range });
      expect(again.toArray()).toEqual(expected);
      using ones = zeros(engine(), [999]).add(2);
      const [weighted] = histogram2d(x, y, [edges, [0, 0.5, 4]], { weights: ones });
      expect(numbers(weighted)).toEqual(expected.flat().map((count) => 2 * count));
      const [densities] = histogram2d(x, y, bins, { range, density: true });
      const integral = numbers(densities).reduce((sum, each, i) => sum + each * (i % 2 === 0 ? 0.5 : 3.5), 0);
      expect(integral).toBeCloseTo(1, 5);
    });
  });

  test('refuse what has no meaning', () => {
    using x = array(engine(), [1, 2, NaN]);
    using integers = array(engine(), [1, 2, 3], { dtype: 'i32' });
    using grid = zeros(engine(), [2, 2], { dtype: 'i32' });
    expect(() => bincount(x)).toThrow('bincount must be given elements of bool, i8');
    expect(() => bincount(grid)).toThrow(
      'bincount must be given an array of rank 1, got shape [2, 2]; write ravel() first',
    );
    expect(() => bincount(integers, { weights: grid })).toThrow(
      'bincount: weights must have the shape [3], got [2, 2]',
    );
    expect(() => bincount(integers, { minlength: -1 })).toThrow('bincount: minlength must be an integer');
    using negative = array(engine(), [1, -2], { dtype: 'i8' });
    expect(() => bincount(negative)).toThrow('got -2; subtract the least one first');
    using great = array(engine(), new BigInt64Array([1n << 40n]));
    expect(() => bincount(great)).toThrow('bincount must be given elements up to 2147483645, got 1099511627776');
    expect(() => histogram(x)).toThrow('write { range: [first, last] }');
    expect(() => histogram(integers, 0)).toThrow('histogram: bins must be an integer from 1');
    expect(() => histogram(integers, [1, 3, 2])).toThrow('histogram: the edges of bins must ascend, got [1, 3, 2]');
    expect(() => histogram(integers, [1])).toThrow('two edges of bins or more, got 1');
    expect(() => histogram(integers, 'auto' as never)).toThrow(
      'histogram: bins must be a number of bins, or their edges',
    );
    expect(() => histogram(integers, 4, { range: [3, 1] })).toThrow('range must not end before it begins, got [3, 1]');
    expect(() => histogram(integers, 4, { range: [0, Infinity] })).toThrow('two finite numbers, got [0, Infinity]');
    expect(() => histogram(x, 64, { range: [1, 1 + 2 ** -20] })).toThrow('write fewer bins');
    expect(() => histogram(integers, 4, { weight: x } as never)).toThrow("histogram has no option 'weight'");
    expect(() => histogramdd(grid, [2])).toThrow('bins must be given for each of 2 axes, got 1');
    expect(() => histogramdd(integers)).toThrow('a row for each point, got shape [3]; write reshape([-1, 1])');
    expect(() => histogram2d(integers, negative)).toThrow('arrays of one length along one axis, got shapes [3], [2]');
  });
});
