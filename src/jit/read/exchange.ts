import type * as Acorn from 'acorn';
import type { Expression, Span } from '../tree.ts';
import { I32, I64, typeText } from '../kernel-type.ts';
import { assign, placeOf } from './assignment.ts';
import { constantOf, convert } from './convert.ts';
import { isPure } from './effect.ts';
import { elementOf } from './element.ts';
import { held, useOf } from './hold.ts';
import { spanOf, type Reading } from './reading.ts';

type PatternAssignment = Acorn.AssignmentExpression & { readonly left: Acorn.ArrayPattern | Acorn.ObjectPattern };

/** One place of a pattern, and what it is given; a value without a place is computed alone. */
interface Leaf {
  readonly node: Acorn.Node | undefined;
  readonly value: Expression;
  /** Whether it is of a literal, all of which is computed before anything is assigned. */
  readonly isEarly: boolean;
}

/** `[a, b] = [b, a]` */
export function isPatternAssignment(node: Acorn.Expression): node is PatternAssignment {
  return (
    node.type === 'AssignmentExpression' &&
    node.operator === '=' &&
    (node.left.type === 'ArrayPattern' || node.left.type === 'ObjectPattern')
  );
}

/**
 * The assignments that one to a pattern is. JavaScript computes the literal, then takes one place after the other and assigns to it
 * (ECMA-262, DestructuringAssignmentEvaluation): what a place before may change is kept in a variable.
 */
export function readPatternAssignment(reading: Reading, { left, right }: PatternAssignment): readonly Expression[] {
  const value = reading.expression(right);
  const before: Expression[] = [];
  if (value.type.kind === 'unknown') return [];
  const leaves = leavesOf(reading, left, value, before);
  const places = leaves.map(({ node }) => node && placeOf(reading, node));
  const isPlain = leaves.every(({ value: one }, i) => isPure(one) && (places[i] === undefined || isPure(places[i])));
  // The first place is given its value before anything else changes.
  const values = leaves.map((leaf, i) => (isPlain && i === 0 ? leaf.value : kept(reading, leaf, before)));
  const stores = places.flatMap((place, i) => (place ? [assign(reading, place, values[i] as Expression, place)] : []));
  return [...before, ...stores];
}

/** A value of a literal, in a variable that is given it before the first place is. */
function kept(reading: Reading, { value, isEarly }: Leaf, before: Expression[]): Expression {
  if (!isEarly || value.kind === 'constant' || value.type.kind === 'array') return value;
  const variable = reading.made('kept', value, true);
  // What is made of constants alone takes the type of the place.
  variable.type = value.type;
  const use = useOf(variable, value);
  before.push({ kind: 'assignment', target: use, value, type: use.type, ...spanOf(value) });
  return use;
}

function leavesOf(
  reading: Reading,
  pattern: Acorn.Node,
  value: Expression,
  before: Expression[],
  isEarly = true,
): readonly Leaf[] {
  const node = pattern as Acorn.Pattern;
  if (node.type === 'AssignmentPattern' || node.type === 'RestElement')
    return reading.fail(node, 'a place must stand here, without = and …: [a, b] = [b, a]');
  if (node.type !== 'ArrayPattern' && node.type !== 'ObjectPattern') return [{ node, value, isEarly }];
  if (value.type.kind === 'unknown') return [];
  const whole = isPure(value) || value.kind === 'aggregate' ? value : wholeOf(reading, value, before);
  const isLiteral = whole.kind === 'aggregate';
  const parts = node.type === 'ArrayPattern' ? itemsOf(reading, node, whole) : fieldsOf(reading, node, whole);
  const taken = parts.flatMap(([inner, part]) => leavesOf(reading, inner, part, before, isEarly && isLiteral));
  if (!isLiteral) return taken;
  const used = new Set(parts.map(([, part]) => part));
  const rest = whole.items.filter((item) => !used.has(item) && !isPure(item));
  return [...taken, ...rest.map((item) => ({ node: undefined, value: item, isEarly: true }))];
}

function wholeOf(reading: Reading, value: Expression, before: Expression[]): Expression {
  const { before: assignment, use } = held(reading, value, 'parts');
  before.push(assignment);
  return useOf(use.variable, value);
}

type Part = readonly [pattern: Acorn.Node, value: Expression];

function itemsOf(reading: Reading, { elements, ...span }: Acorn.ArrayPattern, whole: Expression): readonly Part[] {
  const { type } = whole;
  if (type.kind === 'array' && type.rank === 1)
    return elements.flatMap((element, i): Part[] => {
      if (element === null) return [];
      const index = convert(constantOf(i, element), reading.isWide ? I64 : I32, reading.fail);
      return [[element, { ...elementOf(whole, [index], element), ...spanOf(element) }]];
    });
  if (type.kind !== 'tuple') return reading.fail(span, `a list must be given here, got ${typeText(type)}`);
  return elements.flatMap((element, i): Part[] => {
    const found = type.items[i];
    if (element === null) return [];
    if (found === undefined) return reading.fail(element, `the list has ${type.items.length} values`);
    return [[element, partOf(whole, String(i), i, found, element)]];
  });
}

function fieldsOf(reading: Reading, { properties, ...span }: Acorn.ObjectPattern, whole: Expression): readonly Part[] {
  const { type } = whole;
  if (type.kind !== 'struct') return reading.fail(span, `an object must be given here, got ${typeText(type)}`);
  return properties.map((property): Part => {
    const name = property.type === 'Property' && !property.computed ? nameOf(property) : undefined;
    if (property.type !== 'Property' || name === undefined)
      return reading.fail(property, 'an object is taken apart by its names: ({ x: a, y: b } = p)');
    const i = type.fields.findIndex(([field]) => field === name);
    if (i < 0) return reading.fail(property, `${typeText(type)} has no .${name}`);
    return [property.value, partOf(whole, name, i, type.fields[i]?.[1] as never, property)];
  });
}

function nameOf({ key }: Acorn.AssignmentProperty): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}

function partOf(whole: Expression, name: string, i: number, type: Expression['type'], span: Span): Expression {
  if (whole.kind === 'aggregate') return whole.items[i] as Expression;
  return { kind: 'field', object: whole, name, type, ...spanOf(span) };
}
