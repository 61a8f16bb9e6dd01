import { describeFacts, PublicObject } from '../../core/public-object.ts';
import { ClosedError } from '../../core/errors.ts';
import { checkNumber, nameOf } from '../../core/check.ts';
import { unpinLanded } from '../../core/pin.ts';
import type { KernelReport } from '../../core/kernel-report.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { whenDone } from '../../core/poll.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup, eventStatus, eventType } from '../call.ts';
import { OpenCLError, openclError, OpenCLRuntimeError, statusName } from '../errors.ts';
import { endedInfo } from './ended-info.ts';
import { readProfile, type EventProfile } from './event-profile.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import { faultReports } from '../selection.ts';
import { CommandExecutionStatus, CommandType, EventInfo, status as statuses } from '../sys/enums.ts';

type RawEvent = Opaque<'cl_event'>;

/** A user event, for commands that wait for it. */
export interface Blocker {
  readonly isSet: boolean;
  /** Call a function once the event is set, which may be now. @internal */
  whenSet(run: () => void): void;
}

type Blockers = readonly Blocker[] | undefined;

/** The list of a queue's events, for the events in it. */
export interface EventOwner {
  readonly profiling: boolean;
  readonly inOrder: boolean;
  readonly raw: Opaque<'cl_command_queue'>;
  readonly context: bigint;
  /** The queue while it is open. */
  readonly queue: Opaque<'cl_command_queue'> | undefined;
  add(event: Event): void;
}

const { COMPLETE, SUBMITTED, QUEUED: QUEUED_STATUS } = CommandExecutionStatus;

const UNKNOWN = 0;

/** The list of its queue that an event is in. */
export let listOf: (event: Event) => EventOwner | undefined;

/** Never use the driver's event again: another owner releases it. */
export let forgetEvent: (event: Event) => void;

/** Release the driver's event before its command has ended. */
export let releaseNativeEvent: (event: Event) => void;

/** Whether the command is a kernel that has ended well: so has each kernel before it on an in-order queue. */
export let provesEarlier: (event: Event) => boolean;

/**
 * A later kernel of the in-order queue has ended well. What could not have failed alone has ended well, too, and its driver's
 * event is released without a question; others are asked when their turn comes.
 */
export let endAsLater: (event: Event) => void;

/**
 * The completion of an enqueued command. Every enqueue returns one; it may be dropped, kept, or closed.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx, { profiling: true });
 * const event = cl.enqueueMarker(queue);
 * event.wait();
 * console.log(event.duration, 'ns');
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetEventInfo.html | clGetEventInfo}
 */
export class Event extends PublicObject implements Disposable {
  #raw: RawEvent | undefined;
  #list: EventOwner | undefined;
  #status: number = SUBMITTED;
  #profile: EventProfile | undefined;
  #closed = false;
  readonly #context: bigint;
  /** The command's type; 0 until the driver is asked. */
  #type: number;
  readonly #blockers: Blockers;
  /** Whether another owner releases the driver's event. */
  readonly #isOwned: boolean;
  /** Whether the command cannot fail while later kernels of its in-order queue end well. */
  readonly #failsWithLater: boolean;

  /**
   * @param waits - whether the command has a wait list, through which it may fail alone
   * @internal
   */
  constructor(
    maker: Maker,
    raw: RawEvent,
    owner: EventOwner | bigint,
    blockers: Blockers,
    type: number = UNKNOWN,
    waits = true,
  ) {
    checkMade(maker === MAKER, 'Event', 'enqueue a command, or write new UserEvent(context)');
    super();
    this.#raw = raw;
    this.#list = typeof owner === 'bigint' ? undefined : owner;
    this.#context = typeof owner === 'bigint' ? owner : owner.context;
    this.#blockers = blockers;
    this.#type = type;
    this.#isOwned = type === CommandType.USER;
    // A kernel that fails takes its context with it, or the process. Of copies and fills no driver says so.
    this.#failsWithLater =
      !waits && blockers === undefined && (type === CommandType.NDRANGE_KERNEL || type === CommandType.MARKER);
    this.#list?.add(this);
  }

