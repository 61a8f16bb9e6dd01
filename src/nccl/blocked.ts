import { pause } from '../core/pause.ts';
import { attempt, interpose } from '../cuda/call.ts';
import { recording } from '../cuda/captures.ts';
import { slotOf as driverSlotOf } from '../cuda/slots.ts';
import { workCounters } from '../cuda/stream-work.ts';
import { waitGuards } from '../cuda/waits.ts';
import { take } from '../ffi/slot.ts';
import type { CommunicatorState } from './communicator-state.ts';
import { endOfWork } from './end-of-work.ts';
import { NcclError } from './errors.ts';
import { atProcessEnd } from './process-end.ts';

/** A wait that is over so soon, as for a small collective, has nothing to tell. */
const GLANCE_MS = 0.1;
/** Communicators of this thread. */
const states = new Set<CommunicatorState>();
const contextSlot = driverSlotOf('CUcontext');
const atEnd = endOfWork(inFlightAtEnd, waitForAll);

/**
 * Look after a communicator while the program waits for the device in a call that blocks: there the event loop, which looks after
 * it otherwise, stands still. What streams are given is counted from the first one on: much of it blocks, too.
 *
 * @returns ends it
 */
export function lookAfter(state: CommunicatorState): () => void {
  states.add(state);
  atProcessEnd('calls', atEnd);
  interpose({ ...workCounters(beforeTooMuch), ...waitGuards(beforeWait) });
  return () => void states.delete(state);
}

/**
 * Wait in the place of the driver, as long as calls of NCCL are in flight in the current context.
 *
 * @throws {@link NcclTimeoutError} they do not finish
 */
function beforeWait(isOver: (() => boolean) | undefined): void {
  // The driver would take a question for a part of the capture.
  if (states.size === 0 || recording.active > 0) return;
  const inFlight = ofCurrentContext().filter(({ watch }) => watch.isBusy);
  if (inFlight.length === 0) return;
  const isDone = isOver ?? (() => inFlight.every(({ watch }) => !watch.isBusy));
  if (!isDone()) waitFor(isDone, inFlight);
}

/**
 * Wait in the place of the driver, which blocks the thread when streams have too much work behind a call that is not finished.
 *
 * @throws {@link NcclTimeoutError} it does not finish
 */
function beforeTooMuch(): void {
  if (states.size === 0 || recording.active > 0) return;
  const overloaded = [...states].filter(({ failure, watch }) => failure === undefined && watch.isOverloaded);
  if (overloaded.length > 0) waitFor(() => !overloaded.some(({ watch }) => watch.isOverloaded), overloaded);
}

function waitFor(isDone: () => boolean, inFlight: readonly CommunicatorState[]): void {
  const failures = inFlight.map(({ failure }) => failure);
  for (const state of inFlight) state.block();
  try {
    const sinceMs = performance.now();
    while (!isDone()) {
      const waitedMs = performance.now() - sinceMs;
      if (waitedMs < GLANCE_MS) continue;
      inFlight.forEach((state, i) => {
        state.look();
        if (state.failure !== undefined && state.failure !== failures[i]) throw state.failure;
      });
      pause(waitedMs);
    }
  } finally {
    for (const state of inFlight) state.unblock();
  }
}

/**
 * The communicators whose calls are in flight at the end of the process, but for those that are aborted, which end by themselves.
 *
 * @param tell - called with a failure that is found here: a rejection would be heard by nobody any more
 */
function inFlightAtEnd(tell: (error: Error) => void): readonly CommunicatorState[] {
  const open = [...states].filter(({ isAborted }) => !isAborted);
  return open.filter((state) => {
    const { failure } = state;
    state.pending++;
    const { isBusy } = state.watch;
    state.pending--;
    if (state.failure !== undefined && state.failure !== failure) tell(state.failure);
    // NCCL may have put a call on its stream that has failed there: nothing watches it.
    return isBusy || state.unfinished > 0 || state.failure instanceof NcclError;
  });
}

function waitForAll(inFlight: readonly CommunicatorState[]): void {
  const sound = inFlight.filter(({ failure }) => failure === undefined);
  waitFor(() => !sound.some(({ watch }) => watch.isBusy), sound);
  for (const { failure } of sound) if (failure !== undefined) throw failure;
}

function ofCurrentContext(): readonly CommunicatorState[] {
  contextSlot[0] = 0n;
  attempt('cuCtxGetCurrent', contextSlot);
  const current: bigint = take(contextSlot);
  return [...states].filter(({ facts }) => facts.contextHandle.value === current);
}
