import { milliseconds } from './clock.ts';

/** The time limit at the end of a process; checked kernels are several times slower. */
const PLAIN_MS = 2000;
const CHECKED_MS = 10_000;
const TICK_MS = 1;
/** How long collectives may go on: other processes may never join them. */
const SHUT_MS = 200;

/** The parts of an engine that the wait needs. */
export interface AwaitedEngine {
  /** Has a guard in the checked mode. */
  readonly memory: { readonly guard: unknown };
  readonly queue: { readonly idle: boolean; readonly lanes: { readonly isShut: boolean } };
  readonly checks: { readonly read: () => void };
  /** Look at the worker threads. */
  readonly check: () => void;
  /** End the kernels that run. */
  readonly abandon: () => void;
}

/** The wait at the end of a process for its commands: once for all callers, with a time limit. */
export class Farewell {
  readonly #engine: AwaitedEngine;
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  #deadline: number | undefined;
  #unfinished: number | undefined;

  constructor(engine: AwaitedEngine) {
    this.#engine = engine;
  }

  /** The milliseconds of the wait, if a command did not end; undefined where all have ended. */
  get unfinished(): number | undefined {
    return this.#unfinished;
  }

  /**
   * Wait until no command runs. After the time limit, end the commands that still run.
   *
   * @param pump - performs the work that needs this thread
   */
  wait(pump?: () => void): void {
    const engine = this.#engine;
    const limit = engine.memory.guard ? CHECKED_MS : PLAIN_MS;
    this.#deadline ??= milliseconds() + limit;
    let moved = milliseconds();
    while (!engine.queue.idle && milliseconds() < this.#deadline) {
      if (!engine.queue.lanes.isShut) moved = milliseconds();
      else if (milliseconds() - moved > SHUT_MS) break;
      Atomics.wait(this.#sleeper, 0, 0, TICK_MS);
      engine.check();
      pump?.();
    }
    engine.checks.read();
    if (engine.queue.idle) return;
    if (!engine.queue.lanes.isShut) this.#unfinished = limit;
    engine.abandon();
  }
}
