import { describe, expect, test } from '@jest/globals';
import { broadcastShapes, broadcastTo } from '../../../src/array/broadcast.ts';
import { contiguous } from '../../../src/array/layout.ts';
import { readNewShape, reshapeView } from '../../../src/array/reshape.ts';
import { expandDims, flip, moveaxis, permute, squeeze, swapLastTwo, transpose } from '../../../src/array/view.ts';
import { thrown } from '../../helpers/thrown.ts';

const cube = contiguous([2, 3, 4], 5);

describe('views', () => {
  test('rearrange the axes', () => {
    expect(permute(cube, [2, 0, -2])).toEqual({ shape: [4, 2, 3], strides: [1, 12, 4], offset: 5 });
    expect(transpose(cube)).toEqual({ shape: [4, 3, 2], strides: [1, 4, 12], offset: 5 });
    expect(swapLastTwo(cube)).toEqual({ shape: [2, 4, 3], strides: [12, 1, 4], offset: 5 });
    expect(moveaxis(cube, 0, -1)).toEqual({ shape: [3, 4, 2], strides: [4, 1, 12], offset: 5 });
    expect(moveaxis(cube, [0, 1], [2, 0]).shape).toEqual([3, 4, 2]);
  });

  test('add and drop axes of length 1', () => {
    expect(expandDims(cube, [0, -1]).shape).toEqual([1, 2, 3, 4, 1]);
    const wide = contiguous([1, 3, 1]);
    expect(squeeze(wide).shape).toEqual([3]);
    expect(squeeze(wide, -1)).toEqual({ shape: [1, 3], strides: [3, 1], offset: 0 });
    expect(squeeze(wide, []).shape).toEqual([1, 3, 1]);
  });

  test('run backwards from the last element', () => {
    expect(flip(cube)).toEqual({ shape: [2, 3, 4], strides: [-12, -4, -1], offset: 28 });
    expect(flip(cube, 1)).toEqual({ shape: [2, 3, 4], strides: [12, -4, 1], offset: 13 });
    expect(flip(contiguous([0, 3], 2)).offset).toBe(2);
    expect(flip(broadcastTo(contiguous([1]), [4])).strides).toStrictEqual([0]);
  });

  test.each<[string, () => unknown, Error]>([
    [
      'permute',
      () => permute(cube, [0, 1]),
      new RangeError('axes must name every axis of an array of rank 3, got [0, 1]'),
    ],
    [
      'permute',
      () => permute(cube, [0, 1, 1]),
      new RangeError('axes must name an axis once, got [0, 1, 1] for an array of rank 3'),
    ],
    [
      'permute',
      () => permute(cube, undefined as never),
      new TypeError('axes must be an integer or a list of them, got undefined'),
    ],
    [
      'swapLastTwo',
      () => swapLastTwo(contiguous([3])),
      new RangeError('The array of matrices must have a rank of at least 2, got 1'),
    ],
    [
      'squeeze',
      () => squeeze(cube, [1]),
      new RangeError('axis must name axes of length 1, got 1 of length 3 of [2, 3, 4]'),
    ],
    ['expandDims', () => expandDims(cube, 4), new RangeError('axis must be in -4 to 3 for a result of rank 4, got 4')],
    [
      'expandDims',
      () => expandDims(cube, null as never),
      new TypeError('axis must be an integer or a list of them, got null'),
    ],
    [
      'expandDims',
      () => expandDims(contiguous(new Array<number>(32).fill(1)), 0),
      new RangeError('The result must have at most 32 axes, got 33'),
    ],
    ['flip', () => flip(cube, 3), new RangeError('axis must be in -3 to 2 for an array of rank 3, got 3')],
    [
      'moveaxis',
      () => moveaxis(cube, [0, 1], 0),
      new RangeError('There must be as many places as axes to move, got 0 for [0, 1]'),
    ],
  ])('%s() refuses axes that are none', (_, act, error) => {
    expect(thrown(act)).toBe(String(error));
  });
});

