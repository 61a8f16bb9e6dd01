import type { ArrayDType, WeakScalar } from './dtype.ts';
import type { LaneOptions } from './engine.ts';
import type { ArrayKey } from './function/at.ts';
import type { CompressOptions } from './function/mask.ts';
import type { AlongAxisOptions, TakeOptions } from './function/gather.ts';
import type { RepeatOptions } from './function/repeat.ts';
import type { PutOptions, ScatterOptions } from './function/scatter.ts';
import type { ReshapeOptions } from './function/shape.ts';
import type { NDArray, OutOptions } from './ndarray.ts';

/** The methods of arrays for shapes, copies, and parts. Each is the function of its name. */
export interface ShapeMethods<D extends ArrayDType> {
  /**
   * A view of a part; see `IndexKey`. Arrays of integers and masks copy what they choose: negative integers count from the end,
   * those out of range are the nearest, and masks have the host wait for their number.
   */
  at(...keys: readonly ArrayKey[]): NDArray<D>;
  /** Assign to a part, by the keys of `at()`: one, or a list of them. The value is what `set()` takes. */
  setAt(keys: ArrayKey | readonly ArrayKey[], value: unknown, options?: LaneOptions): this;
  /** The elements in a new array without gaps. */
  copy(options?: OutOptions): NDArray<D>;
  /** A view where the elements follow each other, else a copy. Both are to be closed. */
  contiguous(options?: LaneOptions): NDArray<D>;
  /** The elements as another dtype, in a new array. */
  astype<E extends ArrayDType>(dtype: E, options?: OutOptions): NDArray<E>;
  /** The same bytes as elements of another dtype. Of another size, the last axis becomes longer or shorter. */
  view<E extends ArrayDType>(dtype: E): NDArray<E>;
  /** The same elements in another shape: a view where one can have it, else a copy. One length may be -1. */
  reshape(shape: number | readonly number[], options?: ReshapeOptions): NDArray<D>;
  /** The elements along one axis: a view where one can have them, else a copy. */
  ravel(options?: LaneOptions): NDArray<D>;
  /** The view without axes of length 1: the given ones, or all. */
  squeeze(axis?: number | readonly number[]): NDArray<D>;
  /** The view with axes of length 1 added, which are named by their place in the result. */
  expandDims(axis: number | readonly number[]): NDArray<D>;
  /** The view whose axes are the given ones of the array; by default in reverse. */
  permuteDims(axes?: readonly number[]): NDArray<D>;
  /** The same. */
  transpose(axes?: readonly number[]): NDArray<D>;
  /** The view with axes moved to other places. */
  moveaxis(from: number | readonly number[], to: number | readonly number[]): NDArray<D>;
  /** The view with two axes swapped. */
  swapaxes(first: number, second: number): NDArray<D>;
  /** The view that runs backwards along the given axes, or along all. */
  flip(axis?: number | readonly number[]): NDArray<D>;
  /** The view in a larger shape that repeats elements. */
  broadcastTo(shape: number | readonly number[]): NDArray<D>;
  /** Each element of an axis several times in a row. */
  repeat(counts: number | readonly number[], options?: RepeatOptions): NDArray<D>;
  /** The elements of an axis that an array of integers names. */
  take(indices: NDArray, options?: TakeOptions): NDArray<D>;
  /** The elements that indices name along an axis, for each row its own. */
  takeAlongAxis(indices: NDArray, options?: AlongAxisOptions): NDArray<D>;
  /** Assign to the elements that an array of integers names in row-major order. */
  put(indices: NDArray, values: NDArray | WeakScalar, options?: PutOptions): this;
  /** Assign to the elements that indices name along an axis, for each row its own. */
  putAlongAxis(indices: NDArray, values: NDArray | WeakScalar, options?: AlongAxisOptions): this;
  /** Assign to the elements of an axis that an array of integers names. */
  scatterSet(indices: NDArray, values: NDArray | WeakScalar, options?: ScatterOptions): this;
  /** Add to them, also several values to one. */
  scatterAdd(indices: NDArray, values: NDArray | WeakScalar, options?: ScatterOptions): this;
  /** Raise them to values that are greater. */
  scatterMax(indices: NDArray, values: NDArray | WeakScalar, options?: ScatterOptions): this;
  /** Lower them to values that are less. */
  scatterMin(indices: NDArray, values: NDArray | WeakScalar, options?: ScatterOptions): this;
  /** The indices of the elements that are not 0: an array for each axis. Host: blocks. */
  nonzero(options?: LaneOptions): NDArray<'i64'>[];
  /** The elements of an axis for which a condition holds. Host: blocks. */
  compress(condition: NDArray, options?: CompressOptions): NDArray<D>;
  /** The view with axes reversed. */
  readonly T: NDArray<D>;
  /** The view with the last two axes swapped. */
  readonly mT: NDArray<D>;
}
