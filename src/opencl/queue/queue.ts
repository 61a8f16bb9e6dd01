import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { Handle } from '../../core/handle.ts';
import { MAKER, type Maker } from '../../core/maker.ts';
import { unpinLanded } from '../../core/pin.ts';
import { whenDone } from '../../core/poll.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup, withReclaim } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { requireExtension, requireVersion } from '../device/requirement.ts';
import { checkForeignContext, foreignHandle, type ForeignOptions } from '../foreign.ts';
import { EventList } from './event-list.ts';
import { blockersOf, Submission } from './submission.ts';
import { checkEvents, refuseToHang, type Event, type EventOwner } from './event.ts';
import type { UseRecord } from './uses.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import {
  CommandType,
  QueueInfo,
  QueuePriority,
  QueueProperties,
  QueuePropertyName,
  QueueThrottle,
} from '../sys/enums.ts';

/** How a {@link CommandQueue} is made. */
export interface CommandQueueOptions {
  /** Default: the context's first. */
  readonly device?: Device;
  /** Time the commands, for `event.profile`. */
  readonly profiling?: boolean;
  /** Let commands overtake each other; order them by `waitFor`. */
  readonly outOfOrder?: boolean;
  /** The priority of the queue among others (`cl_khr_priority_hints`). Default: the driver's own */
  readonly priority?: QueueHint;
  /** How hard the device works for it (`cl_khr_throttle_hints`). Default: the driver's own */
  readonly throttle?: QueueHint;
  /** Names and values of other properties, such as a vendor's: `[name, value]`. From OpenCL 2.0 on. */
  readonly properties?: readonly number[];
}

/** A rank: its name, and the driver's bit. */
export type QueueHint = 'high' | 'medium' | 'low';

export type RawQueue = Opaque<'cl_command_queue'>;

/** The state that the enqueues of a queue share. */
interface QueueState {
  /** The events that may still be pending. */
  readonly list: EventList;
  readonly submission: Submission;
}

let readState: (queue: CommandQueue) => QueueState;
const queues = new WeakMap<EventOwner, WeakRef<CommandQueue>>();

/**
 * A queue of commands for a device. Closing it does not wait: enqueued commands run on.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx, { profiling: true });
 * queue.finish();
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateCommandQueueWithProperties.html | clCreateCommandQueueWithProperties}
 */
export class CommandQueue extends Resource<RawQueue> implements AsyncDisposable {
  readonly context: Context;
  readonly device: Device;
  readonly profiling: boolean;
  readonly outOfOrder: boolean;
  readonly #state: QueueState;

  /**
   * @throws Error the device lacks the extension of a hint
   * @throws {@link OpenCLLogicError} CL_INVALID_QUEUE_PROPERTIES: the device does not support such a queue
   * @throws {@link OpenCLMemoryError} CL_OUT_OF_HOST_MEMORY
   */
  constructor(context: Context, options?: CommandQueueOptions);
  /** @internal */
  constructor(context: Context, options: CommandQueueOptions, maker: Maker, adopted: RawQueue);
  constructor(context: Context, options: CommandQueueOptions = {}, maker?: Maker, adopted?: RawQueue) {
    checkContext(context, 'CommandQueue');
    checkOptions(options, OPTIONS, 'CommandQueue');
    const owner = handleOf(context, 'CommandQueue');
    const device = queueDevice(context, options.device, 'CommandQueue');
    const profiling = options.profiling === true;
    const outOfOrder = options.outOfOrder === true;
    const hints = hintsOf(options, device);
    // A value that is released at the end comes from this package alone.
    const known = maker === MAKER ? adopted : undefined;
    const raw = known ?? withReclaim(() => create(owner.value, device, profiling, outOfOrder, hints));
    const events = new EventList(raw, context.identity, profiling, !outOfOrder);
    const destroy = (): void => {
      const open = events.blockers ?? [];
      const release = (): void => {
        if (open.every(({ isSet }) => isSet)) cleanup('CommandQueue', () => cl.clReleaseCommandQueue(raw));
      };
      // A driver may wait in the release for enqueued commands, and so for events that only this thread can set.
      if (open.length === 0) release();
      else cleanup('CommandQueue', () => cl.clFlush(raw));
      for (const event of open) event.whenSet(release);
      events.abandon();
    };
    super(new Handle('CommandQueue', raw, destroy, [owner]));
    this.context = context;
    this.device = device;
    this.profiling = profiling;
    this.outOfOrder = outOfOrder;
    this.#state = { list: events, submission: new Submission() };
    queues.set(events, new WeakRef(this));
  }

