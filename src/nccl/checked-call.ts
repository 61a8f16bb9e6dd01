import type { Buffer } from './buffer.ts';
import type { ElementRow } from './elements.ts';
import type { NewEntry } from './flight-record.ts';
import type { ReadReduction } from './reduction.ts';

/** What an operation does, with its arguments checked. */
export interface OperationParts {
  /** What it reads; undefined where this rank sends nothing. */
  readonly send: Buffer | undefined;
  /** What it writes; undefined where this rank gets nothing. */
  readonly recv: Buffer | undefined;
  /** Elements of each rank. */
  readonly count: number;
  readonly element: ElementRow;
  readonly reduction?: ReadReduction | undefined;
  /** The root or the peer; -1: neither. */
  readonly peer?: number | undefined;
}

/** What was checked of a call. */
export interface CheckedCall {
  readonly entry: NewEntry;
  readonly timeoutMs: number;
  readonly parts: OperationParts;
}
