import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { lacks, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;
const { COARSE_GRAIN_BUFFER, FINE_GRAIN_BUFFER } = cl.DeviceSvmCapabilities;
const { SVM_FINE_GRAIN_BUFFER, READ_WRITE } = cl.SvmMemFlags;
const SOURCE = `
__kernel void add(__global int *a, int x) { a[get_global_id(0)] += x; }
__kernel void late(__global int *a, int x, int rounds)
{
  volatile int sum = 0;
  for (int i = 0; i < rounds; i++) sum += i & 1;
  a[get_global_id(0)] = x + (sum < 0);
}`;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program<typeof SOURCE>;
  let [capabilities, rounds] = [0, 0];

  beforeAll(() => {
    capabilities = device.platform.atLeast(2, 0) ? device.svmCapabilities : 0;
    rounds = runsBesideHost(device) ? 20_000_000 : 1000;
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build();
  });
  afterAll(() => {
    for (const resource of [prg, queue, ctx]) resource.close();
  });

  const read = (buffer: cl.Buffer, on = queue): Int32Array => {
    const result = new Int32Array(buffer.byteLength / 4);
    cl.enqueueCopy(on, result, buffer);
    return result;
  };

  describe('MemoryPool', () => {
    test('mempool: hundreds of buffers with a sliding window', () => {
      using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
      const kept: cl.PooledBuffer[] = [];
      for (let i = 0; i < 200; i++) {
        kept.push(pool.allocate(1000 + 4 * i));
        if (kept.length > 10) kept.shift()?.release();
      }
      expect([pool.activeBlocks, pool.activeBytes]).toEqual([10, 10 * 1000 + 4 * 1945]);
      expect(pool.managedBytes).toBeGreaterThanOrEqual(pool.activeBytes);
      pool.stopHolding();
      expect(pool.heldBlocks).toBe(0);
      for (const buffer of kept) buffer.release();
      expect([pool.heldBlocks, pool.activeBlocks, pool.managedBytes]).toEqual([0, 0, 0]);
    });

    test('allocator: both give a buffer for 15 bytes, and none for 0', () => {
      for (const allocator of [new cl.ImmediateAllocator(queue), new cl.DeferredAllocator(ctx, mf.READ_ONLY)]) {
        using buffer = allocator.allocate(15);
        expect([buffer.byteLength, buffer.flags]).toEqual([15, allocator.flags]);
        expect(() => allocator.allocate(0)).toThrow(RangeError);
      }
    });

    test('PooledBuffer is taken wherever a buffer is', () => {
      using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
      using buffer = pool.allocate(400);
      using other = pool.allocate(4096);
      cl.enqueueFill(queue, buffer, cl.int32(3));
      prg.kernels.add(queue, 100, null, buffer, 4);
      cl.enqueueCopy(queue, other, buffer);
      cl.enqueueMigrate(queue, [buffer, other]);
      const map = cl.enqueueMapBuffer(queue, buffer, cl.MapFlags.WRITE, { type: 'i32' });
      expect(map.array.length).toBe(100);
      map.array[0] = 1;
      map.unmap();
      expect([...read(buffer).subarray(0, 2), read(other)[99], buffer.getInfo('MAP_COUNT')]).toEqual([1, 7, 7, 0]);
      const alignment = device.limits.subBufferAlignment;
      using part = other.subRegion(alignment, 8);
      cl.enqueueFill(queue, part, cl.int32(5));
      prg.kernels.add(queue, 2, null, part, 1);
      expect([...read(other).subarray(alignment / 4, alignment / 4 + 2)]).toEqual([6, 6]);
    });

    test('buffer_release: a pooled buffer goes back once, and is closed then', () => {
      using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
      const buffer = pool.allocate(1000);
      buffer.release();
      expect([buffer.closed, pool.heldBlocks]).toEqual([true, 1]);
      expect(() => {
        buffer.release();
      }).toThrow(cl.ClosedError);
      expect(() => prg.kernels.add(queue, 1, null, buffer, 1)).toThrow(cl.ClosedError);
    });

    test('a block that is in use goes to the next on the same queue', () => {
      using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
      for (let i = 0; i < 20; i++) {
        using buffer = pool.allocate(500);
        prg.kernels.late(queue, 125, null, buffer, i, 50);
      }
      expect([pool.heldBlocks, pool.activeBlocks]).toEqual([1, 0]);
      using buffer = pool.allocate(500);
      expect([...new Set(read(buffer))]).toEqual([19]);
    });

    test.each([false, true])('on another queue (out of order: %p), too, and its commands come after', (outOfOrder) => {
      using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
      using other = new cl.CommandQueue(ctx, { outOfOrder });
      {
        using buffer = pool.allocate(4);
        prg.kernels.late(queue, 1, null, buffer, 1, rounds);
        queue.flush();
      }
      using buffer = pool.allocate(4);
      expect(pool.managedBytes).toBe(256);
      const fill = cl.enqueueFill(other, buffer, cl.int32(2));
      const result = new Int32Array(1);
      cl.enqueueCopy(other, result, buffer, { waitFor: [fill] });
      expect(result).toEqual(Int32Array.of(2));
      queue.finish();
      expect(read(buffer)).toEqual(Int32Array.of(2));
    });

    test('a map that is dropped with its buffer does no harm to the next owner', () => {
      using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
      using other = new cl.CommandQueue(ctx);
      {
        using buffer = pool.allocate(64);
        using map = cl.enqueueMapBuffer(queue, buffer, cl.MapFlags.WRITE, { type: 'i32' });
        map.array.fill(1);
      }
      using buffer = pool.allocate(64);
      cl.enqueueFill(other, buffer, cl.int32(2));
      other.finish();
      expect([...new Set(read(buffer))]).toEqual([2]);
    });
  });

  describe('SVMPool', () => {
    const missing = (kind: number): boolean =>
      lacks(device, `${kind === COARSE_GRAIN_BUFFER ? 'coarse' : 'fine'}-grained SVM`, (capabilities & kind) !== 0);

    test('zero_size_svm_allocations: allocation, allocator and pool take size 0', () => {
      if (missing(COARSE_GRAIN_BUFFER)) return;
      const allocator = new cl.SVMAllocator(ctx, READ_WRITE, { alignment: 8 });
      using pool = new cl.SVMPool(allocator);
      for (const memory of [new cl.SVMAllocation(ctx, READ_WRITE, 0), allocator.allocate(0), pool.allocate(0)]) {
        expect([memory.byteLength, memory.address]).toEqual([0, 0n]);
        memory.release();
      }
      pool.allocate(0).enqueueRelease(queue).wait();
      expect([pool.heldBlocks, pool.activeBlocks]).toEqual([0, 0]);
    });

    test('gives coarse-grained memory back and out again, in use or not', () => {
      if (missing(COARSE_GRAIN_BUFFER)) return;
      using pool = new cl.SVMPool(new cl.SVMAllocator(ctx));
      using other = new cl.CommandQueue(ctx);
      let address: bigint;
      {
        using a = pool.allocate(400, { type: 'i32' });
        ({ address } = a);
        prg.kernels.late(queue, 100, null, a, 1, rounds / 100);
      }
      using a = pool.allocate(396, { type: 'i32' });
      expect([a.address, pool.managedBytes, pool.activeBytes]).toEqual([address, 512, 396]);
      cl.enqueueSVMMemFill(other, a, cl.int32(2));
      using map = a.map(other, cl.MapFlags.READ);
      expect([map.array.length, ...new Set(map.array)]).toEqual([99, 2]);
      map.unmap();
      using b = pool.allocate(400, { type: 'f32' });
      b.enqueueRelease(queue).wait();
      expect([b.closed, pool.heldBlocks]).toEqual([true, 1]);
      expect(() => pool.allocate(6, { type: 'i32' })).toThrow(RangeError);
      expect(pool.activeBlocks).toBe(1);
    });

    test('gives fine-grained memory out again when no command uses it any more', () => {
      if (missing(FINE_GRAIN_BUFFER)) return;
      using pool = new cl.SVMPool(new cl.SVMAllocator(ctx, READ_WRITE | SVM_FINE_GRAIN_BUFFER));
      let address: bigint;
      {
        using a = pool.allocate(4, { type: 'i32' });
        ({ address } = a);
        prg.kernels.late(queue, 1, null, a, 1, rounds);
      }
      queue.finish();
      using a = pool.allocate(4, { type: 'i32' });
      a.array[0] = 5;
      expect([a.address, pool.heldBlocks]).toEqual([address, 0]);
    });

    test.each([undefined, {}, 5])('new SVMPool(%p) is a TypeError', (allocator) => {
      expect(() => new cl.SVMPool(allocator as never)).toThrow(TypeError);
    });
  });
});
