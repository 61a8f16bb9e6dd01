import type * as Acorn from 'acorn';
import type { ElementUse, Expression, FieldUse, Span, Target, Variable, VariableUse } from '../tree.ts';
import { isSame, join, typeText, type KernelType } from '../kernel-type.ts';
import { condition, convert } from './convert.ts';
import { markWritten, rootOf } from './element.ts';
import { after, placeOnce } from './hold.ts';
import { widenList } from './list.ts';
import { binary, conditional, unknown } from './operator.ts';
import { spanOf, type Reading } from './reading.ts';

/** What is assigned to; undefined while its type is not known. */
export function placeOf(reading: Reading, node: Acorn.Node): Target | undefined {
  const target = reading.expression(node);
  if (target.kind === 'constant' && target.type.kind === 'unknown') return undefined;
  if (target.kind === 'variable') {
    if (target.type.kind === 'array')
      return reading.fail(node, `${target.variable.name} is an array: assign to its elements`);
    return target;
  }
  if (target.kind === 'element') {
    checkKept(reading, target, node);
    markWritten(target.array);
    const array = target.array.type;
    if (array.kind === 'array' && array.space === 'constant')
      return reading.fail(node, 'an array of constants cannot be written');
    return target;
  }
  if (target.kind === 'field') {
    let { object } = target;
    while (object.kind === 'field') object = object.object;
    if (object.kind === 'variable' || object.kind === 'element') {
      checkKept(reading, object, node);
      if (object.kind === 'element') markWritten(object.array);
      else object.variable.isAssigned = true;
      return target;
    }
    return reading.fail(node, 'a part of a value cannot be assigned to: name the value first');
  }
  if (target.type.kind === 'array')
    return reading.fail(node, 'a row is no single element: give an index for each axis, a[y][x] = …');
  // A list's value by an index that varies.
  const whole = node.type === 'MemberExpression' && reading.expression((node as Acorn.MemberExpression).object);
  if (whole && whole.kind === 'variable' && whole.type.kind === 'tuple') checkKept(reading, whole, node);
  return reading.fail(node, 'only a variable or an element can be assigned to');
}

/** Programs of JavaScript expect what is written to an object to be there afterwards: a kernel has copies of those that it is given. */
function checkKept(reading: Reading, whole: VariableUse | ElementUse, node: Acorn.Node): void {
  const variable = whole.kind === 'variable' ? whole.variable : listOf(whole);
  if (variable?.isArgument !== true) return;
  const { name } = variable;
  const isList = whole.kind === 'element' || whole.type.kind === 'tuple';
  const [what, memory] = isList ? ['list', 'a typed array'] : ['object', 'structArray(…)'];
  reading.fail(
    node,
    `${name} is a copy of the ${what} that the call gives, and what is written to it is lost: pass ${memory}, or write to another copy, const own = ${name}`,
  );
}

/** `x = 1`, `x += 1`, `x ||= 1`. */
export function readAssignment(reading: Reading, node: Acorn.AssignmentExpression): Expression {
  const fail = reading.fail;
  const { left, operator } = node;
  if (left.type === 'ArrayPattern' || left.type === 'ObjectPattern') {
    return fail(left, 'an assignment to several places has no value in a kernel: write [a, b] = [b, a] as a statement');
  }
  const place = placeOf(reading, left);
  if (operator === '??=') return fail(node, 'nothing in a kernel is null or undefined: take ??= and its value away');
  if (place === undefined) {
    reading.expression(node.right);
    return unknown(node);
  }
  if (operator === '=') return assign(reading, place, reading.expression(node.right), node);
  const { before, target } = placeOnce(reading, place);
  if (operator === '&&=' || operator === '||=') return after(before, readLogical(reading, node, target), node);
  const value = binary(operator.slice(0, -1), target, reading.expression(node.right), node, fail);
  return after(before, assign(reading, target, value, node), node);
}

/** `a ||= b` assigns where `a` is not true. */
function readLogical(reading: Reading, node: Acorn.AssignmentExpression, target: Target): Expression {
  const right = reading.expression(node.right);
  if (target.type.kind === 'unknown' || right.type.kind === 'unknown') {
    assign(reading, target, right, node);
    return unknown(node);
  }
  const test = condition(target, reading.fail);
  const assigned = assign(reading, target, right, node);
  return node.operator === '&&='
    ? conditional(test, assigned, target, node, reading.fail)
    : conditional(test, target, assigned, node, reading.fail);
}

