import { describe, expect, test } from '@jest/globals';
import { arrayDTypes, type ArrayDType } from '../../../src/array/dtype.ts';
import { decodeNpy, encodeNpy } from '../../../src/array/npy.ts';
import { randomOf } from '../../helpers/math-points.ts';
import { thrown } from '../../helpers/thrown.ts';

// Written by numpy.save of NumPy 2.4.
const BIG_ENDIAN_COLUMNS = [
  'k05VTVBZAQB2AHsnZGVzY3InOiAnPmk0JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMyksIH0gICAgICAgICAgICAgIC',
  'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAAAwAAAAEAAAAEAAAAAgAAAAU=',
].join('');
const ONE_COMPLEX = [
  'k05VTVBZAQB2AHsnZGVzY3InOiAnPGM4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKCksIH0gICAgICAgICAgICAgICAgIC',
  'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAIA/AAAAQA==',
].join('');

const NAMES = Object.keys(arrayDTypes) as ArrayDType[];
const SHAPES: readonly (readonly number[])[] = [[], [0], [1], [5], [2, 3], [3, 0, 2], [2, 1, 2, 2]];

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

/** A file of a version with this header. */
function fileOf(version: 1 | 2 | 3, header: string, data: readonly number[] = []): Uint8Array {
  const text = new TextEncoder().encode(header);
  const length = version === 1 ? [text.length & 255, text.length >> 8] : [text.length & 255, text.length >> 8, 0, 0];
  return Uint8Array.of(0x93, ...new TextEncoder().encode('NUMPY'), version, 0, ...length, ...text, ...data);
}

test.each(NAMES)('%s: what was written is read again, of any shape and order', (dtype) => {
  const random = randomOf(7);
  for (const shape of SHAPES) {
    const count = shape.reduce((product, length) => product * length, 1);
    const data = Uint8Array.from(
      { length: count * arrayDTypes[dtype].size },
      () => random() * (dtype === 'bool' ? 2 : 256),
    );
    for (const fortranOrder of [false, true]) {
      const file = encodeNpy({ dtype, shape, fortranOrder }, data);
      expect(decodeNpy(file, { void2: 'bf16' })).toEqual({ dtype, shape, fortranOrder, data });
      expect((file.length - data.length) % 64).toBe(0);
    }
  }
});

describe('files of NumPy', () => {
  test('numbers of the other byte order are swapped, and the order of columns is told', () => {
    const { dtype, shape, fortranOrder, data } = decodeNpy(bytesOf(BIG_ENDIAN_COLUMNS));
    expect({ dtype, shape, fortranOrder }).toEqual({ dtype: 'i32', shape: [2, 3], fortranOrder: true });
    expect([...new Int32Array(data.slice().buffer)]).toEqual([0, 3, 1, 4, 2, 5]);
  });

  test('an array without axes', () => {
    const { dtype, shape, data } = decodeNpy(bytesOf(ONE_COMPLEX));
    expect({ dtype, shape }).toEqual({ dtype: 'c64', shape: [] });
    expect([...new Float32Array(data.slice().buffer)]).toEqual([1, 2]);
  });

  test.each([1, 2, 3] as const)('version %i.0', (version) => {
    const file = fileOf(version, "{'shape': (2L,), \"fortran_order\": False , 'descr': '|u1',}  \n", [8, 9, 7]);
    expect(decodeNpy(file)).toEqual({ dtype: 'u8', shape: [2], fortranOrder: false, data: Uint8Array.of(8, 9) });
  });

  test('any byte but 0 is true', () => {
    const file = fileOf(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", [0, 1, 200]);
    expect([...decodeNpy(file).data]).toEqual([0, 1, 1]);
  });
});

describe('what is refused', () => {
  const header = (descr: string, shape = '(2,)'): Uint8Array =>
    fileOf(1, `{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}}`, [1, 2, 3, 4]);

  test.each([
    ["'|O'", "TypeError: The .npy file's type '|O' stands for Python objects; only numbers and booleans can be read"],
    ["'<U3'", "TypeError: The .npy file's type '<U3' stands for text; only numbers and booleans can be read"],
    ["'<M8[ns]'", "TypeError: The .npy file's type '<M8[ns]' stands for dates; only numbers and booleans can be read"],
    [
      "[('x', '<f4')]",
      "TypeError: The .npy file's type '[('x', '<f4')]' stands for records; only numbers and booleans can be read",
    ],
    [
      "'<V2'",
      "TypeError: The .npy file's type '<V2' stands for bytes without a meaning; pass { void2: 'bf16' } if it is bfloat16 of ml_dtypes",
    ],
  ])('%s', (descr, message) => {
    expect(thrown(() => decodeNpy(header(descr)))).toBe(message);
  });

  test('a shape that is larger than the file makes no memory', () => {
    expect(thrown(() => decodeNpy(header("'<f8'", '(4503599627370496,)')))).toBe(
      'RangeError: The file is cut off: 36028797018963970 bytes of elements wanted, 4 there',
    );
  });

  test.each([
    ['(-1,)', /'shape' must be a tuple of integers >= 0 below 2\^53, got \(-1,\)/],
    ['3', /'shape' must be a tuple/],
    ['(1.5,)', /'shape' must be a tuple/],
  ])('a shape of %s', (shape, message) => {
    expect(() => decodeNpy(header("'<i4'", shape))).toThrow(message);
  });

  test('bytes that the shape has not', () => {
    expect(thrown(() => encodeNpy({ dtype: 'f32', shape: [2, 2] }, new Uint8Array(12)))).toBe(
      'RangeError: bytes must have 16 bytes for [2, 2] of f32, got 12',
    );
  });
});

test('a damaged file is refused in our own words, or is another array', () => {
  const random = randomOf(20);
  const whole = encodeNpy({ dtype: 'i16', shape: [2, 3] }, new Uint8Array(12));
  const outcomes = new Set<string>();
  const attempt = (file: Uint8Array): void => {
    try {
      const { dtype, shape, data } = decodeNpy(file);
      const count = shape.reduce((product, length) => product * length, 1);
      expect(data.length).toBe(count * arrayDTypes[dtype].size);
      outcomes.add('read');
    } catch (error) {
      outcomes.add((error as Error).constructor.name);
      expect(String(error)).toMatch(/npy|cut off/);
    }
  };
  for (let length = 0; length < whole.length; length++) attempt(whole.subarray(0, length));
  for (let i = 0; i < 4000; i++) {
    const file = whole.slice();
    for (let changes = 0; changes <= i % 3; changes++) file[Math.floor(random() * file.length)] = random() * 256;
    attempt(file);
  }
  expect([...outcomes].sort()).toEqual(['RangeError', 'SyntaxError', 'TypeError', 'read']);
});
