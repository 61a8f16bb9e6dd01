import { listOf, type Event } from './event.ts';
import { waitIgnoringFailure } from './hold-for-event.ts';

const SWEEP_AT = 32;

/** A record of the commands that use one piece of memory. */
export interface UseRecord {
  /** Commands of earlier owners of the memory that have not ended: commands of the present owner come after them. */
  readonly earlier: readonly Event[];
  /** Record a command that was given the memory. */
  add(event: Event): void;
}

/** The commands that may still use a piece of memory. */
export class Uses implements UseRecord {
  #events: Event[] = [];
  #limit = SWEEP_AT;
  #earlier: Event[] = [];

  add(event: Event): void {
    const list = listOf(event);
    // On an in-order queue the last command ends last.
    const at = list?.inOrder === true ? this.#events.findIndex((other) => listOf(other) === list) : -1;
    if (at >= 0) this.#events[at] = event;
    else if (this.#events.push(event) >= this.#limit) this.#limit = Math.max(SWEEP_AT, 2 * this.events.length);
  }

  /** Whether a command that was given the memory has not ended. */
  get pending(): boolean {
    return this.events.length > 0 || this.earlier.length > 0;
  }

  /** The commands that have not ended. */
  get events(): readonly Event[] {
    return (this.#events = unfinished(this.#events));
  }

  get earlier(): readonly Event[] {
    if (this.#earlier.length > 0) this.#earlier = unfinished(this.#earlier);
    return this.#earlier;
  }

  /** The memory gets a new owner. */
  handOver(): void {
    this.#earlier = [...this.earlier, ...this.events];
    this.#events = [];
  }

  /** Whether one of the commands waits for a user event, for an unknown time. */
  get blocked(): boolean {
    return [...this.earlier, ...this.events].some(({ blockers = [] }) => blockers.length > 0);
  }

  /** Wait for the commands that do not wait for a user event. */
  waitIgnoringFailure(): void {
    for (const event of [...this.earlier, ...this.events]) {
      if ((event.blockers ?? []).length === 0) waitIgnoringFailure(event);
    }
  }
}

function unfinished(events: readonly Event[]): Event[] {
  return events.filter((event) => !event.settle());
}
