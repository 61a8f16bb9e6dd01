import { listOf, type Event, type EventOwner } from './event.ts';
import { waitIgnoringFailure } from './hold-for-event.ts';

const NONE: readonly Event[] = [];
const SWEEP_AT = 32;

/** A record of the commands that use one piece of memory. */
export interface UseRecord {
  /** Commands of earlier owners of the memory that a queue's next command comes after: those that it does not order itself. */
  earlierThan(list: EventOwner): readonly Event[];
  /** Commands of the present owner that one of this queue has to wait for; an array has them. */
  before?(list: EventOwner): readonly Event[];
  /** Record a command that was given the memory. */
  add(event: Event): void;
}

/** Whether a queue starts its next commands after this one by itself. */
export function isOrderedOn(list: EventOwner, event: Event): boolean {
  return list.inOrder && listOf(event) === list;
}

/** Add a command to a list in which an in-order queue has one, the last, which ends last. */
export function noteLast(events: Event[], event: Event): void {
  const list = listOf(event);
  if (list?.inOrder === true) {
    for (let i = 0; i < events.length; i++) {
      if (listOf(events[i] as Event) !== list) continue;
      events[i] = event;
      return;
    }
  }
  events.push(event);
}

/** The commands that may still use a piece of memory. */
export class Uses implements UseRecord {
  #events: Event[] = [];
  #limit = SWEEP_AT;
  #earlier: Event[] = [];

  add(event: Event): void {
    noteLast(this.#events, event);
    if (this.#events.length >= this.#limit) this.#limit = Math.max(SWEEP_AT, 2 * this.events.length);
  }

  /** Whether a command that was given the memory has not ended. */
  get pending(): boolean {
    return this.events.length > 0 || this.earlier.length > 0;
  }

  /** The commands that have not ended. */
  get events(): readonly Event[] {
    return (this.#events = unfinished(this.#events));
  }

  /** Commands of earlier owners of the memory that have not ended. */
  get earlier(): readonly Event[] {
    if (this.#earlier.length > 0) this.#earlier = unfinished(this.#earlier);
    return this.#earlier;
  }

  earlierThan(list: EventOwner): readonly Event[] {
    if (areOrderedOn(list, this.#earlier)) return NONE;
    return this.earlier.filter((event) => !isOrderedOn(list, event));
  }

  /** Whether a queue orders its next commands after all of these by itself. The driver is not asked. */
  areOrderedOn(list: EventOwner): boolean {
    return areOrderedOn(list, this.#earlier) && areOrderedOn(list, this.#events);
  }

  /** The memory gets a new owner. */
  handOver(): void {
    for (const event of this.#events) noteLast(this.#earlier, event);
    this.#events = [];
    if (this.#earlier.length >= SWEEP_AT) this.#earlier = unfinished(this.#earlier);
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

function areOrderedOn(list: EventOwner, events: readonly Event[]): boolean {
  for (let i = 0; i < events.length; i++) if (!isOrderedOn(list, events[i] as Event)) return false;
  return true;
}
