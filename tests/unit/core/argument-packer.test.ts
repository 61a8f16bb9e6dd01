import { expect, test } from '@jest/globals';
import { ArgumentPacker } from '../../../src/core/argument-packer.ts';
import type { PointerRules, Slot } from '../../../src/core/pack.ts';
import { parseType } from '../../../src/core/signature.ts';
import { float32, int64 } from '../../../src/core/value.ts';

const later = Symbol('later');
const POINTERS: PointerRules = {
  address: (value) => (typeof value === 'object' ? (value as { readonly ptr?: bigint }).ptr : undefined),
  isLater: (value) => value === later,
  elements: (value) => (value as { readonly elementTag?: number } | null)?.elementTag ?? 0,
  dialect: 'cuda',
  bytesAdvice: 'its address',
  wanted: 'an address',
  hostAdvice: 'copy it',
};

/** Parameters behind one another, each at a multiple of its size; undefined: only the size is known. */
function packerOf(...types: (string | number)[]): ArgumentPacker {
  let end = 0;
  const slots = types.map((given, index): Slot => {
    const type = typeof given === 'string' ? parseType(given, 'cuda') : undefined;
    const byteLength = typeof given === 'number' ? given : (type?.size ?? 8);
    const byteOffset = Math.ceil(end / byteLength) * byteLength;
    end = byteOffset + byteLength;
    return { kernel: 'f', index, name: undefined, type, byteOffset, byteLength };
  });
  return new ArgumentPacker(slots, POINTERS);
}

test('pack() writes every kind where it belongs', () => {
  const types = ['float *', 'char', 'int', 'unsigned int', 'float', 'double', 'long long', 'size_t', 'bool'];
  const packer = packerOf(...types);
  expect([packer.arity, packer.byteLength]).toEqual([9, 49]);
  expect(packer.pack([{ ptr: 7n }, -3, -5, 2 ** 32 - 1, 0.5, 0.1, -(2 ** 40), 2 ** 40, true])).toBe(true);
  const { view } = packer.block;
  expect(view.getBigUint64(0, true)).toBe(7n);
  expect(view.getInt8(8)).toBe(-3);
  expect(view.getInt32(12, true)).toBe(-5);
  expect(view.getUint32(16, true)).toBe(2 ** 32 - 1);
  expect(view.getFloat32(20, true)).toBe(0.5);
  expect(view.getFloat64(24, true)).toBe(0.1);
  expect(view.getBigInt64(32, true)).toBe(-(2n ** 40n));
  expect(view.getBigUint64(40, true)).toBe(2n ** 40n);
  expect(view.getUint8(48)).toBe(1);
});

test('pack() takes typed values and what else the writers take', () => {
  const packer = packerOf('long long', 'float', 4);
  expect(packer.pack([int64(-1), float32(2), float32(3)])).toBe(true);
  const { view } = packer.block;
  expect([view.getBigInt64(0, true), view.getFloat32(8, true), view.getFloat32(12, true)]).toEqual([-1n, 2, 3]);
});

test.each([
  ['an integer that does not fit', ['int'], [2 ** 31], RangeError],
  ['a fraction', ['unsigned int'], [0.5], RangeError],
  ['a missing argument', ['int', 'int'], [1], TypeError],
  ['a number in the place of a pointer', ['int *'], [1], TypeError],
  ['a pointer in the place of a number', ['float'], [1n], TypeError],
])('pack() refuses %s', (_, types, args, error) => {
  expect(() => packerOf(...types).pack(args)).toThrow(error);
});

test('pack() says where memory has to be made first, until it is there', () => {
  const packer = packerOf('int *', 'int', 8);
  const there = { ptr: 9n };
  expect(packer.pack([later, 1, there])).toBe(false);
  expect(packer.pack([there, 1, later])).toBe(false);
  expect(packer.pack([there, 1, there])).toBe(true);
  expect(() => packer.pack([there, later, there])).toThrow(TypeError);
});
