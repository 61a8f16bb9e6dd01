import type { CommunicatorState } from './communicator-state.ts';
import { whenDone } from '../core/poll.ts';

/** What one call, or a group of calls, does. */
export interface SubmissionParts {
  /** The communicators that it is for, each once. */
  readonly states: readonly CommunicatorState[];
  /** The C function that errors name. */
  readonly routine: string;
  readonly timeoutMs: number;
  /** Give it to NCCL. */
  readonly start: () => void;
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

/** Work that goes to NCCL when the calls before it on the same devices have been taken. */
export class Submission {
  readonly parts: SubmissionParts;
  /** Those of its devices. */
  readonly queues: readonly Submission[][];
  readonly promise: Promise<void>;
  isStarted = false;
  /** Whether the promise of its being taken is still to be waited for. */
  #isOpen = false;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;
  readonly #over: (submission: Submission) => void;
  #isOver = false;
  #isLate = false;

  /** @param over - called when it is over, unless {@link start} or {@link finish} says so */
  constructor(parts: SubmissionParts, over: (submission: Submission) => void) {
    this.parts = parts;
    this.queues = queuesOf(parts.states);
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
  }

  /** Give it to NCCL, whose thread works from now on. Whether it is over at once. */
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
      return this.#settle(this.#errorOf(error));
    }
    this.#isOpen = true;
    return false;
  }

  /** Wait for NCCL's thread, a moment at once. Whether it is over. */
  finish(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    try {
      if (this.#isTakenSoon()) return this.#settle();
    } catch (error) {
      return this.#settle(this.#errorOf(error));
    }
    this.#follow(this.#wait());
    return false;
  }

  async #startLater(): Promise<void> {
    this.parts.start();
    if (!this.#isTakenSoon()) await this.#wait();
  }

  #wait(): Promise<void> {
    const deadline = performance.now() + this.parts.timeoutMs;
    return whenDone(() => {
      if (this.#isTaken()) return true;
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
        this.#settle(this.#errorOf(error));
        this.#over(this);
      },
    );
  }

  /** A call that is far ahead of the device waits until the device has finished others. */
  #hasRoom(): boolean {
    return this.parts.states.every(({ failure, watch }) => failure !== undefined || !watch.isFull);
  }

  #isTaken(): boolean {
    let isTaken = true;
    for (const state of this.parts.states) if (state.isBusy(this.parts.routine)) isTaken = false;
    return isTaken;
  }

  #isTakenSoon(): boolean {
    if (this.#isTaken()) return true;
    const end = performance.now() + SPIN_MS;
    while (performance.now() < end) if (this.#isTaken()) return true;
    return false;
  }

  /** A communicator that NCCL has refused a call of has failed as a whole. */
  #errorOf(error: unknown): unknown {
    let told = error as Error;
    for (const state of this.parts.states) told = state.noteRefusal(told);
    return told;
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

/** Put a submission behind the others of its devices. */
export function submit(parts: SubmissionParts): Promise<void> {
  return settleSoon(submitOpen(parts));
}

/** The same, for a caller that has something to do while NCCL's thread works. {@link settleSoon} must come after it. */
export function submitOpen(parts: SubmissionParts): Submission {
  const submission = new Submission(parts, goOn);
  for (const queue of submission.queues) queue.push(submission);
  if (isNext(submission) && submission.start()) goOn(submission);
  return submission;
}

/** Wait a moment for NCCL to have taken it. */
export function settleSoon(submission: Submission): Promise<void> {
  if (submission.finish()) goOn(submission);
  return submission.promise;
}

/** The submissions that wait, by the context whose device they are for: NCCL wants them in one order on each device. */
const queues = new WeakMap<object, Submission[]>();

function queueOf({ facts }: CommunicatorState): Submission[] {
  let queue = queues.get(facts.contextHandle);
  if (queue === undefined) queues.set(facts.contextHandle, (queue = []));
  return queue;
}

function queuesOf(states: readonly CommunicatorState[]): readonly Submission[][] {
  const [first] = states;
  if (first === undefined) return [];
  return states.length === 1 ? [queueOf(first)] : [...new Set(states.map(queueOf))];
}

/** Start those that are first on all of their devices, and what comes after those that are over at once. */
function startFrom(candidates: Submission[]): void {
  for (let next = candidates.pop(); next !== undefined; next = candidates.pop()) {
    if (isNext(next) && (next.start() || next.finish())) candidates.push(...leave(next));
  }
}

/** What comes after a submission that is over. */
function goOn(submission: Submission): void {
  startFrom(leave(submission));
}

/** Whether it is to be started: the first on all of its devices. */
function isNext(submission: Submission): boolean {
  return !submission.isStarted && submission.queues.every(([first]) => first === submission);
}

/** Take a submission out of its queues. Returns those that are first now. */
function leave(submission: Submission): Submission[] {
  const next: Submission[] = [];
  for (const queue of submission.queues) {
    queue.shift();
    if (queue[0] !== undefined) next.push(queue[0]);
  }
  return next;
}
