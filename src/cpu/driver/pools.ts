import type { Space } from '../runtime/granules.ts';

/** A pool that keeps no memory: freed memory returns to the device at once. */
export class CpuPool {
  readonly handle: number;
  readonly maxBytes: number;
  /** The ordinal of the device that has the memory. */
  readonly device: number;
  readonly space: Space = { used: 0 };
  /** The other devices whose kernels and copies may reach the memory. */
  readonly access: Set<number> = new Set();
  /** Stored for queries only. */
  threshold = 0n;
  readonly reuse: Map<number, number> = new Map();
  used = 0;
  usedHigh = 0;
  reservedHigh = 0;
  /** Whether allocations from the pool are refused. */
  destroyed = false;

  constructor(handle: number, device: number, maxBytes: number) {
    this.handle = handle;
    this.device = device;
    this.maxBytes = maxBytes;
  }
}

/** What knows the pools whose memory not all devices may reach. */
interface KnownPools {
  add(pool: CpuPool): void;
  remove(pool: CpuPool): void;
}

/** The pools of the devices, and the allocations of each. */
export class CpuPools {
  readonly #newHandle: () => number;
  readonly #pools = new Map<number, CpuPool>();
  readonly #allocations = new Map<number, readonly [pool: CpuPool, byteLength: number]>();
  readonly #devices: KnownPools;
  /** The default pool and the current one of each device. */
  readonly #defaults = new Map<number, CpuPool>();
  readonly #currents = new Map<number, CpuPool>();

  constructor(newHandle: () => number, devices: KnownPools) {
    this.#newHandle = newHandle;
    this.#devices = devices;
  }

  /** A device's default pool. */
  defaultOf(device: number): CpuPool {
    const known = this.#defaults.get(device) ?? this.create(device, 0);
    this.#defaults.set(device, known);
    return known;
  }

  currentOf(device: number): CpuPool {
    return this.#currents.get(device) ?? this.defaultOf(device);
  }

  /** Make a pool the current one of a device. */
  choose(device: number, pool: CpuPool): void {
    this.#currents.set(device, pool);
  }

  /**
   * @param device - the ordinal of the device that has the memory; -1 for memory that all devices reach
   * @param maxBytes - the most that may be allocated; 0 for no limit
   */
  create(device: number, maxBytes: number): CpuPool {
    const pool = new CpuPool(this.#newHandle(), device, maxBytes);
    this.#pools.set(pool.handle, pool);
    if (device >= 0) this.#devices.add(pool);
    return pool;
  }

  find(handle: bigint): CpuPool | undefined {
    return this.#pools.get(Number(handle));
  }

  /** Forget a pool; false for the default pool. */
  destroy(pool: CpuPool): boolean {
    if (pool === this.#defaults.get(pool.device)) return false;
    for (const [device, current] of this.#currents) if (pool === current) this.#currents.delete(device);
    this.#pools.delete(pool.handle);
    pool.destroyed = true;
    this.#drop(pool);
    return true;
  }

  /** The pool of an allocation, by its start address. */
  of(address: number): CpuPool | undefined {
    return this.#allocations.get(address)?.[0];
  }

  note(pool: CpuPool, address: number, byteLength: number): void {
    this.#allocations.set(address, [pool, byteLength]);
    pool.used += byteLength;
    pool.usedHigh = Math.max(pool.usedHigh, pool.used);
    pool.reservedHigh = Math.max(pool.reservedHigh, pool.used);
  }

  /** Note that an allocation was freed, if it belongs to a pool. */
  forget(address: number): void {
    const found = this.#allocations.get(address);
    if (!found) return;
    this.#allocations.delete(address);
    found[0].used -= found[1];
    this.#drop(found[0]);
  }

  /** A destroyed pool has its memory until all of it is freed. */
  #drop(pool: CpuPool): void {
    if (pool.destroyed && pool.used === 0) this.#devices.remove(pool);
  }
}
