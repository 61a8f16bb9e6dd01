import { GRANULE_SHIFT, GRANULES } from '../abi/peers.ts';
import { contextAccessWord } from '../runtime/control.ts';
import type { PeerAccess } from '../runtime/finding.ts';
import type { Engine } from '../runtime/engine.ts';
import { Granules, type Space } from '../runtime/granules.ts';
import type { DeviceMemory } from '../runtime/memory.ts';
import type { CpuPool } from './pools.ts';
import type { CpuContext } from './objects.ts';

const GRANULE = 2 ** GRANULE_SHIFT;
/** Bytes that several devices leave to the runtime, and to memory that all of them reach. */
const COMMON_BYTES = 64 << 20;

/** One of the devices that a process counts. All of them are the same processor and have parts of one memory. */
export interface CpuDevice {
  readonly ordinal: number;
  primary: CpuContext | undefined;
  primaryUses: number;
  primaryFlags: number;
}

/** A context with the part of the memory that is its own, as far as access to memory is concerned. */
type Reacher = Pick<CpuContext, 'device' | 'peers' | 'index'>;

/** The devices, and which memory the contexts of each may reach. */
export class CpuDevices {
  readonly list: readonly CpuDevice[];
  /** Undefined for a single device, which reaches all memory. */
  readonly granules: Granules | undefined;
  /** The contexts and pools that have spaces. */
  readonly #owners = new Map<Space, CpuContext | CpuPool>();
  /** The tables by which kernels of a context know what they may not reach. */
  readonly #tables = new Map<Reacher, number>();
  readonly #memory: () => DeviceMemory;

  constructor(count: number, memory: () => DeviceMemory) {
    this.list = Array.from({ length: count }, (_, ordinal) => {
      return { ordinal, primary: undefined, primaryUses: 0, primaryFlags: 0 };
    });
    this.#memory = memory;
    if (count > 1) this.granules = new Granules((granule, space) => this.#give(granule, space));
  }

  /** The device's memory in bytes. */
  get total(): number {
    const { total } = this.#memory();
    const count = this.list.length;
    return count === 1 ? total : Math.floor((total - COMMON_BYTES) / count / GRANULE) * GRANULE;
  }

  /** The bytes that a device has left. */
  freeOf(device: number): number {
    if (!this.granules) return this.#memory().free;
    let used = 0;
    for (const [space, owner] of this.#owners) if (owner.device === device) used += space.used;
    return Math.max(0, this.total - used);
  }

  hasRoom(device: number, byteLength: number): boolean {
    return !this.granules || byteLength <= this.freeOf(device);
  }

  /** Note a context or a pool. */
  add(owner: CpuContext | CpuPool): void {
    if (this.granules) for (const space of spacesOf(owner)) this.#owners.set(space, owner);
  }

  remove(owner: CpuContext | CpuPool): void {
    for (const space of spacesOf(owner)) this.#owners.delete(space);
  }

  /** Make the table of a new context; false where there is no memory for it. */
  open(context: CpuContext, engine: Engine): boolean {
    if (!this.granules) return true;
    const table = this.#memory().allocate(GRANULES);
    if (table === undefined) return false;
    this.add(context);
    this.#tables.set(context, table);
    this.refresh(context);
    Atomics.store(engine.control, contextAccessWord(context.index), table);
    return true;
  }

  close(context: CpuContext, engine: Engine): void {
    this.remove(context);
    const table = this.#tables.get(context);
    if (table === undefined) return;
    this.#tables.delete(context);
    Atomics.store(engine.control, contextAccessWord(context.index), 0);
    this.#memory().release(table);
  }

  /** Write a context's table, after what it may reach has changed. */
  refresh(context: Reacher): void {
    for (const [granule, space] of this.granules?.spaces.entries() ?? []) this.#write(context, granule, space);
  }

  /** The same for all contexts. */
  refreshAll(): void {
    for (const context of this.#tables.keys()) this.refresh(context);
  }

  #give(granule: number, space: Space): void {
    for (const context of this.#tables.keys()) this.#write(context, granule, space);
  }

  #write(context: Reacher, granule: number, space: Space | undefined): void {
    const table = this.#tables.get(context);
    if (table !== undefined) this.#memory().bytes[table + granule] = this.#mayReach(context, space) ? 0 : 1;
  }

  /** Whether kernels of a context may reach a space: its device's, that of a peer, a pool with access. */
  #mayReach({ device, peers }: Reacher, space: Space | undefined): boolean {
    const owner = space && this.#owners.get(space);
    if (!owner || owner.device === device) return true;
    return 'access' in owner ? owner.access.has(device) : peers.has(owner) && space !== owner.moduleSpace;
  }

  /** Whether kernels of a context, and fills on its streams, may reach an address. */
  reaches(context: Reacher, address: number): boolean {
    return this.#mayReach(context, this.granules?.at(address));
  }

  /**
   * Whether a context's copies may have an address at one end. A GPU copies from and to every context's memory, but memory
   * of another device's pool needs access (seen on two H200 with CUDA 13.0).
   */
  copies(context: Reacher, address: number): boolean {
    const owner = this.ownerAt(address);
    return !owner || !('access' in owner) || this.reaches(context, address);
  }

  /** Which device has the memory at an address, and by what. */
  placeOf(address: number): Omit<PeerAccess, 'of'> | undefined {
    const owner = this.ownerAt(address);
    if (!owner) return undefined;
    const { device: memory } = owner;
    if ('access' in owner) return { memory, owner: 'pool' };
    return { memory, owner: this.granules?.at(address) === owner.moduleSpace ? 'module' : 'context' };
  }

  /** The context or pool that has the memory at an address. */
  ownerAt(address: number): CpuContext | CpuPool | undefined {
    const space = this.granules?.at(address);
    return space && this.#owners.get(space);
  }
}

function spacesOf(owner: CpuContext | CpuPool): readonly Space[] {
  return 'access' in owner ? [owner.space] : [owner.space, owner.moduleSpace];
}
