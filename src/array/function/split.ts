import { checkInteger, checkOptions } from '../../core/check.ts';
import { normalizeAxis } from '../axes.ts';
import type { ArrayDType } from '../dtype.ts';
import { applyIndex } from '../index-key.ts';
import type { Layout } from '../layout.ts';
import { viewOf, type NDArray } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { asList, listText, shapeText } from '../shape.ts';
import { Slice } from '../slice.ts';

/** The options of functions along one axis. */
export interface AxisOptions {
  /** The axis, 0 by default; a negative one counts from the end. */
  readonly axis?: number | undefined;
}

/**
 * Views of the parts of an array along an axis.
 *
 * @param parts - a number of equal parts, or the indices at which a new one begins
 * @throws RangeError the axis has no such number of equal parts
 */
export function split<D extends ArrayDType>(
  x: NDArray<D>,
  parts: number | readonly number[],
  options?: AxisOptions,
): NDArray<D>[] {
  checkOpen(x, 'split');
  if (options !== undefined) checkOptions(options, ['axis'], 'split');
  const axis = normalizeAxis(options?.axis ?? 0, x.ndim, 'split: axis');
  const length = x.shape[axis] as number;
  const list = asList(parts);
  const bounds = list ? readBounds(list) : equalBounds(x, axis, parts as number);
  const all = [0, ...bounds, length];
  return views(
    x,
    bounds.concat(length).map((stop, i) => part(x, axis, new Slice(all[i], stop))),
  );
}

function equalBounds({ shape }: Layout, axis: number, parts: number): number[] {
  const length = shape[axis] as number;
  const count = checkInteger(parts, 'split: the number of parts', 1);
  if (length % count !== 0) {
    throw new RangeError(
      `split: axis ${axis} of shape ${shapeText(shape)} must have a multiple of ${count} elements for equal parts, got ${length}; give the indices at which parts begin`,
    );
  }
  return Array.from({ length: count - 1 }, (_, i) => ((i + 1) * length) / count);
}

function readBounds(list: ArrayLike<unknown>): number[] {
  return Array.from(list, (bound) => {
    if (Number.isSafeInteger(bound)) return bound as number;
    throw new (typeof bound === 'number' ? RangeError : TypeError)(
      `split: the indices at which parts begin must be integers, got ${listText(list)}`,
    );
  });
}

function part(x: Layout, axis: number, slice: Slice): Layout {
  return applyIndex(x, [...new Array<Slice>(axis).fill(new Slice()), slice]);
}

/** Views of the elements of an axis, without that axis. */
export function unstack<D extends ArrayDType>(x: NDArray<D>, options?: AxisOptions): NDArray<D>[] {
  checkOpen(x, 'unstack');
  if (options !== undefined) checkOptions(options, ['axis'], 'unstack');
  const axis = normalizeAxis(options?.axis ?? 0, x.ndim, 'unstack: axis');
  const whole = new Array<Slice>(axis).fill(new Slice());
  return views(
    x,
    Array.from({ length: x.shape[axis] as number }, (_, i) => applyIndex(x, [...whole, i])),
  );
}

function views<D extends ArrayDType>(x: NDArray<D>, layouts: readonly Layout[]): NDArray<D>[] {
  return layouts.map((layout) => viewOf(x, layout));
}
