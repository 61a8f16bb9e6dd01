import type { NDArray } from '../ndarray.ts';

/** What is sorted: lines of keys that follow each other, without gaps. */
export interface SortTask {
  /** Keys of a real dtype. */
  readonly keys: NDArray;
  /** Keys of a line. */
  readonly n: number;
  readonly descending: boolean;
  /** Where sorted keys go; they are not kept where there is none. It shares no element with what is read. */
  readonly keysOut?: NDArray | undefined;
  /** What goes along with keys: elements of any dtype, or their places, which are made. */
  readonly values?: NDArray | 'index' | undefined;
  /** Where values go: i64 for places. */
  readonly valuesOut?: NDArray | undefined;
}
