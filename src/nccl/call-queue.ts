import { whenDone } from '../core/poll.ts';
import type { CommunicatorState } from './communicator-state.ts';
import type { DeviceQueue, Queued } from './device-queue.ts';
import { isTurnDue, spendOfTurn } from './turn.ts';

/** What one call, or a group of calls, does. */
export interface SubmissionParts {
  /** The communicators that it is for, each once. */
  readonly states: readonly CommunicatorState[];
  /** The C function that errors name. */
  readonly routine: string;
  readonly timeoutMs: number;
  /** Give it to NCCL. */
  readonly start: () => void;
  /** It is not taken at once: keep what it uses until its end. */
  readonly hold?: (() => void) | undefined;
  /** NCCL has taken it. */
  readonly taken?: (() => void) | undefined;
  /** It is over, with or without an error. */
  readonly end?: (() => void) | undefined;
  /** NCCL has not taken it in time. */
  readonly late: (timeoutMs: number | undefined) => void;
}

/**
 * How long a call is waited for at once, in milliseconds: NCCL's thread needs 40 to 80 us for a usual one (two H200), and turns of
 * the event loop add to them.
 */
const SPIN_MS = 0.15;
/** That of all calls that NCCL takes at once. */
const TAKEN = Promise.resolve();

/** Work that goes to NCCL when the calls before it on the same devices have been taken. */
export class Submission implements Queued {
  readonly parts: SubmissionParts;
  readonly queues: readonly DeviceQueue[];
  readonly promise: Promise<void>;
  isStarted = false;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;
  readonly #over: (submission: Submission) => void;
  /** When NCCL must have taken it; undefined: NCCL has not been given it. */
  #deadline: number | undefined;
  #isOver = false;
  #isLate = false;

  /** @param over - called when it is over, unless {@link start} or {@link advance} has said so */
  constructor(parts: SubmissionParts, over: (submission: Submission) => void) {
    this.parts = parts;
    this.queues = [...new Set(parts.states.map(({ queue }) => queue))];
    this.#over = over;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    for (const state of parts.states) {
      state.handle.retain();
      state.pending++;
      state.unfinished++;
    }
    parts.hold?.();
  }

  start(): boolean {
    this.isStarted = true;
    if (this.#advance(isTakenAtOnce)) return true;
    this.#follow();
    return false;
  }

  advance(): boolean {
    return this.isStarted && this.#advance(isTaken);
  }

  /** NCCL has been given it: wait for its thread. */
  follow(): void {
    this.isStarted = true;
    this.#deadline = performance.now() + this.parts.timeoutMs;
    this.#follow();
  }

  #follow(): void {
    void whenDone(() => {
      if (!this.#advance(isTaken)) return false;
      this.#over(this);
      return true;
    });
  }

  #advance(ask: typeof isTaken): boolean {
    if (this.#isOver) return true;
    try {
      if (this.#deadline === undefined && !this.#give()) return false;
      if (ask(this.parts)) return this.#settle();
      this.#checkTime();
      return false;
    } catch (error) {
      return this.#settle(errorOf(this.parts, error));
    }
  }

  /** Give it to NCCL, unless its devices have not finished enough of the calls before it. */
  #give(): boolean {
    const { states, timeoutMs } = this.parts;
    const isFull = states.some(({ watch }) => watch.isFull);
    // What has just been found, too.
    for (const { failure } of states) if (failure !== undefined) throw failure;
    if (isFull) return false;
    this.parts.start();
    this.#deadline = performance.now() + timeoutMs;
    return true;
  }

  #checkTime(): void {
    if (this.#isLate) return;
    const isOver = performance.now() > (this.#deadline ?? Infinity);
    if (!isOver && !this.parts.states.some((state) => state.isBroken)) return;
    this.#isLate = true;
    this.parts.late(isOver ? this.parts.timeoutMs : undefined);
  }

  #settle(error?: unknown): true {
    this.#isOver = true;
    const { parts } = this;
    let reason = error;
    try {
      if (reason === undefined) parts.taken?.();
    } catch (cause) {
      reason = errorOf(parts, cause);
    }
    parts.end?.();
    for (const state of parts.states) {
      state.pending--;
      state.unfinished--;
      state.handle.release();
    }
    if (reason === undefined) this.#resolve();
    else this.#reject(reason);
    return true;
  }
}

