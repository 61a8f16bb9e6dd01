/* eslint-disable prefer-rest-params -- a rest parameter would be one of the public signatures */
import { checkOptions } from '../../core/check.ts';
import { copyInto, empty } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import { broadcastShapes, broadcastTo as broadcastLayout } from '../broadcast.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { engineOf, laneOf, viewOf, type NDArray } from '../ndarray.ts';
import { checkOneListBehind } from '../one-list.ts';
import { checkArray, checkOpen } from '../operand.ts';
import { readNewShape, reshapeView } from '../reshape.ts';
import { readShape, shapeText } from '../shape.ts';
import type { ReshapeOptions } from '../method-options.ts';
import * as view from '../view.ts';

/**
 * The same elements, in row-major order, in another shape: a view where one can have it, else a copy. One length may be -1: it is
 * what the others leave.
 *
 * @throws RangeError the shape has another number of elements, or with `copy: false` no view has it
 */
export function reshape<D extends ArrayDType>(
  x: NDArray<D>,
  shape: number | readonly number[],
  options?: ReshapeOptions,
): NDArray<D> {
  checkOpen(x, 'reshape');
  checkOneListBehind('reshape', arguments);
  if (options !== undefined) checkOptions(options, ['copy', 'stream', 'queue'], 'reshape');
  const layout = options?.copy === true ? undefined : reshapeView(x, shape);
  if (layout) return viewOf(x, layout);
  if (options?.copy === false) {
    throw new RangeError(
      `reshape: no view of shape ${shapeText(x.shape)} with strides ${shapeText(x.strides)} has the shape ${shapeText(readNewShape(x.shape, shape))}; leave copy: false out`,
    );
  }
  const engine = engineOf(x);
  const lane = engine.laneOf(options, 'reshape') ?? laneOf(x);
  const made = empty(engine, readNewShape(x.shape, shape), x.dtype, lane);
  try {
    // The new array is seen in the old shape: the order of its elements is that of its memory.
    const seen = viewOf(made, reshapeView(made, x.shape) ?? made);
    try {
      copyInto(seen, x, lane);
    } finally {
      seen.close();
    }
    return made;
  } catch (error) {
    made.close();
    throw error;
  }
}

/** The elements in row-major order along one axis: a view where one can have them, else a copy. */
export function ravel<D extends ArrayDType>(x: NDArray<D>, options?: LaneOptions): NDArray<D> {
  checkOpen(x, 'ravel');
  return reshape(x, [x.size], options);
}

/**
 * The view without axes of length 1: the given ones, or all.
 *
 * @throws RangeError an axis of another length
 */
export function squeeze<D extends ArrayDType>(x: NDArray<D>, axis?: number | readonly number[]): NDArray<D> {
  checkOpen(x, 'squeeze');
  checkOneListBehind('squeeze', arguments);
  return viewOf(x, view.squeeze(x, axis));
}

/** The view with axes of length 1 added, which are named by their place in the result. */
export function expandDims<D extends ArrayDType>(x: NDArray<D>, axis: number | readonly number[]): NDArray<D> {
  checkOpen(x, 'expandDims');
  checkOneListBehind('expandDims', arguments);
  return viewOf(x, view.expandDims(x, axis));
}

/** The view whose axes are the given ones of the array; by default in reverse. */
export function permuteDims<D extends ArrayDType>(x: NDArray<D>, axes?: readonly number[]): NDArray<D> {
  checkOpen(x, 'permuteDims');
  checkOneListBehind('permuteDims', arguments);
  return viewOf(x, axes === undefined ? view.transpose(x) : view.permute(x, axes));
}

/** The view with axes moved to other places; the rest keeps its order. */
export function moveaxis<D extends ArrayDType>(
  x: NDArray<D>,
  from: number | readonly number[],
  to: number | readonly number[],
): NDArray<D> {
  checkOpen(x, 'moveaxis');
  return viewOf(x, view.moveaxis(x, from, to));
}

/** The view with two axes swapped. */
export function swapaxes<D extends ArrayDType>(x: NDArray<D>, first: number, second: number): NDArray<D> {
  checkOpen(x, 'swapaxes');
  const a = normalizeAxis(first, x.ndim, 'swapaxes: the first axis');
  const b = normalizeAxis(second, x.ndim, 'swapaxes: the second axis');
  const order = x.shape.map((_, axis) => (axis === a ? b : axis === b ? a : axis));
  return viewOf(x, view.permute(x, order));
}

/** The view with the last two axes swapped: the transposed of each matrix. */
export function matrixTranspose<D extends ArrayDType>(x: NDArray<D>): NDArray<D> {
  checkOpen(x, 'matrixTranspose');
  return viewOf(x, view.swapLastTwo(x));
}

/** The view that runs backwards along the given axes, or along all. */
export function flip<D extends ArrayDType>(x: NDArray<D>, axis?: number | readonly number[]): NDArray<D> {
  checkOpen(x, 'flip');
  checkOneListBehind('flip', arguments);
  return viewOf(x, view.flip(x, axis));
}

/**
 * The view in a larger shape that repeats elements. It can be read, not written.
 *
 * @throws RangeError the array's shape does not broadcast to it
 */
export function broadcastTo<D extends ArrayDType>(x: NDArray<D>, shape: number | readonly number[]): NDArray<D> {
  checkOpen(x, 'broadcastTo');
  checkOneListBehind('broadcastTo', arguments);
  return viewOf(x, broadcastLayout(x, readShape(shape, 'broadcastTo: shape')));
}

/** Views of arrays in the shape that theirs broadcast to. */
export function broadcastArrays(...arrays: readonly NDArray[]): NDArray[] {
  arrays.forEach((array, i) => {
    checkArray(array, `broadcastArrays: array ${i}`);
    array.use('broadcastArrays');
  });
  const shape = broadcastShapes(arrays.map((array) => array.shape));
  return arrays.map((array) => viewOf(array, broadcastLayout(array, shape)));
}
