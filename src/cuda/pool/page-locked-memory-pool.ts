import { arrayClass, type ArrayOf, type ElementType } from '../../core/dtype.ts';
import { ClosedError } from '../../core/errors.ts';
import { claim, Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/check.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { checkViewBytes, detach, viewOf } from '../../ffi/memory.ts';
import { attempt } from '../call.ts';
import { ClientPool, lend, type Lent } from './client-pool.ts';
import { destroyIn, type requireContext } from '../device/context.ts';
import type { Pagelocked } from '../memory/host-memory.ts';
import { allocate } from '../memory/memory.ts';
import { redirect } from './stream-allocation.ts';
import type { Stream } from '../stream/stream.ts';
import { HostAllocFlags } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type HostPointer = Opaque<'host memory'>;

interface Loan extends Lent<HostPointer> {
  readonly disown: () => void;
}

const slot = slotOf('size_t');
const loans = new WeakMap<ArrayBufferLike, Loan>();

/**
 * A pool of page-locked host memory: locking pages takes long, so it keeps what is freed for the next array. An array may
 * be given back while a copy still uses it: its memory becomes another array only after the stream of the copy has
 * reached the release.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, memcpyHtoDAsync, PageLockedMemoryPool, Stream } from 'rawkernel/cuda';
 *
 * using pool = new PageLockedMemoryPool();
 * using stream = new Stream();
 * using memory = memAlloc(4096);
 * {
 *   using array = pool.allocate(1024, 'f32', stream);
 *   memcpyHtoDAsync(memory, array.fill(1), stream);
 * } // back in the pool, which waits for the copy
 * stream.synchronize();
 * ```
 */
export class PageLockedMemoryPool extends ClientPool<HostPointer> {
  /**
   * Make an empty pool in the current context.
   *
   * @param flags - {@link HostAllocFlags}: DEVICEMAP, WRITECOMBINED; PORTABLE is always on
   * @throws {@link CudaLogicError} no context is current
   */
  constructor(flags = 0) {
    const wanted = checkInteger(flags, 'PageLockedMemoryPool: flags', 0, 7) | HostAllocFlags.PORTABLE;
    super('PageLockedMemoryPool', 'host', (context, byteLength) => makeBlock(context, byteLength, wanted));
  }

  /**
   * Make a typed array over memory of the pool. Its content is undefined.
   *
   * Host: does not block while a block fits.
   *
   * @param length - elements
   * @param type - a typed array class, or a dtype's name
   * @param stream - whose copies will use it; the legacy default stream where none is given
   * @throws RangeError the length is not an integer, or 0
   * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
   */
  allocate<const T extends ElementType>(length: number, type: T, stream: Stream | null = null): Pagelocked<ArrayOf<T>> {
    const { array: ArrayType, bytes } = arrayClass(type, 'PageLockedMemoryPool.allocate: the type');
    const count = checkInteger(length, 'PageLockedMemoryPool.allocate: the length', 1);
    const what = 'PageLockedMemoryPool.allocate';
    const byteLength = checkViewBytes(count * bytes, `${what}: the array`);
    const { handle, farewell } = lend(this, byteLength, stream, 'pooled pagelocked array', what);
    const buffer = mapped(handle, byteLength);
    loans.set(buffer, { handle, disown: claim(buffer, handle), farewell });
    const array = new ArrayType(buffer);
    Object.defineProperty(array, Symbol.dispose, {
      value: () => {
        if (array.byteLength > 0) returnToPool(array, undefined);
      },
    });
    return array as Pagelocked<ArrayOf<T>>;
  }

  /**
   * Give an array back. It and everything over its buffer have length 0 afterwards; copies in flight go on.
   *
   * Host: does not block.
   *
   * @param stream - the last stream that uses it; by default the stream of the allocation
   * @throws TypeError the array is not of such a pool
   * @throws {@link ClosedError} it was given back before
   */
  free(array: ArrayBufferView, stream?: Stream | null): void {
    returnToPool(array, stream);
  }
}

function returnToPool(array: ArrayBufferView, stream: Stream | null | undefined): void {
  const loan = ArrayBuffer.isView(array) ? loans.get(array.buffer) : undefined;
  if (!loan) throw new TypeError('PageLockedMemoryPool.free: the array was not made by PageLockedMemoryPool.allocate');
  if (!loan.handle.alive) throw new ClosedError('PageLockedMemoryPool', 'free of an array');
  redirect(loan.farewell, stream, 'PageLockedMemoryPool.free');
  loan.disown();
  detach(array.buffer as ArrayBuffer);
  loan.handle.release();
}

/** A runtime without external buffers refuses the view: then the block goes back. */
function mapped(handle: Handle<HostPointer>, byteLength: number): ArrayBuffer {
  try {
    return viewOf(handle.value, byteLength);
  } catch (error) {
    handle.release();
    throw error;
  }
}

function makeBlock(context: ReturnType<typeof requireContext>, byteLength: number, flags: number): Handle<HostPointer> {
  allocate('cuMemHostAlloc', byteLength, () => attempt('cuMemHostAlloc', slot, byteLength, flags));
  const free = (pointer: HostPointer): void => {
    destroyIn(context, 'cuMemFreeHost', pointer);
  };
  return new Handle('block of a pool', take(slot) as HostPointer, free, [context]);
}
