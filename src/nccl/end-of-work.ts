import { warn } from '../core/errors.ts';
import { pause } from '../core/pause.ts';
import { ABORT_MS, abortOnWorker } from './abort.ts';
import type { CommunicatorState } from './communicator-state.ts';
import type { Ending } from './process-end.ts';

/** How long it has where nothing tells of the end: its thread asks them to at once. */
const QUIET_MS = 100;
let isEnding = false;

/** Whether the process ends already, so that nothing need end it. */
export function endsAnyway(): boolean {
  return isEnding;
}

/**
 * At the end of a process CUDA waits for the device. A call that never finishes would be told by nobody then, and the launcher would
 * not hear that the process has failed. So calls in flight are waited for here before, as in a call that blocks; where the program has
 * failed they are ended.
 *
 * @param inFlight - the communicators with calls in flight
 * @param wait - waits for their calls; what it throws is told
 * @returns what is to be done at the end
 */
export function endOfWork(
  inFlight: (tell: (error: Error) => void) => readonly CommunicatorState[],
  wait: (inFlight: readonly CommunicatorState[]) => void,
): Ending {
  const finish = (): void => {
    const states = inFlight(tell);
    if (states.length === 0) return;
    isEnding = true;
    try {
      wait(states);
    } catch (error) {
      tell(error);
    } finally {
      isEnding = false;
    }
  };
  return ({ isExit, hasFailed }) => {
    if (!hasFailed) finish();
    if (isExit) end(inFlight(tell));
  };
}

/** Say why the process ends, which counts as failed from now on. */
export function tell(error: unknown): void {
  if (process.exitCode === undefined || process.exitCode === 0) process.exitCode = 1;
  process.stderr.write(`${String(error)}\n`);
}

/** Have NCCL's kernels end, which it does on a thread of the runtime. */
function end(states: readonly CommunicatorState[]): void {
  if (states.length === 0) return;
  const sinceMs = performance.now();
  for (const state of states) {
    state.isAborted = true;
    abortOnWorker(state.raw).catch((error: unknown) =>
      warn(`ncclCommAbort failed: ${String(error)}`, 'RAWKERNEL_CLEANUP'),
    );
  }
  for (let waitedMs = 0; waitedMs < ABORT_MS; waitedMs = performance.now() - sinceMs) {
    if (waitedMs > QUIET_MS && !states.some(({ watch }) => watch.isBusy)) return;
    pause(waitedMs);
  }
}
