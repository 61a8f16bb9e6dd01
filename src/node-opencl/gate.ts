import { failure } from './failure.ts';
import type { Raw } from './handle.ts';
import type { CLEvent } from './objects.ts';

/** A user event that holds commands back: open until the program sets its status. */
export interface Gate {
  open: boolean;
  /** How many wrappers can still set it. */
  holders: number;
}

/** The gates of user events, by their wrappers. */
const users = new WeakMap<CLEvent, Gate>();
/** The gates that an event's command waits for, directly or not. */
const waits = new WeakMap<CLEvent, readonly Gate[]>();
/** The gates that the commands of a queue wait for. */
const queues = new Map<Raw<'CLCommandQueue'>, readonly Gate[]>();

/** Tie a gate to the wrapper of a user event. */
export function holdGate(event: CLEvent, gate: Gate): void {
  users.set(event, gate);
}

/** The gate of a user event; undefined for a command's event. */
export function gateOf(event: CLEvent): Gate | undefined {
  return users.get(event);
}

/** The open gates that events wait for. */
export function gatesOf(events: readonly CLEvent[]): Gate[] {
  return events.flatMap((event) => {
    const own = users.get(event);
    return [...(own ? [own] : []), ...(waits.get(event) ?? [])].filter(({ open }) => open);
  });
}

/** The open gates in front of the next command. */
export function gatesBefore(queue: Raw<'CLCommandQueue'>): readonly Gate[] {
  const known = queues.get(queue);
  if (known === undefined) return [];
  const left = known.filter(({ open }) => open);
  if (left.length > 0) queues.set(queue, left);
  else queues.delete(queue);
  return left;
}

/**
 * Remember the gates of all later commands of a queue. A driver may run an out-of-order queue in order, as NVIDIA's does:
 * a gate that holds one command back holds back all.
 */
export function putBehind(queue: Raw<'CLCommandQueue'>, gates: readonly Gate[]): void {
  if (gates.length > 0) queues.set(queue, [...new Set(gates)]);
}

/** Forget the gates of an earlier queue with this handle: the handle now belongs to a new queue. */
export function forgetQueue(queue: Raw<'CLCommandQueue'>): void {
  queues.delete(queue);
}

/** Remember which gates the command of an event waits for. */
export function waitBehind(event: CLEvent, gates: readonly Gate[]): void {
  if (gates.length > 0) waits.set(event, gates);
}

/** Refuse a call that could never end: this thread would have to set the user event. */
export function refuseToHang(gates: readonly Gate[]): void {
  if (gates.length === 0) return;
  throw failure(
    'CL_INVALID_EVENT_WAIT_LIST',
    new Error(
      'The call would never return: it waits for a user event whose status is not set, and nothing can set it while this thread waits; set the status first, or do not block',
    ),
  );
}
