import { checkOptions, nameOf } from '../../core/check.ts';
import { copyInto, empty } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Lane } from '../engine.ts';
import { engineOf, viewOf, type NDArray, type SortOptions } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { resultOf } from '../result.ts';
import { sortLines } from '../sort/sort-lines.ts';
import { moveaxis } from '../view.ts';

const OPTIONS = ['axis', 'descending', 'stable', 'out', 'stream', 'queue'];

/**
 * The elements of each line along an axis in order. NaN comes last, -0 and 0 are equal, equal elements stay in their order.
 *
 * Radix sort: on CUDA in one pass for each byte of an element (A. Adinets, D. Merrill, "Onesweep", 2022). Needs memory for one more
 * copy of the elements.
 *
 * @throws RangeError not an axis, or an `out` of another shape
 */
export function sort<D extends ArrayDType>(x: NDArray<D>, options?: SortOptions): NDArray<D> {
  const { axis, descending } = readSort('sort', x, options);
  return resultOf('sort', { shape: x.shape, dtype: x.dtype, operands: [x], options }, (out, lane) => {
    inLines(x, out, axis, lane, (keys, keysOut, n) => {
      sortLines(engineOf(x), lane, { keys, keysOut, n, descending });
    });
  });
}

/** The places of the elements of each line along an axis, in their order; otherwise as {@link sort}. */
export function argsort<D extends ArrayDType>(x: NDArray<D>, options?: SortOptions): NDArray<'i64'> {
  const { axis, descending } = readSort('argsort', x, options);
  return resultOf('argsort', { shape: x.shape, dtype: 'i64', operands: [x], options }, (out, lane) => {
    inLines(x, out, axis, lane, (keys, valuesOut, n) => {
      sortLines(engineOf(x), lane, { keys, values: 'index', valuesOut, n, descending });
    });
  });
}

function readSort(
  name: string,
  x: NDArray,
  options: SortOptions | undefined,
): { readonly axis: number; readonly descending: boolean } {
  checkOpen(x, name);
  if (options !== undefined) checkOptions(options, OPTIONS, name);
  for (const each of ['descending', 'stable'] as const) {
    const value: unknown = options?.[each];
    if (value === undefined || typeof value === 'boolean') continue;
    throw new TypeError(`${name}: ${each} must be true or false, got ${nameOf(value)}`);
  }
  return {
    axis: normalizeAxis(options?.axis ?? -1, x.ndim, `${name}: axis`),
    descending: options?.descending === true,
  };
}

/** Run something over arrays whose lines along an axis follow each other: over copies, where those of an array do not. */
export function inLines(
  x: NDArray,
  out: NDArray,
  axis: number,
  lane: Lane,
  run: (from: NDArray, to: NDArray, n: number) => void,
): void {
  if (out.size === 0) return;
  using source = viewOf(x, moveaxis(x, axis, -1));
  using target = viewOf(out, moveaxis(out, axis, -1));
  using from = flatLines(source, lane, true);
  using to = flatLines(target, lane, false);
  run(from, to, x.shape[axis] as number);
  if (!target.isFlat) copyInto(target, to, lane);
}

/** A view of an array without gaps; else a new one, with its elements where they are read. */
function flatLines(array: NDArray, lane: Lane, isRead: boolean): NDArray {
  if (array.isFlat) return viewOf(array, array);
  const made = empty(engineOf(array), array.shape, array.dtype, lane);
  try {
    if (isRead) copyInto(made, array, lane);
    return made;
  } catch (error) {
    made.close();
    throw error;
  }
}
