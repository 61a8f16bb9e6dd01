import { checkInteger, checkOptions } from '../../core/check.ts';
import { empty } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import { copyPart } from '../copy-part.ts';
import type { ArrayDType } from '../dtype.ts';
import { bytesOf } from '../host-data.ts';
import { engineOf, memoryOf, type NDArray, type OutOptions, type RepeatOptions } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { resultOf } from '../result.ts';
import { runSelection, selectAxes } from '../selection.ts';
import { asList, checkSize, shapeText } from '../shape.ts';
import { ravel } from './shape.ts';
import { lanesOf } from '../lane-options.ts';

/**
 * Each element of an axis several times in a row.
 *
 * Host: blocks until a list has been copied.
 *
 * @param counts - how often, or a list of one number for each element of the axis
 * @throws RangeError a list of another length
 */
export function repeat<D extends ArrayDType>(
  x: NDArray<D>,
  counts: number | readonly number[],
  options?: RepeatOptions,
): NDArray<D> {
  checkOpen(x, 'repeat');
  if (options !== undefined) checkOptions(options, ['axis', 'out', 'stream', 'queue'], 'repeat');
  if (options?.axis === undefined) {
    const flat = ravel(x, lanesOf(options));
    try {
      return repeatAlong(flat, counts, 0, options);
    } finally {
      flat.close();
    }
  }
  return repeatAlong(x, counts, normalizeAxis(options.axis, x.ndim, 'repeat: axis'), options);
}

function repeatAlong<D extends ArrayDType>(
  x: NDArray<D>,
  counts: number | readonly number[],
  axis: number,
  options: OutOptions | undefined,
): NDArray<D> {
  const { dtype } = x;
  const length = x.shape[axis] as number;
  const list = readCounts(counts, axis, x.shape);
  const total = typeof list === 'number' ? list * length : list.reduce((sum, count) => sum + count, 0);
  const shape = x.shape.with(axis, total);
  checkSize(shape, 'repeat: the result');
  return resultOf('repeat', { shape, dtype, operands: [x], options }, (out, lane) => {
    if (typeof list === 'number') {
      const stride = out.strides[axis] as number;
      const inner = x.shape.toSpliced(axis + 1, 0, list);
      const steps = out.strides.with(axis, stride * list).toSpliced(axis + 1, 0, stride);
      const from = { shape: inner, strides: x.strides.toSpliced(axis + 1, 0, 0), offset: x.offset };
      copyPart(out, { shape: inner, strides: steps, offset: out.offset }, x, from, lane);
      return;
    }
    if (total === 0) return;
    const engine = engineOf(out);
    const indices = empty(engine, [total], 'i64', lane);
    try {
      engine.write(memoryOf(indices), 0, bytesOf(placesOf(list, total)), lane);
      const selection = selectAxes(x, new Map([[axis, indices]]), [total], axis, 'clip');
      runSelection('get', selection, x, out, lane);
    } finally {
      indices.close();
    }
  });
}

function readCounts(counts: unknown, axis: number, shape: readonly number[]): number | number[] {
  const list = asList(counts);
  if (!list) return checkInteger(counts, 'repeat: counts', 0);
  if (list.length === 1) return checkInteger(list[0], 'repeat: counts', 0);
  const length = shape[axis] as number;
  if (list.length !== length) {
    throw new RangeError(
      `repeat: counts must have one number for each of the ${length} elements of axis ${axis} of shape ${shapeText(shape)}, got ${list.length}`,
    );
  }
  return Array.from(list, (count) => checkInteger(count, 'repeat: a count', 0));
}

function placesOf(counts: readonly number[], total: number): BigInt64Array {
  const places = new BigInt64Array(total);
  let at = 0;
  for (const [i, count] of counts.entries()) {
    places.fill(BigInt(i), at, at + count);
    at += count;
  }
  return places;
}
