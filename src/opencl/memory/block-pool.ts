import { BlockBins, blockSize, type PoolStatistics } from '../../core/block-bins.ts';
import { sweepFlights } from '../../core/in-flight.ts';
import { isMemoryStatus, OpenCLError } from '../errors.ts';
import type { EventOwner } from '../queue/event.ts';
import type { Uses } from '../queue/uses.ts';

/** Memory, and the commands that use it. */
export interface Memory<T> {
  readonly memory: T;
  readonly uses: Uses;
}

/** A piece of memory that a pool lends again and again. */
export interface Block<T> extends Memory<T> {
  readonly byteLength: number;
}

/** How a pool allocates. */
export interface BlockMaker<T> {
  /** Throws where memory has run out. */
  readonly make: (byteLength: number) => Memory<T>;
  /** The largest block that the devices allow, in bytes. */
  readonly limit: number;
  /** Whether the host touches the memory without a command: then a block is free only when no command uses it any more. */
  readonly idle: boolean;
  /**
   * Whether each allocation is a block of just its size, which is freed when it is returned: a device that checks accesses takes what
   * a pool holds, and the bytes at a block's end, for memory of the program.
   */
  readonly isExact: () => boolean;
}

/**
 * Blocks by their sizes. A returned block may still be used by commands that have not ended. It is lent again nevertheless,
 * unless an idle block fits: the commands of the new owner come after those of the earlier one, by the order of their
 * queue or by a barrier.
 */
export class BlockPool<T extends { release(): void }> {
  readonly #maker: BlockMaker<T>;
  readonly #bins = new BlockBins<Block<T>>();
  #askedBytes = 0;
  #holding = true;

  constructor(maker: BlockMaker<T>) {
    this.#maker = maker;
  }

  get statistics(): PoolStatistics {
    return this.#bins.statistics;
  }

  /** Bytes of the blocks in use, as they were asked for. */
  get askedBytes(): number {
    return this.#askedBytes;
  }

  /** @param list - the queue of the first command, where that is known: a block whose commands it orders is found at once */
  take(byteLength: number, list?: EventOwner): Block<T> {
    const size = this.#maker.isExact()
      ? byteLength
      : Math.max(byteLength, Math.min(blockSize(byteLength), this.#maker.limit));
    const ordered = list && this.#bins.find(size, ({ uses }) => uses.areOrderedOn(list));
    const block = ordered ?? this.#find(size) ?? this.#create(size);
    this.#bins.lent(block);
    this.#askedBytes += byteLength;
    return block;
  }

  give(block: Block<T>, byteLength: number): void {
    this.#bins.returned(block);
    this.#askedBytes -= byteLength;
    block.uses.handOver();
    if (this.#holding && !this.#maker.isExact()) this.#bins.hold(block);
    else block.memory.release();
  }

  /** Free the held blocks, which the driver does when no command uses them any more; returns the number of bytes. */
  freeHeld(): number {
    const { heldBytes } = this.#bins.statistics;
    for (const block of this.#bins.empty()) block.memory.release();
    return heldBytes;
  }

  stopHolding(): void {
    this.#holding = false;
    this.freeHeld();
  }

  #find(size: number): Block<T> | undefined {
    const idle = this.#bins.find(size, ({ uses }) => !uses.pending);
    if (idle || this.#maker.idle) return idle;
    return this.#bins.find(size, ({ uses }) => !uses.blocked);
  }

  #create(byteLength: number): Block<T> {
    try {
      return { byteLength, ...this.#maker.make(byteLength) };
    } catch (error) {
      if (!(error instanceof OpenCLError) || !isMemoryStatus(error.status)) throw error;
      // A block of a collected buffer may have been returned meanwhile.
      const found = this.#find(byteLength);
      if (found) return found;
      if (this.#freeNow() === 0) throw error;
    }
    return { byteLength, ...this.#maker.make(byteLength) };
  }

  /** The memory of a block is free only when the commands that use it have ended. */
  #freeNow(): number {
    const { heldBytes } = this.#bins.statistics;
    for (const { memory, uses } of this.#bins.empty()) {
      uses.waitIgnoringFailure();
      memory.release();
    }
    sweepFlights();
    return heldBytes;
  }
}
