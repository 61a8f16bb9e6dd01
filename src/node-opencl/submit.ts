import { warn } from '../core/errors.ts';
import type { Handle } from '../core/handle.ts';
import { holdUntil } from '../core/in-flight.ts';
import { EventInfo } from '../opencl/sys/enums.ts';
import { objects, pointerTo, queue as queueOf, type Convert } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments } from './failure.ts';
import type { Raw } from './handle.ts';
import { CLEvent, type CLCommandQueue } from './objects.ts';

/** What every enqueue takes at its end. */
export type End = [waitList?: readonly CLEvent[] | null, wantEvent?: unknown];

/** An event where one was wanted, else SUCCESS. */
export type EventOr0 = CLEvent | 0;

/** The end of a call to the driver. */
export type Enqueue = (count: number, list: BigUint64Array | bigint, event: BigUint64Array | bigint) => unknown;

/** What a command in flight uses. */
export interface Kept {
  /** Memory of the host. */
  readonly memory?: unknown;
  /** Objects that are not to be freed before. */
  readonly handles?: readonly Handle<bigint>[];
}

const listOfEvents = objects('CLEvent');
const statusSlot = new Int32Array(1);

/** The status of an event: negative where its command failed, 0 where it has ended. */
export function statusOf(event: Raw<'CLEvent'>): number {
  cl.clGetEventInfo(event, EventInfo.COMMAND_EXECUTION_STATUS[0], 4, statusSlot, 0n);
  return statusSlot[0] ?? 0;
}

/** Enqueue a command. What it uses while it runs beside the host is kept until it has ended. */
export function submit(end: readonly unknown[], position: number, enqueue: Enqueue, kept?: Kept): EventOr0 {
  const list = listOfEvents(end[0], position);
  const wanted = Boolean(end[1]);
  const slot = wanted || kept ? new BigUint64Array(1) : 0n;
  enqueue(list.length, pointerTo(list), slot);
  if (slot === 0n) return 0;
  const raw = slot[0] as Raw<'CLEvent'>;
  if (kept) keep(raw, wanted, kept);
  return wanted ? new CLEvent(raw) : 0;
}

function keep(raw: Raw<'CLEvent'>, wanted: boolean, { memory, handles = [] }: Kept): void {
  if (wanted) cl.clRetainEvent(raw);
  for (const handle of handles) handle.retain();
  const held = [memory];
  holdUntil(
    () => statusOf(raw) <= 0,
    () => {
      held.length = 0;
      for (const handle of handles) handle.release();
      try {
        cl.clReleaseEvent(raw);
      } catch (error) {
        warn(`Clean-up of an event failed: ${String(error)}`, 'RAWKERNEL_CLEANUP');
      }
    },
  );
}

/** An enqueue: the queue, what the command is about, the events that it waits for, and whether its own is wanted. */
export type EnqueueFunction<Arguments extends readonly unknown[]> = (
  queue: CLCommandQueue,
  ...args: [...Arguments, ...End]
) => EventOr0;

type EnqueueName = keyof typeof cl & `clEnqueue${string}`;

/** An enqueue whose arguments between the queue and the wait list are converted one by one. */
export function enqueuing<Arguments extends readonly unknown[]>(
  name: EnqueueName,
  converts: readonly Convert<unknown>[],
): EnqueueFunction<Arguments> {
  const call = cl[name] as (...args: unknown[]) => unknown;
  const least = converts.length + 1;
  return (...args) => {
    expectArguments(args, least);
    const queue = queueOf(args[0], 0);
    const converted = converts.map((convert, i) => convert(args[i + 1], i + 1));
    return submit(args.slice(least), least, (count, list, event) => call(queue, ...converted, count, list, event));
  };
}
