import { readFlag } from '../../core/choice.ts';
import { Handle } from '../../core/handle.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { whenDone } from '../../core/poll.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { callError, callQuickly, cu, quickly } from '../call.ts';
import { requireContext, destroyIn } from '../device/context.ts';
import { ipcBytes } from '../memory/ipc.ts';
import { streamHandle, type Stream } from './stream.ts';
import { EventFlags, status as statuses } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUevent = Opaque<'CUevent'>;

/** How an event is made. */
export interface EventOptions {
  /** Record times; on by default. Without them an event is cheaper. */
  readonly timing?: boolean;
  /** Let `synchronize()` sleep instead of spinning. */
  readonly blockingSync?: boolean;
  /** Make it shareable with other processes; needs `timing: false`. */
  readonly interprocess?: boolean;
}

const NOT_READY = statuses.CUDA_ERROR_NOT_READY[0];
const INVALID_HANDLE = statuses.CUDA_ERROR_INVALID_HANDLE[0];
const slot = slotOf('CUevent');
const floatSlot = slotOf('float');
let wasRecorded: (event: Event) => boolean;
let isTimed: (event: Event) => boolean;
let isEvent: (value: unknown) => value is Event;

/**
 * A mark in a stream, to wait for and to measure by.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { Event } from 'rawkernel/cuda';
 *
 * using start = new Event().record();
 * using end = new Event().record();
 * end.synchronize();
 * console.log(`${end.timeSince(start)} ms`);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html | Event management}
 */
export class Event extends Resource<CUevent> {
  readonly #timing: boolean;
  #recorded = false;

  /**
   * Create an event in the current context.
   *
   * @throws {@link CudaLogicError} no context is current
   */
  constructor(options?: EventOptions);
  /** @internal */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- the second one is not public
  constructor(options: EventOptions, adopted: Handle<CUevent>);
  constructor(options?: EventOptions, adopted?: Handle<CUevent>) {
    const flags = options === undefined ? EventFlags.DEFAULT : flagsOf(options);
    super(adopted ?? create(flags));
    this.#timing = (flags & EventFlags.DISABLE_TIMING) === 0;
  }

  /**
   * Use an event of another process, which was made there with `interprocess`.
   *
   * @param handle - what {@link Event.ipcHandle} gave there; a process cannot open its own
   * @throws TypeError not 64 bytes
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuIpcOpenEventHandle}
   */
  static fromIpcHandle(handle: Uint8Array): Event {
    const reserved = ipcBytes(handle, 'Event.fromIpcHandle');
    const context = requireContext('cuIpcOpenEventHandle');
    cu.cuIpcOpenEventHandle(slot, { reserved });
    return new Event({ timing: false, interprocess: true }, own(context));
  }

  /**
   * 64 bytes that name the event to other processes on this machine, for {@link Event.fromIpcHandle}.
   *
   * @throws {@link CudaLogicError} the event was not made with `interprocess`
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuIpcGetEventHandle}
   */
  ipcHandle(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(structs.CUipcEventHandle.size);
    cu.cuIpcGetEventHandle(bytes, this.use('ipcHandle'));
    return bytes;
  }

  /**
   * Mark this point of a stream.
   *
   * Host: does not block. Stream: ordered.
   *
   * @returns the event itself
   */
  record(stream: Stream | null = null): this {
    callQuickly('cuEventRecord', this.use('record'), streamHandle(stream, 'Event.record'));
    this.#recorded = true;
    return this;
  }

  /**
   * Wait until the mark has been passed.
   *
   * Host: blocks.
   *
   * @returns the event itself
   * @throws {@link CudaLaunchError} a kernel that ran before has failed
   */
  synchronize(): this {
    cu.cuEventSynchronize(this.use('synchronize'));
    return this;
  }

  /** Resolve when the mark has been passed. Polls; the process stays alive meanwhile. Host: does not block. */
  done(): Promise<void> {
    const event = handleOf(this, 'done').retain();
    return whenDone(() => cu.cuEventQuery(event.value) === 0).finally(() => {
      event.release();
    });
  }

  /** Whether the mark has been passed. An event that was never recorded counts as passed. Host: does not block. */
  query(): boolean {
    return cu.cuEventQuery(this.use('query')) === 0;
  }

  /**
   * Milliseconds from an earlier event to this one, with a resolution of about half a microsecond.
   *
   * Host: does not block; both must have been passed.
   *
   * @throws {@link CudaRuntimeError} CUDA_ERROR_NOT_READY: one has not been passed yet
   * @throws {@link CudaLogicError} one was never recorded, or records no times
   */
  timeSince(start: Event): number {
    if (!isEvent(start)) throw new TypeError(`Event.timeSince takes an Event, got ${nameOf(start)}`);
    const status = quickly('cuEventElapsedTime')(floatSlot, start.use('timeSince'), this.use('timeSince'));
    if (status !== 0) {
      const reason = misuse(status, [start, this]);
      throw callError('cuEventElapsedTime', status, reason === undefined ? {} : { reason });
    }
    return take(floatSlot);
  }

  /** Milliseconds from this event to a later one; see {@link Event.timeSince}. */
  timeTill(end: Event): number {
    if (!isEvent(end)) throw new TypeError(`Event.timeTill takes an Event, got ${nameOf(end)}`);
    return end.timeSince(this);
  }

  /** The driver's `CUevent`, borrowed: good until {@link Event.close}. */
  get handle(): CUevent {
    return this.use('handle');
  }

  static {
    wasRecorded = (event) => event.#recorded;
    isTimed = (event) => event.#timing;
    isEvent = (value): value is Event => typeof value === 'object' && value !== null && #recorded in value;
  }
}

/** Whether an event tells a time. */
export function hasTiming(event: Event): boolean {
  return isTimed(event);
}

/** The driver has one status for several mistakes: work out which it was. */
function misuse(status: number, events: readonly Event[]): string | undefined {
  if (status === NOT_READY) return 'The device has not passed both events yet: synchronize the later one first';
  if (status !== INVALID_HANDLE) return undefined;
  if (events.some((event) => !hasTiming(event))) return 'An event was made with timing: false and has no time';
  if (events.some((event) => !wasRecorded(event))) return 'An event was never recorded: call record() first';
  return 'The events belong to different contexts';
}

function flagsOf(options: EventOptions): number {
  checkOptions(options, ['timing', 'blockingSync', 'interprocess'], 'Event');
  const timing = readFlag(options.timing ?? true, 'Event: timing');
  const blockingSync = readFlag(options.blockingSync, 'Event: blockingSync');
  const interprocess = readFlag(options.interprocess, 'Event: interprocess');
  if (interprocess && timing) throw new TypeError('An interprocess event cannot record times: pass timing: false');
  let flags: number = EventFlags.DEFAULT;
  if (!timing) flags |= EventFlags.DISABLE_TIMING;
  if (blockingSync) flags |= EventFlags.BLOCKING_SYNC;
  if (interprocess) flags |= EventFlags.INTERPROCESS;
  return flags;
}

function create(flags: number): Handle<CUevent> {
  const context = requireContext('cuEventCreate');
  callQuickly('cuEventCreate', slot, flags);
  return own(context);
}

/** The owner of the event that the driver has just given. */
function own(context: ReturnType<typeof requireContext>): Handle<CUevent> {
  const destroy = (event: CUevent): void => {
    destroyIn(context, 'cuEventDestroy', event);
  };
  return new Handle('Event', take(slot), destroy, [context]);
}
