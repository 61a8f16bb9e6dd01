import { totalmem } from 'node:os';
import { addressSpaceAdvice, hasAddressSpace } from '../../core/address-space.ts';
import { hostTrace, type HostTrace } from '../../core/host-place.ts';
import { addressOf, adviseHugePages } from '../../ffi/memory.ts';
import { wasm, type WasmMemory } from '../abi/webassembly.ts';
import { Allocator, GAP, type Allocation, type Place } from './allocator.ts';
import type { Granules, Space } from './granules.ts';
import { THREAD_BYTES } from './thread-room.ts';
import { GUARD, MemoryGuard, type Use } from './guard.ts';

/** The unit that memory grows by: whole pages of every system. */
export const PAGE = 65_536;
const MAX_PAGES = 65_536;
const INITIAL_PAGES = 64;
const GROWTH_PAGES = 256;
/** The first address in use: accesses through null pointers hit no allocation. */
const FIRST_ADDRESS = PAGE;

/** The most bytes of freed memory that the checked mode keeps from being allocated again. */
const QUARANTINE = 64 << 20;
/** Bytes behind an allocation in the checked mode. */
const MIN_GUARDED_GAP = 4096;
const MAX_GUARDED_GAP = 1 << 20;

/** The address space that the engine reserves for a memory of any size, so that no access needs a comparison. */
const RESERVED_BYTES = 10 * 2 ** 30;
/** A worker and the compiler's thread. */
const THREADS = 2;

/** The process lacks address space for the device's memory. */
class NoRoomError extends RangeError {
  constructor(options?: ErrorOptions) {
    super(addressSpaceAdvice() ?? 'There is no room for the memory of the embedded CPU device', options);
  }
}

/** Run a function that may create the device's memory; undefined where there is no room for it. */
export function ifRoom<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoRoomError) return undefined;
    throw error;
  }
}

interface AllocationOrigin {
  readonly allocated?: HostTrace | undefined;
  readonly freed?: HostTrace;
}

/** An allocation beside an address. */
export interface NearAllocation {
  readonly allocation: Allocation;
  readonly freed: boolean;
  /** Where the program did that, if it is known. */
  readonly allocatedAt: HostTrace | undefined;
  readonly freedAt: HostTrace | undefined;
}

/** The user of an allocation. */
export type Owner = object;

/**
 * The device's memory: one shared WebAssembly memory, in which kernels run. A device pointer is an offset in it. It
 * grows on demand; pages that were never touched take no physical memory.
 */
export class DeviceMemory {
  readonly memory: WasmMemory;
  readonly #allocator: Allocator;
  readonly #owners = new Map<number, Owner>();
  readonly #native: bigint;
  /** Allocations that are not global memory, by their start. */
  readonly #uses = new Map<number, Use>();
  /** Freed allocations, by their start, the oldest first. */
  readonly #quarantine = new Map<number, Allocation>();
  #quarantined = 0;
  #guard: MemoryGuard | undefined;
  /** The places in the program that allocated and freed the memory at an address, while the checked mode is on. */
  readonly #origins = new Map<number, AllocationOrigin>();
  /** What lies before an allocation in its first page, by its start. */
  readonly #fronts = new Map<number, number>();
  #pages: number;
  #bytes: Uint8Array<SharedArrayBuffer>;
  #view: DataView<SharedArrayBuffer>;

  /** The spaces of its granules, where not all contexts may reach all of it. */
  readonly granules: Granules | undefined;

