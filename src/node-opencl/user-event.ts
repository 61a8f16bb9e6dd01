import { MAKER } from '../core/maker.ts';
import { cl } from './call.ts';
import { failure } from './failure.ts';
import { gateOf, holdGate, type Gate } from './gate.ts';
import type { Raw } from './handle.ts';
import { CLEvent } from './objects.ts';
import { statusOf } from './submit.ts';

const ABANDONED = -1;

/** A wrapper of a user event, which owns one reference. */
export function ownUserEvent(raw: bigint, gate: Gate = { open: true, holders: 0 }): CLEvent {
  gate.holders++;
  const destroy = (value: bigint): void => {
    const event = value as Raw<'CLEvent'>;
    // An event that the program can no longer set would keep its waiters and their memory for ever.
    if (--gate.holders === 0 && gate.open) {
      gate.open = false;
      cl.clSetUserEventStatus(event, ABANDONED);
    }
    cl.clReleaseEvent(event);
  };
  const event = new CLEvent(MAKER, raw, { owns: true, destroy });
  holdGate(event, gate);
  return event;
}

/** End a user event, once. */
export function endUserEvent(event: CLEvent, raw: Raw<'CLEvent'>, status: number): void {
  if (status > 0) throw failure('CL_INVALID_VALUE', new RangeError(`A status must be 0 or negative, got ${status}`));
  // Not every driver refuses a second status.
  if (statusOf(raw) <= 0) throw failure('CL_INVALID_OPERATION', new Error('The status of the event is already set'));
  cl.clSetUserEventStatus(raw, status);
  const gate = gateOf(event);
  if (gate) gate.open = false;
}
