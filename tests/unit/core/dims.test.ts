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
  ['4', 'block must be a number or an array of 1 to 3 numbers; the string "4" came'],
  [undefined, 'block must be a number or an array of 1 to 3 numbers; undefined came'],
  [null, 'block must be a number or an array of 1 to 3 numbers; null came'],
  [4n, 'block must be a number or an array of 1 to 3 numbers; 4n came'],
  [{ x: 1 }, 'block must be a number or an array of 1 to 3 numbers; an Object came'],
  [[], 'block must be a number or an array of 1 to 3 numbers; [] came'],
  [[1, 2, 3, 4], 'block must be a number or an array of 1 to 3 numbers; [1, 2, 3, 4] came'],
  [Int32Array.of(1, 2), 'block must be a number or an array of 1 to 3 numbers; an Int32Array came'],
])('readDims() refuses %p as a wrong kind', (value, message) => {
  expect(() => read(value)).toThrow(new TypeError(message));
});

// Not in a table: the runner prints what is in one.
test('readDims() refuses a long array without all of it', () => {
  expect(() => read(new Array(1_000_000).fill(1))).toThrow(
    new TypeError('block must be a number or an array of 1 to 3 numbers; an array of 1000000 came'),
  );
});

test.each([
  [0, 'block must hold integers >= 1; 0 came'],
  [-1, 'block must hold integers >= 1; -1 came'],
  [1.5, 'block must hold integers >= 1; 1.5 came'],
  [NaN, 'block must hold integers >= 1; NaN came'],
  [Infinity, 'block must hold integers <= 4294967295; Infinity came'],
  [2 ** 32, 'block must hold integers <= 4294967295; 4294967296 came'],
  [[1, 0], 'block must hold integers >= 1; [1, 0] came'],
  [[1, '2'], 'block must hold integers >= 1; [1, the string "2"] came'],
  [[1, Object.create(null)], 'block must hold integers >= 1; [1, an object] came'],
  [[1, 2n], 'block must hold integers >= 1; [1, 2n] came'],
  [new Array(2), 'block must hold integers >= 1; [undefined, undefined] came'],
  [[1, undefined, 3], 'block must hold integers >= 1; [1, undefined, 3] came'],
])('readDims() refuses %p as out of range', (value, message) => {
  expect(() => read(value)).toThrow(new RangeError(message));
});
