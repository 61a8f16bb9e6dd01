import { describe, expect, test } from '@jest/globals';
import { argumentChecks } from '../../../src/ffi/check.ts';
import { parsePrototype } from '../../../src/ffi/prototype.ts';
import { detach } from '../../../src/ffi/memory.ts';

const TYPES = { CUresult: 'i32', CUstream: 'handle', CUdeviceptr: 'handle', nvmlDevice_t: 'object' };

/** Check one argument of a function `int f(<parameter>)`. */
function check(parameter: string, value: unknown): void {
  argumentChecks(parsePrototype(`int f(${parameter})`), TYPES)([value]);
}

function detached(): Uint8Array {
  const array = new Uint8Array(new ArrayBuffer(8));
  detach(array.buffer);
  return array;
}

describe('argumentChecks() counts', () => {
  const two = argumentChecks(parsePrototype('int f(int a, int b)'));
  const one = argumentChecks(parsePrototype('int f(int a)'));
  const none = argumentChecks(parsePrototype('int f(void)'));

  test('the right number passes', () => {
    expect(() => {
      two([1, 2]);
      none([]);
    }).not.toThrow();
  });

  test.each([
    [two, [1], 'f takes 2 arguments, got 1'],
    [two, [1, 2, 3], 'f takes 2 arguments, got 3'],
    [one, [], 'f takes 1 argument, got 0'],
    [none, [undefined], 'f takes 0 arguments, got 1'],
  ])('a wrong number is a TypeError (%#)', (checks, args, message) => {
    expect(() => {
      checks(args);
    }).toThrow(new TypeError(message));
  });

  test('the error of a wrong argument names the parameter', () => {
    expect(() => {
      two([1, 'x']);
    }).toThrow(new TypeError('f: b must be a number, got string'));
  });
});

test.each<[string, unknown]>([
  ['int a', -0x8000_0000],
  ['int a', 0x7fff_ffff],
  ['int a', -0],
  ['unsigned int a', 0xffff_ffff],
  ['unsigned char a', 255],
  ['unsigned short a', 65535],
  ['char a', -128],
  ['size_t a', 0],
  ['size_t a', Number.MAX_SAFE_INTEGER],
  ['size_t a', 2n ** 64n - 1n],
  ['unsigned long long a', 2n ** 64n - 1n],
  ['long long a', -(2n ** 63n)],
  ['long long a', -5],
  ['float a', 0.5],
  ['double a', NaN],
  ['CUstream a', 0n],
  ['CUdeviceptr a', 2n ** 64n - 1n],
  ['const char *a', ''],
  ['const char *a', 'kernel.cu'],
  ['const void *a', 0n],
  ['const void *a', new Uint8Array(1)],
  ['const void *a', new ArrayBuffer(1)],
  ['const void *a', new SharedArrayBuffer(1)],
  ['const void *a', new DataView(new ArrayBuffer(4), 2)],
  ['const void *a', Buffer.from('x')],
  ['_Out_ int *a', new Int32Array(1)],
  ['_Out_ char *a', new Uint8Array(4)],
])('argumentChecks() lets %s take %p', (parameter, value) => {
  expect(() => {
    check(parameter, value);
  }).not.toThrow();
});

