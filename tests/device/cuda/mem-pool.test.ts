import { expect, test } from '@jest/globals';
import { currentDevice } from '../../../src/cuda/device/context.ts';
import { Event } from '../../../src/cuda/stream/event.ts';
import { pagelockedEmpty } from '../../../src/cuda/memory/host-memory.ts';
import { MemPool } from '../../../src/cuda/pool/mem-pool.ts';
import { fromDevice, memcpyDtoHAsync } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { memsetD32Async } from '../../../src/cuda/copy/memset.ts';
import { memGetAddressRange, pointerAttributes } from '../../../src/cuda/memory/pointer-attributes.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { memAllocAsync } from '../../../src/cuda/pool/stream-allocation.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { addressOf } from '../../../src/ffi/memory.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

needs.cuda().describe('pools and pointers on a CUDA device', () => {
  withDevice();

  test('memory of memAllocAsync() is usable on its stream until it is freed there', async () => {
    using module = new SourceModule('__global__ void add(int *x, int n) { x[threadIdx.x] += n; }');
    using stream = new Stream({ nonBlocking: true });
    using host = pagelockedEmpty(256, 'i32');
    const memory = memAllocAsync(1024, stream);
    memsetD32Async(memory, 5, 256, stream);
    module.getFunction('add')(memory, 2, { block: 256, stream });
    memcpyDtoHAsync(host, memory, stream);
    memory.freeAsync();
    await stream.done();
    expect(new Set(host)).toEqual(new Set([7]));
  });

  test('a stream that waits for an event uses the memory of another', async () => {
    using first = new Stream({ nonBlocking: true });
    using second = new Stream({ nonBlocking: true });
    using ready = new Event({ timing: false });
    using host = pagelockedEmpty(1024, 'u32');
    const memory = memAllocAsync(4096, first);
    memsetD32Async(memory, 9, 1024, first);
    ready.record(first);
    second.waitForEvent(ready);
    memcpyDtoHAsync(host, memory, second);
    memory.freeAsync(second);
    await second.done();
    expect(new Set(host)).toEqual(new Set([9]));
  });

  test('a pool of its own counts what is used', () => {
    using pool = new MemPool({ releaseThreshold: Infinity });
    using stream = new Stream();
    const before = pool.used.current;
    const memory = pool.alloc(1 << 20, stream);
    stream.synchronize();
    expect(pool.used.current - before).toBeGreaterThanOrEqual(1 << 20);
    expect(pool.reserved.current).toBeGreaterThanOrEqual(pool.used.current);
    memory.freeAsync();
    stream.synchronize();
    expect(pool.used.current).toBe(before);
    expect(pool.used.high).toBeGreaterThanOrEqual(1 << 20);
    pool.trimTo(0);
    expect(pool.reserved.current).toBe(0);
    pool.resetHighMarks();
    expect(pool.used.high).toBe(0);
  });

  test('attributes of a pool are kept', () => {
    using pool = new MemPool();
    expect(pool.releaseThreshold).toBe(0);
    pool.releaseThreshold = 1 << 20;
    expect(pool.releaseThreshold).toBe(1 << 20);
    pool.releaseThreshold = Infinity;
    expect(pool.releaseThreshold).toBe(Infinity);
    expect([
      pool.reuseFollowEventDependencies,
      pool.reuseAllowOpportunistic,
      pool.reuseAllowInternalDependencies,
    ]).toEqual([true, true, true]);
    pool.reuseAllowOpportunistic = false;
    expect([pool.reuseFollowEventDependencies, pool.reuseAllowOpportunistic]).toEqual([true, false]);
    expect(pool.getAccess(pool.device)).toBe('readwrite');
    pool.setAccess(pool.device, 'readwrite');
  });

  test('the current pool of the device is where memAllocAsync() takes from', () => {
    using first = MemPool.default();
    using pool = new MemPool();
    pool.makeCurrent();
    try {
      using current = MemPool.current(currentDevice());
      expect(current.handle).toBe(pool.handle);
      const memory = memAllocAsync(1 << 16);
      expect(pool.used.current).toBeGreaterThanOrEqual(1 << 16);
      expect(pointerAttributes(memory)?.pool).toBe(pool.handle);
      memory.free();
    } finally {
      first.makeCurrent();
    }
    using current = MemPool.current();
    expect(current.handle).toBe(first.handle);
  });

  test('a pool with a limit refuses what is more', () => {
    using pool = new MemPool({ maxBytes: 1 << 20 });
    expect(() => pool.alloc(1 << 28)).toThrow(/CUDA_ERROR_OUT_OF_MEMORY/);
    pool.alloc(1 << 16).free();
  });

  const HOSTS = [
    ['host', 'HOST_MEMORY_POOLS_SUPPORTED'],
    [{ numaNode: 0 }, 'HOST_NUMA_MEMORY_POOLS_SUPPORTED'],
  ] as const;
  for (const [location, attribute] of HOSTS) {
    needs.attribute(attribute).test(`a pool of location ${JSON.stringify(location)} serves kernels and copies`, () => {
      using module = new SourceModule('__global__ void add(int *x, int n) { x[threadIdx.x] += n; }');
      using stream = new Stream({ nonBlocking: true });
      using pool = new MemPool({ location });
      expect([pool.location, pool.getAccess(pool.device)]).toEqual([location, 'readwrite']);
      const memory = pool.alloc(1024, stream);
      memsetD32Async(memory, 5, 256, stream);
      module.getFunction('add')(memory, 2, { block: 256, stream });
      stream.synchronize();
      expect(fromDevice(memory, 'i32')[255]).toBe(7);
      memory.freeAsync();
      stream.synchronize();
    });
  }

  test('pointerAttributes() and memGetAddressRange() know allocations', () => {
    using memory = memAlloc(1000);
    const attributes = pointerAttributes(memory.slice(100));
    expect(attributes).toMatchObject({
      kind: 'device',
      managed: false,
      devicePointer: memory.ptr + 100n,
      hostPointer: undefined,
      pool: undefined,
      base: memory.ptr,
    });
    expect(attributes?.device.ordinal).toBe(currentDevice().ordinal);
    expect(attributes?.byteLength).toBeGreaterThanOrEqual(1000);
    const { base, byteLength } = memGetAddressRange(memory.ptr + 999n);
    expect(base).toBe(memory.ptr);
    expect(byteLength).toBeGreaterThanOrEqual(1000);
    using other = memAlloc(16);
    expect(pointerAttributes(other)?.bufferId).not.toBe(attributes?.bufferId);
  });

  test('pointerAttributes() knows pinned memory, and no plain arrays', () => {
    using pinned = pagelockedEmpty(64, 'f32');
    const attributes = pointerAttributes(addressOf(pinned));
    expect([attributes?.kind, attributes?.hostPointer]).toEqual(['host', addressOf(pinned)]);
    expect(attributes?.devicePointer).toEqual(expect.any(BigInt));
    const plain = new Float32Array(4096);
    const known = pointerAttributes(addressOf(plain));
    expect(known === undefined || known.kind === 'host').toBe(true);
  });

  test('memory that was freed in order is handed out again without a race', async () => {
    using stream = new Stream();
    using host = pagelockedEmpty(1024, 'u32');
    for (let i = 1; i <= 50; i++) {
      const memory = memAllocAsync(4096, stream);
      memsetD32Async(memory, i, 1024, stream);
      memcpyDtoHAsync(host, memory, stream);
      memory.freeAsync();
    }
    await stream.done();
    expect(new Set(host)).toEqual(new Set([50]));
    using last = memAllocAsync(16);
    expect(fromDevice(last, 'u8').length).toBe(16);
  });
});
