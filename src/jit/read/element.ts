import type { ElementUse, Expression, Span, Variable, View } from '../tree.ts';
import { valueOf, type ArrayType } from '../kernel-type.ts';

/** An element, of as many indices as the array has axes. A view of a row is looked through. */
export function elementOf(array: Expression, indices: readonly Expression[], span: Span): ElementUse {
  const { element } = array.type as ArrayType;
  const place = { start: array.start, end: span.end };
  if (array.kind === 'view') return elementOf(array.array, [...array.indices, ...indices], span);
  return { kind: 'element', array, indices, type: valueOf(element), ...place };
}

/** A part of an array: a row of a matrix. */
export function viewOf(array: Expression, index: Expression, span: Span): View {
  const type = array.type as ArrayType;
  const indices = array.kind === 'view' ? [...array.indices, index] : [index];
  const whole = array.kind === 'view' ? array.array : array;
  return {
    kind: 'view',
    array: whole,
    indices,
    type: { ...type, rank: type.rank - 1 },
    start: array.start,
    end: span.end,
  };
}

/** The array that an expression is a part of. */
export function rootOf(array: Expression): Variable | undefined {
  if (array.kind === 'view') return rootOf(array.array);
  if (array.kind !== 'variable') return undefined;
  const { variable } = array;
  return variable.alias === undefined ? variable : rootOf(variable.alias);
}

/** Elements of it are written: it is copied back to the host. */
export function markWritten(array: Expression): void {
  if (array.kind === 'variable') array.variable.isWritten = true;
  const root = rootOf(array);
  if (root) root.isWritten = true;
}
