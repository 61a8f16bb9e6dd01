import { describe, expect, test } from '@jest/globals';
import { normalizeAxes, normalizeAxis } from '../../../src/array/axes.ts';
import { MAX_RANK, readShape, sizeOf } from '../../../src/array/shape.ts';
import { thrown } from '../../helpers/thrown.ts';

describe('readShape()', () => {
  test.each<[unknown, number[]]>([
    [3, [3]],
    [0, [0]],
    [4n, [4]],
    [[], []],
    [
      [2, 3n, 0],
      [2, 3, 0],
    ],
    [Int32Array.of(2, 5), [2, 5]],
    [BigInt64Array.of(7n), [7]],
    [{ length: 2, 0: 4, 1: 6 }, [4, 6]],
    [[-0], [0]],
    [new Array<number>(MAX_RANK).fill(1), new Array<number>(MAX_RANK).fill(1)],
    [
      [2 ** 30, 2 ** 22],
      [2 ** 30, 2 ** 22],
    ],
  ])('takes %p', (value, shape) => {
    expect(readShape(value, 'shape')).toStrictEqual(shape);
  });

  test.each<[unknown, string]>([
    ['3', 'shape must be an integer >= 0 below 2^53 or a list of them, got the string "3"'],
    [undefined, 'shape must be an integer >= 0 below 2^53 or a list of them, got undefined'],
    [null, 'shape must be an integer >= 0 below 2^53 or a list of them, got null'],
    [{}, 'shape must be an integer >= 0 below 2^53 or a list of them, got an Object'],
    [new DataView(new ArrayBuffer(8)), 'shape must be an integer >= 0 below 2^53 or a list of them, got a DataView'],
    [[2, '3'], 'shape must hold integers >= 0 below 2^53, got [2, the string "3"]'],
    [[2, [3]], 'shape must hold integers >= 0 below 2^53, got [2, an Array]'],
    [[true], 'shape must hold integers >= 0 below 2^53, got [true]'],
    [new Array(1), 'shape must hold integers >= 0 below 2^53, got [undefined]'],
  ])('refuses the kind of %p', (value, message) => {
    expect(thrown(() => readShape(value, 'shape'))).toBe(`TypeError: ${message}`);
  });

  test.each<[unknown, string]>([
    [-1, 'shape must be an integer >= 0 below 2^53 or a list of them, got -1'],
    [1.5, 'shape must be an integer >= 0 below 2^53 or a list of them, got 1.5'],
    [[2, -3], 'shape must hold integers >= 0 below 2^53, got [2, -3]'],
    [[2, NaN], 'shape must hold integers >= 0 below 2^53, got [2, NaN]'],
    [[2n ** 53n], 'shape must hold integers >= 0 below 2^53, got [9007199254740992n]'],
    [[2 ** 30, 2 ** 30], 'shape must have at most 2^53 - 1 elements, got [1073741824, 1073741824]'],
    [[2 ** 30, 0, 2 ** 30], 'shape must have at most 2^53 - 1 elements, got [1073741824, 0, 1073741824]'],
    [new Float32Array(40), 'shape must have at most 32 axes, got 40'],
  ])('refuses the size of %p', (value, message) => {
    expect(thrown(() => readShape(value, 'shape'))).toBe(`RangeError: ${message}`);
  });
});

test('sizeOf() multiplies the lengths, and a scalar has one element', () => {
  expect([sizeOf([]), sizeOf([2, 3, 4]), sizeOf([2, 0])]).toEqual([1, 24, 0]);
});

describe('normalizeAxis()', () => {
  test('counts negative axes from the end', () => {
    expect([-3, -1, 0, 2, -0, 1n].map((axis) => normalizeAxis(axis, 3, 'axis'))).toStrictEqual([0, 2, 0, 2, 0, 1]);
  });

  test.each<[unknown, number, Error]>([
    [5, 2, new RangeError('axis must be in -2 to 1 for an array of rank 2, got 5')],
    [-3, 2, new RangeError('axis must be in -2 to 1 for an array of rank 2, got -3')],
    [0.5, 2, new RangeError('axis must be in -2 to 1 for an array of rank 2, got 0.5')],
    [NaN, 1, new RangeError('axis must be in -1 to 0 for an array of rank 1, got NaN')],
    [0, 0, new RangeError('axis must be left out for an array of rank 0, got 0')],
    ['0', 2, new TypeError('axis must be an integer, got the string "0"')],
    [null, 2, new TypeError('axis must be an integer, got null')],
  ])('refuses %p for rank %i', (axis, rank, error) => {
    expect(thrown(() => normalizeAxis(axis, rank, 'axis'))).toBe(String(error));
  });
});

describe('normalizeAxes()', () => {
  test('keeps the order, and takes all axes where none are given', () => {
    expect(normalizeAxes(undefined, 3, 'axis')).toEqual([0, 1, 2]);
    expect(normalizeAxes(-1, 3, 'axis')).toEqual([2]);
    expect(normalizeAxes([-1, 0], 3, 'axis')).toEqual([2, 0]);
    expect(normalizeAxes([], 3, 'axis')).toEqual([]);
  });

  test.each<[unknown, Error]>([
    [[0, 1, -2], new RangeError('axis must name an axis once, got [0, 1, -2] for an array of rank 3')],
    [[0, 3], new RangeError('axis must be in -3 to 2 for an array of rank 3, got 3')],
    [[0, 'x'], new TypeError('axis must be an integer, got the string "x"')],
    ['0', new TypeError('axis must be an integer or a list of them, got the string "0"')],
    [null, new TypeError('axis must be an integer or a list of them, got null')],
  ])('refuses %p', (axes, error) => {
    expect(thrown(() => normalizeAxes(axes as number[], 3, 'axis'))).toBe(String(error));
  });
});
