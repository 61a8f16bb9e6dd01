import { constants } from 'node:buffer';
import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import { CudaMemoryError } from '../../../../src/cuda/errors.ts';
import {
  getDevicePointer,
  pagelockedEmpty,
  pagelockedFree,
  pagelockedZeros,
} from '../../../../src/cuda/memory/host-memory.ts';
import { memcpyHtoD, memcpyHtoDAsync, fromDevice } from '../../../../src/cuda/copy/memcpy.ts';
import { managedEmpty, managedZeros } from '../../../../src/cuda/managed/managed-memory.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { PageLockedMemoryPool } from '../../../../src/cuda/pool/page-locked-memory-pool.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { expectWarnings } from '../../../helpers/warnings.ts';
import { collect, turns, untilCollected } from '../../../helpers/until.ts';

const fake = withFakeDriver();
const ROOM = fake.room;

afterEach(() => {
  fake.fail.clear();
  fake.room = ROOM;
});

test('pagelockedEmpty() gives a real typed array over native memory', () => {
  using array = pagelockedEmpty(100, Float32Array);
  expect(Object.prototype.toString.call(array)).toBe('[object Float32Array]');
  expect([array.length, array.byteLength, fake.live.host]).toEqual([100, 400, 1]);
  array[7] = 0.5;
  expect(new Float32Array(array.buffer)[7]).toBe(0.5);
});

test('pagelockedEmpty() takes a dtype', () => {
  using array = pagelockedEmpty(3, 'i64');
  expect(Object.prototype.toString.call(array)).toBe('[object BigInt64Array]');
});

test('pagelockedZeros() is cleared', () => {
  pagelockedFree(pagelockedEmpty(64, 'u8').fill(255));
  using array = pagelockedZeros(64, 'u8');
  expect(array.every((value) => value === 0)).toBe(true);
});

test('a pagelocked array is host memory for copies', () => {
  using array = pagelockedEmpty(4, 'i32');
  using memory = memAlloc(16);
  array.set([1, 2, 3, 4]);
  memcpyHtoD(memory, array.subarray(1, 3));
  expect([...fromDevice(memory, 'i32', 2)]).toEqual([2, 3]);
});

test('pagelockedFree() leaves the array and every view of its memory with length 0', () => {
  const array = pagelockedEmpty(16, 'f32');
  const [view, part] = [new Uint8Array(array.buffer), array.subarray(4)];
  pagelockedFree(array);
  expect([array.length, view.length, part.length, array.buffer.byteLength]).toEqual([0, 0, 0, 0]);
  expect(fake.live.host).toBe(0);
});

test('pagelockedFree() takes any view of the memory', () => {
  const array = pagelockedEmpty(16, 'f32');
  pagelockedFree(array.subarray(3, 5));
  expect([array.length, fake.live.host]).toEqual([0, 0]);
});

test('pagelockedFree() a second time throws ClosedError', () => {
  const array = pagelockedEmpty(16, 'f32');
  pagelockedFree(array);
  expect(() => {
    pagelockedFree(array);
  }).toThrow(ClosedError);
});

test('pagelockedFree() waits for the device first', () => {
  const calls: string[] = [];
  const array = pagelockedEmpty(16, 'f32');
  fake.onCall = (routine) => calls.push(routine);
  pagelockedFree(array);
  fake.onCall = undefined;
  expect(calls.filter((name) => /Synchronize|Free/.test(name))).toEqual(['cuCtxSynchronize', 'cuMemFreeHost']);
});

test('pagelockedFree() frees in a context that is lost', () => {
  const array = pagelockedEmpty(16, 'f32');
  fake.fail.set('cuCtxSynchronize', 700);
  pagelockedFree(array);
  expect([array.length, fake.live.host]).toEqual([0, 0]);
});

test.each([new Float32Array(4), new Uint8Array(new SharedArrayBuffer(4)), {}, { buffer: 3 }])(
  'pagelockedFree() refuses what is not pagelocked (%#)',
  (array) => {
    expect(() => {
      pagelockedFree(array as never);
    }).toThrow(new TypeError('pagelockedFree: the array was not made by pagelockedEmpty or pagelockedZeros'));
  },
);

test('`using` frees at the end of the block, and does nothing after pagelockedFree()', () => {
  {
    using array = pagelockedEmpty(16, 'f32');
    expect(fake.live.host).toBe(1);
    using other = pagelockedEmpty(16, 'f32');
    pagelockedFree(other);
    expect(array.length).toBe(16);
  }
  expect(fake.live.host).toBe(0);
});

test('a copy from a freed array says that it is detached', () => {
  using memory = memAlloc(16);
  const array = pagelockedEmpty(4, 'f32');
  pagelockedFree(array);
  expect(() => {
    memcpyHtoD(memory, array);
  }).toThrow(/is detached: its buffer was transferred or freed/);
});

