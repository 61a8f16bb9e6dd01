import type { ArrayDType } from '../dtype.ts';
import type { Node } from '../expression/node.ts';
import type { CountType, Fold } from './fold.ts';

/** What is computed of the elements at each place, and how they become one. */
export interface Reduction {
  /** The name of kernels: `sum_f32`. */
  readonly name: string;
  /** The dtypes of the arrays that are read. */
  readonly inputs: readonly ArrayDType[];
  /** What is reduced: an expression of elements. */
  readonly value: Node;
  /** The dtype that it is converted to first. */
  readonly element: ArrayDType;
  /** The dtype of the array that is written. */
  readonly result: ArrayDType;
  /** How elements become one. */
  readonly fold: (count: CountType) => Fold;
}
