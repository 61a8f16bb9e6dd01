import { checkOptions, nameOf } from '../../core/check.ts';
import { checkEngine } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import { broadcastShapes, broadcastTo } from '../broadcast.ts';
import type { ArrayDType } from '../dtype.ts';
import {
  engineOf,
  laneOf,
  type NDArray,
  type OutOptions,
  type TakeOptions,
  type AlongAxisOptions,
} from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { resultOf } from '../result.ts';
import {
  checkIndices,
  checkSelection,
  indicesFor,
  runSelection,
  selectAxes,
  type IndexMode,
  type Selection,
} from '../selection.ts';
import { checkRank, shapeText } from '../shape.ts';
import { ravel } from './shape.ts';
import { lanesOf } from '../lane-options.ts';

/**
 * The elements of an axis that an array of integers names. The shape of the indices takes the place of the axis.
 *
 * @throws TypeError indices of another dtype
 * @throws RangeError an axis without elements
 */
export function take<D extends ArrayDType, I extends ArrayDType>(
  x: NDArray<D>,
  indices: NDArray<I>,
  options?: TakeOptions,
): NDArray<D> {
  checkOpen(x, 'take');
  checkOpen(indices, 'take', 'indices');
  checkIndices(indices, 'take: indices');
  if (options !== undefined) checkOptions(options, ['axis', 'mode', 'out', 'stream', 'queue'], 'take');
  const mode = readMode(options?.mode, 'take');
  if (options?.axis === undefined && x.ndim !== 1) {
    const flat = ravel(x, lanesOf(options));
    try {
      return takeAlong(flat, indices, 0, mode, options);
    } finally {
      flat.close();
    }
  }
  return takeAlong(x, indices, normalizeAxis(options?.axis ?? 0, x.ndim, 'take: axis'), mode, options);
}

function takeAlong<D extends ArrayDType>(
  x: NDArray<D>,
  indices: NDArray,
  axis: number,
  mode: IndexMode,
  options: OutOptions | undefined,
): NDArray<D> {
  checkRank(x.ndim - 1 + indices.ndim, 'take: the result');
  const shape = x.shape.toSpliced(axis, 1, ...indices.shape);
  const from = x;
  return gathered('take', shape, x, indices, options, (array) => {
    return selectAxes(from, new Map([[axis, array]]), array.shape, axis, mode);
  });
}

/**
 * The elements that indices name along an axis: for each row its own. The other axes of both arrays broadcast. Negative indices count
 * from the end; one out of range is the nearest.
 */
export function takeAlongAxis<D extends ArrayDType, I extends ArrayDType>(
  x: NDArray<D>,
  indices: NDArray<I>,
  options?: AlongAxisOptions,
): NDArray<D> {
  const axis = checkAlong('takeAlongAxis', x, indices, options?.axis);
  if (options !== undefined) checkOptions(options, ['axis', 'out', 'stream', 'queue'], 'takeAlongAxis');
  const shape = broadcastShapes([x.shape.with(axis, 1), indices.shape.with(axis, 1)]).with(
    axis,
    indices.shape[axis] as number,
  );
  return gathered('takeAlongAxis', shape, x, indices, options, (array) => alongAxis(x, array, shape, axis));
}

/** The selection of which each index along an axis is for its own row. */
export function alongAxis(
  x: Pick<NDArray, 'shape' | 'strides' | 'offset'>,
  indices: NDArray,
  shape: readonly number[],
  axis: number,
): Selection {
  // One element of the axis, which the indices then move away from.
  const first = { shape: x.shape.with(axis, 1), strides: x.strides, offset: x.offset };
  return {
    shape,
    base: broadcastTo(first, shape),
    axes: [
      {
        array: indices,
        layout: broadcastTo(indices, shape),
        length: x.shape[axis] as number,
        stride: x.strides[axis] as number,
      },
    ],
    mode: 'end',
  };
}

/** Check the arrays of a function along an axis, whose ranks must be the same. */
export function checkAlong(what: string, x: NDArray, indices: NDArray, axis: number | undefined): number {
  checkOpen(x, what);
  checkOpen(indices, what, 'indices');
  checkIndices(indices, `${what}: indices`);
  if (x.ndim !== indices.ndim) {
    throw new RangeError(
      `${what}: indices must have the rank of the array, ${x.ndim} for shape ${shapeText(x.shape)}, got shape ${shapeText(indices.shape)} of rank ${indices.ndim}`,
    );
  }
  return normalizeAxis(axis ?? -1, x.ndim, `${what}: axis`);
}

function gathered<D extends ArrayDType>(
  what: string,
  shape: readonly number[],
  x: NDArray<D>,
  indices: NDArray,
  options: OutOptions | undefined,
  select: (array: NDArray) => Selection,
): NDArray<D> {
  const engine = engineOf(x);
  checkEngine(indices, engine, what);
  const lane = engine.laneOf(options, what) ?? laneOf(x);
  const array = indicesFor(indices, lane);
  try {
    const selection = select(array);
    checkSelection(selection, x, what);
    return resultOf(what, { shape, dtype: x.dtype, operands: [x, array], options }, (out) => {
      runSelection('get', selection, x, out, lane);
    });
  } finally {
    array.close();
  }
}

/** The mode of an option; without one, negative indices count from the end. */
export function readMode(mode: unknown, what: string): IndexMode {
  if (mode === undefined) return 'end';
  if (mode === 'clip' || mode === 'wrap') return mode;
  const advice = mode === 'raise' ? '; a device does not raise: check the indices first' : '';
  throw new TypeError(`${what}: mode must be 'clip' or 'wrap', got ${nameOf(mode)}${advice}`);
}
