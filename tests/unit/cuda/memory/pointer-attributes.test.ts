import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { CudaError } from '../../../../src/cuda/errors.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { memGetAddressRange, pointerAttributes } from '../../../../src/cuda/memory/pointer-attributes.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
});

test('pointerAttributes() says what memory is', () => {
  using memory = memAlloc(256);
  const { device, ...rest } = pointerAttributes(memory.slice(16)) ?? {};
  expect(device?.ordinal).toBe(0);
  expect(rest).toEqual({
    kind: 'device',
    context: 0x77n,
    devicePointer: memory.ptr + 16n,
    hostPointer: undefined,
    managed: false,
    mapped: false,
    pool: undefined,
    base: memory.ptr,
    byteLength: 256,
    bufferId: 0n,
  });
});

test('pointerAttributes() of memory that the driver does not know is undefined', () => {
  expect(pointerAttributes(0x1234n)).toBeUndefined();
});

test('pointerAttributes() throws what is not an answer', () => {
  using memory = memAlloc(16);
  fake.fail.set('cuPointerGetAttribute', 700);
  expect(() => pointerAttributes(memory)).toThrow(CudaError);
});

test('memGetAddressRange() finds the allocation', () => {
  using memory = memAlloc(256);
  expect(memGetAddressRange(memory.ptr + 200n)).toEqual({ base: memory.ptr, byteLength: 256 });
  expect(() => memGetAddressRange(0x1234n)).toThrow(CudaError);
});

test.each([null, 0n, -1n, 5, 'x', new Uint8Array(4), undefined])('an address is wanted, not %p', (value) => {
  expect(() => pointerAttributes(value as never)).toThrow(/pointerAttributes: the pointer/);
  expect(() => memGetAddressRange(value as never)).toThrow(/memGetAddressRange: the pointer/);
});

test('freed memory throws ClosedError', () => {
  const memory = memAlloc(16);
  memory.free();
  expect(() => pointerAttributes(memory)).toThrow(ClosedError);
  expect(() => memGetAddressRange(memory)).toThrow(ClosedError);
});
