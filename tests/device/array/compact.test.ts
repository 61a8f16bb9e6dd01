import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import { nonzero } from '../../../src/array/function/mask.ts';
import {
  runLengthEncode,
  unique,
  uniqueAll,
  uniqueCounts,
  uniqueInverse,
  uniqueValues,
} from '../../../src/array/function/unique.ts';
import { copyIf, partitionIf, removeIf, uniqueConsecutive } from '../../../src/array/generated/copy-if.ts';
import { KeyValueSorter, sortByKey } from '../../../src/array/generated/key-value-sorter.ts';
import { ListOfLists } from '../../../src/array/generated/list-of-lists.ts';
import { RadixSort } from '../../../src/array/generated/radix-sort.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { randomOf } from '../../helpers/math-points.ts';

const numbers = (x: unknown): number[] => Array.from((x as NDArray).get() as ArrayLike<number>, Number);
/** The elements that have been set of a result with room for more. */
const first = (x: unknown, count: { item(): unknown }): number[] => numbers(x).slice(0, Number(count.item()));

function draws(n: number, seed: number): Float32Array {
  const random = randomOf(seed);
  return Float32Array.from({ length: n }, () => Math.floor(random() * 8));
}

describeArrays('what a condition takes', (engine) => {
  test.each(deviceWays)('of masks and expressions, in order, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const n of [1, 31, 257, 4097, 16_385, 40_000]) {
        const data = draws(n, n);
        using x = array(engine(), data);
        using mask = x.greater(2);
        const large = Array.from(data.filter((v) => v > 2));
        const small = Array.from(data.filter((v) => !(v > 2)));
        using taken = x.at(mask);
        expect(numbers(taken)).toEqual(large);
        const places = Array.from(data, (v, i) => (v > 2 ? i : -1)).filter((i) => i >= 0);
        expect(numbers(nonzero(mask)[0])).toEqual(places);
        const extra = { 'float limit': 2 };
        expect(first(...copyIf(x, 'ary[i] > limit', { extra }))).toEqual(large);
        expect(first(...removeIf(x, 'ary[i] > limit; // the large ones', { extra }))).toEqual(small);
        const [elements, others, count] = partitionIf(x, 'ary[i] > limit', { extra });
        expect(first(elements, count)).toEqual(large);
        expect(numbers(others).slice(0, small.length)).toEqual(small);
        const changes = Array.from(data.filter((v, i) => i === 0 || v !== data[i - 1]));
        expect(first(...uniqueConsecutive(x))).toEqual(changes);
        const { values, lengths } = runLengthEncode(x);
        expect(numbers(values)).toEqual(changes);
        expect(numbers(lengths).reduce((sum, length) => sum + length)).toBe(n);
      }
    });
  });

  test('of views, and of masks that begin anywhere', () => {
    const data = draws(500, 1);
    using x = array(engine(), data, { shape: [10, 50] });
    using mask = x.less(4);
    using part = x.at('1:, ::2');
    using chosen = mask.at('1:, ::2');
    using taken = part.at(chosen);
    const expected = Array.from(data).filter((v, i) => i >= 50 && (i % 50) % 2 === 0 && v < 4);
    expect(numbers(taken)).toEqual(expected);
    using flat = mask.reshape(-1).at('3:');
    using behind = x.reshape(-1).at('3:');
    using odd = behind.at(flat);
    expect(numbers(odd)).toEqual(Array.from(data.slice(3).filter((v) => v < 4)));
  });

  test('nothing of nothing', () => {
    using none = array(engine(), new Float32Array(0));
    const [elements, count] = copyIf(none, 'true');
    expect([elements.size, Number(count.item())]).toEqual([0, 0]);
    expect(unique(none).size).toBe(0);
    expect(uniqueAll(none).inverseIndices.shape).toEqual([0]);
    expect(runLengthEncode(none).lengths.size).toBe(0);
  });

  test('refused: more axes, gaps, half floats, values that do not fit', () => {
    using x = array(engine(), [[1, 2]]);
    expect(() => copyIf(x, 'ary[i] > 0')).toThrow(
      'must be given an array of one axis, got shape [1, 2]; write ravel()',
    );
    using gaps = array(engine(), [1, 2, 3, 4]).at('::2');
    expect(() => copyIf(gaps, 'ary[i] > 0')).toThrow('write contiguous()');
    using halves = empty(engine(), 3, { dtype: 'f16' });
    expect(() => copyIf(halves, 'ary[i] > 0')).toThrow("got f16; write astype('f32')");
    using row = array(engine(), [1, 2]);
    expect(() => copyIf(row, 'ary[i] > limit', { extra: { 'int limit': 1.5 } })).toThrow('limit');
    expect(() => copyIf(row, 3 as never)).toThrow('the expression must be a text in C');
    expect(() => copyIf(row, 'ary[i] > nothing')).toThrow('nothing');
  });
});

describeArrays('values once', (engine) => {
  test.each(deviceWays)('in order, with places and numbers, %s', (_, way) => {
    inWay(engine(), way, () => {
      const data = draws(6000, 5);
      using x = array(engine(), data, { shape: [60, 100] });
      const { values, indices, inverseIndices, counts } = uniqueAll(x);
      const sorted = [...new Set(data)].sort((a, b) => a - b);
      expect(numbers(values)).toEqual(sorted);
      expect(numbers(indices)).toEqual(sorted.map((v) => data.indexOf(v)));
      expect(inverseIndices.shape).toEqual([60, 100]);
      expect(numbers(inverseIndices)).toEqual(Array.from(data, (v) => sorted.indexOf(v)));
      expect(numbers(counts)).toEqual(sorted.map((v) => data.filter((w) => w === v).length));
      expect(numbers(uniqueValues(x))).toEqual(sorted);
      expect(numbers(uniqueCounts(x).counts)).toEqual(numbers(counts));
      expect(numbers(uniqueInverse(x).inverseIndices)).toEqual(numbers(inverseIndices));
      const [again, times] = unique(x, { returnCounts: true }) as [NDArray, NDArray];
      expect([numbers(again), numbers(times)]).toEqual([sorted, numbers(counts)]);
    });
  });

  test('NaN is one value and the last, -0 is 0', () => {
    using x = array(engine(), [NaN, 1, -0, NaN, 0, -1]);
    const { values, counts } = uniqueCounts(x);
    expect(numbers(values)).toEqual([-1, -0, 1, NaN]);
    expect(numbers(counts)).toEqual([1, 2, 1, 2]);
  });
});

