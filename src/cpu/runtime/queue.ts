import {
  activeMark,
  activeWord,
  CONTROL_BYTES,
  LASTING,
  MAX_PENDING,
  reached,
  Slot,
  SLOTS,
  slotBase,
  Word,
} from './control.ts';

/** The number of reads of a counter before the thread sleeps. */
const SPINS = 50;
/** How long the main thread sleeps at first, and then at once, before it looks at the workers. */
export const FIRST_PATIENCE_MS = 5;
const PATIENCE_MS = 100;

/** A waiting thread calls this function from time to time. */
export type Watch = () => void;

/**
 * The commands of all streams, one after another, in memory that the workers share. Only the main thread
 * adds commands. Commands are numbered; a number wraps at 32 bits.
 */
export class CommandQueue {
  #control: Int32Array = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES));
  #submitted = 0;
  #watched: number;
  readonly #watch: Watch;

  /** @param watch - called while waiting; may end the workers and call {@link CommandQueue.restart} */
  constructor(watch: Watch) {
    this.#watch = watch;
    this.#watched = 0;
    this.#control[Word.MAX_PENDING] = MAX_PENDING;
  }

  /** How many launches of kernels may wait at once. */
  get maxPending(): number {
    return Atomics.load(this.#control, Word.MAX_PENDING);
  }

  set maxPending(count: number) {
    Atomics.store(this.#control, Word.MAX_PENDING, count);
  }

  get control(): Int32Array {
    return this.#control;
  }

  /** The number of the next command. */
  get next(): number {
    return this.#submitted;
  }

  /** Whether all enqueued commands have finished. */
  get idle(): boolean {
    return Atomics.load(this.#control, Word.COMPLETED) === this.#submitted;
  }

  /** The number of the command that runs now. */
  get current(): number {
    return Atomics.load(this.#control, Word.COMPLETED);
  }

  /** Set the number of workers that may read commands. */
  watchWorkers(count: number): void {
    this.#watched = count;
  }

  /** Whether a command has finished. */
  done(sequence: number): boolean {
    return reached(Atomics.load(this.#control, Word.COMPLETED), (sequence + 1) | 0);
  }

  /**
   * Reserve the slot of the next command; waits while all slots are in use.
   *
   * @returns the index of its first word; the words of its progress are 0
   */
  reserve(): number {
    const sequence = this.#submitted;
    const before = (sequence - SLOTS) | 0;
    if (!this.done(before)) this.wait(before);
    for (let worker = 0; worker < this.#watched; worker++) {
      while (Atomics.load(this.#control, activeWord(worker)) === activeMark(before)) {
        Atomics.wait(this.#control, activeWord(worker), activeMark(before), 1);
      }
    }
    const base = slotBase(sequence);
    this.#control[base + Slot.NEXT] = 0;
    this.#control[base + Slot.DONE] = 0;
    this.#control[base + Slot.ROUND] = 0;
    this.#control[base + Slot.HELD] = 0;
    this.#control[base + Slot.CHILD] = 0;
    this.#control[base + Slot.DEPTH] = 0;
    return base;
  }

  /** Give the reserved command to the workers and wake as many as it has work for. Returns its number. */
  submit(hands: number): number {
    const control = this.#control;
    const sequence = this.#submitted;
    this.#submitted = (sequence + 1) | 0;
    Atomics.store(control, Word.SUBMITTED, this.#submitted);
    Atomics.notify(control, Word.SUBMITTED, hands);
    return sequence;
  }

  /** Sleep until a command has finished. */
  wait(sequence: number): void {
    for (let i = 0; i < SPINS; i++) if (this.done(sequence)) return;
    for (let patience = FIRST_PATIENCE_MS; ; patience = PATIENCE_MS) {
      const control = this.#control;
      Atomics.store(control, Word.WANTED, (sequence + 1) | 0);
      Atomics.store(control, Word.WAITING, 1);
      const signal = Atomics.load(control, Word.SIGNAL);
      const finished = this.done(sequence);
      if (!finished) Atomics.wait(control, Word.SIGNAL, signal, patience);
      Atomics.store(control, Word.WAITING, 0);
      if (finished) return;
      this.#watch();
    }
  }

  /** Sleep until all commands have finished. */
  waitForAll(): void {
    if (!this.idle) this.wait((this.next - 1) | 0);
  }

  /**
   * Continue with a new control block after the workers were ended: all enqueued commands count as finished. The ended
   * workers may still touch the old block.
   */
  restart(): void {
    const old = this.#control;
    const control = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES));
    control[Word.SUBMITTED] = control[Word.COMPLETED] = this.#submitted;
    for (const word of [
      Word.PRINT_HEAD,
      Word.PRINT_TAIL,
      Word.HEAP_BASE,
      Word.HEAP_BYTES,
      Word.FAULTS,
      Word.GUARDED,
      Word.MAX_PENDING,
    ]) {
      control[word] = old[word] as number;
    }
    control.set(old.subarray(...LASTING), LASTING[0]);
    this.#control = control;
    this.#watched = 0;
  }
}
