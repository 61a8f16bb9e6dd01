import { expect, test } from '@jest/globals';
import { readDims } from '../../../src/core/dims.ts';

function read(value: unknown, min?: number): number[] {
  const target = new Uint32Array(3);
  readDims(value, 'block', target, 0, min);
  return [...target];
}

test.each<[unknown, number[]]>([
  [5, [5, 1, 1]],
  [[5], [5, 1, 1]],
  [
    [5, 6],
    [5, 6, 1],
  ],
  [
    [5, 6, 7],
    [5, 6, 7],
  ],
  [0xffff_ffff, [0xffff_ffff, 1, 1]],
])('readDims() writes %j as %j', (value, expected) => {
  expect(read(value)).toEqual(expected);
});

test('readDims() returns how many sizes were given', () => {
  const target = new Float64Array(3);
  expect([readDims(4, 'x', target), readDims([1, 2], 'x', target), readDims([1, 2, 3], 'x', target)]).toEqual([
    1, 2, 3,
  ]);
});

test('readDims() writes at an offset and leaves the rest alone', () => {
  const target = new Uint32Array(6).fill(9);
  readDims([2, 3], 'x', target, 2);
  expect([...target]).toEqual([9, 9, 2, 3, 1, 9]);
});

test('readDims() takes 0 where the least is 0', () => {
  expect(read([0, 4], 0)).toEqual([0, 4, 1]);
});

test.each([
  ['4', 'block must be a number or an array of 1 to 3 numbers, got the string "4"'],
  [undefined, 'block must be a number or an array of 1 to 3 numbers, got undefined'],
  [null, 'block must be a number or an array of 1 to 3 numbers, got null'],
  [4n, 'block must be a number or an array of 1 to 3 numbers, got 4n'],
  [{ x: 1 }, 'block must be a number or an array of 1 to 3 numbers, got an Object'],
  [[], 'block must be a number or an array of 1 to 3 numbers, got []'],
  [[1, 2, 3, 4], 'block must be a number or an array of 1 to 3 numbers, got [1, 2, 3, 4]'],
  [Int32Array.of(1, 2), 'block must be a number or an array of 1 to 3 numbers, got an Int32Array'],
])('readDims() refuses %p as a wrong kind', (value, message) => {
  expect(() => read(value)).toThrow(new TypeError(message));
});

// Not in a table: the runner prints what is in one.
test('readDims() refuses a long array without all of it', () => {
  expect(() => read(new Array(1_000_000).fill(1))).toThrow(
    new TypeError('block must be a number or an array of 1 to 3 numbers, got an array of 1000000'),
  );
});

test.each([
  [0, 'block must hold integers >= 1, got 0'],
  [-1, 'block must hold integers >= 1, got -1'],
  [1.5, 'block must hold integers >= 1, got 1.5'],
  [NaN, 'block must hold integers >= 1, got NaN'],
  [Infinity, 'block must hold integers <= 4294967295, got Infinity'],
  [2 ** 32, 'block must hold integers <= 4294967295, got 4294967296'],
  [[1, 0], 'block must hold integers >= 1, got [1, 0]'],
  [[1, '2'], 'block must hold integers >= 1, got [1, the string "2"]'],
  [[1, Object.create(null)], 'block must hold integers >= 1, got [1, an object]'],
  [[1, 2n], 'block must hold integers >= 1, got [1, 2n]'],
  [new Array(2), 'block must hold integers >= 1, got [undefined, undefined]'],
  [[1, undefined, 3], 'block must hold integers >= 1, got [1, undefined, 3]'],
])('readDims() refuses %p as out of range', (value, message) => {
  expect(() => read(value)).toThrow(new RangeError(message));
});
