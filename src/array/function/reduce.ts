import { nameOf } from '../../core/check.ts';
import type { ArrayDType } from '../dtype.ts';
import type { NDArray, ReductionOptions } from '../ndarray.ts';
import { AppliedReduction } from '../reduction/applied-reduction.ts';
import { norms, reductions, type ReductionRow, type ReductionRows, type ReductionRule } from '../reduction/table.ts';
import type { NormOptions, VarianceOptions } from '../method-options.ts';
import type { ReducedDType } from '../result-dtype.ts';

/** A function that reduces the elements of an array along axes, or all of them, to one each. */
export type ReductionFunction<R extends ReductionRule, Options = object> = <
  D extends ArrayDType,
  E extends ArrayDType = ReducedDType<R, D>,
>(
  array: NDArray<D>,
  options?: ReductionOptions<E> & Options,
) => NDArray<E>;

const applied = Object.fromEntries(
  Object.entries(reductions).map(([name, row]) => [name, new AppliedReduction(name, row as ReductionRow)]),
) as Record<keyof ReductionRows, AppliedReduction>;

function reduction<R extends ReductionRule>(name: keyof ReductionRows): ReductionFunction<R> {
  const it = applied[name];
  return (array, options) => it.run(array, options) as never;
}

/** The sum of elements. Integers are added in 64 bits. */
export const sum: ReductionFunction<'wide'> = reduction('sum');

/** The product of elements. Integers are multiplied in 64 bits. */
export const prod: ReductionFunction<'wide'> = reduction('prod');

/** The greatest element; NaN where there is one. */
export const max: ReductionFunction<'same'> = reduction('max');

/** The least element; NaN where there is one. */
export const min: ReductionFunction<'same'> = reduction('min');

/** The greatest less the least element. */
export const ptp: ReductionFunction<'same'> = reduction('ptp');

/** The mean, in floats. */
export const mean: ReductionFunction<'float'> = reduction('mean');

/** The variance, in floats; it is divided by the number of elements less `correction`. */
const variance: ReductionFunction<'real', VarianceOptions> = reduction('var');
export { variance as var };

/** The standard deviation: the root of the variance. */
export const std: ReductionFunction<'real', VarianceOptions> = reduction('std');

/** Whether an element is other than 0. */
export const any: ReductionFunction<'bool'> = reduction('any');

/** Whether every element is other than 0. */
export const all: ReductionFunction<'bool'> = reduction('all');

/** The place of the greatest element, along one axis or among all; of the first NaN where there is one. */
export const argmax: ReductionFunction<'count'> = reduction('argmax');

/** The place of the least element, along one axis or among all; of the first NaN where there is one. */
export const argmin: ReductionFunction<'count'> = reduction('argmin');

/** How many elements are other than 0. */
export const countNonzero: ReductionFunction<'count'> = reduction('countNonzero');

/** The sum of the elements that are not NaN. */
export const nansum: ReductionFunction<'wide'> = reduction('nansum');

/** The greatest of the elements that are not NaN; NaN where all are. */
export const nanmax: ReductionFunction<'same'> = reduction('nanmax');

/** The least of the elements that are not NaN; NaN where all are. */
export const nanmin: ReductionFunction<'same'> = reduction('nanmin');

const appliedNorms = new Map(
  [...norms].map(([ord, row]) => [ord, new AppliedReduction('norm', row, `norm_${String(ord).replace('-', 'minus')}`)]),
);

/** The norm of vectors: by `ord` that of squares (2, the default), absolute values (1), the greatest or the least of them, or how many are not 0. */
export const norm: ReductionFunction<'real', NormOptions> = (array, options) => {
  const ord = options?.ord ?? 2;
  const it = appliedNorms.get(ord);
  if (it === undefined) throw new RangeError(`norm: ord must be 2, 1, Infinity, -Infinity or 0, got ${nameOf(ord)}`);
  return it.run(array, options) as never;
};

/** Reductions as methods. */
export const reductionMethods: Readonly<Record<string, (array: NDArray, options?: never) => NDArray>> = {
  ...Object.fromEntries(
    Object.entries(applied).map(([name, it]) => [
      name,
      (array: NDArray, options?: never): NDArray => it.run(array, options),
    ]),
  ),
  norm,
};
