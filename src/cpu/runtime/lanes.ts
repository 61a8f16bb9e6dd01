import { endedMark, isOpen, laneWord, mark, MAX_LANES, reached, Slot, slotBase, SLOTS, Word } from './control.ts';

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
    this.restart(control, 0);
  }

  /** Continue with the empty lanes of a new control block; all commands before the next one have finished. */
  restart(control: Int32Array, next: number): void {
    this.#control = control;
    this.#tails.fill(next - 1);
    for (let lane = 0; lane < MAX_LANES; lane++) control[laneWord(lane)] = endedMark(next - 1);
    this.#used = 0;
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
