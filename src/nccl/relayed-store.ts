import type { ReportNote, ReportRelay, ReportStore } from './report-store.ts';

/** How long a call blocks before the other ranks are listened to on another thread. */
const RELAY_MS = 500;

/** The keys of one communicator in its ranks' store, which a relay reaches while the event loop stands still. */
export class RelayedStore {
  readonly store: ReportStore;
  readonly prefix: string;
  /** Undefined: not started; null: there is none. */
  #relay: ReportRelay | null | undefined;
  #blockedMs: number | undefined;

  constructor(store: ReportStore, prefix: string) {
    this.store = store;
    this.prefix = prefix;
  }

  /** The event loop stands still from now on. */
  block(): void {
    this.#blockedMs ??= performance.now();
  }

  unblock(): void {
    this.#blockedMs = undefined;
  }

  /** Whether the event loop stands still for so long that the relay is asked, and there is one. */
  get isRelayed(): boolean {
    return this.#blockedMs !== undefined && performance.now() - this.#blockedMs >= RELAY_MS && this.startRelay();
  }

  /** False where there is no relay. */
  startRelay(): boolean {
    if (this.#relay === undefined) this.#relay = this.store.relay?.(this.prefix) ?? null;
    return this.#relay !== null;
  }

  /** What the relay has heard next; undefined: nothing more by now. */
  take(): ReportNote | undefined {
    return this.#relay?.take();
  }

  /** Set a value. A store that is gone has no one to read it. */
  set(key: string, value: string): void {
    if (this.#blockedMs !== undefined && this.#relay) this.#relay.set(this.prefix + key, value);
    else this.store.set(this.prefix + key, value).catch(ignore);
  }

  deleteKey(key: string): void {
    this.store.deleteKey(this.prefix + key).catch(ignore);
  }

  close(): void {
    this.#relay?.close();
  }
}

function ignore(): void {
  // What the store could not be told is not told.
}
