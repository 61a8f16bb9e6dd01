import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { CudaError, CudaLogicError, CudaMemoryError } from '../../../../src/cuda/errors.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { MemPool } from '../../../../src/cuda/pool/mem-pool.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { memAllocAsync, StreamAllocation } from '../../../../src/cuda/pool/stream-allocation.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
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

test('memAllocAsync() gives memory that is freed on its stream', () => {
  const stream = new Stream();
  const memory = memAllocAsync(100, stream);
  expect(memory).toBeInstanceOf(StreamAllocation);
  expect([memory.byteLength, fake.live.memory]).toEqual([100, 1]);
  const frees = watch('cuMemFreeAsync');
  const { ptr } = memory;
  const { handle } = stream;
  stream.close();
  memory.free();
  expect(frees).toEqual([[ptr, handle]]);
  expect([fake.live.memory, fake.live.stream]).toEqual([0, 0]);
});

test('freeAsync() frees on another stream, or on the default one', () => {
  using first = new Stream();
  using second = new Stream();
  const frees = watch('cuMemFreeAsync');
  memAllocAsync(16, first).freeAsync(second);
  memAllocAsync(16, first).freeAsync(null);
  memAllocAsync(16).freeAsync();
  expect(frees.map(([, stream]) => stream)).toEqual([second.handle, 0n, 0n]);
});

test('memory goes on the legacy stream when no capture is left', () => {
  using stream = new Stream();
  using other = new Stream();
  const memory = memAllocAsync(16);
  const frees = watch('cuMemFreeAsync');
  stream.beginCapture();
  other.beginCapture();
  memory.free();
  stream.endCapture().close();
  expect([memory.closed, frees]).toEqual([true, []]);
  other.close();
  expect(frees).toEqual([[expect.any(BigInt), 0n]]);
  expect(fake.live.memory).toBe(0);
});

test('a stream that is captured frees what was allocated in the capture, and the rest after it', () => {
  using stream = new Stream();
  const before = memAllocAsync(16, stream);
  const { ptr } = before;
  const frees = watch('cuMemFreeAsync');
  stream.beginCapture();
  const within = memAllocAsync(16, stream);
  const pointer = within.ptr;
  before.freeAsync(stream);
  within.freeAsync(stream);
  expect(frees).toEqual([[pointer, stream.handle]]);
  stream.endCapture().close();
  expect(frees).toEqual([
    [pointer, stream.handle],
    [ptr, stream.handle],
  ]);
});

test('memory of a capture that runs is not freed beside it, and is still there', () => {
  using stream = new Stream();
  using other = new Stream({ nonBlocking: true });
  using beside = new Stream();
  stream.beginCapture();
  beside.beginCapture();
  const memory = memAllocAsync(16, stream);
  const frees = watch('cuMemFreeAsync');
  for (const target of [null, other]) {
    const fail = (): void => {
      memory.freeAsync(target);
    };
    expect(fail).toThrow(CudaLogicError);
    expect(fail).toThrow(
      /CUDA_ERROR_STREAM_CAPTURE_IMPLICIT[^]*free it on a stream of that capture, or when the graph/,
    );
  }
  expect([memory.closed, frees]).toEqual([false, []]);
  memory.freeAsync(stream);
  expect(frees).toEqual([[expect.any(BigInt), stream.handle]]);
  beside.endCapture().close();
  stream.endCapture().close();
});

test('freeAsync() a second time throws ClosedError', () => {
  const memory = memAllocAsync(16);
  memory.freeAsync();
  expect(() => {
    memory.freeAsync(null);
  }).toThrow(ClosedError);
  expect(() => {
    memory.free();
  }).toThrow(ClosedError);
  memory.close();
  expect(() => memory.ptr).toThrow(ClosedError);
  expect(fake.live.memory).toBe(0);
});

test('freeAsync() of a closed stream throws, and the memory is still there', () => {
  const stream = new Stream();
  const memory = memAllocAsync(16);
  stream.close();
  expect(() => {
    memory.freeAsync(stream);
  }).toThrow(ClosedError);
  expect(memory.closed).toBe(false);
  memory.free();
});

test.each([0, -1, 1.5, NaN, 2 ** 53])('memAllocAsync(%p) is a RangeError', (size) => {
  expect(() => memAllocAsync(size)).toThrow(RangeError);
  expect(() => memAllocAsync(size)).toThrow(/memAllocAsync: the size must be an integer >= 1/);
});

test('memAllocAsync() takes a Stream or nothing', () => {
  expect(() => memAllocAsync(16, 5 as never)).toThrow(/stream must be a Stream or null/);
  expect(fake.live.memory).toBe(0);
});

test('memAllocAsync() reports what was asked for when memory has run out', () => {
  fake.room = 100;
  const fail = (): unknown => memAllocAsync(4096);
  expect(fail).toThrow(CudaMemoryError);
  expect(fail).toThrow(/cuMemAllocAsync failed: CUDA_ERROR_OUT_OF_MEMORY[^]*4096 bytes[^]*MALLOC__ASYNC/);
});

test('a pool outlives its close() until its last allocation', () => {
  const pool = new MemPool();
  const memory = pool.alloc(64);
  pool.close();
  expect(() => pool.alloc(64)).toThrow(ClosedError);
  expect(fake.live.pool).toBe(1);
  memory.free();
  expect([fake.live.pool, fake.live.memory]).toEqual([0, 0]);
});

// Pools are shared by file descriptors.
const posix = process.platform === 'win32' ? test.skip : test;

