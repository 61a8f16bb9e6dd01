import {
  activeWord,
  Awaited,
  endedMark,
  firstShare,
  isOpen,
  laneWord,
  markedBase,
  MAX_SHARES,
  reached,
  Slot,
  Word,
} from './control.ts';

/** The number of reads of a counter before the thread sleeps: to wake a thread takes longer than these reads. */
const SPINS = 300;

/** A worker's view of the lanes: which command it works on, and what happens at a command's end. */
export class WorkList {
  readonly #control: Int32Array;
  readonly #active: number;
  #lane = 0;
  #head = 0;
  /** The lane of the head that was found last. */
  #found = 0;
  /** The lane whose next command this worker has made its head and has called no other worker for. */
  #own = -1;

  /** @param worker - the worker's index */
  constructor(control: Int32Array, worker: number) {
    this.#control = control;
    this.#active = activeWord(worker);
  }

  /**
   * Find the oldest command that has parts for this worker. The main thread does not use its place again before
   * {@link WorkList.leave}.
   *
   * @returns the offset of its words; -1 where there is none
   */
  take(): number {
    const control = this.#control;
    if (Atomics.load(control, Word.LANES) > 1) return this.#search();
    const head = Atomics.load(control, laneWord(0));
    return isOpen(head) ? this.#try(0, head) : -1;
  }

  #search(): number {
    let head = this.#oldest(0);
    let base = -1;
    for (; head !== 0; head = this.#oldest(head)) {
      base = this.#try(this.#found, head);
      if (base >= 0) break;
    }
    // Another worker may sleep, and this one may have to wait for the command that it leaves.
    if (this.#own >= 0 && this.#own !== this.#lane) this.call(1);
    this.#own = -1;
    return base;
  }

  /** The mark of the oldest head of a lane that is younger than another one; 0 where there is none. */
  #oldest(than: number): number {
    const control = this.#control;
    const lanes = Atomics.load(control, Word.LANES);
    let oldest = 0;
    for (let lane = 0; lane < lanes; lane++) {
      const head = Atomics.load(control, laneWord(lane));
      if (!isOpen(head) || (than !== 0 && reached(than, head))) continue;
      if (oldest !== 0 && reached(head, oldest)) continue;
      oldest = head;
      this.#found = lane;
    }
    return oldest;
  }

  /** Take a lane's head if it is free and has parts left: the offset of its words, or -1. */
  #try(lane: number, head: number): number {
    const control = this.#control;
    Atomics.store(control, this.#active, head);
    if (Atomics.load(control, laneWord(lane)) === head) {
      const base = markedBase(head);
      const share = Atomics.load(control, base + Slot.NEXT);
      // Of the first share, which is 0, all but what it waits for is clear.
      if ((share === 0 || this.#hasParts(base, share)) && (control[base + Slot.AFTERS] === 0 || this.#isFree(base))) {
        this.#lane = lane;
        this.#head = head;
        return base;
      }
    }
    this.leave();
    return -1;
  }

  #hasParts(base: number, share: number): boolean {
    const control = this.#control;
    if ((share & -MAX_SHARES) !== firstShare(Atomics.load(control, base + Slot.CHILD))) return false;
    return (share & (MAX_SHARES - 1)) * (control[base + Slot.CHUNK] as number) < (control[base + Slot.PARTS] as number);
  }

  /** Whether all commands of other lanes that a command waits for have finished. */
  #isFree(base: number): boolean {
    const control = this.#control;
    const count = control[base + Slot.AFTERS] as number;
    for (let i = 0; i < count; i++) {
      const other = control[base + Slot.AFTER + i] as number;
      // The place may already have a later command, whose state is greater.
      if (!reached(Atomics.load(control, markedBase(other) + Slot.STATE), other - 1)) return false;
    }
    return true;
  }

  /** The mark of the taken command. */
  get head(): number {
    return this.#head;
  }

  /** The lane of the taken command. */
  get lane(): number {
    return this.#lane;
  }

  /** Take a command that another thread has begun, by its lane and its mark. */
  adopt(lane: number, head: number): void {
    Atomics.store(this.#control, this.#active, head);
    this.#lane = lane;
    this.#head = head;
  }

  /** The worker does not look at the command any more. */
  leave(): void {
    Atomics.store(this.#control, this.#active, 0);
  }

  /** The taken command has finished. */
  complete(base: number): void {
    const control = this.#control;
    const head = this.#head;
    Atomics.store(control, base + Slot.STATE, endedMark(head >> 1));
    const hands = this.#advance(base, head);
    if (Atomics.load(control, base + Slot.AWAITED) !== 0) this.call(Infinity);
    // This worker takes its share itself.
    else if (hands > 1) this.call(hands - 1);
    if (hands > 0) this.#own = this.#lane;
    const awaited = Atomics.load(control, Word.WAITING);
    if (awaited === Awaited.NOTHING) return;
    if (awaited === Awaited.ONE && Atomics.load(control, Word.WANTED) !== head) return;
    Atomics.add(control, Word.SIGNAL, 1);
    Atomics.notify(control, Word.SIGNAL);
  }

  /** Make the next command the head of the lane. Returns for how many workers that one has work. */
  #advance(base: number, head: number): number {
    const control = this.#control;
    const lane = laneWord(this.#lane);
    let next = Atomics.load(control, base + Slot.NEXT_IN_LANE);
    if (next !== 0) {
      const hands = this.#handsFor(next);
      Atomics.store(control, lane, next);
      return hands;
    }
    const ended = endedMark(head >> 1);
    Atomics.store(control, lane, ended);
    // The main thread may have added one meanwhile; then either thread puts it in its place.
    next = Atomics.load(control, base + Slot.NEXT_IN_LANE);
    if (next === 0) return 0;
    const hands = this.#handsFor(next);
    return Atomics.compareExchange(control, lane, ended, next) === ended ? hands : 0;
  }

  #handsFor(next: number): number {
    const base = markedBase(next);
    return Math.ceil((this.#control[base + Slot.PARTS] as number) / (this.#control[base + Slot.CHUNK] as number));
  }

  /** Wake other workers. */
  call(workers: number): void {
    Atomics.add(this.#control, Word.ROUNDS, 1);
    Atomics.notify(this.#control, Word.ROUNDS, workers);
  }

  /** The count that rises when there may be more work. */
  get rounds(): number {
    return Atomics.load(this.#control, Word.ROUNDS);
  }

  /** Wait until the count is another one. */
  sleep(rounds: number): void {
    for (let i = 0; i < SPINS; i++) if (this.rounds !== rounds) return;
    Atomics.wait(this.#control, Word.ROUNDS, rounds);
  }
}
