import type * as Acorn from 'acorn';
import { isStructType } from '../described-struct.ts';
import { findBuiltin, namesLike } from '../operation/builtin.ts';
import { gridSync, isGrid } from '../operation/grid-group.ts';
import type { Aggregate, Expression } from '../tree.ts';
import { BOOL, isSame, VOID, type StructType } from '../kernel-type.ts';
import { readAssignment, readUpdate } from './assignment.ts';
import { constantOf, isHeld } from './convert.ts';
import { writtenName } from './counter.ts';
import { readDiscarded } from './discard.ts';
import { after, held, useOf } from './hold.ts';
import { fieldOf, readMember } from './member.ts';
import { keyOf, nameParts } from './name.ts';
import { binary, both, conditional, unary, unknown } from './operator.ts';
import { printOf } from './print.ts';
import { readTest } from './test.ts';
import { isDeviceText, spanOf, type ConstantValue, type Reading } from './reading.ts';

/** Read one expression. What a kernel cannot have fails with what to write. */
export function readExpression(reading: Reading, node: Acorn.Node): Expression {
  const expression = node as Acorn.Expression;
  const fail = reading.fail;
  switch (expression.type) {
    case 'Literal':
      return literal(reading, expression);
    case 'Identifier':
      return identifier(reading, expression);
    case 'ParenthesizedExpression':
      return reading.expression(expression.expression);
    case 'UnaryExpression':
      return readUnary(reading, expression);
    case 'BinaryExpression':
      if (expression.left.type === 'PrivateIdentifier') return fail(expression, 'a kernel has no private names');
      return binary(
        expression.operator,
        reading.expression(expression.left),
        reading.expression(expression.right),
        expression,
        fail,
      );
    case 'LogicalExpression':
      if (expression.operator === '??')
        return fail(expression, 'nothing in a kernel is null or undefined: take ?? away');
      return readLogical(reading, expression, expression.operator);
    case 'ConditionalExpression':
      return readConditional(reading, expression);
    case 'AssignmentExpression':
      return readAssignment(reading, expression);
    case 'UpdateExpression':
      return readUpdate(reading, expression);
    case 'SequenceExpression': {
      const { expressions } = expression;
      const items = expressions.map((item, i) =>
        i + 1 < expressions.length ? readDiscarded(reading, item) : reading.expression(item),
      );
      return { kind: 'sequence', items, type: (items.at(-1) as Expression).type, ...spanOf(expression) };
    }
    case 'MemberExpression':
      return named(reading, expression) ?? readMember(reading, expression);
    case 'CallExpression':
      return readCall(reading, expression);
    case 'ArrayExpression':
      return readTuple(reading, expression);
    case 'ObjectExpression':
      return readObject(reading, expression);
    default:
      return fail(expression, refusalOf(expression));
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  ThisExpression: 'a kernel has no this: pass what it needs as an argument, or as a constant: { const: { … } }',
  FunctionExpression:
    'a kernel cannot have functions inside: make it by device((x) => …) and give it as { const: { f } }',
  ArrowFunctionExpression:
    'a kernel cannot have functions inside: make it by device((x) => …) and give it as { const: { f } }',
  TemplateLiteral: 'a kernel has no strings, but for console.log and names of dtypes',
  TaggedTemplateExpression: 'a kernel has no strings, but for console.log and names of dtypes',
  NewExpression: "a kernel cannot make objects with new: for an array write cuda.local.array(16, 'f32')",
  AwaitExpression: 'a kernel cannot wait for a promise: take await away, and wait outside',
  YieldExpression: 'a kernel cannot be a generator: take yield away',
  ClassExpression: 'a kernel cannot have classes: write functions with device((x) => …)',
  ChainExpression: 'nothing in a kernel is null or undefined: write . in place of ?.',
  ImportExpression: 'a kernel cannot import: give what it needs as { const: { … } }',
  MetaProperty: 'a kernel has no import.meta and no new.target',
  SpreadElement: 'a kernel cannot spread an array: write its elements one by one',
  Super: 'a kernel has no super',
};

function refusalOf({ type }: Acorn.Node): string {
  return REFUSALS[type] ?? `a kernel cannot have this: ${type}`;
}

function literal({ fail }: Reading, node: Acorn.Literal): Expression {
  const { value } = node;
  if (typeof value === 'number' || typeof value === 'boolean') return constantOf(value, node);
  if (typeof value === 'bigint') return wholeConstant(value, node, fail);
  if (value === null) return fail(node, 'nothing in a kernel is null: write a number');
  if (typeof value === 'string') return fail(node, 'a kernel has no strings, but for console.log and names of dtypes');
  return fail(node, 'a kernel has no regular expressions');
}

function wholeConstant(value: bigint, node: Acorn.Node, fail: Reading['fail']): Expression {
  return isHeld(value) ? constantOf(value, node) : fail(node, `an integer constant must fit 64 bits, got ${value}n`);
}

function identifier(reading: Reading, node: Acorn.Identifier): Expression {
  const found = reading.lookup(node.name);
  if (found === undefined) return named(reading, node) ?? reading.fail(node, freeName(node.name));
  if ('constant' in found) return constantValue(reading, found.constant, node);
  return useOf(found, node);
}

function freeName(name: string): string {
  if (name === 'undefined') return 'nothing in a kernel is undefined: write a number';
  if (name === 'arguments') return 'a kernel has no arguments: name its parameters';
  const written = writtenName(name);
  if (written !== undefined) return written;
  return `${name} is not a variable of the kernel, whose text does not bring what is around it: pass it as an argument, or as a constant: jit((…, { ${name} }) => …, { const: { ${name} } })`;
}

/** A name that kernels have by themselves, if it is one. */
function named(reading: Reading, node: Acorn.Node): Expression | undefined {
  const parts = nameParts(node);
  if (parts === undefined) return undefined;
  const [first = ''] = parts;
  const known = reading.lookup(first);
  if (known !== undefined)
    return 'constant' in known ? constantMember(reading, known.constant, parts, node) : undefined;
  const found = findBuiltin(parts);
  if (found === undefined) return parts.length > 1 ? reading.fail(node, freeName(first)) : undefined;
  const { path, builtin } = found;
  if (builtin === undefined) return reading.fail(node, unknownName(path));
  if (builtin.arity !== undefined) return reading.fail(node, `${path} must be called: ${builtin.usage}`);
  return builtin.read({ reading, args: [], span: spanOf(node), path });
}

function unknownName(path: string): string {
  const like = namesLike(path);
  const known = like.length > 0 ? `: there is ${like.slice(0, 4).join(', ')}` : '';
  return `kernels do not have ${path}${known}`;
}

/** `c.taps[1]` of constants is read member by member; here are the names alone. */
function constantMember(
  reading: Reading,
  constant: ConstantValue,
  parts: readonly string[],
  node: Acorn.Node,
): Expression | undefined {
  let value: ConstantValue | undefined = constant;
  for (const part of parts.slice(1)) {
    if (typeof value !== 'object' || Array.isArray(value) || ArrayBuffer.isView(value) || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Readonly<Record<string, ConstantValue>>)[part];
  }
  return value === undefined ? undefined : constantValue(reading, value, node);
}

function constantValue(reading: Reading, value: ConstantValue, node: Acorn.Node): Expression {
  if (typeof value === 'bigint') return wholeConstant(value, node, reading.fail);
  if (typeof value === 'number' || typeof value === 'boolean') return constantOf(value, node);
  if (typeof value === 'string')
    return reading.fail(node, 'a kernel has no strings, but for console.log and names of dtypes');
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return reading.constantArray(value as readonly ConstantValue[], spanOf(node));
  if (isDeviceText(value)) return reading.fail(node, 'a device function must be called here: f(x)');
  if (isStructType(value))
    return reading.fail(node, 'a struct must be a dtype here: cuda.local.array(16, Point); for a value write { x, y }');
  return reading.fail(node, `constants by name must be read one by one: .${Object.keys(value)[0] ?? 'name'}`);
}

function readUnary(reading: Reading, node: Acorn.UnaryExpression): Expression {
  const { operator } = node;
  if (operator === 'typeof' || operator === 'delete') return reading.fail(node, `a kernel has no ${operator}`);
  if (operator === '!') return readTest(reading, node);
  const operand = reading.expression(node.argument);
  if (operator === 'void') return { kind: 'sequence', items: [operand], type: VOID, ...spanOf(node) };
  return unary(operator, operand, node, reading.fail);
}

function readConditional(reading: Reading, node: Acorn.ConditionalExpression): Expression {
  const test = readTest(reading, node.test);
  const [then, otherwise] = [node.consequent, node.alternate].map((part) => reading.expression(part));
  return conditional(test, then as Expression, otherwise as Expression, node, reading.fail);
}

/** `a && b` and `a || b` as values: the first one is computed once, and decides. */
function readLogical(reading: Reading, node: Acorn.LogicalExpression, operator: '&&' | '||'): Expression {
  const [left, right] = [reading.expression(node.left), reading.expression(node.right)];
  const isKnown = left.type.kind === 'scalar' && right.type.kind !== 'unknown';
  const isPlain = left.kind === 'variable' || left.kind === 'constant' || isSame(left.type, BOOL);
  if (!isKnown || isPlain) return both(operator, left, right, node, reading.fail);
  const { before, use } = held(reading, left, 'first');
  return after([before], both(operator, use, right, node, reading.fail), node);
}

function readCall(reading: Reading, node: Acorn.CallExpression): Expression {
  const { fail } = reading;
  if (isGridMember(reading, node.callee)) return readGridCall(reading, node, node.callee);
  const parts = nameParts(node.callee);
  // A function that is written here has a sentence of its own.
  if (/Function/.test(node.callee.type)) return reading.expression(node.callee);
  if (parts === undefined)
    return fail(node, 'only functions that kernels have, and those of device(fn), can be called');
  const [first = ''] = parts;
  const known = reading.lookup(first);
  if (known !== undefined) return callKnown(reading, node, known, parts);
  if (first === 'console') return printOf(reading, node, parts);
  const found = findBuiltin(parts);
  if (found === undefined) return reading.fail(node.callee, freeFunction(parts));
  const { path, builtin } = found;
  if (builtin === undefined) return reading.fail(node.callee, unknownName(path));
  if (builtin.arity === undefined) return reading.fail(node, `${path} is a value: take the brackets away`);
  const args = builtin.isDeclared === true ? [] : (fieldArguments(reading, node, path) ?? readArguments(reading, node));
  if (builtin.isDeclared === true) return builtin.read({ reading, args, span: spanOf(node), path });
  const [least, most] = builtin.arity;
  if (args.length < least || args.length > most)
    return reading.fail(node, `${path} must be given ${countText(least, most)}, got ${args.length}: ${builtin.usage}`);
  return builtin.read({ reading, args, span: spanOf(node), path });
}

/** `cuda.cg.this_grid().sync`, and `grid.sync` of a name for it. */
function isGridMember(reading: Reading, callee: Acorn.Node): callee is Acorn.MemberExpression {
  if (callee.type !== 'MemberExpression') return false;
  const { object } = callee as Acorn.MemberExpression;
  if (object.type === 'Identifier') {
    const known = reading.lookup(object.name);
    return known !== undefined && !('constant' in known) && known.alias !== undefined && isGrid(known.alias);
  }
  if (object.type !== 'CallExpression') return false;
  const parts = nameParts(object.callee);
  return parts?.at(-1) === 'this_grid' && isGrid(reading.expression(object));
}

function readGridCall(reading: Reading, node: Acorn.CallExpression, callee: Acorn.MemberExpression): Expression {
  const key = keyOf(callee);
  if (key !== 'sync') return reading.fail(callee, `the grid has sync() alone, got .${key ?? '['}`);
  if (node.arguments.length > 0) return reading.fail(node, `sync of the grid takes no arguments`);
  return gridSync(spanOf(node));
}

function countText(least: number, most: number): string {
  if (least === most) return `${least} argument${least === 1 ? '' : 's'}`;
  return `${least} to ${most} arguments`;
}

function freeFunction(parts: readonly string[]): string {
  const written = writtenName(parts[0] ?? '');
  if (written !== undefined) return written;
  const name = parts.join('.');
  if (parts.length > 1) return `kernels do not have ${name}`;
  return `${name} is not a function of the kernel: make it by device((x) => …) and give it as a constant: jit((…, { ${name} }) => …, { const: { ${name} } })`;
}

function callKnown(
  reading: Reading,
  node: Acorn.CallExpression,
  known: NonNullable<ReturnType<Reading['lookup']>>,
  parts: readonly string[],
): Expression {
  let value: unknown = 'constant' in known ? known.constant : undefined;
  for (const part of parts.slice(1)) value = (value as Readonly<Record<string, unknown>> | undefined)?.[part];
  if (isDeviceText(value)) return reading.callDevice(value, readArguments(reading, node), spanOf(node));
  const method = parts.length > 1 ? parts.at(-1) : undefined;
  return reading.fail(
    node,
    method === undefined
      ? `${parts.join('.')} is not a function`
      : `values in a kernel have no methods, got .${method}(…): write a loop`,
  );
}

function readArguments(reading: Reading, { arguments: list }: Acorn.CallExpression): Expression[] {
  return list.map((arg) => {
    const value = reading.expression(arg);
    if (value.type.kind === 'void') reading.fail(value, 'a value must stand here: this gives none');
    return value;
  });
}

/** `cuda.atomic.add(a[i], 'x', 1)`: the field is the first argument, and the second one, too, to be the index of. */
function fieldArguments(reading: Reading, node: Acorn.CallExpression, path: string): Expression[] | undefined {
  const [owner, name] = node.arguments;
  if (!path.startsWith('cuda.atomic.') || owner === undefined || name?.type !== 'Literal') return undefined;
  if (typeof name.value !== 'string') return undefined;
  const object = reading.expression(owner);
  const place = { start: owner.start, end: name.end };
  const field = object.type.kind === 'unknown' ? unknown(node) : fieldOf(reading, object, name.value, place);
  return [field, { ...field, ...spanOf(name) }, ...node.arguments.slice(2).map((one) => reading.expression(one))];
}

function readTuple(reading: Reading, node: Acorn.ArrayExpression): Aggregate {
  const items = node.elements.map((element) => {
    if (element === null) return reading.fail(node, 'a list must have a value at each place');
    return reading.expression(element);
  });
  if (items.length === 0)
    return reading.fail(node, "a list must have a value; for an array write cuda.local.array(16, 'f32')");
  return { kind: 'aggregate', type: { kind: 'tuple', items: items.map(({ type }) => type) }, items, ...spanOf(node) };
}

function readObject(reading: Reading, node: Acorn.ObjectExpression): Aggregate {
  const fields: [string, Expression][] = node.properties.map((property) => {
    if (property.type !== 'Property' || property.kind !== 'init' || property.computed || property.method)
      return reading.fail(property, 'an object must have names with values: { x: 1, y: 2 }');
    const { key } = property;
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
    return [name, reading.expression(property.value)];
  });
  if (fields.length === 0) return reading.fail(node, 'an object must have a value: { x: 1, y: 2 }');
  const type: StructType = { kind: 'struct', fields: fields.map(([name, value]) => [name, value.type] as const) };
  return { kind: 'aggregate', type, items: fields.map(([, value]) => value), ...spanOf(node) };
}
