import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { describeArrays } from '../../helpers/array-halves.ts';

const TYPED: readonly (readonly [ArrayDType, ArrayBufferView])[] = [
  ['i8', Int8Array.of(-1, 2)],
  ['u8', Uint8Array.of(1, 2)],
  ['u8', Uint8ClampedArray.of(1, 255)],
  ['u8', Buffer.from([1, 2])],
  ['i16', Int16Array.of(-1, 2)],
  ['u16', Uint16Array.of(1, 65535)],
  ['i32', Int32Array.of(-1, 2)],
  ['u32', Uint32Array.of(1, 4294967295)],
  ['i64', BigInt64Array.of(-1n, 2n)],
  ['u64', BigUint64Array.of(1n, 2n ** 64n - 1n)],
  ['f32', Float32Array.of(1.5, -0)],
  ['f64', Float64Array.of(1.1, 2)],
];

describeArrays('data of the host', (engine) => {
  test.each(TYPED)('a typed array keeps its dtype: %s', (dtype, data) => {
    using x = array(engine(), data);
    expect(x.dtype).toBe(dtype);
    expect([...(x.get() as Iterable<number>)]).toEqual([...(data as unknown as Iterable<number>)]);
  });

  test('a subclass of a typed array is what it extends', () => {
    class Samples extends Float32Array {}
    using x = array(engine(), new Samples([1, 2]));
    expect(x.dtype).toBe('f32');
  });

  test('bytes are u8, or elements of the dtype that is asked for', () => {
    const { buffer } = Float32Array.of(1, 2);
    using bytes = array(engine(), buffer);
    using floats = array(engine(), new DataView(buffer), { dtype: 'f32' });
    expect([bytes.dtype, bytes.size]).toEqual(['u8', 8]);
    expect(floats.toArray()).toEqual([1, 2]);
    expect(() => array(engine(), new ArrayBuffer(6), { dtype: 'f32' })).toThrow('multiple of 4 bytes');
  });

  test('whatever is not 0 is true, NaN too', () => {
    using flags = array(engine(), [0, -0, 2, NaN, 0n, -1n, false], { dtype: 'bool' });
    expect(flags.toArray()).toEqual([false, false, true, true, false, true, false]);
  });

  test('a typed array becomes another dtype, or is read as one of its layout', () => {
    using narrowed = array(engine(), Float64Array.of(0.1, 2), { dtype: 'f32' });
    using widened = array(engine(), BigInt64Array.of(1n, 2n), { dtype: 'f32' });
    using halves = array(engine(), Uint16Array.of(0x3c00, 0x4000), { dtype: 'f16' });
    using pairs = array(engine(), Float32Array.of(1, 2, 3, 4), { dtype: 'c64' });
    using flags = array(engine(), Uint8Array.of(0, 2), { dtype: 'bool' });
    expect(narrowed.toArray()).toEqual([Math.fround(0.1), 2]);
    expect(widened.toArray()).toEqual([1, 2]);
    expect(halves.toArray()).toEqual([1, 2]);
    expect(pairs.toArray()).toEqual([
      { re: 1, im: 2 },
      { re: 3, im: 4 },
    ]);
    expect([...flags.get()]).toEqual([0, 1]);
    expect(() => array(engine(), Float32Array.of(0.5), { dtype: 'i32' })).toThrow('0.5 is not an integer');
    expect(() => array(engine(), Int32Array.of(300), { dtype: 'u8' })).toThrow('not in 0 to 255');
  });

  test('nested arrays of numbers, bigints, truth values, complex numbers', () => {
    using numbers = array(engine(), [
      [1, 2],
      [3, 4],
    ]);
    using big = array(engine(), [1n, -2n]);
    using flags = array(engine(), [true, false]);
    using complex = array(engine(), [1, { re: 0, im: 1 }]);
    using scalar = array(engine(), 5);
    expect([numbers.dtype, big.dtype, flags.dtype, complex.dtype]).toEqual(['f32', 'i64', 'bool', 'c64']);
    expect([numbers.shape, scalar.shape]).toEqual([[2, 2], []]);
    expect(complex.toArray()).toEqual([
      { re: 1, im: 0 },
      { re: 0, im: 1 },
    ]);
    expect(() => array(engine(), [[1, 2], [3]])).toThrow('one length at each depth');
    expect(() => array(engine(), ['a'])).toThrow('must hold numbers');
    expect(() => array(engine(), new Map())).toThrow('got a Map');
  });

  test('rows that are typed arrays keep their dtype', () => {
    using x = array(engine(), [Float64Array.of(1.1, 2), Float64Array.of(3, 4)]);
    expect([x.dtype, x.toArray()]).toEqual([
      'f64',
      [
        [1.1, 2],
        [3, 4],
      ],
    ]);
    expect(() => array(engine(), [Float64Array.of(1), Float32Array.of(1)])).toThrow('rows of Float64Array');
    expect(() => array(engine(), [Float64Array.of(1), Float64Array.of(1, 2)])).toThrow('rows of 1 elements');
  });

  test('ndarrays of scijs, whatever their strides', () => {
    const data = Float32Array.of(1, 2, 3, 4, 5, 6);
    using rows = array(engine(), { data, shape: [2, 3], stride: [3, 1], offset: 0 });
    using columns = array(engine(), { data, shape: [3, 2], stride: [1, 3], offset: 0 });
    using backwards = array(engine(), { data: [1, 2, 3], shape: [2], stride: [-1], offset: 2 });
    expect(rows.toArray()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect([columns.dtype, columns.toArray()]).toEqual([
      'f32',
      [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    ]);
    expect(backwards.toArray()).toEqual([3, 2]);
    expect(() => array(engine(), { data, shape: [4], stride: [2], offset: 0 })).toThrow('got places 0 to 6');
    expect(() => array(engine(), { data, shape: [4], stride: [1, 1], offset: 0 })).toThrow('stride must have 1');
  });

  test('columns of Apache Arrow without nulls', () => {
    const column = (data: unknown, typeId: number, precision?: number, nullCount = 0) => ({
      nullCount,
      type: { typeId, precision },
      toArray: () => data,
    });
    using integers = array(engine(), column(Int32Array.of(1, 2), 2));
    using halves = array(engine(), column(Uint16Array.of(0x3c00), 3, 0));
    using flags = array(engine(), column([true, false], 6));
    using converted = array(engine(), column(Uint16Array.of(0x3c00), 3, 0), { dtype: 'f32' });
    expect([integers.dtype, halves.dtype, flags.dtype]).toEqual(['i32', 'f16', 'bool']);
    expect([halves.toArray(), flags.toArray(), converted.toArray()]).toEqual([[1], [true, false], [1]]);
    expect(() => array(engine(), column(Int32Array.of(1), 2, undefined, 1))).toThrow('must have no nulls, got 1');
    expect(() => array(engine(), column(Uint32Array.of(1), 7))).toThrow('integers, floats or booleans');
  });
});
