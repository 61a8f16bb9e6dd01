import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { CudaMemoryError } from '../../../../src/cuda/errors.ts';
import { DeviceAllocation, memAlloc, memAllocPitch, memGetInfo } from '../../../../src/cuda/memory/memory.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { expectWarnings } from '../../../helpers/warnings.ts';
import { untilCollected } from '../../../helpers/until.ts';

const fake = withFakeDriver();
const ROOM = fake.room;

afterEach(() => {
  fake.fail.clear();
  fake.room = ROOM;
});

test('memAlloc() gives memory of that size, with an address', () => {
  using memory = memAlloc(100);
  expect(memory).toBeInstanceOf(DeviceAllocation);
  expect([memory.byteLength, typeof memory.ptr, memory.closed]).toEqual([100, 'bigint', false]);
  expect(fake.live.memory).toBe(1);
});

test.each([0, -1, 1.5, NaN, Infinity, 2 ** 53])('memAlloc(%p) is a RangeError, and allocates nothing', (size) => {
  expect(() => memAlloc(size)).toThrow(RangeError);
  expect(() => memAlloc(size)).toThrow(/The size of an allocation must be an integer >= 1, got .*/);
  expect(fake.live.memory).toBe(0);
});

test.each(['16', undefined, null, {}, new Uint8Array(4)])('memAlloc(%p) is a TypeError', (size) => {
  expect(() => memAlloc(size as never)).toThrow(TypeError);
});

test('memAlloc() reports what was asked for and what is free when memory has run out', () => {
  fake.room = 1000;
  const fail = (): unknown => memAlloc(4096);
  expect(fail).toThrow(CudaMemoryError);
  expect(fail).toThrow(
    /cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY[^]*asked {3}4096 bytes\n {2}free {4}1000 of 1073741824 bytes/,
  );
  expect(liveObjects()).not.toHaveProperty('DeviceAllocation');
});

test('memAlloc() in a synchronous loop that drops its allocations succeeds in little memory', async () => {
  expectWarnings('RAWKERNEL_LEAK');
  fake.room = 10_000;
  for (let i = 0; i < 100; i++) memAlloc(3000);
  expect(fake.live.memory).toBeLessThanOrEqual(3);
  await untilCollected('all of it is freed', () => fake.live.memory === 0);
});

test('memAlloc() tries once more, not for ever', () => {
  let calls = 0;
  fake.onCall = (routine) => {
    if (routine === 'cuMemAlloc') calls++;
  };
  fake.fail.set('cuMemAlloc', 2);
  expect(() => memAlloc(16)).toThrow(CudaMemoryError);
  fake.onCall = undefined;
  expect(calls).toBe(2);
});

test('memAlloc() does not try again after another failure', () => {
  let calls = 0;
  fake.onCall = (routine) => {
    if (routine === 'cuMemAlloc') calls++;
  };
  fake.fail.set('cuMemAlloc', 1);
  expect(() => memAlloc(16)).toThrow(expect.objectContaining({ code: 'CUDA_ERROR_INVALID_VALUE', status: 1 }));
  fake.onCall = undefined;
  expect(calls).toBe(1);
});

test('free() gives the memory back', () => {
  const memory = memAlloc(64);
  memory.free();
  expect([fake.live.memory, memory.closed]).toEqual([0, true]);
});

test('free() a second time throws ClosedError', () => {
  const memory = memAlloc(64);
  memory.free();
  expect(() => {
    memory.free();
  }).toThrow(new ClosedError('DeviceAllocation', 'free'));
  expect(fake.live.memory).toBe(0);
});

test('close() may be called again, also after free()', () => {
  const memory = memAlloc(64);
  memory.free();
  memory.close();
  memory.close();
  expect(fake.live.memory).toBe(0);
});

test('`using` frees at the end of the block', () => {
  {
    using memory = memAlloc(64);
    expect(memory.closed).toBe(false);
  }
  expect(fake.live.memory).toBe(0);
});

