import type { ClContext } from './context.ts';
import type { ClEvent } from './event.ts';
import { ClObject } from './object.ts';

/** A binary semaphore. */
export class ClSemaphore extends ClObject {
  readonly context: ClContext;
  /** The given list, with the 0 at its end. */
  readonly properties: readonly bigint[];
  /** The signal command, enqueued or ended; undefined before a signal and after a wait has consumed it. */
  signal: ClEvent | undefined;
  readonly #gone: (semaphore: ClSemaphore) => void;

  constructor(context: ClContext, properties: readonly bigint[], gone: (semaphore: ClSemaphore) => void) {
    super();
    this.context = context;
    this.properties = properties;
    this.#gone = gone;
    context.retain();
  }

  destroy(): void {
    this.#gone(this);
    this.context.release();
  }
}
