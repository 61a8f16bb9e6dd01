import { BlockBins, blockSize, type PoolStatistics } from '../../core/block-bins.ts';
import type { Handle } from '../../core/handle.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { attempt, attemptRelaxed, warnOfStatus } from '../call.ts';
import type { requireContext } from '../device/context.ts';
import { destroyIn, inContext } from '../device/context.ts';
import { EventFlags, status as statuses } from '../sys/enums.ts';
import type { Farewell } from './stream-allocation.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUevent = Opaque<'CUevent'>;

/** A piece of memory that a pool gives out again and again. */
export interface Block<T> {
  readonly handle: Handle<T>;
  readonly byteLength: number;
  /** The record of the stream of its last release, undefined for the default one; the driver may reuse a handle. */
  stream: Farewell['kept'];
  /** What that stream has to reach before another may have the block. */
  event: CUevent | undefined;
}

const NOT_READY = statuses.CUDA_ERROR_NOT_READY[0];
const CAPTURED_EVENT = statuses.CUDA_ERROR_CAPTURED_EVENT[0];
const slot = slotOf('CUevent');

/**
 * Blocks by their sizes. A block of the device that was given back on a stream goes at once to work on the same stream,
 * which comes after; another stream gets it when the first has reached the release. The host does not wait for any stream: a
 * block of its memory is free only then.
 */
export class BlockPool<T> {
  readonly #context: ReturnType<typeof requireContext>;
  readonly #make: (byteLength: number) => Handle<T>;
  readonly #side: 'host' | 'device';
  readonly #bins = new BlockBins<Block<T>>();
  #holding = true;

  /**
   * @param side - which side writes to the memory: the device in stream order, or the host at any time. A block for the host
   * is reused only after its stream has reached the release
   * @param make - allocates in the context, and throws where memory has run out
   */
  constructor(
    context: ReturnType<typeof requireContext>,
    side: 'host' | 'device',
    make: (byteLength: number) => Handle<T>,
  ) {
    this.#context = context;
    this.#side = side;
    this.#make = make;
  }

  get statistics(): PoolStatistics {
    return this.#bins.statistics;
  }

  /** A block for work on a stream. */
  take(byteLength: number, { kept }: Farewell): Block<T> {
    const size = blockSize(byteLength);
    const block = this.#find(size, kept) ?? this.#create(size);
    this.#bins.lent(block);
    return block;
  }

  /** Take a block back on a stream; once it holds nothing any more, the memory goes. */
  give(block: Block<T>, { stream, kept }: Farewell): void {
    this.#bins.returned(block);
    block.stream = kept;
    if (!this.#mark(block, stream) || !this.#holding) {
      this.#destroy(block);
      return;
    }
    this.#bins.hold(block);
  }

  /** Free what is held; returns how many bytes. Blocks of the host are waited for, as the driver waits for the device's. */
  freeHeld(): number {
    const { heldBytes } = this.#bins.statistics;
    for (const block of this.#bins.empty()) this.#destroy(block);
    return heldBytes;
  }

  stopHolding(): void {
    this.#holding = false;
    this.freeHeld();
  }

  #find(size: number, stream: Block<T>['stream']): Block<T> | undefined {
    const inOrder = this.#side === 'device';
    return this.#bins.find(size, (block) => (inOrder && block.stream === stream) || this.#passed(block));
  }

  #create(byteLength: number): Block<T> {
    const make = (): Handle<T> => inContext(this.#context, () => this.#make(byteLength));
    let handle: Handle<T>;
    try {
      handle = make();
    } catch (error) {
      if (this.freeHeld() === 0) throw error;
      handle = make();
    }
    return { handle, byteLength, stream: undefined, event: undefined };
  }

  /** A failed query means that the context is lost, and nothing runs any more. */
  #passed({ event }: Block<T>): boolean {
    return event === undefined || attempt('cuEventQuery', event) !== NOT_READY;
  }

  #mark(block: Block<T>, stream: Farewell['stream']): boolean {
    return inContext(this.#context, () => {
      if (block.event === undefined) {
        if (attempt('cuEventCreate', slot, EventFlags.DISABLE_TIMING) !== 0) return false;
        block.event = take(slot);
      }
      return attempt('cuEventRecord', block.event, stream) === 0;
    });
  }

  #destroy(block: Block<T>): void {
    const { event } = block;
    block.event = undefined;
    if (event !== undefined) {
      inContext(this.#context, () => {
        const status = attemptRelaxed('cuEventSynchronize', event);
        // Recorded in a capture, where it marks no point of time: the graph keeps its memory itself.
        if (status !== CAPTURED_EVENT) warnOfStatus('cuEventSynchronize', status);
      });
      destroyIn(this.#context, 'cuEventDestroy', event);
    }
    block.handle.release();
  }
}
