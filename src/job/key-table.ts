/** A value, or why there is none. */
export type Answer = { readonly value: Buffer } | { readonly invalid: string } | { readonly full: string };

interface Wait {
  readonly missing: Set<string>;
  readonly done: () => void;
}

interface Subscription {
  readonly prefix: string;
  readonly notify: (key: string, value: Buffer | undefined) => void;
}

/** The limits of a table. */
export interface TableLimits {
  readonly maxKeys: number;
  /** Of all keys and values together. */
  readonly maxBytes: number;
}

/** The keys and values of a store, with requests that wait for keys. */
export class KeyTable {
  readonly #values = new Map<string, Buffer>();
  readonly #waits = new Map<string, Set<Wait>>();
  readonly #subscriptions = new Set<Subscription>();
  readonly #limits: TableLimits;
  #bytes = 0;

  constructor(limits: TableLimits) {
    this.#limits = limits;
  }

  get(key: string): Buffer | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Set a value; waits end and subscribers hear of it before this returns. */
  set(key: string, value: Buffer): Answer {
    const before = this.#values.get(key);
    const bytes = this.#bytes + value.length + (before === undefined ? key.length : -before.length);
    const { maxKeys, maxBytes } = this.#limits;
    if (before === undefined && this.#values.size >= maxKeys) return { full: `it has ${maxKeys} keys, the limit` };
    if (bytes > maxBytes)
      return { full: `its keys and values would have ${bytes} bytes, and the limit is ${maxBytes}` };
    this.#bytes = bytes;
    this.#values.set(key, value);
    this.#tell(key, value);
    return { value };
  }

  /** Add to a value in decimal digits, 0 where there is none. */
  add(key: string, amount: number): Answer {
    const text = this.#values.get(key)?.toString('latin1') ?? '0';
    if (!/^-?\d{1,16}$/.test(text)) return { invalid: 'its value is not a whole number' };
    const sum = Number(text) + amount;
    if (!Number.isSafeInteger(sum)) return { invalid: 'the sum is beyond 2^53' };
    return this.set(key, Buffer.from(String(sum)));
  }

  /** Set a value where the one before is as expected; empty: where there is none. The answer is the value afterwards. */
  compareSet(key: string, expected: Buffer, desired: Buffer): Answer {
    const before = this.#values.get(key);
    const isExpected = before === undefined ? expected.length === 0 : before.equals(expected);
    return isExpected ? this.set(key, desired) : { value: before ?? Buffer.alloc(0) };
  }

  delete(key: string): boolean {
    const before = this.#values.get(key);
    if (before === undefined) return false;
    this.#bytes -= key.length + before.length;
    this.#values.delete(key);
    this.#tell(key, undefined);
    return true;
  }

  /**
   * Wait until all keys are there: at the same time, or one after the other.
   *
   * @param done - is called once, at once where nothing is missing
   * @returns ends the wait
   */
  wait(keys: readonly string[], done: () => void): () => void {
    const wait = { missing: new Set(keys.filter((key) => !this.#values.has(key))), done };
    if (wait.missing.size === 0) {
      done();
      return () => undefined;
    }
    for (const key of wait.missing) {
      const waits = this.#waits.get(key) ?? new Set();
      this.#waits.set(key, waits.add(wait));
    }
    return () => {
      for (const key of wait.missing) this.#forget(key, wait);
    };
  }

  /**
   * Hear of each change of a key that begins with a prefix, the present values first.
   *
   * @returns ends the subscription
   */
  subscribe(prefix: string, notify: Subscription['notify']): () => void {
    const subscription = { prefix, notify };
    for (const [key, value] of this.#values) if (key.startsWith(prefix)) notify(key, value);
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  #tell(key: string, value: Buffer | undefined): void {
    for (const { prefix, notify } of [...this.#subscriptions]) if (key.startsWith(prefix)) notify(key, value);
    if (value === undefined) return;
    const waits = this.#waits.get(key);
    this.#waits.delete(key);
    for (const wait of waits ?? []) {
      wait.missing.delete(key);
      if (wait.missing.size === 0) wait.done();
    }
  }

  #forget(key: string, wait: Wait): void {
    const waits = this.#waits.get(key);
    waits?.delete(wait);
    if (waits?.size === 0) this.#waits.delete(key);
  }
}