  /**
   * Use a queue of another library, by its `cl_command_queue`. Commands that the other library enqueues are not known here.
   *
   * @param context - the queue's
   * @param handle - used as it is: a wrong handle ends the process
   * @param options - whether the new object takes a reference of its own
   * @throws TypeError it belongs to another context
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clRetainCommandQueue.html | clRetainCommandQueue}
   */
  static fromHandle(context: Context, handle: Opaque<'cl_command_queue'>, options: ForeignOptions = {}): CommandQueue {
    const what = 'CommandQueue.fromHandle';
    checkContext(context, what);
    const raw = foreignHandle(handle, options, what);
    const query = cl.clGetCommandQueueInfo.bind(undefined, raw);
    const ask = (name: QueueInfo): unknown => readInfo(QueueInfo, query, name, undefined, 'CommandQueue');
    checkForeignContext(ask('CONTEXT'), context, what);
    handleOf(context, 'fromHandle');
    const [id, bits] = [ask('DEVICE'), Number(ask('PROPERTIES'))];
    const device = queueDevice(
      context,
      context.devices.find((one) => one.raw === id),
      what,
    );
    const profiling = (bits & QueueProperties.PROFILING_ENABLE) !== 0;
    const outOfOrder = (bits & QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE) !== 0;
    if (options.retain !== false) cl.clRetainCommandQueue(raw);
    return new CommandQueue(context, { device, profiling, outOfOrder }, MAKER, raw);
  }

