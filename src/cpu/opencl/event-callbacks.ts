import type { Callback } from './context.ts';
import type { ClEvent } from './event.ts';
import type { Listener, Scheduler } from './scheduler.ts';

interface Wanted {
  readonly event: ClEvent;
  /** The status at which the callback is called. */
  readonly type: number;
  readonly callback: Callback;
}

/** Calls a callback of the user's with an event's handle and its status. */
type EventCall = (callback: Callback, event: bigint, status: number) => void;

/** Calls the user's callbacks when events reach their statuses. */
export class EventCallbacks implements Listener {
  readonly #scheduler: Scheduler;
  readonly #call: EventCall;
  #wanted: Wanted[] = [];
  #looking = false;

  constructor(scheduler: Scheduler, call: EventCall) {
    this.#scheduler = scheduler;
    this.#call = call;
  }

  add(event: ClEvent, type: number, callback: Callback): void {
    event.retain();
    this.#wanted.push({ event, type, callback });
    this.#scheduler.watch();
  }

  look(): boolean {
    // A callback may call this function again.
    if (this.#looking) return true;
    this.#looking = true;
    try {
      const due = this.#wanted.filter(({ event, type }) => this.#scheduler.statusOf(event) <= type);
      if (due.length > 0) this.#wanted = this.#wanted.filter((one) => !due.includes(one));
      for (const { event, type, callback } of due) {
        this.#call(callback, event.handle, event.status < 0 ? event.status : type);
        event.release();
      }
    } finally {
      this.#looking = false;
    }
    return this.#wanted.length > 0;
  }
}