describe('broadcasting', () => {
  test.each<[number[][], number[]]>([
    [[], []],
    [[[]], []],
    [[[], [3]], [3]],
    [
      [[2, 1], [3]],
      [2, 3],
    ],
    [
      [
        [2, 3],
        [1, 3],
        [2, 1, 1],
      ],
      [2, 2, 3],
    ],
    [[[0], [1]], [0]],
    [
      [
        [5, 0],
        [5, 1],
      ],
      [5, 0],
    ],
  ])('of %j is %j', (shapes, expected) => {
    expect(broadcastShapes(shapes)).toEqual(expected);
  });

  test.each<[number[][], string]>([
    [[[2, 3], [4]], 'Shapes [2, 3] and [4] do not broadcast: axis -1 has 3 and 4'],
    [[[2, 3], [1], [5, 3], [4, 1]], 'Shapes [2, 3], [1], [5, 3] and [4, 1] do not broadcast: axis -2 has 2, 5 and 4'],
    [[[0], [3]], 'Shapes [0] and [3] do not broadcast: axis -1 has 0 and 3'],
    [
      [
        [2 ** 30, 1],
        [1, 2 ** 30],
      ],
      'The shape that arrays broadcast to must have at most 2^53 - 1 elements, got [1073741824, 1073741824]',
    ],
  ])('of %j is an error', (shapes, message) => {
    expect(thrown(() => broadcastShapes(shapes))).toBe(`RangeError: ${message}`);
  });

  test('to a shape repeats elements with stride 0', () => {
    expect(broadcastTo(contiguous([2, 1], 3), [4, 2, 5])).toEqual({ shape: [4, 2, 5], strides: [0, 1, 0], offset: 3 });
    expect(broadcastTo(contiguous([1]), [0])).toEqual({ shape: [0], strides: [0], offset: 0 });
  });

  test.each<[number[], number[], string]>([
    [[2, 3], [4, 3], 'An array of shape [2, 3] does not broadcast to [4, 3]: axis -2 has 2, not 1 or 4'],
    [[2, 3], [3], 'An array of shape [2, 3] does not broadcast to [3]: it has 2 axes, not 1 or fewer'],
    [[3], [1], 'An array of shape [3] does not broadcast to [1]: axis -1 has 3, not 1'],
  ])('of %j to %j is an error', (from, to, message) => {
    expect(thrown(() => broadcastTo(contiguous(from), to))).toBe(`RangeError: ${message}`);
  });
});

describe('reshaping', () => {
  test('of contiguous elements is a view of contiguous elements', () => {
    expect(reshapeView(cube, [4, 6])).toEqual(contiguous([4, 6], 5));
    expect(reshapeView(cube, -1)).toEqual(contiguous([24], 5));
    expect(reshapeView(cube, [2, 1, -1])).toEqual(contiguous([2, 1, 12], 5));
    expect(reshapeView(contiguous([], 2), [1, 1])?.shape).toEqual([1, 1]);
    expect(reshapeView(contiguous([1, 1], 2), [])).toEqual(contiguous([], 2));
  });

  test('of strided axes is a view where each new axis has a stride', () => {
    const rows = { shape: [4, 6], strides: [20, 2], offset: 0 };
    expect(reshapeView(rows, [2, 2, 3, 2])?.strides).toEqual([40, 20, 4, 2]);
    expect(reshapeView(rows, [24])).toBeUndefined();
    expect(reshapeView(rows, [8, 3])?.strides).toBeUndefined();
    expect(reshapeView(transpose(contiguous([2, 3])), [6])).toBeUndefined();
    expect(reshapeView(flip(contiguous([6])), [2, 3])).toEqual({ shape: [2, 3], strides: [-3, -1], offset: 5 });
  });

  test('of no elements works for every shape of none', () => {
    expect(reshapeView(contiguous([0, 3], 4), [5, 0])).toEqual(contiguous([5, 0], 4));
    expect(reshapeView(contiguous([0, 3]), [-1, 3])?.shape).toEqual([0, 3]);
  });

  test.each<[unknown, Error]>([
    [[4, 2], new RangeError('An array of shape [2, 3] has 6 elements and cannot be reshaped to [4, 2] of 8')],
    [
      [4, -1],
      new RangeError('An array of shape [2, 3] has 6 elements and cannot be reshaped to [4, -1] of a multiple of 4'),
    ],
    [[-1, -1], new RangeError('shape must have at most one -1, got [-1, -1]')],
    [[-1, 0], new RangeError('shape must have no -1 beside a length of 0, which leaves it open, got [-1, 0]')],
    [[-2, 3], new RangeError('shape must hold integers >= 0 below 2^53, got [-2, 3]')],
    [[-1, '3'], new TypeError('shape must hold integers >= 0 below 2^53, got [-1, the string "3"]')],
    ['6', new TypeError('shape must be an integer >= 0 below 2^53 or a list of them, got the string "6"')],
  ])('to %j is an error', (shape, error) => {
    expect(thrown(() => readNewShape([2, 3], shape))).toBe(String(error));
  });
});
