import { checkInteger, checkOptions, nameOf } from '../core/check.ts';
import { jobTokenVariable } from '../core/environment.ts';
import { ClosedError } from '../core/errors.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { StoreError } from './errors.ts';
import { connectTo } from './handshake.ts';
import { f64, type FieldReader, keyField, keysField, MAX_KEYS, Request, valueFields } from './protocol.ts';
import { keyOf, textOfKey, valueOf } from './key.ts';
import { Link, type Exchange } from './link.ts';
import { Relay, type StorePlace } from './relay.ts';

/** Where a store is, and which of its clients this is. */
export interface StoreOptions {
  /** `'127.0.0.1'` by default. */
  readonly host?: string | undefined;
  readonly port: number;
  /** The job's secret; `RAWKERNEL_JOB_TOKEN` by default. */
  readonly token?: string | undefined;
  /** This process's rank: the store tells other ranks when it leaves. Undefined for a client that is not a rank. */
  readonly rank?: number | undefined;
  /** Time to connect, and the time limit of requests without one of their own; 300,000 by default, as in torch. */
  readonly timeoutMs?: number | undefined;
}

interface StoreFacts {
  readonly place: StorePlace;
  readonly rank: number | undefined;
  readonly timeoutMs: number;
}

/** Limits of a request that waits. */
export interface WaitOptions {
  /** The store's own by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Something that is heard of until it is closed. */
export interface Subscription extends Disposable {
  close(): void;
}

/** Bytes, or text as UTF-8. */
export type StoreValue = Uint8Array | string;

const OPTIONS = ['host', 'port', 'token', 'rank', 'timeoutMs'];
const WAIT_OPTIONS = ['timeoutMs', 'signal'];
const DEFAULT_TIMEOUT_MS = 300_000;
const MAX_MS = 2 ** 31 - 1;

/**
 * A client of a job's store: keys and values that all ranks see, waits for keys, barriers, and word of ranks that leave.
 * The names are those of torch's TCPStore.
 *
 * Requests are sent at once, and in their order. A store keeps the process alive only while a request has no answer.
 */
export class Store implements AsyncDisposable {
  readonly #link: Link;
  readonly #place: StorePlace;
  readonly #rank: number | undefined;
  readonly #timeoutMs: number;
  /** Ends what belongs to this client: the server that {@link meet} has started. */
  readonly #after: () => Promise<void>;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(maker: Maker, link: Link, facts: StoreFacts, after: () => Promise<void>) {
    checkMade(maker === MAKER, 'Store', 'call meet() or Store.connect()');
    const { place, rank, timeoutMs } = facts;
    this.#link = link;
    this.#place = place;
    this.#rank = rank;
    this.#timeoutMs = timeoutMs;
    this.#after = after;
  }

  /**
   * Connect to a store, which may begin to listen later.
   *
   * Host: does not block.
   *
   * @throws {@link StoreError} there is no store in time, or it refuses this client
   */
  static connect(options: StoreOptions): Promise<Store> {
    return Store.connectAnd(options, () => Promise.resolve());
  }

  /**
   * The same, with what is to be done after `close()`.
   * @internal
   */
  static async connectAnd(options: StoreOptions, after: () => Promise<void>): Promise<Store> {
    checkOptions(options, OPTIONS, 'Store.connect');
    const { host = '127.0.0.1', port, token = jobTokenVariable() ?? '', rank, timeoutMs } = options;
    checkInteger(port, 'Store.connect: port', 1, 65535);
    if (rank !== undefined) checkInteger(rank, 'Store.connect: rank', 0, MAX_MS);
    const limitMs = checkInteger(timeoutMs ?? DEFAULT_TIMEOUT_MS, 'Store.connect: timeoutMs', 1, MAX_MS);
    const place = { host, port, token };
    const connected = await connectTo({ ...place, rank: rank ?? -1 }, limitMs);
    return new Store(MAKER, new Link(connected, host, port), { place, rank, timeoutMs: limitMs }, after);
  }

  /** This process's rank; undefined for a client that is not a rank. */
  get rank(): number | undefined {
    return this.#rank;
  }

