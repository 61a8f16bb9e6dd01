import type { ArrayDType } from './dtype.ts';
import type { ScanOptions, SumScanOptions } from './function/scan.ts';
import type { NDArray, ReducedDType } from './ndarray.ts';

/** The methods of arrays that accumulate along an axis. Each is the function of its name. */
export interface ScanMethods<D extends ArrayDType> {
  /** The sums of the elements up to each one. Integers are added in 64 bits. */
  cumsum<E extends ArrayDType = ReducedDType<'wide', D>>(options?: SumScanOptions<E>): NDArray<E>;
  /** The products of the elements up to each one. Integers are multiplied in 64 bits. */
  cumprod<E extends ArrayDType = ReducedDType<'wide', D>>(options?: SumScanOptions<E>): NDArray<E>;
  /** The greatest of the elements up to each one. */
  cummax<E extends ArrayDType = D>(options?: ScanOptions<E>): NDArray<E>;
  /** The least of the elements up to each one. */
  cummin<E extends ArrayDType = D>(options?: ScanOptions<E>): NDArray<E>;
}
