import type { Binary, Constant, Expression, Span } from '../tree.ts';
import {
  BOOL,
  I32,
  I64,
  isFloat,
  isInteger,
  isSame,
  isWide,
  promoted,
  SCALARS,
  settled,
  typeText,
  U64,
  WEAK_FLOAT,
  WEAK_INT,
  type KernelType,
  type ScalarType,
  type StructType,
  type TupleType,
} from '../kernel-type.ts';
import { scalarValue } from '../scalar-value.ts';
import { ABS } from '../operation/arithmetic.ts';
import { isMovable, isPure } from './effect.ts';
import { spanOf, type Fail } from './reading.ts';

const MIN_INT = -(2 ** 31);
const MAX_INT = 2 ** 31 - 1;

/** Whether 64 bits hold an integer, with a sign or without one. */
export function isHeld(value: bigint): boolean {
  return value >= -(2n ** 63n) && value < 2n ** 64n;
}

/** A constant of a program, which takes the type of what it meets. */
export function constantOf(value: number | bigint | boolean, span: Span): Constant {
  return { kind: 'constant', value, type: constantType(value), ...spanOf(span) };
}

function constantType(value: number | bigint | boolean): ScalarType {
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'bigint') return value < 2n ** 63n ? I64 : U64;
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return WEAK_FLOAT;
  return value >= MIN_INT && value <= MAX_INT ? WEAK_INT : I64;
}

/** Whether a value is a number, or a truth value, which counts as 0 or 1. */
export function numeric(expression: Expression, fail: Fail): ScalarType {
  const { type } = expression;
  if (type.kind === 'scalar') return type;
  return fail(expression, `a number must stand here, got ${typeText(type)}`);
}

/** The value in another type; the conversion is that of a typed array's element. */
export function convert(expression: Expression, type: KernelType, fail: Fail): Expression {
  const { type: from } = expression;
  if (isSame(from, type) || from.kind === 'unknown' || type.kind === 'unknown') return expression;
  if (from.kind === 'scalar' && type.kind === 'scalar') return convertScalar(expression, from, type);
  if (isComposite(from) && isComposite(type)) {
    const whole = convertParts(expression, from, type, fail);
    if (whole) return whole;
  }
  return fail(expression, `${typeText(type)} must stand here, got ${typeText(from)}`);
}

type Composite = TupleType | StructType;

function isComposite(type: KernelType): type is Composite {
  return type.kind === 'tuple' || type.kind === 'struct';
}

/** The parts by their names; those of a tuple by their positions. */
function partsOf(type: Composite): readonly (readonly [name: string, type: KernelType])[] {
  return type.kind === 'struct' ? type.fields : type.items.map((item, i) => [String(i), item] as const);
}

/**
 * A struct or a tuple in another type: each part in its own one. The fields of a struct may stand in another order.
 *
 * @returns undefined where the parts have other names
 */
function convertParts(expression: Expression, from: Composite, type: Composite, fail: Fail): Expression | undefined {
  const [own, wanted] = [partsOf(from), partsOf(type)];
  const places = wanted.map(([name]) => own.findIndex(([other]) => other === name));
  if (from.kind !== type.kind || own.length !== wanted.length || places.includes(-1)) return undefined;
  if (vectorOf(from) !== vectorOf(type)) return undefined;
  if (expression.kind !== 'aggregate' && isSame(settled(from), settled(type)))
    return { ...expression, type } as Expression;
  if (expression.kind !== 'aggregate' && !isPure(expression))
    return fail(expression, `the ${typeText(from)} must be named before it becomes ${typeText(type)}: const p = …`);
  if (expression.kind === 'aggregate' && places.some((place, i) => place !== i) && !isMovable(expression))
    return fail(expression, `values that change something must stand in the order of ${typeText(type)}`);
  const items = wanted.map(([name, part], i) => {
    const place = places[i] as number;
    const item: Expression =
      expression.kind === 'aggregate'
        ? (expression.items[place] as Expression)
        : { kind: 'field', object: expression, name, type: own[place]?.[1] as KernelType, ...spanOf(expression) };
    return convert(item, part, fail);
  });
  return { kind: 'aggregate', type, items, ...spanOf(expression) };
}

function vectorOf(type: Composite): string | undefined {
  return type.kind === 'struct' ? type.vector : undefined;
}

function convertScalar(expression: Expression, from: ScalarType, type: ScalarType): Expression {
  if (type.name === 'bool') return asCondition(expression, from);
  if (expression.kind === 'constant') return { ...expression, type, value: scalarValue(expression.value, type) };
  // A variable of constants is of the type already.
  if (from.name === type.name) return { ...expression, type } as Expression;
  return { kind: 'conversion', operand: expression, type, ...spanOf(expression) };
}

