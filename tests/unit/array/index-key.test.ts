import { describe, expect, test } from '@jest/globals';
import { applyIndex, type IndexKey, newaxis } from '../../../src/array/index-key.ts';
import { contiguous } from '../../../src/array/layout.ts';
import { Slice, slice } from '../../../src/array/slice.ts';
import { denseOf, pythonRange } from '../../helpers/dense-array.ts';
import { thrown } from '../../helpers/thrown.ts';

const matrix = contiguous([3, 4]);

describe('slice()', () => {
  test('takes what Python takes, for every start, stop, step and length', () => {
    const ends = [null, -7, -4, -3, -1, 0, 1, 2, 4, 5, 9];
    const [found, wanted]: [string[], string[]] = [[], []];
    for (const length of [0, 1, 4, 5]) {
      for (const start of ends) {
        for (const stop of ends) {
          for (const step of [1, 2, 3, 9, -1, -2, -3, -9]) {
            const name = `${start}:${stop}:${step} of ${length}: `;
            const view = applyIndex(contiguous([length]), [slice(start, stop, step)]);
            found.push(name + denseOf(view).items.join());
            wanted.push(name + pythonRange(start, stop, step, length).join());
          }
        }
      }
    }
    expect(found).toEqual(wanted);
  });

  test('starts where its single argument says', () => {
    expect(denseOf(applyIndex(contiguous([4]), [slice(1)])).items).toEqual([1, 2, 3]);
    expect(denseOf(applyIndex(contiguous([4]), [slice(undefined, 1n)])).items).toEqual([0]);
    expect(denseOf(applyIndex(contiguous([4]), [slice(null, null, -2)])).items).toEqual([3, 1]);
  });

  test('takes ends and steps of any size', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(applyIndex(contiguous([4, 5]), [slice(-most, most, most)])).toEqual({
      shape: [1, 5],
      strides: [5, 1],
      offset: 0,
    });
    expect(applyIndex(contiguous([4, 5]), [slice(null, null, -most)])).toEqual({
      shape: [1, 5],
      strides: [5, 1],
      offset: 15,
    });
  });

  test('is the text that at() takes', () => {
    expect([slice(), slice(1), slice(null, -2), slice(1, 5, 2), slice(null, null, -1)].map(String)).toEqual([
      ':',
      '1:',
      ':-2',
      '1:5:2',
      '::-1',
    ]);
  });

  test('is known by its brand; other objects are not slices', () => {
    expect(slice() instanceof Slice).toBe(true);
    expect(Object.create(Slice.prototype) instanceof Slice).toBe(false);
    expect(() => applyIndex(matrix, [Object.create(Slice.prototype) as Slice])).toThrow(TypeError);
  });

  test.each<[() => unknown, Error]>([
    [() => slice(0, 1, 0), new RangeError('The step of a slice must be an integer other than 0, got 0')],
    [() => slice(0.5), new RangeError('The start of a slice must be an integer within 2^53 or left out, got 0.5')],
    [
      () => slice(0, Infinity),
      new RangeError('The stop of a slice must be an integer within 2^53 or left out, got Infinity'),
    ],
    [
      () => slice('1' as never),
      new TypeError('The start of a slice must be an integer within 2^53 or left out, got the string "1"'),
    ],
    [
      () => slice(0, 1, true as never),
      new TypeError('The step of a slice must be an integer within 2^53 or left out, got true'),
    ],
  ])('refuses what is not an integer: %s', (act, error) => {
    expect(thrown(act)).toBe(String(error));
  });
});

