import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { setAt } from '../../../src/array/function/at.ts';
import { argwhere, compress, extract, flatnonzero, nonzero } from '../../../src/array/function/mask.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { denseRange, indicesOf } from '../../helpers/dense-array.ts';
import { fromDevice, shown, toDevice } from '../../helpers/dense-device.ts';
import { Choices } from '../../helpers/random-view.ts';
import { thrown } from '../../helpers/thrown.ts';

describeArrays('masks', (engine) => {
  test.each([1, 4095, 4096, 4097, 10_000, 70_000])('nonzero() finds the indices among %d elements', (size) => {
    const choices = new Choices(size);
    for (const share of [2, 100, 1]) {
      const bytes = Uint8Array.from({ length: size }, () => Number(choices.below(share) === 0));
      using mask = array(engine(), bytes, { dtype: 'bool' }) as unknown as NDArray;
      const [found] = nonzero(mask) as [NDArray];
      expect(found.dtype).toBe('i64');
      const expected = Array.from(bytes.keys()).filter((i) => bytes[i] === 1);
      expect(Array.from(found.get() as BigInt64Array, Number)).toEqual(expected);
      found.close();
    }
  });

  test('nonzero() goes through views of any dtype in row-major order', () => {
    const items = Array.from({ length: 24 }, (_, i) => (i % 3 === 0 ? 0 : i));
    using x = toDevice(engine(), { shape: [2, 3, 4], items });
    using view = x.permuteDims([2, 0, 1]).flip(0);
    const expected = indicesOf([4, 2, 3]).filter(([i = 0, j = 0, k = 0]) => items[12 * j + 4 * k + 3 - i] !== 0);
    const found = nonzero(view);
    expect(found.map((each) => fromDevice(each).items)).toEqual(
      [0, 1, 2].map((axis) => expected.map((index) => index[axis])),
    );
    expect(shown(argwhere(view))).toEqual({ shape: [expected.length, 3], items: expected.flat() });
    expect(shown(flatnonzero(view)).items).toEqual(expected.map(([i = 0, j = 0, k = 0]) => 6 * i + 3 * j + k));
    for (const each of found) each.close();
  });

  test('nothing, and a single element', () => {
    using none = toDevice(engine(), denseRange([2, 0]));
    expect(nonzero(none).map(({ shape }) => shape)).toEqual([[0], [0]]);
    expect(shown(argwhere(none))).toEqual({ shape: [0, 2], items: [] });
    using five = toDevice(engine(), { shape: [], items: [5] });
    expect(thrown(() => nonzero(five))).toMatch(/rank 1 or more, got one of rank 0; write reshape\(1\) first/);
    expect(shown(argwhere(five)).shape).toEqual([1, 0]);
    using zero = toDevice(engine(), { shape: [3], items: [0, 0, 0] });
    expect(shown(zero.nonzero()[0] as NDArray)).toEqual({ shape: [0], items: [] });
  });

  test.each<ArrayDType>(['u8', 'f16', 'f32', 'i64', 'c128'])('a mask chooses elements of %s', (dtype) => {
    const dense = denseRange([3, 4]);
    using x = toDevice(engine(), dense, dtype);
    using numbers = toDevice(engine(), dense);
    using mask = numbers.remainder(3).equal(1);
    expect(shown(x.at(mask))).toEqual({ shape: [4], items: [1, 4, 7, 10] });
    using turned = x.T;
    using turnedMask = mask.T;
    expect(shown(turned.at(turnedMask))).toEqual({ shape: [4], items: [4, 1, 10, 7] });
  });

  test('a mask takes the place of as many axes as it has', () => {
    const dense = denseRange([2, 3, 4]);
    using x = toDevice(engine(), dense);
    using rows = array(engine(), [false, true, true], { dtype: 'bool' });
    expect(shown(x.at(':', rows))).toEqual({ shape: [2, 2, 4], items: dense.items.filter((i) => i % 12 >= 4) });
    using pairs = array(
      engine(),
      [
        [true, false, false],
        [false, true, true],
      ],
      { dtype: 'bool' },
    );
    expect(shown(x.at(pairs))).toEqual({ shape: [3, 4], items: [0, 1, 2, 3, ...denseRange([8], 16).items] });
    expect(shown(x.at(pairs, -1))).toEqual({ shape: [3], items: [3, 19, 23] });
    // Axes that are not one to the memory: an index for each.
    using view = x.at(':, ::-1');
    expect(shown(view.at(pairs, '::3'))).toEqual({ shape: [3, 2], items: [8, 11, 16, 19, 12, 15] });
    using i = array(engine(), [0, 3, 1], { dtype: 'i32' });
    expect(shown(x.at(pairs, i))).toEqual({ shape: [3], items: [0, 19, 21] });
    expect(shown(x.at(0, rows, i.at(':2')))).toEqual({ shape: [2], items: [4, 11] });
    using yes = array(engine(), [true], { dtype: 'bool' }).at(0);
    expect(shown(x.at(yes)).shape).toEqual([1, 2, 3, 4]);
  });

  test('a mask of another shape is refused with both shapes', () => {
    using x = toDevice(engine(), denseRange([2, 3]));
    using mask = array(engine(), [true, false, true], { dtype: 'bool' });
    expect(thrown(() => x.at(mask))).toBe('RangeError: at: a mask must have the shape of axis 0, [2], got [3]');
    expect(thrown(() => x.setAt(mask, 1))).toBe(
      'RangeError: setAt: a mask must have the shape of axis 0, [2], got [3]',
    );
    using wide = array(engine(), [[[true]]], { dtype: 'bool' });
    expect(thrown(() => x.at(wide))).toMatch(/got 3 for shape \[2, 3\] of rank 2/);
    expect(thrown(() => x.setAt(wide, 1))).toMatch(/got 3 for shape \[2, 3\] of rank 2/);
  });

  test('compress() and extract() choose by a condition', () => {
    const dense = denseRange([3, 4]);
    using x = toDevice(engine(), dense);
    using condition = array(engine(), [0, 1, 1], { dtype: 'i32' });
    expect(shown(compress(condition, x, { axis: 0 }))).toEqual({ shape: [2, 4], items: dense.items.slice(4) });
    expect(shown(x.compress(condition, { axis: 1 })).items).toEqual([1, 2, 5, 6, 9, 10]);
    expect(shown(x.compress(condition)).items).toEqual([1, 2]);
    using even = x.remainder(2).equal(0);
    expect(shown(extract(even, x)).items).toEqual([0, 2, 4, 6, 8, 10]);
    expect(thrown(() => compress(x, x))).toMatch(/the condition must have rank 1, got shape \[3, 4\] of rank 2/);
    using long = array(engine(), [1, 1, 1, 1, 1], { dtype: 'u8' });
    expect(thrown(() => x.compress(long, { axis: 1 }))).toMatch(
      /at most the 4 elements of axis 1 of shape \[3, 4\], got 5/,
    );
    expect(thrown(() => extract(long, x))).toMatch(/12 for \[3, 4\], got 5 for \[5\]/);
  });
});

