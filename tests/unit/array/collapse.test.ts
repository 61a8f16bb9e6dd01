import { describe, expect, test } from '@jest/globals';
import { collapse } from '../../../src/array/collapse.ts';

describe('collapse()', () => {
  test('makes one axis of contiguous operands', () => {
    expect(
      collapse(
        [2, 3, 4],
        [
          [12, 4, 1],
          [12, 4, 1],
        ],
      ),
    ).toEqual({ shape: [24], strides: [[1], [1]] });
  });

  test('makes one axis of operands in column-major order, unless the order is kept', () => {
    const operands = [
      [1, 2],
      [1, 2],
    ];
    expect(collapse([2, 3], operands)).toEqual({ shape: [6], strides: [[1], [1]] });
    expect(collapse([2, 3], operands, { keepOrder: true })).toEqual({ shape: [2, 3], strides: operands });
  });

  test('keeps axes apart where one operand needs it', () => {
    expect(
      collapse(
        [2, 3, 4],
        [
          [12, 4, 1],
          [0, 4, 1],
        ],
      ),
    ).toEqual({
      shape: [2, 12],
      strides: [
        [12, 1],
        [0, 1],
      ],
    });
    expect(
      collapse(
        [3, 4],
        [
          [4, 1],
          [0, 0],
        ],
      ),
    ).toEqual({ shape: [12], strides: [[1], [0]] });
  });

  test('sorts by the output, then by the next operand', () => {
    expect(
      collapse(
        [2, 3],
        [
          [1, 2],
          [3, 1],
        ],
      ),
    ).toEqual({
      shape: [3, 2],
      strides: [
        [2, 1],
        [1, 3],
      ],
    });
    expect(
      collapse(
        [2, 3],
        [
          [0, 0],
          [1, 5],
        ],
      ).strides,
    ).toEqual([
      [0, 0],
      [5, 1],
    ]);
    expect(collapse([2, 3], [[1, -7]]).strides).toEqual([[-7, 1]]);
  });

  test('has no axis for a single element, and an axis of length 0 for none', () => {
    expect(collapse([], [[], []])).toEqual({ shape: [], strides: [[], []] });
    expect(collapse([1, 1], [[5, 9]])).toEqual({ shape: [], strides: [[]] });
    expect(collapse([3, 0, 2], [[0, 2, 1]])).toEqual({ shape: [0], strides: [[0]] });
    expect(collapse([3, 2], [])).toEqual({ shape: [6], strides: [] });
  });
});
