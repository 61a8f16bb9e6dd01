import type { ElementUse, Expression, Span, Target, Variable } from '../tree.ts';
import { settled } from '../kernel-type.ts';
import { isPure } from './effect.ts';
import { spanOf, type Reading } from './reading.ts';

/** A variable as an expression. */
export function useOf(variable: Variable, span: Span): Extract<Expression, { kind: 'variable' }> {
  return { kind: 'variable', variable, type: variable.type, ...spanOf(span) };
}

/** A value that is computed once: the assignment to a variable, and the variable. */
export function held(
  reading: Reading,
  value: Expression,
  name: string,
): { readonly before: Expression; readonly use: Extract<Expression, { kind: 'variable' }> } {
  const variable = reading.made(name, value, true);
  variable.type = settled(value.type);
  const use = useOf(variable, value);
  const assigned = { ...value, type: variable.type } as Expression;
  return { before: { kind: 'assignment', target: use, value: assigned, type: use.type, ...spanOf(value) }, use };
}

/**
 * A place that is read and written. JavaScript computes its indices once: those that change something, and those beside them, go into
 * variables before.
 */
export function placeOnce(
  reading: Reading,
  target: Target,
): { readonly before: readonly Expression[]; readonly target: Target } {
  if (isPure(target)) return { before: [], target };
  const before: Expression[] = [];
  return { before, target: moved(reading, target, before) as Target };
}

function moved(reading: Reading, place: Expression, before: Expression[]): Expression {
  if (place.kind === 'field') return { ...place, object: moved(reading, place.object, before) };
  if (place.kind !== 'element') return place;
  const indices = place.indices.map((index) => {
    if (index.kind === 'constant') return index;
    const { before: assignment, use } = held(reading, index, 'index');
    before.push(assignment);
    return use;
  });
  return { ...place, indices } satisfies ElementUse;
}

/** What is done before a value, and the value. */
export function after(before: readonly Expression[], value: Expression, span: Span): Expression {
  if (before.length === 0) return value;
  return { kind: 'sequence', items: [...before, value], type: value.type, ...spanOf(span) };
}
