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
 */
export function rowGrid(shape: readonly number[], strides: readonly (readonly number[])[], threads: number): RowGrid {
  const lengths = [...shape].reverse();
  const rowLength = lengths[0] ?? 1;
  const rows = lengths.slice(1).reduce((count, length) => count * length, 1);
  let width = threads;
  while (width > 1 && width >= rowLength * 2) width /= 2;
  const height = threads / width;
  const rowGroups = Math.ceil(rowLength / width);
  const numbers = [rowLength, rows, rowGroups, ...lengths.slice(1, -1)];
  for (const each of strides) for (let axis = shape.length - 1; axis >= 0; axis--) numbers.push(strideAt(each, axis));
  return { groups: rowGroups * Math.ceil(rows / height), width, height, numbers };
}
