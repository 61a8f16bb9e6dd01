import { MAKER } from '../core/maker.ts';
import { unpinLanded } from '../core/pin.ts';
import { whenDone } from '../core/poll.ts';
import { EventInfo, ProfilingInfo } from '../opencl/sys/enums.ts';
import { array, context, int, object, objects } from './argument.ts';
import { cl } from './call.ts';
import { runLater } from './callback.ts';
import { expectArguments, failure } from './failure.ts';
import type { Raw } from './handle.ts';
import { asking, pair, wrapped, readers, type GetInfo, type Readers } from './info.ts';
import { gateOf, gatesOf, refuseToHang, waitBehind } from './gate.ts';
import { CLEvent, retained, type CLContext } from './objects.ts';
import { checkNotFailed, statusOf } from './submit.ts';
import { endUserEvent, ownUserEvent } from './user-event.ts';

const eventOf = object('CLEvent');

const READERS: Readers = readers(
  [EventInfo.CONTEXT[0], wrapped(retained.context)],
  [EventInfo.COMMAND_QUEUE[0], wrapped(retained.queue)],
);
const PROFILING_READERS: Readers = readers(...Object.values(ProfilingInfo).map(([number]) => [number, pair] as const));

/** Wait until the commands of all these events have ended. The call blocks. */
export function waitForEvents(...args: [events: readonly CLEvent[]]): 0 {
  expectArguments(args, 1);
  array(args[0], 0);
  const events = objects('CLEvent')(args[0], 0);
  if (events.length === 0) throw failure('CL_INVALID_VALUE');
  refuseToHang(gatesOf(args[0]));
  cl.clWaitForEvents(events.length, events);
  // NVIDIA's driver returns success for a user event that was set to a failure.
  checkNotFailed(events);
  unpinLanded();
  return 0;
}

/** A property of an event: `cl.EVENT_COMMAND_EXECUTION_STATUS`. */
export const getEventInfo: GetInfo<CLEvent> = asking('CLEvent', 'clGetEventInfo', [EventInfo], READERS);

/** When a command passed through a stage, in nanoseconds: the high and the low 32 bits. */
export const getEventProfilingInfo: GetInfo<CLEvent> = asking(
  'CLEvent',
  'clGetEventProfilingInfo',
  [ProfilingInfo],
  PROFILING_READERS,
);

/** An event that the program sets itself. */
export function createUserEvent(...args: [context: CLContext]): CLEvent {
  expectArguments(args, 1);
  return ownUserEvent(cl.clCreateUserEvent(context(args[0], 0)));
}

/** End a user event: with 0, or with a negative error. A user event that is released before ends with -1. */
export function setUserEventStatus(...args: [event: CLEvent, status: number]): 0 {
  expectArguments(args, 2);
  endUserEvent(args[0], eventOf(args[0], 0), int(args[1], 1));
  return 0;
}

/**
 * Call a function when a command has reached a status: `cl.COMPLETE`. The event loop polls the status, so the function is
 * called after a `finish`, never inside one; until then the process stays alive.
 */
export function setEventCallback(
  ...args: [
    event: CLEvent,
    status: number,
    callback: (userData: unknown, status: number, event: CLEvent) => void,
    userData?: unknown,
  ]
): 0 {
  expectArguments(args, 3);
  const event = eventOf(args[0], 0);
  const wanted = int(args[1], 1);
  const callback = args[2] as unknown;
  if (typeof callback !== 'function' || wanted < 0 || wanted > 2) throw failure('CL_INVALID_VALUE');
  flushFor(event);
  // The program may release its own wrapper before.
  cl.clRetainEvent(event);
  const wrap = wrapperOf(args[0], event);
  let status = 0;
  const done = whenDone(() => (status = statusOf(event)) <= wanted);
  runLater(done, () => (callback as (...list: unknown[]) => void)(args[3], Math.min(status, wanted), wrap()));
  return 0;
}

/**
 * Makes the wrapper for a callback at the time of the call: an earlier one would hold a user event that the program has
 * released, which could never be ended.
 */
function wrapperOf(event: CLEvent, raw: Raw<'CLEvent'>): () => CLEvent {
  const gate = gateOf(event);
  if (gate) return () => ownUserEvent(raw, gate);
  const gates = gatesOf([event]);
  return () => {
    const own = new CLEvent(MAKER, raw);
    waitBehind(own, gates);
    return own;
  };
}

const queueSlot = new BigUint64Array(1);

/** Commands that are never handed over to the device would never end. */
function flushFor(event: Raw<'CLEvent'>): void {
  queueSlot[0] = 0n;
  cl.clGetEventInfo(event, EventInfo.COMMAND_QUEUE[0], 8, queueSlot, 0n);
  const queue = queueSlot[0] as Raw<'CLCommandQueue'>;
  if (queue !== 0n) cl.clFlush(queue);
}
