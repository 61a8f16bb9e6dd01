import { checkOptions } from '../../core/check.ts';
import { checkEngine, empty } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import type { CompressOptions } from '../method-options.ts';
import { engineOf, laneOf, viewOf, type NDArray } from '../ndarray.ts';
import { elementsWhere, indicesOfTrue } from '../compact/mask.ts';
import { checkOpen } from '../operand.ts';
import { shapeText } from '../shape.ts';
import { Slice } from '../slice.ts';
import { narrow, squeeze } from '../view.ts';
import { at } from './at.ts';
import { ravel } from './shape.ts';

/**
 * The indices of the elements that are not 0, in row-major order: an array for each axis.
 *
 * Host: blocks until the number of them is known.
 */
export function nonzero<D extends ArrayDType>(x: NDArray<D>, options?: LaneOptions): NDArray<'i64'>[] {
  checkOpen(x, 'nonzero');
  if (options !== undefined) checkOptions(options, ['stream', 'queue'], 'nonzero');
  if (x.ndim === 0)
    throw new RangeError('nonzero must be given an array of rank 1 or more, got one of rank 0; write reshape(1) first');
  const found = indicesOfTrue(x, engineOf(x).laneOf(options, 'nonzero') ?? laneOf(x));
  try {
    return x.shape.map((_, axis) => viewOf(found, squeeze(narrow(found, 0, axis, 1), 0)));
  } finally {
    found.close();
  }
}

/** The places, in row-major order, of the elements that are not 0. Host: blocks until the number of them is known. */
export function flatnonzero<D extends ArrayDType>(x: NDArray<D>, options?: LaneOptions): NDArray<'i64'> {
  checkOpen(x, 'flatnonzero');
  const flat = ravel(x, options);
  try {
    return nonzero(flat, options)[0] as NDArray<'i64'>;
  } finally {
    flat.close();
  }
}

/** The indices of the elements that are not 0 as rows, in row-major order. Host: blocks until the number of them is known. */
export function argwhere<D extends ArrayDType>(x: NDArray<D>, options?: LaneOptions): NDArray<'i64'> {
  checkOpen(x, 'argwhere');
  if (options !== undefined) checkOptions(options, ['stream', 'queue'], 'argwhere');
  const lane = engineOf(x).laneOf(options, 'argwhere') ?? laneOf(x);
  if (x.ndim > 0) return indicesOfTrue(x, lane, 'elements');
  // An index of an array of rank 0 has no numbers: there is one of them, or none.
  const flat = flatnonzero(x, options);
  try {
    return empty(engineOf(x), [flat.size, 0], 'i64', lane);
  } finally {
    flat.close();
  }
}

/**
 * The elements of an axis for which a condition holds. One that is shorter than the axis leaves out the rest.
 *
 * Host: blocks until the number of them is known.
 *
 * @param condition - along one axis; what is not 0 holds
 */
export function compress<D extends ArrayDType>(
  condition: NDArray,
  x: NDArray<D>,
  options?: CompressOptions,
): NDArray<D> {
  checkOpen(condition, 'compress', 'the condition');
  checkOpen(x, 'compress');
  if (options !== undefined) checkOptions(options, ['axis'], 'compress');
  if (condition.ndim !== 1) {
    throw new RangeError(
      `compress: the condition must have rank 1, got shape ${shapeText(condition.shape)} of rank ${condition.ndim}`,
    );
  }
  if (options?.axis === undefined && x.ndim !== 1) {
    const flat = ravel(x);
    try {
      return compress(condition, flat, { axis: 0 });
    } finally {
      flat.close();
    }
  }
  const axis = normalizeAxis(options?.axis ?? 0, x.ndim, 'compress: axis');
  const length = x.shape[axis] as number;
  if (condition.size > length) {
    throw new RangeError(
      `compress: the condition must have at most the ${length} elements of axis ${axis} of shape ${shapeText(x.shape)}, got ${condition.size}`,
    );
  }
  if (x.ndim === 1) {
    checkEngine(condition, engineOf(x), 'compress');
    using part = viewOf(x, narrow(x, 0, 0, condition.size));
    return elementsWhere(part, condition, laneOf(x));
  }
  const chosen = flatnonzero(condition);
  try {
    return at(x, ...new Array<Slice>(axis).fill(new Slice()), chosen);
  } finally {
    chosen.close();
  }
}

/** The elements for which a condition of the same shape holds, in row-major order. Host: blocks until the number of them is known. */
export function extract<D extends ArrayDType>(condition: NDArray, x: NDArray<D>): NDArray<D> {
  checkOpen(condition, 'extract', 'the condition');
  checkOpen(x, 'extract');
  if (condition.size !== x.size) {
    throw new RangeError(
      `extract: the condition must have as many elements as the array, ${x.size} for ${shapeText(x.shape)}, got ${condition.size} for ${shapeText(condition.shape)}`,
    );
  }
  const flat = ravel(condition);
  try {
    return compress(flat, x);
  } finally {
    flat.close();
  }
}
