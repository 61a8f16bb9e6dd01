import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { choose, select } from '../../../src/array/function/choose.ts';
import { take, takeAlongAxis } from '../../../src/array/function/gather.ts';
import type { Engine } from '../../../src/array/engine.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { slice } from '../../../src/array/slice.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { denseRange, gather } from '../../helpers/dense-array.ts';
import { fromDevice, shown, toDevice } from '../../helpers/dense-device.ts';
import { thrown } from '../../helpers/thrown.ts';

function indices(
  engine: Engine,
  items: readonly number[],
  shape: readonly number[] = [items.length],
  dtype: ArrayDType = 'i32',
): NDArray {
  return toDevice(engine, { shape, items }, dtype);
}

describeArrays('taking', (engine) => {
  test.each<ArrayDType>(['u8', 'f16', 'f32', 'i64', 'c128'])('take() chooses elements of %s along an axis', (dtype) => {
    const dense = denseRange([3, 4]);
    using x = toDevice(engine(), dense, dtype);
    using i = indices(engine(), [2, 0, -1, 1], [2, 2]);
    const at = [2, 0, 2, 1];
    expect(shown(take(x, i, { axis: 0 }))).toEqual(
      gather(dense, [2, 2, 4], ([a = 0, b = 0, j = 0]) => [at[2 * a + b] as number, j]),
    );
    using flipped = x.flip();
    expect(shown(flipped.take(i, { axis: 0 }))).toEqual(
      gather(dense, [2, 2, 4], ([a = 0, b = 0, j = 0]) => [2 - (at[2 * a + b] as number), 3 - j]),
    );
  });

  test.each<ArrayDType>(['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64'])('indices may be %s', (dtype) => {
    using x = toDevice(engine(), denseRange([5], 10));
    using i = indices(engine(), [4, 0, 2], [3], dtype);
    expect(shown(x.take(i)).items).toEqual([14, 10, 12]);
  });

  test('take() without an axis takes from the elements in a row', () => {
    using x = toDevice(engine(), denseRange([3, 4]));
    using i = indices(engine(), [11, 5], [2, 1]);
    using turned = x.T;
    expect(shown(take(x, i))).toEqual({ shape: [2, 1], items: [11, 5] });
    expect(shown(take(turned, i))).toEqual({ shape: [2, 1], items: [11, 9] });
  });

  test('take() reads indices out of range as its mode says', () => {
    using x = toDevice(engine(), denseRange([4]));
    using i = indices(engine(), [-9, -1, 2, 4, 9]);
    expect(shown(x.take(i)).items).toEqual([0, 3, 2, 3, 3]);
    expect(shown(x.take(i, { mode: 'clip' })).items).toEqual([0, 0, 2, 3, 3]);
    expect(shown(x.take(i, { mode: 'wrap' })).items).toEqual([3, 3, 2, 0, 1]);
    using most = array(engine(), [2n ** 63n - 1n, -(2n ** 63n)], { dtype: 'i64' });
    expect(shown(x.take(most)).items).toEqual([3, 0]);
    expect(thrown(() => x.take(i, { mode: 'raise' as 'wrap' }))).toMatch(/'clip' or 'wrap'.*check the indices first/);
  });

  test('take() of nothing is empty; of an axis without elements there is nothing', () => {
    using x = toDevice(engine(), denseRange([0, 3]));
    using none = indices(engine(), [], [2, 0]);
    expect(shown(take(x, none, { axis: 0 }))).toEqual({ shape: [2, 0, 3], items: [] });
    using i = indices(engine(), [0]);
    expect(thrown(() => take(x, i, { axis: 0 }))).toMatch(/axis of length 0 has no element.*\[1, 3\].*shape \[0, 3\]/);
    expect(shown(take(x, none, { axis: 1 })).shape).toEqual([0, 2, 0]);
  });

  test('take() refuses other values than arrays of integers, and axes out of range', () => {
    using x = toDevice(engine(), denseRange([2, 3]));
    expect(thrown(() => x.take(x))).toMatch(/take: indices must be an array of integers, got f32; write astype\(\)/);
    expect(thrown(() => x.take([0] as unknown as NDArray))).toMatch(
      /take: indices must be an NDArray, got an Array; write xp/,
    );
    using i = indices(engine(), [0]);
    expect(thrown(() => x.take(i, { axis: 2 }))).toMatch(/axis must be in -2 to 1 for an array of rank 2, got 2/);
    using flags = x.greater(1);
    expect(thrown(() => x.take(flags))).toMatch(/got bool; for a mask write at\(\)/);
  });

  test('take() writes to an array that is given, also over its operand', () => {
    using x = toDevice(engine(), denseRange([4]));
    using i = indices(engine(), [3, 3, 0, 1]);
    expect(x.take(i, { out: x })).toBe(x);
    expect(fromDevice(x).items).toEqual([3, 3, 0, 1]);
  });

  test('takeAlongAxis() chooses for each row', () => {
    const dense = denseRange([3, 4]);
    using x = toDevice(engine(), dense);
    const rows = [3, 0, 1, 1, -1, 2];
    using i = indices(engine(), rows, [3, 2]);
    expect(shown(takeAlongAxis(x, i))).toEqual(
      gather(dense, [3, 2], ([a = 0, b = 0]) => [a, ((rows[2 * a + b] as number) + 4) % 4]),
    );
    using one = indices(engine(), [2, 0], [2, 1]);
    expect(shown(takeAlongAxis(x, one, { axis: 0 }))).toEqual(
      gather(dense, [2, 4], ([a = 0, j = 0]) => [[2, 0][a] as number, j]),
    );
    using flat = indices(engine(), [0]);
    expect(thrown(() => takeAlongAxis(x, flat))).toMatch(
      /rank of the array, 2 for shape \[3, 4\], got shape \[1\] of rank 1/,
    );
  });

  test('choose() takes each element from the array that its index names', () => {
    using i = indices(engine(), [0, 2, 1, 5, -1]);
    using a = toDevice(engine(), denseRange([5], 10), 'i32');
    using b = toDevice(engine(), denseRange([1], 99), 'i32');
    expect(shown(choose(i, [a, b, -7])).items).toEqual([10, -7, 99, -7, 14]);
  });

  test('select() takes each element from the first array whose condition holds', () => {
    using x = toDevice(engine(), denseRange([6]));
    using small = x.less(2);
    using even = x.remainder(2).equal(0);
    using doubled = x.mul(10);
    expect(shown(select([small, even], [-1, doubled], x)).items).toEqual([-1, -1, 20, 3, 40, 5]);
    expect(thrown(() => select([x], [1]))).toMatch(/arrays of bool, got f32/);
    expect(thrown(() => select([small], [1, 2]))).toMatch(/one choice for each condition, got 2 for 1/);
  });
});

