import type { ArrayDType } from './dtype.ts';
import type { DiagonalOptions, TraceOptions } from './function/diagonal.ts';
import type { NDArray, OutOptions, ReducedDType } from './ndarray.ts';
import type { Promote } from './promotion.ts';

/** The methods of arrays for products of matrices. Each is the function of its name. */
export interface ProductMethods<D extends ArrayDType> {
  /** The products of matrices: of the last two axes of both, along the other axes, which broadcast. */
  matmul<E extends ArrayDType>(other: NDArray<E>, options?: OutOptions): NDArray<Promote<D, E>>;
  /** The product of vectors or matrices, as NumPy's `dot` has it. */
  dot<E extends ArrayDType>(other: NDArray<E>, options?: OutOptions): NDArray<Promote<D, E>>;
  /** The view of a diagonal of each matrix, along the last axis. */
  diagonal(options?: DiagonalOptions): NDArray<D>;
  /** The sums of diagonals. Integers are added in 64 bits. */
  trace<E extends ArrayDType = ReducedDType<'wide', D>>(options?: TraceOptions<E>): NDArray<E>;
}
