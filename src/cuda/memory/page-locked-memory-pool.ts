import { arrayClass, type ArrayOf, type ElementType } from '../../core/dtype.ts';
import { ClosedError } from '../../core/errors.ts';
import { claim, Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/host-memory.ts';
import { Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { detach, viewOf } from '../../ffi/memory.ts';
import { attempt } from '../call.ts';
import { BlockPool, type PoolStatistics } from './block-pool.ts';
import { birthContext, destroyIn } from '../device/context.ts';
import type { Pagelocked } from './host-memory.ts';
import { allocate } from './memory.ts';
import { farewellOn, redirect, type Farewell } from './stream-allocation.ts';
import type { Stream } from '../stream/stream.ts';
import { HostAllocFlags } from '../sys/enums.ts';

type HostPointer = Opaque<'host memory'>;

interface Loan {
  readonly handle: Handle<HostPointer>;
  readonly disown: () => void;
  readonly farewell: Farewell;
}

const slot = new BigUint64Array(1);
const loans = new WeakMap<ArrayBufferLike, Loan>();

/**
 * A pool of page-locked host memory: locking pages takes long, so it keeps what is freed for the next array. An array may
 * be given back while a copy still uses it: its memory becomes another array when the stream of the copy has come so
 * far.
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
export class PageLockedMemoryPool extends Resource<BlockPool<HostPointer>> {
  /**
   * Make an empty pool in the current context.
   *
   * @param flags - {@link HostAllocFlags}: DEVICEMAP, WRITECOMBINED; PORTABLE is always on
   * @throws {@link CudaLogicError} no context is current
   */
  constructor(flags = 0) {
    const wanted = checkInteger(flags, 'PageLockedMemoryPool: flags', 0, 7) | HostAllocFlags.PORTABLE;
    const context = birthContext('PageLockedMemoryPool');
    const pool = new BlockPool<HostPointer>(context, 'host', (byteLength) => makeBlock(context, byteLength, wanted));
    super(
      new Handle(
        'PageLockedMemoryPool',
        pool,
        () => {
          pool.stopHolding();
        },
        [context],
      ),
    );
  }

  /**
   * Make a typed array over memory of the pool. Its content is undefined.
   *
   * Host: does not block while a block fits.
   *
   * @param length - elements
   * @param type - a typed array class, or a dtype's name
   * @param stream - whose copies will use it; the legacy default stream where none is given
   * @throws RangeError the length is no integer, or 0
   * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
   */
  allocate<const T extends ElementType>(length: number, type: T, stream: Stream | null = null): Pagelocked<ArrayOf<T>> {
    const { array: ArrayType, bytes } = arrayClass(type, 'PageLockedMemoryPool.allocate: the type');
    const count = checkInteger(length, 'PageLockedMemoryPool.allocate: the length', 1);
    const farewell = farewellOn(stream, 'PageLockedMemoryPool.allocate');
    let handle: Handle<HostPointer>;
    try {
      handle = lend(this.owned('allocate'), count * bytes, farewell);
    } catch (error) {
      farewell.kept?.release();
      throw error;
    }
    const buffer = mapped(handle, count * bytes);
    loans.set(buffer, { handle, disown: claim(buffer, handle), farewell });
    const array = new ArrayType(buffer);
    Object.defineProperty(array, Symbol.dispose, {
      value: () => {
        if (array.byteLength > 0) giveBack(array, undefined);
      },
    });
    return array as Pagelocked<ArrayOf<T>>;
  }

  /**
   * Give an array back. It and everything over its buffer have length 0 afterwards; copies in flight go on.
   *
   * Host: does not block.
   *
   * @param stream - the last one that uses it; the one that it was allocated for where none is given
   * @throws TypeError the array is not of such a pool
   * @throws {@link ClosedError} it was given back before
   */
  free(array: ArrayBufferView, stream?: Stream | null): void {
    giveBack(array, stream);
  }

  /** Blocks and bytes that the pool holds, and that are in use. */
  get statistics(): PoolStatistics {
    return this.use('statistics').statistics;
  }

  /**
   * Free all blocks that are not in use. Host: blocks until no copy uses them.
   *
   * @returns how many bytes were freed
   */
  freeHeld(): number {
    return this.use('freeHeld').freeHeld();
  }

  /** Free all blocks that are not in use, and from now on each one that comes back. */
  stopHolding(): void {
    this.use('stopHolding').stopHolding();
  }

  /** Let go of the pool: what it holds is freed, what is in use when it comes back. */
  override close(): void {
    if (!this.closed) this.use('close').stopHolding();
    super.close();
  }
}

function giveBack(array: ArrayBufferView, stream: Stream | null | undefined): void {
  const loan = ArrayBuffer.isView(array) ? loans.get(array.buffer) : undefined;
  if (!loan) throw new TypeError('PageLockedMemoryPool.free: the array was not made by PageLockedMemoryPool.allocate');
  if (!loan.handle.alive) throw new ClosedError('PageLockedMemoryPool', 'free of an array');
  redirect(loan.farewell, stream, 'PageLockedMemoryPool.free');
  loan.disown();
  detach(array.buffer as ArrayBuffer);
  loan.handle.release();
}

/** In a function of its own: the record must not keep the array from the collector. */
function lend(pool: Handle<BlockPool<HostPointer>>, byteLength: number, farewell: Farewell): Handle<HostPointer> {
  const block = pool.value.take(byteLength, farewell.stream);
  const back = (): void => {
    try {
      pool.value.give(block, farewell.stream);
    } finally {
      farewell.kept?.release();
    }
  };
  return new Handle('pooled pagelocked array', block.handle.value, back, [pool]);
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

function makeBlock(context: ReturnType<typeof birthContext>, byteLength: number, flags: number): Handle<HostPointer> {
  allocate('cuMemHostAlloc', byteLength, () => attempt('cuMemHostAlloc', slot, byteLength, flags));
  const free = (pointer: HostPointer): void => {
    destroyIn(context, 'cuMemFreeHost', pointer);
  };
  return new Handle('block of a pool', (slot[0] ?? 0n) as HostPointer, free, [context]);
}