  /**
   * Wait until all enqueued commands have ended.
   *
   * Host: blocks. Queue: flushed.
   *
   * @throws Error a command waits for a {@link UserEvent} that only this thread could set
   */
  finish(): void {
    const raw = this.use('finish');
    refuseToHang('CommandQueue.finish', this.#state.list.blockers);
    cl.clFinish(raw);
    this.#state.list.sweep();
    unpinLanded();
  }

  /**
   * Submit all enqueued commands to the device.
   *
   * Host: does not block.
   */
  flush(): void {
    cl.clFlush(this.use('flush'));
  }

  /**
   * A promise of the end of all commands that are enqueued now. Commands that fail do not reject it; their events do.
   *
   * Host: does not block. Queue: flushed.
   */
  async done(): Promise<void> {
    const raw = this.use('done');
    const event = submit(this, 'done', undefined, [], issueMarker, CommandType.MARKER);
    cl.clFlush(raw);
    try {
      await whenDone(() => event.settle());
    } catch {
      // The driver cannot be asked: the event of each command has the error.
    } finally {
      event.close();
    }
    this.#state.list.sweep();
    unpinLanded();
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends QueueInfo>(name: Name): InfoOf<typeof QueueInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: QueueInfo | number, kind?: InfoKind): InfoValue {
    const raw = this.use('getInfo');
    return readInfo(QueueInfo, cl.clGetCommandQueueInfo.bind(undefined, raw), name, kind, 'CommandQueue');
  }

  /** The driver's `cl_command_queue`, borrowed: good until {@link CommandQueue.close}. */
  get handle(): Opaque<'cl_command_queue'> {
    return this.use('handle');
  }

  /** The driver's count of references. For tests: it may be stale when it is read. */
  get referenceCount(): number {
    return this.getInfo('REFERENCE_COUNT');
  }

  static {
    readState = (queue) => queue.#state;
  }

  /** Wait for everything, then close. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    try {
      await this.done();
    } finally {
      this.close();
    }
  }
}

const OPTIONS = ['device', 'profiling', 'outOfOrder', 'priority', 'throttle', 'properties'];
const HINTS: Readonly<Record<QueueHint, keyof typeof QueuePriority>> = {
  high: 'HIGH_KHR',
  medium: 'MED_KHR',
  low: 'LOW_KHR',
};

/** The events of a queue that may still be pending. */
export function eventsOf(queue: CommandQueue): EventList {
  return readState(queue).list;
}

/** The queue of a list of events; undefined once nobody has it. */
export function queueOf(list: EventOwner): CommandQueue | undefined {
  return queues.get(list)?.deref();
}

/** The device that a queue is for: one of the context's. */
export function queueDevice(context: Context, device: Device | undefined, what: string): Device {
  const found = device ?? context.devices[0];
  if (found && context.devices.includes(found)) return found;
  throw new TypeError(`${what}: the device must be one of the context's, got ${nameOf(found)}`);
}

/** Properties besides the bits that every queue has, names and values in turn. */
function hintsOf({ priority, throttle, properties = [] }: CommandQueueOptions, device: Device): readonly number[] {
  const list: number[] = [];
  if (priority !== undefined) {
    const value = QueuePriority[hintOf(priority, 'priority')];
    requireExtension(device, 'cl_khr_priority_hints', 'CommandQueue: priority');
    list.push(QueuePropertyName.PRIORITY_KHR, value);
  }
  if (throttle !== undefined) {
    const value = QueueThrottle[hintOf(throttle, 'throttle')];
    requireExtension(device, 'cl_khr_throttle_hints', 'CommandQueue: throttle');
    list.push(QueuePropertyName.THROTTLE_KHR, value);
  }
  if (!Array.isArray(properties) || properties.length % 2 !== 0) {
    throw new TypeError(
      `CommandQueue: properties must be an array of names and values in turn, got ${nameOf(properties)}`,
    );
  }
  for (const [i, value] of properties.entries()) {
    list.push(checkInteger(value, `CommandQueue: properties[${i}]`, i % 2 === 0 ? 1 : 0));
  }
  if (list.length > 0) requireVersion(device.platform, 2, 0, 'CommandQueue: a list of properties');
  return list;
}

function hintOf(value: unknown, what: string): keyof typeof QueuePriority {
  if (typeof value === 'string' && Object.hasOwn(HINTS, value)) return HINTS[value as QueueHint];
  throw new TypeError(`CommandQueue: ${what} must be 'high', 'medium' or 'low', got ${nameOf(value)}`);
}

function create(
  context: Opaque<'cl_context'>,
  device: Device,
  profiling: boolean,
  outOfOrder: boolean,
  hints: readonly number[],
): RawQueue {
  const bits =
    (profiling ? QueueProperties.PROFILING_ENABLE : 0) |
    (outOfOrder ? QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  const list = BigUint64Array.from([QueuePropertyName.PROPERTIES, bits, ...hints, 0], BigInt);
  return cl.clCreateCommandQueueWithProperties(context, device.raw, list);
}

/** Hand one command to the driver. */
export type Issue = (
  queue: RawQueue,
  waitCount: number,
  waitList: bigint | BigUint64Array,
  event: BigUint64Array,
) => unknown;

export const issueMarker: Issue = (queue, count, list, event) =>
  cl.clEnqueueMarkerWithWaitList(queue, count, list, event);

/**
 * Enqueue a command: check the wait list, call the driver, make the event.
 *
 * @param uses - the records of the memory that the command is given
 * @param type - of the command; the driver is asked for one that is not known
 */
export function submit(
  queue: CommandQueue,
  method: string,
  waitFor: readonly Event[] | undefined,
  uses: Iterable<UseRecord | undefined>,
  issue: Issue,
  type?: CommandType,
): Event {
  const raw = queue.use(method);
  const { list, submission } = readState(queue);
  try {
    for (const record of uses) submission.use(record);
    const count = submission.order(list, waitFor, method);
    const { slots, out } = submission;
    withReclaim(() => issue(raw, count, count === 0 ? NULL : slots, out));
    return submission.accept(list, type);
  } finally {
    submission.clear();
  }
}

/** Order all later commands of the queue after commands of other queues. */
export function enqueueBarrierFor(queue: CommandQueue, events: readonly Event[]): void {
  const { list, submission } = readState(queue);
  submission.orderAfter(list, events);
}

/** Refuse a blocking command that could never end. */
export function refuseToBlock(queue: CommandQueue, method: string, waitFor: readonly Event[] | undefined): void {
  if (waitFor !== undefined) checkEvents(waitFor, `${method}: waitFor`);
  const own = blockersOf(waitFor);
  refuseToHang(method, own.length > 0 ? own : eventsOf(queue).blockers);
}

/** Refuse a value that is not a queue. */
export function checkQueue(queue: unknown, method: string): asserts queue is CommandQueue {
  if (!(queue instanceof CommandQueue)) {
    throw new TypeError(`${method} takes a CommandQueue first, got ${nameOf(queue)}`);
  }
}
