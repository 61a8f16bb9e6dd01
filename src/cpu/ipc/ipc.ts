import type { Engine } from '../runtime/engine.ts';
import { PAGE, type DeviceMemory, type Owner } from '../runtime/memory.ts';
import { GAP } from '../runtime/allocator.ts';
import type { SharedPlace } from './place.ts';
import { EVENT_BYTES, SharedEvent } from './shared-event.ts';
import { SharedMemory } from './shared-memory.ts';
import { WatchClient } from './watch-client.ts';

/** Another process may still look at an event that has been destroyed here: so many others are destroyed before it is used again. */
const MOST_RETIRED = 1024;

/** What a device shares with other processes: memory and events. */
export class CpuIpc {
  readonly shared: SharedMemory;
  readonly #memory: DeviceMemory;
  /** Events that have no owner. */
  readonly #free: SharedEvent[] = [];
  /** Those of them that other processes know, the oldest first. */
  readonly #retired: SharedEvent[] = [];
  readonly #given = new WeakSet<SharedEvent>();
  #watch: WatchClient | undefined;

  constructor(memory: DeviceMemory) {
    this.#memory = memory;
    this.shared = new SharedMemory(memory);
  }

  /** A new event; undefined where there is no memory, or none that can be shared. */
  newEvent(): SharedEvent | undefined {
    const event = this.#free.pop() ?? this.#oldest() ?? this.#newEvents();
    event?.reset();
    return event;
  }

  #oldest(): SharedEvent | undefined {
    const event = this.#retired.length > MOST_RETIRED ? this.#retired.shift() : undefined;
    if (event) this.#given.delete(event);
    return event;
  }

  #newEvents(): SharedEvent | undefined {
    const byteLength = PAGE - GAP;
    const start = this.#memory.allocatePages(byteLength, 0);
    if (start === undefined) return undefined;
    // Before there are events in it: nothing may use memory while it becomes shared.
    if (!this.shared.share('event', start, byteLength)) {
      this.#memory.release(start);
      return undefined;
    }
    const { buffer } = this.#memory.bytes;
    for (let at = start; at + EVENT_BYTES <= start + byteLength; at += EVENT_BYTES) {
      this.#free.push(new SharedEvent(buffer, at));
    }
    return this.#free.pop();
  }

  /** Where other processes find an event; undefined for that of another one. */
  placeOf(event: SharedEvent): SharedPlace | undefined {
    if (this.shared.has(event.address)) return undefined;
    this.#given.add(event);
    return this.shared.share('event', event.address, EVENT_BYTES);
  }

  /** Use an event of another process; undefined where there is none. */
  openEvent(place: SharedPlace, owner: Owner): SharedEvent | undefined {
    if (place.byteLength !== EVENT_BYTES || place.address % EVENT_BYTES !== 0) return undefined;
    const address = this.shared.open(place, owner, undefined);
    return address === undefined ? undefined : new SharedEvent(this.#memory.bytes.buffer, address);
  }

  /** No command uses the event any more. */
  dropEvent(event: SharedEvent): void {
    if (this.shared.has(event.address)) this.shared.close(event.address);
    else (this.#given.has(event) ? this.#retired : this.#free).push(event);
  }

  /** Open a gate as soon as the latest record of an event has been passed. */
  openAfter(engine: Engine, event: SharedEvent, gate: number, context: number): void {
    this.#watch ??= new WatchClient(engine);
    this.#watch.watch({ gate, context, word: event.word, process: event.process });
  }
}
