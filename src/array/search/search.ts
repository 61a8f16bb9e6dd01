import { copyInto, empty } from '../apply.ts';
import { promote } from '../dtype.ts';
import type { Engine, Lane, LaunchArgument } from '../engine.ts';
import { kernelFor } from '../kernel-cache.ts';
import { compareDType } from '../histogram/bin-rule.ts';
import { needsWide } from '../layout.ts';
import { memoryOf, type NDArray } from '../ndarray.ts';
import { SEARCH_BLOCKS, searchKernel, type SearchWork } from './search-kernel.ts';

/** A search for the places of values in sorted elements; all are along one axis. */
export interface Search {
  readonly sorted: NDArray;
  readonly values: NDArray;
  /** The indices that sort the elements, if there are some. */
  readonly sorter: NDArray | undefined;
  /** Whether a place is behind elements that are equal. */
  readonly isRight: boolean;
  /** Whether places are counted from the end. */
  readonly isReversed: boolean;
}

/** Values of a thread, on a processor. */
const SERIAL_VALUES = 4096;

/** Write the places of values. */
export function searchInto(engine: Engine, lane: Lane, out: NDArray, search: Search): void {
  if (out.size === 0) return;
  if (!out.isFlat || out.offset !== 0) {
    using made = empty(engine, out.shape, 'i64', lane);
    searchInto(engine, lane, made, search);
    copyInto(out, made, lane);
    return;
  }
  const { sorted, values, sorter, isRight, isReversed } = search;
  const { facts } = engine;
  const isSerial = facts.packBytes === 0;
  const common = promote(sorted.dtype, values.dtype);
  const work: SearchWork = {
    sorted: sorted.dtype,
    value: values.dtype,
    compare: compareDType(common === 'f64' && !facts.hasDoubles ? 'f32' : common),
    sorter: sorter?.dtype,
    isRight,
    wide: needsWide([sorted, values, ...(sorter ? [sorter] : [])]),
    threads: isSerial ? 1 : facts.groupSize,
  };
  const arrays = sorter ? [sorted, values, sorter] : [sorted, values];
  const args: LaunchArgument[] = [memoryOf(out), ...arrays.map((array) => memoryOf(array))];
  for (const { offset, strides } of arrays) args.push(offset, strides[0] ?? 0);
  const [n, length] = [values.size, sorted.size];
  const chunk = Math.max(SERIAL_VALUES, Math.ceil(n / (4 * facts.groups)));
  args.push(n, length, Number(isReversed), isSerial ? chunk : Math.max(1, Math.ceil(length / SEARCH_BLOCKS)));
  const groups = isSerial ? Math.ceil(n / chunk) : Math.min(facts.groups, Math.ceil(n / work.threads));
  const key = ['search', work.sorted, work.value, work.compare, work.sorter, isRight, work.wide, work.threads];
  kernelFor(engine, key.join(' '), () => searchKernel(work)).launch(lane, groups, work.threads, 1, args, 1);
}
