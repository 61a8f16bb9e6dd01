import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import { broadcastTo } from '../../../src/array/broadcast.ts';
import { arrayDTypes } from '../../../src/array/dtype.ts';
import { lexsort } from '../../../src/array/function/sort.ts';
import { laneOf, viewOf, type NDArray } from '../../../src/array/ndarray.ts';
import { radixSort } from '../../../src/array/sort/radix-sort.ts';
import { sortLines } from '../../../src/array/sort/sort-lines.ts';
import { permute } from '../../../src/array/view.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { randomOf } from '../../helpers/math-points.ts';

type Element = number | bigint;

/** NaN comes behind all others, -0 and 0 are equal. */
function compare(a: Element, b: Element, descending: boolean): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  const order = a < b ? -1 : a > b ? 1 : 0;
  return descending ? -order : order;
}

/** The places of elements in their order; of equal ones the first is first. */
function orderOf(elements: readonly Element[], descending = false): number[] {
  return elements
    .map((_, i) => i)
    .sort((i, j) => compare(elements[i] as Element, elements[j] as Element, descending) || i - j);
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((size, length) => size * length, 1);

/** The places of elements of each line along an axis, in row-major order. */
function orderAlong(elements: readonly Element[], shape: readonly number[], axis: number): number[] {
  const step = sizeOf(shape.slice(axis + 1));
  const n = shape[axis] as number;
  const result = new Array<number>(elements.length);
  for (let first = 0; first < elements.length; first++) {
    if (Math.floor(first / step) % n !== 0) continue;
    const line = Array.from({ length: n }, (_, i) => elements[first + i * step] as Element);
    for (const [i, place] of orderOf(line).entries()) result[first + i * step] = place;
  }
  return result;
}

/** Elements as numbers of JavaScript; halves come as f32. */
function elementsOf(x: NDArray): Element[] {
  using wide = x.astype(x.dtype === 'f16' || x.dtype === 'bf16' ? 'f32' : x.dtype);
  return Array.from(wide.get() as ArrayLike<Element>);
}

function numbers(x: NDArray): number[] {
  return Array.from(x.get() as ArrayLike<Element>, Number);
}

const SPECIAL = [NaN, -0, 0, Infinity, -Infinity, 1, -1, 1.5, -2.5, 6e-8, -NaN];

/** How elements lie: in no order, few different ones, all of them equal, in order, in reverse. */
const kinds: Readonly<Record<string, (i: number, n: number, random: () => number) => number>> = {
  random: (_, __, random) => (random() - 0.5) * 1e6,
  special: (_, __, random) => SPECIAL[Math.floor(random() * SPECIAL.length)] as number,
  equal: () => 7,
  ordered: (i) => i,
  reversed: (i, n) => n - i,
};

function expectSorted(x: NDArray, descending: boolean, what: unknown): void {
  const elements = elementsOf(x);
  const order = orderOf(elements, descending);
  using sorted = x.sort({ descending });
  using places = x.argsort({ descending });
  expect([sorted.dtype, places.dtype]).toEqual([x.dtype, 'i64']);
  expect([what, numbers(places)]).toEqual([what, order]);
  expect([what, elementsOf(sorted)]).toEqual([what, order.map((place) => elements[place] as Element)]);
}

describeArrays('sorts', (engine) => {
  test.each(deviceWays)('put lines of any length in order, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const n of [1, 2, 31, 32, 33, 255, 257, 1023, 1025, 4096, 4097, 20_001, 40_000]) {
        for (const [kind, of] of Object.entries(kinds)) {
          const random = randomOf(n);
          using x = array(
            engine(),
            Float32Array.from({ length: n }, (__, i) => of(i, n, random)),
          );
          expectSorted(x, false, [n, kind]);
          if (kind === 'special') expectSorted(x, true, [n, kind, 'descending']);
        }
      }
    });
  });

  test('put elements of every dtype in order', () => {
    for (const { name, kind, size } of Object.values(arrayDTypes)) {
      if (kind === 'complex') continue;
      const random = randomOf(size);
      const integer = (): bigint =>
        (BigInt(Math.floor(random() * 2 ** 32)) << 32n) | BigInt(Math.floor(random() * 2 ** 32));
      const element = (i: number): Element => {
        if (kind === 'bool') return Number(random() < 0.5);
        if (kind === 'float') return i % 3 === 0 ? (SPECIAL[i % SPECIAL.length] as number) : (random() - 0.5) * 100;
        const wrapped = kind === 'int' ? BigInt.asIntN(8 * size, integer()) : BigInt.asUintN(8 * size, integer());
        return size === 8 ? wrapped : Number(wrapped);
      };
      using x = array(
        engine(),
        Array.from({ length: 99 }, (_, i) => element(i)),
        { dtype: name },
      );
      expectSorted(x, false, name);
      expectSorted(x, true, [name, 'descending']);
    }
  });

  test.each(deviceWays)('put lines along every axis of any view in order, %s', (_, way) => {
    inWay(engine(), way, () => {
      const random = randomOf(4);
      const floats = (shape: readonly number[]): NDArray => {
        const data = Float32Array.from({ length: sizeOf(shape) }, () => Math.floor(random() * 20));
        return array(engine(), data, { shape });
      };
      using whole = floats([7, 12, 36]);
      using transposed = viewOf(whole, permute(whole, [2, 0, 1]));
      using part = whole.at('::-1, 1:11:3, ::-2');
      using row = whole.at('2:3, :, :');
      using repeated = viewOf(row, broadcastTo(row, [5, 12, 36]));
      using none = floats([0, 3]);
      using empties = floats([3, 0]);
      using many = floats([1500, 3]);
      using long = floats([3, 5000]);
      for (const x of [whole, transposed, part, repeated, none, empties, many, long]) {
        for (let axis = 0; axis < x.ndim; axis++) {
          using places = x.argsort({ axis });
          expect(places.shape).toEqual(x.shape);
          expect([x.shape, axis, numbers(places)]).toEqual([x.shape, axis, orderAlong(numbers(x), x.shape, axis)]);
        }
      }
    });
  });

  test.each(deviceWays)('move any elements with keys of 64 bits, and count in as many, %s', (_, way) => {
    inWay(engine(), way, () => {
      const { facts, dialect } = engine();
      const [lines, n] = [2, 5000];
      const random = randomOf(5);
      // As most of such keys are: a few of their bytes differ.
      const elements = BigInt64Array.from({ length: lines * n }, () => BigInt(Math.floor((random() - 0.5) * 2 ** 20)));
      using keys = array(engine(), elements);
      const order = [0, n].flatMap((first) =>
        orderOf(Array.from(elements.subarray(first, first + n))).map((place) => first + place),
      );
      const isSerial = facts.packBytes === 0;
      const form = isSerial ? 'chunks' : facts.promisesProgress && dialect.name === 'cuda' ? 'sweep' : 'tiles';
      using keysOut = empty(engine(), [lines * n], { dtype: 'i64' });
      using values = array(
        engine(),
        Array.from({ length: lines * n }, (__, i) => ({ re: i, im: i + 0.5 })),
        { dtype: 'c128' },
      );
      using valuesOut = empty(engine(), [lines * n], { dtype: 'c128' });
      const task = { keys, n, descending: false, keysOut, values, valuesOut };
      radixSort(engine(), laneOf(keys), task, { form: 'u64', payload: 16, wide: true }, form);
      expect(Array.from(keysOut.get())).toEqual(order.map((place) => elements[place]));
      expect(numbers(valuesOut)).toEqual(order.flatMap((place) => [place, place + 0.5]));
    });
  });

  test('move elements along with keys of short lines', () => {
    using keys = array(engine(), [3, 1, 2, 1], { dtype: 'u8' });
    using values = array(engine(), [30, 10, 20, 11], { dtype: 'u16' });
    using valuesOut = empty(engine(), [4], { dtype: 'u16' });
    sortLines(engine(), laneOf(keys), { keys, n: 4, descending: false, values, valuesOut });
    expect(numbers(valuesOut)).toEqual([10, 11, 20, 30]);
  });

  test('put complex numbers in order by their real parts, then the imaginary ones, NaN last', () => {
    const elements: readonly (readonly [number, number])[] = [
      [NaN, 1],
      [2, NaN],
      [1, 5],
      [NaN, NaN],
      [1, -5],
      [1, NaN],
      [0, 7],
      [NaN, 0],
    ];
    using x = array(
      engine(),
      elements.map(([re, im]) => ({ re, im })),
    );
    using places = x.argsort();
    // As NumPy: those without NaN, those with it in the imaginary part, in the real part, in both.
    const order = [6, 4, 2, 5, 1, 7, 0, 3];
    expect(numbers(places)).toEqual(order);
    using sorted = x.sort();
    expect(numbers(sorted)).toEqual(order.flatMap((place) => elements[place] ?? []));
    using down = x.argsort({ descending: true });
    expect(numbers(down)).toEqual([2, 4, 6, 1, 5, 0, 7, 3]);
  });

  test('order by several keys, of which the last one decides', () => {
    using first = array(engine(), [
      [3, 1, 2, 1],
      [1, 1, 1, 1],
    ]);
    using second = array(
      engine(),
      [
        [1, 1, 0, 1],
        [2, NaN, -1, 2],
      ],
      { dtype: 'f64' },
    );
    using places = lexsort([first, second]);
    expect(places.toArray()).toEqual([
      [2n, 1n, 3n, 0n],
      [2n, 0n, 3n, 1n],
    ]);
    using columns = lexsort([first, second], { axis: 0 });
    expect(columns.toArray()).toEqual([
      [0n, 0n, 1n, 0n],
      [1n, 1n, 0n, 1n],
    ]);
  });

  test('write into an array, the operand itself, and one that is not contiguous', () => {
    using x = array(engine(), [
      [3, 1, 2],
      [9, 8, 7],
    ]);
    using wide = empty(engine(), [2, 6], { dtype: 'f64' });
    using out = wide.at(':, ::2');
    expect(x.sort({ out })).toBe(out);
    expect(numbers(out)).toEqual([1, 2, 3, 7, 8, 9]);
    using column = x.at(':, 1');
    column.sort({ out: column, descending: true, stable: true });
    expect(numbers(x)).toEqual([3, 8, 2, 9, 1, 7]);
    x.sort({ out: x });
    expect(numbers(x)).toEqual([2, 3, 8, 1, 7, 9]);
  });

  test('refuse what has no meaning', () => {
    using x = array(engine(), [[1, 2]]);
    using scalar = array(engine(), 1);
    using integers = empty(engine(), [1, 2], { dtype: 'i32' });
    expect(() => x.sort({ axis: 2 })).toThrow('sort: axis must be in -2 to 1 for an array of rank 2, got 2');
    expect(() => scalar.argsort()).toThrow('argsort: axis must be left out for an array of rank 0, got -1');
    expect(() => x.sort({ descending: 1 as never })).toThrow('sort: descending must be true or false, got 1');
    expect(() => x.sort({ stable: 'yes' as never })).toThrow(
      'sort: stable must be true or false, got the string "yes"',
    );
    expect(() => x.sort({ kind: 'heapsort' } as never)).toThrow('kind');
    expect(() => x.sort({ out: x.at('0') })).toThrow('sort: out must have the shape [1, 2], got [2]');
    expect(() => x.sort({ out: integers })).toThrow('sort: out must have a dtype that holds f32, got i32');
    expect(() => lexsort([])).toThrow('lexsort must be given at least one array, got none');
    expect(() => lexsort([x, x.at('0')])).toThrow('lexsort: keys must be of one shape, got [1, 2] for the first');
    expect(() => (x as NDArray).sort.call([1, 2] as never)).toThrow('sort: the array must be an NDArray');
  });
});
