import type { ClContext } from './context.ts';
import type { ClEvent } from './event.ts';
import { ClObject } from './object.ts';

/** A binary semaphore. */
export class ClSemaphore extends ClObject {
  readonly context: ClContext;
  /** As they were given, with the 0 at the end. */
  readonly properties: readonly bigint[];
  /** The command that signals it, or has, and that nobody has waited for. */
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
