import { expect, test } from '@jest/globals';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { diff } from '../../../src/array/function/diff.ts';
import { concat, stack, tile } from '../../../src/array/function/join.ts';
import { pad, type PadMode } from '../../../src/array/function/pad.ts';
import { repeat } from '../../../src/array/function/repeat.ts';
import { roll } from '../../../src/array/function/roll.ts';
import { split, unstack } from '../../../src/array/function/split.ts';
import { memoryOf, type NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { denseRange, gather, indicesOf, type Dense } from '../../helpers/dense-array.ts';
import { fromDevice, shown, toDevice } from '../../helpers/dense-device.ts';
import { thrown } from '../../helpers/thrown.ts';

const mod = (a: number, b: number): number => ((a % b) + b) % b;

/** Arrays behind each other along an axis. */
function joined(parts: readonly Dense[], axis: number): Dense {
  const lengths = parts.map(({ shape }) => shape[axis] as number);
  const shape = (parts[0] as Dense).shape.with(
    axis,
    lengths.reduce((a, b) => a + b, 0),
  );
  const items = indicesOf(shape).map((index) => {
    let at = index[axis] as number;
    let part = 0;
    while (at >= (lengths[part] as number)) at -= lengths[part++] as number;
    const { shape: own, items: all } = parts[part] as Dense;
    return all[index.with(axis, at).reduce((place, i, each) => place * (own[each] as number) + i, 0)] as number;
  });
  return { shape, items };
}

describeArrays('joining', (engine) => {
  test.each<ArrayDType>(['u8', 'f16', 'f32', 'i64', 'c128'])(
    'concat() puts arrays of %s behind each other',
    (dtype) => {
      const parts = [denseRange([2, 3]), denseRange([2, 0], 50), denseRange([2, 1], 90)];
      const arrays = parts.map((part) => toDevice(engine(), part, dtype));
      expect(shown(concat(arrays, { axis: -1 }))).toEqual(joined(parts, 1));
      expect(shown(concat(arrays, { axis: null })).items).toEqual(parts.flatMap(({ items }) => items));
      const turned = arrays.map((array) => array.T);
      expect(shown(concat(turned))).toEqual(
        joined(
          parts.map((part) => gather(part, [...part.shape].reverse(), (index) => [...index].reverse())),
          0,
        ),
      );
      for (const array of [...arrays, ...turned]) array.close();
    },
  );

  test('concat() finds the common dtype, or converts to one that is asked for', () => {
    using small = toDevice(engine(), denseRange([2]), 'u8');
    using wide = toDevice(engine(), denseRange([3], 300), 'i32');
    using both = concat([small, wide]);
    expect([both.dtype, fromDevice(both).items]).toEqual(['i32', [0, 1, 300, 301, 302]]);
    using floats = concat([small, wide], { dtype: 'f32' });
    expect(floats.dtype).toBe('f32');
    expect(thrown(() => concat([small, wide], { dtype: 'u8' }))).toMatch(/must have a dtype that holds i32, got u8/);
  });

  test('concat() and stack() name the shapes and the axis that do not fit', () => {
    using a = toDevice(engine(), denseRange([2, 3]));
    using b = toDevice(engine(), denseRange([3, 2]));
    expect(thrown(() => concat([a, b]))).toBe(
      'RangeError: concat: the arrays must have the same shape but for axis 0, got [2, 3] and, as array 1, [3, 2]',
    );
    expect(thrown(() => stack([a, b]))).toBe(
      'RangeError: stack: the arrays must have the same shape, got [2, 3] and, as array 1, [3, 2]',
    );
    expect(thrown(() => concat([a, a], { axis: 2 }))).toMatch(/axis must be in -2 to 1 for an array of rank 2, got 2/);
    expect(thrown(() => concat([]))).toMatch(/at least one array, got none/);
    expect(thrown(() => concat(a as unknown as NDArray[]))).toMatch(
      /TypeError: concat must be given a list of NDArrays/,
    );
    using scalar = a.at(0, 0);
    expect(thrown(() => concat([scalar]))).toMatch(/axis must be left out for an array of rank 0/);
  });

  test('stack() joins along a new axis', () => {
    const parts = [denseRange([2, 3]), denseRange([2, 3], 10)];
    const arrays = parts.map((part) => toDevice(engine(), part));
    for (const axis of [0, 1, 2, -1]) {
      const at = axis < 0 ? axis + 3 : axis;
      const wide = parts.map(({ shape, items }) => ({ shape: shape.toSpliced(at, 0, 1), items }));
      expect(shown(stack(arrays, { axis }))).toEqual(joined(wide, at));
    }
    using scalar = (arrays[0] as NDArray).at(1, 2);
    expect(shown(stack([scalar, scalar]))).toEqual({ shape: [2], items: [5, 5] });
    for (const array of arrays) array.close();
  });

  test('a result is written to an array that is given, also over an operand', () => {
    using x = toDevice(engine(), denseRange([4]));
    using head = x.at(':2');
    using tail = x.at('2:');
    expect(concat([tail, head], { out: x })).toBe(x);
    expect(fromDevice(x).items).toEqual([2, 3, 0, 1]);
    using wide = toDevice(engine(), denseRange([4]), 'f64');
    concat([tail, head], { out: wide });
    expect(fromDevice(wide).items).toEqual([0, 1, 2, 3]);
  });

  test('split() and unstack() give views', () => {
    using x = toDevice(engine(), denseRange([4, 6]));
    const thirds = split(x, 3, { axis: 1 });
    expect(thirds.map(({ shape }) => shape)).toEqual([
      [4, 2],
      [4, 2],
      [4, 2],
    ]);
    expect(fromDevice(thirds[1] as NDArray).items).toEqual([2, 3, 8, 9, 14, 15, 20, 21]);
    expect(memoryOf(thirds[2] as NDArray)).toBe(memoryOf(x));
    const parts = split(x, [1, 1, 9]);
    expect(parts.map(({ shape }) => shape)).toEqual([
      [1, 6],
      [0, 6],
      [3, 6],
      [0, 6],
    ]);
    const columns = unstack(x, { axis: -1 });
    expect(columns.map((column) => fromDevice(column).items[1])).toEqual([6, 7, 8, 9, 10, 11]);
    expect(thrown(() => split(x, 5))).toMatch(/axis 0 of shape \[4, 6\] must have a multiple of 5 .* got 4/);
    for (const view of [...thirds, ...parts, ...columns]) view.close();
  });

  test('tile() repeats an array along every axis', () => {
    const dense = denseRange([2, 3]);
    using x = toDevice(engine(), dense);
    for (const counts of [2, [2, 1], [3, 1, 2], [0, 2], [1, 2, 2, 1]]) {
      const list = [counts].flat();
      const times = [...new Array<number>(Math.max(0, 2 - list.length)).fill(1), ...list];
      const lengths = [...new Array<number>(times.length - 2).fill(1), 2, 3];
      const shape = times.map((count, axis) => count * (lengths[axis] as number));
      expect(shown(tile(x, counts))).toEqual(
        gather(dense, shape, (index) => index.map((i, axis) => i % (lengths[axis] as number)).slice(-2)),
      );
    }
    using scalar = x.at(0, 1);
    expect(shown(tile(scalar, 3))).toEqual({ shape: [3], items: [1, 1, 1] });
  });

  test('repeat() repeats each element, by one number or one for each', () => {
    const dense = denseRange([2, 3]);
    using x = toDevice(engine(), dense);
    expect(shown(repeat(x, 2)).items).toEqual(dense.items.flatMap((item) => [item, item]));
    expect(shown(repeat(x, 3, { axis: 0 }))).toEqual(gather(dense, [6, 3], ([i = 0, j = 0]) => [Math.floor(i / 3), j]));
    using flipped = x.flip(1);
    expect(shown(repeat(flipped, [0, 2, 1], { axis: 1 }))).toEqual({ shape: [2, 3], items: [1, 1, 0, 4, 4, 3] });
    expect(shown(repeat(x, [0, 0, 0], { axis: -1 }))).toEqual({ shape: [2, 0], items: [] });
    expect(thrown(() => repeat(x, [1, 2], { axis: 1 }))).toMatch(
      /each of the 3 elements of axis 1 of shape \[2, 3\], got 2/,
    );
    expect(thrown(() => repeat(x, -1))).toMatch(/counts must be an integer >= 0, got -1/);
  });

  test('roll() moves elements around the ends', () => {
    const dense = denseRange([4, 5]);
    using x = toDevice(engine(), dense);
    for (const [shift, axis] of [
      [1, 0],
      [-7, 1],
      [
        [2, -1],
        [0, 1],
      ],
      [1, [0, 1]],
      [[1, 2], 0],
      [0, 0],
    ] as const) {
      const shifts = [0, 0];
      const [by, axes] = [[shift].flat(), [axis].flat()];
      for (let i = 0; i < Math.max(by.length, axes.length); i++) {
        const at = axes[axes.length === 1 ? 0 : i] as number;
        shifts[at] = (shifts[at] as number) + (by[by.length === 1 ? 0 : i] as number);
      }
      expect(shown(roll(x, shift, { axis }))).toEqual(
        gather(dense, [4, 5], ([i = 0, j = 0]) => [
          mod(i - (shifts[0] as number), 4),
          mod(j - (shifts[1] as number), 5),
        ]),
      );
    }
    expect(shown(roll(x, 3))).toEqual({ shape: [4, 5], items: dense.items.map((_, i) => mod(i - 3, 20)) });
    using turned = x.T;
    expect(shown(roll(turned, -1)).items.slice(0, 5)).toEqual([5, 10, 15, 1, 6]);
    using none = x.at(':0');
    expect(shown(roll(none, 1))).toEqual({ shape: [0, 5], items: [] });
    expect(thrown(() => roll(x, [1, 2, 3], { axis: [0, 1] }))).toMatch(
      /one shift for each axis, got \[1, 2, 3\] for \[0, 1\]/,
    );
  });

  test('diff() takes differences along an axis, several times', () => {
    using x = toDevice(engine(), { shape: [2, 4], items: [1, 4, 9, 16, 0, 0, 5, 5] }, 'i32');
    expect(shown(diff(x))).toEqual({ shape: [2, 3], items: [3, 5, 7, 0, 5, 0] });
    expect(shown(diff(x, { n: 2 }))).toEqual({ shape: [2, 2], items: [2, 2, 5, -5] });
    expect(shown(diff(x, { axis: 0 }))).toEqual({ shape: [1, 4], items: [-1, -4, -4, -11] });
    expect(shown(diff(x, { n: 9 })).shape).toEqual([2, 0]);
    using flags = x.greater(4);
    using changes = diff(flags);
    expect([changes.dtype, fromDevice(changes).items]).toEqual(['bool', [0, 1, 0, 0, 1, 0]]);
  });
});

/** The index that a place outside of an axis repeats. */
function source(i: number, length: number, mode: PadMode): number {
  let at = i;
  if (mode === 'edge') return Math.min(Math.max(i, 0), length - 1);
  while (at < 0 || at >= length) {
    if (mode === 'wrap') at += at < 0 ? length : -length;
    else if (mode === 'symmetric') at = at < 0 ? -1 - at : 2 * length - 1 - at;
    else if (length === 1) at = 0;
    else at = at < 0 ? -at : 2 * length - 2 - at;
  }
  return at;
}

describeArrays('padding', (engine) => {
  test.each<PadMode>(['edge', 'reflect', 'symmetric', 'wrap'])(
    'pad() with mode %s repeats what the mode says',
    (mode) => {
      for (const [shape, width] of [
        [[3, 4], 2],
        [
          [2, 3],
          [
            [7, 0],
            [1, 8],
          ],
        ],
        [[1], [3, 1]],
      ] as const) {
        const dense = denseRange(shape);
        using x = toDevice(engine(), dense);
        using flipped = x.flip();
        const pairs = shape.map((_, axis): [number, number] => {
          if (typeof width === 'number') return [width, width];
          const own = width[shape.length === 1 ? 0 : axis];
          return typeof own === 'number' ? (width as [number, number]) : (own as unknown as [number, number]);
        });
        const result = shape.map((length, axis) => length + (pairs[axis] as number[]).reduce((a, b) => a + b));
        const expected = gather(dense, result, (index) =>
          index.map((i, axis) => source(i - (pairs[axis] as [number, number])[0], shape[axis] as number, mode)),
        );
        expect(shown(pad(x, width, { mode }))).toEqual(expected);
        const last = (axis: number): number => (shape[axis] as number) - 1;
        expect(shown(pad(flipped, width, { mode }))).toEqual(
          gather(dense, result, (index) =>
            index.map(
              (i, axis) => last(axis) - source(i - (pairs[axis] as [number, number])[0], shape[axis] as number, mode),
            ),
          ),
        );
      }
    },
  );

  test('pad() puts one value around an array by default', () => {
    using x = toDevice(engine(), denseRange([1, 2], 5), 'i32');
    expect(shown(pad(x, [1, 0]))).toEqual({ shape: [2, 3], items: [0, 0, 0, 0, 5, 6] });
    expect(
      shown(
        pad(
          x,
          [
            [0, 1],
            [2, 0],
          ],
          { value: -3 },
        ),
      ),
    ).toEqual({ shape: [2, 4], items: [-3, -3, 5, 6, -3, -3, -3, -3] });
    using none = x.at(':0');
    expect(shown(pad(none, 1, { value: 9 })).items).toEqual(new Array(8).fill(9));
    expect(thrown(() => pad(none, 1, { mode: 'edge' }))).toMatch(
      /axis 0 of shape \[0, 2\] must have elements for mode 'edge'/,
    );
    expect(thrown(() => pad(x, 1, { mode: 'mean' as 'edge' }))).toMatch(
      /mode must be one of constant, .*got the string "mean"/,
    );
    expect(
      thrown(() =>
        pad(x, [
          [1, 1],
          [1, 1],
          [1, 1],
        ]),
      ),
    ).toMatch(/a pair for each axis of rank 2, got 3/);
  });
});
