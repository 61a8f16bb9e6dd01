import { BlockBins, blockSize, type PoolStatistics } from '../../core/block-bins.ts';
import type { Handle } from '../../core/handle.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { attempt, attemptRelaxed, warnOfStatus } from '../call.ts';
import type { requireContext } from '../device/context.ts';
import { destroyIn, inContext } from '../device/context.ts';
import { isLasting } from '../lifetime/hold-on-stream.ts';
import { createPoint } from '../lifetime/stream-point.ts';
import { status as statuses } from '../sys/enums.ts';
import type { Farewell } from './stream-allocation.ts';
import { StreamMarks, type StreamMark } from './stream-mark.ts';

type CUevent = Opaque<'CUevent'>;

/** A piece of memory that a pool gives out again and again. */
export interface Block<T> {
  readonly handle: Handle<T>;
  readonly byteLength: number;
  /** What the stream of its last release has to pass before another may have the block, for memory of the device. */
  mark: StreamMark | undefined;
  /** The same as an event of its own: for the host's memory, and for streams whose end nobody tells. */
  event: CUevent | undefined;
}

const NOT_READY = statuses.CUDA_ERROR_NOT_READY[0];
const CAPTURED_EVENT = statuses.CUDA_ERROR_CAPTURED_EVENT[0];

/**
 * Blocks by their sizes. A block of the device that was given back on a stream goes at once to work on the same stream,
 * which comes after; another stream gets it when the first has reached the release. The host does not wait for any stream: a
 * block of its memory is free only then.
 */
export class BlockPool<T> {
  readonly #context: ReturnType<typeof requireContext>;
  readonly #make: (byteLength: number) => Handle<T>;
  readonly #side: 'host' | 'device';
  readonly #isExact: () => boolean;
  readonly #bins = new BlockBins<Block<T>>();
  readonly #marks: StreamMarks;
  #holding = true;

  /**
   * @param side - which side writes to the memory: the device in stream order, or the host at any time. A block for the host
   * is reused only after its stream has reached the release
   * @param make - allocates in the context, and throws where memory has run out
   * @param isExact - whether each allocation is a block of just its size, which is freed when it is returned: a device that checks
   * accesses takes what a pool holds, and the bytes at a block's end, for memory of the program
   */
  constructor(
    context: ReturnType<typeof requireContext>,
    side: 'host' | 'device',
    make: (byteLength: number) => Handle<T>,
    isExact: () => boolean,
  ) {
    this.#context = context;
    this.#side = side;
    this.#make = make;
    this.#isExact = isExact;
    this.#marks = new StreamMarks(context);
  }

  get statistics(): PoolStatistics {
    return this.#bins.statistics;
  }

  /** A block for work on a stream. */
  take(byteLength: number, { kept }: Farewell): Block<T> {
    const size = this.#isExact() ? byteLength : blockSize(byteLength);
    const block = this.#find(size, kept) ?? this.#create(size);
    block.mark?.leave();
    block.mark = undefined;
    this.#bins.lent(block);
    return block;
  }

  /** Take a block back on a stream; once it holds nothing any more, the memory goes. */
  give(block: Block<T>, farewell: Farewell): void {
    this.#bins.returned(block);
    const isMarked = this.#mark(block, farewell);
    if (isMarked && this.#holding && !this.#isExact()) this.#bins.hold(block);
    else this.#destroy(block);
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
    this.#marks.clear();
  }

  #find(size: number, stream: Farewell['kept']): Block<T> | undefined {
    return this.#bins.find(size, ({ mark, event }) => {
      if (mark !== undefined) return mark.kept === stream || mark.passed();
      return event === undefined || attempt('cuEventQuery', event) !== NOT_READY;
    });
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
    return { handle, byteLength, mark: undefined, event: undefined };
  }

  #mark(block: Block<T>, farewell: Farewell): boolean {
    const { stream } = farewell;
    if (this.#side === 'device' && isLasting(stream)) {
      block.mark = this.#marks.at(farewell);
      block.mark.join();
      return true;
    }
    return inContext(this.#context, () => {
      block.event ??= createPoint();
      return block.event !== undefined && attempt('cuEventRecord', block.event, stream) === 0;
    });
  }

  /** Memory of the device needs no wait: the driver does not free it before. */
  #destroy(block: Block<T>): void {
    const { event } = block;
    block.event = undefined;
    block.mark?.leave();
    block.mark = undefined;
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
