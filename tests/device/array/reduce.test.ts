import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import { arrayDTypes, type ArrayDType } from '../../../src/array/dtype.ts';
import { average } from '../../../src/array/function/average.ts';
import { vdot } from '../../../src/array/function/dot.ts';
import { argmin, sum } from '../../../src/array/function/reduce.ts';
import type { Engine } from '../../../src/array/engine.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import type { PrintedElement } from '../../../src/array/printable.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { complex, elementsOf, placeOf, varianceOf } from '../../helpers/reduce-reference.ts';

const ALL = Object.keys(arrayDTypes) as ArrayDType[];
const isComplex = (dtype: ArrayDType): boolean => arrayDTypes[dtype].kind === 'complex';
const isInteger = (dtype: ArrayDType): boolean => ['bool', 'int', 'uint'].includes(arrayDTypes[dtype].kind);

/** Small numbers that every dtype holds exactly, and so do their sums. */
function sample(engine: Engine, dtype: ArrayDType): NDArray {
  const { kind } = arrayDTypes[dtype];
  const elements = Array.from({ length: 40 }, (_, i): PrintedElement => {
    const small = (i * 7) % 11;
    if (kind === 'bool') return small > 2;
    if (kind === 'complex') return { re: small - 5, im: i % 3 };
    const value = kind === 'uint' ? small : small - 5;
    return kind === 'float' ? value : BigInt(value);
  });
  return array(engine, elements, { dtype });
}

/** A value and its dtype. */
function take(made: NDArray): [unknown, ArrayDType] {
  using it = made;
  return [it.toArray(), it.dtype];
}

function expectClose(made: NDArray, expected: number, dtype: ArrayDType): void {
  const [value, own] = take(made);
  expect(own).toBe(dtype);
  const digits = { f16: 2, bf16: 1, f32: 5 }[dtype as string] ?? 12;
  expect(Math.abs(Number(value) - expected)).toBeLessThanOrEqual(Math.abs(expected) * 10 ** -digits);
}

const f32 = (engine: Engine, data: readonly number[]): NDArray => array(engine, data);

