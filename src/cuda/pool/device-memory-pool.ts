import { Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/check.ts';
import { attempt } from '../call.ts';
import { ClientPool, lend } from './client-pool.ts';
import { destroyIn, type requireContext } from '../device/context.ts';
import type { DevicePointer } from '../memory/device-pointer.ts';
import { allocate } from '../memory/memory.ts';
import { StreamAllocation } from './stream-allocation.ts';
import type { Stream } from '../stream/stream.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

const slot = slotOf('CUdeviceptr');

/** Device memory of a {@link DeviceMemoryPool}: `free()`, `freeAsync(stream)` and `using` give it back to the pool. */
export class PooledAllocation extends StreamAllocation {}

/**
 * A pool of device memory on this side of the driver, for drivers and devices without {@link MemPool} and for programs
 * that allocate the same sizes again and again. It keeps what is freed, by sizes of which each power of two has 16.
 *
 * Safe across streams: a block that was freed on a stream goes at once to an allocation for the same stream; to another
 * one only when the first stream has reached the release. In a checked context the pool holds nothing, and blocks are exact.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { DeviceMemoryPool, memsetD32Async, Stream } from 'rawkernel/cuda';
 *
 * using pool = new DeviceMemoryPool();
 * using stream = new Stream();
 * for (let i = 0; i < 10; i++) {
 *   using memory = pool.allocate(4096, stream); // the same block each time
 *   memsetD32Async(memory, i, 1024, stream);
 * }
 * stream.synchronize();
 * ```
 */
export class DeviceMemoryPool extends ClientPool<DevicePointer> {
  /**
   * Make an empty pool in the current context.
   *
   * @throws {@link CudaLogicError} no context is current
   */
  constructor() {
    super('DeviceMemoryPool', 'device', makeBlock);
  }

  /**
   * Take memory out of the pool, or from the device when no block fits. When that has none, all held blocks are freed and
   * it is tried once more.
   *
   * Host: does not block while a block fits. Stream: the memory is for work on this stream.
   *
   * @param byteLength - in bytes, at least 1
   * @param stream - the legacy default stream where none is given
   * @throws RangeError the size is not an integer, or 0
   * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
   */
  allocate(byteLength: number, stream: Stream | null = null): PooledAllocation {
    const bytes = checkInteger(byteLength, 'DeviceMemoryPool.allocate: the size', 1);
    const { handle, farewell } = lend(this, bytes, stream, 'PooledAllocation', 'DeviceMemoryPool.allocate');
    return new PooledAllocation(handle, bytes, farewell);
  }
}

function makeBlock(context: ReturnType<typeof requireContext>, byteLength: number): Handle<DevicePointer> {
  allocate('cuMemAlloc', byteLength, () => attempt('cuMemAlloc', slot, byteLength));
  const free = (pointer: DevicePointer): void => {
    destroyIn(context, 'cuMemFree', pointer);
  };
  return new Handle('block of a pool', take(slot), free, [context]);
}
