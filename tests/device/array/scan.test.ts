import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import { broadcastTo } from '../../../src/array/broadcast.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { viewOf, type NDArray } from '../../../src/array/ndarray.ts';
import { permute } from '../../../src/array/view.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { randomOf } from '../../helpers/math-points.ts';

type Name = 'cumsum' | 'cumprod' | 'cummax' | 'cummin';

const combine: Readonly<Record<Name, (a: number, b: number) => number>> = {
  cumsum: (a, b) => a + b,
  cumprod: (a, b) => a * b,
  cummax: (a, b) => Math.max(a, b),
  cummin: (a, b) => Math.min(a, b),
};

const sizeOf = (shape: readonly number[]): number => shape.reduce((size, length) => size * length, 1);

/** Elements in row-major order, accumulated along an axis. */
function reference(elements: ArrayLike<number | bigint>, shape: readonly number[], axis: number, name: Name): number[] {
  const result = Array.from(elements, Number);
  const step = sizeOf(shape.slice(axis + 1));
  for (let i = 0; i < result.length; i++) {
    if (Math.floor(i / step) % (shape[axis] as number) === 0) continue;
    result[i] = combine[name](result[i - step] as number, result[i] as number);
  }
  return result;
}

function numbers(x: NDArray): number[] {
  return Array.from(x.get() as ArrayLike<number | bigint>, Number);
}

