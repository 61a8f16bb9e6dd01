import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import type { Engine } from '../../../src/array/engine.ts';
import { put, putAlongAxis, scatterAdd } from '../../../src/array/function/scatter.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { denseRange } from '../../helpers/dense-array.ts';
import { fromDevice, toDevice } from '../../helpers/dense-device.ts';
import { thrown } from '../../helpers/thrown.ts';

function indices(engine: Engine, items: readonly number[], shape: readonly number[] = [items.length]): NDArray {
  return toDevice(engine, { shape, items }, 'i32');
}

/** Dtypes whose atomic operations the device has. */
function hasAtomics(engine: Engine, dtype: ArrayDType): boolean {
  return engine.facts.hasWideAtomics || !['i64', 'u64', 'f64', 'c128'].includes(dtype);
}

const NUMBERS: readonly ArrayDType[] = [
  ...(['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64'] as const),
  ...(['f16', 'bf16', 'f32', 'f64', 'c64', 'c128'] as const),
];
const ORDERED: readonly ArrayDType[] = NUMBERS.filter((dtype) => !dtype.startsWith('c'));

describeArrays('scattering', (engine) => {
  test.each(NUMBERS)('scatterAdd() adds all values of %s, also several to one element', (dtype) => {
    if (!hasAtomics(engine(), dtype)) return;
    const count = 300;
    const at = Array.from({ length: count }, (_, i) => (i * 7) % 5);
    const values = Array.from({ length: count }, (_, i) => i % 2);
    // An odd number of elements: the last ones of small dtypes are in a word that is not full.
    using x = toDevice(engine(), { shape: [7], items: [1, 0, 2, 0, 3, 0, 4] }, dtype);
    using part = x.at('1:6');
    using i = indices(engine(), at);
    using v = toDevice(engine(), { shape: [count], items: values }, dtype);
    expect(part.scatterAdd(i, v)).toBe(part);
    const expected = [1, 0, 2, 0, 3, 0, 4];
    for (const [k, place] of at.entries())
      expected[place + 1] = (expected[place + 1] as number) + (values[k] as number);
    expect(fromDevice(x).items).toEqual(expected);
  });

  test.each(ORDERED)('scatterMax() and scatterMin() find the extremes of %s', (dtype) => {
    if (!hasAtomics(engine(), dtype)) return;
    const isSigned = !dtype.startsWith('u');
    const at = Array.from({ length: 100 }, (_, i) => i % 3);
    const values = at.map((_, i) => ((i * 37) % 101) - (isSigned ? 50 : 0));
    using i = indices(engine(), at);
    using v = toDevice(engine(), { shape: [100], items: values }, dtype);
    using x = toDevice(engine(), { shape: [3], items: [10, 10, 120] }, dtype);
    const of = (place: number): number[] => values.filter((_, k) => at[k] === place);
    x.scatterMax(i, v);
    expect(fromDevice(x).items).toEqual([10, 10, 120].map((own, place) => Math.max(own, ...of(place))));
    x.set(10);
    x.scatterMin(i, v);
    expect(fromDevice(x).items).toEqual([10, 10, 10].map((own, place) => Math.min(own, ...of(place))));
  });

  test('integers wrap around, and NaN is an extreme', () => {
    using x = toDevice(engine(), { shape: [2], items: [120, 5] }, 'i8');
    using i = indices(engine(), [0, 0]);
    x.scatterAdd(i, 100);
    expect(fromDevice(x).items).toEqual([64, 5]);
    using f = toDevice(engine(), { shape: [2], items: [1, 2] }, 'f16');
    using v = array(engine(), [NaN, 3], { dtype: 'f16' });
    f.scatterMax(i, v);
    expect(fromDevice(f).items).toEqual([NaN, 2]);
    f.scatterMin(indices(engine(), [1, 1]), -0.5);
    expect(fromDevice(f).items).toEqual([NaN, -0.5]);
  });

  test('elements of bool are set, raised and lowered', () => {
    using x = array(engine(), [true, false, true, false, true], { dtype: 'bool' });
    using i = indices(engine(), [0, 1, -1]);
    using v = array(engine(), [false, true, true], { dtype: 'bool' });
    x.scatterMin(i, v);
    expect(fromDevice(x).items).toEqual([0, 0, 1, 0, 1]);
    x.scatterMax(i, v);
    expect(fromDevice(x).items).toEqual([0, 1, 1, 0, 1]);
    x.scatterSet(i, true);
    expect(fromDevice(x).items).toEqual([1, 1, 1, 0, 1]);
    expect(thrown(() => x.scatterAdd(i, v))).toMatch(/scatterAdd must be given elements of i8, .*got bool/);
  });

  test('rows of an axis are chosen, and values broadcast to them', () => {
    using x = toDevice(engine(), denseRange([3, 4]));
    using i = indices(engine(), [2, 0, 2]);
    using row = toDevice(engine(), { shape: [4], items: [100, 200, 300, 400] }, 'i16');
    scatterAdd(x, i, row);
    expect(fromDevice(x).items).toEqual([100, 201, 302, 403, 4, 5, 6, 7, 208, 409, 610, 811]);
    using column = toDevice(engine(), { shape: [3, 1], items: [0, 1, 0] });
    x.scatterSet(i, column, { axis: 1 });
    expect(fromDevice(x).items.filter((_, k) => k % 4 === 0)).toEqual([0, 1, 0]);
    using turned = x.T;
    turned.scatterSet(indices(engine(), [3]), -1);
    expect(fromDevice(x).items.filter((_, k) => k % 4 === 3)).toEqual([-1, -1, -1]);
  });

  test.each<ArrayDType>(['u8', 'f16', 'f32', 'i64', 'c128'])(
    'scatterSet() and put() assign elements of %s',
    (dtype) => {
      using x = toDevice(engine(), denseRange([2, 4]), dtype);
      using i = indices(engine(), [5, -8, 2], [3]);
      put(x, i, 50);
      expect(fromDevice(x).items).toEqual([50, 1, 50, 3, 4, 50, 6, 7]);
      using turned = x.T;
      using v = toDevice(engine(), { shape: [2], items: [8, 9] }, dtype);
      // The values are repeated; the elements of a turned array are counted in its own order.
      turned.put(i, v);
      expect(fromDevice(x).items).toEqual([9, 8, 50, 3, 4, 50, 8, 7]);
      x.put(indices(engine(), [8, 9], [1, 2]), v, { mode: 'wrap' });
      expect(fromDevice(x).items.slice(0, 2)).toEqual([8, 9]);
      expect(thrown(() => x.put(i, v.at(':0')))).toMatch(/put must be given a value for 3 indices, got none/);
    },
  );

  test('putAlongAxis() assigns what takeAlongAxis() reads', () => {
    using x = toDevice(engine(), denseRange([3, 4]), 'i32');
    using i = indices(engine(), [3, 0, 1], [3, 1]);
    using v = toDevice(engine(), { shape: [3, 1], items: [-1, -2, -3] }, 'i32');
    expect(putAlongAxis(x, i, v)).toBe(x);
    expect(fromDevice(x).items).toEqual([0, 1, 2, -1, -2, 5, 6, 7, 8, -3, 10, 11]);
    x.putAlongAxis(indices(engine(), [2], [1, 1]), 77, { axis: 0 });
    expect(fromDevice(x).items.slice(8)).toEqual([77, 77, 77, 77]);
  });

  test('indices and values that share memory with the array are read first', () => {
    using x = toDevice(engine(), { shape: [4], items: [3, 2, 1, 0] }, 'i32');
    using flipped = x.flip();
    x.scatterSet(x, flipped);
    expect(fromDevice(x).items).toEqual([3, 2, 1, 0]);
    x.scatterAdd(x, x);
    expect(fromDevice(x).items).toEqual([3, 3, 3, 3]);
  });

  test('nothing is written for no indices, and none for an empty axis', () => {
    using x = toDevice(engine(), denseRange([2, 3]));
    using none = indices(engine(), []);
    x.scatterAdd(none, 1).put(none, 1);
    expect(fromDevice(x).items).toEqual([0, 1, 2, 3, 4, 5]);
    using empty = x.at(':0');
    expect(thrown(() => empty.scatterSet(indices(engine(), [0]), 1))).toMatch(/axis of length 0 has no element/);
  });

  test('what cannot be assigned is named', () => {
    using x = toDevice(engine(), denseRange([2, 3]), 'i32');
    using i = indices(engine(), [0, 1]);
    using v = toDevice(engine(), denseRange([2]), 'f32');
    expect(thrown(() => x.scatterAdd(i, v))).toMatch(/scatterAdd.* must have a dtype that holds f32, got i32/);
    using wrong = toDevice(engine(), denseRange([4]), 'i32');
    expect(thrown(() => x.scatterAdd(i, wrong))).toMatch(/shape \[4\] does not broadcast to \[2, 3\]/);
    expect(thrown(() => x.scatterAdd(i, 1, { axis: 2 }))).toMatch(
      /axis must be in -2 to 1 for an array of rank 2, got 2/,
    );
    expect(thrown(() => x.scatterAdd(v, 1))).toMatch(/indices must be an array of integers, got f32/);
    using wide = x.broadcastTo([2, 2, 3]);
    expect(thrown(() => wide.scatterSet(i, 1))).toMatch(/an element of its own for each index/);
    using z = array(engine(), [{ re: 1, im: 1 }], { dtype: 'c64' });
    expect(thrown(() => z.scatterMax(i, 1))).toMatch(/scatterMax must be given elements of bool, .*got c64/);
  });
});