  /**
   * @param byteLength - its size; by default half the machine's memory, and as much as 32 bits can address at most
   * @param granules - where not all contexts may reach all of it
   */
  constructor(byteLength: number = Math.floor(totalmem() / 2), granules?: Granules) {
    this.granules = granules;
    // One page less than 4 GiB, so that every size and every end fits 32 bits.
    const pages = Math.max(INITIAL_PAGES + 1, Math.min(MAX_PAGES - 1, Math.floor(byteLength / PAGE)));
    // The checked mode may be turned on later, and needs room for its tables. Address space takes no physical memory.
    this.memory = reserve(Math.max(pages, GUARD.END / PAGE));
    this.#pages = INITIAL_PAGES;
    this.#bytes = bytesOf(this.memory);
    this.#view = new DataView(this.#bytes.buffer);
    this.#native = addressOf(this.#bytes);
    // Small programs fit into what is there from the start, which stays in small pages.
    const initial = INITIAL_PAGES * PAGE;
    adviseHugePages(this.#native + BigInt(initial), pages * PAGE - initial);
    this.#allocator = new Allocator(FIRST_ADDRESS, pages * PAGE);
  }

  get total(): number {
    return this.#allocator.total;
  }

  get free(): number {
    return this.#allocator.free + this.#quarantined;
  }

  /** The tables of the checked mode, once it is on. */
  get guard(): MemoryGuard | undefined {
    return this.#guard;
  }

  /** A view of all present bytes. Growth makes a longer view; a shorter one stays valid for its range. */
  get bytes(): Uint8Array<SharedArrayBuffer> {
    return this.#bytes;
  }

  /** The same in words of 32 bits. */
  get words(): Uint32Array<SharedArrayBuffer> {
    const { buffer } = this.#bytes;
    return new Uint32Array(buffer, 0, buffer.byteLength >>> 2);
  }

  get view(): DataView<SharedArrayBuffer> {
    return this.#view;
  }

  /**
   * Allocate memory at a multiple of 256; undefined where there is not enough.
   *
   * @param owner - the owner; the runtime's own memory has none, and {@link DeviceMemory.find} does not find it
   * @param use - the threads that may use it in a kernel. Default: global for memory with an owner, else private
   * @param space - the part of the memory that it is in. Default: that which all contexts reach
   */
  allocate(
    byteLength: number,
    owner?: Owner,
    use: Use = owner ? 'global' : 'private',
    space?: Space,
  ): number | undefined {
    let address = this.#place(byteLength, space, this.#guard && owner ? guardedGap(byteLength) : GAP);
    address ??= this.#place(byteLength, space, GAP);
    if (address === undefined && this.#quarantine.size > 0) {
      this.#dismiss(0);
      address = this.#place(byteLength, space, GAP);
    }
    return address === undefined ? undefined : this.#took(address, byteLength, owner, use, space);
  }

  /**
   * Allocate memory on pages of its own, in whose place others can be mapped.
   *
   * @param offset - where it begins in the first page; a multiple of 256
   */
  allocatePages(byteLength: number, offset: number, owner?: Owner, space?: Space): number | undefined {
    const room = Math.ceil((offset + byteLength + GAP) / PAGE) * PAGE;
    const { granules } = this;
    const inGranules: Place = (start, end, size) =>
      granules ? granules.place(space ?? granules.common, start, end, size) : start;
    const start = this.#allocator.allocate(
      room - GAP,
      (from, end, size) => {
        const at = Math.ceil(from / PAGE) * PAGE;
        return at + size <= end ? inGranules(at, end, size) : undefined;
      },
      GAP,
    );
    if (start === undefined) return undefined;
    this.#allocator.release(start);
    const there: Place = (from, end, size) => (from <= start && start + size <= end ? start : undefined);
    const behind: Place = (from, end, size) =>
      from <= start + offset && start + offset + size <= end ? start + offset : undefined;
    if (offset > 0) this.#allocator.allocate(offset, there, 0);
    const gap = room - offset - Math.ceil(byteLength / GAP) * GAP;
    const address = this.#allocator.allocate(byteLength, behind, gap) as number;
    if (offset > 0) this.#fronts.set(address, start);
    return this.#took(address, byteLength, owner, owner ? 'global' : 'private', space);
  }

  /** Note an allocation; undefined where the memory cannot grow so far. */
  #took(address: number, byteLength: number, owner: Owner | undefined, use: Use, space?: Space): number | undefined {
    if (!this.#reach(address + byteLength)) {
      this.#giveUp(address);
      return undefined;
    }
    const { granules } = this;
    granules?.take(space ?? granules.common, address, this.#allocator.endOf(address));
    if (owner) this.#owners.set(address, owner);
    if (use !== 'global') this.#uses.set(address, use);
    if (this.#guard && owner) this.#origins.set(address, { allocated: hostTrace() });
    this.#guard?.give(address, byteLength, use, this.#allocator.endOf(address));
    return address;
  }

  #place(byteLength: number, space: Space | undefined, gap: number): number | undefined {
    const { granules } = this;
    if (!granules) return this.#allocator.allocate(byteLength, undefined, gap);
    const of = space ?? granules.common;
    return this.#allocator.allocate(byteLength, (start, end, size) => granules.place(of, start, end, size), gap);
  }

