import type { Callback } from './context.ts';
import type { ClEvent } from './event.ts';
import type { Listener } from './scheduler.ts';
import type { OpenCLState } from './state.ts';

interface Wanted {
  readonly event: ClEvent;
  /** Call when it has come so far. */
  readonly type: number;
  readonly callback: Callback;
}

/** Calls functions of the user's when events have come as far as they want. */
export class EventCallbacks implements Listener {
  readonly #state: OpenCLState;
  #wanted: Wanted[] = [];
  #looking = false;

  constructor(state: OpenCLState) {
    this.#state = state;
  }

  add(event: ClEvent, type: number, callback: Callback): void {
    event.retain();
    this.#wanted.push({ event, type, callback });
    this.#state.scheduler.watch();
  }

  look(): boolean {
    // What is called may call back.
    if (this.#looking) return true;
    this.#looking = true;
    try {
      const { scheduler } = this.#state;
      const due = this.#wanted.filter(({ event, type }) => scheduler.statusOf(event) <= type);
      if (due.length > 0) this.#wanted = this.#wanted.filter((one) => !due.includes(one));
      for (const { event, type, callback } of due) {
        this.#state.notify('cl_event_notify', callback, event.handle, event.status < 0 ? event.status : type);
        event.release();
      }
    } finally {
      this.#looking = false;
    }
    return this.#wanted.length > 0;
  }
}
