import { expect, test } from '@jest/globals';
import { slotsOf, take } from '../../../src/ffi/slot.ts';

const slotOf = slotsOf({
  CUstream: 'handle',
  CUdevice: 'i32',
  CUresult: 'i32',
  CUmemLocation: 'u64',
  CUprops: 'void',
} as const);

test('a slot is an array of one element, as wide as its C type', () => {
  expect(slotOf('CUstream')).toEqual(new BigUint64Array(1));
  expect(slotOf('CUdevice')).toEqual(new Int32Array(1));
  expect(slotOf('CUmemLocation')).toEqual(new BigUint64Array(1));
  expect(slotOf('size_t')).toEqual(new BigUint64Array(1));
  expect(slotOf('unsigned int')).toEqual(new Uint32Array(1));
  expect(slotOf('float')).toEqual(new Float32Array(1));
});

test('take() gives what was written last', () => {
  const slot = slotOf('CUstream');
  expect(take(slot)).toBe(0n);
  slot[0] = 0x1000n;
  expect([take(slot), take(slot)]).toEqual([0x1000n, 0x1000n]);
});

test('a slot of a struct is refused', () => {
  expect(() => slotOf('CUprops')).toThrow('A slot holds a number or a handle; CUprops is neither');
});

test('a slot of a type that the table does not have is refused', () => {
  expect(() => slotOf('CUnknown' as 'CUstream')).toThrow("Unknown C type 'CUnknown'");
});
