import type { ArrayDType } from '../dtype.ts';
import type { Parameter } from '../kernel/dialect.ts';
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
  readonly outputs: readonly Output[];
  /** A text that takes the place of the outputs' nodes. */
  readonly statement?: Statement;
}

/** What is written: its node is that of an expression; a statement computes all outputs. */
export interface Output {
  readonly dtype: ArrayDType;
  readonly node?: Node;
}

/** A user's text that computes outputs: a function of elements, numbers, and of memory that it indexes itself. */
export interface Statement {
  /** Headers, and what comes before the kernel: functions, types. */
  readonly head: string;
  readonly preamble: string;
  readonly options: readonly string[] | undefined;
  /** The memories, and then numbers, that come behind those of arrays. */
  readonly parameters: readonly Parameter[];
  /** Whether some of these memories are written. */
  readonly writesMemory: boolean;
  /** Whether the text reads the place of the element, or the number of all: places are then those of row-major order. */
  readonly hasPlace: boolean;
  /**
   * The lines that compute, over the names of elements, `x0`, and numbers, `s0`, and the text of each output.
   *
   * @param place - the text of the place of the element
   * @param size - that of the number of elements
   */
  readonly lines: (
    place: string,
    size: string,
  ) => { readonly lines: readonly string[]; readonly outputs: readonly string[] };
}

/** An operation applied to nodes. */
export function call(operation: Operation, operands: readonly Node[], typing: Typing): Node {
  return { kind: 'call', operation, operands, typing, dtype: typing.result };
}
