import { checkOptions } from '../../core/check.ts';
import { checkCast } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import { copyPart } from '../copy-part.ts';
import { promote, readDType, type ArrayDType } from '../dtype.ts';
import type { Layout } from '../layout.ts';
import type { NDArray, OutOptions } from '../ndarray.ts';
import { checkOneListBehind } from '../one-list.ts';
import { checkOpen, readArrays } from '../operand.ts';
import { resultOf } from '../result.ts';
import { checkRank, checkSize, readShape, shapeText } from '../shape.ts';
import { expandDims } from '../view.ts';
import { ravel } from './shape.ts';
import { lanesOf } from '../lane-options.ts';

/** The options of {@link concat}. */
export interface ConcatOptions extends OutOptions {
  /** The axis along which arrays follow each other, 0 by default; null joins their elements along one. */
  readonly axis?: number | null | undefined;
  /** The dtype of the result; the one that those of the arrays have in common by default. */
  readonly dtype?: ArrayDType | undefined;
}

/** The options of {@link stack}. */
export interface StackOptions extends OutOptions {
  /** The place of the new axis in the result, 0 by default. */
  readonly axis?: number | undefined;
  /** The dtype of the result; the one that those of the arrays have in common by default. */
  readonly dtype?: ArrayDType | undefined;
}

const OPTIONS = ['axis', 'dtype', 'out', 'stream', 'queue'];

/**
 * Join arrays along an axis that they have. Their shapes are the same but for that axis.
 *
 * @throws RangeError other shapes; the message names them and the axis
 */
export function concat(arrays: readonly NDArray[], options?: ConcatOptions): NDArray {
  const list = readArrays(arrays, 'concat');
  if (options !== undefined) checkOptions(options, OPTIONS, 'concat');
  if (options?.axis === null) {
    const flat: NDArray[] = [];
    try {
      for (const array of list) flat.push(ravel(array, lanesOf(options)));
      return join(flat, flat, 0, options, 'concat');
    } finally {
      for (const array of flat) array.close();
    }
  }
  const first = list[0] as NDArray;
  const axis = normalizeAxis(options?.axis ?? 0, first.ndim, 'concat: axis');
  for (const [i, { shape }] of list.entries()) {
    if (shape.length === first.ndim && shape.every((length, at) => at === axis || length === first.shape[at])) continue;
    throw new RangeError(
      `concat: the arrays must have the same shape but for axis ${axis}, got ${shapeText(first.shape)} and, as array ${i}, ${shapeText(shape)}`,
    );
  }
  return join(list, list, axis, options, 'concat');
}

/**
 * Join arrays of one shape along a new axis.
 *
 * @throws RangeError other shapes; the message names them
 */
export function stack(arrays: readonly NDArray[], options?: StackOptions): NDArray {
  const list = readArrays(arrays, 'stack');
  if (options !== undefined) checkOptions(options, OPTIONS, 'stack');
  const { shape, ndim } = list[0] as NDArray;
  for (const [i, other] of list.entries()) {
    if (other.ndim === ndim && other.shape.every((length, axis) => length === shape[axis])) continue;
    throw new RangeError(
      `stack: the arrays must have the same shape, got ${shapeText(shape)} and, as array ${i}, ${shapeText(other.shape)}`,
    );
  }
  checkRank(ndim + 1, 'stack: the result');
  const axis = normalizeAxis(options?.axis ?? 0, ndim + 1, 'stack: axis', 'a result');
  const parts = list.map((array) => expandDims(array, axis));
  return join(list, parts, axis, options, 'stack');
}

/** Copy parts, each over one of the arrays, behind each other along an axis. */
function join(
  list: readonly NDArray[],
  parts: readonly Layout[],
  axis: number,
  options: StackOptions | ConcatOptions | undefined,
  what: string,
): NDArray {
  const asked = options?.dtype === undefined ? undefined : readDType(options.dtype, `${what}: dtype`);
  const common = list.map((array) => array.dtype).reduce(promote);
  const dtype = asked ?? common;
  checkCast(common, dtype, what);
  const total = parts.reduce((sum, { shape }) => sum + (shape[axis] as number), 0);
  const shape = (parts[0] as Layout).shape.with(axis, total);
  checkSize(shape, `${what}: the result`);
  return resultOf(what, { shape, dtype, operands: list, options }, (out, lane) => {
    let start = 0;
    for (const [i, part] of parts.entries()) {
      const offset = out.offset + start * (out.strides[axis] as number);
      copyPart(out, { shape: part.shape, strides: out.strides, offset }, list[i] as NDArray, part, lane);
      start += part.shape[axis] as number;
    }
  });
}

/**
 * The array repeated along every axis; a list of fewer counts than axes is one for the last axes.
 *
 * @param counts - how often along each axis
 */
export function tile<D extends ArrayDType>(
  x: NDArray<D>,
  counts: number | readonly number[],
  options?: OutOptions,
): NDArray<D> {
  checkOpen(x, 'tile');
  // eslint-disable-next-line prefer-rest-params -- a rest parameter would be one of the public signature
  checkOneListBehind('tile', arguments);
  if (options !== undefined) checkOptions(options, ['out', 'stream', 'queue'], 'tile');
  const asked = readShape(counts, 'tile: counts');
  const rank = Math.max(asked.length, x.ndim);
  const times = [...new Array<number>(rank - asked.length).fill(1), ...asked];
  const lengths = [...new Array<number>(rank - x.ndim).fill(1), ...x.shape];
  const strides = [...new Array<number>(rank - x.ndim).fill(0), ...x.strides];
  const shape = lengths.map((length, axis) => length * (times[axis] as number));
  checkSize(shape, 'tile: the result');
  const inner = times.flatMap((count, axis) => [count, lengths[axis] as number]);
  const from = { shape: inner, strides: strides.flatMap((stride) => [0, stride]), offset: x.offset };
  return resultOf('tile', { shape, dtype: x.dtype, operands: [x], options }, (out, lane) => {
    const steps = out.strides.flatMap((stride, axis) => [stride * (lengths[axis] as number), stride]);
    copyPart(out, { shape: inner, strides: steps, offset: out.offset }, x, from, lane);
  });
}
