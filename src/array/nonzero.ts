import { copyInto, empty } from './apply.ts';
import type { Lane } from './engine.ts';
import { kernelFor } from './kernel-cache.ts';
import { countTrue, NONZERO_ITEMS, scanCounts, writeIndices } from './kernel/nonzero.ts';
import { engineOf, memoryOf, viewOf, type NDArray } from './ndarray.ts';

/** How indices lie: those of one axis after those of another (`axes`), or those of one element side by side. */
export type IndexOrder = 'axes' | 'elements';

/**
 * The indices of the elements that are not 0, in row-major order, by three kernels: counts of groups, their sums, indices.
 *
 * Host: blocks until the number of them is known.
 *
 * @param array - of rank 1 or more
 * @returns an i64 array of shape [rank, count], or [count, rank] of indices side by side
 */
export function indicesOfTrue(array: NDArray, lane: Lane, order: IndexOrder = 'axes'): NDArray<'i64'> {
  const engine = engineOf(array);
  const rank = array.ndim;
  const shapeFor = (count: number): number[] => (order === 'axes' ? [rank, count] : [count, rank]);
  if (array.size === 0) return empty(engine, shapeFor(0), 'i64', lane);
  using mask = asMask(array, lane);
  const threads = engine.facts.groupSize;
  const groups = Math.ceil(mask.size / (threads * NONZERO_ITEMS));
  using counts = empty(engine, [groups], 'u64', lane);
  using offsets = empty(engine, [groups + 1], 'u64', lane);
  const [countsAt, offsetsAt] = [memoryOf(counts), memoryOf(offsets)];
  const maskAt = memoryOf(mask);
  kernelFor(engine, 'nonzero count', () => countTrue(threads)) //
    .launch(lane, groups, threads, 1, [countsAt, maskAt, mask.offset, mask.size], 1);
  kernelFor(engine, 'nonzero scan', () => scanCounts(threads)) //
    .launch(lane, 1, threads, 1, [offsetsAt, countsAt, groups], 1);
  const total = new BigUint64Array(1);
  engine.read(offsetsAt, groups * 8, new Uint8Array(total.buffer), lane);
  const count = Number(total[0]);
  const indices = empty(engine, shapeFor(count), 'i64', lane);
  if (count === 0) return indices;
  try {
    const [itemStep, axisStep] = order === 'axes' ? [1, count] : [rank, 1];
    const args = [memoryOf(indices), maskAt, offsetsAt, mask.offset, mask.size];
    kernelFor(engine, `nonzero write ${rank}`, () => writeIndices(threads, rank)) //
      .launch(lane, groups, threads, 1, [...args, itemStep, axisStep, ...array.shape.slice(1)], 1);
    return indices;
  } catch (error) {
    indices.close();
    throw error;
  }
}

/** Which elements are not 0, in row-major order: a view of a mask without gaps, else a copy. */
function asMask(array: NDArray, lane: Lane): NDArray {
  if (array.dtype === 'bool' && array.isFlat) return viewOf(array, array);
  const copy = empty(engineOf(array), array.shape, 'bool', lane) as unknown as NDArray;
  try {
    copyInto(copy, array, lane);
    return copy;
  } catch (error) {
    copy.close();
    throw error;
  }
}
