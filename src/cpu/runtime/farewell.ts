import { milliseconds } from './clock.ts';

/** How long a process that ends waits for kernels; checked ones take some times as long. */
const PLAIN_MS = 2000;
const CHECKED_MS = 10_000;
const TICK_MS = 1;

/** The parts of an engine that the wait needs. */
export interface AwaitedEngine {
  /** Has a guard in the checked mode. */
  readonly memory: { readonly guard: unknown };
  readonly queue: { readonly idle: boolean };
  readonly checks: { readonly read: () => void };
  /** Look at the worker threads. */
  readonly check: () => void;
  /** End the kernels that run. */
  readonly abandon: () => void;
}

/** The wait of a process that ends for what it has enqueued: once for all who ask, and not for ever. */
export class Farewell {
  readonly #engine: AwaitedEngine;
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  #deadline: number | undefined;
  #unfinished: number | undefined;

  constructor(engine: AwaitedEngine) {
    this.#engine = engine;
  }

  /** How many milliseconds were waited for what did not end; undefined where all has ended. */
  get unfinished(): number | undefined {
    return this.#unfinished;
  }

  /**
   * Wait until nothing runs any more; what still does then is ended.
   *
   * @param pump - does what only this thread can do
   */
  wait(pump?: () => void): void {
    const engine = this.#engine;
    const limit = engine.memory.guard ? CHECKED_MS : PLAIN_MS;
    this.#deadline ??= milliseconds() + limit;
    while (!engine.queue.idle && milliseconds() < this.#deadline) {
      Atomics.wait(this.#sleeper, 0, 0, TICK_MS);
      engine.check();
      pump?.();
    }
    engine.checks.read();
    if (engine.queue.idle) return;
    this.#unfinished = limit;
    engine.abandon();
  }
}
