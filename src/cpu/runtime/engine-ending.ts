import { Status } from '../abi/status.ts';
import { milliseconds } from './clock.ts';
import { Word } from './control.ts';
import type { CommandQueue } from './queue.ts';
import type { TimeLimit } from './time-limit.ts';

/** Workers that take longer to start count as failed. */
const START_MS = 60_000;

/** Why the workers are ended. */
export interface Ending {
  /** The fault of the contexts that are lost: a CUDA status. */
  readonly status: number;
  /** The command whose context has the fault first. */
  readonly cause: number;
  /** The contexts of commands that have not begun are lost, too. */
  readonly every: boolean;
}

/** Why the workers have to be ended now: one has ended by itself, or a kernel runs for too long. */
export function endingOf(
  queue: CommandQueue,
  limit: TimeLimit,
  pool: { readonly failure: unknown },
  started: number,
): Ending | undefined {
  const dead = Atomics.load(queue.control, Word.READY) === 0 && milliseconds() - started > START_MS;
  if (pool.failure !== undefined || dead) return { status: Status.UNKNOWN, cause: queue.first, every: true };
  const late = limit.exceeded;
  if (late !== undefined) return { status: Status.LAUNCH_TIMEOUT, cause: late, every: false };
  if (limit.lost !== undefined) return { status: Status.LAUNCH_FAILED, cause: queue.first, every: false };
  return undefined;
}
