import type * as Acorn from 'acorn';
import { findBuiltin } from '../operation/builtin.ts';
import { isNatural } from '../operation/math.ts';
import { NUMPY_NAMES } from '../operation/value.ts';
import type { Declaration, Expression, Span, Statement, Variable } from '../tree.ts';
import { SCALARS, typeText, UNKNOWN, type ElementType, type KernelType, type Space } from '../kernel-type.ts';
import { condition, constantInteger, convert } from './convert.ts';
import { unknown } from './operator.ts';
import { nameParts } from './name.ts';
import { spanOf, type Reading } from './reading.ts';
import { widen } from './expression.ts';

/** What statements ask of the reader besides: names that they declare, and what the function returns. */
export interface Body extends Reading {
  /** Read in a scope of its own. */
  inScope<T>(read: () => T): T;
  declare(name: string, span: Span, isHoisted: boolean): Variable;
  /** The value of a return; undefined where there is none. */
  returned(value: Expression | undefined, span: Span): Expression | undefined;
  readonly isKernel: boolean;
}

/** Read a statement: none for an empty one, several for a list of declarations. */
export function readStatement(body: Body, node: Acorn.Statement): readonly Statement[] {
  const { fail } = body;
  switch (node.type) {
    case 'EmptyStatement':
    case 'DebuggerStatement':
      return [];
    case 'ExpressionStatement':
      return asStatements(body, node.expression);
    case 'VariableDeclaration':
      return readDeclarations(body, node);
    case 'BlockStatement':
      return [readBlock(body, node)];
    case 'IfStatement':
      return [readIf(body, node)];
    case 'ForStatement':
      return [readFor(body, node)];
    case 'WhileStatement':
      return [readWhile(body, node, false)];
    case 'DoWhileStatement':
      return [readWhile(body, node, true)];
    case 'ReturnStatement':
      return readReturn(body, node);
    case 'BreakStatement':
    case 'ContinueStatement':
      if (node.label) return fail(node, 'a kernel has no labels: leave the outer loop by a variable in its test');
      return [{ kind: node.type === 'BreakStatement' ? 'break' : 'continue', ...spanOf(node) }];
    default:
      return fail(head(node), REFUSALS[node.type] ?? `a kernel cannot have this: ${node.type}`);
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  ForOfStatement: 'a kernel has no for … of: write for (let i = 0; i < a.length; i++)',
  ForInStatement: 'a kernel has no for … in: write for (let i = 0; i < a.length; i++)',
  SwitchStatement: 'a kernel has no switch: write if and else',
  TryStatement: 'a kernel has no exceptions: take try away, and test before',
  ThrowStatement: 'a kernel cannot throw: write a number to an array, and look at it afterwards',
  LabeledStatement: 'a kernel has no labels: leave the outer loop by a variable in its test',
  FunctionDeclaration:
    'a kernel cannot have functions inside: make it by device((x) => …) and give it as { const: { f } }',
  ClassDeclaration: 'a kernel cannot have classes: write functions with device((x) => …)',
  WithStatement: 'a kernel has no with',
};

/** The first word of a statement, for its mark in an error. */
function head({ start, end }: Span): Span {
  return { start, end: Math.min(end, start + 5) };
}

/** Minifiers write `a && b()`, `a ? b() : c()` and `a(), b()` for statements. */
function asStatements(body: Body, node: Acorn.Expression): readonly Statement[] {
  if (node.type === 'SequenceExpression') return node.expressions.flatMap((one) => asStatements(body, one));
  if (node.type === 'Literal' && typeof node.value === 'string') return []; // 'use strict'
  if (node.type === 'UnaryExpression' && node.operator === 'void') return asStatements(body, node.argument);
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    const test = condition(body.expression(node.left), body.fail);
    const isAnd = node.operator === '&&';
    const negated: Expression = { kind: 'unary', operator: '!', operand: test, type: test.type, ...spanOf(node.left) };
    return [branch(isAnd ? test : negated, asStatements(body, node.right), undefined, node)];
  }
  if (node.type === 'ConditionalExpression') {
    const test = condition(body.expression(node.test), body.fail);
    return [branch(test, asStatements(body, node.consequent), asStatements(body, node.alternate), node)];
  }
  return [{ kind: 'expression', expression: body.expression(node), ...spanOf(node) }];
}

