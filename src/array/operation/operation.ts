import { arrayDTypes, type ArrayDType, type DTypeKind, type WeakScalar } from '../dtype.ts';

/** What an operation is applied to: elements of a dtype, or a scalar whose dtype follows the others'. */
export type OperandType = { readonly dtype: ArrayDType } | { readonly scalar: WeakScalar };

/** The dtypes of one application. */
export interface Typing {
  /** What each operand is converted to. */
  readonly operands: readonly ArrayDType[];
  readonly result: ArrayDType;
}

/**
 * How the dtype of a result follows from those of the operands, which are converted to the one that they have in common.
 *
 * - `same`: the common one
 * - `float`: the common one in floats, or complex numbers
 * - `part`: the same, but of complex numbers the result has the dtype of their parts
 * - `real`: the common one; of complex numbers the one of their parts
 * - `bool`: a truth value
 * - `order`: a truth value, of signed integers with u64 each in its own dtype: they have no other in common that holds them
 * - `logical`: a truth value, of operands as truth values
 * - `count`: u8
 * - `scale`: the first operand as for `float`, the second an integer
 * - `choice`: the first operand is a truth value, the others are as for `same`
 */
export type Rule = 'same' | 'float' | 'part' | 'real' | 'bool' | 'order' | 'logical' | 'count' | 'scale' | 'choice';

/** One row of the tables of operations. */
export interface Row<Arity extends 1 | 2 | 3 = 1 | 2 | 3, R extends Rule = Rule> {
  readonly arity: Arity;
  readonly rule: R;
  /** What the operands may be. */
  readonly kinds: readonly DTypeKind[];
  /** What to write instead, for an error about another kind: `'; write …'`. */
  readonly advice?: string;
  /**
   * Its text in C, of the names of its operands.
   *
   * @param t - the dtype of the first operand as it is computed with: halves are f32
   * @param dtypes - the dtype of each operand by its own name; the first's by default
   */
  readonly text: (operands: readonly string[], t: ArrayDType, dtypes?: readonly ArrayDType[]) => string;
}

/** A function of elements: what methods, free functions and expressions are made from. */
export interface Operation extends Row {
  /** The Array API's name in camelCase, or NumPy's where that has none. */
  readonly name: string;
}

export const REAL: readonly DTypeKind[] = ['int', 'uint', 'float'];
export const NUMBERS: readonly DTypeKind[] = [...REAL, 'complex'];
export const INTEGERS: readonly DTypeKind[] = ['int', 'uint'];
export const REAL_OR_BOOL: readonly DTypeKind[] = ['bool', ...REAL];
export const ALL: readonly DTypeKind[] = ['bool', ...NUMBERS];

/** Whether elements of a dtype are complex numbers. */
export function isComplex(t: ArrayDType): boolean {
  return arrayDTypes[t].kind === 'complex';
}

/** Whether elements of a dtype are floats. */
export function isFloat(t: ArrayDType): boolean {
  return arrayDTypes[t].kind === 'float';
}