describe('applyIndex()', () => {
  test.each<[IndexKey[], number[], number[]]>([
    [[], [3, 4], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    [[1], [4], [4, 5, 6, 7]],
    [[-1n, 2], [], [10]],
    [['1:, ::2'], [2, 2], [4, 6, 8, 10]],
    [
      ['1:', '::2'],
      [2, 2],
      [4, 6, 8, 10],
    ],
    [
      [slice(1), newaxis, 0],
      [2, 1],
      [4, 8],
    ],
    [['...', 0], [3], [0, 4, 8]],
    [['..., 0'], [3], [0, 4, 8]],
    [['0, ...'], [4], [0, 1, 2, 3]],
    [['0, ..., 1'], [], [1]],
    [
      [':, None', '-1'],
      [3, 1],
      [3, 7, 11],
    ],
    [
      ['newaxis', '...', null],
      [1, 3, 4, 1],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    ],
    [['-1'], [4], [8, 9, 10, 11]],
    [['\t- 1 , + 1 : -1 '], [2], [9, 10]],
    [['1,'], [4], [4, 5, 6, 7]],
    [[-0], [4], [0, 1, 2, 3]],
  ])('of %j', (keys, shape, items) => {
    expect(denseOf(applyIndex(matrix, keys))).toEqual({ shape, items });
  });

  test('takes a scalar without keys, and with the ellipsis and new axes', () => {
    expect(applyIndex(contiguous([], 3), []).offset).toBe(3);
    expect(applyIndex(contiguous([], 3), ['..., None'])).toEqual({ shape: [1], strides: [0], offset: 3 });
  });

  test('keeps the offset of the layout where no element is left', () => {
    expect(applyIndex(contiguous([3, 4], 5), [slice(3), 2])).toEqual({ shape: [0], strides: [4], offset: 5 });
    expect(applyIndex(contiguous([0, 4], 5), [':', 3]).offset).toBe(5);
  });

  test.each<[unknown[], Error]>([
    [[5], new RangeError('index 5 is out of range for axis 0 of length 3')],
    [[0, -5], new RangeError('index -5 is out of range for axis 1 of length 4')],
    [['..., 4'], new RangeError('index 4 is out of range for axis 1 of length 4')],
    [[10n ** 15n], new RangeError('index 1000000000000000 is out of range for axis 0 of length 3')],
    [[1.5], new RangeError('An index must be an integer within 2^53, got 1.5')],
    [[NaN], new RangeError('An index must be an integer within 2^53, got NaN')],
    [[2n ** 64n], new RangeError('An index must be an integer within 2^53, got 18446744073709551616n')],
    [['9007199254740993'], new RangeError('The numbers of an index must be within 2^53, got 9007199254740993')],
    [['::0'], new RangeError('The step of a slice must be an integer other than 0, got 0')],
    [
      [0, '0, :'],
      new RangeError('An index must have at most one part for each axis, got 3 for shape [3, 4] of rank 2'),
    ],
    [new Array(31).fill(null), new RangeError('The result of an index must have at most 32 axes, got 33')],
    [['...', '..., 0'], new SyntaxError("An index must have at most one '...', got 2")],
  ])('of %j is an error', (keys, error) => {
    expect(thrown(() => applyIndex(matrix, keys as IndexKey[]))).toBe(String(error));
  });

  test.each<[unknown, string]>([
    [undefined, 'undefined'],
    [true, 'true'],
    [[0, 1], 'an Array; write xp.array(…, { dtype })'],
    [Int32Array.of(0), 'an Int32Array; write xp.array(…, { dtype })'],
    [{ start: 1, stop: 2, step: 1 }, 'an Object'],
  ])('takes no view of %p', (key, name) => {
    const message =
      "An index must be an integer, a slice(), null (a new axis), text such as '1:, ::2' or '...', or an NDArray, got " +
      name;
    expect(thrown(() => applyIndex(matrix, [key as IndexKey]))).toBe(`TypeError: ${message}`);
  });

  test.each([
    ['', 0, 'nothing'],
    [',', 0, 'nothing'],
    ['1:,, 2', 3, 'nothing'],
    ['1:, a', 4, '"a"'],
    ['1:2:3:4', 0, '"1:2:3:4"'],
    ['0, 1.5', 3, '"1.5"'],
    [':, 1 2', 3, '"1 2"'],
    ['[0]', 0, '"[0]"'],
    ['True', 0, '"True"'],
    ['None:2', 0, '"None:2"'],
    ['..', 0, '".."'],
    ['0, 0x1', 3, '"0x1"'],
  ])('cannot read the text %j', (text, position, got) => {
    const message =
      `The index ${JSON.stringify(text)} cannot be read: at position ${position} must be an integer, ` +
      `a slice such as 1:5:2, ... or None, got ${got}`;
    expect(thrown(() => applyIndex(matrix, [text]))).toBe(`SyntaxError: ${message}`);
  });

  test('cuts a long text in its message', () => {
    expect(() => applyIndex(matrix, ['x'.repeat(1e6)])).toThrow(/^.{1,300}$/);
  });
});
