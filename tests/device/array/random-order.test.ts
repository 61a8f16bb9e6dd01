import { expect, test } from '@jest/globals';
import { arange } from '../../../src/array/creation/arange.ts';
import { array } from '../../../src/array/create.ts';
import { RandomGenerator } from '../../../src/array/random/generator.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { numbers } from '../../helpers/array-elements.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { countsOf, deviation } from '../../helpers/distribution.ts';

const ways = deviceWays.slice(0, 2);
const ODD = 4;
/** A permutation of the seed 1. */
const ORDER = [12, 4, 6, 14, 11, 2, 9, 15, 3, 5, 0, 10, 18, 7, 8, 17, 1, 19, 13, 16];

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const sorted = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b);
const even = (n: number): number[] => new Array<number>(n).fill(1 / n);

describeArrays('random order', (engine) => {
  const generator = (seed = 1): RandomGenerator => new RandomGenerator(engine, seed);

  test.each(ways)('has every integer once, %s', (_, way) => {
    inWay(engine(), way, () => {
      const rng = generator();
      for (const n of [1, 2, 3, 15, 16, 17, 1000, 1024, 4097, 70_000]) {
        using x = rng.permutation(n);
        expect(x.dtype).toBe('i64');
        expect(sorted(numbers(x))).toEqual(upTo(n));
      }
      using none = rng.permutation(0);
      expect(none.size).toBe(0);
      using again = generator().permutation(20);
      expect(numbers(again)).toEqual(ORDER);
    });
  });

  test('has all orders of a few, and every place for each of many', () => {
    const rng = generator();
    const orders = new Map<string, number>();
    for (let i = 0; i < 2400; i++) {
      using x = rng.permutation(4, { dtype: 'i32' });
      const order = numbers(x).join('');
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect(orders.size).toBe(24);
    expect(deviation([...orders.values()], even(24))).toBeLessThan(ODD);
    // Where the first, the last and the middle one go, and the distance of neighbours.
    const [n, times] = [32, 2000];
    const places = [0, 15, 31].map(() => new Array<number>(n).fill(0));
    const steps = new Array<number>(n - 1).fill(0);
    let odd = 0;
    for (let i = 0; i < times; i++) {
      using x = rng.permutation(n, { dtype: 'i32' });
      const order = numbers(x);
      [0, 15, 31].forEach((from, k) => {
        const counts = places[k] as number[];
        const at = order[from] as number;
        counts[at] = (counts[at] as number) + 1;
      });
      const step = (((order[1] as number) - (order[0] as number) + n) % n) - 1;
      steps[step] = (steps[step] as number) + 1;
      odd += order.reduce((sum, value, k) => sum + order.slice(k + 1).filter((other) => other < value).length, 0) % 2;
    }
    for (const counts of places) expect(deviation(counts, even(n))).toBeLessThan(ODD);
    expect(deviation(steps, even(n - 1))).toBeLessThan(ODD);
    expect(Math.abs(odd - times / 2)).toBeLessThan(2 * Math.sqrt(times));
  });

  test('comes to an axis of an array in place, and of a copy', () => {
    using flat = arange(engine(), 5 * 7 * 3, { dtype: 'f32' });
    using x = flat.reshape([5, 7, 3]);
    const before = numbers(x);
    using copy = generator().permutation(x, { axis: 1 });
    expect(numbers(x)).toEqual(before);
    expect(generator().shuffle(x, { axis: 1 })).toBe(x);
    expect(numbers(x)).toEqual(numbers(copy));
    using order = generator().permutation(7);
    const expected = numbers(order);
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < 7; j++) expect(x.item(i, j, 2)).toBe(i * 21 + (expected[j] as number) * 3 + 2);
    }
    using view = x.at('::2, :, 1');
    const rows = view.toArray() as number[][];
    generator(2).shuffle(view);
    expect(sorted((view.toArray() as number[][]).map(([first]) => first as number))).toEqual(
      sorted(rows.map(([first]) => first as number)),
    );
    expect(x.item(1, 0, 1)).toBe(21 + (expected[0] as number) * 3 + 1);
  });

  test('chooses with and without replacement', () => {
    const rng = generator();
    using many = rng.choice(10, { shape: [100, 100] });
    expect([many.dtype, many.shape]).toEqual(['i64', [100, 100]]);
    expect(deviation(countsOf(numbers(many), 10), even(10))).toBeLessThan(ODD);
    using few = rng.choice(1000, { shape: 300, replace: false });
    expect(new Set(numbers(few)).size).toBe(300);
    using x = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    using columns = rng.choice(x, { shape: 5, axis: 1 });
    expect(columns.shape).toEqual([2, 5]);
    const [above, below] = columns.toArray() as [number[], number[]];
    expect(below).toEqual(above.map((value) => value + 3));
    using row = rng.choice(x);
    expect(row.shape).toEqual([3]);
  });

  test('chooses by probabilities', () => {
    const rng = generator();
    const p = [0.1, 0, 0.25, 0.6, 0.05, 0];
    using many = rng.choice(6, { shape: 20_000, p });
    const counts = countsOf(numbers(many), 6);
    expect([counts[1], counts[5]]).toEqual([0, 0]);
    expect(
      deviation(
        counts.filter((_, i) => (p[i] as number) > 0),
        p.filter((each) => each > 0),
      ),
    ).toBeLessThan(ODD);
    using weights = array(engine(), p);
    using names = array(engine(), [10, 11, 12, 13, 14, 15]);
    using some = rng.choice(names, { shape: [2, 2], replace: false, p: weights });
    expect(sorted(numbers(some))).toEqual([10, 12, 13, 14]);
    // The first of two without replacement has the probabilities themselves.
    const firsts = Array.from({ length: 2000 }, () => {
      using two = rng.choice(3, { shape: 2, replace: false, p: [0.5, 0.2, 0.3] });
      return numbers(two)[0] as number;
    });
    expect(deviation(countsOf(firsts, 3), [0.5, 0.2, 0.3])).toBeLessThan(ODD);
    using one = rng.choice(1, { shape: 3, p: [1] });
    expect(numbers(one)).toEqual([0, 0, 0]);
  });

  test('refuses what cannot be chosen', () => {
    const rng = generator();
    const before = rng.state;
    using x = array(engine(), [1, 2]);
    const choose = (from: never, options?: object) => (): void => {
      rng.choice(from, options).close();
    };
    expect(choose(0 as never)).toThrow('choice must be given an NDArray or an integer > 0 to choose from, got 0');
    expect(choose(x as never, { shape: 3, replace: false })).toThrow(
      'choice: shape must have at most 2 elements without replacement, got 3; write { replace: true }',
    );
    expect(choose(2 as never, { p: [0.5, 0.6] })).toThrow('choice: p must add up to 1, got a sum of 1.1');
    expect(choose(2 as never, { p: [1.5, -0.5] })).toThrow('choice: p must hold numbers from 0 to 1, got 1.5');
    expect(choose(2 as never, { p: [1] })).toThrow('choice: p must have a probability for each of 2, got 1');
    expect(choose(2 as never, { p: 3 })).toThrow('choice: p must be a list of numbers or an NDArray, got 3');
    expect(choose(2 as never, { p: [1, 0], shape: 2, replace: false })).toThrow(
      'choice: p must have at least 2 numbers above 0 without replacement, got 1',
    );
    expect(choose(x as never, { axis: 1 })).toThrow('choice: axis must be in -1 to 0');
    expect(choose(2 as never, { replace: 1 })).toThrow('choice: replace must be true or false, got 1');
    expect(() => rng.permutation(-1)).toThrow('permutation: length must be an integer >= 0, got -1');
    expect(() => rng.permutation('a' as never)).toThrow(
      'permutation must be given an integer or an NDArray, got the string "a"',
    );
    expect(() => rng.permutation(3, { dtype: 'f32' })).toThrow('permutation: dtype must be one of i64, i32, got');
    expect(() => rng.shuffle([1, 2] as never)).toThrow('shuffle must be given an NDArray, got an Array');
    expect(() => rng.shuffle(x, { axis: 1 })).toThrow('shuffle: axis must be in -1 to 0');
    expect(rng.state).toEqual(before);
  });
});
