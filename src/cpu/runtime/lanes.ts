import {
  endedMark,
  Gate,
  isOpen,
  Kind,
  laneWord,
  mark,
  markedBase,
  MAX_LANES,
  reached,
  Slot,
  slotBase,
  SLOTS,
  Word,
} from './control.ts';

/**
 * The main thread's view of the lanes. A lane is a row of commands that run one after another: each knows the next one,
 * and the worker that ends a command makes the next one the head of the lane. A stream keeps its lane as long as no
 * other stream takes it.
 */
export class Lanes {
  #control: Int32Array;
  /** The last command of each lane. */
  readonly #tails = new Int32Array(MAX_LANES);
  /** The lane of each of the latest commands. */
  readonly #laneOf = new Uint8Array(SLOTS);
  #used = 0;

  constructor(control: Int32Array) {
    this.#control = control;
    this.#tails.fill(-1);
    for (let lane = 0; lane < MAX_LANES; lane++) control[laneWord(lane)] = endedMark(-1);
  }

  /** Continue with the same lanes in another control block. Those that were never in use are as in a first one. */
  move(control: Int32Array): void {
    this.#control = control;
    for (let lane = this.#used; lane < MAX_LANES; lane++) control[laneWord(lane)] = endedMark(this.tailOf(lane));
  }

  /** The lane of one of the latest commands. */
  laneOf(sequence: number): number {
    return this.#laneOf[sequence & (SLOTS - 1)] as number;
  }

  /** The last command of a lane. */
  tailOf(lane: number): number {
    return this.#tails[lane] as number;
  }

  /** Whether no command can run: all heads of lanes are gates that were reached and are shut, or wait for other lanes. */
  get isShut(): boolean {
    return this.#isHeld(() => true);
  }

  /** The same, where nothing touches memory while these gates are shut. Until one of them is opened. */
  get isStill(): boolean {
    return this.#isHeld((base) => this.#control[base + Slot.GATE_STILL] === 1);
  }

  #isHeld(by: (gate: number) => boolean): boolean {
    const control = this.#control;
    let open = 0;
    for (let lane = 0; lane < this.#used; lane++) {
      const head = Atomics.load(control, laneWord(lane));
      if (!isOpen(head)) continue;
      open++;
      const base = markedBase(head);
      const isGate =
        control[base + Slot.KIND] === Kind.GATE && Atomics.load(control, base + Slot.GATE) === Gate.REACHED;
      if (isGate ? !by(base) : this.#isFree(base)) return false;
    }
    return open > 0;
  }

  #isFree(base: number): boolean {
    const control = this.#control;
    for (let i = 0; i < (control[base + Slot.AFTERS] as number); i++) {
      const other = control[base + Slot.AFTER + i] as number;
      if (!reached(Atomics.load(control, markedBase(other) + Slot.STATE), other - 1)) return false;
    }
    return true;
  }

  /**
   * Whether one of the latest commands has ended. A lane's word says so of all of its commands, and is beside the other
   * words that both sides read.
   */
  isPast(sequence: number): boolean {
    const word = Atomics.load(this.#control, laneWord(this.#laneOf[sequence & (SLOTS - 1)] as number));
    return word !== mark(sequence) && reached(word, endedMark(sequence));
  }

  /** The lane whose last command this is; -1 where another one follows it. */
  endingWith(sequence: number): number {
    const lane = this.#laneOf[sequence & (SLOTS - 1)] as number;
    return lane < this.#used && this.#tails[lane] === sequence ? lane : -1;
  }

  /** A lane without commands, or one that has to be shared. */
  take(sequence: number): number {
    for (let lane = 0; lane < this.#used; lane++) if (!this.#isBusy(lane)) return lane;
    if (this.#used === MAX_LANES) return sequence & (MAX_LANES - 1);
    Atomics.store(this.#control, Word.LANES, this.#used + 1);
    return this.#used++;
  }

  /** The number of lanes that were ever in use. */
  get used(): number {
    return this.#used;
  }

  /** The number of lanes with commands. */
  get busy(): number {
    let count = 0;
    for (let lane = 0; lane < this.#used; lane++) if (this.#isBusy(lane)) count++;
    return count;
  }

  /** Put a command behind a lane's last one. Returns whether it is the head of the lane. */
  append(lane: number, sequence: number): boolean {
    const control = this.#control;
    const word = laneWord(lane);
    const tail = this.#tails[lane] as number;
    this.#tails[lane] = sequence;
    this.#laneOf[sequence & (SLOTS - 1)] = lane;
    // The place of a tail that has ended may belong to a later command.
    if (Atomics.load(control, word) === endedMark(tail)) {
      Atomics.store(control, word, mark(sequence));
      return true;
    }
    Atomics.store(control, slotBase(tail) + Slot.NEXT_IN_LANE, mark(sequence));
    // Either this thread or the worker that ends the tail puts the command in its place: the old value is of the tail
    // alone and does not come back.
    if (Atomics.load(control, word) !== endedMark(tail)) return false;
    return Atomics.compareExchange(control, word, endedMark(tail), mark(sequence)) === endedMark(tail);
  }

  #isBusy(lane: number): boolean {
    return isOpen(Atomics.load(this.#control, laneWord(lane)));
  }
}
