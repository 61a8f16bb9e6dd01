import type * as Acorn from 'acorn';
import { isGrid } from '../operation/grid-group.ts';
import { findBuiltin } from '../operation/builtin.ts';
import { isNatural } from '../operation/math.ts';
import { NUMPY_NAMES } from '../operation/value.ts';
import type { Declaration, Expression, Span, Statement, Variable } from '../tree.ts';
import { SCALARS, typeText, UNKNOWN, VOID, type ElementType, type KernelType, type Space } from '../kernel-type.ts';
import { widen } from './assignment.ts';
import type { Body } from './body.ts';
import { constantInteger, convert } from './convert.ts';
import { isPure } from './effect.ts';
import { namesOf } from './hoisted.ts';
import { nameParts } from './name.ts';
import { unknown } from './operator.ts';
import { spanOf } from './reading.ts';

/** `const`, `let` and `var`. */
export function readDeclarations(body: Body, node: Acorn.VariableDeclaration): readonly Statement[] {
  const isHoisted = node.kind === 'var';
  return node.declarations.flatMap(({ id, init }) => {
    if (id.type === 'Identifier') return readDeclaration(body, id, init ?? undefined, isHoisted);
    if (!init) return body.fail(id, 'values are taken apart where they are made: const [x, y] = …');
    const value = body.expression(init);
    if (value.type.kind === 'unknown') return declareUnknown(body, id, isHoisted);
    if (id.type === 'ArrayPattern') return takeApart(body, id, value, isHoisted);
    if (id.type === 'ObjectPattern') return takeFields(body, id, value, isHoisted);
    return body.fail(id, 'a variable must have a name');
  });
}

function readDeclaration(
  body: Body,
  id: Acorn.Identifier,
  init: Acorn.Expression | undefined,
  isHoisted: boolean,
): readonly Statement[] {
  const array = init && arrayOf(body, init);
  if (array) return declareArray(body, id, array, init);
  // The name is not known in its own value.
  const value = init && body.expression(init);
  return declareWith(body, id, value, isHoisted);
}

/** Declare a name with a value that was read. */
export function declareWith(
  body: Body,
  id: Acorn.Identifier,
  value: Expression | undefined,
  isHoisted: boolean,
): readonly Statement[] {
  const variable = body.declare(id.name, id, isHoisted);
  if (value === undefined) return isHoisted ? [] : [declarationOf(variable, undefined, id)];
  if (isGrid(value)) {
    variable.alias = value;
    variable.type = VOID;
    return [];
  }
  if (value.type.kind === 'void') return body.fail(value, `${id.name} must be given a value: this gives none`);
  if (value.type.kind === 'array') {
    variable.alias = value;
    variable.type = value.type;
    if (variable.isAssigned)
      return body.fail(id, `${id.name} is an array, and must keep what it is made with: write const`);
    return [declarationOf(variable, value, id)];
  }
  widen(body, variable, value);
  const converted = convert(value, variable.type, body.fail);
  variable.isNatural = isNatural(value);
  if (!isHoisted) return [declarationOf(variable, converted, id)];
  variable.isAssigned = true;
  const target = { kind: 'variable', variable, type: variable.type, ...spanOf(id) } as const;
  const expression = { kind: 'assignment', target, value: converted, type: variable.type, ...spanOf(id) } as const;
  return [{ kind: 'expression', expression, ...spanOf(id) }];
}

/** What declares a variable. */
export function declarationOf(variable: Variable, value: Expression | undefined, span: Span): Declaration {
  return { kind: 'declaration', variable, value, ...spanOf(span) };
}

function declareUnknown(body: Body, id: Acorn.Pattern, isHoisted: boolean): readonly Statement[] {
  for (const name of namesOf(id)) body.declare(name.name, name, isHoisted);
  return [];
}

