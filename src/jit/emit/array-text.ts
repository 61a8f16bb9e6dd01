import type { Expression, Variable } from '../tree.ts';
import type { ArrayType } from '../kernel-type.ts';
import { rootOf } from '../read/element.ts';

/** What a function asks of an array besides its address. */
export interface Extra {
  readonly kind: 'extent' | 'stride';
  readonly variable: Variable;
  readonly axis: number;
  readonly text: string;
}

/** Gives the names of what is asked for, and notes it. */
export interface Extras {
  of(kind: Extra['kind'], variable: Variable, axis: number): string;
}

/** The length of an array along an axis. */
export function extentText(array: Expression, axis: number, extras: Extras): string {
  if (array.kind === 'view') return extentText(array.array, axis + array.indices.length, extras);
  const { variable } = array as Extract<Expression, { kind: 'variable' }>;
  if (variable.alias) return extentText(variable.alias, axis, extras);
  const known = variable.shape?.[axis];
  return known === undefined ? extras.of('extent', variable, axis) : String(known);
}

/** Elements between neighbours along an axis. */
export function strideText(array: Expression, axis: number, extras: Extras): string {
  if (array.kind === 'view') return strideText(array.array, axis + array.indices.length, extras);
  const { variable } = array as Extract<Expression, { kind: 'variable' }>;
  if (variable.alias) return strideText(variable.alias, axis, extras);
  return extras.of('stride', variable, axis);
}

/**
 * Where an element is, from the first one: of an array without gaps `(i * b + j) * c + k`, of others by their strides.
 *
 * @param indices - texts that can stand beside a `*`: fewer than the array has axes for a part of it
 */
export function offsetText(array: Expression, indices: readonly string[], extras: Extras): string {
  const { rank, isFlat } = array.type as ArrayType;
  if (!isFlat) {
    const terms = indices.map((index, axis) => `${index} * ${strideText(array, axis, extras)}`);
    return terms.join(' + ');
  }
  let text = indices[0] ?? '0';
  for (let axis = 1; axis < rank; axis++) {
    const scaled = `${axis > 1 && text.includes(' + ') ? `(${text})` : text} * ${extentText(array, axis, extras)}`;
    text = axis < indices.length ? `${scaled} + ${indices[axis] ?? ''}` : scaled;
  }
  return text;
}

/** The name by which an array is reached: a parameter, a shared array, or a pointer to a row. */
export function baseOf(array: Expression): Variable {
  const { variable } = array as Extract<Expression, { kind: 'variable' }>;
  return variable;
}

/** Whether elements are written through any of its names. */
export function isWritten(variable: Variable): boolean {
  if (variable.isWritten) return true;
  const root = variable.alias && rootOf(variable.alias);
  return root?.isWritten === true;
}

/** The stored type of an element where it differs from the type of its value. */
export function halfOf(target: Expression): 'f16' | 'bf16' | undefined {
  if (target.kind !== 'element') return undefined;
  const { element } = target.array.type as ArrayType;
  return element === 'f16' || element === 'bf16' ? element : undefined;
}