  static {
    describeFacts(Event, (event) => ({ ended: event.#status <= 0 }));
  }

  /**
   * Wait until the command has ended.
   *
   * Host: blocks. Queue: flushed.
   *
   * @throws {@link OpenCLRuntimeError} the command, or one that it waited for, failed
   * @throws Error the command waits for a {@link UserEvent} that only this thread could set
   */
  wait(): void {
    this.#check('wait');
    if (!this.settle() && this.#raw !== undefined) {
      refuseToHang('Event.wait', this.blockers);
      try {
        cl.clWaitForEvents(1, new BigUint64Array([this.#raw]));
      } catch (error) {
        if (!(error instanceof OpenCLError)) throw error;
        if (!this.settle() || this.#status >= 0) throw error;
        this.#throwIfFailed('wait', error.reports);
      }
      this.settle();
    }
    unpinLanded();
    this.#throwIfFailed();
  }

  /**
   * A promise of the command's end. It rejects with what {@link Event.wait} throws.
   *
   * Host: does not block. Queue: flushed.
   */
  async done(): Promise<void> {
    await this.ended('done');
    this.#checkEnded('done');
    this.#throwIfFailed();
  }

  /**
   * The same promise, which fulfils where the command fails.
   * @internal
   */
  async ended(method: string): Promise<void> {
    this.#check(method);
    this.flush();
    await whenDone(() => this.settle());
    unpinLanded();
  }

  /**
   * A promise that the command reaches a status: `SUBMITTED`, `RUNNING` or `COMPLETE`. It rejects where the command failed.
   *
   * Host: does not block. Queue: flushed.
   *
   * @param status - of {@link CommandExecutionStatus}
   * @returns the status of the command at that time, which may be a later one
   */
  async reached(status: number): Promise<number> {
    this.#check('reached');
    checkNumber(status, 'Event.reached: status', COMPLETE, QUEUED_STATUS);
    this.flush();
    await whenDone(() => this.settle() || (this.#raw !== undefined && eventStatus(this.#raw) <= status));
    if (this.#raw === undefined) this.#checkEnded('reached');
    this.#throwIfFailed('reached');
    return this.#raw === undefined ? this.#status : eventStatus(this.#raw);
  }

  /**
   * Ask for a property, by its name or by any number with the kind of the answer. The command's type, status, queue and
   * context are known after its end, too.
   *
   * @throws Error another property of a command that has ended, because the driver's event is then released. Ask earlier.
   */
  getInfo<Name extends EventInfo>(name: Name): InfoOf<typeof EventInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: EventInfo | number, kind?: InfoKind): InfoValue {
    this.#check('getInfo');
    if (name === 'COMMAND_EXECUTION_STATUS') return this.status;
    const raw = this.#raw;
    if (raw === undefined) {
      const facts = { queue: this.#list?.raw ?? 0n, type: this.#type, status: this.#status, context: this.#context };
      return endedInfo(facts, name, kind);
    }
    return readInfo(EventInfo, cl.clGetEventInfo.bind(undefined, raw), name, kind, 'Event');
  }

  /** The status of the command by the driver: one of {@link CommandExecutionStatus}, or a negative error code. */
  get status(): number {
    this.#check('status');
    if (!this.settle() && this.#raw !== undefined) this.#status = eventStatus(this.#raw);
    return this.#status;
  }

  /** Whether the command has ended, successfully or not. */
  get isDone(): boolean {
    this.#check('isDone');
    if (!this.settle()) return false;
    unpinLanded();
    return true;
  }

  /**
   * When the command was queued, submitted, started and ended, in nanoseconds of the device's clock.
   *
   * @throws {@link OpenCLRuntimeError} CL_PROFILING_INFO_NOT_AVAILABLE: the queue has no `profiling`, the command has
   * not ended, or it failed
   */
  get profile(): EventProfile {
    this.#check('profile');
    const settled = this.settle();
    if (this.#profile) return this.#profile;
    const reason =
      this.#list?.profiling !== true
        ? 'Create the queue with { profiling: true }; user events have no profile at all'
        : settled
          ? 'The command failed'
          : 'The command has not ended: wait() for it first';
    throw openclError('clGetEventProfilingInfo', PROFILING_INFO_NOT_AVAILABLE, { reason });
  }

  /** How long the command ran, in nanoseconds: from `profile.start` to `profile.end`. */
  get duration(): bigint {
    const { start, end } = this.profile;
    return end - start;
  }

  /** Whether {@link Event.close} was called. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Release the driver's event. The command goes on. A second call does nothing. */
  close(): void {
    // A queue's list releases the driver's event when the command has ended: until then it is the only way to wait.
    this.#closed = true;
    cleanup('Event', () => this.settle());
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * The raw event, for a wait list; undefined once it has completed, when there is nothing to wait for.
   * @internal
   */
  pending(method: string): RawEvent | undefined {
    if (this.#closed) throw new ClosedError('Event', method);
    if (this.settle()) this.#throwIfFailed(method);
    return this.#raw;
  }

  /**
   * The raw event as long as the command has not ended, whether or not this was closed.
   * @internal
   */
  get unfinished(): RawEvent | undefined {
    this.settle();
    return this.#raw;
  }

  /** @internal */
  get blockers(): readonly Blocker[] | undefined {
    return this.#blockers?.filter((event) => !event.isSet);
  }

  /** @internal */
  flush(): void {
    const queue = this.#list?.queue;
    if (queue !== undefined && this.#raw !== undefined) cl.clFlush(queue);
  }

  /**
   * Whether the command has ended. The first time that it has, its outcome is kept and the driver's event is released.
   * @internal
   */
  settle(): boolean {
    const raw = this.#raw;
    if (raw === undefined) return true;
    const status = eventStatus(raw);
    if (status > COMPLETE) return false;
    this.#status = status;
    if (status === COMPLETE && this.#list?.profiling === true) this.#profile = readProfile(raw);
    if (this.#type === UNKNOWN) this.#type = eventType(raw);
    this.#releaseNative();
    return true;
  }

  /** A user event that was closed before it was set never ends. */
  #checkEnded(method: string): void {
    if (this.#status > COMPLETE) throw new ClosedError(this.constructor.name, method);
  }

  #releaseNative(): void {
    // The handle of a user event owns the driver's: it has to outlive its completion, for `close` to know it.
    if (this.#isOwned) return;
    const raw = this.#forget();
    if (raw !== undefined) cleanup('Event', () => cl.clReleaseEvent(raw));
  }

  #forget(): RawEvent | undefined {
    const raw = this.#raw;
    this.#raw = undefined;
    return raw;
  }

  static {
    listOf = (event) => event.#list;
    forgetEvent = (event) => void event.#forget();
    releaseNativeEvent = (event) => event.#releaseNative();
    provesEarlier = (event) =>
      event.#type === CommandType.NDRANGE_KERNEL && event.settle() && event.#status === COMPLETE;
    endAsLater = (event) => {
      if (!event.#failsWithLater || event.#raw === undefined) return;
      event.#status = COMPLETE;
      event.#releaseNative();
    };
  }

  #check(method: string): void {
    if (this.#closed) throw new ClosedError('Event', method);
  }

  /** @param reports - of the kernel, where a call has already returned them */
  #throwIfFailed(method = 'wait', reports: readonly KernelReport[] = this.#status < 0 ? faultReports() : []): void {
    const status = this.#status;
    if (status >= 0) return;
    const ending = `Event.${method}: the command ended with ${statusName(status)} (${status})`;
    throw new OpenCLRuntimeError('clWaitForEvents', EXEC_STATUS_ERROR, {
      reason: ending,
      reports,
    });
  }
}

const PROFILING_INFO_NOT_AVAILABLE = statuses.CL_PROFILING_INFO_NOT_AVAILABLE[0];
const EXEC_STATUS_ERROR = statuses.CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST[0];

/**
 * Wait until the commands of all these events have ended.
 *
 * Host: blocks. Queue: flushed.
 *
 * @param events - from any queues of one context
 * @throws {@link OpenCLRuntimeError} one of the commands failed
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * cl.waitForEvents([cl.enqueueMarker(queue), cl.enqueueMarker(queue)]);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clWaitForEvents.html | clWaitForEvents}
 */
export function waitForEvents(events: readonly Event[]): void {
  checkEvents(events, 'waitForEvents');
  for (const event of events) event.flush();
  for (const event of events) event.wait();
}

/** Refuse a value that is not an array of events. */
export function checkEvents(events: unknown, what: string): asserts events is readonly Event[] {
  if (!Array.isArray(events)) throw new TypeError(`${what} takes an array of Events, got ${nameOf(events)}`);
  for (const event of events as unknown[]) {
    if (!(event instanceof Event)) throw new TypeError(`${what} takes an array of Events; it holds ${nameOf(event)}`);
  }
}

/** Refuse a wait that could never end: this thread would have to set the user event. */
export function refuseToHang(method: string, blockers: readonly Blocker[] | undefined): void {
  if (blockers === undefined || blockers.length === 0) return;
  throw new Error(
    `${method} would never return: it waits for a UserEvent that is not set, and nothing can set it while this thread ` +
      'waits; call setStatus first, or await done()',
  );
}
