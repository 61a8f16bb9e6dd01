import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { MAKER } from '../../core/maker.ts';
import { cl, withReclaim } from '../call.ts';
import { checkEvents, Event, listOf, type Blocker } from './event.ts';
import type { EventList } from './event-list.ts';
import type { UseRecord } from './uses.ts';

const NONE: readonly Event[] = [];

/**
 * What the enqueue of one command needs besides the command: the memory that it uses, its wait list, and where the driver
 * writes its event. Each queue and each kernel has one and uses it again for every command, so a launch allocates
 * nothing for it. The caller that records memory here clears it afterwards, also where the command is refused.
 */
export class Submission {
  /** The driver writes the command's event here. */
  readonly out: BigUint64Array<ArrayBuffer> = new BigUint64Array(1);
  readonly outAddress: bigint = addressOf(this.out);
  #slots = new BigUint64Array(16);
  // Overwritten and not shortened: an emptied array loses its memory, and the next launch would allocate.
  readonly #uses: (UseRecord | undefined)[] = [];
  #count = 0;
  /** The command's wait list; undefined where the caller gave none and the memory asks for none. */
  #waits: readonly Event[] | undefined;

  /** Record memory that the command uses; undefined where nothing keeps a record of it. */
  use(record: UseRecord | undefined): void {
    if (record === undefined) return;
    for (let i = 0; i < this.#count; i++) if (this.#uses[i] === record) return;
    this.#uses[this.#count++] = record;
  }

  /** The records of the memory, for a command that is recorded and enqueued later. */
  get uses(): readonly UseRecord[] {
    return this.#uses.slice(0, this.#count) as UseRecord[];
  }

  /** Forget the memory. */
  clear(): void {
    while (this.#count > 0) this.#uses[--this.#count] = undefined;
    this.#waits = undefined;
  }

  /**
   * Have the command come after those that have to end before it: enqueue a barrier behind commands of earlier owners of
   * the memory, where the queue does not order them itself, and write the wait list.
   *
   * @param waitFor - the caller's wait list
   * @returns how many events the wait list has
   */
  order(list: EventList, waitFor: readonly Event[] | undefined, method: string): number {
    let events = NONE;
    let before = NONE;
    for (let i = 0; i < this.#count; i++) {
      const record = this.#uses[i] as UseRecord;
      events = joined(events, record.earlierThan(list));
      if (record.before) before = joined(before, record.before(list));
    }
    this.orderAfter(list, events);
    this.#waits = waitFor;
    const count = waitFor === undefined ? 0 : this.#fill(list, waitFor, method, before.length);
    if (before.length === 0) return count;
    if (waitFor === undefined) this.#reserve(before.length);
    this.#waits = waitFor === undefined ? before : [...waitFor, ...before];
    return this.#write(list, before, count);
  }

  /** Enqueue a barrier behind commands, closed or not. */
  orderAfter(list: EventList, events: readonly Event[]): void {
    if (events.length === 0) return;
    this.#reserve(events.length);
    const count = this.#write(list, events, 0);
    if (count === 0) return;
    withReclaim(() => cl.clEnqueueBarrierWithWaitList(list.raw, count, this.#slots, this.out));
    this.#event(list, events);
  }

  /** Write the raw events of commands that have not ended, closed or not, behind the first `count`; returns how many there are then. */
  #write(list: EventList, events: readonly Event[], count: number): number {
    for (const event of events) {
      const raw = event.unfinished;
      if (raw === undefined) continue;
      if (listOf(event) !== list) event.flush();
      this.#slots[count++] = raw;
    }
    return count;
  }

  /** Check a wait list and write the raw events that have not ended; returns their number. */
  #fill(list: EventList, waitFor: unknown, method: string, more: number): number {
    checkEvents(waitFor, `${method}: waitFor`);
    this.#reserve(waitFor.length + more);
    let count = 0;
    for (const event of waitFor) {
      const raw = event.pending(method);
      if (raw === undefined) continue;
      // A command that waits for another queue's is allowed to start only when that queue has been flushed.
      if (listOf(event) !== list) event.flush();
      this.#slots[count++] = raw;
    }
    return count;
  }

  /** The wait list, as {@link Submission.order} has written it. */
  get slots(): BigUint64Array<ArrayBuffer> {
    return this.#slots;
  }

  /** Make the event of the command, which the driver has taken, and give it to the records of the memory. */
  accept(list: EventList, type?: number): Event {
    const event = this.#event(list, this.#waits, type);
    for (let i = 0; i < this.#count; i++) (this.#uses[i] as UseRecord).add(event);
    return event;
  }

  #event(list: EventList, waitFor: readonly Event[] | undefined, type?: number): Event {
    const own = blockersOf(waitFor);
    if (own.length > 0) list.block(own);
    // A driver may run an out-of-order queue in order, as NVIDIA's does: a user event that holds one command back holds back all.
    const waits = waitFor !== undefined && waitFor.length > 0;
    return new Event(MAKER, this.out[0] as Opaque<'cl_event'>, list, list.blockers, type, waits);
  }

  #reserve(length: number): void {
    if (length > this.#slots.length) this.#slots = new BigUint64Array(length * 2);
  }
}

function joined(events: readonly Event[], more: readonly Event[]): readonly Event[] {
  return more.length === 0 ? events : [...new Set([...events, ...more])];
}

const NO_BLOCKERS: readonly Blocker[] = [];

/** The user events that are not set and for which one of these commands waits. */
export function blockersOf(events: readonly Event[] | undefined): readonly Blocker[] {
  return events === undefined ? NO_BLOCKERS : events.flatMap((event) => event.blockers ?? NO_BLOCKERS);
}
