import { whenDone } from '../core/poll.ts';
import type { CommunicatorState } from './communicator-state.ts';
import type { DeviceQueue, Queued } from './device-queue.ts';

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
  isStarted: boolean;
  /** Whether the promise of its being taken is still to be waited for. */
  #isOpen = false;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;
  readonly #over: (submission: Submission) => void;
  #isOver = false;
  #isLate = false;

  /**
   * @param over - called when it is over, unless {@link start} or {@link finish} says so
   * @param isStarted - whether NCCL has been given it
   */
  constructor(parts: SubmissionParts, over: (submission: Submission) => void, isStarted = false) {
    this.parts = parts;
    this.isStarted = isStarted;
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
    const { states } = this.parts;
    try {
      const isFull = states.some(({ watch }) => watch.isFull);
      // What has just been found, too.
      for (const { failure } of states) if (failure !== undefined) throw failure;
      if (isFull) {
        this.#follow(whenDone(() => this.#hasRoom()).then(() => this.#startLater()));
        return false;
      }
      this.parts.start();
    } catch (error) {
      return this.#settle(errorOf(this.parts, error));
    }
    this.#isOpen = true;
    return false;
  }

  finish(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    try {
      if (isTakenSoon(this.parts)) return this.#settle();
    } catch (error) {
      return this.#settle(errorOf(this.parts, error));
    }
    this.follow();
    return false;
  }

  /** Wait for NCCL's thread. */
  follow(): void {
    this.#follow(this.#wait());
  }

  async #startLater(): Promise<void> {
    this.parts.start();
    if (!isTakenSoon(this.parts)) await this.#wait();
  }

  #wait(): Promise<void> {
    const deadline = performance.now() + this.parts.timeoutMs;
    return whenDone(() => {
      if (isTaken(this.parts)) return true;
      if (!this.#isLate) this.#checkTime(deadline);
      return false;
    });
  }

  #checkTime(deadline: number): void {
    const isOver = performance.now() > deadline;
    if (!isOver && !this.parts.states.some((state) => state.isBroken)) return;
    this.#isLate = true;
    this.parts.late(isOver ? this.parts.timeoutMs : undefined);
  }

  #follow(work: Promise<void>): void {
    work.then(
      () => {
        this.#settle();
        this.#over(this);
      },
      (error: unknown) => {
        this.#settle(errorOf(this.parts, error));
        this.#over(this);
      },
    );
  }

  /** A call that is far ahead of the device waits until the device has finished others. */
  #hasRoom(): boolean {
    return this.parts.states.every(({ failure, watch }) => failure !== undefined || !watch.isFull);
  }

  #settle(error?: unknown): true {
    if (this.#isOver) return true;
    this.#isOver = true;
    const { parts } = this;
    let reason = error;
    try {
      if (reason === undefined) parts.taken?.();
    } catch (cause) {
      reason = cause;
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
  if (!parts.states.every(isFree)) return submitBehind(parts, meanwhile);
  try {
    parts.start();
    meanwhile?.();
    if (!isTakenSoon(parts)) return followed(parts);
    parts.taken?.();
  } catch (error) {
    parts.end?.();
    return Promise.reject(errorOf(parts, error));
  }
  parts.end?.();
  return TAKEN;
}

/** Whether nothing is before a call, which may be started at once. */
function isFree(state: CommunicatorState): boolean {
  return state.failure === undefined && state.queue.length === 0 && !state.watch.isAhead;
}

/** Wait for what NCCL has been given, and others behind it. */
function followed(parts: SubmissionParts): Promise<void> {
  const submission = new Submission(parts, goOn, true);
  for (const queue of submission.queues) queue.push(submission);
  submission.follow();
  return submission.promise;
}

function submitBehind(parts: SubmissionParts, meanwhile: (() => void) | undefined): Promise<void> {
  const submission = new Submission(parts, goOn);
  for (const queue of submission.queues) queue.push(submission);
  if (isNext(submission) && submission.start()) goOn(submission);
  meanwhile?.();
  if (submission.finish()) goOn(submission);
  return submission.promise;
}

function isTaken({ states, routine }: SubmissionParts): boolean {
  let isTaken = true;
  for (const state of states) if (state.isBusy(routine)) isTaken = false;
  return isTaken;
}

function isTakenSoon(parts: SubmissionParts): boolean {
  if (isTaken(parts)) return true;
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
    if (isNext(next) && (next.start() || next.finish())) candidates.push(...leave(next));
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

/** Take a submission out of its queues. Returns those that are first now. */
function leave(submission: Queued): Queued[] {
  const next: Queued[] = [];
  for (const queue of submission.queues) {
    queue.shift();
    if (queue[0] !== undefined) next.push(queue[0]);
  }
  return next;
}