describeArrays('scans', (engine) => {
  const integers = (shape: readonly number[], seed: number, dtype: ArrayDType = 'i32'): NDArray => {
    const random = randomOf(seed);
    const data = Array.from({ length: sizeOf(shape) }, () => Math.floor(random() * 9) - 4);
    return array(engine(), data, { shape, dtype });
  };

  test.each(deviceWays)('accumulate along every axis of any view, %s', (_, way) => {
    inWay(engine(), way, () => {
      using whole = integers([7, 12, 36], 1);
      using transposed = viewOf(whole, permute(whole, [2, 0, 1]));
      using part = whole.at('::-1, 1:11:3, ::-2');
      using row = whole.at('2:3, :, :');
      using repeated = viewOf(row, broadcastTo(row, [5, 12, 36]));
      using four = integers([3, 4, 5, 6], 2);
      using mixed = viewOf(four, permute(four, [2, 0, 3, 1]));
      using single = integers([1], 3);
      using none = integers([0, 3], 4);
      using empties = integers([3, 0], 5);
      using wide = integers([40, 300], 6);
      using tall = integers([300, 40], 7);
      for (const x of [whole, transposed, part, repeated, four, mixed, single, none, empties, wide, tall]) {
        for (let axis = 0; axis < x.ndim; axis++) {
          using sum = x.cumsum({ axis });
          expect([sum.dtype, sum.shape]).toEqual(['i64', x.shape]);
          expect([x.shape, axis, numbers(sum)]).toEqual([x.shape, axis, reference(x.get(), x.shape, axis, 'cumsum')]);
        }
      }
    });
  });

  test.each(deviceWays)('accumulate along lines of any length, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const dtype of ['i32', 'f32', 'i64'] as const) {
        for (const n of [1, 2, 31, 33, 255, 256, 257, 4095, 4096, 4097, 40_001, 49_152, 55_296]) {
          using x = integers([n], n, dtype);
          using sum = x.cumsum({ dtype });
          using greatest = x.cummax();
          expect([n, numbers(sum)]).toEqual([n, reference(x.get(), [n], 0, 'cumsum')]);
          expect([n, numbers(greatest)]).toEqual([n, reference(x.get(), [n], 0, 'cummax')]);
        }
      }
    });
  });

  test.each(deviceWays)('accumulate a few long lines of every size of sums, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const dtype of ['u32', 'f64', 'c64', 'c128'] as const) {
        const [rows, n] = [3, 17_000];
        using x = array(
          engine(),
          Array.from({ length: rows * n }, (_, i) => (i * 7919) % 13),
          { shape: [rows, n], dtype },
        );
        using sum = x.cumsum({ axis: 1, dtype });
        const parts = dtype === 'c64' || dtype === 'c128' ? 2 : 1;
        const got = numbers(sum).filter((_, i) => i % parts === 0);
        const elements = numbers(x).filter((_, i) => i % parts === 0);
        expect([dtype, got]).toEqual([dtype, reference(elements, [rows, n], 1, 'cumsum')]);
      }
    });
  });

  test('flatten arrays of more axes where no axis is given', () => {
    using x = integers([3, 5], 8);
    using turned = x.T;
    using sum = turned.cumsum();
    expect(sum.shape).toEqual([15]);
    expect(numbers(sum)).toEqual(reference(turned.get(), [15], 0, 'cumsum'));
    using scalar = array(engine(), 7, { dtype: 'i32' });
    using one = scalar.cumsum();
    expect(one.toArray()).toEqual([7n]);
  });

  test('accumulate integers in 64 bits and keep floats', () => {
    const results: Partial<Record<ArrayDType, ArrayDType>> = {
      bool: 'i64',
      i8: 'i64',
      u8: 'u64',
      i16: 'i64',
      u16: 'u64',
      i32: 'i64',
      u32: 'u64',
      i64: 'i64',
      u64: 'u64',
      f16: 'f16',
      bf16: 'bf16',
      f32: 'f32',
      f64: 'f64',
      c64: 'c64',
      c128: 'c128',
    };
    for (const [dtype, result] of Object.entries(results) as [ArrayDType, ArrayDType][]) {
      using x = array(engine(), [1, 1, 0, 1], { dtype });
      using sum = x.cumsum();
      using wide = sum.astype('c128');
      expect([dtype, sum.dtype, numbers(wide)]).toEqual([dtype, result, [1, 0, 2, 0, 2, 0, 3, 0]]);
      if (!['bool', 'u8', 'i64', 'f16'].includes(dtype)) continue;
      using greatest = x.cummax();
      using least = x.cummin();
      expect([greatest.dtype, least.dtype]).toEqual([dtype, dtype]);
      using wideGreatest = greatest.astype('i32');
      using wideLeast = least.astype('i32');
      expect([numbers(wideGreatest), numbers(wideLeast)]).toEqual([
        [1, 1, 1, 1],
        [1, 1, 0, 0],
      ]);
    }
  });

  test('accumulate halves in f32', () => {
    using x = array(engine(), new Array<number>(4096).fill(1), { dtype: 'f16' });
    using sum = x.cumsum();
    using last = sum.astype('f32');
    expect([last.item(2500), last.item(4095)]).toEqual([2500, 4096]);
  });

  test('multiply, with complex numbers and integers that wrap around', () => {
    using x = array(engine(), [{ re: 0, im: 1 }, { re: 0, im: 1 }, 2], { dtype: 'c64' });
    using product = x.cumprod();
    expect(product.toArray()).toEqual([
      { re: 0, im: 1 },
      { re: -1, im: 0 },
      { re: -2, im: 0 },
    ]);
    using y = array(engine(), [100, 100, 3], { dtype: 'u8' });
    using wrapped = y.cumprod({ dtype: 'u8' });
    expect(numbers(wrapped)).toEqual([100, 16, 48]);
  });

  test('keep NaN from where it stands, and -0 where it comes first', () => {
    using x = array(engine(), [1, 3, NaN, 5, 2]);
    using greatest = x.cummax();
    using least = x.cummin();
    expect(numbers(greatest)).toEqual([1, 3, NaN, NaN, NaN]);
    expect(numbers(least)).toEqual([1, 1, NaN, NaN, NaN]);
    using zeros = array(engine(), [-0, -0]);
    using sum = zeros.cumsum();
    expect(numbers(sum)).toEqual([-0, -0]);
    using infinite = array(engine(), [-Infinity, -Infinity]);
    using most = infinite.cummax();
    expect(numbers(most)).toEqual([-Infinity, -Infinity]);
  });

  test('begin with the sum or the product of nothing where it is asked for', () => {
    using x = integers([2, 3], 9);
    using sum = x.cumsum({ axis: 1, includeInitial: true });
    const [first, second] = [numbers(x).slice(0, 3), numbers(x).slice(3)];
    const withInitial = (row: number[]): number[] => [0, ...reference(row, [3], 0, 'cumsum')];
    expect(sum.shape).toEqual([2, 4]);
    expect(numbers(sum)).toEqual([...withInitial(first), ...withInitial(second)]);
    using none = integers([0], 10);
    using product = none.cumprod({ includeInitial: true });
    expect(product.toArray()).toEqual([1n]);
  });

  test.each(deviceWays)('write into an array, the operand itself, and one that shares memory with it, %s', (_, way) => {
    inWay(engine(), way, () => {
      const n = 20_000;
      using x = integers([n + 1], 11);
      const elements = numbers(x);
      using out = empty(engine(), [n + 1, 2], { dtype: 'f64' });
      using column = out.at(':, 1');
      expect(x.cumsum({ out: column })).toBe(column);
      expect(numbers(column)).toEqual(reference(elements, [n + 1], 0, 'cumsum'));
      using earlier = x.at(`:${n}`);
      using later = x.at('1:');
      earlier.cumsum({ dtype: 'i32', out: later });
      const shifted = reference(elements.slice(0, n), [n], 0, 'cumsum');
      expect(numbers(later)).toEqual(shifted);
      later.cumsum({ dtype: 'i32', out: later });
      expect(numbers(later)).toEqual(reference(shifted, [n], 0, 'cumsum').map((value) => value | 0));
    });
  });

  test('refuse what has no meaning', () => {
    using x = array(engine(), [[1, 2]], { dtype: 'c64' });
    expect(() => x.cummax({ axis: 0 })).toThrow('cummax must be given elements of bool, i8');
    expect(() => x.cumsum({ axis: 2 })).toThrow('cumsum: axis must be in -2 to 1 for an array of rank 2, got 2');
    expect(() => x.cumsum({ axis: 0, dtype: 'f32' })).toThrow('write real()');
    expect(() => x.cumsum({ axis: 0, out: x.at('0') })).toThrow('cumsum: out must have the shape [1, 2], got [2]');
    using y = array(engine(), [1, 2]);
    expect(() => y.cummax({ includeInitial: true } as never)).toThrow('includeInitial');
    using integersOut = empty(engine(), [2], { dtype: 'i32' });
    expect(() => y.cumsum({ out: integersOut })).toThrow('cumsum: out must have a dtype that holds f32, got i32');
  });
});