/** `const [x, y] = cuda.grid(2)` */
function takeApart(
  body: Body,
  { elements, ...span }: Acorn.ArrayPattern,
  value: Expression,
  isHoisted: boolean,
): readonly Statement[] {
  const { type } = value;
  if (type.kind !== 'tuple') return body.fail(span, `a list must stand here, got ${typeText(type)}`);
  const { before, whole } = keep(body, value, span, isHoisted);
  return [
    ...before,
    ...elements.flatMap((element, i) => {
      if (element === null) return [];
      const found = type.items[i];
      if (found === undefined || element.type !== 'Identifier')
        return body.fail(element, found ? 'a variable must have a name' : `the list has ${type.items.length} values`);
      return declareWith(body, element, partOf(whole, String(i), i, found, element), isHoisted);
    }),
  ];
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
      if (property.type !== 'Property' || property.value.type !== 'Identifier' || property.key.type !== 'Identifier')
        return body.fail(property, 'an object is taken apart by its names: const { x, y } = …');
      const { name } = property.key;
      const i = type.fields.findIndex(([field]) => field === name);
      if (i < 0) return body.fail(property, `${typeText(type)} has no .${name}`);
      return declareWith(
        body,
        property.value,
        partOf(whole, name, i, type.fields[i]?.[1] ?? UNKNOWN, property),
        isHoisted,
      );
    }),
  ];
}

/** A value that is taken apart is computed once, in a variable of its own where it is no list of values already. */
function keep(
  body: Body,
  value: Expression,
  span: Span,
  isHoisted: boolean,
): { before: readonly Statement[]; whole: Expression } {
  const isList = value.kind === 'aggregate' && !isHoisted && isPure(value);
  if (isList || value.kind === 'variable') return { before: [], whole: value };
  const variable = body.declare('parts', { start: span.start, end: span.end }, false);
  widen(body, variable, value);
  const whole = { kind: 'variable', variable, type: variable.type, ...spanOf(span) } as const;
  return { before: [declarationOf(variable, convert(value, variable.type, body.fail), span)], whole };
}

function partOf(whole: Expression, name: string, i: number, type: KernelType, span: Span): Expression {
  if (whole.kind === 'aggregate') return whole.items[i] ?? unknown(span);
  return { kind: 'field', object: whole, name, type, ...spanOf(span) };
}

interface NewArray {
  readonly space: Space;
  readonly call: Acorn.CallExpression;
}

/** `cuda.shared.array(shape, dtype)` and `cuda.local.array`. */
function arrayOf(body: Body, init: Acorn.Expression): NewArray | undefined {
  if (init.type !== 'CallExpression') return undefined;
  const parts = nameParts(init.callee);
  if (parts === undefined || body.lookup(parts[0] ?? '') !== undefined) return undefined;
  const path = findBuiltin(parts)?.path;
  if (path === 'cuda.shared.array') return { space: 'shared', call: init };
  return path === 'cuda.local.array' ? { space: 'local', call: init } : undefined;
}

function declareArray(body: Body, id: Acorn.Identifier, { space, call }: NewArray, span: Span): readonly Statement[] {
  const variable = body.declare(id.name, id, false);
  const [shapeNode, dtypeNode] = call.arguments;
  if (!shapeNode || !dtypeNode || call.arguments.length > 2)
    return body.fail(
      span,
      `cuda.${space}.array must be given a shape and a dtype: cuda.${space}.array([16, 16], 'f32')`,
    );
  const read = body.expression(shapeNode);
  const lengths = read.kind === 'aggregate' && read.type.kind === 'tuple' ? read.items : [read];
  const shape = lengths.map((length) => constantInteger(length, `the shape of cuda.${space}.array`, body.fail));
  const isDynamic = space === 'shared' && shape.length === 1 && shape[0] === 0;
  if (shape.length > MAX_RANK || (!isDynamic && shape.some((length) => length < 1)))
    return body.fail(shapeNode, `a shape must have 1 to ${MAX_RANK} lengths of 1 or more, got [${shape.join(', ')}]`);
  const element = dtypeOf(body, dtypeNode);
  variable.type = { kind: 'array', element, rank: shape.length, space, isFlat: true };
  Object.assign(variable, { shape });
  return [declarationOf(variable, undefined, id)];
}

const MAX_RANK = 4;

function dtypeOf(body: Body, node: Acorn.Node): ElementType {
  const parts = nameParts(node);
  const known = parts && body.lookup(parts[0] ?? '');
  const { type, value } = node as Acorn.Node & { readonly value?: unknown };
  let name: unknown = type === 'Literal' ? value : parts?.at(-1);
  if (known && 'constant' in known) {
    name = known.constant;
    for (const part of parts.slice(1)) name = (name as Readonly<Record<string, unknown>>)[part];
  }
  const dtype = typeof name === 'string' ? (NUMPY_NAMES[name] ?? name) : undefined;
  if (dtype !== undefined && Object.hasOwn(SCALARS, dtype)) return dtype as ElementType;
  return body.fail(node, `a dtype must be one of ${Object.keys(SCALARS).join(', ')}, got ${body.textOf(node)}`);
}