describeArrays('reductions', (engine) => {
  test.each(ALL)('sum elements of %s', (dtype) => {
    using x = sample(engine(), dtype);
    const total = { re: 0, im: 0 };
    for (const { re, im } of elementsOf(x).map((each) => complex(typeof each === 'bigint' ? Number(each) : each))) {
      total.re += re;
      total.im += im;
    }
    const wide = isInteger(dtype) ? (arrayDTypes[dtype].kind === 'uint' ? 'u64' : 'i64') : dtype;
    const [value, own] = take(x.sum());
    expect(own).toBe(wide);
    if (dtype === 'f16' || dtype === 'bf16') {
      using one = array(engine(), [total.re], { dtype });
      expect(value).toEqual(one.item(0));
    } else expect(value).toEqual(isComplex(dtype) ? total : isInteger(dtype) ? BigInt(total.re) : total.re);
  });

  test.each(['bool', 'i16', 'f16', 'c128'] as const)('tell which elements of %s are not 0', (dtype) => {
    using x = sample(engine(), dtype);
    const nonzero = elementsOf(x).filter((each) => complex(each).re !== 0 || complex(each).im !== 0).length;
    expect(take(x.countNonzero())).toEqual([BigInt(nonzero), 'i64']);
    expect(take(x.any())).toEqual([true, 'bool']);
    expect(take(x.all())).toEqual([nonzero === 40, 'bool']);
  });

  test.each(ALL)('find the least element of %s and its place', (dtype) => {
    using x = sample(engine(), dtype);
    if (isComplex(dtype)) {
      expect(() => x.min()).toThrow(
        new TypeError(
          `min must be given elements of bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, got ${dtype}; complex numbers have no order: reduce abs() or real()`,
        ),
      );
      return;
    }
    const place = placeOf(elementsOf(x), -1);
    expect(take(x.min())).toEqual([elementsOf(x)[Number(place)], dtype]);
    if (arrayDTypes[dtype].size !== 4) expect(take(x.argmin())).toEqual([place, 'i64']);
  });

  test.each(['i16', 'i64', 'bf16', 'f32', 'c64'] as const)(
    'give the mean and the variance of %s in floats',
    (dtype) => {
      using x = sample(engine(), dtype);
      const float = { i16: 'f32', i64: 'f64', c64: 'f32' }[dtype as string] ?? dtype;
      const expected = varianceOf(elementsOf(x));
      expectClose(x.var(), expected, float as ArrayDType);
      expectClose(x.std({ correction: 1 }), Math.sqrt(varianceOf(elementsOf(x), 1)), float as ArrayDType);
      const [mean, own] = take(x.mean());
      expect(own).toBe(isComplex(dtype) ? dtype : float);
      const whole = elementsOf(x).map(complex);
      const { re, im } = complex(mean as PrintedElement);
      expect(re).toBeCloseTo(whole.reduce((total, each) => total + each.re, 0) / 40, dtype === 'bf16' ? 1 : 3);
      expect(im).toBeCloseTo(whole.reduce((total, each) => total + each.im, 0) / 40, 5);
    },
  );

  test('multiply in 64 bits, and wrap around there', () => {
    using bytes = array(engine(), [100, 100, 100], { dtype: 'i8' });
    expect(take(bytes.prod())).toEqual([1_000_000n, 'i64']);
    using large = array(engine(), [2n ** 62n, 4n, 3n]);
    expect(take(large.prod())).toEqual([0n, 'i64']);
    using z = array(engine(), [
      { re: 1, im: 2 },
      { re: 3, im: -1 },
    ]);
    expect(take(z.prod())).toEqual([{ re: 5, im: 5 }, 'c64']);
  });

  test('keep the sum of many f32 exact to its last bits', () => {
    using x = array(engine(), new Float32Array(1_000_000).fill(0.1));
    using sum = x.sum();
    expect(Math.abs(Number(sum.item()) / (1_000_000 * Math.fround(0.1)) - 1)).toBeLessThan(2e-6);
    using far = array(
      engine(),
      Float32Array.from({ length: 100_000 }, (_, i) => 10_000 + (i % 2)),
    );
    using variance = far.var();
    expect(Number(variance.item())).toBeCloseTo(0.25, 3);
  });

  test('compute in the dtype that is asked for', () => {
    using x = array(engine(), [1, 2, 4], { dtype: 'u8' });
    expect(take(x.sum({ dtype: 'f64' }))).toEqual([7, 'f64']);
    expect(take(x.mean({ dtype: 'f64' }))).toEqual([7 / 3, 'f64']);
    expect(take(x.max({ dtype: 'f32' }))).toEqual([4, 'f32']);
    expect(() => x.mean({ dtype: 'i32' })).toThrow(new TypeError('mean: dtype must be that of floats, got i32'));
    expect(() => x.sum({ dtype: 'bool' })).toThrow(new TypeError('sum: dtype must be that of numbers, got bool'));
    using z = array(engine(), [{ re: 1, im: 2 }]);
    expect(() => z.sum({ dtype: 'f32' })).toThrow(/^sum: dtype must be c64 or c128 for elements of c64, got f32/);
  });

  test('let NaN win, or leave it out', () => {
    using x = f32(engine(), [3, NaN, 5, NaN, -Infinity, -0]);
    expect(take(x.max())[0]).toBe(NaN);
    expect(take(x.min())[0]).toBe(NaN);
    expect(take(x.ptp())[0]).toBe(NaN);
    expect(take(x.argmax())[0]).toBe(1n);
    expect(take(x.argmin())[0]).toBe(1n);
    expect(take(x.nanmax())[0]).toBe(5);
    expect(take(x.nanmin())[0]).toBe(-Infinity);
    expect(take(x.all())[0]).toBe(false);
    expect(take(x.countNonzero())[0]).toBe(5n);
    using finite = f32(engine(), [3, NaN, 5]);
    expect(take(finite.nansum())[0]).toBe(8);
    using none = f32(engine(), [NaN, NaN]);
    expect(take(none.nanmax())[0]).toBe(NaN);
    expect(take(none.nansum())[0]).toBe(0);
  });

  test('find the first of equal extremes, infinities among them', () => {
    for (const [elements, greatest, least] of [
      [[-Infinity, -Infinity], 0n, 0n],
      [[Infinity, Infinity, 1], 0n, 2n],
      [[1, Infinity, -Infinity, Infinity, -Infinity], 1n, 2n],
      [[-0, 0], 0n, 0n],
    ] as const) {
      using x = f32(engine(), elements);
      expect(take(x.argmax())[0]).toBe(greatest);
      expect(take(x.argmin())[0]).toBe(least);
    }
    using least = array(engine(), [-128, -128, -127], { dtype: 'i8' });
    expect(take(least.argmax())[0]).toBe(2n);
    expect(take(least.argmin())[0]).toBe(0n);
  });

  test('have a result without elements where there is an identity', () => {
    using x = empty(engine(), [0, 3], undefined);
    expect(take(x.sum({ axis: 0 }))[0]).toEqual([0, 0, 0]);
    expect(take(x.prod())[0]).toBe(1);
    expect(take(x.any())[0]).toBe(false);
    expect(take(x.all())[0]).toBe(true);
    expect(take(x.countNonzero())[0]).toBe(0n);
    expect(take(x.norm())[0]).toBe(0);
    expect(take(x.mean())[0]).toBe(NaN);
    expect(take(x.var())[0]).toBe(NaN);
    expect(take(x.max({ axis: 1 }))[0]).toEqual([]);
    for (const name of ['max', 'min', 'argmax', 'argmin', 'ptp'] as const) {
      expect(() => x[name]({ axis: 0 })).toThrow(
        new RangeError(`${name} must have an element to reduce, got shape [0, 3]; see first that size is not 0`),
      );
    }
  });

  test('give norms by their order', () => {
    using x = f32(engine(), [3, -4, 0]);
    expect([2, 1, Infinity, -Infinity, 0].map((ord) => take(x.norm({ ord }))[0])).toEqual([5, 7, 4, 0, 2]);
    using z = array(engine(), [
      { re: 3, im: 4 },
      { re: 0, im: 12 },
    ]);
    expect(take(z.norm())).toEqual([13, 'f32']);
    using rows = array(
      engine(),
      [
        [3, 4],
        [6, 8],
      ],
      { dtype: 'i32' },
    );
    expect(take(rows.norm({ axis: 1 }))).toEqual([[5, 10], 'f64']);
    expect(() => x.norm({ ord: 3 })).toThrow(new RangeError('norm: ord must be 2, 1, Infinity, -Infinity or 0, got 3'));
  });

  test('keep axes, or write into an array that is given', () => {
    using x = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    using kept = x.sum({ axis: 0, keepdims: true });
    expect([kept.shape, kept.toArray()]).toEqual([[1, 3], [[5, 7, 9]]]);
    using whole = x.sum({ keepdims: true });
    expect([whole.shape, whole.toArray()]).toEqual([[1, 1], [[21]]]);
    using out = empty(engine(), [2], { dtype: 'f64' });
    expect(sum(x, { axis: [-1], out: out })).toBe(out);
    expect(out.toArray()).toEqual([6, 15]);
    using place = argmin(x, { axis: 1, keepdims: true });
    expect(place.toArray()).toEqual([[0n], [0n]]);
    using same = x.sum({ axis: [] });
    expect(same.toArray()).toEqual(x.toArray());
  });

  test('say what is wrong with axes, outputs and options', () => {
    using x = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    using wrong = empty(engine(), [3], { dtype: 'i32' });
    expect(() => x.sum({ axis: 2 })).toThrow(
      new RangeError('sum: axis must be in -2 to 1 for an array of rank 2, got 2'),
    );
    expect(() => x.sum({ axis: [0, -2] })).toThrow(RangeError);
    expect(() => x.argmax({ axis: [0] })).toThrow(TypeError);
    expect(() => x.sum({ axis: 1, out: wrong })).toThrow(new RangeError('sum: out must have the shape [2], got [3]'));
    expect(() => x.sum({ axis: 0, out: wrong })).toThrow(
      new TypeError('sum: out must have a dtype that holds f32, got i32; write astype() for a conversion'),
    );
    expect(() => x.sum({ axes: 0 } as never)).toThrow(TypeError);
    expect(() => x.var({ correction: '1' } as never)).toThrow(
      new TypeError('var: correction must be a number, got the string "1"'),
    );
    expect(() => sum([1, 2] as never)).toThrow(/^sum: the array must be an NDArray, got an Array; write xp.asarray/);
    const closed = x.sum();
    closed.close();
    expect(() => closed.sum()).toThrow(/closed/);
  });

  test('multiply vectors', () => {
    using x = f32(engine(), [1, 2, 3]);
    using y = array(engine(), [4n, 5n, 6n]);
    expect(take(x.dot(y))).toEqual([32, 'f64']);
    using z = array(engine(), [
      { re: 1, im: 2 },
      { re: 0, im: 1 },
      { re: 3, im: 0 },
    ]);
    expect(take(z.dot(z))).toEqual([{ re: 5, im: 4 }, 'c64']);
    expect(take(vdot(z, z))).toEqual([{ re: 15, im: 0 }, 'c64']);
    using bytes = array(engine(), [100, 100, 1], { dtype: 'i8' });
    expect(take(bytes.dot(bytes))).toEqual([33, 'i8']);
    using square = array(engine(), [
      [1, 2],
      [3, 4],
    ]);
    using turned = square.T;
    using flat = f32(engine(), [1, 10, 100, 1000]);
    expect(take(vdot(turned, flat))).toEqual([4231, 'f32']);
    expect(take(vdot(square, turned))).toEqual([29, 'f32']);
    expect(() => vdot(x, flat)).toThrow(new RangeError('vdot must be given as many elements twice, got 3 and 4'));
  });

  test('average by weights', () => {
    using x = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    using weights = f32(engine(), [1, 0, 3]);
    using rows = average(x, { axis: 1, weights });
    expect(rows.toArray()).toEqual([2.5, 5.5]);
    using all = average(x, { weights: x });
    expect(all.item()).toBeCloseTo(91 / 21, 6);
    using plainMean = average(x);
    expect(plainMean.item()).toBe(3.5);
    expect(() => average(x, { axis: 0, weights })).toThrow(/^average: weights must have the shape \[2, 3\]/);
  });
});
