import { CommandExecutionStatus, CommandType } from '../../opencl/sys/enums.ts';
import { putWide, type Out } from '../abi/out.ts';
import { isExiting } from '../../core/runtime-process.ts';
import { milliseconds } from '../runtime/clock.ts';
import { faultOf } from '../runtime/context-fault.ts';
import { mark, reached } from '../runtime/control.ts';
import type { Engine } from '../runtime/engine.ts';
import { Code } from './code.ts';
import type { ClContext } from './context.ts';
import { ClEvent, Outcome, type Command } from './event.ts';
import type { RecordedCommand as Part } from './command-buffer.ts';
import { HostView } from './host-view.ts';
import type { Handles } from './object.ts';
import type { ClQueue } from './queue.ts';
import { TimeCells } from './time-cells.ts';

const { COMPLETE, RUNNING, SUBMITTED } = CommandExecutionStatus;
const FAILED_WAIT = Code.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
const SWEEP_AT = 64;
const TICK_MS = 1;

/** A listener for the end of commands. */
export interface Listener {
  /** Check the events with callbacks; false when there are none left. */
  look(): boolean;
}

/**
 * Puts commands into the engine's queue. A command enters it as soon as all commands that it waits for have entered it,
 * and tells the engine which ones these are; the engine runs others beside it. A command that this thread performs,
 * with host memory, waits here until the engine has finished the earlier commands. It runs inside later calls and by a
 * timer. Commands that wait for a user event delay no other queue.
 */
export class Scheduler {
  readonly #engineOf: () => Engine;
  readonly #events: Handles<ClEvent>;
  /** Commands that wait for the engine, and then for this thread. */
  readonly #onHost: ClEvent[] = [];
  /** Commands that wait for nothing. */
  readonly #ready: ClEvent[] = [];
  readonly #held = new Set<ClEvent>();
  readonly #cells: TimeCells;
  readonly #slot = new HostView();
  #busy = false;
  #timer: NodeJS.Timeout | undefined;
  /** Checks the events with callbacks. */
  listener: Listener | undefined;
  /** Called each time that a call learns of a context's fault. */
  onFault: ((context: ClContext) => void) | undefined;

  constructor(engineOf: () => Engine, events: Handles<ClEvent>) {
    this.#engineOf = engineOf;
    this.#events = events;
    this.#cells = new TimeCells(engineOf);
  }

