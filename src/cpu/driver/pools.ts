/** A pool that keeps no memory: freed memory returns to the device at once. */
export class CpuPool {
  readonly handle: number;
  readonly maxBytes: number;
  /** Stored for queries only. */
  threshold = 0n;
  readonly reuse: Map<number, number> = new Map();
  used = 0;
  usedHigh = 0;
  reservedHigh = 0;
  /** Whether allocations from the pool are refused. */
  destroyed = false;

  constructor(handle: number, maxBytes: number) {
    this.handle = handle;
    this.maxBytes = maxBytes;
  }
}

/** The pools of the device, and the allocations of each. */
export class CpuPools {
  readonly #newHandle: () => number;
  readonly #pools = new Map<number, CpuPool>();
  readonly #allocations = new Map<number, readonly [pool: CpuPool, byteLength: number]>();
  #default: CpuPool | undefined;
  #current: CpuPool | undefined;

  constructor(newHandle: () => number) {
    this.#newHandle = newHandle;
  }

  /** The device's default pool. */
  get default(): CpuPool {
    return (this.#default ??= this.create(0));
  }

  get current(): CpuPool {
    return this.#current ?? this.default;
  }

  set current(pool: CpuPool) {
    this.#current = pool;
  }

  /** @param maxBytes - the most that may be allocated; 0 for no limit */
  create(maxBytes: number): CpuPool {
    const pool = new CpuPool(this.#newHandle(), maxBytes);
    this.#pools.set(pool.handle, pool);
    return pool;
  }

  find(handle: bigint): CpuPool | undefined {
    return this.#pools.get(Number(handle));
  }

  /** Forget a pool; false for the default pool. */
  destroy(pool: CpuPool): boolean {
    if (pool === this.#default) return false;
    if (pool === this.#current) this.#current = undefined;
    this.#pools.delete(pool.handle);
    pool.destroyed = true;
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
  }
}
