import type { Stream } from '../cuda/stream/stream.ts';
import type { NcclBuffer } from './buffer.ts';
import type { NcclDType } from './elements.ts';
import type { Reduction } from './reduction.ts';

/** The options of every operation between ranks. */
export interface TransferOptions {
  /** The stream that the operation is enqueued on; that of the array's last work by default, else the legacy default stream. */
  readonly stream?: Stream | null | undefined;
  /** How many elements each rank gives, or gets; all of the memory by default. */
  readonly count?: number | undefined;
  /** What the memory holds. Arrays, and memory that `toDevice` made, know it. */
  readonly dtype?: NcclDType | undefined;
  /** The time limit of this call; the communicator's by default. */
  readonly timeoutMs?: number | undefined;
}

/** The options of operations that write somewhere else than they read. */
export interface OutOptions extends TransferOptions {
  /** What is written; in place by default where NCCL can. */
  readonly out?: NcclBuffer | undefined;
}

/** The options of reductions. */
export interface ReduceOptions extends OutOptions {
  /** How elements become one; `'sum'` by default. */
  readonly op?: Reduction | undefined;
}

/** The options of operations that one rank gives to all, or gets from all. */
export interface RootOptions extends OutOptions {
  /** The rank; 0 by default. */
  readonly root?: number | undefined;
}

/** The options of `Communicator.reduce`. */
export interface ReduceToRootOptions extends ReduceOptions, RootOptions {}
