import { checkOptions } from '../../core/check.ts';
import { normalizeAxis } from '../axes.ts';
import { broadcastShapes } from '../broadcast.ts';
import type { ArrayDType, WeakScalar } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import type { IndexedAction } from '../kernel/indexed.ts';
import { memoryOf, NDArray, viewOf } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { scatterInto } from '../scatter-into.ts';
import { checkIndices, selectAxes } from '../selection.ts';
import { narrow } from '../view.ts';
import { alongAxis, checkAlong, readMode } from './gather.ts';
import { tile } from './join.ts';
import { ravel, reshape } from './shape.ts';
import { set } from './transfer.ts';
import type { PutOptions, ScatterOptions } from '../method-options.ts';
import { lanesOf } from '../lane-options.ts';

/**
 * Assign to the elements of an axis that an array of integers names: `take` the other way around. Negative indices count from the
 * end; one out of range is the nearest. Of values for one element, any may be the one that stays.
 *
 * @param values - an array whose shape broadcasts to that of what `take` gives, or a number
 */
export function scatterSet<D extends ArrayDType>(
  x: NDArray<D>,
  indices: NDArray,
  values: NDArray | WeakScalar,
  options?: ScatterOptions,
): NDArray<D> {
  return scatter('scatterSet', 'set', x, indices, values, options);
}

/**
 * Add values to the elements of an axis that an array of integers names, also several to one. Floats are added in any order, so that
 * their last bits may differ from run to run.
 *
 * @throws TypeError elements of bool, or of 64 bits where the device has no atomic operations on them
 */
export function scatterAdd<D extends ArrayDType>(
  x: NDArray<D>,
  indices: NDArray,
  values: NDArray | WeakScalar,
  options?: ScatterOptions,
): NDArray<D> {
  return scatter('scatterAdd', 'add', x, indices, values, options);
}

/**
 * Raise the elements of an axis that an array of integers names to values that are greater. NaN is greater than all.
 *
 * @throws TypeError complex elements, or of 64 bits where the device has no atomic operations on them
 */
export function scatterMax<D extends ArrayDType>(
  x: NDArray<D>,
  indices: NDArray,
  values: NDArray | WeakScalar,
  options?: ScatterOptions,
): NDArray<D> {
  return scatter('scatterMax', 'max', x, indices, values, options);
}

/**
 * Lower the elements of an axis that an array of integers names to values that are less. NaN is less than all.
 *
 * @throws TypeError complex elements, or of 64 bits where the device has no atomic operations on them
 */
export function scatterMin<D extends ArrayDType>(
  x: NDArray<D>,
  indices: NDArray,
  values: NDArray | WeakScalar,
  options?: ScatterOptions,
): NDArray<D> {
  return scatter('scatterMin', 'min', x, indices, values, options);
}

function scatter<D extends ArrayDType>(
  what: string,
  action: IndexedAction,
  x: NDArray<D>,
  indices: NDArray,
  values: NDArray | WeakScalar,
  options: ScatterOptions | undefined,
): NDArray<D> {
  checkPair(what, x, indices);
  if (options !== undefined) checkOptions(options, ['axis', 'stream', 'queue'], what);
  const axis = normalizeAxis(options?.axis ?? 0, x.ndim, `${what}: axis`);
  scatterInto(what, action, x, [indices], values, options, (into, [array]) =>
    selectAxes(into, new Map([[axis, array as NDArray]]), indices.shape, axis, 'end'),
  );
  return x;
}

/**
 * Assign to the elements that an array of integers names in row-major order. Fewer values than indices are repeated.
 *
 * @param values - an array, or a number
 */
export function put<D extends ArrayDType>(
  x: NDArray<D>,
  indices: NDArray,
  values: NDArray | WeakScalar,
  options?: PutOptions,
): NDArray<D> {
  checkPair('put', x, indices);
  if (options !== undefined) checkOptions(options, ['mode', 'stream', 'queue'], 'put');
  const mode = readMode(options?.mode, 'put');
  const lane = lanesOf(options);
  if (indices.size === 0) return x;
  using order = ravel(indices, lane);
  using list = values instanceof NDArray ? cycled(values, order.size, lane) : undefined;
  // A view along one axis, or a copy that is copied back.
  using flat = ravel(x, lane);
  scatterInto('put', 'set', flat, [order], list ?? values, lane, (into, [array]) =>
    selectAxes(into, new Map([[0, array as NDArray]]), order.shape, 0, mode),
  );
  if (memoryOf(flat) !== memoryOf(x)) {
    using shaped = reshape(flat, x.shape);
    set(x, shaped, lane);
  }
  return x;
}

/** As many values as there are indices, from the first again after the last. */
function cycled(values: NDArray, count: number, options: LaneOptions): NDArray {
  values.use('put');
  if (values.size === 0) throw new RangeError(`put must be given a value for ${count} indices, got none`);
  using flat = ravel(values, options);
  using enough = flat.size < count ? tile(flat, Math.ceil(count / flat.size), options) : viewOf(flat, flat);
  return viewOf(enough, narrow(enough, 0, 0, count));
}

/**
 * Assign to the elements that indices name along an axis: for each row its own, as `takeAlongAxis` reads them.
 *
 * @param values - an array whose shape broadcasts to that of the indices, or a number
 */
export function putAlongAxis<D extends ArrayDType>(
  x: NDArray<D>,
  indices: NDArray,
  values: NDArray | WeakScalar,
  options?: ScatterOptions,
): NDArray<D> {
  const axis = checkAlong('putAlongAxis', x, indices, options?.axis);
  if (options !== undefined) checkOptions(options, ['axis', 'stream', 'queue'], 'putAlongAxis');
  const common = broadcastShapes([x.shape.with(axis, 1), indices.shape.with(axis, 1)]);
  const shape = common.with(axis, indices.shape[axis] as number);
  scatterInto('putAlongAxis', 'set', x, [indices], values, options, (into, [array]) =>
    alongAxis(into, array as NDArray, shape, axis),
  );
  return x;
}

function checkPair(what: string, x: unknown, indices: NDArray): void {
  checkOpen(x, what);
  checkOpen(indices, what, 'indices');
  checkIndices(indices, `${what}: indices`);
}
