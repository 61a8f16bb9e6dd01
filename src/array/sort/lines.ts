import { copyInto, empty } from '../apply.ts';
import type { Lane } from '../engine.ts';
import { engineOf, viewOf, type NDArray } from '../ndarray.ts';
import { moveaxis } from '../view.ts';

/** A view of an array without gaps; else a new one, with its elements where they are read. */
export function flatLines(array: NDArray, lane: Lane, isRead = true): NDArray {
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

/**
 * Run something over arrays whose lines along an axis follow each other: over copies, where those of an array do not.
 *
 * @param outs - the arrays that are written; lengths along the axis may differ
 */
export function alongLines(
  x: NDArray,
  outs: readonly NDArray[],
  axis: number,
  lane: Lane,
  run: (from: NDArray, ...to: NDArray[]) => void,
): void {
  const made: NDArray[] = [];
  const keep = (array: NDArray): NDArray => {
    made.push(array);
    return array;
  };
  try {
    const from = keep(flatLines(keep(viewOf(x, moveaxis(x, axis, -1))), lane));
    const targets = outs.map((out) => keep(viewOf(out, moveaxis(out, axis, -1))));
    const to = targets.map((target) => keep(flatLines(target, lane, false)));
    run(from, ...to);
    for (const [i, target] of targets.entries()) if (!target.isFlat) copyInto(target, to[i] as NDArray, lane);
  } finally {
    for (const array of made) array.close();
  }
}
