import {
  activeWord,
  Awaited,
  CONTROL_BYTES,
  Gate,
  GATEKEEPER,
  Kind,
  mark,
  MAX_AFTER,
  MAX_PENDING,
  reached,
  Slot,
  SLOTS,
  slotBase,
  Word,
} from './control.ts';
import { Lanes } from './lanes.ts';
import { locked } from './lock.ts';
import { settleSlots, takeOver } from './queue-restart.ts';

/** The number of reads of a counter before the thread sleeps. */
const SPINS = 50;
/** One place is left for {@link CommandQueue.also}. */
const MOST_AFTER = MAX_AFTER - 1;
/** How long the main thread sleeps at first, and then at once, before it looks at the workers. */
export const FIRST_PATIENCE_MS = 5;
const PATIENCE_MS = 100;

/** A waiting thread calls this function from time to time. */
export type Watch = () => void;

/**
 * The commands of all streams, in memory that the workers share. Only the main thread adds commands. A command waits for
 * the earlier ones that {@link CommandQueue.follow} names; others run beside it. Commands are numbered; a number wraps
 * at 32 bits.
 */
export class CommandQueue {
  #control: Int32Array = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES));
  #submitted = 0;
  #watched = 0;
  /** All commands before this one have finished. */
  #floor = 0;
  /** The commands that the next one waits for, and their number. */
  readonly #after = new Int32Array(MAX_AFTER);
  #afters = 0;
  #isHead = false;
  readonly #lanes: Lanes = new Lanes(this.#control);
  /** Commands of which a part did not run, whose words now belong to later commands. */
  readonly #skipped = new Set<number>();
  readonly #watch: Watch;
  /** Whether commands run one by one, in the order of their numbers. Gates stand beside this order. */
  serial = false;
  /** The latest command that is not a gate. */
  #latest = -1;

