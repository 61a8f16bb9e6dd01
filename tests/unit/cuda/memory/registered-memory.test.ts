import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { CudaLogicError } from '../../../../src/cuda/errors.ts';
import { RegisteredHostMemory, registerHostMemory } from '../../../../src/cuda/memory/registered-memory.ts';
import { HostRegisterFlags } from '../../../../src/cuda/sys/enums.ts';
import { addressOf } from '../../../../src/ffi/memory.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.onCall = undefined;
});

/** Calls of registering functions that reach the driver. */
function watch(): (readonly [string, ...unknown[]])[] {
  const calls: (readonly [string, ...unknown[]])[] = [];
  fake.onCall = (name, args) => {
    if (/HostRegister|Unregister|CtxSynchronize/.test(name)) calls.push([name, ...args]);
  };
  return calls;
}

test.each([
  new Float32Array(1000),
  new Uint8Array(new ArrayBuffer(100), 3, 17),
  new DataView(new ArrayBuffer(64)),
  Buffer.from('some bytes'),
  new SharedArrayBuffer(128),
  new Int8Array(1),
])('registerHostMemory() locks just the array (%#)', (array) => {
  const calls = watch();
  const registered = registerHostMemory(array);
  expect(registered).toBeInstanceOf(RegisteredHostMemory);
  expect([registered.base, registered.byteLength]).toEqual([array, array.byteLength]);
  registered.unregister();
  const address = addressOf(array);
  expect(calls).toEqual([
    ['cuMemHostRegister', address, BigInt(array.byteLength), HostRegisterFlags.PORTABLE],
    ['cuCtxSynchronize'],
    ['cuMemHostUnregister', address],
  ]);
  expect(fake.live.registered).toBe(0);
});

test('a driver that requires whole pages gets them', () => {
  const array = new Uint8Array(10_000).subarray(100, 5000);
  const address = addressOf(array);
  const start = (address / 4096n) * 4096n;
  const end = ((address + 4900n + 4095n) / 4096n) * 4096n;
  const calls = watch();
  let first = true;
  const seen = fake.onCall;
  fake.onCall = (name, args, context) => {
    seen?.(name, args, context);
    if (name !== 'cuMemHostRegister') return;
    if (first) fake.fail.set('cuMemHostRegister', 1);
    else fake.fail.delete('cuMemHostRegister');
    first = false;
  };
  using registered = registerHostMemory(array, HostRegisterFlags.DEVICEMAP);
  expect(calls).toEqual([
    ['cuMemHostRegister', address, 4900n, 3],
    ['cuMemHostRegister', start, end - start, 3],
  ]);
  expect(registered.ptr).toBe(address);
});

test('an array that is locked already is an error that says so, and keeps its lock', () => {
  const array = new Uint8Array(64);
  using registered = registerHostMemory(array);
  const again = (): unknown => registerHostMemory(array);
  expect(again).toThrow(CudaLogicError);
  expect(again).toThrow(/HOST_MEMORY_ALREADY_REGISTERED[^]*is page-locked already: unregister that first/);
  expect([registered.closed, fake.live.registered, liveObjects()['RegisteredHostMemory']]).toEqual([false, 1, 1]);
});

test('unregister() a second time throws ClosedError; close() does not', () => {
  const registered = registerHostMemory(new Uint8Array(64));
  registered.unregister();
  registered.close();
  expect(() => {
    registered.unregister();
  }).toThrow(ClosedError);
  expect(() => registered.ptr).toThrow(ClosedError);
});

test('an array stays where it is while it is registered, and can be unregistered', () => {
  const array = new Uint8Array(4096);
  const registered = registerHostMemory(array);
  try {
    structuredClone(array.buffer, { transfer: [array.buffer] });
  } catch (error) {
    // From Node 24 on a transfer of pinned memory throws; before, it copies.
    expect(String(error)).toMatch(/^TypeError/);
  }
  expect(array.byteLength).toBe(4096);
  registered.unregister();
  expect(fake.live.registered).toBe(0);
});

test.each<[unknown, unknown, RegExp]>([
  [[1, 2], 0, /must be a typed array, a Buffer, a DataView or an ArrayBuffer, got an Array/],
  [new Uint8Array(0), 0, /is empty/],
  [new Uint8Array(4), 16, /flags must be an integer from 0 to 15, got 16/],
  [new Uint8Array(4), '1', /flags must be a number/],
  [new (ArrayBuffer as new (n: number, o: object) => ArrayBuffer)(8, { maxByteLength: 16 }), 0, /is resizable/],
])('registerHostMemory(%p, %p) throws', (array, flags, message) => {
  expect(() => registerHostMemory(array as never, flags as never)).toThrow(message);
  expect(fake.live.registered).toBe(0);
});
