/** Bytes between two allocations at least, so that an access behind one does not hit the next. */
export const GAP = 256;
const ALIGNMENT = 256;

/** An allocated piece of the address space. */
export interface Allocation {
  readonly address: number;
  /** The requested size. */
  readonly byteLength: number;
  /** Where the gap behind it ends. */
  readonly end: number;
}

interface Hole {
  start: number;
  end: number;
}

/** Chooses an address in a hole for so many bytes. */
export type Place = (start: number, end: number, size: number) => number | undefined;

const firstOf: Place = (start) => start;

/**
 * Allocates addresses between two limits, best fit; adjacent holes are merged. It works on addresses only and does not
 * touch memory.
 */
export class Allocator {
  readonly #live = new Map<number, Allocation>();
  /** The starts of all allocations, in order. */
  readonly #starts: number[] = [];
  readonly #holes: Hole[];
  #total: number;
  #free: number;
  #last: Allocation | undefined;

  constructor(start: number, end: number) {
    const from = roundUp(start);
    const to = end - (end % ALIGNMENT);
    this.#holes = [{ start: from, end: to }];
    this.#total = this.#free = to - from;
  }

  /** Bytes between the limits. */
  get total(): number {
    return this.#total;
  }

  /** The sum of all free bytes. */
  get free(): number {
    return this.#free;
  }

  /** The smallest address above all allocations. */
  get top(): number {
    const last = this.#live.get(this.#starts.at(-1) ?? -1);
    return last?.end ?? 0;
  }

  /**
   * Allocate an address range of this size; undefined where no hole is large enough.
   *
   * @param place - the first address in a hole that fits; by default the hole's first one
   * @param gap - bytes that stay free behind it; a multiple of {@link GAP}
   */
  allocate(byteLength: number, place: Place = firstOf, gap: number = GAP): number | undefined {
    const size = roundUp(Math.max(1, byteLength)) + gap;
    let best = -1;
    let bestSize = Infinity;
    let address = 0;
    for (let i = 0; i < this.#holes.length; i++) {
      const { start, end } = this.#holes[i] as Hole;
      if (end - start < size || end - start >= bestSize) continue;
      const at = place(start, end, size);
      if (at === undefined) continue;
      address = at;
      best = i;
      bestSize = end - start;
      if (bestSize === size) break;
    }
    const hole = this.#holes[best];
    if (!hole) return undefined;
    const rest = [
      { start: hole.start, end: address },
      { start: address + size, end: hole.end },
    ].filter(({ start, end }) => end > start);
    if (rest.length === 1 && rest[0]?.end === hole.end) hole.start += size;
    else this.#holes.splice(best, 1, ...rest);
    this.#starts.splice(this.#indexAfter(address), 0, address);
    this.#live.set(address, { address, byteLength, end: address + size });
    this.#free -= size;
    return address;
  }

  /** Free the allocation at an address; false where none begins there. */
  release(address: number): boolean {
    const allocation = this.#live.get(address);
    if (!allocation) return false;
    this.#live.delete(address);
    this.#starts.splice(this.#indexAfter(address) - 1, 1);
    if (this.#last === allocation) this.#last = undefined;
    const { end } = allocation;
    this.#free += end - address;
    const holes = this.#holes;
    let low = 0;
    for (let high = holes.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((holes[middle] as Hole).start < address) low = middle + 1;
      else high = middle;
    }
    const before = holes[low - 1];
    const after = holes[low];
    if (before?.end === address) {
      before.end = end;
      if (after?.start === end) {
        before.end = after.end;
        holes.splice(low, 1);
      }
    } else if (after?.start === end) {
      after.start = address;
    } else {
      holes.splice(low, 0, { start: address, end });
    }
    return true;
  }

  /** The end of the allocation at an address, including the gap behind it; the address itself where none begins. */
  endOf(address: number): number {
    return this.#live.get(address)?.end ?? address;
  }

  /** All allocations, in order. */
  get live(): readonly Allocation[] {
    return this.#starts.map((start) => this.#live.get(start) as Allocation);
  }

  /** The allocation at or below an address, if there is one. */
  below(address: number): Allocation | undefined {
    return this.#live.get(this.#starts[this.#indexAfter(address) - 1] ?? -1);
  }

  /** Stop allocating from an address on; false where memory there is allocated already. */
  limit(end: number): boolean {
    if (this.top > end) return false;
    const last = this.#holes.at(-1);
    if (!last || last.end <= end) return true;
    const lost = last.end - Math.max(last.start, end);
    last.end -= lost;
    if (last.end === last.start) this.#holes.pop();
    this.#total -= lost;
    this.#free -= lost;
    return true;
  }

  /** The allocation that contains a range of bytes; undefined for a range that is not inside of one allocation. */
  find(address: number, byteLength: number): Allocation | undefined {
    const last = this.#last;
    if (last && holds(last, address, byteLength)) return last;
    const found = this.#live.get(this.#starts[this.#indexAfter(address) - 1] ?? -1);
    if (!found || !holds(found, address, byteLength)) return undefined;
    return (this.#last = found);
  }

  /** How many starts are at or below an address. */
  #indexAfter(address: number): number {
    const starts = this.#starts;
    let low = 0;
    for (let high = starts.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function holds(allocation: Allocation, address: number, byteLength: number): boolean {
  const offset = address - allocation.address;
  return offset >= 0 && offset + byteLength <= allocation.byteLength;
}

function roundUp(value: number): number {
  return Math.ceil(value / ALIGNMENT) * ALIGNMENT;
}
