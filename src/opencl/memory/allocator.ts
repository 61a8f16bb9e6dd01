import { notMade } from '../../core/made.ts';
import { isHollow, PublicObject } from '../../core/public-object.ts';
import { checkInteger, checkNumber, nameOf } from '../../core/check.ts';
import { cl } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { checkQueue, submit, type CommandQueue } from '../queue/queue.ts';
import { Uses } from '../queue/uses.ts';
import { MemFlags, MigrationFlags } from '../sys/enums.ts';
import { Buffer } from './buffer.ts';
import { checkMemFlags } from './mem-flags.ts';

/** The source of a {@link MemoryPool}'s blocks: {@link ImmediateAllocator}, {@link DeferredAllocator}, or your own. */
export interface BufferAllocator {
  readonly context: Context;
  /**
   * A new buffer of so many bytes. The pool releases it.
   *
   * @throws {@link OpenCLMemoryError} memory has run out: the pool frees its held blocks and asks again
   */
  allocate(byteLength: number): Buffer;
}

const HOST_FLAGS = MemFlags.USE_HOST_PTR | MemFlags.COPY_HOST_PTR;

/**
 * Allocates buffers whose memory may be allocated only when a command first uses them, as in most drivers. For a pool use
 * {@link ImmediateAllocator}, which reports a lack of memory in time.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * const allocator = new cl.DeferredAllocator(ctx, cl.MemFlags.READ_ONLY);
 * using buffer = allocator.allocate(4096);
 * ```
 */
export class DeferredAllocator extends PublicObject implements BufferAllocator {
  readonly context: Context;
  /** Bits of {@link MemFlags}. */
  readonly flags: number;

  /**
   * @param flags - bits of {@link MemFlags} without those of host arrays
   * @throws RangeError the flags exclude each other, or are about host arrays
   */
  constructor(context: Context, flags: number = MemFlags.READ_WRITE) {
    super();
    checkContext(context, 'DeferredAllocator');
    checkFlags(flags, 'DeferredAllocator');
    this.context = context;
    this.flags = flags;
  }

  /**
   * @param byteLength - bytes, at least 1
   * @throws RangeError a size below 1 or above the devices' limit
   * @throws {@link OpenCLMemoryError} CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  allocate(byteLength: number): Buffer {
    return new Buffer(this.context, this.flags, checkInteger(byteLength, 'DeferredAllocator.allocate: the size', 1));
  }
}

/**
 * Allocates buffers whose memory is on the queue's device at once, so that {@link ImmediateAllocator.allocate} reports a
 * lack of memory, not the first command that uses the buffer.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using buffer = new cl.ImmediateAllocator(queue).allocate(4096);
 * ```
 */
export class ImmediateAllocator extends PublicObject implements BufferAllocator {
  readonly context: Context;
  /** Bits of {@link MemFlags}. */
  readonly flags: number;
  readonly #queue: CommandQueue;

  /**
   * @param queue - its device gets the memory; commands of any queue of its context may use it
   * @param flags - bits of {@link MemFlags} without those of host arrays
   * @throws RangeError the flags exclude each other, or are about host arrays
   */
  constructor(queue: CommandQueue, flags: number = MemFlags.READ_WRITE) {
    super();
    checkQueue(queue, 'ImmediateAllocator');
    checkFlags(flags, 'ImmediateAllocator');
    this.context = queue.context;
    this.flags = flags;
    this.#queue = queue;
  }

  /**
   * Host: does not block. Queue: ordered; commands of other queues that use the buffer come after the allocation.
   *
   * @param byteLength - bytes, at least 1
   * @throws RangeError a size below 1 or above the devices' limit
   * @throws {@link OpenCLMemoryError} CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  allocate(byteLength: number): Buffer {
    const what = 'ImmediateAllocator.allocate';
    checkNumber(byteLength, `${what}: the size`, 1);
    this.#queue.use('allocate');
    const uses = new Uses();
    const buffer = new Buffer(this.context, this.flags, byteLength, uses);
    try {
      const objects = new BigUint64Array([buffer.use(what)]);
      submit(this.#queue, what, undefined, [uses], (raw, count, list, out) =>
        cl.clEnqueueMigrateMemObjects(raw, 1, objects, MigrationFlags.CONTENT_UNDEFINED, count, list, out),
      );
    } catch (error) {
      buffer.close();
      throw error;
    }
    uses.handOver();
    return buffer;
  }
}

/** Refuse a value that is not an allocator. */
export function checkAllocator(value: unknown, what: string): asserts value is BufferAllocator {
  if (typeof value === 'object' && value !== null && isHollow(value)) throw notMade(value);
  const { context, allocate } = (value ?? {}) as Partial<BufferAllocator>;
  if (typeof allocate !== 'function') {
    throw new TypeError(`${what} takes an ImmediateAllocator or a DeferredAllocator, got ${nameOf(value)}`);
  }
  checkContext(context, `${what}: the allocator's context`);
}

function checkFlags(flags: number, what: string): void {
  checkMemFlags(flags, what);
  if ((flags & HOST_FLAGS) === 0) return;
  throw new RangeError(`${what}: USE_HOST_PTR and COPY_HOST_PTR are for one host array, not for an allocator`);
}
