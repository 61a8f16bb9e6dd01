import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { CudaMemoryError } from '../../../../src/cuda/errors.ts';
import {
  managedEmpty,
  managedFree,
  managedZeros,
  memAdvise,
  memPrefetchAsync,
  memRangeAttributes,
  streamAttachMemAsync,
} from '../../../../src/cuda/managed/managed-memory.ts';
import { fromDevice } from '../../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { MemAttachFlags } from '../../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();
const ROOM = fake.room;

afterEach(() => {
  fake.fail.clear();
  fake.room = ROOM;
  fake.onCall = undefined;
});

/** What reaches the driver of one routine. */
function watch(routine: string): (readonly unknown[])[] {
  const calls: (readonly unknown[])[] = [];
  fake.onCall = (name, args) => {
    if (name === routine) calls.push(args);
  };
  return calls;
}

test('managedZeros() is one memory for both sides', () => {
  using array = managedZeros(4, 'i32');
  expect([...array]).toEqual([0, 0, 0, 0]);
  array.set([1, 2, 3, 4]);
  expect([...fromDevice(array.ptr, 'i32', 4)]).toEqual([1, 2, 3, 4]);
  expect(fake.live.memory).toBe(1);
});

test('managedFree() leaves the array and every view of its memory with length 0', () => {
  const array = managedEmpty(16, Float32Array);
  const view = new Uint8Array(array.buffer);
  managedFree(array);
  expect([array.length, view.length, fake.live.memory]).toEqual([0, 0, 0]);
  expect(() => array.ptr).toThrow(ClosedError);
  expect(() => {
    managedFree(array);
  }).toThrow(ClosedError);
});

test('`using` frees, and does nothing after managedFree()', () => {
  {
    using array = managedEmpty(16, 'f32');
    managedFree(array);
    using other = managedEmpty(16, 'f32');
    expect(other.length).toBe(16);
  }
  expect(fake.live.memory).toBe(0);
});

test('managedEmpty() reports that memory has run out', () => {
  fake.room = 10;
  expect(() => managedEmpty(16, 'f32')).toThrow(CudaMemoryError);
});

test('managed memory that cannot be mapped is not left behind', () => {
  fake.fail.set('cuPointerGetAttribute', 999);
  managedFree(managedEmpty(4, 'f32'));
  expect(fake.live.memory).toBe(0);
});

test.each<[unknown, unknown, unknown, RegExp]>([
  [0, 'f32', 1, /the length must be an integer >= 1, got 0/],
  [4, 'float', 1, /the type must be a typed array class/],
  [4, 'f32', 3, /flags must be an integer from 1 to 2, got 3/],
])('managedEmpty(%p, %p, %p) throws', (length, type, flags, message) => {
  expect(() => managedEmpty(length as never, type as never, flags as never)).toThrow(message);
  expect(fake.live.memory).toBe(0);
});

test.each([new Float32Array(4), {}, undefined])('managedFree() refuses other arrays (%#)', (array) => {
  expect(() => {
    managedFree(array as never);
  }).toThrow(new TypeError('managedFree: the array was not made by managedEmpty or managedZeros'));
});

test('memPrefetchAsync() names the place by value', () => {
  using array = managedEmpty(16, 'f32');
  using stream = new Stream();
  const calls = watch('cuMemPrefetchAsync');
  memPrefetchAsync(array, new Device(0), stream);
  memPrefetchAsync(array, 'host', null, 32);
  memPrefetchAsync(array.ptr, { numaNode: 1 }, null, 4);
  expect(calls).toEqual([
    [array.ptr, 64, 1n, 0, stream.handle],
    [array.ptr, 32, 2n, 0, 0n],
    [array.ptr, 4, 3n | (1n << 32n), 0, 0n],
  ]);
});

test('memAdvise() knows its advice by name', () => {
  using array = managedEmpty(16, 'f32');
  const calls = watch('cuMemAdvise');
  memAdvise(array, 'setReadMostly');
  memAdvise(array, 'unsetAccessedBy', new Device(0), 8);
  expect(calls).toEqual([
    [array.ptr, 64, 1, 2n],
    [array.ptr, 8, 6, 1n],
  ]);
  expect(() => {
    memAdvise(array, 'readMostly' as never);
  }).toThrow(/memAdvise takes setReadMostly, .*, got the string "readMostly"/);
  expect(() => {
    memAdvise(array, 'setAccessedBy', 0 as never);
  }).toThrow(/the location must be a Device, 'host' or \{ numaNode \}, got 0/);
});

test('ranges are checked', () => {
  using memory = memAlloc(16);
  expect(() => {
    memPrefetchAsync(memory, 'host', null, 17);
  }).toThrow(/has 16 bytes; 17 were asked for/);
  expect(() => {
    memPrefetchAsync(memory.ptr, 'host');
  }).toThrow(/a raw address has no size; give byteLength/);
  expect(() => memRangeAttributes(null as never)).toThrow(TypeError);
});

test('memRangeAttributes() asks for all of them', () => {
  using array = managedEmpty(16, 'f32');
  expect(memRangeAttributes(array)).toEqual({
    readMostly: true,
    preferredLocation: 1,
    accessedBy: [1],
    lastPrefetchLocation: 1,
  });
});

test('streamAttachMemAsync() hands over stream and flags', () => {
  using array = managedEmpty(16, 'f32', MemAttachFlags.HOST);
  using stream = new Stream();
  const calls = watch('cuStreamAttachMemAsync');
  streamAttachMemAsync(stream, array);
  expect(calls).toEqual([[stream.handle, array.ptr, 0, 4]]);
});
