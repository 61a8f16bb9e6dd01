import type { PoolStatistics } from '../../core/block-bins.ts';
import { Handle, type AnyHandle } from '../../core/handle.ts';
import { checkMade } from '../../core/maker.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import { BlockPool } from './block-pool.ts';
import { isChecked, requireContext } from '../device/context.ts';
import { farewellOn, type Farewell } from './stream-allocation.ts';
import type { Stream } from '../stream/stream.ts';

/** A block in use: its memory, until the handle is released, and the stream of its release. */
export interface Lent<T> {
  readonly handle: Handle<T>;
  readonly farewell: Farewell;
}

let poolOf: <T>(pool: ClientPool<T>) => BlockPool<T>;

/** A pool of memory on this side of the driver: it keeps what is freed for the next allocation of about that size. */
export abstract class ClientPool<T> extends Resource<bigint> {
  readonly #pool: BlockPool<T>;

  /** @internal */
  constructor(
    title: string,
    side: 'host' | 'device',
    make: (context: ReturnType<typeof requireContext>, byteLength: number) => Handle<T>,
  ) {
    checkMade(typeof make === 'function', 'ClientPool', 'write new DeviceMemoryPool() or new PageLockedMemoryPool()');
    const context = requireContext(title);
    const pool = new BlockPool<T>(
      context,
      side,
      (byteLength) => make(context, byteLength),
      () => isChecked(context.value),
    );
    const destroy = (): void => {
      pool.stopHolding();
    };
    super(new Handle(title, 0n, destroy, [context]));
    this.#pool = pool;
  }

  /** Blocks and bytes that the pool holds, and that are in use. */
  get statistics(): PoolStatistics {
    this.use('statistics');
    return this.#pool.statistics;
  }

  /**
   * Free all blocks that are not in use. Host: blocks until nothing uses them any more.
   *
   * @returns how many bytes were freed
   */
  freeHeld(): number {
    this.use('freeHeld');
    return this.#pool.freeHeld();
  }

  /** Free all blocks that are not in use, and from now on each block that is returned. */
  stopHolding(): void {
    this.use('stopHolding');
    this.#pool.stopHolding();
  }

  /** Close the pool: the blocks that it holds are freed now, those in use when they are released. */
  override close(): void {
    if (!this.closed) this.#pool.stopHolding();
    super.close();
  }

  static {
    poolOf = (pool) => pool.#pool;
  }
}

/**
 * Take a block of a pool for work on a stream.
 *
 * @param beforeReturn - is called when the block goes back: other streams that still use it are to be waited for then
 */
export function lend<T>(
  pool: ClientPool<T>,
  byteLength: number,
  stream: Stream | null,
  title: string,
  what: string,
  beforeReturn?: (farewell: Farewell) => void,
): Lent<T> {
  const farewell = farewellOn(stream, what);
  try {
    const owner = handleOf(pool, 'allocate');
    return { handle: lent(poolOf(pool), owner, byteLength, farewell, title, beforeReturn), farewell };
  } catch (error) {
    farewell.kept?.release();
    throw error;
  }
}

/** In a function of its own: the record must not keep what wraps it from the collector. */
function lent<T>(
  pool: BlockPool<T>,
  owner: AnyHandle,
  byteLength: number,
  farewell: Farewell,
  title: string,
  beforeReturn: ((farewell: Farewell) => void) | undefined,
): Handle<T> {
  const block = pool.take(byteLength, farewell);
  const returnToPool = (): void => {
    try {
      beforeReturn?.(farewell);
      pool.give(block, farewell);
    } finally {
      farewell.kept?.release();
    }
  };
  return new Handle(title, block.handle.value, returnToPool, [owner]);
}
