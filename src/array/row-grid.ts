import { strideAt } from './layout.ts';

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
  const lengths = [...shape].reverse();
  const rowLength = lengths[0] ?? 1;
  const rows = lengths.slice(1).reduce((count, length) => count * length, 1);
  let width = threads;
  while (width > 1 && width * each >= rowLength * 2) width /= 2;
  const height = threads / width;
  const rowGroups = Math.ceil(rowLength / (width * each));
  const numbers = [rowLength, rows, rowGroups, ...lengths.slice(1, -1)];
  for (const steps of strides) for (let axis = shape.length - 1; axis >= 0; axis--) numbers.push(strideAt(steps, axis));
  return { groups: rowGroups * Math.ceil(rows / height), width, height, numbers };
}
