import { describe, expect, test } from '@jest/globals';
import { contiguous, extentOf, isColumnMajor, isContiguous } from '../../../src/array/layout.ts';
import { hasInternalOverlap, overlap } from '../../../src/array/overlap.ts';
import { applyIndex } from '../../../src/array/index-key.ts';
import { broadcastTo } from '../../../src/array/broadcast.ts';
import { transpose } from '../../../src/array/view.ts';

describe('a layout', () => {
  test('in row-major order has the strides of NumPy, also without an element', () => {
    expect(contiguous([2, 3, 4], 7)).toEqual({ shape: [2, 3, 4], strides: [12, 4, 1], offset: 7 });
    expect(contiguous([2, 0, 3]).strides).toEqual([3, 3, 1]);
    expect(contiguous([])).toEqual({ shape: [], strides: [], offset: 0 });
  });

  test('is contiguous whatever the strides of axes of length 1, and without an element', () => {
    expect(isContiguous({ shape: [2, 1, 3], strides: [3, 99, 1], offset: 0 })).toBe(true);
    expect(isColumnMajor({ shape: [2, 1, 3], strides: [1, -5, 2], offset: 0 })).toBe(true);
    const empty = { shape: [2, 0, 3], strides: [7, 5, 9], offset: 0 };
    expect([isContiguous(empty), isColumnMajor(empty)]).toEqual([true, true]);
    const backwards = { shape: [3], strides: [-1], offset: 2 };
    expect([isContiguous(backwards), isColumnMajor(backwards)]).toEqual([false, false]);
    const matrix = contiguous([2, 3]);
    expect([isContiguous(matrix), isColumnMajor(matrix)]).toEqual([true, false]);
    expect([isContiguous(transpose(matrix)), isColumnMajor(transpose(matrix))]).toEqual([false, true]);
    const scalar = contiguous([], 3);
    expect([isContiguous(scalar), isColumnMajor(scalar)]).toEqual([true, true]);
  });

  test('has the extent of its elements, below its offset for negative strides', () => {
    expect(extentOf({ shape: [3, 2], strides: [-4, 1], offset: 10 })).toEqual([2, 11]);
    expect(extentOf(contiguous([], 4))).toEqual([4, 4]);
    expect(extentOf(contiguous([3, 0], 4))).toBeUndefined();
  });
});

describe('overlap()', () => {
  const whole = contiguous([6, 6]);
  const part = (text: string) => applyIndex(whole, [text]);

  test.each([
    ['0', '1', 'none'],
    [':3', '3:', 'none'],
    [':, :3', ':, 3:', 'none'],
    ['::2', '1::2', 'none'],
    [':, ::2', ':, 1::2', 'none'],
    [':3, :3', '3:, 3:', 'none'],
    ['1:, :3', '1:, :3', 'same'],
    [':, ::-1', ':, ::-1', 'same'],
    ['1:', ':-1', 'maybe'],
    ['::-1', ':', 'maybe'],
    [':3, :3', '2:, 2:', 'maybe'],
    ['2:2', ':', 'none'],
    ['1, 1', '1, 1', 'same'],
  ])('of [%s] and [%s] is %s', (a, b, expected) => {
    expect(overlap(part(a), part(b))).toBe(expected);
    expect(overlap(part(b), part(a))).toBe(expected);
  });

  test('of the same elements in another shape or order is no safe place for the result', () => {
    expect(overlap(whole, transpose(whole))).toBe('maybe');
    expect(overlap(whole, contiguous([36]))).toBe('maybe');
  });

  test('ignores the strides of axes of length 1', () => {
    expect(overlap(contiguous([1, 4]), { shape: [1, 4], strides: [0, 1], offset: 0 })).toBe('same');
  });

  test('gives up a long search on the safe side', () => {
    const wide = { shape: new Array<number>(12).fill(40), strides: [] as number[], offset: 0 };
    const strides = Array.from({ length: 12 }, (_, i) => 1_000_003 + 2 * i * i);
    // As many strides are an even number, and the distance is odd: nothing is shared, which only a long search could tell.
    const distance = 20 * 1_000_003 + 1;
    expect(overlap({ ...wide, strides }, { ...wide, strides, offset: distance })).toBe('maybe');
  });

  test('inside of a view is where an element has two indices', () => {
    expect(hasInternalOverlap(broadcastTo(contiguous([3]), [2, 3]))).toBe(true);
    expect(hasInternalOverlap({ shape: [4, 3], strides: [1, 1], offset: 0 })).toBe(true);
    expect(hasInternalOverlap({ shape: [4, 3], strides: [2, -1], offset: 2 })).toBe(true);
    expect(hasInternalOverlap(broadcastTo(contiguous([3]), [1, 3]))).toBe(false);
    expect(hasInternalOverlap(broadcastTo(contiguous([3]), [0, 3]))).toBe(false);
    expect(hasInternalOverlap(part('::-2, ::3'))).toBe(false);
    expect(hasInternalOverlap(contiguous([]))).toBe(false);
  });
});