describeArrays('at() with arrays of integers', (engine) => {
  // What NumPy 2 gives for arange(60).reshape(3, 4, 5), i = [2, 0, 1], j = [[0], [3]].
  test('axes of arrays take the place of theirs, or come first where something is between', () => {
    const dense = denseRange([3, 4, 5]);
    using x = toDevice(engine(), dense);
    using i = indices(engine(), [2, 0, 1]);
    using j = indices(engine(), [0, 3], [2, 1], 'i64');
    const I = [2, 0, 1];
    const J = [0, 3];
    const cases: [string, NDArray, number[], (index: readonly number[]) => number[]][] = [
      ['[i]', x.at(i), [3, 4, 5], ([a = 0, b = 0, c = 0]) => [I[a] as number, b, c]],
      ['[:, i]', x.at(':', i), [3, 3, 5], ([a = 0, b = 0, c = 0]) => [a, I[b] as number, c]],
      ['[..., i]', x.at('...', i), [3, 4, 3], ([a = 0, b = 0, c = 0]) => [a, b, I[c] as number]],
      ['[i, j]', x.at(i, j), [2, 3, 5], ([b = 0, a = 0, c = 0]) => [I[a] as number, J[b] as number, c]],
      ['[:, i, j]', x.at(':', i, j), [3, 2, 3], ([a = 0, b = 0, c = 0]) => [a, I[c] as number, J[b] as number]],
      ['[i, :, j]', x.at(i, ':', j), [2, 3, 4], ([b = 0, a = 0, c = 0]) => [I[a] as number, c, J[b] as number]],
      ['[1, :, i]', x.at(1, ':', i), [3, 4], ([a = 0, b = 0]) => [1, b, I[a] as number]],
      ['[:, 1, i]', x.at(':', 1, i), [3, 3], ([a = 0, b = 0]) => [a, 1, I[b] as number]],
      [
        '[:, i, None, j]',
        x.at(':', i, null, j),
        [2, 3, 3, 1],
        ([b = 0, a = 0, c = 0]) => [c, I[a] as number, J[b] as number],
      ],
      [
        '[:, i, ..., j]',
        x.at(':', i, '...', j),
        [2, 3, 3],
        ([b = 0, a = 0, c = 0]) => [c, I[a] as number, J[b] as number],
      ],
      ['[None, ::-1, i]', x.at('None, ::-1', i), [1, 3, 3, 5], ([, a = 0, b = 0, c = 0]) => [2 - a, I[b] as number, c]],
      ['[i, 1:3]', x.at(i, slice(1, 3)), [3, 2, 5], ([a = 0, b = 0, c = 0]) => [I[a] as number, b + 1, c]],
    ];
    for (const [name, made, shape, from] of cases) {
      expect({ name, ...shown(made) }).toEqual({ name, ...gather(dense, shape, from) });
    }
    using turned = x.T;
    expect(shown(turned.at(i, 1))).toEqual(gather(dense, [3, 3], ([a = 0, b = 0]) => [b, 1, I[a] as number]));
  });

  test('an index of rank 0, and an empty one', () => {
    using x = toDevice(engine(), denseRange([3, 2]));
    using two = toDevice(engine(), { shape: [], items: [2] }, 'i32');
    expect(shown(x.at(two))).toEqual({ shape: [2], items: [4, 5] });
    using none = indices(engine(), [], [0, 3]);
    expect(shown(x.at(none)).shape).toEqual([0, 3, 2]);
    using nothing = x.at(':0');
    expect(shown(nothing.at(none)).shape).toEqual([0, 3, 2]);
    expect(thrown(() => nothing.at(two))).toMatch(/axis of length 0 has no element/);
  });

  test('says which index cannot be', () => {
    using x = toDevice(engine(), denseRange([2, 3]));
    using i = indices(engine(), [0, 1]);
    using other = indices(engine(), [0, 1, 0]);
    expect(thrown(() => x.at(i, other))).toMatch(/Shapes \[2\] and \[3\] do not broadcast/);
    expect(thrown(() => x.at(i, i, i))).toMatch(/at most one part for each axis, got 3 for shape \[2, 3\] of rank 2/);
    expect(thrown(() => x.at(x))).toMatch(/at: an index must be an array of integers, got f32/);
    expect(thrown(() => x.at([0, 1] as unknown as NDArray))).toMatch(/or an NDArray, got an Array; write xp\.array/);
    i.close();
    expect(thrown(() => x.at(i))).toMatch(/^ClosedError/);
  });
});
