import type * as Acorn from 'acorn';
import { findBuiltin } from '../operation/builtin.ts';
import type { Expression, Span, Statement } from '../tree.ts';
import { I32, I64, typeText, UNKNOWN, type ArrayType, type KernelType } from '../kernel-type.ts';
import { widen } from './assignment.ts';
import type { Body } from './body.ts';
import { constantOf, convert } from './convert.ts';
import { declarationOf, declareWith } from './declare.ts';
import { isPure } from './effect.ts';
import { elementOf, viewOf } from './element.ts';
import { nameParts } from './name.ts';
import { unknown } from './operator.ts';
import { spanOf } from './reading.ts';

/** Declare the names of a pattern: `x` and `y` of `{ at: [x, y] }`. */
export function takePattern(
  body: Body,
  pattern: Acorn.Pattern,
  value: Expression,
  isHoisted: boolean,
): readonly Statement[] {
  switch (pattern.type) {
    case 'Identifier':
      return declareWith(body, pattern, value, isHoisted);
    case 'ArrayPattern':
      return takeApart(body, pattern, value, isHoisted);
    case 'ObjectPattern':
      return takeFields(body, pattern, value, isHoisted);
    default:
      return body.fail(pattern, 'a part of a value must have a name, without = and …: const { x, y } = …');
  }
}

/** `const [x, y] = cuda.grid(2)` */
function takeApart(
  body: Body,
  { elements, ...span }: Acorn.ArrayPattern,
  value: Expression,
  isHoisted: boolean,
): readonly Statement[] {
  const { type } = value;
  if (type.kind === 'array') return takeElements(body, elements, value, isHoisted);
  if (type.kind !== 'tuple') return body.fail(span, `a list must stand here, got ${typeText(type)}`);
  const { before, whole } = keep(body, value, span, isHoisted);
  return [
    ...before,
    ...elements.flatMap((element, i) => {
      if (element === null) return [];
      const found = type.items[i];
      if (found === undefined) return body.fail(element, `the list has ${type.items.length} values`);
      return takePattern(body, element, partOf(whole, String(i), i, found, element), isHoisted);
    }),
  ];
}

/** `const [first, second] = a`, which a list is, too, that is an array of the thread. */
function takeElements(
  body: Body,
  elements: Acorn.ArrayPattern['elements'],
  array: Expression,
  isHoisted: boolean,
): readonly Statement[] {
  return elements.flatMap((element, i) => {
    if (element === null) return [];
    const index = convert(constantOf(i, element), body.isWide ? I64 : I32, body.fail);
    const { rank } = array.type as ArrayType;
    const value = rank === 1 ? elementOf(array, [index], element) : viewOf(array, index, element);
    return takePattern(body, element, { ...value, ...spanOf(element) }, isHoisted);
  });
}

function takeFields(
  body: Body,
  { properties, ...span }: Acorn.ObjectPattern,
  value: Expression,
  isHoisted: boolean,
): readonly Statement[] {
  const { type } = value;
  if (type.kind !== 'struct') return body.fail(span, `an object must stand here, got ${typeText(type)}`);
  const { before, whole } = keep(body, value, span, isHoisted);
  return [
    ...before,
    ...properties.flatMap((property) => {
      const name = nameOfProperty(body, property);
      const i = type.fields.findIndex(([field]) => field === name);
      if (i < 0) return body.fail(property, `${typeText(type)} has no .${name}`);
      return takePattern(
        body,
        (property as Acorn.AssignmentProperty).value,
        partOf(whole, name, i, type.fields[i]?.[1] ?? UNKNOWN, property),
        isHoisted,
      );
    }),
  ];
}

function nameOfProperty(body: Body, property: Acorn.ObjectPattern['properties'][number]): string {
  if (property.type === 'Property' && !property.computed) {
    const { key } = property;
    if (key.type === 'Identifier') return key.name;
    if (key.type === 'Literal' && typeof key.value === 'string') return key.value;
  }
  return body.fail(property, 'an object is taken apart by its names: const { x, y } = …');
}

/** The name in the program of what stands behind `cuda`, where a value is that and nothing else. */
export function wordsOf(body: Body, init: Acorn.Expression): readonly string[] | undefined {
  const parts = nameParts(init);
  return parts && body.lookup(parts[0] ?? '') === undefined && findBuiltin(parts) === undefined ? parts : undefined;
}

/** `const { threadIdx, blockDim: { x } } = cuda` */
export function takeWords(
  body: Body,
  { properties }: Acorn.ObjectPattern,
  parts: readonly string[],
  isHoisted: boolean,
): readonly Statement[] {
  return properties.flatMap((property) => {
    const name = nameOfProperty(body, property);
    const found = findBuiltin([...parts, name]);
    if (found?.builtin === undefined)
      return body.fail(property, `kernels do not have ${found?.path ?? [...parts, name].join('.')}`);
    const { builtin, path } = found;
    if (builtin.arity !== undefined)
      return body.fail(property, `${path} must be called by its whole name: ${builtin.usage}`);
    const value = builtin.read({ reading: body, args: [], span: spanOf(property), path });
    return takePattern(body, (property as Acorn.AssignmentProperty).value, value, isHoisted);
  });
}

/** A value that is taken apart is computed once, in a variable of its own where it is no list of values already. */
function keep(
  body: Body,
  value: Expression,
  span: Span,
  isHoisted: boolean,
): { before: readonly Statement[]; whole: Expression } {
  const isList = value.kind === 'aggregate' && !isHoisted && isPure(value);
  if (isList || isPath(value)) return { before: [], whole: value };
  const variable = body.declare('parts', { start: span.start, end: span.end }, false);
  widen(body, variable, value);
  const whole = { kind: 'variable', variable, type: variable.type, ...spanOf(span) } as const;
  return { before: [declarationOf(variable, convert(value, variable.type, body.fail), span)], whole };
}

/** A variable, or a part of one. */
function isPath(value: Expression): boolean {
  return value.kind === 'variable' || (value.kind === 'field' && isPath(value.object));
}

function partOf(whole: Expression, name: string, i: number, type: KernelType, span: Span): Expression {
  if (whole.kind === 'aggregate') return whole.items[i] ?? unknown(span);
  return { kind: 'field', object: whole, name, type, ...spanOf(span) };
}
