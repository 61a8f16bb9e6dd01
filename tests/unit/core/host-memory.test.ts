import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { checkInteger, checkOptions, nameOf } from '../../../src/core/check.ts';
import { hostByteLength, hostBytes, isHostMemory } from '../../../src/core/host-memory.ts';

function detached<T extends ArrayBufferView | ArrayBuffer>(memory: T): T {
  const buffer = (ArrayBuffer.isView(memory) ? memory.buffer : memory) as ArrayBuffer;
  structuredClone(buffer, { transfer: [buffer] });
  return memory;
}

test.each<[unknown, number]>([
  [new Uint8Array(3), 3],
  [new Float64Array(2), 16],
  [new BigInt64Array(1), 8],
  [Buffer.from('abc'), 3],
  [new DataView(new ArrayBuffer(8), 4), 4],
  [new ArrayBuffer(5), 5],
  [new SharedArrayBuffer(6), 6],
  [new Uint8Array(new SharedArrayBuffer(6), 2), 4],
  [new Float32Array(8).subarray(2, 5), 12],
  [runInNewContext('new Float32Array(4)'), 16],
  [runInNewContext('new ArrayBuffer(4)'), 4],
])('hostByteLength() knows the size of host memory (%#)', (value, bytes) => {
  expect(isHostMemory(value)).toBe(true);
  expect(hostByteLength(value, 'x')).toBe(bytes);
});

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  [[1, 2], 'an Array'],
  ['text', 'the string "text"'],
  [8, '8'],
  [8n, '8n'],
  [{ byteLength: 8, buffer: new ArrayBuffer(8) }, 'an Object'],
  [{ byteLength: 8, [Symbol.toStringTag]: 'ArrayBuffer' }, 'an Object'],
  [Uint8Array, 'the function Uint8Array'],
])('hostByteLength() refuses %p', (value, came) => {
  expect(isHostMemory(value)).toBe(false);
  expect(() => hostByteLength(value, 'The array')).toThrow(
    new TypeError(`The array must be a typed array, a Buffer, a DataView or an ArrayBuffer, got ${came}`),
  );
});

test.each([
  ['an array', new Uint8Array(4)],
  ['a part of an array', new Uint8Array(8).subarray(4)],
  ['a buffer', new ArrayBuffer(4)],
  ['an array of another realm', runInNewContext('new Float32Array(4)') as Float32Array],
])('hostByteLength() says that %s is detached', (_, memory) => {
  expect(() => hostByteLength(detached(memory), 'x')).toThrow(
    new TypeError('x is detached: its buffer was transferred or freed'),
  );
});

test.each([
  ['an array', new Uint8Array(0)],
  ['a part of an array', new Uint8Array(8).subarray(8)],
  ['a buffer', new ArrayBuffer(0)],
  ['a shared buffer', new SharedArrayBuffer(0)],
])('hostByteLength() says that %s is empty', (_, memory) => {
  expect(() => hostByteLength(memory, 'x')).toThrow(new RangeError('x is empty; a copy needs at least one byte'));
});

test.each<[unknown, string]>([
  [undefined, 'undefined'],
  [null, 'null'],
  [NaN, 'NaN'],
  [-0.5, '-0.5'],
  [5n, '5n'],
  [true, 'true'],
  ['short', 'the string "short"'],
  ['a text that is longer than twenty', 'the string "a text that is longe…"'],
  [() => 1, 'a function'],
  [
    function named() {
      return 1;
    },
    'the function named',
  ],
  [Symbol('s'), 'a symbol'],
  [[], 'an Array'],
  [{}, 'an Object'],
  [new Uint8Array(1), 'a Uint8Array'],
  [new Map(), 'a Map'],
  [Object.create(null), 'an object'],
])('nameOf() names the value (%#)', (value, name) => {
  expect(nameOf(value)).toBe(name);
});

