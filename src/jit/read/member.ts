import type * as Acorn from 'acorn';
import type { Expression, Span } from '../tree.ts';
import { I32, I64, typeText, type ArrayType, type StructType, type TupleType } from '../kernel-type.ts';
import { asIndex, constantInteger, constantOf } from './convert.ts';
import { elementOf, rootOf, viewOf } from './element.ts';
import { itemAt } from './list.ts';
import { keyOf } from './name.ts';
import { binary, unknown } from './operator.ts';
import { spanOf, type Reading } from './reading.ts';

/** `a[i]`, `a.length`, `a.shape[0]`, `p.x`. */
export function readMember(reading: Reading, node: Acorn.MemberExpression): Expression {
  if (node.optional) return reading.fail(node, 'nothing in a kernel is null or undefined: write . in place of ?.');
  const shape = shapeIndex(reading, node);
  if (shape) return shape;
  const object = reading.expression(node.object);
  const key = keyOf(node);
  switch (object.type.kind) {
    case 'unknown':
      return unknown(node);
    case 'array':
      return key === undefined ? indexed(reading, object, node) : property(reading, object, object.type, key, node);
    case 'tuple':
      return item(reading, object, object.type, key, node);
    case 'struct':
      return field(reading, object, object.type, key, node);
    default:
      return reading.fail(
        node,
        `an array or an object must stand before ${key === undefined ? '[' : `.${key}`}, got ${typeText(object.type)}`,
      );
  }
}

/** `a.shape[k]` */
function shapeIndex(reading: Reading, node: Acorn.MemberExpression): Expression | undefined {
  const { object, property, computed } = node;
  if (!computed || object.type !== 'MemberExpression' || keyOf(object) !== 'shape') return undefined;
  const array = reading.expression(object.object);
  if (array.type.kind === 'unknown') return unknown(node);
  if (array.type.kind !== 'array') return undefined;
  const { rank } = array.type;
  const axis = constantInteger(reading.expression(property), 'the axis of .shape', reading.fail);
  if (axis < 0 || axis >= rank)
    return reading.fail(node, `the axis of .shape must be 0 to ${rank - 1} for ${typeText(array.type)}, got ${axis}`);
  return extent(reading, array, axis, node);
}

function extent(reading: Reading, array: Expression, axis: number | 'size', node: Acorn.Node): Expression {
  const known = rootOf(array)?.shape;
  if (known) {
    const skipped = known.length - (array.type as ArrayType).rank;
    const rest = known.slice(skipped);
    return constantOf(axis === 'size' ? rest.reduce((a, b) => a * b, 1) : (rest[axis] ?? 0), node);
  }
  return { kind: 'extent', array, axis, type: reading.isWide ? I64 : I32, ...spanOf(node) };
}

function property(reading: Reading, array: Expression, type: ArrayType, key: string, node: Acorn.Node): Expression {
  switch (key) {
    case 'length':
      return extent(reading, array, 0, node);
    case 'size':
      return extent(reading, array, 'size', node);
    case 'ndim':
      return constantOf(type.rank, node);
    case 'shape': {
      const items = Array.from({ length: type.rank }, (_, axis) => extent(reading, array, axis, node));
      return {
        kind: 'aggregate',
        type: { kind: 'tuple', items: items.map((one) => one.type) },
        items,
        ...spanOf(node),
      };
    }
    default:
      return reading.fail(node, `an array in a kernel has length, size, shape and ndim, got .${key}`);
  }
}

function indexed(reading: Reading, array: Expression, node: Acorn.MemberExpression): Expression {
  if (node.property.type === 'SequenceExpression') {
    const written = node.property.expressions.map((one) => `[${reading.textOf(one)}]`).join('');
    return reading.fail(
      node.property,
      `a comma in an index takes the last value alone: write ${reading.textOf(node.object)}${written}`,
    );
  }
  const read = reading.expression(node.property);
  if (read.type.kind === 'unknown') return unknown(node);
  const index = shifted(reading, array, asIndex(read, reading.fail));
  const { rank } = array.type as ArrayType;
  return rank === 1 ? elementOf(array, [index], node) : viewOf(array, index, node);
}

function item(
  reading: Reading,
  object: Expression,
  type: TupleType,
  key: string | undefined,
  node: Acorn.MemberExpression,
): Expression {
  if (key === 'length') return constantOf(type.items.length, node);
  if (key !== undefined) return reading.fail(node, `a list has positions and length, got .${key}`);
  const read = reading.expression(node.property);
  if (read.type.kind === 'unknown') return unknown(node);
  if (read.kind !== 'constant') return itemAt(reading, object, asIndex(read, reading.fail), node);
  const position = constantInteger(read, 'the position in a list', reading.fail);
  const found = type.items[position];
  if (found === undefined)
    return reading.fail(node, `the position must be 0 to ${type.items.length - 1}, got ${position}`);
  if (object.kind === 'aggregate') return object.items[position] as Expression;
  return { kind: 'field', object, name: String(position), type: found, ...spanOf(node) };
}

/** A field of what a call is given: `'x'` of `cuda.atomic.add(a[i], 'x', 1)`. */
export function fieldOf(reading: Reading, object: Expression, name: string, span: Span): Expression {
  const { type } = object;
  if (type.kind === 'struct') return field(reading, object, type, name, span);
  return reading.fail(object, `a struct must stand before the name of a field, got ${typeText(type)}`);
}

function field(
  reading: Reading,
  object: Expression,
  type: StructType,
  key: string | undefined,
  node: Span,
): Expression {
  const names = type.fields.map(([name]) => name);
  if (key === undefined) return reading.fail(node, `an object has names: .${names.join(', .')}`);
  const found = type.fields.find(([name]) => name === key);
  if (found === undefined) return reading.fail(node, `${typeText(type)} has .${names.join(', .')}, got .${key}`);
  return { kind: 'field', object, name: key, type: found[1], ...spanOf(node) };
}

/** An index of a stencil counts from the element that is computed. */
function shifted(reading: Reading, array: Expression, index: Expression): Expression {
  const relative = rootOf(array)?.relative;
  if (relative === undefined) return index;
  const axis = array.kind === 'view' ? array.indices.length : 0;
  const reach = relative.reach[axis];
  if (!relative.isGiven && reach) {
    const distance = constantInteger(index, 'an index of a stencil without { neighborhood }', reading.fail);
    reach[0] = Math.min(reach[0], distance);
    reach[1] = Math.max(reach[1], distance);
  }
  const variable = relative.positions[axis];
  if (variable === undefined) return index;
  const position: Expression = { kind: 'variable', variable, type: variable.type, ...spanOf(index) };
  return binary('+', position, index, index, reading.fail);
}
