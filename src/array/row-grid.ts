import { strideAt } from './layout.ts';
import { sizeOf } from './shape.ts';

/** Elements of a row that a thread has at most, where threads run one after another. */
export const SERIAL_ROW = 4096;
/** Elements of a group there, and its rows at most. */
const SERIAL_ELEMENTS = 16_384;
const MAX_ROWS = 256;

/** How threads are laid over the rows of an iteration: a group has a part of a long row, or several short ones. */
export interface RowGrid {
  readonly groups: number;
  readonly width: number;
  readonly height: number;
  /** The numbers that `walkParameters` has behind the places of the first elements. */
  readonly numbers: readonly number[];
}

/**
 * The grid of an iteration, which has one axis or more.
 *
 * @param strides - of each array along the axes
 * @param threads - of a group, a power of two
 * @param each - elements of a thread along a row
 */
export function rowGrid(
  shape: readonly number[],
  strides: readonly (readonly number[])[],
  threads: number,
  each = 1,
): RowGrid {
  const rowLength = shape.at(-1) ?? 1;
  let width = threads;
  while (width > 1 && width * each >= rowLength * 2) width /= 2;
  return gridOf(shape, strides, width, threads / width, each);
}

/**
 * The same where threads run one after another: each has a row, or a part of a long one, and a group so many of them that a launch
 * does not matter, as long as there is a group for every processor.
 *
 * @param processors - groups that run at once
 */
export function serialRowGrid(
  shape: readonly number[],
  strides: readonly (readonly number[])[],
  processors: number,
): RowGrid {
  const rowLength = shape.at(-1) ?? 1;
  const fair = sizeOf(shape) / rowLength / (4 * processors);
  const height = Math.max(1, Math.floor(Math.min(MAX_ROWS, SERIAL_ELEMENTS / rowLength, fair)));
  return gridOf(shape, strides, 1, height, SERIAL_ROW);
}

function gridOf(
  shape: readonly number[],
  strides: readonly (readonly number[])[],
  width: number,
  height: number,
  each: number,
): RowGrid {
  const lengths = [...shape].reverse();
  const rowLength = lengths[0] ?? 1;
  const rows = sizeOf(shape) / rowLength;
  const rowGroups = Math.ceil(rowLength / (width * each));
  const numbers = [rowLength, rows, rowGroups, ...lengths.slice(1, -1)];
  for (const steps of strides) for (let axis = shape.length - 1; axis >= 0; axis--) numbers.push(strideAt(steps, axis));
  return { groups: rowGroups * Math.ceil(rows / height), width, height, numbers };
}
