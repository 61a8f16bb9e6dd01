import { expect, test } from '@jest/globals';
import { Device } from '../../../src/cuda/device/device.ts';
import { Event } from '../../../src/cuda/stream/event.ts';
import type { LaunchOptions } from '../../../src/cuda/kernel/launch-options.ts';
import { fromDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { memsetD32 } from '../../../src/cuda/copy/memset.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { FunctionAttribute } from '../../../src/cuda/sys/enums.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

const ADD = 'extern "C" __global__ void add(int *x, int n) { atomicAdd(x, n); }';

needs.cuda().describe('launches with attributes', () => {
  withDevice();

  test('what every device can do: priority, carve-out, memory domain', () => {
    using module = new SourceModule(ADD);
    using memory = memAlloc(4);
    using stream = new Stream({ nonBlocking: true });
    const add = module.getFunction('add');
    memsetD32(memory, 0, 1);
    const shapes: LaunchOptions[] = [
      { block: 32, stream, priority: 0 },
      { block: 32, stream, carveout: 50 },
      { block: 32, stream, memSyncDomain: 'default' },
    ];
    for (const shape of shapes) {
      add(memory, 1, shape);
      add.prepare(shape)(memory, 2);
    }
    stream.synchronize();
    expect(fromDevice(memory, 'i32')[0]).toBe(32 * 3 * shapes.length);
  });

  test('occupancy agrees with the shape that it recommends', () => {
    using module = new SourceModule(ADD);
    const add = module.getFunction('add');
    const device = new Device(0);
    const { blockSize, gridSize } = add.maxPotentialBlockSize();
    const blocks = add.maxActiveBlocksPerMultiprocessor(blockSize);
    expect(gridSize).toBe(blocks * device.multiprocessorCount);
    expect(add.maxActiveBlocksPerMultiprocessor(blockSize, 0, { disableCachingOverride: true })).toBe(blocks);
    expect(add.maxPotentialBlockSize({ disableCachingOverride: true })).toEqual({ blockSize, gridSize });
    // As many threads reside with a search of our own.
    const searched = add.maxPotentialBlockSize({ sharedBytes: () => 0 });
    const resident = add.maxActiveBlocksPerMultiprocessor(searched.blockSize) * searched.blockSize;
    expect(resident).toBe(blocks * blockSize);
    // The more blocks, the less shared memory for each, below the 48 KiB that need no leave. A driver may leave out of
    // account what it reserves in each block, so that one of them does not fit.
    const few = add.availableDynamicSharedBytes(1, 128);
    const many = add.availableDynamicSharedBytes(8, 128);
    expect(many).toBeGreaterThan(0);
    expect(few).toBeGreaterThan(many);
    expect(8 * many).toBeLessThanOrEqual(device.getAttribute('MAX_SHARED_MEMORY_PER_MULTIPROCESSOR'));
    add.maxDynamicSharedSizeBytes = many;
    expect(add.maxActiveBlocksPerMultiprocessor(128, many)).toBeGreaterThanOrEqual(7);
  });

  test('attributes of a kernel can be set and read back', () => {
    using module = new SourceModule(ADD);
    const add = module.getFunction('add');
    add.preferredSharedMemoryCarveout = 50;
    expect(add.preferredSharedMemoryCarveout).toBe(50);
    expect(add.getAttributes()).toMatchObject({ PREFERRED_SHARED_MEMORY_CARVEOUT: 50 });
    expect(add.getAttribute(FunctionAttribute.CLUSTER_SIZE_MUST_BE_SET)).toBe(0);
    expect(add.requiredCluster).toEqual([0, 0, 0]);
  });
});

// In PTX, which needs no headers.
const CLUSTER = `
  __device__ unsigned special_rank() { unsigned r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
  __device__ unsigned special_size() { unsigned r; asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(r)); return r; }
  __device__ void sync_cluster()
  {
    asm volatile("barrier.cluster.arrive.aligned;\\n\\tbarrier.cluster.wait.aligned;" ::: "memory");
  }
  extern "C" __global__ void ranks(int *out)
  {
    __shared__ int mine;
    if (threadIdx.x == 0) mine = 100 + blockIdx.x;
    sync_cluster();
    // Each block reads its neighbour's shared memory.
    unsigned next = (special_rank() + 1) % special_size();
    unsigned at;
    int value;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(at) : "r"((unsigned)__cvta_generic_to_shared(&mine)), "r"(next));
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
    sync_cluster();
    if (threadIdx.x == 0) out[blockIdx.x] = value + 1000 * special_size();
  }`;

needs.attribute('CLUSTER_LAUNCH').describe('thread-block clusters', () => {
  withDevice();

  test('blocks of a cluster read each other’s shared memory', () => {
    using module = new SourceModule(CLUSTER);
    using memory = memAlloc(4 * 32);
    const ranks = module.getFunction('ranks');
    for (const cluster of [1, 2, 4, 8, 16]) {
      // 16 blocks are beyond what every device of the kind holds.
      if (cluster === 16 && ranks.maxPotentialClusterSize({ block: 32, grid: 16 }) < 16) continue;
      memsetD32(memory, 0, 32);
      ranks(memory, { block: 32, grid: 32, cluster });
      const expected = Array.from({ length: 32 }, (_, block) => {
        const first = block - (block % cluster);
        return 100 + first + ((block - first + 1) % cluster) + 1000 * cluster;
      });
      expect([...fromDevice(memory, 'i32')]).toEqual(expected);
    }
  });

  test('their occupancy', () => {
    using module = new SourceModule(CLUSTER);
    const ranks = module.getFunction('ranks');
    expect(ranks.maxPotentialClusterSize({ block: 32, grid: 64 })).toBeGreaterThanOrEqual(8);
    const four = ranks.maxActiveClusters({ block: 1024, grid: 64, cluster: 4 });
    const eight = ranks.maxActiveClusters({ block: 1024, grid: 64, cluster: 8 });
    expect(eight).toBeGreaterThan(0);
    expect(four).toBeGreaterThan(eight);
  });
});

needs.attribute('CLUSTER_LAUNCH').describe('programmatic dependent launch', () => {
  withDevice();

  test('a kernel that began early sees what the one before it wrote', () => {
    using module = new SourceModule(
      `
      extern "C" __global__ void first(int *x, long long cycles)
      {
        asm volatile("griddepcontrol.launch_dependents;");
        long long end = clock64() + cycles;
        while (clock64() < end) { }
        x[threadIdx.x] = threadIdx.x;
      }
      extern "C" __global__ void second(int *y, const int *x)
      {
        asm volatile("griddepcontrol.wait;" ::: "memory");
        y[threadIdx.x] = 2 * x[threadIdx.x];
      }`,
    );
    using memory = memAlloc(256);
    using stream = new Stream({ nonBlocking: true });
    using event = new Event({ timing: false });
    memsetD32(memory, 0, 64);
    const result = memory.slice(128);
    module.getFunction('first')(memory, 1_000_000, { block: 32, stream, completionEvent: event });
    module.getFunction('second')(result, memory, { block: 32, stream, programmaticStreamSerialization: true });
    event.synchronize();
    stream.synchronize();
    expect([...fromDevice(result, 'i32')]).toEqual(Array.from({ length: 32 }, (_, i) => 2 * i));
  });
});

needs.noAttribute('CLUSTER_LAUNCH').describe('a device without clusters', () => {
  withDevice();

  test('says so', () => {
    using module = new SourceModule(ADD);
    const add = module.getFunction('add');
    expect(() => add.prepare({ block: 32, cluster: 2, grid: 2 })).toThrow(/CUDA_ERROR_NOT_SUPPORTED/);
    expect(() => {
      add(null, 1, { block: 32, programmaticStreamSerialization: true });
    }).toThrow(/CUDA_ERROR_NOT_SUPPORTED/);
  });
});