  /** Whether `close()` was called. */
  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Set a value. Waits for the key end. */
  async set(key: string, value: StoreValue): Promise<void> {
    await this.#ask('set', Request.SET, [
      keyField(keyOf(key, 'Store.set')),
      ...valueFields(valueOf(value, 'Store.set')),
    ]);
  }

  /** The value of a key; where there is none, wait for it. */
  async get(key: string, options: WaitOptions = {}): Promise<Uint8Array> {
    const fields = [keyField(keyOf(key, 'Store.get'))];
    return (await this.#wait('get', `key '${key}'`, Request.GET, fields, options)).value();
  }

  /**
   * Add to a counter, which begins at 0.
   *
   * @returns the sum
   */
  async add(key: string, amount: number): Promise<number> {
    checkInteger(amount, 'Store.add: amount', -Number.MAX_SAFE_INTEGER);
    const reply = await this.#ask('add', Request.ADD, [keyField(keyOf(key, 'Store.add')), f64(amount)]);
    return Number(reply.text());
  }

  /**
   * Set a value if the one before is as expected; an empty expectation: if there is none.
   *
   * @returns the value afterwards; empty where there is none
   */
  async compareSet(key: string, expected: StoreValue, desired: StoreValue): Promise<Uint8Array> {
    const name = 'Store.compareSet';
    const fields = [keyField(keyOf(key, name)), ...valueFields(valueOf(expected, name))];
    const reply = await this.#ask('compareSet', Request.COMPARE_SET, [
      ...fields,
      ...valueFields(valueOf(desired, name)),
    ]);
    return reply.value();
  }

  /** Wait until all keys are there. */
  async wait(keys: readonly string[], options: WaitOptions = {}): Promise<void> {
    const what = keys.length === 1 ? `key '${keys[0] ?? ''}'` : `${keys.length} keys`;
    await this.#wait('wait', what, Request.WAIT, [keysOf(keys, 'Store.wait')], options);
  }

  /** Whether all keys are there. */
  async check(keys: readonly string[]): Promise<boolean> {
    return (await this.#ask('check', Request.CHECK, [keysOf(keys, 'Store.check')])).u32() === 1;
  }

  /**
   * Delete a key.
   *
   * @returns whether it was there
   */
  async deleteKey(key: string): Promise<boolean> {
    return (await this.#ask('deleteKey', Request.DELETE, [keyField(keyOf(key, 'Store.deleteKey'))])).u32() === 1;
  }

  /**
   * Wait until this many clients wait at the barrier of this name. It can be used again at once.
   *
   * @throws {@link StoreError} not all came in time: the message says how many did, and with ranks which ones did not
   */
  async barrier(name: string, count: number, options: WaitOptions = {}): Promise<void> {
    this.#use('barrier');
    checkInteger(count, 'Store.barrier: count', 1, 2 ** 24);
    const base = `barrier/${name}`;
    const arrived = await this.add(base, 1);
    const round = Math.ceil(arrived / count);
    const mine = this.#rank === undefined ? undefined : `${base}/${round}/${this.#rank}`;
    if (mine !== undefined) await this.set(mine, '');
    const open = `${base}/${round}/open`;
    if (arrived === round * count) await this.set(open, '');
    try {
      await this.wait([open], options);
    } catch (error) {
      throw await this.#barrierError(error, name, count, round);
    }
    if (mine !== undefined) await this.deleteKey(mine);
    // All that were in this round have left the one before.
    if (arrived === round * count && round > 1) await this.deleteKey(`${base}/${round - 1}/open`);
  }

  /**
   * Hear of each key that begins with a prefix: of those that are there, then of each change. A value of undefined: the key
   * was deleted. The listener is called in the order of the changes.
   */
  async subscribe(
    prefix: string,
    listener: (key: string, value: Uint8Array | undefined) => void,
  ): Promise<Subscription> {
    const fields = [keyField(keyOf(prefix, 'Store.subscribe', 0))];
    const exchange: Exchange = {
      note: (key, value) => listener(textOfKey(key), value),
    };
    const id = await this.#use('subscribe').subscribe(Request.SUBSCRIBE, fields, exchange, this.#timeoutMs);
    const close = (): void => this.#link.cancel(id);
    return { close, [Symbol.dispose]: close };
  }

  /**
   * Hear of ranks that leave: `closed` after `close()`, `exit code 1` after the end of the program, `connection lost`
   * otherwise, and what the launcher says: `exit code 3`, `signal SIGKILL`. One rank may be told of twice: by the store, and
   * by the launcher, which knows more.
   */
  async onLeave(listener: (rank: number, reason: string) => void): Promise<Subscription> {
    const hear = (key: string, value: Uint8Array | undefined): void => {
      const rank = Number(key.slice(key.indexOf('/') + 1));
      if (value === undefined || !Number.isInteger(rank)) return;
      const text = Buffer.from(value).toString();
      if (key.startsWith('leave/')) listener(rank, text);
      else listener(rank, /^\d+$/.test(text) ? `exit code ${text}` : `signal ${text}`);
    };
    const both = await Promise.all([this.subscribe('leave/', hear), this.subscribe('exit/', hear)]);
    const close = (): void => both.forEach((each) => each.close());
    return { close, [Symbol.dispose]: close };
  }

  /** Hear once that the store's host has ended. Requests that wait fail with the same error. */
  onLost(listener: (error: StoreError) => void): void {
    this.#use('onLost').onLost(listener);
  }

  /**
   * Another client of the same store, which works while the event loop stands still; undefined where no thread may be started.
   * @internal
   */
  relay(prefix: string): Relay | undefined {
    return Relay.start(this.#place, prefix);
  }

  /** Say goodbye, and end the connection. Requests that wait fail. A second call does nothing. */
  close(): Promise<void> {
    this.#closing ??= this.#link.close().then(this.#after);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #use(method: string): Link {
    if (this.closed) throw new ClosedError('Store', method);
    return this.#link;
  }

  #ask(method: string, code: number, fields: readonly Uint8Array[]): Promise<FieldReader> {
    return this.#use(method).ask(code, fields, { what: `Store.${method}`, timeoutMs: this.#timeoutMs });
  }

  #wait(
    method: string,
    what: string,
    code: number,
    fields: readonly Uint8Array[],
    options: WaitOptions,
  ): Promise<FieldReader> {
    checkOptions(options, WAIT_OPTIONS, `Store.${method}`);
    const { timeoutMs = this.#timeoutMs, signal } = options;
    checkInteger(timeoutMs, `Store.${method}: timeoutMs`, 1, MAX_MS);
    return this.#use(method).ask(code, fields, { what: `Store.${method}: ${what}`, timeoutMs, signal });
  }

  async #barrierError(error: unknown, name: string, count: number, round: number): Promise<unknown> {
    const isLate = error instanceof StoreError && error.code === 'ERR_RAWKERNEL_STORE_TIMEOUT';
    if (!isLate || this.closed) return error;
    const base = `barrier/${name}`;
    const arrived = (await this.add(base, 0)) - (round - 1) * count;
    const ranks = this.#rank === undefined ? [] : Array.from({ length: count }, (_, rank) => rank);
    const there = await Promise.all(ranks.map((rank) => this.check([`${base}/${round}/${rank}`])));
    const missing = ranks.filter((rank) => there[rank] !== true);
    const whose =
      missing.length > 0 && missing.length === count - arrived ? `; rank ${missing.join(', ')} did not` : '';
    const text = `Store.barrier: '${name}': ${arrived} of ${count} came in time${whose}`;
    return new StoreError('ERR_RAWKERNEL_STORE_TIMEOUT', text, { cause: error });
  }
}

function keysOf(keys: readonly string[], name: string): Uint8Array {
  if (!Array.isArray(keys)) throw new TypeError(`${name}: keys must be an array of strings, got ${nameOf(keys)}`);
  checkInteger(keys.length, `${name}: the number of keys`, 1, MAX_KEYS);
  return keysField(keys.map((key) => keyOf(key, name)));
}
