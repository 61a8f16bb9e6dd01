import type { ArrayOf, Condition, Expression, Operator } from './program.ts';

// Short words for what the generator makes.

export const constant = (value: number): Expression => ({ is: 'constant', value });
export const thread: Expression = { is: 'thread' };
export const block: Expression = { is: 'block' };
export const inGrid: Expression = { is: 'global' };
export const variable = (name: string): Expression => ({ is: 'variable', name });
export const load = (array: ArrayOf, index: Expression): Expression => ({ is: 'load', array, index });

export function binary(left: Expression, operator: Operator, right: Expression | number): Expression {
  return { is: 'binary', operator, left, right: typeof right === 'number' ? constant(right) : right };
}

export function compare(left: Expression, operator: Condition['operator'], right: Expression | number): Condition {
  return { operator, left, right: typeof right === 'number' ? constant(right) : right };
}

export function select(when: Condition, then: Expression, otherwise: Expression): Expression {
  return { is: 'select', when, then, otherwise };
}