  /** @param watch - called while waiting; may end the workers and call {@link CommandQueue.restart} */
  constructor(watch: Watch) {
    this.#watch = watch;
    this.#control[Word.MAX_PENDING] = MAX_PENDING;
    settleSlots(this.#control, 0);
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
    return this.first === this.#submitted;
  }

  get lanes(): Lanes {
    return this.#lanes;
  }

  /** The first command that may not have finished. */
  get first(): number {
    while (this.#floor !== this.#submitted && this.done(this.#floor)) this.#floor = (this.#floor + 1) | 0;
    return this.#floor;
  }

  /** Set the number of workers that may read commands. */
  watchWorkers(count: number): void {
    this.#watched = count;
  }

  /** Whether a command has finished. */
  done(sequence: number): boolean {
    const behind = (this.#submitted - sequence) | 0;
    if (behind > SLOTS || behind < 0) return true;
    return this.#lanes.isPast(sequence);
  }

  /** Whether a command and all before it have finished. */
  doneUpTo(sequence: number): boolean {
    return reached(this.first, (sequence + 1) | 0);
  }

  /** Whether a worker has taken a part of an unfinished command. */
  started(sequence: number): boolean {
    return Atomics.load(this.#control, slotBase(sequence) + Slot.NEXT) !== 0;
  }

  /** Whether a part of a finished command did not run, since its context had a fault. */
  skipped(sequence: number): boolean {
    if (((this.#submitted - sequence) | 0) > SLOTS) return this.#skipped.has(sequence);
    return this.#control[slotBase(sequence) + Slot.SKIPPED] !== 0;
  }

  /** Whether the next command would wait for nothing, so that the main thread may do its work at once. */
  get isFree(): boolean {
    return this.serial && !this.#isGated ? this.idle : this.#areDone();
  }

  get #isGated(): boolean {
    return this.#control[Word.GATED] !== 0;
  }

  /** Whether an unfinished command is a gate. */
  isGate(sequence: number): boolean {
    return !this.done(sequence) && this.#control[slotBase(sequence) + Slot.KIND] === Kind.GATE;
  }

  #areDone(): boolean {
    for (let i = 0; i < this.#afters; i++) if (!this.done(this.#after[i] as number)) return false;
    return true;
  }

  /**
   * Say which commands the next one waits for; it may run beside all others. Without a call it waits for the latest
   * command.
   *
   * @param context - the context of the next command
   */
  follow(after: readonly number[], context: number): void {
    if (this.serial) {
      if (this.#isGated) this.#followAll([this.#latest, ...after.filter((one) => this.isGate(one))], context);
      return;
    }
    this.#followAll(after, context);
  }

  #followAll(after: readonly number[], context: number): void {
    const { length } = after;
    this.#afters = 0;
    if (length > 1) for (let i = 0; i < length; i++) this.#add(after[i] as number, context);
    // The lane of a finished command is still the best one.
    if (this.#afters === 0 && length > 0) this.#followOne(after[0] as number);
  }

  #followOne(sequence: number): void {
    this.#afters = 1;
    this.#after[0] = sequence;
  }

  #add(sequence: number, context: number): void {
    if (this.done(sequence)) return;
    // Afterwards it waits for the command that joins those before.
    if (this.#afters === MOST_AFTER) this.join(context);
    this.#after[this.#afters++] = sequence;
  }

  /** The next command also waits for this one. */
  also(sequence: number): void {
    if (!this.serial && !this.done(sequence)) this.#after[this.#afters++] = sequence;
  }

  /** Enqueue a command that only waits. Returns its number. */
  join(context: number): number {
    const base = this.reserve();
    this.#control[base + Slot.KIND] = Kind.JOIN;
    this.#control[base + Slot.CONTEXT] = context;
    this.#control[base + Slot.PARTS] = this.#control[base + Slot.CHUNK] = 1;
    return this.submit(1);
  }

  /**
   * Enqueue a gate. In serial order, too, it waits for nothing but these commands, and only commands that follow it wait
   * for it: the gates of two devices may have to be shut at the same time.
   *
   * @param isStill - nothing touches memory between its being reached and its being opened
   * @returns its number
   */
  gate(after: readonly number[], context: number, isStill = false): number {
    this.#followAll(after, context);
    const base = this.reserve();
    const control = this.#control;
    Atomics.store(control, Word.GATED, 1);
    control[base + Slot.KIND] = Kind.GATE;
    control[base + Slot.CONTEXT] = context;
    control[base + Slot.PARTS] = control[base + Slot.CHUNK] = 1;
    control[base + Slot.GATE] = Gate.AHEAD;
    control[base + Slot.GATE_STILL] = isStill ? 1 : 0;
    const sequence = this.submit(1);
    if (this.serial) this.#followOne(this.#latest);
    return sequence;
  }

  /**
   * Reserve the slot of the next command; waits while all slots are in use.
   *
   * @returns the index of its first word; the words of its progress are 0
   */
  reserve(): number {
    const control = this.#control;
    const sequence = this.#submitted;
    const before = (sequence - SLOTS) | 0;
    const base = slotBase(sequence);
    if (!this.#lanes.isPast(before)) {
      this.wait(before);
      // The wait may have ended the workers, after which there is another control block.
      return this.reserve();
    }
    this.#outlast(before);
    if (control[base + Slot.SKIPPED] !== 0) this.#keepSkipped(before);
    control[base + Slot.NEXT] = 0;
    control[base + Slot.DONE] = 0;
    control[base + Slot.CHILD] = 0;
    control[base + Slot.LEFT] = 0;
    control[base + Slot.NEXT_IN_LANE] = 0;
    control[base + Slot.AWAITED] = 0;
    return base;
  }

  #keepSkipped(sequence: number): void {
    this.#skipped.add(sequence);
    this.#control[slotBase(sequence) + Slot.SKIPPED] = 0;
  }

  /** Wait until no worker looks at a finished command. */
  #outlast(sequence: number): void {
    const control = this.#control;
    const old = mark(sequence);
    for (let worker = 0; worker < this.#watched; worker++) awaitOther(control, activeWord(worker), old);
    awaitOther(control, activeWord(GATEKEEPER), old);
  }

  /** Whether the latest command was the first of its lane when it was enqueued. */
  get isHead(): boolean {
    return this.#isHead;
  }

  /** Give the reserved command to the workers and wake as many as it has work for. Returns its number. */
  submit(hands: number): number {
    const sequence = this.#submitted;
    const base = slotBase(sequence);
    this.#control[base + Slot.AFTERS] = 0;
    let lane = this.#afters === 1 ? this.#lanes.endingWith(this.#after[0] as number) : -1;
    if (lane < 0) lane = this.#place(base, sequence);
    this.#submitted = (sequence + 1) | 0;
    this.#isHead = this.#lanes.append(lane, sequence);
    // Else the worker that ends the command before it looks for work afterwards.
    if (this.#isHead) this.#call(base, hands);
    if (this.#control[base + Slot.KIND] !== Kind.GATE) this.#latest = sequence;
    this.#followOne(sequence);
    return sequence;
  }

  #call(base: number, hands: number): void {
    const control = this.#control;
    if (control[base + Slot.AFTERS] !== 0 && !this.#areDone()) return;
    Atomics.add(control, Word.ROUNDS, 1);
    Atomics.notify(control, Word.ROUNDS, hands);
  }

  /** Choose the lane of the next command, and write what it waits for besides that lane's last command. */
  #place(base: number, sequence: number): number {
    const control = this.#control;
    let lane = -1;
    let count = 0;
    for (let i = 0; i < this.#afters; i++) {
      const one = this.#after[i] as number;
      const own = lane < 0 ? this.#lanes.endingWith(one) : -1;
      if (own >= 0) lane = own;
      else if (!this.done(one)) {
        // Before the command can be seen: of this thread and the worker that ends the other command, one sees the other.
        Atomics.store(control, slotBase(one) + Slot.AWAITED, 1);
        control[base + Slot.AFTER + count++] = mark(one);
      }
    }
    control[base + Slot.AFTERS] = count;
    return lane < 0 ? this.#lanes.take(sequence) : lane;
  }

  /** Sleep until a command has finished. */
  wait(sequence: number): void {
    for (let i = 0; i < SPINS; i++) if (this.done(sequence)) return;
    for (let patience = FIRST_PATIENCE_MS; !this.done(sequence); patience = PATIENCE_MS) {
      this.#sleep(Awaited.ONE, mark(sequence), () => this.done(sequence), patience);
      if (!this.done(sequence)) this.#watch();
    }
  }

  /**
   * Sleep until a command and all before it have finished.
   *
   * @param context - where there are gates, do not wait for other contexts' commands, which may stand behind one
   */
  waitUpTo(sequence: number, context?: number): void {
    this.wait(sequence);
    if (context !== undefined && this.#isGated) {
      for (let at = this.first; !reached(at, sequence); at = (at + 1) | 0) {
        if (!this.done(at) && this.#control[slotBase(at) + Slot.CONTEXT] === context) this.wait(at);
      }
      return;
    }
    while (!this.doneUpTo(sequence)) this.wait(this.#floor);
  }

  /** Call a function while no command runs and none can begin; undefined where one does. */
  whileStill<T>(run: () => T): T | undefined {
    return locked(this.#control, Word.GATE_LOCK, () => (this.idle || this.#lanes.isStill ? run() : undefined));
  }

  /** Sleep until all commands have finished. */
  waitForAll(): void {
    if (!this.idle) this.waitUpTo((this.next - 1) | 0);
  }

  /** Sleep until commands have finished that make a condition true. */
  waitForAny(isOver: () => boolean): void {
    for (let patience = FIRST_PATIENCE_MS; !this.idle && !isOver(); patience = PATIENCE_MS) {
      this.#sleep(Awaited.ANY, 0, isOver, patience);
      if (!isOver()) this.#watch();
    }
  }

  #sleep(awaited: number, wanted: number, isOver: () => boolean, patience: number): void {
    const control = this.#control;
    Atomics.store(control, Word.WANTED, wanted);
    Atomics.store(control, Word.WAITING, awaited);
    const signal = Atomics.load(control, Word.SIGNAL);
    if (!isOver()) Atomics.wait(control, Word.SIGNAL, signal, patience);
    Atomics.store(control, Word.WAITING, Awaited.NOTHING);
  }

  /**
   * Continue with a new control block after the workers were ended. Commands of contexts with a fault, and those that had
   * begun, count as finished; gates and what had not begun go on. The ended workers may still touch the old block.
   */
  restart(): void {
    this.#control = takeOver(this.#control, this.#lanes, this.first, this.#submitted);
    this.#watched = 0;
  }
}

function awaitOther(control: Int32Array, word: number, value: number): void {
  while (Atomics.load(control, word) === value) Atomics.wait(control, word, value, 1);
}
