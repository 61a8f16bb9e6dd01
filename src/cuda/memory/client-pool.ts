import type { PoolStatistics } from '../../core/block-bins.ts';
import { Handle } from '../../core/handle.ts';
import { Resource } from '../../core/resource.ts';
import { BlockPool } from './block-pool.ts';
import { birthContext } from '../device/context.ts';
import { farewellOn, type Farewell } from './stream-allocation.ts';
import type { Stream } from '../stream/stream.ts';

/** A block that is in use: its memory, until the handle is released, and on which stream it comes back. */
export interface Lent<T> {
  readonly handle: Handle<T>;
  readonly farewell: Farewell;
}

/** A pool of memory on this side of the driver: it keeps what is freed for the next allocation of about that size. */
export abstract class ClientPool<T> extends Resource<BlockPool<T>> {
  /** @internal */
  constructor(
    title: string,
    side: 'host' | 'device',
    make: (context: ReturnType<typeof birthContext>, byteLength: number) => Handle<T>,
  ) {
    const context = birthContext(title);
    const pool = new BlockPool<T>(context, side, (byteLength) => make(context, byteLength));
    const destroy = (): void => {
      pool.stopHolding();
    };
    super(new Handle(title, pool, destroy, [context]));
  }

  /** Blocks and bytes that the pool holds, and that are in use. */
  get statistics(): PoolStatistics {
    return this.use('statistics').statistics;
  }

  /**
   * Free all blocks that are not in use. Host: blocks until nothing uses them any more.
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

  /**
   * Take a block for work on a stream.
   * @internal
   */
  lend(byteLength: number, stream: Stream | null, title: string, what: string): Lent<T> {
    const farewell = farewellOn(stream, what);
    try {
      return { handle: lent(this.owned('allocate'), byteLength, farewell, title), farewell };
    } catch (error) {
      farewell.kept?.release();
      throw error;
    }
  }
}

/** In a function of its own: the record must not keep what wraps it from the collector. */
function lent<T>(pool: Handle<BlockPool<T>>, byteLength: number, farewell: Farewell, title: string): Handle<T> {
  const block = pool.value.take(byteLength, farewell);
  const giveBack = (): void => {
    try {
      pool.value.give(block, farewell);
    } finally {
      farewell.kept?.release();
    }
  };
  return new Handle(title, block.handle.value, giveBack, [pool]);
}
