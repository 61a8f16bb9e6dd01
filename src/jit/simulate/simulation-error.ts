import { brand } from '../../core/errors.ts';
import { JitError } from '../error.ts';
import type { Origin, Span } from '../tree.ts';
import { placeText, type Place, type Thread } from './thread.ts';

/** Something wrong that a thread of a kernel did while it ran in JavaScript: what, which thread, and the line of the kernel. */
export class SimulationError extends JitError {
  /** The thread's place in its block. */
  readonly threadIdx: Readonly<Place>;
  /** The block's place in the grid. */
  readonly blockIdx: Readonly<Place>;

  /** @internal */
  constructor(what: string, more: string, thread: Thread, origin: Origin, span: Span) {
    super(`${what} by ${thread.text} of block ${placeText(thread.blockIdx)}${more}`, origin, span);
    this.threadIdx = { ...thread.threadIdx };
    this.blockIdx = { ...thread.blockIdx };
  }
}
brand(SimulationError, 'SimulationError');
