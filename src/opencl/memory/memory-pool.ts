import { checkNumber, nameOf } from '../../core/check.ts';
import { handleOf } from '../../core/resource.ts';
import { Uses } from '../queue/uses.ts';
import { checkAllocator, type BufferAllocator } from './allocator.ts';
import { checkBuffer, Buffer } from './buffer.ts';
import { ClientPool, lend } from './client-pool.ts';
import type { Memory } from './block-pool.ts';

/** A buffer of a {@link MemoryPool}: `release()`, `close()` and `using` return it to the pool. */
export class PooledBuffer extends Buffer {}

/**
 * A pool of buffers, for programs that allocate the same sizes again and again. It keeps returned blocks, in 16
 * sizes for each power of two.
 *
 * Safe with commands in flight: a buffer may be returned at any time. Its memory may go to the next owner at once. The next
 * owner's commands come after the earlier ones: on the same queue by its order, on others by a barrier.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
 * for (let i = 0; i < 10; i++) {
 *   using buffer = pool.allocate(4096); // the same memory each time
 *   cl.enqueueFill(queue, buffer, cl.int32(i));
 * }
 * ```
 */
export class MemoryPool extends ClientPool<Buffer> {
  readonly #allocator: BufferAllocator;

  /**
   * Make an empty pool.
   *
   * @param allocator - the source of its blocks
   */
  constructor(allocator: BufferAllocator) {
    checkAllocator(allocator, 'MemoryPool');
    super('MemoryPool', allocator.context, { make: (byteLength) => makeBlock(allocator, byteLength), idle: false });
    this.#allocator = allocator;
  }

  /**
   * Take a buffer out of the pool, or from the allocator where no block fits. When the allocator has no memory, all held
   * blocks are freed and it is asked once more. The content is undefined.
   *
   * Host: does not block, unless memory has run out: then until the held blocks are free.
   *
   * @param byteLength - bytes, at least 1
   * @throws RangeError a size below 1 or above the devices' limit
   * @throws {@link OpenCLMemoryError} CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  allocate(byteLength: number): PooledBuffer {
    const pool = handleOf(this, 'allocate');
    checkNumber(byteLength, 'MemoryPool.allocate: the size', 1);
    const { block, handle } = lend(
      pool,
      byteLength,
      'PooledBuffer',
      ({ memory }) => handleOf(memory, 'allocate').value,
    );
    const { memory, uses } = block;
    return new PooledBuffer(this.#allocator.context, {
      root: undefined,
      offset: 0,
      handle,
      byteLength,
      flags: memory.flags,
      uses,
    });
  }
}

function makeBlock(allocator: BufferAllocator, byteLength: number): Memory<Buffer> {
  const memory: unknown = allocator.allocate(byteLength);
  checkBuffer(memory, allocator.context, 'MemoryPool: what the allocator gave');
  if (memory.byteLength < byteLength) {
    throw new RangeError(
      `MemoryPool: ${byteLength} bytes were asked for; ${nameOf(allocator)} gave ${memory.byteLength}`,
    );
  }
  return { memory, uses: memory.uses instanceof Uses ? memory.uses : new Uses() };
}
