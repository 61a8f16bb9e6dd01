import { Handle } from '../../core/handle.ts';
import { checkMade } from '../../core/maker.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import { isChecked, type Context } from '../device/context.ts';
import { largestAllocation } from '../device/device-limits.ts';
import type { EventOwner } from '../queue/event.ts';
import { BlockPool, type Block, type BlockMaker } from './block-pool.ts';

/** A pool of memory: it keeps returned blocks for later allocations of about that size. */
export abstract class ClientPool<T extends { release(): void }> extends Resource<BlockPool<T>> {
  readonly context: Context;

  /** @internal */
  constructor(title: string, context: Context, maker: Omit<BlockMaker<T>, 'limit' | 'isExact'>) {
    checkMade(typeof title === 'string', 'ClientPool', 'write new MemoryPool(allocator) or new SVMPool(allocator)');
    const limit = largestAllocation(context.devices);
    const isExact = (): boolean => isChecked(context);
    const destroy = (pool: BlockPool<T>): void => {
      pool.stopHolding();
    };
    super(new Handle(title, new BlockPool<T>({ ...maker, limit, isExact }), destroy, [handleOf(context, title)]));
    this.context = context;
  }

  /**
   * Throws: the blocks belong to the pool.
   * @internal
   */
  override use(method: string): never {
    handleOf(this, method);
    throw new TypeError('A pool has no raw value');
  }

  /** Blocks that wait for the next allocation. */
  get heldBlocks(): number {
    return handleOf(this, 'heldBlocks').value.statistics.heldBlocks;
  }

  /** Blocks that are in use. */
  get activeBlocks(): number {
    return handleOf(this, 'activeBlocks').value.statistics.activeBlocks;
  }

  /** Bytes of all blocks, those that are held and those that are in use. */
  get managedBytes(): number {
    const { heldBytes, activeBytes } = handleOf(this, 'managedBytes').value.statistics;
    return heldBytes + activeBytes;
  }

  /** Bytes in use, as they were asked for. */
  get activeBytes(): number {
    return handleOf(this, 'activeBytes').value.askedBytes;
  }

  /**
   * Free all blocks that are not in use. Commands in flight go on.
   *
   * Host: does not block.
   *
   * @returns how many bytes were freed
   */
  freeHeld(): number {
    return handleOf(this, 'freeHeld').value.freeHeld();
  }

  /** Free all blocks that are not in use, and from now on each block that is returned. */
  stopHolding(): void {
    handleOf(this, 'stopHolding').value.stopHolding();
  }

  /** Close the pool: its held blocks are freed now, those in use when they are returned. */
  override close(): void {
    if (!this.closed) handleOf(this, 'close').value.stopHolding();
    super.close();
  }
}

/**
 * Take a block; the handle's release returns it. Not a method: the record must not keep its wrapper from the collector.
 *
 * @param valueOf - the raw value of the block for its user
 * @param list - the queue of the first command, where that is known
 * @param beforeReturn - is called when the block goes back, to record commands that still use it
 */
export function lend<T extends { release(): void }, V>(
  pool: Handle<BlockPool<T>>,
  byteLength: number,
  title: string,
  valueOf: (block: Block<T>) => V,
  list?: EventOwner,
  beforeReturn?: () => void,
): { readonly block: Block<T>; readonly handle: Handle<V> } {
  const block = pool.value.take(byteLength, list);
  const returnToPool = (): void => {
    beforeReturn?.();
    pool.value.give(block, byteLength);
  };
  return { block, handle: new Handle(title, valueOf(block), returnToPool, [pool]) };
}
