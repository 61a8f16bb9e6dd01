import type { ArrayDType } from './dtype.ts';
import type { NDArray } from './ndarray.ts';

/** An array of whatever dtype, where the dtype does not show in a result's type. */
export type AnyArray = NDArray | { [D in ArrayDType]: NDArray<D> }[ArrayDType];

/** The same array where its dtype does not matter. */
export function plain<D extends ArrayDType>(array: NDArray<D>): NDArray {
  return array;
}
