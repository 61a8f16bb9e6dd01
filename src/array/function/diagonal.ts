import { checkInteger, checkOptions } from '../../core/check.ts';
import { normalizeAxis } from '../axes.ts';
import type { ArrayDType } from '../dtype.ts';
import { lengthAt, strideAt, type Layout } from '../layout.ts';
import { viewOf, type NDArray, type TraceOptions } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { shapeText } from '../shape.ts';
import { sum } from './reduce.ts';
import type { DiagonalOptions } from '../method-options.ts';
import type { ReducedDType } from '../result-dtype.ts';

const OPTIONS = ['offset', 'axis1', 'axis2'];

/**
 * The view of a diagonal of each matrix, along the last axis.
 *
 * @throws RangeError fewer than two axes, or one axis twice
 */
export function diagonal<D extends ArrayDType>(array: NDArray<D>, options?: DiagonalOptions): NDArray<D> {
  checkArray(array, 'diagonal: the array');
  array.use('diagonal');
  if (options !== undefined) checkOptions(options, OPTIONS, 'diagonal');
  return viewOf(array, diagonalOf(array, options, 'diagonal'));
}

/** The sums of diagonals. Integers are added in 64 bits. */
export function trace<D extends ArrayDType, E extends ArrayDType = ReducedDType<'wide', D>>(
  array: NDArray<D>,
  options?: TraceOptions<E>,
): NDArray<E> {
  checkArray(array, 'trace: the array');
  array.use('trace');
  if (options !== undefined) checkOptions(options, [...OPTIONS, 'dtype', 'out', 'stream', 'queue'], 'trace');
  using view = viewOf(array, diagonalOf(array, options, 'trace'));
  const { dtype, out, stream, queue } = options ?? {};
  return sum(view, { axis: -1, dtype, out, stream, queue });
}

function diagonalOf({ shape, strides, offset }: Layout, options: DiagonalOptions | undefined, name: string): Layout {
  if (shape.length < 2) {
    throw new RangeError(`${name} must be given an array of two axes or more, got shape ${shapeText(shape)}`);
  }
  const rows = normalizeAxis(options?.axis1 ?? 0, shape.length, `${name}: axis1`);
  const columns = normalizeAxis(options?.axis2 ?? 1, shape.length, `${name}: axis2`);
  if (rows === columns) throw new RangeError(`${name}: axis1 and axis2 must be two axes, got ${rows} twice`);
  const above = checkInteger(options?.offset ?? 0, `${name}: offset`, -Number.MAX_SAFE_INTEGER);
  const length = Math.max(
    0,
    Math.min(lengthAt(shape, rows) - Math.max(-above, 0), lengthAt(shape, columns) - Math.max(above, 0)),
  );
  const start = above < 0 ? -above * strideAt(strides, rows) : above * strideAt(strides, columns);
  const rest = <T>(values: readonly T[]): readonly T[] => values.filter((_, axis) => axis !== rows && axis !== columns);
  return {
    shape: [...rest(shape), length],
    strides: [...rest(strides), strideAt(strides, rows) + strideAt(strides, columns)],
    offset: length === 0 ? offset : offset + start,
  };
}