  /** Make addresses free. */
  #free(address: number): boolean {
    this.granules?.release(address);
    return this.#giveUp(address);
  }

  #giveUp(address: number): boolean {
    const front = this.#fronts.get(address);
    if (front !== undefined) this.#allocator.release(front);
    this.#fronts.delete(address);
    return this.#allocator.release(address);
  }

  /** Free memory; false for an address that is not the start of a live allocation. */
  release(address: number): boolean {
    const mine = this.#owners.delete(address);
    this.#uses.delete(address);
    if (!this.#quarantine.has(address)) this.granules?.leave(address);
    if (!this.#guard) return this.#free(address);
    const found = this.#allocator.below(address);
    if (found?.address !== address || this.#quarantine.has(address)) return false;
    this.#guard.take(address, found.byteLength);
    if (!mine) return this.#free(address);
    this.#quarantine.set(address, found);
    this.#origins.set(address, { ...this.#origins.get(address), freed: hostTrace() });
    this.#quarantined += this.#allocator.endOf(address) - address;
    this.#dismiss(QUARANTINE);
    return true;
  }

  /**
   * Keep the tables of the checked mode from now on. All present memory counts as written.
   *
   * @param records - also record writes and their threads
   * @returns false where memory at the place of the tables is allocated, or the memory cannot grow so far
   */
  turnOnGuard(records: boolean): boolean {
    const known = this.#guard;
    if (!known) {
      if (!this.#allocator.limit(GUARD.LIMIT) || !this.#reach(GUARD.END)) return false;
      this.#guard = new MemoryGuard(this.#bytes.buffer, records);
      for (const { address, byteLength } of this.#allocator.live) {
        const use = this.#uses.get(address) ?? 'global';
        this.#guard.give(address, byteLength, use, this.#allocator.endOf(address));
      }
    } else if (!records || known.records) return true;
    const guard = this.#guard as MemoryGuard;
    guard.records = records;
    this.trust();
    return true;
  }

  /** Count all global memory as written, by no kernel. */
  trust(): void {
    for (const { address, byteLength } of this.#allocator.live) {
      if (!this.#uses.has(address)) this.#guard?.write(address, byteLength);
    }
  }

  /** Clear the records of accesses by kernels. */
  forgetKernels(): void {
    for (const { address, byteLength } of this.#allocator.live) this.#guard?.forgetKernels(address, byteLength);
  }

  /** The allocation at or below an address, and whether it was freed; for the description of an address in reports. */
  near(address: number): NearAllocation | undefined {
    const allocation = this.#allocator.below(address);
    if (!allocation || this.#uses.has(allocation.address)) return undefined;
    const { allocated, freed } = this.#origins.get(allocation.address) ?? {};
    return { allocation, freed: this.#quarantine.has(allocation.address), allocatedAt: allocated, freedAt: freed };
  }

  /** Release freed allocations, the oldest first, until at most this many bytes are left. */
  #dismiss(most: number): void {
    for (const address of this.#quarantine.keys()) {
      if (this.#quarantined <= most) return;
      this.#quarantine.delete(address);
      this.#quarantined -= this.#allocator.endOf(address) - address;
      this.#origins.delete(address);
      this.#free(address);
    }
  }

  /** The allocation in which all of these bytes lie; undefined for freed memory and for the runtime's own. */
  find(address: number, byteLength: number): Allocation | undefined {
    const found = this.#allocator.find(address, byteLength);
    return found && this.#owners.has(found.address) ? found : undefined;
  }

  /** The owner of an allocation, by its start. */
  ownerOf(address: number): Owner | undefined {
    return this.#owners.get(address);
  }

  /** The address that the host knows a byte by. */
  hostAddress(address: number): bigint {
    return this.#native + BigInt(address);
  }

  /** The device's address of a byte that the host has the address of; undefined where it is elsewhere. */
  deviceAddress(hostAddress: bigint): number | undefined {
    const offset = hostAddress - this.#native;
    return offset >= 0n && offset < BigInt(this.#pages * PAGE) ? Number(offset) : undefined;
  }

  /** Make the memory as long as this. */
  #reach(end: number): boolean {
    const wanted = Math.ceil(end / PAGE);
    if (wanted <= this.#pages) return true;
    const most = Math.floor((this.#allocator.total + FIRST_ADDRESS) / PAGE);
    const generous = Math.min(
      Math.max(most, wanted),
      Math.max(wanted, this.#pages + Math.max(GROWTH_PAGES, this.#pages >> 2)),
    );
    if (!this.#grow(generous) && !this.#grow(wanted)) return false;
    this.#bytes = bytesOf(this.memory);
    this.#view = new DataView(this.#bytes.buffer);
    return true;
  }

  #grow(pages: number): boolean {
    try {
      this.memory.grow(pages - this.#pages);
    } catch {
      return false;
    }
    this.#pages = pages;
    return true;
  }
}

/**
 * Free bytes behind an allocation in the checked mode: an index of up to twice its size must not hit the next allocation. They
 * take address space; their pages are never touched.
 */
function guardedGap(byteLength: number): number {
  return Math.ceil(Math.min(Math.max(byteLength, MIN_GUARDED_GAP), MAX_GUARDED_GAP) / GAP) * GAP;
}

/** Reserve the address space of the whole memory. Where it is limited, the memory is smaller. */
function reserve(pages: number): WasmMemory {
  // The JavaScript engine ends the process when a thread lacks address space, so room for the threads must be left.
  if (!hasAddressSpace(RESERVED_BYTES + THREADS * THREAD_BYTES)) throw new NoRoomError();
  for (let maximum = pages; ; maximum = Math.ceil(maximum / 2)) {
    try {
      return new wasm.Memory({ initial: INITIAL_PAGES, maximum, shared: true });
    } catch (error) {
      if (maximum <= 4 * INITIAL_PAGES) throw new NoRoomError({ cause: error });
    }
  }
}

function bytesOf(memory: WasmMemory): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(memory.buffer);
}