function branch(
  test: Expression,
  then: readonly Statement[],
  otherwise: readonly Statement[] | undefined,
  span: Span,
): Statement {
  return {
    kind: 'if',
    test,
    then: blockOf(then, span),
    otherwise: otherwise === undefined || otherwise.length === 0 ? undefined : blockOf(otherwise, span),
    ...spanOf(span),
  };
}

function blockOf(body: readonly Statement[], span: Span): Statement {
  return { kind: 'block', body, ...spanOf(span) };
}

function readBlock(body: Body, node: Acorn.BlockStatement): Statement {
  return body.inScope(() =>
    blockOf(
      node.body.flatMap((one) => readStatement(body, one)),
      node,
    ),
  );
}

function readIf(body: Body, node: Acorn.IfStatement): Statement {
  const test = condition(body.expression(node.test), body.fail);
  const then = readNested(body, node.consequent);
  const otherwise = node.alternate ? readNested(body, node.alternate) : undefined;
  return { kind: 'if', test, then, otherwise, ...spanOf(node) };
}

function readNested(body: Body, node: Acorn.Statement): Statement {
  const statements = body.inScope(() => readStatement(body, node));
  const [only] = statements;
  return only !== undefined && statements.length === 1 ? only : blockOf(statements, node);
}

function readFor(body: Body, node: Acorn.ForStatement): Statement {
  return body.inScope(() => {
    const { init } = node;
    const first = !init
      ? []
      : init.type === 'VariableDeclaration'
        ? readDeclarations(body, init)
        : asStatements(body, init);
    const test = node.test ? condition(body.expression(node.test), body.fail) : undefined;
    const inner = readNested(body, node.body);
    const update = node.update ? body.expression(node.update) : undefined;
    return { kind: 'loop', init: first, test, update, body: inner, isPostTested: false, ...spanOf(node) };
  });
}

function readWhile(body: Body, node: Acorn.WhileStatement | Acorn.DoWhileStatement, isPostTested: boolean): Statement {
  const inner = readNested(body, node.body);
  const test = condition(body.expression(node.test), body.fail);
  return { kind: 'loop', init: [], test, update: undefined, body: inner, isPostTested, ...spanOf(node) };
}

function readReturn(body: Body, node: Acorn.ReturnStatement): readonly Statement[] {
  const { argument } = node;
  if (!argument) return [{ kind: 'return', value: body.returned(undefined, node), ...spanOf(node) }];
  const isNothing = argument.type === 'UnaryExpression' && argument.operator === 'void';
  if (isNothing || (body.isKernel && argument.type !== 'Literal' && returnsNothing(argument))) {
    const before = asStatements(body, argument).filter(
      (one) => one.kind !== 'expression' || one.expression.kind !== 'constant',
    );
    return [...before, { kind: 'return', value: body.returned(undefined, node), ...spanOf(node) }];
  }
  const value = body.expression(argument);
  return [{ kind: 'return', value: body.returned(value, node), ...spanOf(node) }];
}

/** Minifiers write `return a[i] = x, void 0` for two statements. */
function returnsNothing(node: Acorn.Expression): boolean {
  const last = node.type === 'SequenceExpression' ? node.expressions.at(-1) : node;
  return last?.type === 'UnaryExpression' && last.operator === 'void';
}

function readDeclarations(body: Body, node: Acorn.VariableDeclaration): readonly Statement[] {
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

function declareWith(
  body: Body,
  id: Acorn.Identifier,
  value: Expression | undefined,
  isHoisted: boolean,
): readonly Statement[] {
  const variable = body.declare(id.name, id, isHoisted);
  if (value === undefined) return isHoisted ? [] : [declarationOf(variable, undefined, id)];
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

function declarationOf(variable: Variable, value: Expression | undefined, span: Span): Declaration {
  return { kind: 'declaration', variable, value, ...spanOf(span) };
}

function declareUnknown(body: Body, id: Acorn.Pattern, isHoisted: boolean): readonly Statement[] {
  for (const name of namesOf(id)) body.declare(name.name, name, isHoisted);
  return [];
}

function namesOf(pattern: Acorn.Pattern): readonly Acorn.Identifier[] {
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap((one) => (one ? namesOf(one) : []));
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((one) => (one.type === 'Property' ? namesOf(one.value) : []));
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
  const { before, whole } = keep(body, value, span);
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
  const { before, whole } = keep(body, value, span);
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
function keep(body: Body, value: Expression, span: Span): { before: readonly Statement[]; whole: Expression } {
  if (value.kind === 'aggregate' || value.kind === 'variable') return { before: [], whole: value };
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
