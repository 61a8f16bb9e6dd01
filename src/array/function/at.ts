import { checkOptions } from '../../core/check.ts';
import { checkCast, checkEngine, checkOut, copyInto, empty } from '../apply.ts';
import { elementsWhere } from '../compact/mask.ts';
import { isWeakScalar, type ArrayDType, type WeakScalar } from '../dtype.ts';
import type { Lane, LaneOptions } from '../engine.ts';
import { checkMask, isMask, readArrayKeys, selectParts, type ArrayPart } from '../index-array.ts';
import { applyIndex, type IndexKey } from '../index-key.ts';
import { engineOf, laneOf, NDArray, viewOf, type ArrayKey } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { scatterInto } from '../scatter-into.ts';
import { runSelection } from '../selection.ts';
import { applied } from '../applied.ts';
import { allAxes } from '../axes.ts';
import { expandDims } from '../view.ts';
import { fill, set } from './transfer.ts';

/**
 * A part of an array, as NumPy's index gives it: a view, or where arrays of integers or masks are among the keys, a new array of the
 * elements that they choose. Negative integers count from the end; a device does not raise, so that one out of range is the
 * nearest.
 *
 * Host: blocks for masks, until the number of their true elements is known.
 */
export function at<D extends ArrayDType>(x: NDArray<D>, ...keys: readonly ArrayKey[]): NDArray<D> {
  checkOpen(x, 'at');
  if (!keys.some((key) => key instanceof NDArray)) return viewOf(x, applyIndex(x, keys as readonly IndexKey[]));
  const lane = laneOf(x);
  const [mask] = keys;
  if (keys.length === 1 && mask instanceof NDArray && isMask(mask) && mask.ndim === x.ndim && x.ndim > 0) {
    mask.use('at');
    checkEngine(mask, engineOf(x), 'at');
    checkMask('at', mask.shape, x.shape, 0);
    return elementsWhere(x, mask, lane);
  }
  const opened: NDArray[] = [];
  try {
    const selection = selectParts('at', x, readArrayKeys(keys), lane, undefined, opened);
    const made = empty(engineOf(x), selection.shape, x.dtype, lane);
    try {
      runSelection('get', selection, x, made, lane);
      return made;
    } catch (error) {
      made.close();
      throw error;
    }
  } finally {
    for (const array of opened) array.close();
  }
}

/**
 * Assign to a part of an array, by the keys of `at()`: `x.setAt([mask], 0)`. Of values for one element, any may be the one that
 * stays.
 *
 * Host: blocks for masks, unless one alone is given a number; and until what is the host's has been read.
 *
 * @param keys - one key or a list of them
 * @param value - what `set()` takes; an array's shape broadcasts to the part's
 */
export function setAt<D extends ArrayDType>(
  x: NDArray<D>,
  keys: ArrayKey | readonly ArrayKey[],
  value: unknown,
  options?: LaneOptions,
): NDArray<D> {
  checkOpen(x, 'setAt');
  if (options !== undefined) checkOptions(options, ['stream', 'queue'], 'setAt');
  const list = Array.isArray(keys) ? (keys as readonly ArrayKey[]) : [keys as ArrayKey];
  if (!list.some((key) => key instanceof NDArray)) {
    const view = viewOf(x, applyIndex(x, list as readonly IndexKey[]));
    try {
      set(view, value, options);
    } finally {
      view.close();
    }
    return x;
  }
  const engine = engineOf(x);
  checkOut(x, x.shape, engine, 'setAt');
  const lane = engine.laneOf(options, 'setAt') ?? laneOf(x);
  const parts = readArrayKeys(list);
  if (!setWhere(x, parts, value, lane, options)) setSelected(x, parts, value, lane, options);
  return x;
}

function setSelected(
  x: NDArray,
  parts: readonly ArrayPart[],
  value: unknown,
  lane: Lane,
  options: LaneOptions | undefined,
): void {
  const opened: NDArray[] = [];
  try {
    const selection = selectParts('setAt', x, parts, lane, x, opened);
    let values = value as NDArray | WeakScalar;
    if (!(value instanceof NDArray) && !isWeakScalar(value)) {
      const made = empty(engineOf(x), selection.shape, x.dtype, lane);
      opened.push(made);
      values = set(made, value, options);
    }
    scatterInto('setAt', 'set', x, [], values, options, () => selection);
  } finally {
    for (const array of opened) array.close();
  }
}

/** Assign what does not depend on how many elements a mask chooses: the host need not know the number. */
function setWhere(
  x: NDArray,
  parts: readonly ArrayPart[],
  value: unknown,
  lane: Lane,
  options: LaneOptions | undefined,
): boolean {
  const mask = parts[0];
  if (parts.length !== 1 || !(mask instanceof NDArray) || !isMask(mask) || mask.ndim > x.ndim) return false;
  const rest = x.ndim - mask.ndim;
  const isArray = value instanceof NDArray;
  if (!isWeakScalar(value) && !(isArray && value.ndim <= rest)) return false;
  mask.use('setAt');
  checkEngine(mask, engineOf(x), 'setAt');
  checkMask('setAt', mask.shape, x.shape.slice(0, mask.ndim), 0);
  using chosen = viewOf(
    mask,
    rest === 0
      ? mask
      : expandDims(
          mask,
          allAxes(rest).map((axis) => axis - rest),
        ),
  );
  using values = empty(engineOf(x), isArray ? value.shape : [], x.dtype, lane);
  if (isArray) {
    value.use('setAt');
    checkEngine(value as NDArray, engineOf(x), 'setAt');
    checkCast((value as NDArray).dtype, x.dtype, 'setAt');
    copyInto(values, value as NDArray, lane);
  } else {
    fill(values, value, lane);
  }
  applied.where.run([chosen, values, x], { ...options, out: x });
  return true;
}
