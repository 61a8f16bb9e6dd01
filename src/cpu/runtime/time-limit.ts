import { milliseconds } from './clock.ts';
import { contextWord, Kind, Slot, slotBase, SLOTS, Word } from './control.ts';
import type { CommandQueue } from './queue.ts';

/** How long other kernels of a context may run on after a fault: one of them may wait for the kernel that failed. */
const AFTER_FAULT_MS = 200;

/** How long kernels may run. */
export class TimeLimit {
  readonly #queue: CommandQueue;
  readonly #limitMs: number;
  /** The command that was last seen to run in each place of the queue, and since when. */
  readonly #seen = new Int32Array(SLOTS).fill(-1);
  readonly #since = new Float64Array(SLOTS);
  #lostSince: number | undefined;

  /** @param limitMs - the limit in milliseconds; 0 for none */
  constructor(queue: CommandQueue, limitMs: number) {
    this.#queue = queue;
    this.#limitMs = limitMs;
  }

  /** Called for a command that may start at once. */
  start(sequence: number): void {
    if (this.#limitMs > 0) this.#note(sequence, milliseconds());
  }

  /** A kernel that has run for too long. */
  get exceeded(): number | undefined {
    if (this.#limitMs === 0) return undefined;
    const now = milliseconds();
    for (const sequence of this.#open()) {
      const at = sequence & (SLOTS - 1);
      // A command that no worker has taken is not running: the workers may still be starting.
      if (!this.#queue.started(sequence) || this.#seen[at] !== sequence) this.#note(sequence, now);
      else if (now - (this.#since[at] as number) > this.#limitMs && this.#isLaunch(sequence)) return sequence;
    }
    return undefined;
  }

  /**
   * A kernel that still runs some time after a fault of its context, if only commands of contexts with faults are left: a
   * GPU ends all kernels of a context at its fault.
   */
  get lost(): number | undefined {
    const { control } = this.#queue;
    let running: number | undefined;
    for (const sequence of this.#open()) {
      const isGate = control[slotBase(sequence) + Slot.KIND] === Kind.GATE;
      // A restart of the queue keeps gates, and where there is one, what has not begun may stand behind it.
      if (isGate || (control[Word.GATED] !== 0 && !this.#queue.started(sequence))) continue;
      if (Atomics.load(control, contextWord(control[slotBase(sequence) + Slot.CONTEXT] as number)) === 0) {
        this.#lostSince = undefined;
        return undefined;
      }
      if (this.#queue.started(sequence)) running ??= sequence;
    }
    const now = milliseconds();
    if (running === undefined) this.#lostSince = undefined;
    else this.#lostSince ??= now;
    return this.#lostSince !== undefined && now - this.#lostSince > AFTER_FAULT_MS ? running : undefined;
  }

  *#open(): Generator<number> {
    const queue = this.#queue;
    for (let at = queue.first; at !== queue.next; at = (at + 1) | 0) if (!queue.done(at)) yield at;
  }

  #isLaunch(sequence: number): boolean {
    return this.#queue.control[slotBase(sequence) + Slot.KIND] === Kind.LAUNCH;
  }

  #note(sequence: number, now: number): void {
    this.#seen[sequence & (SLOTS - 1)] = sequence;
    this.#since[sequence & (SLOTS - 1)] = now;
  }
}