test('ptr and slice() of freed memory throw ClosedError', () => {
  const memory = memAlloc(64);
  memory.free();
  expect(() => memory.ptr).toThrow(ClosedError);
  expect(() => memory.slice(0, 4)).toThrow(ClosedError);
});

test('slice() points into the allocation', () => {
  using memory = memAlloc(64);
  const slice = memory.slice(16, 32);
  expect([slice.ptr - memory.ptr, slice.byteLength, slice.byteOffset]).toEqual([16n, 32, 16]);
});

test('slice() without a length goes to the end', () => {
  using memory = memAlloc(64);
  expect(memory.slice(60).byteLength).toBe(4);
  expect(memory.slice(64).byteLength).toBe(0);
});

test('slice() of a slice adds up', () => {
  using memory = memAlloc(64);
  const inner = memory.slice(16, 32).slice(8, 8);
  expect([inner.ptr - memory.ptr, inner.byteLength]).toEqual([24n, 8]);
  expect(() => memory.slice(16, 32).slice(8, 25)).toThrow(RangeError);
});

test('a slice of freed memory throws ClosedError when it is used', () => {
  const memory = memAlloc(64);
  const slice = memory.slice(8);
  memory.free();
  expect(() => slice.ptr).toThrow(ClosedError);
});

test.each<[unknown, unknown, string]>([
  [65, undefined, 'slice(65) begins beyond the end; there are 64 bytes'],
  [60, 8, 'slice(60, 8) ends at 68; there are 64 bytes'],
  [-1, 4, 'byteOffset must be an integer >= 0, got -1'],
  [0, -4, 'byteLength must be an integer >= 0, got -4'],
  [NaN, 4, 'byteOffset must be an integer >= 0, got NaN'],
  [0, 0.5, 'byteLength must be an integer >= 0, got 0.5'],
  [2 ** 53, 4, 'byteOffset must be an integer >= 0, got 9007199254740992'],
])('slice(%p, %p) is a RangeError', (offset, length, message) => {
  using memory = memAlloc(64);
  expect(() => memory.slice(offset as number, length as number)).toThrow(new RangeError(message));
});

test.each([
  ['8', 4],
  [undefined, 4],
  [0, '4'],
  [null, 4],
])('slice(%p, %p) is a TypeError', (offset, length) => {
  using memory = memAlloc(64);
  expect(() => memory.slice(offset as never, length as never)).toThrow(TypeError);
});

test('memAllocPitch() gives the pitch and all rows', () => {
  const { memory, pitch } = memAllocPitch(100, 3);
  expect([pitch, memory.byteLength]).toEqual([512, 1536]);
  memory.free();
});

test.each<[unknown, unknown, unknown, RegExp]>([
  [0, 3, 4, /widthBytes must be an integer >= 1, got 0/],
  [100, 0, 4, /height must be an integer >= 1, got 0/],
  [1.5, 3, 4, /widthBytes/],
  [100, NaN, 4, /height/],
  [100, 3, 5, /elementBytes must be 4, 8 or 16, got 5/],
  [100, 3, '4', /elementBytes/],
])('memAllocPitch(%p, %p, %p) is a RangeError', (width, height, element, message) => {
  const attempt = (): unknown => memAllocPitch(width as never, height as never, element as never);
  expect(attempt).toThrow(RangeError);
  expect(attempt).toThrow(message);
});

test('memAllocPitch() reports that memory has run out', () => {
  fake.room = 100;
  expect(() => memAllocPitch(100, 3)).toThrow(CudaMemoryError);
});

test('memGetInfo() tells what is free and what there is', () => {
  fake.room = 12345;
  expect(memGetInfo()).toEqual({ free: 12345, total: 1 << 30 });
});

test('10,000 allocations made and freed leave none', () => {
  for (let i = 0; i < 10_000; i++) memAlloc(16).free();
  expect([fake.live.memory, liveObjects()['DeviceAllocation']]).toEqual([0, undefined]);
});
