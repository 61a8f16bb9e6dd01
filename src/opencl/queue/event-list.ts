import type { Opaque } from '../../ffi/ctype.ts';
import { holdUntil } from '../../core/in-flight.ts';
import { cleanup } from '../call.ts';
import { endAsLater, provesEarlier, releaseNativeEvent, type Blocker, type Event, type EventOwner } from './event.ts';
import { waitIgnoringFailure } from './hold-for-event.ts';

const SWEEP_AT = 256;
/** From how many events on it is cheaper to look for the last one that has ended. */
const SEARCH_FROM = 16;

/**
 * The events of a queue that may still be pending. An event whose command has ended keeps its outcome and releases its
 * driver object, so the driver holds a few hundred of them at most, however many events a program keeps. This does not
 * depend on the collector, which never runs finalizers inside a busy loop.
 */
export class EventList implements EventOwner {
  readonly profiling: boolean;
  readonly inOrder: boolean;
  /** The queue, for comparisons: it may be released. */
  readonly raw: Opaque<'cl_command_queue'>;
  readonly context: bigint;
  #queue: Opaque<'cl_command_queue'> | undefined;
  #pending: Event[] = [];
  #limit = SWEEP_AT;
  #blockers: readonly Blocker[] | undefined;

  constructor(queue: Opaque<'cl_command_queue'>, context: bigint, profiling: boolean, inOrder: boolean) {
    this.#queue = queue;
    this.raw = queue;
    this.context = context;
    this.profiling = profiling;
    this.inOrder = inOrder;
    watched.add(this);
  }

  /** The queue, for a flush; undefined once it is released, which flushes it. */
  get queue(): Opaque<'cl_command_queue'> | undefined {
    return this.#queue;
  }

  /** User events that are not set and for which commands of this queue wait, directly or not. */
  get blockers(): readonly Blocker[] | undefined {
    if (this.#blockers === undefined) return undefined;
    const left = this.#blockers.filter((event) => !event.isSet);
    this.#blockers = left.length > 0 ? left : undefined;
    return this.#blockers;
  }

  block(events: readonly Blocker[]): void {
    this.#blockers = [...new Set([...(this.blockers ?? []), ...events])];
  }

  add(event: Event): void {
    // The command is enqueued: an error about other events becomes a warning.
    if (this.#pending.push(event) >= this.#limit) cleanup('Event', () => this.sweep());
  }

  /**
   * Settle the events that have ended. An event that the driver cannot be asked about stays; the others are settled anyway.
   *
   * @throws {@link OpenCLError} the first error of the driver, after all events were examined
   */
  sweep(): void {
    const pending = this.#pending;
    const ended = this.#countEnded();
    for (let i = 0; i < ended; i++) endAsLater(pending[i] as Event);
    const left: Event[] = [];
    const errors: unknown[] = [];
    for (let i = 0; i < pending.length; i++) {
      const event = pending[i] as Event;
      try {
        if (event.settle()) continue;
      } catch (error) {
        errors.push(error);
        left.push(event);
        continue;
      }
      if (this.inOrder) {
        for (let rest = i; rest < pending.length; rest++) left.push(pending[rest] as Event);
        break;
      }
      left.push(event);
    }
    this.#pending = left;
    this.#limit = Math.max(SWEEP_AT, 2 * left.length);
    if (errors.length > 0) throw errors[0];
  }

  /**
   * How many of the oldest events come before a kernel that has ended well. The first question about an ended command costs
   * 1.5 us on NVIDIA's driver (580, H100), so few are asked.
   */
  #countEnded(): number {
    const pending = this.#pending;
    if (!this.inOrder || this.profiling || pending.length < SEARCH_FROM) return 0;
    let [ended, end] = [0, pending.length];
    try {
      while (ended < end) {
        const middle = (ended + end) >> 1;
        if ((pending[middle] as Event).settle()) ended = middle + 1;
        else end = middle;
      }
      while (ended > 0 && !provesEarlier(pending[ended - 1] as Event)) ended--;
      return ended;
    } catch {
      // The driver cannot be asked about one: each is asked, and its error told.
      return 0;
    }
  }

  /** The queue is released: its last events settle later. */
  abandon(): void {
    this.#queue = undefined;
    this.#settleOrGiveBack();
    if (this.#pending.length === 0) {
      watched.delete(this);
      return;
    }
    holdUntil(
      () => {
        this.#settleOrGiveBack();
        return this.#pending.length === 0;
      },
      () => watched.delete(this),
    );
  }

  /** Release also an event that the driver cannot be asked about: after the queue, no code asks again. */
  #settleOrGiveBack(): void {
    this.#pending = this.#pending.filter((event) => {
      try {
        return !event.settle();
      } catch (error) {
        releaseNativeEvent(event);
        cleanup('Event', () => {
          throw error;
        });
        return false;
      }
    });
  }

  /** Wait for all commands, unless some wait for a user event that can no longer be set. */
  drain(): void {
    if (this.blockers !== undefined) return;
    for (const event of this.#pending) waitIgnoringFailure(event);
  }
}

// A driver that computes on the host's own threads crashes when the process ends under a running command.
const watched = new Set<EventList>();
process.once('exit', () => {
  for (const list of watched) list.drain();
});
