import type { ElementName } from '../../core/element-table.ts';
import type { AnyElement } from '../../core/typed/element.ts';
import { Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/check.ts';
import { closeOnce, handleOf } from '../../core/resource.ts';
import { attempt, callError } from '../call.ts';
import { afterCaptures, recording } from '../captures.ts';
import { requireContext, destroyIn } from '../device/context.ts';
import type { DevicePointer } from '../memory/device-pointer.ts';
import { allocate, DeviceAllocation } from '../memory/memory.ts';
import { captureStatus } from '../lifetime/hold-on-stream.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { CaptureStatus, status } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUstream = ReturnType<typeof streamHandle>;
type CUmemoryPool = Parameters<typeof attempt<'cuMemPoolDestroy'>>[1];

const slot = slotOf('CUdeviceptr');

const OF_GRAPH =
  'The memory belongs to a graph that is being captured: free it on a stream of that capture, or when the graph has run';

/** On which stream memory goes; the record keeps the stream alive until then. */
export interface Farewell {
  stream: CUstream;
  kept: Handle<CUstream> | undefined;
}

/** The end of memory for a stream: there, until {@link redirect} says otherwise. */
export function farewellOn(stream: Stream | null, what: string): Farewell {
  return { stream: streamHandle(stream, what), kept: stream ? handleOf(stream, what).retain() : undefined };
}

/** Let memory go on another stream; undefined changes nothing. */
export function redirect(farewell: Farewell, stream: Stream | null | undefined, what: string): void {
  if (stream === undefined) return;
  const next = farewellOn(stream, what);
  farewell.kept?.release();
  farewell.stream = next.stream;
  farewell.kept = next.kept;
}

/**
 * Device memory that is allocated and freed in stream order. Made by {@link memAllocAsync}.
 *
 * Work on the stream of the allocation may use it at once; another stream must first wait until that stream has reached
 * the allocation. `free()`, `close()` and `using` enqueue the free on the stream of the allocation.
 */
export class StreamAllocation<E extends ElementName = AnyElement> extends DeviceAllocation<E> {
  readonly #farewell: Farewell;
  /** Whether a capture has allocated it. */
  readonly #isOfGraph: boolean;

  /** @internal */
  constructor(handle: Handle<DevicePointer>, byteLength: number, farewell: Farewell, isOfGraph = false) {
    super(handle, byteLength);
    this.#farewell = farewell;
    this.#isOfGraph = isOfGraph;
  }

  /**
   * Free the memory in stream order. A capture forbids that on a captured stream, for memory that was not allocated in the
   * capture, and on the legacy default stream: then the memory is freed after the captures of this thread.
   *
   * Host: does not block. Stream: ordered. What other streams still do with the memory must be waited for first:
   * `stream.waitForEvent(…)`.
   *
   * @param stream - the stream of the allocation where none is given; null for the legacy default stream
   * @throws {@link ClosedError} it was freed before
   * @throws {@link CudaLogicError} it was allocated in a capture that still runs, and the stream is not of that capture: nothing
   * has changed
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html | cuMemFreeAsync}
   */
  freeAsync(stream?: Stream | null): void {
    if (!this.closed && stream !== undefined) {
      if (recording.active > 0) this.#checkCapture(streamHandle(stream, 'StreamAllocation.freeAsync'));
      redirect(this.#farewell, stream, 'StreamAllocation.freeAsync');
    }
    closeOnce(this, 'freeAsync');
  }

  /**
   * Free the memory in the order of the stream of the allocation; see {@link StreamAllocation.freeAsync}.
   *
   * Host: does not block. Stream: ordered.
   *
   * @throws {@link ClosedError} it was freed before
   */
  override free(): void {
    closeOnce(this, 'free');
  }

  #checkCapture(stream: CUstream): void {
    if (!this.#isOfGraph || !isCaptured(this.#farewell.stream) || isCaptured(stream)) return;
    const [code] = status.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    throw callError('cuMemFreeAsync', code, { reason: OF_GRAPH });
  }
}

/**
 * Allocate device memory in the order of a stream, from a pool: work that is enqueued on the stream after it may use the
 * memory. Freed memory goes back to the pool, which makes this far cheaper than {@link memAlloc}.
 *
 * Host: does not block. Stream: ordered.
 *
 * @param byteLength - in bytes, at least 1
 * @param stream - the legacy default stream where none is given
 * @returns an owned allocation: `freeAsync(stream?)`, or `using`
 * @throws RangeError the size is not an integer, or 0
 * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
 * @throws {@link CudaLogicError} no context is current
 * @throws {@link CudaRuntimeError} CUDA_ERROR_NOT_SUPPORTED: the device has no pools (`device.memoryPoolsSupported`)
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAllocAsync, memsetD32Async, Stream } from 'rawkernel/cuda';
 *
 * using stream = new Stream();
 * const memory = memAllocAsync(4096, stream);
 * memsetD32Async(memory, 0, 1024, stream);
 * memory.freeAsync(stream);
 * await stream.done();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html | cuMemAllocAsync}
 */
export function memAllocAsync<E extends ElementName = AnyElement>(
  byteLength: number,
  stream: Stream | null = null,
): StreamAllocation<E> {
  return allocateOnStream(byteLength, stream, undefined, 'memAllocAsync') as StreamAllocation<E>;
}

/** {@link memAllocAsync}, from a given pool. */
export function allocateOnStream(
  byteLength: number,
  stream: Stream | null,
  pool: Handle<CUmemoryPool> | undefined,
  what: string,
): StreamAllocation {
  const bytes = checkInteger(byteLength, `${what}: the size`, 1);
  const queue = streamHandle(stream, what);
  const routine = pool ? 'cuMemAllocFromPoolAsync' : 'cuMemAllocAsync';
  const context = requireContext(routine);
  allocate(routine, bytes, () =>
    pool
      ? attempt('cuMemAllocFromPoolAsync', slot, bytes, pool.value, queue)
      : attempt('cuMemAllocAsync', slot, bytes, queue),
  );
  return ownOnStream(take(slot), bytes, stream, pool ? [context, pool] : [context]);
}

function isCaptured(stream: CUstream): boolean {
  return captureStatus(stream) === CaptureStatus.ACTIVE;
}

/** Whether a stream is being captured, or is the legacy one beside such a stream: only a graph's own memory is freed there. */
function takesNoWork(stream: CUstream): boolean {
  return recording.active > 0 && captureStatus(stream) !== CaptureStatus.NONE;
}

/** Make the owner of memory that is freed on a stream. The first parent is its context. */
export function ownOnStream(
  address: bigint,
  byteLength: number,
  stream: Stream | null,
  parents: readonly [context: ReturnType<typeof requireContext>, ...others: Handle<CUmemoryPool>[]],
): StreamAllocation {
  const [context] = parents;
  const farewell = farewellOn(stream, 'memAllocAsync');
  const isOfGraph = takesNoWork(farewell.stream);
  const destroy = (pointer: DevicePointer): void => {
    const free = (): void => {
      try {
        destroyIn(context, 'cuMemFreeAsync', pointer, farewell.stream);
      } finally {
        farewell.kept?.release();
      }
    };
    if (isOfGraph || !takesNoWork(farewell.stream)) {
      free();
      return;
    }
    context.retain();
    afterCaptures(() => {
      free();
      context.release();
    });
  };
  const handle = new Handle('StreamAllocation', address as DevicePointer, destroy, parents);
  return new StreamAllocation(handle, byteLength, farewell, isOfGraph);
}
