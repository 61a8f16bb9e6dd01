/** What a pool holds and has given out. */
export interface PoolStatistics {
  /** Blocks that wait for the next allocation. */
  readonly heldBlocks: number;
  readonly heldBytes: number;
  /** Blocks that are in use. */
  readonly activeBlocks: number;
  /** Bytes of these blocks, at least as many as were asked for. */
  readonly activeBytes: number;
}

const MIN = 256;
const STEPS = 16;

/**
 * How large a block for so many bytes is: each power of two is cut into 16 steps, so that at most a 16th is wasted and
 * sizes that are nearly the same share their blocks.
 */
export function blockSize(byteLength: number): number {
  if (byteLength <= MIN) return MIN;
  // The logarithm of a size below 2^32, which nearly all are, is a count of bits.
  const power = byteLength < 2 ** 32 ? 31 - Math.clz32(byteLength) : Math.floor(Math.log2(byteLength));
  const step = Math.max(MIN, 2 ** power / STEPS);
  return Math.ceil(byteLength / step) * step;
}

/** The blocks that a pool holds, by their sizes, and the count of those that it has lent. */
export class BlockBins<B extends { readonly byteLength: number }> {
  readonly #bins = new Map<number, B[]>();
  #heldBlocks = 0;
  #heldBytes = 0;
  #activeBlocks = 0;
  #activeBytes = 0;

  get statistics(): PoolStatistics {
    return {
      heldBlocks: this.#heldBlocks,
      heldBytes: this.#heldBytes,
      activeBlocks: this.#activeBlocks,
      activeBytes: this.#activeBytes,
    };
  }

  /** A held block of this size that will do, the latest first: its memory is the likeliest to be in a cache. */
  find(byteLength: number, willDo: (block: B) => boolean): B | undefined {
    const bin = this.#bins.get(byteLength);
    for (let at = (bin?.length ?? 0) - 1; at >= 0; at--) {
      const block = bin?.[at];
      if (block === undefined || !willDo(block)) continue;
      if (at === (bin?.length ?? 0) - 1) bin?.pop();
      else bin?.splice(at, 1);
      this.#heldBlocks--;
      this.#heldBytes -= byteLength;
      return block;
    }
    return undefined;
  }

  hold(block: B): void {
    const { byteLength } = block;
    const bin = this.#bins.get(byteLength);
    if (bin) bin.push(block);
    else this.#bins.set(byteLength, [block]);
    this.#heldBlocks++;
    this.#heldBytes += byteLength;
  }

  /** Release all held blocks. */
  empty(): readonly B[] {
    const blocks = [...this.#bins.values()].flat();
    this.#bins.clear();
    this.#heldBlocks = 0;
    this.#heldBytes = 0;
    return blocks;
  }

  lent({ byteLength }: B): void {
    this.#activeBlocks++;
    this.#activeBytes += byteLength;
  }

  returned({ byteLength }: B): void {
    this.#activeBlocks--;
    this.#activeBytes -= byteLength;
  }
}
