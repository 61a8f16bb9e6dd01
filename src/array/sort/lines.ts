import { copyInto, empty, withoutGaps } from '../apply.ts';
import type { Lane } from '../engine.ts';
import { engineOf, viewOf, type NDArray } from '../ndarray.ts';
import { moveaxis } from '../view.ts';

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
    const from = keep(withoutGaps(keep(viewOf(x, moveaxis(x, axis, -1))), lane));
    const targets = outs.map((out) => keep(viewOf(out, moveaxis(out, axis, -1))));
    const to = targets.map((target) => {
      return target.isFlat ? target : keep(empty(engineOf(target), target.shape, target.dtype, lane));
    });
    run(from, ...to);
    for (const [i, target] of targets.entries()) if (!target.isFlat) copyInto(target, to[i] as NDArray, lane);
  } finally {
    for (const array of made) array.close();
  }
}
