import type { Worker } from 'node:worker_threads';
import type { CTypes } from './ctype.ts';
import { leaveWithout } from './leave.ts';

/** A call of a C function that returns a status. */
export interface ThreadCall {
  /** The library's file, as the loader was asked for it. */
  readonly library: string;
  /** The line of the table. */
  readonly prototype: string;
  /** The types of the table. */
  readonly types: CTypes;
  /** Numbers, handles and addresses: memory stays where it is. */
  readonly args: readonly unknown[];
  /** Statuses after which the next call is made. */
  readonly good: readonly number[];
  /** Made whatever became of the calls before it: it ends what one of them has begun. */
  readonly isEnd?: boolean;
}

/** What the thread says: that it makes the calls now, and what they returned; undefined for those that it did not make. */
export type ThreadAnswer = 'begun' | readonly (number | undefined)[];

/**
 * Make calls one after another on a thread of their own, for those that take long and need what belongs to a thread, such as the
 * current context or an open group. The runtime's own worker threads cannot do so: each call may come to another one.
 *
 * @param start - starts the thread, `ffi/caller`, with the calls; undefined where it cannot
 * @returns the statuses, undefined for calls that were not made; undefined as a whole where the thread could not start: then
 *   nothing was called
 */
export function callOnThread(
  calls: readonly ThreadCall[],
  start: (calls: readonly ThreadCall[]) => Worker | undefined,
): Promise<readonly (number | undefined)[] | undefined> {
  const worker = start(calls);
  if (worker === undefined) return Promise.resolve(undefined);
  const answer = new Promise<readonly (number | undefined)[] | undefined>((resolve, reject) => {
    let hasBegun = false;
    const ended = (cause: unknown): void => {
      // Before the first call all can be done without the thread.
      if (hasBegun) reject(new Error('The thread of a call ended before the call did', { cause }));
      else resolve(undefined);
    };
    worker.on('message', (said: ThreadAnswer) => {
      if (said === 'begun') hasBegun = true;
      else resolve(said);
    });
    worker.on('error', ended);
    worker.on('exit', ended);
  });
  return leaveWithout(answer);
}
