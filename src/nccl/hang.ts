import { formatMessage, warn } from '../core/errors.ts';
import { ABORT_MS, abortOnWorker } from './abort.ts';
import type { CommunicatorState } from './communicator-state.ts';
import { endsAnyway, tell } from './end-of-work.ts';
import { NcclTimeoutError } from './errors.ts';
import { describeEntry, type FlightEntry } from './flight-record.ts';
import { endText, reportHang, type HangReport, type RankState } from './hang-report.ts';
import { ROUTINES } from './routines.ts';

/** Those that are being reported. */
const late = new WeakSet<CommunicatorState>();

/**
 * A call has used up its time: ask the other ranks, reject what waits with an error that says why, and abort.
 *
 * @param timeoutMs - the time limit; undefined: another rank is at its own, or has left
 */
export function beLate(state: CommunicatorState, timeoutMs: number | undefined): void {
  if (late.has(state) || state.isAborted) return;
  late.add(state);
  if (state.isBlocked) endLateNow(state, timeoutMs);
  else endLate(state, timeoutMs).catch(warnOfAbort);
}

function warnOfAbort(error: unknown): void {
  warn(`A communicator could not be aborted: ${String(error)}`, 'RAWKERNEL_CLEANUP');
}

/** Go on with a communicator whose calls are given up by `shrink()`. */
export function forgive(state: CommunicatorState): void {
  late.delete(state);
  state.failure = undefined;
}

async function endLate(state: CommunicatorState, timeoutMs: number | undefined): Promise<void> {
  // What another rank's answer is about is what this one was at when it was asked.
  const head = state.record.head();
  const error = errorOf(state, head, timeoutMs, await state.exchange?.gather(timeoutMs));
  const isTold = state.pending > 0;
  state.fail(error);
  const { onTimeout } = state.facts;
  if (onTimeout === 'exit') {
    await leave(state, error);
    return;
  }
  // No promise tells of it: as an error that nothing has caught.
  if (!isTold) void Promise.reject(error);
  if (onTimeout === 'abort') await abort(state);
}

/** The same without the event loop: the call that blocks throws the error. */
function endLateNow(state: CommunicatorState, timeoutMs: number | undefined): void {
  const head = state.record.head();
  const error = errorOf(state, head, timeoutMs, state.exchange?.gatherNow(timeoutMs));
  state.fail(error);
  const { onTimeout } = state.facts;
  if (onTimeout === 'exit' && !endsAnyway()) {
    tell(error);
    process.exit(1);
  }
  if (onTimeout === 'abort') abort(state).catch(warnOfAbort);
}

function errorOf(
  state: CommunicatorState,
  head: FlightEntry | undefined,
  timeoutMs: number | undefined,
  states: readonly RankState[] | undefined,
): NcclTimeoutError {
  const report = states && reportHang(states, timeoutMs, state.exchange?.lost);
  return new NcclTimeoutError(messageOf(state, head, timeoutMs, report), routineOf(state, head), report);
}

function messageOf(
  state: CommunicatorState,
  head: FlightEntry | undefined,
  timeoutMs: number | undefined,
  report: HangReport | undefined,
): string {
  const what = head === undefined ? (state.waiting?.text ?? 'Nothing') : describeEntry(head);
  const alone =
    'Only this rank is known: communicators of Communicator.fromEnvironment(), or with a store, tell what the other ranks are at';
  return formatMessage({
    headline:
      head === undefined && state.waiting === undefined
        ? `${state.title}: ${timeoutMs === undefined ? 'a call of another rank cannot finish' : 'another rank is at its time limit'}`
        : `${what} ${endText(timeoutMs)}`,
    reason: report === undefined ? alone : report.lines.join('\n'),
    facts: { here: state.title, NCCL: state.remoteError },
  });
}

function routineOf({ waiting }: CommunicatorState, head: FlightEntry | undefined): string {
  return head === undefined ? (waiting?.routine ?? 'NCCL') : ROUTINES[head.name];
}

/** Abort; NCCL frees the communicator. */
export async function abort(state: CommunicatorState): Promise<void> {
  if (state.isAborted) return;
  state.isAborted = true;
  state.watch.close();
  await abortOnWorker(state.raw);
}

/** Say why, abort as far as NCCL does so in time, and end the process: the launcher ends the other ranks. */
async function leave(state: CommunicatorState, error: NcclTimeoutError): Promise<void> {
  tell(error);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, ABORT_MS)));
  await Promise.race([abort(state).catch(() => undefined), limit]);
  clearTimeout(timer);
  process.exit(1);
}
