import { Gate, GATEKEEPER, mark, Slot, slotBase, Word } from './control.ts';
import { locked } from './lock.ts';
import { WorkList } from './work-list.ts';

/** Wake the gatekeepers, where there are any. */
export function ringGates(control: Int32Array): void {
  if (Atomics.load(control, Word.GATED) === 0) return;
  Atomics.add(control, Word.GATES, 1);
  Atomics.notify(control, Word.GATES);
}

/**
 * All before a gate has finished. Called by the worker that took it.
 *
 * @returns whether it is open already, so that the command ends
 */
export function reachGate(control: Int32Array, base: number, lane: number): boolean {
  control[base + Slot.GATE_LANE] = lane;
  if (Atomics.compareExchange(control, base + Slot.GATE, Gate.AHEAD, Gate.REACHED) === Gate.OPEN) return true;
  ringGates(control);
  return false;
}

/** What a thread that opens gates does to the control block. */
export class Gatekeeper {
  readonly #control: Int32Array;
  readonly #list: WorkList;

  constructor(control: Int32Array) {
    this.#control = control;
    this.#list = new WorkList(control, GATEKEEPER);
  }

  get control(): Int32Array {
    return this.#control;
  }

  /** Whether all before a gate that is not open has finished. */
  isReached(sequence: number): boolean {
    return Atomics.load(this.#control, slotBase(sequence) + Slot.GATE) === Gate.REACHED;
  }

  /**
   * Open a gate, once.
   *
   * @param skipped - its context had a fault
   * @returns false where another control block has taken this one's place: the gate may be in that one
   */
  open(sequence: number, skipped: boolean): boolean {
    const control = this.#control;
    return locked(control, Word.GATE_LOCK, () => {
      Atomics.store(control, Word.OPENING, 1);
      const isHere = Atomics.load(control, Word.MOVED) === 0;
      if (isHere) this.#open(slotBase(sequence), mark(sequence), skipped);
      Atomics.store(control, Word.OPENING, 0);
      Atomics.notify(control, Word.OPENING);
      return isHere;
    });
  }

  #open(base: number, head: number, skipped: boolean): void {
    const control = this.#control;
    const list = this.#list;
    if (skipped) Atomics.store(control, base + Slot.SKIPPED, 1);
    if (Atomics.exchange(control, base + Slot.GATE, Gate.OPEN) !== Gate.REACHED) return;
    list.adopt(control[base + Slot.GATE_LANE] as number, head);
    list.complete(base);
    list.leave();
    // It takes no command itself: the workers look for what follows.
    list.call(Infinity);
  }
}