  get #engine(): Engine {
    return this.#engineOf();
  }

  /**
   * Take a command.
   *
   * @param waits - the wait list: events of the queue's context
   * @param out - receives the event's handle; 0n for no event
   * @returns a status
   */
  enqueue(
    queue: ClQueue,
    type: number,
    waits: readonly ClEvent[],
    command: Command,
    blocking: boolean,
    out: Out,
  ): number {
    if (this.isLost(queue.context)) return Code.OUT_OF_RESOURCES;
    if (blocking && waits.some((wait) => this.settle(wait) && wait.status < 0)) return FAILED_WAIT;
    const event = this.#take(queue, type, waits, command);
    this.#drain();
    let status: number = Code.SUCCESS;
    if (blocking) {
      if (!this.wait(event)) status = Code.INVALID_OPERATION;
      else if (event.status < 0) status = this.isLost(queue.context) ? Code.OUT_OF_RESOURCES : event.status;
    } else if (event.status < 0 && event.status !== FAILED_WAIT) {
      // The command could not start.
      status = event.status;
    }
    if (status === Code.SUCCESS && out !== 0n) this.#tell(event, out);
    return status;
  }

  /**
   * Take recorded commands as one command; an empty list is a marker.
   *
   * @param what - the type of the common event
   * @param out - receives the handle of their common event; 0n for no event
   * @returns that event, or a status
   */
  replay(queue: ClQueue, what: number, waits: readonly ClEvent[], parts: readonly Part[], out: Out): ClEvent | number {
    if (this.isLost(queue.context)) return Code.OUT_OF_RESOURCES;
    const events: ClEvent[] = [];
    for (const { type, after, command } of parts) {
      events.push(this.#take(queue, type, [...waits, ...after.map((i) => events[i] as ClEvent)], command));
    }
    const end = this.#take(queue, what, [...waits, ...events], {});
    end.since = events[0];
    this.#drain();
    if (out !== 0n) this.#tell(end, out);
    return end;
  }

  #take(queue: ClQueue, type: number, waits: readonly ClEvent[], command: Command): ClEvent {
    const event = new ClEvent(queue.context, queue, type, (gone) => this.#events.remove(gone));
    event.command = command;
    if (queue.profiling) event.queued = milliseconds();
    for (const wait of waits) this.#depend(event, wait, true);
    this.#order(event, queue, waits.length > 0);
    if (event.waiting === 0) this.#start(event);
    else this.#hold(event);
    return event;
  }

  /** Write an event's handle for the caller. */
  #tell(event: ClEvent, out: Out): void {
    const handle = this.#events.add(event);
    if (typeof out !== 'bigint') putWide(out, handle);
    else new BigUint64Array(this.#slot.bytes(out, 8).buffer)[0] = handle;
  }

  /** Make a command follow the commands of its queue that precede it. */
  #order(event: ClEvent, queue: ClQueue, listed: boolean): void {
    if (queue.inOrder) {
      if (queue.last) this.#depend(event, queue.last, false);
      queue.last = event;
      return;
    }
    const isBarrier = event.type === CommandType.BARRIER;
    if (!listed && (isBarrier || event.type === CommandType.MARKER)) {
      for (const open of queue.open) this.#depend(event, open, false);
    }
    if (queue.barrier) this.#depend(event, queue.barrier, false);
    if (isBarrier) queue.barrier = event;
    if (queue.open.push(event) % SWEEP_AT === 0) queue.open = queue.open.filter((open) => !this.settle(open));
  }

  /** Whether a command has ended its context. */
  isLost(context: ClContext): boolean {
    if (this.#failure(context, 0, undefined) === 0) return false;
    this.onFault?.(context);
    return true;
  }

  /** Whether an event has ended, by a look at the engine. */
  settle(event: ClEvent): boolean {
    if (event.over) return true;
    const { sequence } = event;
    if (sequence === undefined) {
      this.pump();
      return event.over;
    }
    const engine = this.#engine;
    if (!engine.queue.done(sequence)) {
      engine.check();
      if (!engine.queue.done(sequence)) return false;
    }
    engine.collect();
    engine.flush();
    event.status = this.#failure(event.context, event.first, sequence);
    if (event.cells !== undefined) {
      [event.started, event.ended] = this.#cells.read(event.cells);
      this.#cells.give(event.cells);
      event.cells = undefined;
    }
    if (event.status < 0) this.isLost(event.context);
    return true;
  }

  /** The execution status of a command. */
  statusOf(event: ClEvent): number {
    if (this.settle(event) || event.sequence === undefined) return event.status;
    const { queue } = this.#engine;
    return queue.done(event.first) || queue.started(event.first) ? RUNNING : SUBMITTED;
  }

  /** Sleep until an event has ended. False for an event that cannot end while this thread sleeps. */
  wait(event: ClEvent): boolean {
    while (!this.settle(event)) {
      if (event.sequence === undefined && this.#onHost.length === 0) return false;
      this.#await(event.sequence);
      this.pump();
    }
    this.#hear();
    return true;
  }

  /** Sleep until all commands of a queue have ended. False if one cannot end while this thread sleeps. */
  finish(queue: ClQueue): boolean {
    const events = queue.inOrder ? [queue.last] : queue.open;
    let all = true;
    for (const event of events) if (event && !this.wait(event)) all = false;
    if (all) queue.open = [];
    this.#engine.flush();
    return all;
  }

  /** End a user event, or a command that was started elsewhere. */
  end(event: ClEvent, status: number): void {
    this.#end(event, status);
    this.#drain();
    this.#hear();
  }

  /** Start the commands that can start now. */
  pump(): void {
    for (let i = 0; i < this.#onHost.length;) {
      const event = this.#onHost[i] as ClEvent;
      if (!this.#isNext(event)) i++;
      else {
        this.#onHost.splice(i, 1);
        this.#ready.push(event);
      }
    }
    this.#drain();
    this.#hear();
  }

  /** Make progress by a timer, while the program makes no calls. */
  watch(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.pump();
      if (this.#onHost.length > 0 || this.listener?.look() === true) this.watch();
    }, TICK_MS).unref();
  }

  #hear(): void {
    if (this.listener?.look() === true) this.watch();
  }

  #depend(event: ClEvent, on: ClEvent, listed: boolean): void {
    if (this.settle(on)) {
      if (listed && on.status < 0) event.dependencyFailed = true;
      return;
    }
    const { sequence } = on;
    if (sequence === undefined) {
      (on.dependents ??= []).push({ event, listed });
      event.waiting++;
    } else event.follow(sequence);
  }

  /** Start the commands that wait for nothing. Without recursion, since a chain of commands may be long. */
  #drain(): void {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let event = this.#ready.shift(); event; event = this.#ready.shift()) this.#start(event);
    } finally {
      this.#busy = false;
    }
  }

  #start(event: ClEvent): void {
    const { command, queue } = event;
    if (event.dependencyFailed || this.isLost(event.context)) {
      this.#end(event, FAILED_WAIT);
      return;
    }
    const profiling = queue?.profiling === true;
    if (profiling && event.submitted === 0) event.submitted = milliseconds();
    const outcome = command?.submit ? this.#submit(event, command.submit) : Outcome.ON_HOST;
    if (outcome === Outcome.SUBMITTED) return;
    if (outcome !== Outcome.ON_HOST) {
      this.#end(event, outcome);
      return;
    }
    const after = event.after.filter((sequence) => !this.#engine.queue.done(sequence));
    if (after.length > 0) {
      if (!command?.perform) this.#follow(event, after);
      else {
        this.#hold(event);
        this.#onHost.push(event);
        this.watch();
      }
      return;
    }
    if (profiling) event.started = milliseconds();
    this.#end(event, command?.perform?.() ?? Code.SUCCESS);
  }

  /** A marker ends with the commands that it waits for. */
  #follow(event: ClEvent, after: readonly number[]): void {
    const [first = 0] = after;
    if (event.queue?.profiling === true || after.length > 1) {
      const join = (): number => {
        this.#engine.queue.join(event.context.index);
        return Outcome.SUBMITTED;
      };
      if (this.#submit(event, join) === Outcome.SUBMITTED) return;
    }
    event.first = event.sequence = first;
    event.status = SUBMITTED;
    this.#release(event);
    this.#proceed(event);
  }

  /** Give a command to the engine, between two time stamps on a profiling queue. */
  #submit(event: ClEvent, submit: () => number): number {
    const engine = this.#engine;
    const { context } = event;
    const cells = event.queue?.profiling === true ? this.#cells.take() : undefined;
    engine.queue.follow(event.after, context.index);
    const first = engine.queue.next;
    event.cells = cells;
    if (cells !== undefined) engine.stamp(context.index, cells);
    const outcome = submit();
    if (outcome !== Outcome.SUBMITTED) {
      event.cells = undefined;
      event.started = event.submitted;
      if (cells !== undefined) engine.afterAll(() => this.#cells.give(cells));
      return outcome;
    }
    if (cells !== undefined) engine.stamp(context.index, cells + 8);
    event.first = first;
    event.sequence = (engine.queue.next - 1) | 0;
    event.status = SUBMITTED;
    this.#release(event);
    this.#proceed(event);
    return outcome;
  }

  #end(event: ClEvent, status: number): void {
    event.status = Math.min(status, COMPLETE);
    if (event.queue?.profiling === true) event.ended = milliseconds();
    this.#release(event);
    this.#proceed(event);
  }

  /** Keep the objects of a command alive until it is in the engine's queue. */
  #hold(event: ClEvent): void {
    if (this.#held.has(event)) return;
    this.#held.add(event);
    event.context.retain();
    event.command?.keep?.();
    for (const memory of event.command?.memory ?? []) memory.retain();
  }

  #release(event: ClEvent): void {
    const { command } = event;
    event.command = undefined;
    if (!this.#held.delete(event)) return;
    for (const memory of command?.memory ?? []) memory.release();
    event.context.release();
  }

  /** Continue the dependents of an event that has ended or has entered the engine's queue. */
  #proceed(event: ClEvent): void {
    const { dependents } = event;
    event.dependents = undefined;
    for (const { event: dependent, listed } of dependents ?? []) {
      if (listed && event.status < 0) dependent.dependencyFailed = true;
      const { sequence } = event;
      if (sequence !== undefined && !event.over) {
        dependent.follow(sequence);
      }
      if (--dependent.waiting === 0) this.#ready.push(dependent);
    }
  }

  /** Sleep until a command has ended; without its number, until this thread can perform one. */
  #await(sequence: number | undefined): void {
    const engine = this.#engine;
    if (isExiting()) engine.farewell.wait(() => this.pump());
    if (sequence !== undefined) engine.wait(sequence);
    else engine.queue.waitForAny(() => this.#onHost.some((event) => this.#isNext(event)));
  }

  /** Whether the engine has finished all that a command waits for. */
  #isNext({ after }: ClEvent): boolean {
    const { queue } = this.#engine;
    return after.every((sequence) => queue.done(sequence));
  }

  /** The status of a context's commands from `first` to `last`; without `last`, of all commands. */
  #failure(context: ClContext, first: number, last: number | undefined): number {
    const { control, queue } = this.#engine;
    const fault = context.closed ? context.fault : faultOf(control, context.index);
    if (!fault) return Code.SUCCESS;
    if (last === undefined || (reached(fault.cause, mark(first)) && reached(mark(last), fault.cause))) {
      return Code.OUT_OF_RESOURCES;
    }
    for (let at = first; reached(last, at); at = (at + 1) | 0) if (queue.skipped(at)) return FAILED_WAIT;
    return Code.SUCCESS;
  }
}
