import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { broadcastArrays, reshape } from '../../../src/array/function/shape.ts';
import { memoryOf, viewOf, type NDArray } from '../../../src/array/ndarray.ts';
import { contiguous } from '../../../src/array/layout.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { denseRange, gather } from '../../helpers/dense-array.ts';
import { fromDevice, shown, toDevice } from '../../helpers/dense-device.ts';
import { Choices, randomStep, type View } from '../../helpers/random-view.ts';
import { thrown } from '../../helpers/thrown.ts';

/** One dtype of each item size, with the largest number that all of its integers reach. */
const SIZES: readonly (readonly [ArrayDType, number])[] = [
  ['u8', 250],
  ['f16', 2048],
  ['f32', 1e6],
  ['i64', 1e6],
  ['c128', 1e6],
];

describeArrays('shape functions', (engine) => {
  test.each(SIZES)('copies of views of views of %s have the elements of the views', (dtype) => {
    const choices = new Choices(7);
    for (let round = 0; round < 40; round++) {
      const shape = choices.shape();
      const dense = denseRange(shape);
      using base = toDevice(engine(), dense, dtype);
      let view: View = { layout: contiguous(shape), dense, steps: `[${shape.join()}]` };
      for (let i = choices.below(5); i > 0; i--) view = randomStep(view, choices);
      using x = viewOf(base, view.layout);
      const named = { ...view.dense, steps: view.steps };
      expect({ ...shown(x.copy()), steps: view.steps }).toEqual(named);
      expect({ ...shown(x.contiguous()), steps: view.steps }).toEqual(named);
      expect({ ...shown(x.ravel()), steps: view.steps }).toEqual({ ...named, shape: [x.size] });
    }
  });

  test.each(SIZES)('a copy of transposed axes of %s goes through tiles and has their order', (dtype, most) => {
    for (const [shape, axes] of [
      [
        [70, 45],
        [1, 0],
      ],
      [
        [3, 40, 33],
        [2, 0, 1],
      ],
      [
        [2, 35, 3, 20],
        [3, 0, 2, 1],
      ],
      [
        [32, 2, 2, 2, 32],
        [4, 3, 2, 1, 0],
      ],
    ] as const) {
      const dense = { shape, items: denseRange(shape).items.map((item) => item % most) };
      using base = toDevice(engine(), dense, dtype);
      using turned = base.permuteDims(axes);
      using flipped = turned.flip(0);
      const expected = gather(dense, flipped.shape, (index) => {
        const at = index.with(0, (flipped.shape[0] as number) - 1 - (index[0] as number));
        return shape.map((_, axis) => at[axes.indexOf(axis as never)] as number);
      });
      expect(shown(flipped.copy())).toEqual(expected);
      // The other way around: into a view whose fastest axis is another one.
      using out = toDevice(engine(), { ...dense, items: dense.items.map(() => 0) }, dtype);
      using target = out.permuteDims(axes);
      using source = turned.copy();
      target.set(source);
      expect(fromDevice(out)).toEqual(dense);
    }
  });

  test('a part of a large transposed array is copied to a part of another', () => {
    const dense = denseRange([60, 50]);
    using x = toDevice(engine(), dense);
    using part = x.at('3:57:2, -1:1:-1');
    using turned = part.T;
    using out = array(engine(), new Float32Array(64 * 64), { shape: [64, 64] });
    using target = out.at('1:49, 2:29');
    target.set(turned);
    expect(shown(target.copy())).toEqual(gather(dense, [48, 27], ([i = 0, j = 0]) => [3 + 2 * j, 49 - i]));
    expect(out.get().reduce((sum, item) => sum + Number(item !== 0), 0)).toBe(48 * 27);
  });

  test('reshape() gives a view where one can have the shape, else a copy', () => {
    using x = toDevice(engine(), denseRange([4, 6]));
    using view = x.reshape([2, 2, -1]);
    expect(view.shape).toEqual([2, 2, 6]);
    expect(memoryOf(view)).toBe(memoryOf(x));
    using turned = x.T;
    using copied = turned.reshape(24);
    expect(memoryOf(copied)).not.toBe(memoryOf(x));
    expect(fromDevice(copied).items).toEqual(Array.from({ length: 24 }, (_, i) => (i % 4) * 6 + Math.floor(i / 4)));
    using forced = x.reshape([6, 4], { copy: true });
    expect(memoryOf(forced)).not.toBe(memoryOf(x));
    expect(thrown(() => turned.reshape(24, { copy: false }))).toBe(
      'RangeError: reshape: no view of shape [6, 4] with strides [1, 6] has the shape [24]; leave copy: false out',
    );
    expect(thrown(() => x.reshape([5, 5]))).toBe(
      'RangeError: An array of shape [4, 6] has 24 elements and cannot be reshaped to [5, 5] of 25',
    );
  });

  test('views hold their memory when the array is closed', () => {
    const x = toDevice(engine(), denseRange([2, 3]));
    using turned = x.T;
    using row = turned.at(1);
    x.close();
    expect(fromDevice(row).items).toEqual([1, 4]);
    expect(thrown(() => x.ravel())).toMatch(/^ClosedError/);
  });

  test('contiguous() of an array without gaps is a view of its own', () => {
    using x = toDevice(engine(), denseRange([3]));
    const same = x.contiguous();
    expect(same).not.toBe(x);
    expect(memoryOf(same)).toBe(memoryOf(x));
    same.close();
    expect(fromDevice(x).items).toEqual([0, 1, 2]);
  });

  test('views have the axes that their names say', () => {
    const shapes: [string, (x: NDArray) => NDArray, number[]][] = [
      ['squeeze', (x) => x.squeeze(), [2, 3]],
      ['squeeze of one axis', (x) => x.squeeze(-1), [2, 1, 3]],
      ['expandDims', (x) => x.expandDims([0, -1]), [1, 2, 1, 3, 1, 1]],
      ['permuteDims', (x) => x.permuteDims([2, 0, 1, 3]), [3, 2, 1, 1]],
      ['transpose', (x) => x.transpose(), [1, 3, 1, 2]],
      ['T', (x) => x.T, [1, 3, 1, 2]],
      ['mT', (x) => x.mT, [2, 1, 1, 3]],
      ['moveaxis', (x) => x.moveaxis(0, -1), [1, 3, 1, 2]],
      ['swapaxes', (x) => x.swapaxes(0, 2), [3, 1, 2, 1]],
      ['flip', (x) => x.flip(), [2, 1, 3, 1]],
      ['broadcastTo', (x) => x.broadcastTo([5, 2, 4, 3, 1]), [5, 2, 4, 3, 1]],
    ];
    using x = toDevice(engine(), denseRange([2, 1, 3, 1]));
    for (const [name, make, shape] of shapes) {
      using view = make(x);
      expect([name, view.shape, memoryOf(view) === memoryOf(x)]).toEqual([name, shape, true]);
    }
    const [one, two] = broadcastArrays(x, x.at(0, 0, 0)) as [NDArray, NDArray];
    expect([one.shape, two.shape]).toEqual([
      [2, 1, 3, 1],
      [2, 1, 3, 1],
    ]);
  });

  test('wrong axes and shapes are named', () => {
    using x = toDevice(engine(), denseRange([2, 3]));
    expect(thrown(() => x.squeeze(0))).toMatch(/axes of length 1, got 0 of length 2 of \[2, 3\]/);
    expect(thrown(() => x.swapaxes(0, 2))).toMatch(/second axis must be in -2 to 1 for an array of rank 2, got 2/);
    expect(thrown(() => x.permuteDims([0]))).toMatch(/every axis of an array of rank 2, got \[0\]/);
    expect(thrown(() => x.broadcastTo([3, 2]))).toMatch(/\[2, 3\] does not broadcast to \[3, 2\]/);
    expect(thrown(() => reshape([[1]] as unknown as NDArray, 1))).toMatch(/must be an NDArray, got an Array; write xp/);
    expect(thrown(() => x.at(0).mT)).toMatch(/rank of at least 2, got 1/);
  });
});

