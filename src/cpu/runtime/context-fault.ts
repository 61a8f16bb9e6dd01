import { contextClaimWord, contextFaultWord, contextWord, mark, Slot, slotBase } from './control.ts';
import { ringGates } from './gate.ts';
import { take } from './queue-restart.ts';
import type { CommandQueue } from './queue.ts';

/** The fault that ended the kernels of a context. */
export interface ContextFault {
  /** A CUDA status. */
  readonly status: number;
  /** The mark of the command that caused it. */
  readonly cause: number;
}

/** The first fault of a context, if it has one. */
export function faultOf(control: Int32Array, context: number): ContextFault | undefined {
  const status = Atomics.load(control, contextWord(context));
  return status === 0 ? undefined : { status, cause: Atomics.load(control, contextFaultWord(context)) };
}

/**
 * Note a fault; an earlier fault stays. Two commands of a context may fail at the same time.
 *
 * @param cause - the mark of the command that failed
 */
export function noteFault(control: Int32Array, context: number, status: number, cause: number): void {
  const word = contextWord(context);
  if (Atomics.load(control, word) !== 0) return;
  if (Atomics.compareExchange(control, contextClaimWord(context), 0, 1) === 0) {
    writeFault(control, context, status, cause);
    ringGates(control);
    return;
  }
  // The command must not end before the other thread has written the status: the program would take it for a success.
  while (Atomics.load(control, word) === 0);
}

/**
 * Note a fault for the contexts of unfinished commands, after the workers have been terminated, perhaps while one was noting
 * another fault. Earlier faults stay.
 *
 * @param cause - the command that its context's fault names
 * @param every - of all commands, not only of those that had begun
 */
export function loseOpen(queue: CommandQueue, status: number, cause: number, every: boolean): void {
  const lose = (sequence: number): void => {
    writeFault(queue.control, contextOf(queue, sequence), status, mark(sequence));
  };
  if (!queue.done(cause)) lose(cause);
  for (let sequence = queue.first; sequence !== queue.next; sequence = (sequence + 1) | 0) {
    if (queue.done(sequence)) continue;
    const isWhole = take(queue.control, sequence);
    if (every || !isWhole) lose(sequence);
  }
}

function contextOf({ control }: CommandQueue, sequence: number): number {
  return control[slotBase(sequence) + Slot.CONTEXT] as number;
}

function writeFault(control: Int32Array, context: number, status: number, cause: number): void {
  if (Atomics.load(control, contextWord(context)) !== 0) return;
  Atomics.store(control, contextFaultWord(context), cause);
  Atomics.store(control, contextClaimWord(context), 1);
  Atomics.store(control, contextWord(context), status);
}

/** Forget the fault of a context. */
export function clearFault(control: Int32Array, context: number): void {
  Atomics.store(control, contextWord(context), 0);
  Atomics.store(control, contextClaimWord(context), 0);
}
