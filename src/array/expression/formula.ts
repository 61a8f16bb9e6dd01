import type { ArrayDType, WeakScalar } from '../dtype.ts';
import type { Operation } from '../operation/operation.ts';

/** An expression whose dtypes are not known yet: operations on values, which are arrays or scalars. */
export type Formula =
  /** What is given, by its place. */
  | { readonly kind: 'value'; readonly index: number }
  | { readonly kind: 'constant'; readonly value: WeakScalar }
  | FormulaCall
  /** An operand as another dtype. */
  | { readonly kind: 'cast'; readonly operand: Formula; readonly dtype: ArrayDType };

/** An operation on operands. */
export interface FormulaCall {
  readonly kind: 'call';
  readonly operation: Operation;
  readonly operands: readonly Formula[];
  /** Where it stands in the text that it is from. */
  readonly at?: number | undefined;
}

/** How many operations are named in the name of a kernel. */
const MOST_NAMED = 6;

/** A name for kernels of formulas that says what they compute: `evaluate_multiply_sin_add`. */
export function nameOfFormulas(prefix: string, formulas: readonly Formula[]): string {
  const seen = new Set<Formula>();
  const names: string[] = [];
  const visit = (formula: Formula): void => {
    if (seen.has(formula)) return;
    seen.add(formula);
    if (formula.kind === 'cast') visit(formula.operand);
    if (formula.kind !== 'call') return;
    for (const operand of formula.operands) visit(operand);
    names.push(formula.operation.name);
  };
  for (const formula of formulas) visit(formula);
  const more = names.length > MOST_NAMED ? [`and${names.length - MOST_NAMED}`] : [];
  return [prefix, ...names.slice(0, MOST_NAMED), ...more].join('_');
}