posix('new MemPool() hands its options to the driver', () => {
  let props: DataView | undefined;
  fake.onCall = (name, args) => {
    if (name === 'cuMemPoolCreate') props = args[1] as DataView;
  };
  using pool = new MemPool({ device: new Device(0), maxBytes: 4096, shareable: true, releaseThreshold: 100 });
  expect([0, 4, 8, 12].map((at) => props?.getInt32(at, true))).toEqual([1, 1, 1, 0]);
  expect(props?.getBigUint64(24, true)).toBe(4096n);
  expect(pool.releaseThreshold).toBe(100);
});

test.each([
  ['host', [2, 0]],
  [{ numaNode: 1 }, [3, 1]],
] as const)('a pool of location %j lets its device in', (location, words) => {
  let props: DataView | undefined;
  const access = watch('cuMemPoolSetAccess');
  const counted = fake.onCall;
  fake.onCall = (name, args, context) => {
    if (name === 'cuMemPoolCreate') props = args[1] as DataView;
    counted?.(name, args, context);
  };
  using pool = new MemPool({ location, device: new Device(0), maxBytes: 4096 });
  expect([8, 12].map((at) => props?.getInt32(at, true))).toEqual(words);
  expect([...(access[0]?.[1] as Uint32Array)]).toEqual([1, 0, 3]);
  expect([pool.location, pool.device.ordinal]).toEqual([location, 0]);
  expect(() => {
    pool.makeCurrent();
  }).toThrow(/a pool of the host cannot be the one of a device/);
});

test('a pool of the host whose device cannot be let in is not left behind', () => {
  fake.fail.set('cuMemPoolSetAccess', 801);
  expect(() => new MemPool({ location: 'host' })).toThrow(/cuMemPoolSetAccess failed: CUDA_ERROR_NOT_SUPPORTED/);
  expect(fake.live.pool).toBe(0);
});

test.each<[unknown, RegExp]>([
  [{ location: 'device' }, /MemPool: location must be a Device, 'host' or \{ numaNode \}, got the string "device"/],
  [{ location: { numaNode: -1 } }, /numaNode must be an integer from 0 to 65535, got -1/],
  [{ location: 'host', shareable: true }, /a pool of location 'host' cannot be shareable/],
  [{ size: 1 }, /MemPool has no option 'size'/],
  [{ device: 0 }, /MemPool: device must be a Device, got 0/],
  [{ maxBytes: -1 }, /maxBytes must be an integer >= 0, got -1/],
  [{ releaseThreshold: '1' }, /releaseThreshold must be a number/],
  [{ releaseThreshold: NaN }, /releaseThreshold must be an integer >= 0, got NaN/],
])('new MemPool(%j) throws, and makes nothing', (options, message) => {
  expect(() => new MemPool(options as never)).toThrow(message);
  expect(fake.live.pool).toBe(0);
});

test('a pool whose threshold cannot be set is not left behind', () => {
  fake.fail.set('cuMemPoolSetAttribute', 1);
  expect(() => new MemPool({ releaseThreshold: 1 })).toThrow(CudaError);
  expect([fake.live.pool, liveObjects()['MemPool']]).toEqual([0, undefined]);
});

test('releaseThreshold may be Infinity', () => {
  using pool = new MemPool();
  pool.releaseThreshold = Infinity;
  expect(pool.releaseThreshold).toBe(Infinity);
  expect(() => {
    pool.releaseThreshold = -1;
  }).toThrow(RangeError);
});

test('reuse flags are booleans', () => {
  using pool = new MemPool();
  for (const name of [
    'reuseFollowEventDependencies',
    'reuseAllowOpportunistic',
    'reuseAllowInternalDependencies',
  ] as const) {
    pool[name] = true;
    expect(pool[name]).toBe(true);
    pool[name] = false;
    expect(pool[name]).toBe(false);
    expect(() => {
      pool[name] = 1 as never;
    }).toThrow(TypeError);
  }
});

test('MemPool.default() and MemPool.current() are borrowed', () => {
  using made = new MemPool();
  made.makeCurrent();
  const current = MemPool.current();
  const first = MemPool.default(new Device(0));
  expect(current.handle).toBe(made.handle);
  expect(first.handle).not.toBe(made.handle);
  first.makeCurrent();
  current.close();
  first.close();
  expect(fake.live.pool).toBe(1);
});

test('trimTo(), marks and access reach the driver', () => {
  using pool = new MemPool();
  pool.trimTo();
  pool.trimTo(1024);
  pool.resetHighMarks();
  expect([pool.used, pool.reserved]).toEqual([
    { current: 0, high: 0 },
    { current: 0, high: 0 },
  ]);
  pool.setAccess(new Device(0), 'readwrite');
  expect(pool.getAccess(new Device(0))).toBe('readwrite');
  expect(() => {
    pool.trimTo(-1);
  }).toThrow(RangeError);
  expect(() => {
    pool.setAccess(new Device(0), 'write' as never);
  }).toThrow(/access must be 'none', 'read' or 'readwrite', got the string "write"/);
  expect(() => pool.getAccess(5 as never)).toThrow(TypeError);
});

posix('a pool and its allocations go to another process by handles', () => {
  using pool = new MemPool({ shareable: true });
  using memory = pool.alloc(64);
  expect(pool.exportHandle()).toBe(77);
  const data = MemPool.exportPointer(memory);
  expect(data.byteLength).toBe(64);
  using imported = MemPool.fromHandle(77);
  using twin = imported.importPointer(data, 64);
  expect(twin.byteLength).toBe(64);
  expect(() => MemPool.exportPointer(memAlloc as never)).toThrow(TypeError);
  expect(() => imported.importPointer(new Uint8Array(8), 64)).toThrow(/takes the 64 bytes of exportPointer/);
  expect(() => MemPool.fromHandle(-1)).toThrow(RangeError);
});
