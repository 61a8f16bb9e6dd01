import type { ArrayDType } from '../dtype.ts';
import type { Node } from '../expression/node.ts';
import type { Parameter } from '../kernel/dialect.ts';
import type { CountType, Fold } from './fold.ts';

/** A user's text that makes what is reduced. */
export interface MappedText {
  /** Headers, and what comes before the kernel: functions, types. */
  readonly head: string;
  readonly preamble: string;
  readonly options: readonly string[] | undefined;
  /** Memories that the texts index themselves. */
  readonly memories: readonly Parameter[];
  /** Their numbers, behind those. */
  readonly numbers: readonly Parameter[];
  /**
   * The text of what is reduced, of the fold's type.
   *
   * @param elements - the names of elements
   * @param at - the place among the reduced elements
   */
  readonly text: (elements: readonly string[], at: string) => string;
}

/** What is computed of the elements at each place, and how they become one. */
export interface Reduction {
  /** The name of kernels: `sum_f32`. */
  readonly name: string;
  /** The dtypes of the arrays that are read. */
  readonly inputs: readonly ArrayDType[];
  /** What is reduced: an expression of elements, or a user's text. */
  readonly value: Node | MappedText;
  /** The dtype that it is converted to first. */
  readonly element: ArrayDType;
  /** The dtype of the array that is written. */
  readonly result: ArrayDType;
  /** The struct of results, whose bytes {@link result} is the dtype of. */
  readonly resultStruct?: string;
  /** How elements become one. */
  readonly fold: (count: CountType) => Fold;
}

/** The user's text of a reduction, where there is one. */
export function mappedText({ value }: Reduction): MappedText | undefined {
  return 'text' in value ? value : undefined;
}
