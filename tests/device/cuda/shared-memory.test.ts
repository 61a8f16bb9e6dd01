import { expect, test } from '@jest/globals';
import { Context, currentDevice } from '../../../src/cuda/device/context.ts';
import { DeviceMemoryPool } from '../../../src/cuda/pool/device-memory-pool.ts';
import { CudaError } from '../../../src/cuda/errors.ts';
import {
  managedEmpty,
  managedFree,
  managedZeros,
  memAdvise,
  memPrefetchAsync,
  memRangeAttributes,
  streamAttachMemAsync,
} from '../../../src/cuda/managed/managed-memory.ts';
import { fromDevice, memcpyDtoH, memcpyDtoHAsync, memcpyHtoDAsync, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { memsetD32Async } from '../../../src/cuda/copy/memset.ts';
import { PageLockedMemoryPool } from '../../../src/cuda/pool/page-locked-memory-pool.ts';
import { pointerAttributes } from '../../../src/cuda/memory/pointer-attributes.ts';
import { registerHostMemory } from '../../../src/cuda/memory/registered-memory.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { MemAttachFlags } from '../../../src/cuda/sys/enums.ts';
import { addressOf } from '../../../src/ffi/memory.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

const FILL = '__global__ void fill(int *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] += n; }';

needs.cuda().describe('memory that host and device share, and pools of it', () => {
  withDevice();

  test.each([1 << 20, 1000, 3])('a registered array of %i elements is copied both ways', async (length) => {
    using stream = new Stream({ nonBlocking: true });
    const array = Int32Array.from({ length: length + 2 }, (_, i) => i);
    const part = array.subarray(1, length + 1);
    using registered = registerHostMemory(part);
    using memory = memAlloc(part.byteLength);
    memcpyHtoDAsync(memory, part, stream);
    memsetD32Async(memory, 7, 1, stream);
    memcpyDtoHAsync(part, memory, stream);
    await stream.done();
    expect([array[0], array[1], array.at(-1), registered.byteLength]).toEqual([0, 7, length + 1, 4 * length]);
    expect(pointerAttributes(addressOf(part))?.kind).toBe('host');
  });

  test('an array can be registered again after unregister(), not before', () => {
    const array = new Float64Array(10_000);
    const first = registerHostMemory(array);
    expect(() => registerHostMemory(array)).toThrow(/CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED/);
    first.unregister();
    registerHostMemory(array).unregister();
  });

  test('a kernel reads a registered array by its pointer, or the device says that it cannot', () => {
    using module = new SourceModule(FILL);
    const array = new Int32Array(64).fill(1);
    using registered = registerHostMemory(array);
    let pointer: bigint | undefined;
    try {
      pointer = registered.ptr;
    } catch (error) {
      expect((error as CudaError).code).toBe('CUDA_ERROR_NOT_SUPPORTED');
    }
    if (pointer === undefined) return;
    module.getFunction('fill')(pointer, 4, { block: 64 });
    Context.current?.synchronize();
    expect(new Set(array)).toEqual(new Set([5]));
  });

  test('a managed array is passed to kernels and read by the host', () => {
    using module = new SourceModule(FILL);
    using array = managedZeros(1024, 'i32');
    array.fill(3);
    module.getFunction('fill')(array, 4, { block: 256, grid: 4 });
    Context.current?.synchronize();
    expect(new Set(array)).toEqual(new Set([7]));
    expect(pointerAttributes(array)?.managed).toBe(true);
    const back = new Int32Array(1024);
    memcpyDtoH(back, array.ptr);
    expect(new Set(back)).toEqual(new Set([7]));
  });

  test('managedFree() leaves arrays of length 0', () => {
    const array = managedEmpty(16, 'f64');
    managedFree(array);
    expect(array.length).toBe(0);
  });

  test('advice and prefetches of managed memory are remembered', async () => {
    const device = currentDevice();
    using stream = new Stream();
    using array = managedZeros(1 << 18, 'f32');
    expect(memRangeAttributes(array)).toMatchObject({ readMostly: false, accessedBy: [] });
    memAdvise(array, 'setReadMostly');
    memAdvise(array, 'setPreferredLocation', 'host');
    expect(memRangeAttributes(array)).toMatchObject({ readMostly: true, preferredLocation: -1 });
    memAdvise(array, 'unsetReadMostly');
    memAdvise(array, 'unsetPreferredLocation');
    if (device.concurrentManagedAccess === 1) {
      memAdvise(array, 'setAccessedBy', device);
      memPrefetchAsync(array, device, stream);
      await stream.done();
      expect(memRangeAttributes(array)).toMatchObject({
        readMostly: false,
        accessedBy: [device.ordinal],
        lastPrefetchLocation: device.ordinal,
      });
      memAdvise(array, 'unsetAccessedBy', device);
    }
    memPrefetchAsync(array, 'host', stream);
    await stream.done();
    expect(memRangeAttributes(array).accessedBy).toEqual([]);
  });

  test('advice for memory that is not managed is refused', () => {
    using memory = memAlloc(1 << 20);
    expect(() => memRangeAttributes(memory)).toThrow(CudaError);
  });

  test('managed memory is attached to a stream', () => {
    using stream = new Stream();
    using array = managedZeros(1024, 'i32', MemAttachFlags.GLOBAL);
    streamAttachMemAsync(stream, array, MemAttachFlags.GLOBAL);
    stream.synchronize();
    expect(array[0]).toBe(0);
  });

  test('a DeviceMemoryPool never lets two streams write to one block at once', async () => {
    using module = new SourceModule(FILL);
    const fill = module.getFunction('fill');
    using pool = new DeviceMemoryPool();
    const streams = Array.from({ length: 4 }, () => new Stream({ nonBlocking: true }));
    using hostPool = new PageLockedMemoryPool();
    const results: Int32Array[] = [];
    for (let round = 0; round < 40; round++) {
      const stream = streams[round % 4] as Stream;
      const memory = pool.allocate(1 << 20, stream);
      const result = hostPool.allocate(1 << 18, 'i32', stream);
      memsetD32Async(memory, round, 1 << 18, stream);
      for (let i = 0; i < 5; i++) fill(memory, 1000, { block: 256, grid: 1024, stream });
      memcpyDtoHAsync(result, memory, stream);
      results.push(result);
      memory.free();
    }
    for (const stream of streams) await stream.done();
    results.forEach((result, round) => {
      expect([result[0], result[1 << 17], result.at(-1)]).toEqual([5000 + round, 5000 + round, 5000 + round]);
      hostPool.free(result);
    });
    expect(pool.statistics.activeBlocks).toBe(0);
    expect(pool.statistics.heldBlocks).toBeGreaterThanOrEqual(1);
    expect(pool.statistics.heldBlocks).toBeLessThanOrEqual(40);
    expect(pool.freeHeld()).toBeGreaterThanOrEqual(1 << 20);
    for (const stream of streams) stream.close();
  });

  test('arrays of a PageLockedMemoryPool may be given back while they are copied', async () => {
    using pool = new PageLockedMemoryPool();
    using stream = new Stream({ nonBlocking: true });
    using memory = memAlloc(20 * 4096);
    for (let i = 0; i < 20; i++) {
      const array = pool.allocate(1024, 'i32', stream).fill(i);
      memcpyHtoDAsync(memory.slice(4096 * i, 4096), array, stream);
      pool.free(array);
    }
    await stream.done();
    expect(pool.statistics.activeBlocks).toBe(0);
    expect(pool.statistics.heldBlocks).toBeGreaterThanOrEqual(1);
    const back = fromDevice(memory, 'i32');
    expect(Array.from({ length: 20 }, (_, i) => back[1024 * i + 5])).toEqual(Array.from({ length: 20 }, (_, i) => i));
    using other = toDevice(Int32Array.of(1));
    expect(other.byteLength).toBe(4);
  });
});