/**
 * Give work to NCCL behind the others of its devices. Where none is before it and NCCL's thread takes it within a moment, nothing
 * else runs meanwhile: nothing has to be kept, and nothing is made for it.
 *
 * @param meanwhile - what there is to do while NCCL's thread works
 */
export function submit(parts: SubmissionParts, meanwhile?: () => void): Promise<void> {
  for (const { queue } of parts.states) if (queue.length > 0) catchUp(queue);
  if (!parts.states.every(isFree)) return submitBehind(parts, meanwhile);
  const sinceMs = performance.now();
  try {
    parts.start();
    meanwhile?.();
    if (!isTakenAtOnce(parts)) return followed(parts);
    parts.taken?.();
  } catch (error) {
    parts.end?.();
    return Promise.reject(errorOf(parts, error));
  }
  parts.end?.();
  spendOfTurn(sinceMs);
  return TAKEN;
}

/** Whether nothing is before a call, which may be given to NCCL at once. */
function isFree({ failure, queue, watch }: CommunicatorState): boolean {
  return failure === undefined && queue.length === 0 && !watch.isAhead;
}

/** See what has become of the work that is first on a device: the event loop may not have turned since. */
function catchUp([first]: DeviceQueue): void {
  if (first?.advance()) goOn(first);
}

/** Work behind the others of its devices. */
function queued(parts: SubmissionParts): Submission {
  const submission = new Submission(parts, goOn);
  for (const queue of submission.queues) queue.push(submission);
  return submission;
}

/** Wait for what NCCL has been given, and others behind it. */
function followed(parts: SubmissionParts): Promise<void> {
  const submission = queued(parts);
  submission.follow();
  return submission.promise;
}

function submitBehind(parts: SubmissionParts, meanwhile: (() => void) | undefined): Promise<void> {
  const submission = queued(parts);
  meanwhile?.();
  startFrom([submission]);
  return submission.promise;
}

function isTaken({ states, routine }: SubmissionParts): boolean {
  let isTaken = true;
  for (const state of states) if (state.isBusy(routine)) isTaken = false;
  return isTaken;
}

function isTakenAtOnce(parts: SubmissionParts): boolean {
  if (isTaken(parts)) return true;
  // The event loop turns while NCCL's thread works.
  if (isTurnDue()) return false;
  const end = performance.now() + SPIN_MS;
  while (performance.now() < end) if (isTaken(parts)) return true;
  return false;
}

/** A communicator that NCCL has refused a call of has failed as a whole. */
function errorOf({ states }: SubmissionParts, error: unknown): Error {
  let told = error as Error;
  for (const state of states) told = state.noteRefusal(told);
  return told;
}

/** Start those that are first on all of their devices, and what comes after those that are over at once. */
function startFrom(candidates: Queued[]): void {
  for (let next = candidates.pop(); next !== undefined; next = candidates.pop()) {
    if (!isNext(next)) continue;
    const sinceMs = performance.now();
    if (next.start()) candidates.push(...leave(next));
    spendOfTurn(sinceMs);
  }
}

/** What comes after a submission that is over. */
function goOn(submission: Queued): void {
  startFrom(leave(submission));
}

/** Whether it is to be started: the first on all of its devices. */
function isNext(submission: Queued): boolean {
  return !submission.isStarted && submission.queues.every(([first]) => first === submission);
}

/** Take a submission out of its queues, unless it has been. Returns those that are first now. */
function leave(submission: Queued): Queued[] {
  const next: Queued[] = [];
  for (const queue of submission.queues) {
    const [first, second] = queue;
    if (first !== submission) continue;
    queue.shift();
    if (second !== undefined) next.push(second);
  }
  return next;
}
