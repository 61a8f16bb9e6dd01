import { afterEach, beforeAll, afterAll, describe, expect, test } from '@jest/globals';
import { CudaLogicError } from '../../../../src/cuda/errors.ts';
import { Event } from '../../../../src/cuda/stream/event.ts';
import type { KernelFunction } from '../../../../src/cuda/kernel/function.ts';
import type { LaunchOptions } from '../../../../src/cuda/kernel/launch-options.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer, type Module } from '../../../../src/cuda/module/module.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { DeviceAttribute, FunctionAttribute, LaunchAttributeId as Id } from '../../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const PTX = `.version 7.8\n.target sm_90\n.address_size 64
.visible .entry _Z1fil(.param .u32 a, .param .u64 b) { ret; }`;

const fake = withFakeDriver();
let module: Module;
let f: KernelFunction;

beforeAll(() => {
  module = moduleFromBuffer(PTX);
  f = module.getFunction('f');
});
afterAll(() => {
  module.close();
});
afterEach(() => {
  useTables({ driver: fake.table });
  fake.onCall = undefined;
});

/** The attributes of a launch, as a call and as a prepared one: they have to be the same. */
function attributesOf(options: Partial<LaunchOptions>): readonly (readonly number[])[] {
  const shape = { block: 32, grid: [8, 4, 2], ...options } as const;
  f(1, 2, shape);
  const called = fake.launches.at(-1)?.attributes ?? [];
  f.prepare(shape)(1, 2);
  expect(fake.launches.at(-1)?.attributes).toEqual(called);
  return called;
}

const float32 = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;

test.each<[Partial<LaunchOptions>, readonly (readonly number[])[]]>([
  [{}, []],
  [{ cooperative: false, priority: undefined as never }, []],
  [{ cooperative: true }, [[Id.COOPERATIVE, 0, 1]]],
  [{ cluster: 4 }, [[Id.CLUSTER_DIMENSION, 0, 4, 1, 1]]],
  [{ cluster: [2, 4, 1] }, [[Id.CLUSTER_DIMENSION, 0, 2, 4, 1]]],
  [
    { cluster: [1, 2], preferredCluster: [1, 4, 2] },
    [
      [Id.CLUSTER_DIMENSION, 0, 1, 2, 1],
      [Id.PREFERRED_CLUSTER_DIMENSION, 0, 1, 4, 2],
    ],
  ],
  [{ clusterScheduling: 'spread' }, [[Id.CLUSTER_SCHEDULING_POLICY_PREFERENCE, 0, 1]]],
  [{ programmaticStreamSerialization: true }, [[Id.PROGRAMMATIC_STREAM_SERIALIZATION, 0, 1]]],
  [{ priority: -3 }, [[Id.PRIORITY, 0, 0xffff_fffd]]],
  [{ carveout: 50 }, [[Id.PREFERRED_SHARED_MEMORY_CARVEOUT, 0, 50]]],
  [{ memSyncDomain: 'remote' }, [[Id.MEM_SYNC_DOMAIN, 0, 1]]],
  [{ memSyncDomainMap: { default: 1, remote: 2 } }, [[Id.MEM_SYNC_DOMAIN_MAP, 0, 0x0201]]],
])('a launch with %j carries its attributes', (options, words) => {
  expect(attributesOf(options)).toEqual(words);
});

test('an attribute of one launch is not one of the next', () => {
  expect(attributesOf({ cluster: 2, priority: -1 })).toHaveLength(2);
  expect(attributesOf({ priority: -2 })).toEqual([[Id.PRIORITY, 0, 0xffff_fffe]]);
  expect(attributesOf({})).toEqual([]);
});

test('events and memory are passed by their addresses', () => {
  using event = new Event({ timing: false });
  using memory = memAlloc(4096);
  const [low, high] = new Uint32Array(BigUint64Array.of(event.handle).buffer);
  expect(attributesOf({ completionEvent: event })).toEqual([
    [Id.LAUNCH_COMPLETION_EVENT, 0, low, ...(high ? [high] : [])],
  ]);
  expect(attributesOf({ programmaticEvent: { event, atBlockStart: true } })).toEqual([
    [Id.PROGRAMMATIC_EVENT, 0, low, high, 0, 1],
  ]);
  const pointer = new Uint32Array(BigUint64Array.of(memory.ptr).buffer);
  expect(attributesOf({ accessPolicy: { memory, hitRatio: 0.5 } })).toEqual([
    [Id.ACCESS_POLICY_WINDOW, 0, ...pointer, 4096, 0, float32(0.5), 2, 1],
  ]);
});

describe('what does not fit is refused before the driver is called', () => {
  const timed = (): Event => new Event();
  test.each<[unknown, new (message?: string) => Error, RegExp]>([
    [{ cluster: 3 }, RangeError, /Grid \[8, 4, 2\] is not a multiple of the cluster \[3, 1, 1\] along x/],
    [{ cluster: [2, 1, 4] }, RangeError, /along z/],
    [{ cluster: 0 }, RangeError, /cluster must hold integers >= 1, got 0/],
    [{ cluster: '2' }, TypeError, /cluster must be a number or an array/],
    [{ preferredCluster: [1, 2, 3, 4] }, TypeError, /preferredCluster must be/],
    [
      { clusterScheduling: 'wide' },
      TypeError,
      /must be 'default' or 'spread' or 'loadBalancing', got the string "wide"/,
    ],
    [{ clusterScheduling: 'toString' }, TypeError, /clusterScheduling/],
    [{ programmaticStreamSerialization: 1 }, TypeError, /must be true or false, got 1/],
    [{ programmaticEvent: { event: 5 } }, TypeError, /programmaticEvent.event must be an Event, got 5/],
    [{ programmaticEvent: 5 }, TypeError, /programmaticEvent must be an options object/],
    [{ completionEvent: null }, TypeError, /completionEvent must be an Event, got null/],
    [{ priority: 0.5 }, RangeError, /priority must be an integer/],
    [{ priority: 2 ** 40 }, RangeError, /priority must be an integer/],
    [{ carveout: 101 }, RangeError, /carveout must be an integer from -1 to 100, got 101/],
    [{ memSyncDomain: 1 }, TypeError, /memSyncDomain must be 'default' or 'remote', got 1/],
    [{ memSyncDomainMap: { default: 0 } }, TypeError, /memSyncDomainMap.remote must be a number/],
    [{ memSyncDomainMap: { default: 256, remote: 0 } }, RangeError, /from 0 to 255, got 256/],
    [{ accessPolicy: { memory: 16n } }, TypeError, /a raw address has no size; give byteLength/],
    [{ accessPolicy: { memory: new Uint8Array(4) } }, TypeError, /accessPolicy.memory must be device memory/],
    [{ accessPolicy: { memory: 16n, byteLength: 8, hitRatio: 1.5 } }, RangeError, /a number from 0 to 1, got 1.5/],
    [{ accessPolicy: { memory: 16n, byteLength: 8, miss: 'persisting' } }, TypeError, /miss must be/],
    [{ accessPolicy: { memory: 16n, byteLength: 8, hit: 'all' } }, TypeError, /hit must be 'normal'/],
    [{ clusters: 2 }, TypeError, /A launch has no option 'clusters'/],
  ])('%j', (options, kind, message) => {
    const before = fake.launches.length;
    const shape = { block: 32, grid: [8, 4, 2], ...(options as object) } as never;
    for (const run of [() => f(1, 2, shape), () => f.prepare(shape)]) {
      expect(run).toThrow(kind);
      expect(run).toThrow(message);
    }
    expect(fake.launches).toHaveLength(before);
  });

  test('an event that records times', () => {
    using event = timed();
    expect(() => f.prepare({ block: 1, completionEvent: event })).toThrow(/new Event\({ timing: false }\)/);
  });

  test('an event that was closed after prepare()', () => {
    const event = new Event({ timing: false });
    const launch = f.prepare({ block: 1, completionEvent: event });
    event.close();
    const before = fake.launches.length;
    expect(() => {
      launch(1, 2);
    }).toThrow('Event.f: this Event is closed');
    expect(fake.launches).toHaveLength(before);
  });

  test('a cluster where the device has none', () => {
    const none = (out: unknown, attribute: number, device: number): number => {
      if (attribute !== DeviceAttribute.CLUSTER_LAUNCH) {
        return fake.table.cuDeviceGetAttribute(out as Int32Array, attribute, device);
      }
      (out as Int32Array)[0] = 0;
      return 0;
    };
    useTables({ driver: { ...fake.table, cuDeviceGetAttribute: none } });
    const launch = (): unknown => f.prepare({ block: 1, cluster: 1 });
    expect(launch).toThrow(CudaLogicError);
    expect(launch).toThrow(/CUDA_ERROR_NOT_SUPPORTED\nThis device has no thread-block clusters/);
  });
});

test('a cluster of more than 8 blocks is opted in, once', () => {
  const set: unknown[] = [];
  fake.onCall = (routine, args) => {
    if (routine === 'cuFuncSetAttribute') set.push(args.slice(1));
  };
  using own = moduleFromBuffer(PTX);
  const g = own.getFunction('f');
  for (const cluster of [8, 16, 16]) g(1, 2, { block: 1, grid: 16, cluster });
  expect(set).toEqual([[FunctionAttribute.NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1]]);
});

describe('occupancy', () => {
  test('of blocks, with and without caching', () => {
    expect(f.maxActiveBlocksPerMultiprocessor(64)).toBe(2);
    expect(f.maxActiveBlocksPerMultiprocessor(64, 0, { disableCachingOverride: true })).toBe(3);
    expect(() => f.maxActiveBlocksPerMultiprocessor(64, 0, { caching: true } as never)).toThrow(/no option 'caching'/);
  });

  test('of block sizes', () => {
    expect(f.maxPotentialBlockSize()).toEqual({ gridSize: 108, blockSize: 256 });
    expect(f.maxPotentialBlockSize({ disableCachingOverride: true })).toEqual({ gridSize: 108, blockSize: 128 });
  });

  test('of block sizes, with shared memory that depends on them', () => {
    const asked: number[] = [];
    const sharedBytes = (threads: number): number => {
      asked.push(threads);
      return 4 * threads;
    };
    // The fake driver holds two blocks of any size: two of 1024 threads fill a multiprocessor.
    expect(f.maxPotentialBlockSize({ sharedBytes })).toEqual({ gridSize: 216, blockSize: 1024 });
    expect(asked).toEqual([1024]);
    asked.length = 0;
    expect(f.maxPotentialBlockSize({ sharedBytes, blockSizeLimit: 100 })).toEqual({ gridSize: 216, blockSize: 100 });
    expect(asked).toEqual([100, 96, 64, 32]);
    expect(() => f.maxPotentialBlockSize({ sharedBytes: () => 'x' as never })).toThrow(/must give a number of bytes/);
    expect(() => f.maxPotentialBlockSize({ sharedBytes: () => -1 })).toThrow(
      /sharedBytes must be an integer >= 0, got -1/,
    );
  });

  test('of shared memory', () => {
    expect(f.availableDynamicSharedBytes(4, 128)).toBe(16_384);
    expect(() => f.availableDynamicSharedBytes(0, 128)).toThrow(/blocks must be an integer from 1/);
  });

  test('of clusters', () => {
    expect(f.maxPotentialClusterSize({ block: 32, grid: 16 })).toBe(8);
    expect(f.maxActiveClusters({ block: 32, grid: 16, cluster: 4 })).toBe(16);
    expect(() => f.maxActiveClusters({ block: 32 })).toThrow(/need a cluster/);
    expect(() => f.maxActiveClusters(undefined as never)).toThrow(/need a cluster/);
    expect(() => f.maxPotentialClusterSize(undefined as never)).toThrow(/must be the launch options/);
  });
});

test('attributes of a kernel by name', () => {
  expect(f.getAttributes()).toMatchObject({ MAX_THREADS_PER_BLOCK: 1024, NUM_REGS: 0 });
  expect(f.requiredCluster).toEqual([0, 0, 0]);
  expect(f.preferredSharedMemoryCarveout).toBe(0);
  expect(() => {
    f.preferredSharedMemoryCarveout = 101;
  }).toThrow(/from -1 to 100, got 101/);
});
