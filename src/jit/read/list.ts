import type { ElementUse, Expression, Span, Statement, Variable } from '../tree.ts';
import {
  I32,
  join,
  settled,
  typeText,
  valueOf,
  type ArrayType,
  type KernelType,
  type StructType,
  type TupleType,
} from '../kernel-type.ts';
import { constantOf, convert } from './convert.ts';
import { isPure } from './effect.ts';
import { elementOf } from './element.ts';
import { after, held, useOf } from './hold.ts';
import { unknown } from './operator.ts';
import { spanOf, type Reading } from './reading.ts';

// Lists are structs whose fields are positions, as long as each position is known. One that is indexed by a number that varies is an
// array of the thread.

const MAX_RANK = 4;

interface ListShape {
  readonly type: ArrayType;
  readonly shape: readonly number[];
}

/** A list as an array: of numbers, of structs of numbers, of lists of one length. Undefined where its values have no common type. */
export function arrayOfList({ items }: TupleType): ListShape | undefined {
  const whole = items.reduce<KernelType | undefined>((a, b) => a && join(a, b), items[0]);
  if (whole === undefined) return undefined;
  if (whole.kind === 'tuple') {
    const inner = arrayOfList(whole);
    if (inner === undefined || inner.type.rank === MAX_RANK) return undefined;
    return { type: { ...inner.type, rank: inner.type.rank + 1 }, shape: [items.length, ...inner.shape] };
  }
  const item = settled(whole);
  if (item.kind !== 'scalar' && !isOfNumbers(item)) return undefined;
  const element = item.kind === 'scalar' ? item.name : item;
  return { type: { kind: 'array', element, rank: 1, space: 'local', isFlat: true }, shape: [items.length] };
}

function isOfNumbers(type: KernelType): type is Extract<KernelType, { kind: 'struct' }> {
  return type.kind === 'struct' && type.fields.every(([, field]) => field.kind === 'scalar' || isOfNumbers(field));
}

function noArray(reading: Reading, type: TupleType, span: Span): never {
  return reading.fail(
    span,
    `a list must have values of one type where its index varies, got ${typeText(type)}; for an array write cuda.local.array(16, 'f32')`,
  );
}

/** Declare a list as an array of the thread. */
export function declareList(reading: Reading, variable: Variable, list: Expression, span: Span): readonly Statement[] {
  const type = list.type as TupleType;
  const { type: own, shape } = arrayOfList(type) ?? noArray(reading, type, span);
  const known = variable.type;
  Object.assign(variable, { type: own, shape, isWritten: true });
  // An element may be given something wider later on: the pass before has found it.
  if (known.kind === 'array') widenList(variable, valueOf(known.element));
  const stores = storesOf(reading, variable, list, span);
  const declaration: Statement = { kind: 'declaration', variable, value: undefined, ...spanOf(span) };
  return [declaration, ...stores.map((expression): Statement => ({ kind: 'expression', expression, ...spanOf(span) }))];
}

/**
 * A list that is an array holds all that its elements are given, as other variables do.
 *
 * @returns the type of its elements; undefined where none holds both
 */
export function widenList(variable: Variable, type: KernelType): KernelType | undefined {
  const array = variable.type as ArrayType;
  const joined = join(valueOf(array.element), type);
  if (joined === undefined) return undefined;
  const item = settled(joined);
  variable.type = { ...array, element: item.kind === 'scalar' ? item.name : (item as StructType) };
  return item;
}

/** The assignments of a list's values to the elements of an array. */
function storesOf(reading: Reading, variable: Variable, list: Expression, span: Span): readonly Expression[] {
  const array = useOf(variable, span);
  const store = (value: Expression, indices: readonly Expression[]): readonly Expression[] => {
    const { type } = value;
    if (type.kind !== 'tuple') return [stored(reading, elementOf(array, indices, span), value)];
    const isKnown = value.kind === 'aggregate' || isPure(value);
    const { before, use } = isKnown ? { before: undefined, use: value } : held(reading, value, 'list');
    const items = type.items.flatMap((item, i) => {
      const index = convert(constantOf(i, span), I32, reading.fail);
      return store(partOf(use, i, item), [...indices, index]);
    });
    return before ? [before, ...items] : items;
  };
  return store(list, []);
}

function stored({ fail }: Reading, target: ElementUse, value: Expression): Expression {
  const { type } = target;
  return { kind: 'assignment', target, value: convert(value, type, fail), type, ...spanOf(target) };
}

function partOf(list: Expression, i: number, type: KernelType): Expression {
  if (list.kind === 'aggregate') return list.items[i] as Expression;
  return { kind: 'field', object: list, name: String(i), type, ...spanOf(list) };
}

/** The variable that a list is, or is a part of, where its declaration can make an array of it. */
function declaredList(list: Expression): Variable | undefined {
  if (list.kind === 'field' && list.object.type.kind === 'tuple') return declaredList(list.object);
  return list.kind === 'variable' && list.variable.isList === true ? list.variable : undefined;
}

/** `[a, b, c][i]` with an index that varies. */
export function itemAt(reading: Reading, list: Expression, index: Expression, span: Span): Expression {
  const type = list.type as TupleType;
  const variable = declaredList(list);
  if (variable) {
    // The next pass reads its declaration as one of an array.
    const whole = variable.type as TupleType;
    const { type: array, shape } = arrayOfList(whole) ?? noArray(reading, whole, span);
    Object.assign(variable, { type: array, shape, isIndexed: true });
    return unknown(span);
  }
  const { type: array, shape } = arrayOfList(type) ?? noArray(reading, type, span);
  if (array.rank > 1)
    return reading.fail(span, 'a list of lists must have a name before its index varies: const t = …');
  const made = reading.made('list', span, true);
  Object.assign(made, { type: array, shape, isWritten: true });
  const element = elementOf(useOf(made, span), [index], span);
  return after(storesOf(reading, made, list, span), element, span);
}
