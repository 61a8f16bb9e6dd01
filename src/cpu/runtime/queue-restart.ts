import {
  contextWord,
  CONTROL_BYTES,
  endedMark,
  Gate,
  Kind,
  laneWord,
  LASTING,
  mark,
  Slot,
  SLOT_WORDS,
  SLOTS,
  slotBase,
  TAKEN,
  Word,
} from './control.ts';
import type { Lanes } from './lanes.ts';

/** Words of an old control block that a new one has, too. */
const KEPT = [
  Word.LANES,
  Word.PRINT_HEAD,
  Word.PRINT_TAIL,
  Word.HEAP_BASE,
  Word.HEAP_BYTES,
  Word.FAULTS,
  Word.GUARDED,
  Word.MAX_PENDING,
  Word.GATED,
] as const;

/** Mark the commands whose words a control block has as finished. */
export function settleSlots(control: Int32Array, next: number): void {
  for (const sequence of latest(next)) control[slotBase(sequence) + Slot.STATE] = endedMark(sequence);
}

/** The commands whose words a control block has. */
function* latest(next: number): Generator<number> {
  for (let i = SLOTS; i >= 1; i--) yield (next - i) | 0;
}

/**
 * Take a command that has not begun from the workers, which may not have ended yet.
 *
 * @returns whether it had not begun
 */
export function take(control: Int32Array, sequence: number): boolean {
  const before = Atomics.compareExchange(control, slotBase(sequence) + Slot.NEXT, 0, TAKEN);
  return before === 0 || control[slotBase(sequence) + Slot.KIND] === Kind.GATE;
}

/**
 * A control block that continues where another one stopped. Commands of contexts with a fault count as finished, unless they
 * stand behind others in a lane: the workers pass over these. {@link take} had to say of all others that they had not begun.
 */
export function takeOver(old: Int32Array, lanes: Lanes, first: number, next: number): Int32Array {
  // From here on the gatekeeper opens no gate before it has the new block.
  Atomics.store(old, Word.MOVED, 1);
  while (Atomics.load(old, Word.OPENING) !== 0) Atomics.wait(old, Word.OPENING, 1, 1);
  const control = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES));
  const rows = openRows(old, lanes, first, next);
  settleSlots(control, next);
  for (const sequence of latest(next)) {
    const skipped = slotBase(sequence) + Slot.SKIPPED;
    control[skipped] = lanes.isPast(sequence) ? (old[skipped] as number) : 1;
  }
  for (const word of KEPT) control[word] = old[word] as number;
  control.set(old.subarray(...LASTING), LASTING[0]);
  for (const row of rows) row.forEach((sequence, i) => copySlot(old, control, sequence, row[i + 1]));
  lanes.move(control);
  for (let lane = 0; lane < lanes.used; lane++) {
    const [head] = rows[lane] as number[];
    control[laneWord(lane)] = head === undefined ? endedMark(lanes.tailOf(lane)) : mark(head);
  }
  return control;
}

/** For each lane, the commands that go on. */
function openRows(old: Int32Array, lanes: Lanes, first: number, next: number): number[][] {
  const rows = Array.from({ length: lanes.used }, (): number[] => []);
  for (let sequence = first; sequence !== next; sequence = (sequence + 1) | 0) {
    if (lanes.isPast(sequence)) continue;
    const row = rows[lanes.laneOf(sequence)] as number[];
    const isLost = Atomics.load(old, contextWord(old[slotBase(sequence) + Slot.CONTEXT] as number)) !== 0;
    if (row.length > 0 || !isLost) row.push(sequence);
  }
  return rows;
}

function copySlot(old: Int32Array, control: Int32Array, sequence: number, after: number | undefined): void {
  const base = slotBase(sequence);
  control.set(old.subarray(base, base + SLOT_WORDS), base);
  control[base + Slot.NEXT] = 0;
  control[base + Slot.DONE] = 0;
  control[base + Slot.SKIPPED] = 0;
  control[base + Slot.NEXT_IN_LANE] = after === undefined ? 0 : mark(after);
  const gate = base + Slot.GATE;
  // It is reached once more.
  if (control[base + Slot.KIND] === Kind.GATE && control[gate] !== Gate.OPEN) control[gate] = Gate.AHEAD;
}