describeArrays('lists by keys', (engine) => {
  const builder = (
    ...args: ConstructorParameters<typeof ListOfLists> extends [unknown, ...infer R] ? R : never
  ): ListOfLists => {
    return new (class extends ListOfLists {})(engine, ...args);
  };

  test('sortByKey() and RadixSort order arrays by keys, stably', () => {
    const data = draws(3000, 7);
    using keys = array(engine(), Int32Array.from(data));
    using values = array(
      engine(),
      Int32Array.from(data, (_, i) => i),
    );
    const order = Array.from(data, (_, i) => i).sort((a, b) => (data[a] as number) - (data[b] as number) || a - b);
    const [sorted, places] = sortByKey(keys, values);
    expect(numbers(sorted)).toEqual(order.map((i) => data[i]));
    expect(numbers(places)).toEqual(order);
    const byRest = new RadixSort('const int *k, const int *v, int by', '(k[i] * 7) % by', ['v', 'k'], {
      keyDtype: 'i32',
    });
    const rest = (i: number): number => ((data[i] as number) * 7) % 5;
    const expected = Array.from(data, (_, i) => i).sort((a, b) => rest(a) - rest(b) || a - b);
    expect(byRest.source).toBeUndefined();
    const [v, k] = byRest(keys, values, 5);
    expect(byRest.source).toContain('(k[i] * 7) % by');
    expect(numbers(v)).toEqual(expected);
    expect(numbers(k)).toEqual(expected.map((i) => data[i]));
    const [last] = byRest(keys, values, 5, { descending: true });
    expect(numbers(last)[0]).toBe(Array.from(data, (_, i) => i).find((i) => rest(i) === 4));
    expect(() => new RadixSort('int *x', 'x[i]', ['y'])).toThrow('must be a parameter that is a vector of numbers');
  });

  test('KeyValueSorter makes a list for each key', () => {
    const data = draws(500, 9);
    using keys = array(
      engine(),
      Int32Array.from(data, (v) => (v === 3 ? 4 : v)),
    );
    using values = array(
      engine(),
      Float32Array.from(data, (_, i) => i),
    );
    const [starts, lists] = new KeyValueSorter()(keys as unknown as NDArray, values, 10);
    const [begins, all] = [numbers(starts), numbers(lists)];
    expect(begins).toHaveLength(11);
    for (let key = 0; key < 10; key++) {
      const expected = numbers(keys).flatMap((each, i) => (each === key ? [i] : []));
      expect(all.slice(begins[key], begins[key + 1])).toEqual(expected);
    }
  });

  test('ListOfListsBuilder appends to lists, shares counts, leaves out empty ones', () => {
    const lists = builder(
      [
        ['small', 'i32'],
        ['twice', 'f32'],
      ],
      `void generate(LIST_ARG_DECL USER_ARG_DECL index_type i)
{
  int count = (int)(i % 4);
  for (int j = 0; j < count; ++j) {
    APPEND_small(count * factor + (int)offsets[j]);
    APPEND_twice(2 * j);
  }
}`,
      'int factor, const float *offsets',
      { countSharing: { twice: 'small' }, eliminateEmptyOutputLists: ['small'] },
    );
    using offsets = array(engine(), [100, 200, 300]);
    const { small, twice } = lists(10, 5, offsets);
    const counts = Array.from({ length: 10 }, (_, i) => i % 4);
    expect(numbers(small?.lists)).toEqual(
      counts.flatMap((count) => [100, 200, 300].slice(0, count).map((o) => count * 5 + o)),
    );
    expect(numbers(small?.nonemptyIndices)).toEqual([1, 2, 3, 5, 6, 7, 9]);
    expect(numbers(small?.starts)).toEqual([0, 1, 3, 6, 7, 9, 12, 13]);
    expect(numbers(twice?.lists)).toEqual(counts.flatMap((count) => [0, 2, 4].slice(0, count)));
    expect(numbers(twice?.starts)).toEqual([0, 0, 1, 3, 6, 6, 7, 9, 12, 12, 13]);
    expect(Object.keys(lists(10, 5, offsets, { omitLists: ['twice'] }))).toEqual(['small']);
  });

  test('ListOfListsBuilder takes no arguments, and refuses texts that do not fit', () => {
    const lists = builder(
      [['own', 'i32']],
      'void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) { APPEND_own((int)i); }',
    );
    expect(lists.source).toBeUndefined();
    expect(numbers(lists(5)['own']?.lists)).toEqual([0, 1, 2, 3, 4]);
    expect(lists.source).toContain('list_builder_write');
    expect(lists(0)['own']?.count).toBe(0);
    expect(() => builder([], 'void generate(int i) {}')).toThrow('lists must be a list of one or more [name, dtype]');
    expect(() => builder([['a', 'i32']], 'nothing')).toThrow("must have a function 'void generate(");
    expect(() => builder([['a', 'i32']], 'void generate() {}', '', { countSharing: { b: 'a' } })).toThrow(
      'a list must be one of a',
    );
  });
});
