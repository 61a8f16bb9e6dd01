import { GRANULE_SHIFT, GRANULES } from '../abi/peers.ts';

const GRANULE = 2 ** GRANULE_SHIFT;

/** A part of the memory that not all contexts may reach: that of a context, or of a pool. */
export interface Space {
  /** The bytes that are allocated in it. */
  used: number;
}

/**
 * Which granules of the memory belong to which space, in a process with several devices. A granule belongs to the space
 * whose allocations are in it, and to no space once they are freed. The runtime's own memory, and memory that all devices
 * reach, is in a space of its own.
 */
export class Granules {
  readonly common: Space = { used: 0 };
  readonly #spaces: (Space | undefined)[] = Array.from({ length: GRANULES });
  /** The allocations in each granule. */
  readonly #counts = new Int32Array(GRANULES);
  readonly #placed = new Map<number, readonly [space: Space, end: number]>();
  readonly #changed: (granule: number, space: Space) => void;

  /** @param changed - called when a space gets a granule */
  constructor(changed: (granule: number, space: Space) => void) {
    this.#changed = changed;
  }

  /** The first address of a hole at which so many bytes touch granules of one space alone; undefined where there is none. */
  place(space: Space, start: number, end: number, size: number): number | undefined {
    for (let at = start; at + size <= end;) {
      const other = this.#other(space, at, at + size);
      if (other === undefined) return at;
      at = (other + 1) * GRANULE;
    }
    return undefined;
  }

  /** The last granule of a range that belongs to another space. */
  #other(space: Space, start: number, end: number): number | undefined {
    for (let i = granuleOf(end - 1); i >= granuleOf(start); i--) {
      if (this.#spaces[i] !== undefined && this.#spaces[i] !== space) return i;
    }
    return undefined;
  }

  /** Note an allocation. */
  take(space: Space, start: number, end: number): void {
    space.used += end - start;
    this.#placed.set(start, [space, end]);
    for (let i = granuleOf(start); i <= granuleOf(end - 1); i++) {
      this.#counts[i] = (this.#counts[i] as number) + 1;
      if (this.#spaces[i] === space) continue;
      this.#spaces[i] = space;
      this.#changed(i, space);
    }
  }

  /** Note that an allocation counts as freed, but may not be used again yet. */
  leave(start: number): void {
    const placed = this.#placed.get(start);
    if (placed) placed[0].used -= placed[1] - start;
  }

  /** Note that an allocation's addresses are free, after {@link Granules.leave}. */
  release(start: number): void {
    const placed = this.#placed.get(start);
    if (!placed) return;
    this.#placed.delete(start);
    for (let i = granuleOf(start); i <= granuleOf(placed[1] - 1); i++) {
      this.#counts[i] = (this.#counts[i] as number) - 1;
      if (this.#counts[i] === 0) this.#spaces[i] = undefined;
    }
  }

  /** The space of an address. */
  at(address: number): Space | undefined {
    return this.#spaces[granuleOf(address)];
  }

  /** The spaces of all granules, by their numbers. */
  get spaces(): readonly (Space | undefined)[] {
    return this.#spaces;
  }
}

function granuleOf(address: number): number {
  return Math.floor(address / GRANULE);
}