test.each<[unknown, number]>([
  [0, 0],
  [5, 5],
  [5n, 5],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
])('checkInteger() gives %p as a number', (value, expected) => {
  expect(checkInteger(value, 'x')).toBe(expected);
});

test.each<[unknown, string]>([
  [-1, 'x must be an integer >= 0, got -1'],
  [1.5, 'x must be an integer >= 0, got 1.5'],
  [NaN, 'x must be an integer >= 0, got NaN'],
  [Infinity, 'x must be an integer >= 0, got Infinity'],
  [2 ** 53, 'x must be an integer >= 0, got 9007199254740992'],
  [2n ** 64n, 'x must be an integer >= 0, got 18446744073709551616'],
])('checkInteger() refuses %p as out of range', (value, message) => {
  expect(() => checkInteger(value, 'x')).toThrow(new RangeError(message));
});

test('checkInteger() names both limits', () => {
  expect(() => checkInteger(9, 'x', 1, 8)).toThrow(new RangeError('x must be an integer from 1 to 8, got 9'));
  expect(() => checkInteger(0, 'x', 1)).toThrow(new RangeError('x must be an integer >= 1, got 0'));
});

test.each(['5', undefined, null, true, {}, [5]])('checkInteger() refuses %p as a wrong kind', (value) => {
  expect(() => checkInteger(value, 'x')).toThrow(TypeError);
  expect(() => checkInteger(value, 'x')).toThrow(/^x must be a number, got .*$/);
});

test('checkOptions() takes known names, fewer, none', () => {
  expect(() => {
    checkOptions({ a: 1 }, ['a', 'b'], 'f');
    checkOptions({}, ['a'], 'f');
    checkOptions(undefined, ['a'], 'f');
  }).not.toThrow();
});

test('checkOptions() refuses a misspelt name and lists the right ones', () => {
  expect(() => {
    checkOptions({ nonblocking: true }, ['nonBlocking', 'priority'], 'Stream');
  }).toThrow(new TypeError("Stream has no option 'nonblocking'; it knows nonBlocking, priority"));
});

test.each([null, 5, 'x', true, new Uint8Array(4)])('checkOptions() refuses %p', (options) => {
  expect(() => {
    checkOptions(options, ['a'], 'f');
  }).toThrow(/^f must be an options object, got .*$/);
});

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const throwing = {
  get constructor(): unknown {
    throw new Error('mine');
  },
};

test.each<[string, unknown, string]>([
  ['a revoked proxy', revoked, 'an object'],
  ['a null prototype', Object.create(null), 'an object'],
  ['a getter that throws', throwing, 'an object'],
  ['a class named by a symbol', { constructor: { name: Symbol('x') } }, 'an object'],
  ['a class with a static name', Object.defineProperty(() => 1, 'name', { value: 5 }), 'a function'],
  ['a symbol', Symbol('x'), 'a symbol'],
  ['-0', -0, '-0'],
  ['a huge integer', 2n ** 4000n, '(more than 2^256)n'],
])('nameOf() names %s and does not throw', (_, value, name) => {
  expect(nameOf(value)).toBe(name);
});

test('hostBytes() reads where the memory lies, not what properties say', () => {
  const array = Uint8Array.of(1, 2, 3, 4).subarray(1);
  Object.defineProperties(array, {
    byteLength: { value: 1000 },
    byteOffset: { value: 0 },
    buffer: { value: new ArrayBuffer(0) },
  });
  expect(hostByteLength(array, 'x')).toBe(3);
  expect([...hostBytes(array, 'x')]).toEqual([2, 3, 4]);
});

test('a detached DataView is detached', () => {
  expect(() => hostByteLength(detached(new DataView(new ArrayBuffer(4))), 'x')).toThrow(/x is detached/);
});

test('checkOptions() names what it cannot read', () => {
  expect(() => {
    checkOptions(revoked, ['a'], 'x');
  }).toThrow(/^x cannot read its options object: it is a proxy that refuses$/);
});