export function assign(reading: Reading, target: Target, value: Expression, span: Span): Expression {
  const fail = reading.fail;
  if (value.type.kind === 'void') return fail(value, 'a value must stand here: this gives none');
  if (value.type.kind === 'array') return fail(value, 'an array cannot be assigned: name it by const where it is made');
  if (target.kind === 'variable') {
    widen(reading, target.variable, value);
    target.variable.isAssigned = true;
    const { type } = target.variable;
    return {
      kind: 'assignment',
      target: { ...target, type },
      value: convert(value, type, fail),
      type,
      ...spanOf(span),
    };
  }
  const type = target.kind === 'field' ? widenField(reading, target, value) : widenElement(reading, target, value);
  // The field's node is the operand of `p.x += 1`, too: only a type that is wider makes another one.
  const place = isSame(type, target.type) ? target : { ...target, type };
  return { kind: 'assignment', target: place, value: convert(value, type, fail), type, ...spanOf(span) };
}

/** An element has the type that its array is made with, but for a list. */
function widenElement(reading: Reading, target: ElementUse, value: Expression): KernelType {
  const list = listOf(target);
  if (list === undefined) return target.type;
  return (
    widenList(list, value.type) ??
    reading.fail(
      value,
      `${list.name} must have values of one type, got ${typeText(target.type)} before and ${typeText(value.type)} here`,
    )
  );
}

/** The list that an element is of. */
function listOf({ array }: ElementUse): Variable | undefined {
  const root = rootOf(array);
  return root?.isIndexed === true ? root : undefined;
}

/** A part of a variable has a type that holds all that it is given: the variable has it. */
function widenField(reading: Reading, target: FieldUse, value: Expression): KernelType {
  const { type: owner } = target.object;
  if (owner.kind === 'struct' && owner.vector !== undefined) return target.type;
  // The array has said what its structs hold, but for a list.
  const element = elementWith(target);
  if (element && listOf(element) === undefined) return target.type;
  const type = join(target.type, value.type);
  if (type === undefined) {
    return reading.fail(
      value,
      `.${target.name} must have one type, got ${typeText(target.type)} before and ${typeText(value.type)} here`,
    );
  }
  let whole: KernelType = type;
  let part: Expression = target;
  while (part.kind === 'field') {
    whole = withField(part.object.type, part.name, whole);
    part = part.object;
  }
  if (part.kind === 'variable') part.variable.type = whole;
  if (element) widenList(listOf(element) as Variable, whole);
  return type;
}

/** The element that a place is a part of. */
function elementWith(place: Expression): ElementUse | undefined {
  if (place.kind === 'field') return elementWith(place.object);
  return place.kind === 'element' ? place : undefined;
}

/** A struct or a tuple with another type for one of its parts. */
function withField(type: KernelType, name: string, field: KernelType): KernelType {
  if (type.kind === 'tuple')
    return { ...type, items: type.items.map((item, i) => (String(i) === name ? field : item)) };
  if (type.kind !== 'struct' || type.vector !== undefined) return type;
  return { ...type, fields: type.fields.map(([own, old]) => [own, own === name ? field : old] as const) };
}

/** A variable has a type that holds all that it is given. */
export function widen({ fail }: Reading, variable: Variable, value: Expression): void {
  const type = join(variable.type, value.type);
  if (type === undefined) {
    fail(
      value,
      `${variable.name} must have one type, got ${typeText(variable.type)} before and ${typeText(value.type)} here; use another variable`,
    );
  }
  variable.type = type as KernelType;
}

/** `i++`, `--i` */
export function readUpdate(reading: Reading, node: Acorn.UpdateExpression): Expression {
  const place = placeOf(reading, node.argument);
  if (place === undefined) return unknown(node);
  const { before, target } = placeOnce(reading, place);
  const { operator, prefix } = node;
  if (target.kind === 'variable') target.variable.isAssigned = true;
  if (target.type.kind === 'unknown') return unknown(node);
  if (target.type.kind !== 'scalar' || target.type.name === 'bool')
    return reading.fail(node, `${operator} must be given a number, got ${typeText(target.type)}`);
  const { type } = target;
  return after(before, { kind: 'update', operator, isPrefix: prefix, target, type, ...spanOf(node) }, node);
}
