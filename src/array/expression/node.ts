import type { ArrayDType } from '../dtype.ts';
import type { Operation, Typing } from '../operation/operation.ts';

/** An expression over elements, with a dtype at every node. */
export type Node =
  /** The element of an array, by its place among the arrays. */
  | { readonly kind: 'input'; readonly index: number; readonly dtype: ArrayDType }
  /** A number, by its place among the numbers: an argument of the kernel, so that one kernel serves all values. */
  | { readonly kind: 'scalar'; readonly index: number; readonly dtype: ArrayDType }
  /** The place of the element in row-major order; for outputs without gaps, whose order a walk keeps. */
  | { readonly kind: 'index'; readonly dtype: ArrayDType }
  | {
      readonly kind: 'call';
      readonly operation: Operation;
      readonly operands: readonly Node[];
      readonly typing: Typing;
      readonly dtype: ArrayDType;
    };

/** What one elementwise kernel computes: of elements and numbers the elements of its outputs. */
export interface Elementwise {
  readonly name: string;
  /** The dtypes of the arrays that are read. */
  readonly inputs: readonly ArrayDType[];
  /** The dtypes of the numbers. */
  readonly scalars: readonly ArrayDType[];
  readonly outputs: readonly { readonly dtype: ArrayDType; readonly node: Node }[];
}

/** An operation applied to nodes. */
export function call(operation: Operation, operands: readonly Node[], typing: Typing): Node {
  return { kind: 'call', operation, operands, typing, dtype: typing.result };
}