describeArrays('setAt()', (engine) => {
  test('assigns to a view, as set() does', () => {
    using x = toDevice(engine(), denseRange([2, 3]));
    expect(x.setAt('0, ::2', 9)).toBe(x);
    x.setAt([1, ':2'], [-1, -2]);
    expect(fromDevice(x).items).toEqual([9, 1, 9, -1, -2, 5]);
  });

  test.each<ArrayDType>(['bool', 'u8', 'f16', 'i32', 'c128'])('assigns a number of %s where a mask holds', (dtype) => {
    using x = toDevice(engine(), { shape: [2, 3], items: [0, 0, 1, 0, 1, 0] }, dtype);
    using mask = toDevice(engine(), { shape: [2, 3], items: [1, 0, 1, 0, 0, 1] }, 'bool');
    x.setAt(mask, 1);
    expect(fromDevice(x).items).toEqual([1, 0, 1, 0, 1, 1]);
    using turned = x.T;
    using turnedMask = mask.T;
    setAt(turned, [turnedMask], 0);
    expect(fromDevice(x).items).toEqual([0, 0, 0, 0, 1, 0]);
  });

  test('assigns a row to rows that a mask chooses, and values one after the other', () => {
    using x = toDevice(engine(), denseRange([3, 2]));
    using rows = array(engine(), [true, false, true], { dtype: 'bool' });
    using row = toDevice(engine(), { shape: [2], items: [7, 8] }, 'i16');
    x.setAt(rows, row);
    expect(fromDevice(x).items).toEqual([7, 8, 2, 3, 7, 8]);
    using large = x.greater(6);
    x.setAt(large, [10, 20, 30, 40]);
    expect(fromDevice(x).items).toEqual([10, 20, 2, 3, 30, 40]);
    using four = toDevice(engine(), denseRange([4]));
    x.setAt(large, four);
    expect(fromDevice(x).items).toEqual([0, 1, 2, 3, 2, 3]);
    expect(thrown(() => x.setAt(large, [1, 2]))).toMatch(/elements of shape \[4\], got \[2\]/);
    expect(thrown(() => x.setAt(large, four.at(':3')))).toMatch(/shape \[3\] does not broadcast to \[4\]/);
  });

  test('assigns by arrays of integers, mixed with slices', () => {
    using x = toDevice(engine(), denseRange([3, 4]), 'i32');
    using i = array(engine(), [2, 0], { dtype: 'i32' });
    x.setAt([':', i], 0);
    expect(fromDevice(x).items).toEqual([0, 1, 0, 3, 0, 5, 0, 7, 0, 9, 0, 11]);
    x.setAt(
      [i, '1::2'],
      [
        [100, 200],
        [300, 400],
      ],
    );
    expect(fromDevice(x).items).toEqual([0, 300, 0, 400, 0, 5, 0, 7, 0, 100, 0, 200]);
    using part = x.at('1, 1::2');
    x.setAt([i, i], part);
    expect(fromDevice(x).items).toEqual([7, 300, 0, 400, 0, 5, 0, 7, 0, 100, 5, 200]);
    expect(thrown(() => x.setAt(i, 1.5))).toMatch(/1\.5/);
  });

  test('the array may be its own mask and index', () => {
    using flags = array(engine(), [true, false, true], { dtype: 'bool' });
    flags.setAt(flags, false);
    expect(fromDevice(flags).items).toEqual([0, 0, 0]);
    using x = array(engine(), [1, 2, 0], { dtype: 'i32' });
    x.setAt(x, [10, 20, 30]);
    expect(fromDevice(x).items).toEqual([30, 10, 20]);
  });
});