describeArrays('conversions', (engine) => {
  test('astype() cuts off fractions, wraps integers and ends at the limits of integers', () => {
    using x = array(engine(), [-1.75, 2.5, 300, NaN, Infinity], { dtype: 'f32' });
    expect(shown(x.astype('i32')).items).toEqual([-1, 2, 300, 0, 2 ** 31 - 1]);
    expect(shown(x.astype('u8')).items.slice(1, 2)).toEqual([2]);
    expect(shown(x.astype('bool')).items).toEqual([1, 1, 1, 1, 1]);
    expect(shown(x.astype('c64')).items).toEqual([-1.75, 2.5, 300, NaN, Infinity]);
    using wide = array(engine(), [-1, 300, 70000], { dtype: 'i32' });
    expect(shown(wide.astype('u8')).items).toEqual([255, 44, 112]);
    expect(shown(wide.astype('f16')).items).toEqual([-1, 300, Infinity]);
  });

  test('astype() refuses to drop imaginary parts', () => {
    using z = array(engine(), [{ re: 1, im: 2 }], { dtype: 'c64' });
    expect(thrown(() => z.astype('f32'))).toBe(
      'TypeError: astype: dtype must be complex or bool for elements of c64, got f32; write real() or abs() first',
    );
    expect(shown(z.astype('bool')).items).toEqual([1]);
  });

  test('copy() into an array that is given converts as out does', () => {
    using x = toDevice(engine(), denseRange([2, 3]), 'i32');
    using out = toDevice(engine(), denseRange([3, 2]), 'f32');
    expect(x.copy({ out: out.T })).toMatchObject({ shape: [2, 3] });
    expect(fromDevice(out).items).toEqual([0, 3, 1, 4, 2, 5]);
    expect(thrown(() => out.copy({ out: x }))).toMatch(/out must have the shape \[3, 2\], got \[2, 3\]/);
    expect(thrown(() => out.T.copy({ out: x }))).toMatch(/dtype that holds f32, got i32/);
    // Over itself, mirrored.
    using back = x.flip();
    back.copy({ out: x });
    expect(fromDevice(x).items).toEqual([5, 4, 3, 2, 1, 0]);
  });

  test('view() shows the same bytes as elements of another dtype', () => {
    using x = array(engine(), [1, 2, 3, 4], { dtype: 'u16', shape: [2, 2] });
    using bytes = x.view('u8');
    expect(fromDevice(bytes)).toEqual({ shape: [2, 4], items: [1, 0, 2, 0, 3, 0, 4, 0] });
    using words = bytes.view('u32');
    expect(fromDevice(words)).toEqual({ shape: [2, 1], items: [0x20001, 0x40003] });
    using column = bytes.at(':, 2:');
    using parts = column.view('u16');
    expect(fromDevice(parts)).toEqual({ shape: [2, 1], items: [2, 4] });
    using signed = x.view('i16');
    signed.set(-1);
    expect(fromDevice(x).items).toEqual([65535, 65535, 65535, 65535]);
  });

  test('view() says what a last axis must be for elements of another size', () => {
    using x = array(engine(), [1, 2, 3, 4, 5, 6], { dtype: 'u8', shape: [2, 3] });
    expect(thrown(() => x.view('u16'))).toMatch(/must have a multiple of 2 bytes for u8 as u16, got 3 elements of 1/);
    expect(thrown(() => x.T.view('u16'))).toMatch(/must follow each other for u8 as u16.*write contiguous\(\) first/);
    expect(thrown(() => x.at(':, :2').view('u16'))).toMatch(/every row must begin at a multiple of 2 bytes/);
    expect(thrown(() => x.at(0, 0).view('u16'))).toMatch(/rank 0 has no axis/);
    expect(thrown(() => x.view('f8' as 'f64'))).toMatch(/rank|multiple of 8/);
  });
});
