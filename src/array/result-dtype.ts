import type { ArrayDType } from './dtype.ts';
import type { Rule } from './operation/operation.ts';
import type { FloatOf, RealOf, WideOf } from './promotion.ts';
import type { ReductionRule } from './reduction/table.ts';

/** The dtype of a result whose operands have one in common. */
export type ResultOf<R extends Rule, D extends ArrayDType> = {
  same: D;
  float: FloatOf<D>;
  part: RealOf<FloatOf<D>>;
  real: RealOf<D>;
  bool: 'bool';
  order: 'bool';
  logical: 'bool';
  count: 'u8';
  scale: ArrayDType;
  choice: D;
}[R];

/** The dtype of an array together with a scalar: of integers a fraction makes floats. */
export type WithScalar<D extends ArrayDType> = D extends 'f16' | 'bf16' | 'f32' | 'f64' ? D : ArrayDType;

/** The dtype of a reduction's results. */
export type ReducedDType<R extends ReductionRule, D extends ArrayDType> = {
  wide: WideOf<D>;
  same: D;
  float: FloatOf<D>;
  real: RealOf<FloatOf<D>>;
  bool: 'bool';
  count: 'i64';
}[R];
