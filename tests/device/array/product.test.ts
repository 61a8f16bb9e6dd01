import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import { broadcastTo } from '../../../src/array/broadcast.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { matmul } from '../../../src/array/function/product.ts';
import { viewOf, type NDArray } from '../../../src/array/ndarray.ts';
import { permute } from '../../../src/array/view.ts';
import { expected, found, integersOf, numbers } from '../../helpers/array-elements.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';

const ways = deviceWays.slice(0, 2);

/** The product of two matrices. */
function multiplied(x: NDArray, y: NDArray): { shape: number[]; elements: number[] } {
  const [m = 0, k = 0] = x.shape;
  const [, n = 0] = y.shape;
  const [left, right] = [numbers(x), numbers(y)];
  const elements = new Array<number>(m * n).fill(0);
  for (let i = 0; i < m; i++) {
    for (let l = 0; l < k; l++) {
      for (let j = 0; j < n; j++) {
        elements[i * n + j] =
          (elements[i * n + j] as number) + (left[i * k + l] as number) * (right[l * n + j] as number);
      }
    }
  }
  return { shape: [m, n], elements };
}

describeArrays('products', (engine) => {
  const integers = (shape: readonly number[], seed: number, dtype?: ArrayDType): NDArray =>
    integersOf(engine(), shape, seed, dtype);

  test.each(ways)('multiply matrices of any size, whichever way they lie, %s', (_, way) => {
    inWay(engine(), way, () => {
      const sizes = [
        [15, 16, 17],
        [63, 64, 65],
        [64, 63, 100],
        [65, 100, 63],
        [100, 1, 100],
        [1, 17, 64],
        [65, 64, 1],
        [1, 100, 1],
        [3, 0, 4],
        [0, 3, 4],
        [130, 33, 257],
      ] as const;
      for (const [i, [m, k, n]] of sizes.entries()) {
        using x = integers([m, k], i);
        using y = integers([k, n], i + 20);
        using product = x.matmul(y);
        expect(found(product)).toEqual(multiplied(x, y));
        if (i > 3) continue;
        using ofXT = integers([k, m], i + 40);
        using ofYT = integers([n, k], i + 60);
        using xt = ofXT.T;
        using yt = ofYT.T;
        for (const [left, right] of [
          [x, yt],
          [xt, y],
          [xt, yt],
        ] as const) {
          using other = left.matmul(right);
          expect(found(other)).toEqual(multiplied(left, right));
        }
      }
    });
  });

  test.each(ways)('multiply parts of matrices, reversed and with gaps, %s', (_, way) => {
    inWay(engine(), way, () => {
      using x = integers([40, 90], 1);
      using y = integers([90, 70], 2);
      using left = x.at('::-1, ::3');
      using right = y.at('::-3, 5::2');
      using product = left.matmul(right);
      expect(found(product)).toEqual(multiplied(left, right));
      using row = x.at('3:4, ::3');
      using repeated = viewOf(row, broadcastTo(row, [20, 30]));
      using other = repeated.matmul(right);
      expect(found(other)).toEqual(multiplied(repeated, right));
    });
  });

  test.each(ways)('cut a long contracted axis into parts, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const [m, n] of [
        [5, 6],
        [1, 6],
        [5, 1],
        [1, 1],
      ] as const) {
        using x = integers([m, 9001], m);
        using y = integers([9001, n], n);
        using product = x.matmul(y);
        expect(found(product)).toEqual(multiplied(x, y));
      }
      using x = integers([2, 3, 9001], 7, 'i8');
      using y = integers([2, 9001, 4], 8, 'i8');
      using product = x.matmul(y);
      const { shape, elements } = expected('bij,bjk->bik', x, y);
      expect(found(product)).toEqual({ shape, elements: elements.map((value) => (value << 24) >> 24) });
    });
  });

  test.each(ways)('multiply batches that broadcast, %s', (_, way) => {
    inWay(engine(), way, () => {
      using x = integers([3, 1, 4, 5], 1);
      using y = integers([2, 5, 6], 2);
      using z = integers([5, 6], 3);
      using flat = integers([4, 5], 4);
      using vector = integers([5], 5);
      using xy = x.matmul(y);
      expect(found(xy)).toEqual(expected('acij,bjk->abik', x, y));
      using xz = x.matmul(z);
      expect(found(xz)).toEqual(expected('abij,jk->abik', x, z));
      using flatY = flat.matmul(y);
      expect(found(flatY)).toEqual(expected('ij,bjk->bik', flat, y));
      using xv = x.matmul(vector);
      expect(found(xv)).toEqual(expected('abij,j->abi', x, vector));
      using vy = vector.matmul(y);
      expect(found(vy)).toEqual(expected('j,bjk->bk', vector, y));
      using vv = vector.matmul(vector);
      expect(found(vv)).toEqual(expected('j,j->', vector, vector));
      using none = integers([0, 5, 6], 6);
      using ofNone = flat.matmul(none);
      expect(ofNone.shape).toEqual([0, 4, 6]);
    });
  });

  test('multiply batches along more axes than a kernel has', () => {
    using x = integers([2, 3, 2, 3, 2, 2, 3], 1);
    using y = integers([2, 3, 2, 3, 2, 3, 2], 2);
    using turned = viewOf(x, permute(x, [4, 3, 2, 1, 0, 5, 6]));
    using product = turned.matmul(y);
    expect(found(product)).toEqual(expected('abcdeij,abcdejk->abcdeik', turned, y));
  });

  test.each(ways)('multiply elements of every dtype, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const dtype of ['bool', 'i8', 'u16', 'i32', 'u64', 'f16', 'bf16', 'f64', 'c64', 'c128'] as const) {
        using x = array(engine(), [1, 0, 1, 1, 2, 1], { shape: [2, 3], dtype: dtype === 'bool' ? 'u8' : dtype });
        using y = array(engine(), [1, 3, 0, 1, 0, 0], { shape: [3, 2], dtype: dtype === 'bool' ? 'u8' : dtype });
        using left = x.astype(dtype);
        using right = y.astype(dtype);
        using product = left.matmul(right);
        using vector = left.matmul(right.at(':, 1'));
        using wide = product.astype('c128');
        using wideVector = vector.astype('c128');
        const wanted = dtype === 'bool' ? [1, 1, 1, 1] : [1, 3, 1, 5];
        const realOf = (x: NDArray): number[] => numbers(x).filter((_, i) => i % 2 === 0);
        expect([product.dtype, realOf(wide)]).toEqual([dtype, wanted]);
        expect(realOf(wideVector)).toEqual([wanted[1], wanted[3]]);
      }
    });
  });

  test('multiply complex numbers, promote dtypes, and let integers wrap around', () => {
    using x = array(
      engine(),
      [
        [
          { re: 1, im: 2 },
          { re: 0, im: 1 },
        ],
      ],
      { dtype: 'c64' },
    );
    using y = array(engine(), [[{ re: 3, im: -1 }], [{ re: 2, im: 2 }]], { dtype: 'c64' });
    using product = x.matmul(y);
    expect(product.toArray()).toEqual([[{ re: 3, im: 7 }]]);
    using bytes = array(engine(), [[100, 100]], { dtype: 'i8' });
    using squares = bytes.matmul(bytes.T);
    expect(squares.toArray()).toEqual([[32]]);
    using floats = array(engine(), [[0.5], [2]], { dtype: 'f32' });
    using mixed = bytes.matmul(floats);
    expect([mixed.dtype, mixed.toArray()]).toEqual(['f32', [[250]]]);
    using words = integers([2, 2], 1, 'i32');
    using wide = words.matmul(words.astype('f32'));
    expect(wide.dtype).toBe('f64');
  });

  test('add up halves in f32', () => {
    using ones = array(engine(), new Array<number>(4096).fill(1), { dtype: 'f16' });
    using sum = ones.matmul(ones).astype('f32');
    expect(sum.item()).toBe(4096);
  });

  test.each(ways)('write into an array with gaps, of another dtype, and into an operand, %s', (_, way) => {
    inWay(engine(), way, () => {
      using x = integers([20, 20], 1);
      using y = integers([20, 20], 2);
      const wanted = expected('ij,jk->ik', x, y);
      using space = empty(engine(), [40, 20], { dtype: 'f64' });
      using out = space.at('::-2, :').T;
      expect(matmul(x, y, { out })).toBe(out);
      expect(found(out)).toEqual(wanted);
      matmul(x, y, { out: x });
      expect(found(x)).toEqual(wanted);
    });
  });
});