test.each<[string, unknown, new (...args: never[]) => Error, RegExp]>([
  ['int a', 2 ** 40, RangeError, /a must be an integer from -2147483648 to 2147483647 \(int\), got 1099511627776/],
  ['int a', NaN, RangeError, /got NaN/],
  ['int a', Infinity, RangeError, /got Infinity/],
  ['int a', 1.5, RangeError, /got 1\.5/],
  ['int a', undefined, TypeError, /must be a number, got undefined/],
  ['int a', null, TypeError, /got null/],
  ['int a', 1n, TypeError, /got bigint/],
  ['int a', '1', TypeError, /got string/],
  ['unsigned int a', -1, RangeError, /from 0 to 4294967295/],
  ['unsigned char a', 256, RangeError, /from 0 to 255/],
  ['unsigned char a', -1, RangeError, /from 0 to 255/],
  ['unsigned short a', 65536, RangeError, /from 0 to 65535/],
  ['char a', 128, RangeError, /from -128 to 127/],
  ['CUresult a', 0.1, RangeError, /\(CUresult\), got 0\.1/],
  ['size_t a', -1, RangeError, /from 0 to 18446744073709551615 \(size_t\), got -1/],
  ['size_t a', -1n, RangeError, /got -1/],
  ['size_t a', 2n ** 64n, RangeError, /got 18446744073709551616/],
  ['size_t a', 2 ** 53, RangeError, /got 9007199254740992/],
  ['size_t a', NaN, RangeError, /got NaN/],
  ['size_t a', 0.5, RangeError, /got 0\.5/],
  ['size_t a', undefined, TypeError, /a number or a bigint, got undefined/],
  ['size_t a', '8', TypeError, /got string/],
  ['unsigned long long a', -1n, RangeError, /got -1/],
  ['long long a', 2n ** 63n, RangeError, /from -9223372036854775808 to/],
  ['long long a', {}, TypeError, /got object/],
  ['float a', '1', TypeError, /must be a number, got string/],
  ['double a', 1n, TypeError, /got bigint/],
  ['CUstream a', 3, TypeError, /must be a CUstream \(a bigint\), got 3/],
  ['CUstream a', undefined, TypeError, /got undefined/],
  ['CUstream a', null, TypeError, /got null/],
  ['CUstream a', -1n, TypeError, /must be a CUstream/],
  ['CUstream a', 2n ** 64n, TypeError, /must be a CUstream/],
  ['nvmlDevice_t a', 0n, TypeError, /must be a nvmlDevice_t \(a bigint, not NULL\), got bigint/],
  ['const char *a', undefined, TypeError, /must be a string, got undefined/],
  ['const char *a', 0n, TypeError, /must be a string, got bigint/],
  ['const char *a', 'a\0b', TypeError, /must not contain a NUL character/],
  ['const void *a', undefined, TypeError, /an array, a buffer or an address \(0n for NULL\), got undefined/],
  ['const void *a', null, TypeError, /got null/],
  ['const void *a', 16, TypeError, /got 16/],
  ['const void *a', 'text', TypeError, /got string/],
  ['const void *a', [1, 2], TypeError, /got object/],
  ['const void *a', { byteLength: 8, [Symbol.toStringTag]: 'ArrayBuffer' }, TypeError, /got object/],
  ['const void *a', new Uint8Array(0), RangeError, /a is an empty or detached array/],
  ['const void *a', new ArrayBuffer(0), RangeError, /a is an empty or detached buffer/],
  ['const void *a', detached(), RangeError, /a is an empty or detached array/],
  ['const void *a', -1n, RangeError, /is not an address: -1/],
  ['const void *a', 2n ** 64n, RangeError, /is not an address/],
  ['_Out_ int *a', undefined, TypeError, /got undefined/],
  ['_Out_ char *a', 'text', TypeError, /got string/],
  ['void **a', new BigUint64Array(0), RangeError, /empty or detached/],
])('argumentChecks() refuses %s = %p', (parameter, value, kind, message) => {
  const attempt = (): void => {
    check(parameter, value);
  };
  expect(attempt).toThrow(kind);
  expect(attempt).toThrow(message);
});

test('argumentChecks() puts a view in the place of memory that the binding does not take', () => {
  const shared = new SharedArrayBuffer(4);
  const args: unknown[] = [shared, new DataView(new ArrayBuffer(4), 2)];
  const before = args[1];
  argumentChecks(parsePrototype('int f(const void *a, void *b)'))(args);
  expect(args[0]).toEqual(new Uint8Array(shared));
  expect(args[1]).toBe(before);
});

test('argumentChecks() refuses a typed array whose buffer went to another thread', () => {
  const array = new Float32Array(4);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  expect(() => {
    check('const void *a', array);
  }).toThrow(RangeError);
});
