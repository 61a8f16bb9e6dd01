import { PublicObject } from '../../core/public-object.ts';
import type { ElementType } from '../../core/dtype.ts';
import { checkNumber, checkOptions, nameOf } from '../../core/check.ts';
import type { Handle } from '../../core/handle.ts';
import { handleOf } from '../../core/resource.ts';
import { cl } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, enqueueBarrierFor, submit, type CommandQueue } from '../queue/queue.ts';
import { SvmMemFlags } from '../sys/enums.ts';
import { ClientPool, lend } from './client-pool.ts';
import { checkAlignment, checkFlags } from './svm-flags.ts';
import type { SVMState } from './svm-state.ts';
import { allocateSVM, SVMAllocation, type SVMOptions } from './svm.ts';

/** How an {@link SVMPool} allocates its blocks. */
export interface SVMAllocatorOptions {
  /** Bytes, a power of 2 up to 128. Default: the driver's choice. */
  readonly alignment?: number;
}

/** The element type of an allocation of an {@link SVMAllocator} or an {@link SVMPool}: a dtype's name or a class. */
export type SVMElements<T extends ElementType> = Pick<SVMOptions<T>, 'type'>;

/**
 * Allocates shared memory of one kind.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * const allocator = new cl.SVMAllocator(ctx, cl.SvmMemFlags.READ_WRITE);
 * if (ctx.devices[0]?.platform.atLeast(2, 0) && ctx.devices[0].svmCapabilities !== 0) {
 *   using a = allocator.allocate(4096, { type: 'f32' });
 *   console.log(a.byteLength);
 * }
 * ```
 */
export class SVMAllocator extends PublicObject {
  readonly context: Context;
  /** Bits of {@link SvmMemFlags}. */
  readonly flags: number;
  readonly alignment: number;

  /** @param flags - bits of {@link SvmMemFlags}: how kernels access the memory, and `SVM_FINE_GRAIN_BUFFER`, `SVM_ATOMICS` */
  constructor(context: Context, flags: number = SvmMemFlags.READ_WRITE, options: SVMAllocatorOptions = {}) {
    super();
    checkContext(context, 'SVMAllocator');
    checkOptions(options, ['alignment'], 'SVMAllocator');
    checkFlags(flags, 'SVMAllocator');
    checkAlignment(options.alignment ?? 0, 'SVMAllocator');
    this.context = context;
    this.flags = flags;
    this.alignment = options.alignment ?? 0;
  }

  /**
   * @param byteLength - bytes; 0 allocates nothing
   * @throws what {@link SVMAllocation} throws
   */
  allocate<T extends ElementType = 'u8'>(byteLength: number, options: SVMElements<T> = {}): SVMAllocation<T> {
    checkOptions(options, ['type'], 'SVMAllocator.allocate');
    return new SVMAllocation<T>(this.context, this.flags, byteLength, { ...options, alignment: this.alignment });
  }
}

/** Shared memory of an {@link SVMPool}: `release()`, `close()` and `using` return it to the pool. */
export class PooledSVM<T extends ElementType = 'u8'> extends SVMAllocation<T> {
  /**
   * Return it to the pool, as `release()` does: commands in flight go on.
   *
   * @returns an event that ends when these commands have ended
   */
  override enqueueRelease(queue: CommandQueue, options: EnqueueOptions = {}): Event {
    const what = 'PooledSVM.enqueueRelease';
    checkQueue(queue, what);
    checkOptions(options, ['waitFor'], what);
    const { uses } = handleOf(this, 'enqueueRelease').value;
    this.pointer(queue.context, what);
    queue.use(what);
    enqueueBarrierFor(queue, uses.events);
    const event = submit(queue, 'enqueueMarker', options.waitFor ?? [], [uses], (raw, count, list, out) =>
      cl.clEnqueueMarkerWithWaitList(raw, count, list, out),
    );
    this.close();
    return event;
  }
}

/**
 * A pool of shared memory, as {@link MemoryPool} is of buffers. Coarse-grained memory may be returned while commands use
 * it: the next owner's commands come after them. Fine-grained memory, which the host writes at any time,
 * goes to the next owner when no command uses it any more.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * if (ctx.devices[0]?.platform.atLeast(2, 0) && ctx.devices[0].svmCapabilities !== 0) {
 *   using pool = new cl.SVMPool(new cl.SVMAllocator(ctx));
 *   using a = pool.allocate(400, { type: 'f32' });
 *   cl.enqueueSVMMemFill(queue, a, cl.float32(1));
 * }
 * ```
 */
export class SVMPool extends ClientPool<Handle<SVMState>> {
  readonly #allocator: SVMAllocator;

  /** Make an empty pool. */
  constructor(allocator: SVMAllocator) {
    if (!(allocator instanceof SVMAllocator)) {
      throw new TypeError(`SVMPool takes an SVMAllocator, got ${nameOf(allocator)}`);
    }
    const { context, flags, alignment } = allocator;
    super('SVMPool', context, {
      make: (byteLength) => {
        const { handle } = allocateSVM(context, flags, byteLength, alignment);
        return { memory: handle, uses: handle.value.uses };
      },
      idle: (flags & SvmMemFlags.SVM_FINE_GRAIN_BUFFER) !== 0,
    });
    this.#allocator = allocator;
  }

  /**
   * Take memory out of the pool, or from the allocator where no block fits. When the allocator has no memory, all held
   * blocks are freed and it is asked once more. The content is undefined.
   *
   * Host: does not block, unless memory has run out: then until the held blocks are free.
   *
   * @param byteLength - bytes; 0 allocates nothing
   * @throws RangeError a size above the devices' limit, or not a multiple of the element size
   * @throws {@link OpenCLMemoryError} CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  allocate<T extends ElementType = 'u8'>(byteLength: number, options: SVMElements<T> = {}): PooledSVM<T> {
    const pool = handleOf(this, 'allocate');
    checkOptions(options, ['type'], 'SVMPool.allocate');
    checkNumber(byteLength, 'SVMPool.allocate: the size', 0);
    const { context, flags, alignment } = this.#allocator;
    const handle =
      byteLength === 0
        ? allocateSVM(context, flags, 0, alignment).handle
        : lend(pool, byteLength, 'PooledSVM', ({ memory }) => memory.value).handle;
    try {
      return new PooledSVM<T>(context, { handle, flags, byteLength, options });
    } catch (error) {
      handle.release();
      throw error;
    }
  }
}
