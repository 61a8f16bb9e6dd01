import { checkOptions, nameOf } from '../../core/check.ts';
import { normalizeAxis } from '../axes.ts';
import { withoutGaps } from '../apply.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { viewOf, type AlongAxisOptions, type NDArray, type SortOptions } from '../ndarray.ts';
import { checkOpen, readArrays } from '../operand.ts';
import { resultOf } from '../result.ts';
import { shapeText } from '../shape.ts';
import { alongLines } from '../sort/lines.ts';
import { orderByAll, orderLines } from '../sort/order.ts';
import { moveaxis } from '../view.ts';
import { lanesOf } from '../lane-options.ts';

const LANES = ['stream', 'queue'];

/**
 * The elements of each line along an axis in order. NaN comes last, -0 and 0 are equal, equal elements stay in their order. Complex
 * numbers go by their real parts, then by the imaginary ones.
 *
 * A radix sort: on CUDA in one pass for each byte of an element (A. Adinets, D. Merrill, "Onesweep", 2022). It takes memory for one
 * more copy of the elements.
 *
 * @throws RangeError not an axis, or an `out` of another shape
 */
export function sort<D extends ArrayDType>(x: NDArray<D>, options?: SortOptions): NDArray<D> {
  const { axis, descending, lanes } = readSort('sort', x, options);
  return resultOf('sort', { shape: x.shape, dtype: x.dtype, operands: [x], options }, (out, lane) => {
    alongLines(x, [out], axis, lane, (keys, keysOut) => {
      orderLines({ keys, keysOut, n: x.shape[axis] as number, descending, lanes }, lane);
    });
  });
}

/** The places of the elements of each line along an axis, in their order; otherwise as {@link sort}. */
export function argsort<D extends ArrayDType>(x: NDArray<D>, options?: SortOptions): NDArray<'i64'> {
  const { axis, descending, lanes } = readSort('argsort', x, options);
  return resultOf('argsort', { shape: x.shape, dtype: 'i64', operands: [x], options }, (out, lane) => {
    alongLines(x, [out], axis, lane, (keys, placesOut) => {
      orderLines({ keys, placesOut, n: x.shape[axis] as number, descending, lanes }, lane);
    });
  });
}

/**
 * The places of elements in the order of several keys: the last one decides, where it has equal elements the one before it, and so
 * on.
 *
 * @param keys - arrays of one shape
 */
export function lexsort(keys: readonly NDArray[], options?: AlongAxisOptions): NDArray<'i64'> {
  const arrays = readArrays(keys, 'lexsort');
  if (options !== undefined) checkOptions(options, ['axis', 'out', ...LANES], 'lexsort');
  const first = arrays[0] as NDArray;
  const { shape } = first;
  for (const [i, array] of arrays.entries()) {
    if (shapeText(array.shape) === shapeText(shape)) continue;
    throw new RangeError(
      `lexsort: keys must be of one shape, got ${shapeText(shape)} for the first and ${shapeText(array.shape)} for key ${i}`,
    );
  }
  const axis = normalizeAxis(options?.axis ?? -1, first.ndim, 'lexsort: axis');
  return resultOf('lexsort', { shape, dtype: 'i64', operands: arrays, options }, (out, lane) => {
    const made: NDArray[] = [];
    try {
      alongLines(first, [out], axis, lane, (from, placesOut) => {
        const all = arrays.map((array, i) => {
          if (i === 0) return { keys: from, descending: false };
          using moved = viewOf(array, moveaxis(array, axis, -1));
          const lines = withoutGaps(moved, lane);
          made.push(lines);
          return { keys: lines, descending: false };
        });
        orderByAll(all, shape[axis] as number, placesOut, lane, lanesOf(options));
      });
    } finally {
      for (const array of made) array.close();
    }
  });
}

function readSort(
  name: string,
  x: NDArray,
  options: SortOptions | undefined,
): { readonly axis: number; readonly descending: boolean; readonly lanes: LaneOptions } {
  checkOpen(x, name);
  if (options !== undefined) checkOptions(options, ['axis', 'descending', 'stable', 'out', ...LANES], name);
  const descending = readFlag(options?.descending, false, `${name}: descending`);
  readFlag(options?.stable, true, `${name}: stable`);
  return { axis: normalizeAxis(options?.axis ?? -1, x.ndim, `${name}: axis`), descending, lanes: lanesOf(options) };
}

/** An option that is true or false. */
export function readFlag(value: unknown, byDefault: boolean, what: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? byDefault;
  throw new TypeError(`${what} must be true or false, got ${nameOf(value)}`);
}
