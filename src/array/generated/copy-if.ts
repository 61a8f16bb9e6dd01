import type { ArrayDType } from '../dtype.ts';
import type { Parameter } from '../kernel/dialect.ts';
import type { NDArray } from '../ndarray.ts';
import { runCondition, type ConditionOptions, type ConditionWork } from './condition.ts';

/** The number of elements, on the device. */
export type DeviceCount = NDArray<'u32'> | NDArray<'u64'>;

const output = (name: string): Parameter => ({ name, dtype: 'u8', kind: 'output' });
const CHOSEN = output('chosen');

const into =
  (name: string) =>
  (_: string, rank: string, value: string): string =>
    `${name}[${rank}] = ${value};`;

/** What is taken, in order, by a condition of `ary[i]`. */
const copying = (what: string, expression: string): ConditionWork => ({
  what,
  expression,
  holds: (text) => text,
  outputs: [CHOSEN],
  value: true,
  write: into('chosen'),
});

/**
 * The elements for which an expression of `ary` and `i` holds, in order: PyOpenCL's. Where the number is needed on the host,
 * `x.at(mask)` gives an array of that length.
 *
 * Host: does not block.
 *
 * @param x - an array of one axis without gaps
 * @param predicate - C, such as `'ary[i] > limit'`
 * @returns an array as long as `x`, whose first elements are set, and how many those are
 * @throws RangeError an array of more axes, or with gaps
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const x = xp.array([5, 1, 7, 3]);
 * const [large, count] = xp.copyIf(x, 'ary[i] > limit', { extra: { 'float limit': 2 } });
 * large.at(xp.slice(0, Number(count.item()))); // [5, 7, 3]
 * ```
 */
export function copyIf<D extends ArrayDType>(
  x: NDArray<D>,
  predicate: string,
  options?: ConditionOptions,
): [elements: NDArray<D>, count: DeviceCount] {
  return taken(copying('copyIf', predicate), x, options);
}

/** The elements for which an expression does not hold; otherwise as {@link copyIf}. */
export function removeIf<D extends ArrayDType>(
  x: NDArray<D>,
  predicate: string,
  options?: ConditionOptions,
): [elements: NDArray<D>, count: DeviceCount] {
  return taken({ ...copying('removeIf', predicate), holds: (text) => `!(${text})` }, x, options);
}

/**
 * The elements for which an expression holds, and the others, both in order: PyOpenCL's `partition`. Host: does not block.
 *
 * @returns two arrays as long as `x`, and how many elements of the first one are set; of the second one the rest are
 * @throws RangeError an array of more axes, or with gaps
 */
export function partitionIf<D extends ArrayDType>(
  x: NDArray<D>,
  predicate: string,
  options?: ConditionOptions,
): [elements: NDArray<D>, others: NDArray<D>, count: DeviceCount] {
  const work: ConditionWork = {
    ...copying('partitionIf', predicate),
    outputs: [CHOSEN, output('others')],
    writeOther: (i, rank, value) => `others[${i} - ${rank}] = ${value};`,
  };
  const { outputs, count } = runCondition(work, x, options);
  const [elements, others] = outputs as [NDArray<D>, NDArray<D>];
  return [elements, others, count];
}

/**
 * The first element of each run of equal neighbours: PyOpenCL's `unique`. Host: does not block.
 *
 * @param isEqualExpr - whether the element `a` equals `b`, which follows it
 * @returns an array as long as `x`, whose first elements are set, and how many those are
 * @throws RangeError an array of more axes, or with gaps
 */
export function uniqueConsecutive<D extends ArrayDType>(
  x: NDArray<D>,
  isEqualExpr = 'a == b',
  options?: ConditionOptions,
): [elements: NDArray<D>, count: DeviceCount] {
  const work: ConditionWork = {
    ...copying('uniqueConsecutive', isEqualExpr),
    holds: () => 'i == 0 || !same()',
    isOfPairs: true,
  };
  return taken(work, x, options);
}

function taken<D extends ArrayDType>(
  work: ConditionWork,
  x: NDArray<D>,
  options: ConditionOptions | undefined,
): [elements: NDArray<D>, count: DeviceCount] {
  const { outputs, count } = runCondition(work, x, options);
  return [outputs[0] as NDArray<D>, count];
}
