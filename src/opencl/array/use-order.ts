import { listOf, type Event, type EventOwner } from '../queue/event.ts';
import { eventsOf, queueOf, type CommandQueue } from '../queue/queue.ts';
import { isOrderedOn, noteLast, type UseRecord, type Uses } from '../queue/uses.ts';

const NONE: readonly Event[] = [];
const SWEEP_AT = 16;

/**
 * Which commands have used an array's memory, so that later ones come after them: a writer after all, a reader after the last
 * writer. An in-order queue sees to its own commands; others wait by events. The host never waits.
 */
export class UseOrder {
  /** The record for commands that only read. */
  readonly reads: UseRecord;
  /** The record for commands that may write. */
  readonly writes: UseRecord;
  /** The memory's record in its pool: commands of earlier owners. */
  readonly #uses: Uses;
  /** Whether a command of an earlier owner may still run. */
  #inherits = true;
  #writer: Event | undefined;
  #readers: Event[] = [];
  #limit = SWEEP_AT;
  #lane: CommandQueue;
  #list: EventOwner;

  /** @param lane - where the array was made */
  constructor(uses: Uses, lane: CommandQueue) {
    this.#uses = uses;
    this.#lane = lane;
    this.#list = eventsOf(lane);
    this.reads = new Reads(this);
    this.writes = new Writes(this);
  }

  /** The queue of the last writer. */
  get lane(): CommandQueue {
    return this.#lane;
  }

  /** Commands of earlier owners that a command of this queue comes after. */
  earlierThan(list: EventOwner): readonly Event[] {
    return this.#inherits ? this.#uses.earlierThan(list) : NONE;
  }

  /** What a reader of this queue waits for. */
  beforeRead(list: EventOwner): readonly Event[] {
    const writer = this.#writer;
    return writer === undefined || isOrderedOn(list, writer) ? NONE : [writer];
  }

  /** What a writer of this queue waits for. */
  beforeWrite(list: EventOwner): readonly Event[] {
    const readers = this.#readers;
    for (let i = 0; i < readers.length; i++) {
      if (!isOrderedOn(list, readers[i] as Event)) {
        return [...this.beforeRead(list), ...readers.filter((reader) => !isOrderedOn(list, reader))];
      }
    }
    return this.beforeRead(list);
  }

  addReader(event: Event): void {
    noteLast(this.#readers, event);
    if (this.#readers.length < this.#limit) return;
    this.#readers = this.#readers.filter((reader) => !reader.settle());
    this.#limit = Math.max(SWEEP_AT, 2 * this.#readers.length);
  }

  setWriter(event: Event): void {
    this.#writer = event;
    // It comes after all of them.
    if (this.#readers.length > 0) this.#readers = [];
    this.#inherits = false;
    const list = listOf(event);
    if (list === undefined || list === this.#list) return;
    this.#list = list;
    this.#lane = queueOf(list) ?? this.#lane;
  }

  /** The memory goes back to its pool: what may still use it is recorded there. */
  end(): void {
    if (this.#writer !== undefined) this.#uses.add(this.#writer);
    for (const reader of this.#readers) this.#uses.add(reader);
  }
}

class Reads implements UseRecord {
  readonly #order: UseOrder;

  constructor(order: UseOrder) {
    this.#order = order;
  }

  earlierThan(list: EventOwner): readonly Event[] {
    return this.#order.earlierThan(list);
  }

  before(list: EventOwner): readonly Event[] {
    return this.#order.beforeRead(list);
  }

  add(event: Event): void {
    this.#order.addReader(event);
  }
}

class Writes implements UseRecord {
  readonly #order: UseOrder;

  constructor(order: UseOrder) {
    this.#order = order;
  }

  earlierThan(list: EventOwner): readonly Event[] {
    return this.#order.earlierThan(list);
  }

  before(list: EventOwner): readonly Event[] {
    return this.#order.beforeWrite(list);
  }

  add(event: Event): void {
    this.#order.setWriter(event);
  }
}