function asCondition(expression: Expression, from: ScalarType): Expression {
  if (expression.kind === 'constant') return { ...expression, type: BOOL, value: Boolean(expression.value) };
  const zero: Constant = { kind: 'constant', value: isWide(from) ? 0n : 0, type: from, ...spanOf(expression) };
  const isSet = compare('!=', expression, zero);
  if (!isFloat(from)) return isSet;
  if (!isPure(expression)) return compare('>', magnitude(expression, from), zero);
  // NaN is false in JavaScript, and differs from 0.
  return logical('&&', isSet, compare('==', expression, expression));
}

/** Above 0 for numbers that are true: NaN is not, and what has effects is computed once. */
function magnitude(expression: Expression, type: ScalarType): Expression {
  return { kind: 'call', operation: ABS, args: [expression], type: settled(type), ...spanOf(expression) };
}

function compare(operator: Binary['operator'], left: Expression, right: Expression): Binary {
  return { kind: 'binary', operator, wraps: false, left, right, type: BOOL, ...spanOf(left) };
}

export function logical(operator: '&&' | '||', left: Expression, right: Expression): Binary {
  return { kind: 'binary', operator, wraps: false, left, right, type: BOOL, start: left.start, end: right.end };
}

/** A test: numbers are true but for 0 and NaN. */
export function condition(expression: Expression, fail: Fail): Expression {
  const { type } = expression;
  if (type.kind === 'unknown' || isSame(type, BOOL)) return expression;
  return asCondition(expression, numeric(expression, fail));
}

/** As an integer of 32 bits, or of 64 where it has them. Fractions are refused. */
export function integer(expression: Expression, what: string, fail: Fail): Expression {
  if (expression.type.kind === 'unknown') return expression;
  const type = numeric(expression, fail);
  if (!isInteger(type)) {
    return fail(
      expression,
      `${what} must be an integer, got ${typeText(type)}; write Math.floor(…) around the whole of it, or (…) | 0`,
    );
  }
  return convert(expression, type.weak === true || type.name === 'bool' ? I32 : promoted(type), fail);
}

/** A constant integer that is known when the kernel is compiled. */
export function constantInteger(expression: Expression, what: string, fail: Fail): number {
  if (expression.kind === 'constant' && isInteger(expression.type) && typeof expression.value !== 'boolean')
    return Number(expression.value);
  return fail(expression, `${what} must be an integer constant, got ${typeText(expression.type)} that varies`);
}

/** Rounding that gives an integer, which may be an index. */
export function asIndex(expression: Expression, fail: Fail): Expression {
  if (expression.kind === 'call' && ROUNDING.has(expression.operation.name)) {
    const type = expression.type as ScalarType;
    return isFloat(type) ? convert(expression, I32, fail) : expression;
  }
  return integer(expression, 'an index', fail);
}

const ROUNDING: ReadonlySet<string> = new Set(['floor', 'ceil', 'trunc', 'round']);

/** What both sides of an operator are computed in, and both in it. */
export function inOneType(
  left: Expression,
  right: Expression,
  typeFor: (a: ScalarType, b: ScalarType) => ScalarType,
  fail: Fail,
): { left: Expression; right: Expression; type: ScalarType } {
  const type = typeFor(widened(left, right, fail), widened(right, left, fail));
  return { left: convert(left, type, fail), right: convert(right, type, fail), type };
}

/** The type of an operand; a constant above `i32` that fits the other's `u32` or float takes that, and a BigInt a `u64`. */
function widened(operand: Expression, other: Expression, fail: Fail): ScalarType {
  const type = numeric(operand, fail);
  const met = numeric(other, fail);
  if (operand.kind === 'constant' && typeof operand.value === 'bigint') {
    if (met.name === 'u64' && operand.value >= 0n) return met;
  } else {
    if (operand.kind === 'constant' && type === I64 && (isFloat(met) || fitsUnsigned(operand.value, met)))
      return { ...met, weak: false };
    if (operand.kind === 'constant' && type.weak === true && Number(operand.value) < 0 && met.name === 'u32')
      return I64;
  }
  return type.name === 'bool' ? I32 : type;
}

function fitsUnsigned(value: Constant['value'], type: ScalarType): boolean {
  return (
    (type.name === 'u32' || type.name === 'u64') && Number(value) >= 0 && Number(value) < 2 ** SCALARS[type.name].bits
  );
}
