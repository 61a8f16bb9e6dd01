import type * as Acorn from 'acorn';
import { findBuiltin } from '../operation/builtin.ts';
import { NUMPY_NAMES } from '../operation/value.ts';
import type { Span, Statement } from '../tree.ts';
import { isStructType, kernelStruct } from '../described-struct.ts';
import { SCALARS, type ArrayType, type ElementType, type Space } from '../kernel-type.ts';
import type { Body } from './body.ts';
import { constantInteger } from './convert.ts';
import { declarationOf, declareWith } from './declare.ts';
import { namesOf } from './hoisted.ts';
import { nameParts } from './name.ts';
import { takePattern, takeWords, wordsOf } from './pattern.ts';

/** `const`, `let` and `var`. */
export function readDeclarations(body: Body, node: Acorn.VariableDeclaration): readonly Statement[] {
  const isHoisted = node.kind === 'var';
  return node.declarations.flatMap(({ id, init }) => {
    if (id.type === 'Identifier') return readDeclaration(body, id, init ?? undefined, isHoisted);
    if (!init) return body.fail(id, 'values are taken apart where they are made: const [x, y] = …');
    if (id.type === 'ObjectPattern') {
      const words = wordsOf(body, init);
      if (words) return takeWords(body, id, words, isHoisted);
    }
    const value = body.expression(init);
    if (value.type.kind === 'unknown') return declareUnknown(body, id, isHoisted);
    return takePattern(body, id, value, isHoisted);
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

function declareUnknown(body: Body, id: Acorn.Pattern, isHoisted: boolean): readonly Statement[] {
  for (const name of namesOf(id)) body.declare(name.name, name, isHoisted);
  return [];
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
  const element = dtypeOf(body, dtypeNode);
  const isDynamic = space === 'shared' && shape.length === 1 && shape[0] === 0;
  if (isDynamic && typeof element !== 'string')
    return body.fail(shapeNode, 'the length of an array of structs must be known when the kernel is compiled, got 0');
  if (shape.length > MAX_RANK || (!isDynamic && shape.some((length) => length < 1)))
    return body.fail(shapeNode, `a shape must have 1 to ${MAX_RANK} lengths of 1 or more, got [${shape.join(', ')}]`);
  variable.type = { kind: 'array', element, rank: shape.length, space, isFlat: true };
  Object.assign(variable, { shape });
  return [declarationOf(variable, undefined, id)];
}

const MAX_RANK = 4;

function dtypeOf(body: Body, node: Acorn.Node): ArrayType['element'] {
  const parts = nameParts(node);
  const known = parts && body.lookup(parts[0] ?? '');
  const { type, value } = node as Acorn.Node & { readonly value?: unknown };
  let name: unknown = type === 'Literal' ? value : parts?.at(-1);
  if (known && 'constant' in known) {
    name = known.constant;
    for (const part of parts.slice(1)) name = (name as Readonly<Record<string, unknown>>)[part];
  }
  if (isStructType(name)) return structOf(body, name, node);
  const dtype = typeof name === 'string' ? (NUMPY_NAMES[name] ?? name) : undefined;
  if (dtype !== undefined && Object.hasOwn(SCALARS, dtype)) return dtype as ElementType;
  return body.fail(
    node,
    `a dtype must be one of ${Object.keys(SCALARS).join(', ')}, or a struct(…) of { const: … }, got ${body.textOf(node)}`,
  );
}

function structOf(body: Body, type: unknown, node: Acorn.Node): ArrayType['element'] {
  try {
    return kernelStruct(type, body.textOf(node));
  } catch (error) {
    return body.fail(node, (error as Error).message);
  }
}