test.each<[unknown, unknown, unknown, typeof RangeError, RegExp]>([
  [0, 'f32', 0, RangeError, /the length must be an integer >= 1, got 0/],
  [-1, 'f32', 0, RangeError, /got -1/],
  [1.5, 'f32', 0, RangeError, /got 1\.5/],
  [NaN, 'f32', 0, RangeError, /got NaN/],
  ['8', 'f32', 0, TypeError, /must be a number/],
  [8, 'float', 0, TypeError, /the type must be a typed array class or one of/],
  [8, undefined, 0, TypeError, /got undefined/],
  [8, 'f32', 8, RangeError, /flags must be an integer from 0 to 7, got 8/],
  [8, 'f32', 'x', TypeError, /flags must be a number/],
])('pagelockedEmpty(%p, %p, %p) throws', (length, type, flags, kind, message) => {
  const attempt = (): unknown => pagelockedEmpty(length as never, type as never, flags as never);
  expect(attempt).toThrow(kind);
  expect(attempt).toThrow(message);
  expect(fake.live.host).toBe(0);
});

test('pagelockedEmpty() reports that memory has run out', () => {
  fake.room = 10;
  expect(() => pagelockedEmpty(16, 'f32')).toThrow(CudaMemoryError);
  expect(() => pagelockedEmpty(16, 'f32')).toThrow(
    /cuMemHostAlloc failed: CUDA_ERROR_OUT_OF_MEMORY[^]*asked {3}64 bytes/,
  );
});

test('a dropped array is collected, and that is said', async () => {
  const warnings = expectWarnings('RAWKERNEL_LEAK');
  const drop = (): void => {
    for (let i = 0; i < 5; i++) pagelockedEmpty(1024, 'f32').fill(1);
  };
  drop();
  await untilCollected('the arrays are freed', () => fake.live.host === 0);
  await turns();
  expect(warnings).toHaveLength(1);
});

test('a view keeps the memory when the array is dropped', async () => {
  const view = ((): Uint8Array => new Uint8Array(pagelockedZeros(64, 'f32').buffer, 8, 8))();
  await collect();
  expect([fake.live.host, view.length]).toEqual([1, 8]);
  pagelockedFree(view);
});

test('a copy in flight keeps a dropped array', async () => {
  expectWarnings('RAWKERNEL_LEAK');
  using memory = memAlloc(256);
  fake.busy = true;
  const start = (): void => {
    memcpyHtoDAsync(memory, pagelockedEmpty(64, 'f32'));
  };
  start();
  await collect();
  expect(fake.live.host).toBe(1);
  fake.busy = false;
  sweepFlights();
  await untilCollected('the array is freed', () => fake.live.host === 0);
});

test('getDevicePointer() is an address for kernels', () => {
  using array = pagelockedEmpty(16, 'f32');
  expect(getDevicePointer(array.subarray(4)) - getDevicePointer(array)).toBe(16n);
});

test('getDevicePointer() refuses other arrays, and freed ones', () => {
  const array = pagelockedEmpty(16, 'f32');
  pagelockedFree(array);
  expect(() => getDevicePointer(new Float32Array(4))).toThrow(
    new TypeError('getDevicePointer: the array is not page-locked'),
  );
  expect(() => getDevicePointer(array)).toThrow(TypeError);
});

test('1,000 arrays made and freed leave none', () => {
  for (let i = 0; i < 1000; i++) pagelockedFree(pagelockedEmpty(16, 'f32'));
  expect([fake.live.host, liveObjects()['pagelocked array']]).toEqual([0, undefined]);
});

test('an array that the runtime cannot have is refused before anything is allocated', () => {
  // More than 2^53 elements would be no number.
  const length = Math.min(constants.MAX_LENGTH + 1, Number.MAX_SAFE_INTEGER);
  // What reaches the driver ends in its error.
  for (const routine of ['cuMemHostAlloc', 'cuMemAllocManaged', 'cuMemcpyDtoH']) fake.fail.set(routine, 1);
  using pool = new PageLockedMemoryPool();
  const makers = [
    () => pagelockedEmpty(length, 'f64'),
    () => pagelockedZeros(length, Float64Array),
    () => managedEmpty(length, 'f64'),
    () => managedZeros(length, 'f64'),
    () => pool.allocate(length, 'f64'),
    () => fromDevice(1n, 'f64', length),
  ];
  for (const make of makers) {
    expect(make).toThrow(RangeError);
    expect(make).toThrow(/must be at most \d+ bytes, all that an array of this runtime can have; got \d+$/);
  }
});
