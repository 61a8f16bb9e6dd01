import { afterEach, describe, expect, test } from '@jest/globals';
import { blockSize } from '../../../../src/core/block-bins.ts';
import { ClosedError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { DeviceMemoryPool, PooledAllocation } from '../../../../src/cuda/pool/device-memory-pool.ts';
import { CudaMemoryError } from '../../../../src/cuda/errors.ts';
import { PageLockedMemoryPool } from '../../../../src/cuda/pool/page-locked-memory-pool.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();
const ROOM = fake.room;

afterEach(() => {
  fake.fail.clear();
  fake.busy = false;
  fake.room = ROOM;
  expect([fake.live.memory, fake.live.host, fake.live.event, fake.live.stream]).toEqual([0, 0, 0, 0]);
  expect(liveObjects()).toEqual({ Context: 1 });
});

test('blockSize() wastes at most a 16th, or 255 bytes', () => {
  for (let bytes = 1; bytes < 1 << 24; bytes = Math.ceil(bytes * 1.37)) {
    const size = blockSize(bytes);
    expect(size).toBeGreaterThanOrEqual(bytes);
    expect(size - bytes).toBeLessThan(Math.max(256, bytes / 16));
    expect(size % 256).toBe(0);
    expect(blockSize(size)).toBe(size);
  }
});

test('a pool whose block was given back in a capture goes without a warning', () => {
  const pool = new DeviceMemoryPool();
  pool.allocate(256).free();
  fake.fail.set('cuEventSynchronize', 907);
  pool.close();
});

test.each([
  [17, 256],
  [0xaffe, 0xb000],
  [0x3affe, 0x3c000],
  [0xcc3affe, 0xd000000],
])('bitlog: the power of two below %i decides its step', (bytes, size) => {
  expect(blockSize(bytes)).toBe(size);
});

describe('DeviceMemoryPool', () => {
  test('gives a freed block out again for about the same size', () => {
    using pool = new DeviceMemoryPool();
    const first = pool.allocate(1000);
    expect(first).toBeInstanceOf(PooledAllocation);
    const { ptr } = first;
    expect([first.byteLength, fake.live.memory]).toEqual([1000, 1]);
    first.free();
    expect(pool.statistics).toEqual({ heldBlocks: 1, heldBytes: 1024, activeBlocks: 0, activeBytes: 0 });
    using second = pool.allocate(1020);
    expect([second.ptr, fake.live.memory]).toEqual([ptr, 1]);
    using other = pool.allocate(5000);
    expect(other.ptr).not.toBe(ptr);
    expect(pool.statistics).toEqual({ heldBlocks: 0, heldBytes: 0, activeBlocks: 2, activeBytes: 1024 + 5120 });
  });

  test('keeps a block from another stream until its own has reached the release', () => {
    using pool = new DeviceMemoryPool();
    using first = new Stream();
    using second = new Stream();
    fake.busy = true;
    const memory = pool.allocate(256, first);
    const { ptr } = memory;
    memory.free();
    const other = pool.allocate(256, second);
    expect(other.ptr).not.toBe(ptr);
    const same = pool.allocate(256, first);
    expect(same.ptr).toBe(ptr);
    same.freeAsync(second);
    const waiting = pool.allocate(256, first);
    expect(waiting.ptr).not.toBe(ptr);
    fake.busy = false;
    using passed = pool.allocate(256, first);
    expect(passed.ptr).toBe(ptr);
    for (const one of [other, waiting]) one.free();
  });

  test('a stream with the handle of a destroyed one is another stream', () => {
    using pool = new DeviceMemoryPool();
    const first = new Stream();
    const { handle } = first;
    fake.busy = true;
    const memory = pool.allocate(256, first);
    const { ptr } = memory;
    memory.free();
    first.close();
    fake.nextHandle = handle;
    using second = new Stream();
    expect(second.handle).toBe(handle);
    using other = pool.allocate(256, second);
    expect(other.ptr).not.toBe(ptr);
    fake.busy = false;
  });

  /** The streams on which events were recorded meanwhile. */
  function marksOf(work: () => void): unknown[] {
    const streams: unknown[] = [];
    fake.onCall = (name, args) => {
      if (name === 'cuEventRecord') streams.push(args[1]);
    };
    work();
    fake.onCall = undefined;
    return streams;
  }

  test('records no event for a stream that has its own blocks back, and one for all of them when another asks', () => {
    using pool = new DeviceMemoryPool();
    using first = new Stream();
    using second = new Stream();
    fake.busy = true;
    const returnBoth = (): bigint[] => {
      const both = [256, 512].map((bytes) => pool.allocate(bytes, first));
      const places = both.map(({ ptr }) => ptr);
      for (const one of both) one.free();
      return places;
    };
    const places = returnBoth();
    expect(marksOf(() => expect(returnBoth()).toEqual(places))).toEqual([]);
    const others = [256, 512, 512];
    const marks = marksOf(() => {
      for (const bytes of others) pool.allocate(bytes, second).free();
    });
    expect(marks).toEqual([first.handle]);
    expect([pool.statistics.heldBlocks, fake.live.event]).toEqual([4, 1]);
    fake.busy = false;
    using own = pool.allocate(512, second);
    using passed = pool.allocate(512, second);
    expect([passed.ptr === places[1], own.ptr === places[1], fake.live.event]).toEqual([true, false, 1]);
    pool.freeHeld();
    expect(fake.live.event).toBe(0);
  });

  test('records the event on the stream of the free', () => {
    using pool = new DeviceMemoryPool();
    using stream = new Stream();
    using other = new Stream();
    const marks = marksOf(() => {
      pool.allocate(16, stream).freeAsync(null);
      pool.allocate(16, other).freeAsync(stream);
      pool.allocate(16, other).free();
    });
    expect(marks).toEqual([0n, stream.handle]);
  });

  test('marks a stream that another owner may destroy when memory is freed on it', () => {
    using pool = new DeviceMemoryPool();
    using borrowed = Stream.fromHandle(0x77n);
    expect(marksOf(() => pool.allocate(16, borrowed).free())).toEqual([0x77n]);
    fake.fail.set('cuEventRecord', 700);
    pool.allocate(512, borrowed).free();
    expect(pool.statistics.heldBlocks).toBe(1);
  });

  test('a stream that is closed is marked before', () => {
    using pool = new DeviceMemoryPool();
    const first = new Stream();
    const { handle } = first;
    pool.allocate(256, first).free();
    const calls: string[] = [];
    fake.onCall = (name) => calls.push(name);
    first.close();
    fake.onCall = undefined;
    expect(calls.filter((name) => /EventRecord|StreamDestroy/.test(name))).toEqual([
      'cuEventRecord',
      'cuStreamDestroy',
    ]);
    using second = new Stream();
    expect(marksOf(() => pool.allocate(256, second).free())).toEqual([]);
    expect(handle).not.toBe(second.handle);
    expect([pool.statistics.heldBlocks, fake.live.event]).toEqual([1, 0]);
  });

  test('a stream may be closed before the memory', () => {
    using pool = new DeviceMemoryPool();
    const stream = new Stream();
    const memory = pool.allocate(16, stream);
    stream.close();
    expect(fake.live.stream).toBe(1);
    memory.free();
    expect(fake.live.stream).toBe(0);
  });

  test('a second free throws, and does not give the block back twice', () => {
    using pool = new DeviceMemoryPool();
    const memory = pool.allocate(16);
    memory.free();
    expect(() => {
      memory.free();
    }).toThrow(ClosedError);
    expect(pool.statistics.heldBlocks).toBe(1);
    expect(() => memory.ptr).toThrow(ClosedError);
  });

  test('freeHeld() frees what is held, and only that', () => {
    using pool = new DeviceMemoryPool();
    using kept = pool.allocate(16);
    pool.allocate(1 << 20).free();
    expect(pool.freeHeld()).toBe(1 << 20);
    expect(pool.freeHeld()).toBe(0);
    expect([fake.live.memory, kept.closed]).toEqual([1, false]);
  });

  test('stopHolding() frees blocks when they are released', () => {
    using pool = new DeviceMemoryPool();
    const memory = pool.allocate(16);
    pool.allocate(16).free();
    pool.stopHolding();
    expect(fake.live.memory).toBe(1);
    memory.free();
    expect([fake.live.memory, pool.statistics.heldBlocks]).toEqual([0, 0]);
  });

  test('close() leaves what is in use alone', () => {
    const pool = new DeviceMemoryPool();
    const memory = pool.allocate(16);
    pool.close();
    pool.close();
    expect([fake.live.memory, typeof memory.ptr]).toEqual([1, 'bigint']);
    expect(() => pool.allocate(16)).toThrow(ClosedError);
    memory.free();
  });

  test('what is held goes when memory has run out', () => {
    using pool = new DeviceMemoryPool();
    fake.room = 10_000;
    pool.allocate(8192).free();
    using memory = pool.allocate(4096);
    expect([memory.byteLength, fake.live.memory]).toEqual([4096, 1]);
    expect(() => pool.allocate(8192)).toThrow(CudaMemoryError);
    expect(pool.statistics.activeBlocks).toBe(1);
  });

  test.each(['cuEventCreate', 'cuEventRecord'])('where %s fails, no other stream gets the block', (routine) => {
    using pool = new DeviceMemoryPool();
    using stream = new Stream();
    pool.allocate(16).free();
    fake.fail.set(routine, 2);
    const other = pool.allocate(16, stream);
    expect(pool.statistics.heldBlocks).toBe(1);
    fake.fail.clear();
    using next = pool.allocate(16, stream);
    expect([pool.statistics.heldBlocks, next.ptr === other.ptr]).toEqual([0, false]);
    other.free();
  });

  test.each([0, -1, NaN, 1.5, 2 ** 53])('allocate(%p) is a RangeError', (size) => {
    using pool = new DeviceMemoryPool();
    expect(() => pool.allocate(size)).toThrow(RangeError);
  });

  test('allocate() takes a Stream or nothing', () => {
    using pool = new DeviceMemoryPool();
    expect(() => pool.allocate(16, 5 as never)).toThrow(/stream must be a Stream or null/);
  });
});

describe('PageLockedMemoryPool', () => {
  test('gives typed arrays over the same pages', () => {
    using pool = new PageLockedMemoryPool();
    const first = pool.allocate(100, 'f32');
    expect(Object.prototype.toString.call(first)).toBe('[object Float32Array]');
    expect([first.length, fake.live.host]).toEqual([100, 1]);
    first.fill(7);
    pool.free(first);
    expect(first.length).toBe(0);
    using second = pool.allocate(101, Float32Array);
    expect([second.length, second[0], fake.live.host]).toEqual([101, 7, 1]);
    expect(pool.statistics).toEqual({ heldBlocks: 0, heldBytes: 0, activeBlocks: 1, activeBytes: 512 });
  });

  test('keeps pages until the copies are done, from the same stream too: the host writes at once', () => {
    using pool = new PageLockedMemoryPool();
    using stream = new Stream();
    fake.busy = true;
    pool.free(pool.allocate(4, 'i32'), stream);
    using other = pool.allocate(4, 'i32', stream);
    expect([other.length, fake.live.host]).toEqual([4, 2]);
    fake.busy = false;
    using passed = pool.allocate(4, 'i32', stream);
    expect([passed.length, fake.live.host]).toEqual([4, 2]);
  });

  test('waits for the copies before pages are freed', () => {
    using pool = new PageLockedMemoryPool();
    const calls: string[] = [];
    pool.free(pool.allocate(4, 'i32'));
    fake.onCall = (name) => calls.push(name);
    expect(pool.freeHeld()).toBe(256);
    fake.onCall = undefined;
    expect(calls.filter((name) => /Synchronize|Free/.test(name))).toEqual(['cuEventSynchronize', 'cuMemFreeHost']);
  });

  test('free() refuses other arrays and a second time', () => {
    using pool = new PageLockedMemoryPool();
    const array = pool.allocate(4, 'i32');
    pool.free(array);
    expect(() => {
      pool.free(array);
    }).toThrow(ClosedError);
    expect(() => {
      pool.free(new Int32Array(4));
    }).toThrow(TypeError);
  });

  test.each<[unknown, unknown, RegExp]>([
    [0, 'f32', /the length must be an integer >= 1, got 0/],
    [4, 'float', /the type must be a typed array class/],
  ])('allocate(%p, %p) throws', (length, type, message) => {
    using pool = new PageLockedMemoryPool();
    expect(() => pool.allocate(length as never, type as never)).toThrow(message);
  });

  test('close() leaves arrays in use alone', () => {
    const pool = new PageLockedMemoryPool();
    {
      using array = pool.allocate(4, 'i32');
      pool.stopHolding();
      pool.close();
      expect(array.fill(3)[3]).toBe(3);
    }
    expect(fake.live.host).toBe(0);
  });

  test('flags are checked', () => {
    expect(() => new PageLockedMemoryPool(8)).toThrow(/flags must be an integer from 0 to 7, got 8/);
  });
});
