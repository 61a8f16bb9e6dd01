import { duplicate, empty, withoutGaps } from '../apply.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Lane } from '../engine.ts';
import { inOneAxis } from '../function/in-one-axis.ts';
import { itemType } from '../kernel/item.ts';
import { storageType, type Parameter } from '../kernel/dialect.ts';
import { engineOf, memoryOf, viewOf, type NDArray } from '../ndarray.ts';
import { fitsPack } from '../pack-fit.ts';
import { Compaction, type CompactData } from './compact.ts';
import type { CompactText } from './compact-text.ts';

/** How indices lie: those of one axis after those of another (`axes`), or those of one element side by side. */
export type IndexOrder = 'axes' | 'elements';

const number = (name: string): Parameter => ({ name, dtype: 'u64', kind: 'number' });

/** What all compactions by a mask have: a byte for each element. */
const byMask: Pick<CompactText, 'holds' | 'bytes'> = {
  holds: (i) => `mask[mask_at + ${i}] != 0`,
  bytes: ['mask', 'mask_at'],
};
const MASK: Parameter = { name: 'mask', dtype: 'bool', kind: 'input' };

const compactions = new Map<string, Compaction>();

function compactionOf(name: string, make: (name: string) => CompactText): Compaction {
  let found = compactions.get(name);
  if (found === undefined) compactions.set(name, (found = new Compaction(() => make(name))));
  return found;
}

/**
 * The indices of the elements that are not 0, in row-major order.
 *
 * Host: blocks until the number of them is known.
 *
 * @param array - of rank 1 or more
 * @returns an i64 array of shape [rank, count], or [count, rank] of indices side by side
 */
export function indicesOfTrue(array: NDArray, lane: Lane, order: IndexOrder = 'axes'): NDArray<'i64'> {
  const rank = array.ndim;
  const shapeFor = (count: number): number[] => (order === 'axes' ? [rank, count] : [count, rank]);
  const compaction = compactionOf(`nonzero_${rank}d`, (name) => indices(name, rank));
  return compacted(compaction, array, lane, 'i64', shapeFor, [], (count) => {
    return [...(order === 'axes' ? [1, count] : [rank, 1]), ...array.shape.slice(1)];
  });
}

/**
 * The elements of an array for which a mask of the same shape is true, in row-major order.
 *
 * Host: blocks until the number of them is known.
 */
export function elementsWhere<D extends ArrayDType>(x: NDArray<D>, mask: NDArray, lane: Lane): NDArray<D> {
  const dtype = itemType(x.itemsize);
  using flat = inOneAxis(x);
  // A line with another step, as that of a column, is copied.
  using line = withoutGaps(flat, lane);
  const compaction = compactionOf(`select_${dtype}`, (name) => elements(name, dtype));
  return compacted(
    compaction,
    mask,
    lane,
    x.dtype,
    (count) => [count],
    [line],
    () => [line.offset],
  );
}

function indices(name: string, rank: number): CompactText {
  const lines = [`const u64 at = (u64)rank * item_step;`, 'u64 rest = i;'];
  for (let axis = rank - 1; axis > 0; axis--) {
    lines.push(`indices[at + ${axis} * axis_step] = (i64)(rest % n${axis});`, `rest /= n${axis};`);
  }
  lines.push('indices[at] = (i64)rest;');
  return {
    name,
    memories: [{ name: 'indices', dtype: 'i64', kind: 'output' }, MASK],
    numbers: [
      number('mask_at'),
      number('item_step'),
      number('axis_step'),
      ...Array.from({ length: rank - 1 }, (_, i) => number(`n${i + 1}`)),
    ],
    ...byMask,
    write: () => lines.join('\n  '),
  };
}

function elements(name: string, dtype: ArrayDType): CompactText {
  return {
    name,
    memories: [{ name: 'chosen', dtype, kind: 'output' }, MASK, { name: 'source', dtype, kind: 'input' }],
    numbers: [number('mask_at'), number('source_at')],
    ...byMask,
    value: [storageType(dtype), (i) => `source[source_at + ${i}]`],
    write: (_, rank, value) => `chosen[${rank}] = ${value};`,
  };
}

function compacted<D extends ArrayDType>(
  compaction: Compaction,
  array: NDArray,
  lane: Lane,
  dtype: D,
  shapeFor: (count: number) => number[],
  sources: readonly NDArray[],
  numbersFor: (count: number) => number[],
): NDArray<D> {
  const engine = engineOf(array);
  if (array.size === 0) return empty(engine, shapeFor(0), dtype, lane);
  using mask = asMask(array, lane);
  const data = (count: number): CompactData => ({
    n: mask.size,
    inputs: [mask, ...sources].map(memoryOf),
    numbers: [mask.offset, ...numbersFor(count)],
    packed: fitsPack(mask, mask.offset, 16),
    reach: Math.max(...[mask, ...sources].map(({ offset }) => offset)) + mask.size,
  });
  using counted = compaction.count(engine, lane, data(0));
  const count = counted.total(engine, lane);
  const made = empty(engine, shapeFor(count), dtype, lane);
  if (count === 0) return made;
  try {
    compaction.write(engine, lane, [memoryOf(made)], data(count), counted);
    return made;
  } catch (error) {
    made.close();
    throw error;
  }
}

/** Which elements are not 0, in row-major order: a view of a mask without gaps, else a copy. */
function asMask(array: NDArray, lane: Lane): NDArray {
  if (array.dtype === 'bool' && array.isFlat) return viewOf(array, array);
  return duplicate(array, lane, 'bool');
}
