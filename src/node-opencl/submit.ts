import { MAKER } from '../core/maker.ts';
import { warn } from '../core/errors.ts';
import type { Handle } from '../core/handle.ts';
import { isHostMemory } from '../core/host-memory.ts';
import { pin } from '../core/pin.ts';
import { holdUntil } from '../core/in-flight.ts';
import { EventInfo } from '../opencl/sys/enums.ts';
import { objects, pointerTo, queue as queueOf, type Convert } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { gatesBefore, gatesOf, putBehind, refuseToHang, waitBehind, type Gate } from './gate.ts';
import type { Raw } from './handle.ts';
import { CLEvent, type CLCommandQueue } from './objects.ts';

/** The last arguments of every enqueue. */
export type End = [waitList?: readonly CLEvent[] | null, wantEvent?: unknown];

/** An event where one was asked for, else SUCCESS. */
export type EventOr0 = CLEvent | 0;

/** A call to the driver, by the wait list and the place of the command's event. */
export type Enqueue = (count: number, list: BigUint64Array | bigint, event: BigUint64Array | bigint) => unknown;

/** The facts about a command besides its arguments. */
export interface Command {
  /** Whether the call ends with the command. */
  readonly blocking?: boolean;
  /** Host memory, or a list of it, that the command still uses after the call. */
  readonly memory?: unknown;
  /** Objects that must not be freed before the command has ended. */
  readonly handles?: readonly Handle<bigint>[] | undefined;
}

const listOfEvents = objects('CLEvent');
const statusSlot = new Int32Array(1);

/** The status of an event: negative where its command failed, 0 where it has ended. */
export function statusOf(event: Raw<'CLEvent'>): number {
  cl.clGetEventInfo(event, EventInfo.COMMAND_EXECUTION_STATUS[0], 4, statusSlot, 0n);
  return statusSlot[0] ?? 0;
}

/**
 * Enqueue a command. The memory and the objects that it uses after the call are kept until it has ended.
 *
 * @param end - the last arguments of the call: the events to wait for, and whether to return the command's own event
 * @param position - of the list of events among the call's arguments
 */
export function submit(
  queue: Raw<'CLCommandQueue'>,
  end: readonly unknown[],
  position: number,
  enqueue: Enqueue,
  command: Command = {},
): EventOr0 {
  const list = listOfEvents(end[0], position);
  checkNotFailed(list);
  const gates = [...gatesBefore(queue), ...gatesOf(list.length > 0 ? (end[0] as CLEvent[]) : [])];
  if (command.blocking) refuseToHang(gates);
  const wanted = Boolean(end[1]);
  // PoCL aborts where a command fails behind a user event and the command's event has no reference.
  const keeps = command.memory !== undefined || command.handles !== undefined || gates.length > 0;
  const slot = wanted || keeps ? new BigUint64Array(1) : 0n;
  enqueue(list.length, pointerTo(list), slot);
  putBehind(queue, gates);
  if (slot === 0n) return 0;
  const raw = slot[0] as Raw<'CLEvent'>;
  if (keeps) keep(raw, wanted, command);
  return wanted ? eventBehind(raw, gates) : 0;
}

function eventBehind(raw: bigint, gates: readonly Gate[]): CLEvent {
  const event = new CLEvent(MAKER, raw);
  waitBehind(event, gates);
  return event;
}

/** Refuse to wait for a failed event: some drivers never start such a command, and never end it. */
export function checkNotFailed(events: BigUint64Array): void {
  for (const event of events) {
    const status = statusOf(event as Raw<'CLEvent'>);
    if (status >= 0) continue;
    const cause = new Error(`An event to wait for has ended with ${status}`);
    throw failure('CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST', cause);
  }
}

function keep(raw: Raw<'CLEvent'>, wanted: boolean, { memory, handles = [] }: Command): void {
  if (wanted) cl.clRetainEvent(raw);
  for (const handle of handles) handle.retain();
  const held: unknown[] = Array.isArray(memory) ? [...(memory as readonly unknown[])] : [memory];
  const unpins = held.flatMap((one) => (isHostMemory(one) ? [pin(one, 'command')] : []));
  holdUntil(
    () => statusOf(raw) <= 0,
    () => {
      held.length = 0;
      for (const unpin of unpins) unpin();
      for (const handle of handles) handle.release();
      try {
        cl.clReleaseEvent(raw);
      } catch (error) {
        warn(`Clean-up of an event failed: ${String(error)}`, 'RAWKERNEL_CLEANUP');
      }
    },
  );
}

/** An enqueue: the queue, the command's arguments, the events that it waits for, and whether to return its own event. */
export type EnqueueFunction<Arguments extends readonly unknown[]> = (
  queue: CLCommandQueue,
  ...args: [...Arguments, ...End]
) => EventOr0;

type EnqueueName = keyof typeof cl & `clEnqueue${string}`;

/** An enqueue whose arguments between the queue and the wait list are converted one by one. */
export function enqueuing<Arguments extends readonly unknown[]>(
  name: EnqueueName,
  converts: readonly Convert<unknown>[],
  check: (args: readonly unknown[]) => void = () => undefined,
): EnqueueFunction<Arguments> {
  const call = cl[name] as (...args: unknown[]) => unknown;
  const least = converts.length + 1;
  return (...args) => {
    expectArguments(args, least);
    const queue = queueOf(args[0], 0);
    const converted = converts.map((convert, i) => convert(args[i + 1], i + 1));
    check(converted);
    return submit(queue, args.slice(least), least, (...end) => call(queue, ...converted, ...end));
  };
}
