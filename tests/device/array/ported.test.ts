import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { array, full, ones, zeros } from '../../../src/array/create.ts';
import { arange } from '../../../src/array/creation/arange.ts';
import { emptyLike, onesLike, zerosLike } from '../../../src/array/creation/like.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { divide, pow, subtract } from '../../../src/array/function/arithmetic.ts';
import { equal } from '../../../src/array/function/comparison.ts';
import { evaluate } from '../../../src/array/function/evaluate.ts';
import { take } from '../../../src/array/function/gather.ts';
import { concat, stack } from '../../../src/array/function/join.ts';
import { where } from '../../../src/array/function/other.ts';
import { put } from '../../../src/array/function/scatter.ts';
import { scope } from '../../../src/array/function/scope.ts';
import { cumsum } from '../../../src/array/function/scan.ts';
import { diff } from '../../../src/array/function/diff.ts';
import { vdot } from '../../../src/array/function/dot.ts';
import { slice } from '../../../src/array/slice.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';

// What PyCUDA's test_gpuarray and PyOpenCL's test_array check, by names of ours: tests/README.md has the rows.

/** A test whose arrays are closed at its end. */
function row(title: string, run: () => void): void {
  test(title, () => scope(run));
}

describeArrays("PyCUDA's and PyOpenCL's tests of arrays", (engine) => {
  const a = (data: unknown, dtype?: ArrayDType): NDArray => array(engine(), data, { dtype });
  const x = (): NDArray => a([1, 2, 3, 4, 5, 6, 7, 8]);
  const y = (): NDArray => a([8, 7, 6, 5, 4, 3, 2, 1]);

  row('powers of arrays and numbers, on either side and in place', () => {
    const base = a([1, 2, 3, 4]);
    expect(pow(base, a([2, 0, 3, -1])).toArray()).toEqual([1, 1, 27, 0.25]);
    expect(base.pow(2).toArray()).toEqual([1, 4, 9, 16]);
    expect(pow(2, base).toArray()).toEqual([2, 4, 8, 16]);
    // OpenCL allows a power to be off by 16 units in the last place.
    for (const [i, power] of (base.pow(-1).toArray() as number[]).entries()) expect(power).toBeCloseTo(1 / (i + 1), 6);
    expect(base.pow(base, { out: base })).toBe(base);
    expect(base.toArray()).toEqual([1, 4, 27, 256]);
  });

  row('products with arrays and numbers, also as a sum of two', () => {
    expect(x().mul(2).get()).toEqual(Float32Array.of(2, 4, 6, 8, 10, 12, 14, 16));
    expect(x().mul(y()).toArray()).toEqual([8, 14, 18, 20, 20, 18, 14, 8]);
    expect(evaluate`2 * ${x()} + 3 * ${y()}`.toArray()).toEqual([26, 25, 24, 23, 22, 21, 20, 19]);
    expect(x().mul(-1).toArray()).toEqual(x().neg().toArray());
    const complex = a([{ re: 1, im: 2 }]);
    expect(complex.mul(2).dtype).toBe('c64');
    expect(complex.mul({ re: 0, im: 1 }).toArray()).toEqual([{ re: -2, im: 1 }]);
  });

  row('sums and differences with arrays, arrays of one element and numbers, also in place', () => {
    const one = a(1);
    expect(x().add(y()).toArray()).toEqual(new Array(8).fill(9));
    expect(x().add(one).toArray()).toEqual(x().add(1).toArray());
    expect(x().sub(y()).toArray()).toEqual([-7, -5, -3, -1, 1, 3, 5, 7]);
    expect(subtract(9, x()).toArray()).toEqual(y().toArray());
    expect(one.sub(x()).toArray()).toEqual([0, -1, -2, -3, -4, -5, -6, -7]);
    const sum = x();
    sum.add(y(), { out: sum }).add(1, { out: sum });
    expect(sum.toArray()).toEqual(new Array(8).fill(10));
    // An object of somebody else is no operand.
    expect(() => sum.add({} as never)).toThrow(TypeError);
  });

  row('quotients of arrays and numbers are floats; integers take none in place', () => {
    expect(x().div(y()).get()[0]).toBe(0.125);
    expect(divide(8, x()).get()[3]).toBe(2);
    const integers = a(Int16Array.of(7, 8));
    expect(integers.div(2).dtype).toBe('f32');
    expect(integers.div(2).toArray()).toEqual([3.5, 4]);
    expect(() => integers.div(2, { out: integers })).toThrow(TypeError);
    const floats = x();
    expect(floats.div(2, { out: floats }).get()[7]).toBe(4);
  });

  row('results have the dtype that both operands have in common', () => {
    const dtypeOf = (left: ArrayDType, right: ArrayDType): ArrayDType => a([1], left).add(a([1], right)).dtype;
    expect(dtypeOf('i16', 'i32')).toBe('i32');
    expect(dtypeOf('u8', 'i8')).toBe('i16');
    expect(dtypeOf('u16', 'f32')).toBe('f32');
    expect(dtypeOf('c64', 'i16')).toBe('c64');
    expect(
      a([1, 2], 'i16')
        .mul(a([{ re: 0, im: 1 }]))
        .toArray(),
    ).toEqual([
      { re: 0, im: 1 },
      { re: 0, im: 2 },
    ]);
  });

  row('comparisons of arrays and numbers are truth values', () => {
    const [left, right] = [a([1, 2, 3]), a([3, 2, 1])];
    expect(left.greater(right).get()).toEqual(Uint8Array.of(0, 0, 1));
    expect(left.less(right).get()).toEqual(Uint8Array.of(1, 0, 0));
    expect(left.lessEqual(right).get()).toEqual(Uint8Array.of(1, 1, 0));
    expect(left.greaterEqual(right).get()).toEqual(Uint8Array.of(0, 1, 1));
    expect(left.equal(right).get()).toEqual(Uint8Array.of(0, 1, 0));
    expect(left.notEqual(right).get()).toEqual(Uint8Array.of(1, 0, 1));
    expect(left.greater(2).dtype).toBe('bool');
    expect(equal(2, left).toArray()).toEqual([false, true, false]);
  });

  row('NaN stays where it is through arithmetic', () => {
    const values = Float32Array.from({ length: 1000 }, (_, i) => (i % 7 === 0 ? NaN : i));
    const result = a(values).mul(2).add(a(values)).get() as Float32Array;
    expect([...result].map(Number.isNaN)).toEqual([...values].map(Number.isNaN));
  });

  row('bitwise operations', () => {
    const [left, right] = [a([0b1100, 5], 'i32'), a([0b1010, 3], 'i32')];
    expect(left.bitwiseAnd(right).toArray()).toEqual([0b1000, 1]);
    expect(left.bitwiseOr(right).toArray()).toEqual([0b1110, 7]);
    expect(left.bitwiseXor(right, { out: left }).toArray()).toEqual([0b0110, 6]);
    expect(left.bitwiseInvert().toArray()).toEqual([-7, -7]);
  });

  row('an expression over slices with steps, also backwards', () => {
    const z = zeros(engine(), 8);
    const out = z.at('::2');
    expect(evaluate.with({ out })`5 * ${x().at('::2')} + 6 * ${y().at('6::-2')}`).toBe(out);
    expect(z.toArray()).toEqual([17, 0, 39, 0, 61, 0, 83, 0]);
  });

  row('elements are gathered and scattered by indices, of several arrays too', () => {
    const indices = a(Int32Array.of(7, 0, 3));
    expect(take(x(), indices).toArray()).toEqual([8, 1, 4]);
    expect(x().at(indices).toArray()).toEqual([8, 1, 4]);
    const results = [x(), y()].map((from) => {
      const out = zeros(engine(), 8);
      put(out, indices, take(from, a(Int32Array.of(0, 1, 2))));
      return out.toArray();
    });
    expect(results).toEqual([
      [2, 0, 0, 3, 0, 0, 0, 1],
      [7, 0, 0, 6, 0, 0, 0, 8],
    ]);
    const filled = x();
    put(filled, indices, 100);
    expect(filled.toArray()).toEqual([100, 2, 3, 100, 5, 6, 7, 100]);
  });

  row('new arrays: sequences, zeros and ones, with f32 as their dtype, of a form that is given', () => {
    expect(arange(engine(), 12, 3, -3).toArray()).toEqual([12, 9, 6]);
    expect(arange(engine(), 3, { dtype: 'i32' }).get()).toEqual(Int32Array.of(0, 1, 2));
    expect(zeros(engine(), 3).dtype).toBe('f32');
    expect(zeros(engine(), 1, { dtype: 'c64' }).toArray()).toEqual([{ re: 0, im: 0 }]);
    const like = a([[1, 2]], 'i16');
    for (const made of [emptyLike(like), zerosLike(like), onesLike(like)]) {
      expect([made.shape, made.dtype]).toEqual([[1, 2], 'i16']);
    }
    expect(onesLike(like).toArray()).toEqual([[1, 1]]);
    expect(ones(engine(), 4).shape[0]).toBe(4);
  });

  row('a shape is made of integers, none of them negative', () => {
    expect(zeros(engine(), Int32Array.of(2, 3) as never).shape).toEqual([2, 3]);
    expect(zeros(engine(), []).size).toBe(1);
    for (const shape of [-1, [2, -3], 1.5]) expect(() => zeros(engine(), shape)).toThrow(RangeError);
    expect(() => zeros(engine(), 'x' as never)).toThrow(TypeError);
  });

  row('arrays are joined along an axis that is there, or a new one', () => {
    const [left, right] = [a([[1, 2]]), a([[3, 4]])];
    expect(concat([left, right]).toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(concat([left, right], { axis: 1 }).toArray()).toEqual([[1, 2, 3, 4]]);
    expect(stack([left, right], { axis: -1 }).toArray()).toEqual([
      [
        [1, 3],
        [2, 4],
      ],
    ]);
  });

  row('sums, extremes and products of all elements, of chosen ones, and into a slice', () => {
    expect(x().sum().item()).toBe(36);
    expect([x().max().item(), x().min().item()]).toEqual([8, 1]);
    expect(vdot(x(), y()).item()).toBe(120);
    const chosen = a(Int32Array.of(1, 3));
    expect(take(x(), chosen).sum().item()).toBe(6);
    expect([take(x(), chosen).max().item(), take(x(), chosen).min().item()]).toEqual([4, 2]);
    expect(vdot(take(x(), chosen), take(y(), chosen)).item()).toBe(34);
    const out = zeros(engine(), 3);
    x().sum({ out: out.at(1) });
    expect(out.toArray()).toEqual([0, 36, 0]);
    expect(x().sum({ dtype: 'i32' }).get()).toEqual(Int32Array.of(36));
  });

  row('any and all, of truth values and numbers', () => {
    const flags = a([0, 0, 1], 'i8');
    expect([flags.any().item(), flags.all().item()]).toEqual([true, false]);
    expect([flags.at(':2').any().item(), flags.at('2:').all().item()]).toEqual([false, true]);
  });

  row('reductions of no element have their identity, or throw; NaN goes on', () => {
    const none = zeros(engine(), 0);
    expect([none.sum().item(), none.any().item(), none.all().item()]).toEqual([0, false, true]);
    expect(() => none.max()).toThrow(/max/);
    expect(() => none.min()).toThrow(/min/);
    const missing = a([1, NaN, 3]);
    expect([missing.sum(), missing.max(), missing.min()].map((result) => result.item())).toEqual([NaN, NaN, NaN]);
  });

  row('running sums of any length, and differences', () => {
    for (const n of [1, 10, 33, 256, 1000, 5000]) {
      const sums = cumsum(full(engine(), n, 2, { dtype: 'i32' }) as NDArray).get() as BigInt64Array;
      expect([sums[0], sums.at(-1)]).toEqual([2n, BigInt(2 * n)]);
      const before = cumsum(full(engine(), n, 2, { dtype: 'i32' }) as NDArray, { includeInitial: true }).get();
      expect(before.at(-2)).toBe(BigInt(2 * n - 2));
    }
    expect(diff(a([1, 4, 9, 16])).toArray()).toEqual([3, 5, 7]);
  });

  row('slices, new axes and reversed axes are views; assignment writes through them', () => {
    const m = arange(engine(), 24).reshape([4, 6]) as NDArray;
    expect(m.at('1:3, ::-2').toArray()).toEqual([
      [11, 9, 7],
      [17, 15, 13],
    ]);
    expect(m.T.at('2:4, 1').toArray()).toEqual([8, 9]);
    expect(m.at('..., None').shape).toEqual([4, 6, 1]);
    expect(m.T.copy().get()[1]).toBe(6);
    expect(m.at(slice(null, null, 2)).toArray()).toEqual([m.at(0).toArray(), m.at(2).toArray()]);
    m.at(0).set([9, 9, 9, 9, 9, 9]);
    m.at('1, 1:3').set(m.at('2, 1:3'));
    expect(m.at(':2').toArray()).toEqual([
      [9, 9, 9, 9, 9, 9],
      [6, 13, 14, 9, 10, 11],
    ]);
    expect(m.at('::-1').at(0, 0).item()).toBe(18);
    expect([m.at('1:, 1:').flags.cContiguous, m.T.flags.fContiguous, m.copy().flags.cContiguous]).toEqual([
      false,
      true,
      true,
    ]);
    m.at('2:, :3').ravel().set(0);
    m.at('2:, :3').set(-1);
    expect(m.at('3').toArray()).toEqual([-1, -1, -1, 21, 22, 23]);
  });

  row('copies have memory of their own', () => {
    const first = x();
    const second = first.copy();
    second.set(0);
    expect(first.toArray()).toEqual(x().toArray());
    first.at('::2').copy().set(5);
    expect(first.at(0).item()).toBe(1);
    const host = new Float32Array(8);
    expect(first.get(host)).toBe(host);
    first.set(host.toReversed());
    expect(first.toArray()).toEqual(y().toArray());
  });

  row('choices by a condition, the greater and the lesser one', () => {
    const sign = a([-1, 0, 1]);
    expect(where(sign.greater(0), a([1, 2, 3]), a([4, 5, 6])).toArray()).toEqual([4, 5, 3]);
    expect(where(sign.greater(0), 1, a(2)).toArray()).toEqual([2, 2, 1]);
    expect(sign.maximum(0).toArray()).toEqual([0, 0, 1]);
    expect(sign.minimum(a(0)).toArray()).toEqual([-1, 0, 0]);
    const special = a([NaN, Infinity, -Infinity, 1]);
    expect(special.maximum(0).toArray()).toEqual([NaN, Infinity, 0, 1]);
    expect(special.minimum(0).toArray()).toEqual([NaN, 0, -Infinity, 0]);
  });

  row('logical operations take numbers as truth values', () => {
    const [left, right] = [a([0, 1, 2, 0]), a([0, 0, 3, 4])];
    expect(left.logicalAnd(right).toArray()).toEqual([false, false, true, false]);
    expect(left.logicalOr(right).toArray()).toEqual([false, true, true, true]);
    expect(left.logicalNot().toArray()).toEqual([true, false, false, true]);
    expect(left.logicalAnd(1).toArray()).toEqual([false, true, true, false]);
  });

  row('conversions, and the parts of complex numbers', () => {
    expect(a([1.7, -2.5]).astype('i32').get()).toEqual(Int32Array.of(1, -2));
    expect(a([1, 2], 'i32').astype('f32').get()).toEqual(Float32Array.of(1, 2));
    const z = a([
      { re: 3, im: 4 },
      { re: -1, im: 0 },
    ]);
    expect([z.real().toArray(), z.imag().toArray(), z.abs().toArray()]).toEqual([
      [3, -1],
      [4, 0],
      [5, 1],
    ]);
    expect(z.conj().item(0)).toEqual({ re: 3, im: -4 });
    const out = emptyLike(z);
    expect(z.conj({ out })).toBe(out);
    expect(x().imag().toArray()).toEqual(new Array(8).fill(0));
    expect(a([-3, 4], 'i32').abs().get()).toEqual(Int32Array.of(3, 4));
  });

  row('shapes: reshape with one open length, squeeze, ravel, a view of another dtype', () => {
    const m = x().reshape([2, -1]);
    expect(m.shape).toEqual([2, 4]);
    expect(() => x().reshape([-1, -1])).toThrow(/-1/);
    expect(() => x().reshape([3, -1])).toThrow(RangeError);
    expect(m.reshape([1, 8, 1]).squeeze().shape).toEqual([8]);
    expect(m.T.ravel().toArray()).toEqual([1, 5, 2, 6, 3, 7, 4, 8]);
    expect(m.at(':, :1').squeeze().strides).toEqual([4]);
    expect(a([1]).view('i32').item()).toBe(0x3f800000);
    expect(a([1, 2]).view('u8').shape).toEqual([8]);
    expect(a([1, 2]).view('c64').item()).toEqual({ re: 1, im: 2 });
  });

  row('one value for all elements, or for a part', () => {
    const filled = x();
    filled.set(3);
    filled.at('2:4').set(7);
    expect(filled.toArray()).toEqual([3, 3, 7, 7, 3, 3, 3, 3]);
    // Vectors are one more axis.
    expect(full(engine(), [3, 4], 1.5).sum({ axis: 1 }).toArray()).toEqual([6, 6, 6]);
  });

  row('one element alone is read as a value', () => {
    expect(a([[5]]).item()).toBe(5);
    expect(() => x().item()).toThrow(RangeError);
  });

  row('arrays without an element', () => {
    const none = zeros(engine(), [0, 3]);
    expect(none.add(1).mul(none).toArray()).toEqual([]);
    expect(none.get()).toEqual(new Float32Array(0));
    expect(none.reshape([3, 0]).T.shape).toEqual([0, 3]);
    expect(none.flags).toEqual({ cContiguous: true, fContiguous: true });
  });

  row('an array is printed as NumPy prints it', () => {
    expect(String(a([1, 2.5]))).toBe('[1.  2.5]');
    expect(inspect(a([1, 2], 'i32'))).toBe('NDArray([1, 2], dtype=i32)');
  });

  row('an array is made of the memory of one that was closed', () => {
    let sum = 0;
    for (let i = 0; i < 200; i++) {
      using big = full(engine(), 10_000, i);
      sum += Number(big.at(-1).item());
    }
    expect(sum).toBe(19_900);
  });

  test('read() gives what was enqueued before, and does not block', async () => {
    using values = x();
    using sum = values.add(1);
    expect(await sum.read()).toEqual(Float32Array.of(2, 3, 4, 5, 6, 7, 8, 9));
  });
});
