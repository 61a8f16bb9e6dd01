import { describe, expect, test } from '@jest/globals';
import { arrayClass, dtypes, type DType } from '../../../src/core/dtype.ts';

const INTEGERS: readonly (readonly [DType, number | bigint, number | bigint])[] = [
  ['i8', -128, 127],
  ['u8', 0, 255],
  ['i16', -32768, 32767],
  ['u16', 0, 65535],
  ['i32', -0x8000_0000, 0x7fff_ffff],
  ['u32', 0, 0xffff_ffff],
  ['i64', -(2n ** 63n), 2n ** 63n - 1n],
  ['u64', 0n, 2n ** 64n - 1n],
];

/** Write a value and read it back. */
function roundTrip(name: DType, value: unknown): number | bigint {
  const { check, write, read } = dtypes[name];
  const view = new DataView(new ArrayBuffer(16));
  write(view, 3, check(value, 'x'));
  return read(view, 3);
}

describe.each(INTEGERS)('dtypes.%s', (name, min, max) => {
  const { check, size } = dtypes[name];

  test('takes its least and its greatest value', () => {
    expect([roundTrip(name, min), roundTrip(name, max)]).toEqual([min, max]);
  });

  test('takes bigints and numbers alike', () => {
    expect([BigInt(roundTrip(name, 5)), BigInt(roundTrip(name, 5n))]).toEqual([5n, 5n]);
  });

  test('refuses one less than the least and one more than the greatest', () => {
    for (const value of [BigInt(min) - 1n, BigInt(max) + 1n]) {
      expect(() => check(value, 'x')).toThrow(RangeError);
      expect(() => check(value, 'x')).toThrow(
        new RegExp(`^x is ${dtypes[name].c}: ${value} is not in ${min} to ${max}$`),
      );
    }
  });

  test.each([NaN, Infinity, -Infinity, 0.5])('refuses %p', (value) => {
    expect(() => check(value, 'x')).toThrow(RangeError);
  });

  test.each([
    ['a string', '5'],
    ['undefined', undefined],
    ['null', null],
    ['a boolean', true],
    ['an object', {}],
  ])('refuses %s as a wrong kind', (_, value) => {
    expect(() => check(value, 'x')).toThrow(TypeError);
    expect(() => check(value, 'x')).toThrow(/^x is u?int\d+: it takes an integer, got .*$/);
  });

  test('has the size of its array class', () => {
    expect((dtypes[name].array as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT).toBe(size);
  });
});

test.each<DType>(['i64', 'u64'])('dtypes.%s refuses a number that is inexact', (name) => {
  expect(() => dtypes[name].check(2 ** 53, 'n')).toThrow(/pass 9007199254740992 as a bigint, it is inexact/);
});

describe.each<DType>(['f16', 'bf16', 'f32', 'f64'])('dtypes.%s', (name) => {
  test.each([0, -0, 1, -2.5, Infinity, -Infinity, NaN])('keeps %p', (value) => {
    expect(roundTrip(name, value)).toBe(value);
  });

  test.each([
    ['a bigint', 1n],
    ['a string', '1'],
    ['undefined', undefined],
    ['null', null],
  ])('refuses %s', (_, value) => {
    expect(() => dtypes[name].check(value, 'x')).toThrow(TypeError);
  });
});

test.each([
  // Halves have 11 bits of precision, the least normal 2^-14, the least at all 2^-24.
  [1 / 3, 0.333251953125],
  [2049, 2048],
  [2051, 2052],
  [1 + 2 ** -11, 1],
  [1 + 2 ** -11 + 2 ** -20, 1 + 2 ** -10],
  [1 + 3 * 2 ** -11, 1 + 2 ** -9],
  [65504, 65504],
  [65519.99, 65504],
  [65520, Infinity],
  [-65520, -Infinity],
  [2 ** -24, 2 ** -24],
  [2 ** -25, 0],
  [2 ** -25 * 1.001, 2 ** -24],
  [3 * 2 ** -25, 2 ** -23],
  // From a double at once: by way of a float it would round twice.
  [1 + 2 ** -11 + 2 ** -40, 1 + 2 ** -10],
])('dtypes.f16 rounds %p to %p: to the nearest, ties to even', (value, expected) => {
  expect(roundTrip('f16', value)).toBe(expected);
});

test('dtypes.f16 writes IEEE bits, low byte first', () => {
  const view = new DataView(new ArrayBuffer(2));
  dtypes.f16.write(view, 0, -2);
  expect([view.getUint8(0), view.getUint8(1)]).toEqual([0x00, 0xc0]);
});

test('dtypes.f32 rounds to the nearest float', () => {
  expect(roundTrip('f32', 0.1)).toBe(Math.fround(0.1));
});

test('dtypes write low byte first', () => {
  const view = new DataView(new ArrayBuffer(8));
  dtypes.u32.write(view, 0, 0x01020304);
  expect(view.getUint8(0)).toBe(4);
  dtypes.u64.write(view, 0, 0x01n);
  expect(view.getUint8(0)).toBe(1);
});

test('arrayClass() takes a dtype or a typed array class', () => {
  expect(arrayClass('f64', 'x')).toEqual({ array: Float64Array, bytes: 8 });
  expect(arrayClass(Int16Array, 'x')).toEqual({ array: Int16Array, bytes: 2 });
  expect(arrayClass('f16', 'x')).toEqual({ array: Uint16Array, bytes: 2 });
});

test.each(['float', 'toString', '', 4, null, undefined, Array, DataView, {}])('arrayClass() refuses %p', (type) => {
  expect(() => arrayClass(type, 'the type')).toThrow(TypeError);
  expect(() => arrayClass(type, 'the type')).toThrow(
    /^the type must be a typed array class or one of i8, u8, .*f64, got .*$/,
  );
});

test.each([
  [1 + 2 ** -8, 1],
  [1 + 3 * 2 ** -8, 1 + 2 ** -6],
  [1 + 2 ** -8 + 2 ** -40, 1 + 2 ** -7],
  [1 + 3 * 2 ** -8 - 2 ** -40, 1 + 2 ** -7],
  [3.4e38, Infinity],
  [3.39e38, 255 * 2 ** 120],
  [1e300, Infinity],
  [-1e300, -Infinity],
  [1e-300, 0],
  [2 ** -133, 2 ** -133],
  [2 ** -134, 0],
  [2 ** -134 + 2 ** -180, 2 ** -133],
  [-(2 ** -134) - 2 ** -180, -(2 ** -133)],
])('dtypes.bf16 rounds %p to %p: to the nearest, ties to even, once', (value, expected) => {
  expect(roundTrip('bf16', value)).toBe(expected);
});

test('dtypes.bf16 keeps every number that it has', () => {
  const { read, write } = dtypes.bf16;
  const view = new DataView(new ArrayBuffer(4));
  const changed: number[] = [];
  for (let word = 0; word < 0x1_0000; word++) {
    view.setUint16(0, word, true);
    write(view, 2, read(view, 0));
    if (!Object.is(read(view, 2), read(view, 0))) changed.push(word);
  }
  expect(changed).toEqual([]);
});

test('dtypes.bf16 writes the upper half of a float, low byte first', () => {
  const view = new DataView(new ArrayBuffer(2));
  dtypes.bf16.write(view, 0, -2.5);
  expect([view.getUint8(0), view.getUint8(1)]).toEqual([0x20, 0xc0]);
  expect(arrayClass('bf16', 'x')).toEqual({ array: Uint16Array, bytes: 2 });
});
