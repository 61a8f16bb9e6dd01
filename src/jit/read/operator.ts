import type { Binary, BinaryOperator, Call, Conditional, Expression, Span } from '../tree.ts';
import {
  arithmeticType,
  BOOL,
  F64,
  I32,
  I64,
  isFloat,
  isInteger,
  isSame,
  isWide,
  join,
  promoted,
  SCALARS,
  settled,
  typeText,
  U32,
  U64,
  UNKNOWN,
  type KernelType,
  type ScalarType,
} from '../kernel-type.ts';
import { hasWideValue, lowBits, wideBits } from './bits.ts';
import { condition, constantOf, convert, inOneType, integer, isHeld, logical, numeric } from './convert.ts';
import { INTEGER_POWER, powerBy, SQUARE } from '../operation/arithmetic.ts';
import { spanOf, type Fail } from './reading.ts';

/** An operator of JavaScript between two values. */
export function binary(operator: string, left: Expression, right: Expression, span: Span, fail: Fail): Expression {
  if (left.type.kind === 'unknown' || right.type.kind === 'unknown') return unknown(span);
  switch (operator) {
    case '+':
    case '-':
    case '*':
      return arithmetic(operator, left, right, span, fail);
    case '/':
      return quotient(left, right, span, fail);
    case '%':
      return arithmetic('%', left, right, span, fail);
    case '**':
      return power(left, right, span, fail);
    case '&':
    case '|':
    case '^':
      return bitwise(operator, left, right, span, fail);
    case '<<':
    case '>>':
    case '>>>':
      return shift(operator, left, right, span, fail);
    case '===':
    case '==':
      return comparison('==', left, right, span, fail);
    case '!==':
    case '!=':
      return comparison('!=', left, right, span, fail);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(operator, left, right, span, fail);
    default:
      return fail(span, `the operator ${operator} is not one of kernels`);
  }
}

/** What has no type yet: a variable in it is given one by a later pass. */
export function unknown(span: Span): Expression {
  return { ...constantOf(0, span), type: UNKNOWN };
}

function make(operator: BinaryOperator, left: Expression, right: Expression, type: ScalarType, span: Span): Binary {
  return { kind: 'binary', operator, wraps: false, left, right, type, ...spanOf(span) };
}

function arithmetic(
  operator: '+' | '-' | '*' | '%',
  left: Expression,
  right: Expression,
  span: Span,
  fail: Fail,
): Expression {
  const folded = fold(operator, left, right, span);
  if (folded) return folded;
  const joined = withConstants(operator, left, right, span);
  if (joined) return arithmetic('+', joined[0], joined[1], span, fail);
  const same = inOneType(left, right, arithmeticType, fail);
  return make(operator, same.left, same.right, same.type, span);
}

/** `n + 16 - 1` of integers is `n + 15`. */
function withConstants(
  operator: string,
  left: Expression,
  right: Expression,
  span: Span,
): readonly [Expression, Expression] | undefined {
  if ((operator !== '+' && operator !== '-') || left.kind !== 'binary' || !isInteger(left.type)) return undefined;
  const { operator: inner, right: first } = left;
  if ((inner !== '+' && inner !== '-') || first.kind !== 'constant' || right.kind !== 'constant') return undefined;
  if (typeof first.value !== 'number' || typeof right.value !== 'number' || !isInteger(right.type)) return undefined;
  const sum = (inner === '+' ? first.value : -first.value) + (operator === '+' ? right.value : -right.value);
  // A sum above 32 bits would make all of it an i64.
  return sum >= 0 && sum < 2 ** 31 ? [left.left, constantOf(sum, span)] : undefined;
}

/** Constants are computed here, as JavaScript does. */
function fold(operator: string, left: Expression, right: Expression, span: Span): Expression | undefined {
  if (left.kind !== 'constant' || right.kind !== 'constant') return undefined;
  const [a, b] = [left.value, right.value];
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  if ((left.type as ScalarType).weak !== true || (right.type as ScalarType).weak !== true) return undefined;
  const value = { '+': a + b, '-': a - b, '*': a * b, '/': a / b, '%': a % b, '**': a ** b }[operator];
  return value === undefined ? undefined : constantOf(value, span);
}

function quotient(left: Expression, right: Expression, span: Span, fail: Fail): Expression {
  const folded = fold('/', left, right, span);
  if (folded) return folded;
  const [a, b] = [numeric(left, fail), numeric(right, fail)];
  const isFraction = isFloat(a) || isFloat(b);
  const [dividend, divisor] = isFraction ? [left, right] : [exact(left), exact(right)];
  const same = inOneType(dividend, divisor, (x, y) => (isFraction ? arithmeticType(x, y) : F64), fail);
  const type = same.type.weak === true ? F64 : same.type;
  return make('/', convert(same.left, type, fail), convert(same.right, type, fail), type, span);
}

/** A constant that no float holds stays one of 64 bits up to the conversion, for quotients that become integers. */
function exact(side: Expression): Expression {
  if (side.kind !== 'constant' || typeof side.value !== 'bigint' || BigInt(Number(side.value)) === side.value)
    return side;
  return { kind: 'conversion', operand: side, type: F64, ...spanOf(side) };
}

/** The operands of a quotient of two integers, before they became fractions. */
function integerOperands(expression: Expression): readonly [Expression, Expression] | undefined {
  if (expression.kind !== 'binary' || expression.operator !== '/') return undefined;
  const [left, right] = [expression.left, expression.right].map((side) => {
    if (side.kind === 'conversion' && isInteger(side.operand.type)) return side.operand;
    if (side.kind === 'constant' && Number.isSafeInteger(Number(side.value)))
      return constantOf(Number(side.value), side);
    return undefined;
  });
  return left && right ? [left, right] : undefined;
}

/**
 * The quotient of two integers as an integer, rounded towards zero: `Math.trunc(a / b)`, `a / b | 0`.
 *
 * @returns undefined where the expression is no such quotient
 */
export function truncatedQuotient(expression: Expression, fail: Fail): Expression | undefined {
  const operands = integerOperands(expression);
  if (operands === undefined) return undefined;
  const same = inOneType(...operands, arithmeticType, fail);
  const type = settled(same.type);
  return make('/', convert(same.left, type, fail), convert(same.right, type, fail), type, expression);
}

function power(left: Expression, right: Expression, span: Span, fail: Fail): Expression {
  const folded = fold('**', left, right, span);
  if (folded) return folded;
  const [a, b] = [numeric(left, fail), numeric(right, fail)];
  if (isInteger(a) && right.kind === 'constant' && isInteger(b) && Number(right.value) >= 0) {
    const type = settled(promoted(a.name === 'bool' ? I32 : a));
    const args = [convert(left, type, fail), convert(right, I32, fail)];
    return { kind: 'call', operation: INTEGER_POWER, args, type, ...spanOf(span) };
  }
  const type = settled(isFloat(a) || isFloat(b) ? arithmeticType(a, b) : F64);
  if (right.kind === 'constant' && Number(right.value) === 2) {
    return { kind: 'call', operation: SQUARE, args: [convert(left, type, fail)], type, ...spanOf(span) };
  }
  const args = [convert(left, type, fail), convert(right, type, fail)];
  return { kind: 'call', operation: powerBy(right), args, type, ...spanOf(span) } satisfies Call;
}

/** In 32 bits with a sign, as JavaScript has it; in 64 where an operand has them. */
function bitwise(operator: '&' | '|' | '^', left: Expression, right: Expression, span: Span, fail: Fail): Expression {
  const isTruncation = operator === '|' && right.kind === 'constant' && right.value === 0 && !isWide(right.type);
  if (isTruncation) return toInt32(left, fail);
  const [a, b] = [bits(left, operator, fail), bits(right, operator, fail)];
  const whole = widerBits(a, b, left.kind === 'constant', right.kind === 'constant');
  return make(operator, bitsIn(left, whole, fail), bitsIn(right, whole, fail), whole, span);
}

/** What both operands are taken in. Constants of 64 bits take the other's sign where it has as many. */
function widerBits(a: ScalarType, b: ScalarType, isLeftConstant: boolean, isRightConstant: boolean): ScalarType {
  if (!isWide(a) && !isWide(b)) return I32;
  if (a.name === b.name || (isRightConstant && isWide(a))) return a;
  return isLeftConstant && isWide(b) ? b : I64;
}

/** An operand of a bitwise operator in its type. */
function bitsIn(operand: Expression, type: ScalarType, fail: Fail): Expression {
  return isWide(type) ? wideBits(operand, type, fail) : convert(lowBits(operand, fail), type, fail);
}

/** The type of an operand of a bitwise operator; numbers above `i32` are taken as their lowest 32 bits. Never a narrower one. */
function bits(operand: Expression, operator: string, fail: Fail): ScalarType {
  const type = numeric(operand, fail);
  if (!isInteger(type)) {
    return fail(operand, `${operator} must be given integers, got ${typeText(type)}; write (…) | 0 or Math.floor(…)`);
  }
  return hasWideValue(operand) ? type : I32;
}

/** `x | 0`: integers wrap around, fractions are cut off. `x | 0n` keeps 64 bits. */
function toInt32(expression: Expression, fail: Fail): Expression {
  const type = numeric(expression, fail);
  if (expression.type.kind === 'unknown') return expression;
  // A constant above 32 bits is a number of JavaScript, not an i64.
  if (expression.kind === 'constant' && typeof expression.value === 'number')
    return { ...constantOf(expression.value | 0, expression), type: I32 };
  const whole = truncatedQuotient(expression, fail) ?? expression;
  return isFloat(type) && whole === expression ? convert(expression, I32, fail) : lowBits(whole, fail);
}

/** The sum or product of integers, whose overflow is asked for. */
export function wrapping(expression: Expression): Expression {
  if (expression.kind === 'unary' && expression.operator === '-' && isInteger(expression.type)) {
    const zero: Expression = { kind: 'constant', value: 0, type: expression.type, ...spanOf(expression) };
    return { ...make('-', zero, wrapping(expression.operand), expression.type as ScalarType, expression), wraps: true };
  }
  if (expression.kind !== 'binary' || !isInteger(expression.type) || !WRAPPING.has(expression.operator))
    return expression;
  return { ...expression, wraps: true, left: wrapping(expression.left), right: wrapping(expression.right) };
}

const WRAPPING: ReadonlySet<string> = new Set(['+', '-', '*']);

function shift(operator: '<<' | '>>' | '>>>', left: Expression, right: Expression, span: Span, fail: Fail): Expression {
  const isUnsigned = operator === '>>>';
  if (right.kind === 'constant' && right.value === 0 && operator !== '<<') {
    const whole = toInt32(left, fail);
    return isUnsigned ? convert(whole, U32, fail) : whole;
  }
  const a = bits(left, operator, fail);
  const type = isWide(a) ? (isUnsigned ? U64 : a) : isUnsigned ? U32 : I32;
  const count = convert(integer(right, 'the count of a shift', fail), I32, fail);
  const most = SCALARS[type.name].bits - 1;
  const isKnown = count.kind === 'constant' && Number(count.value) >= 0 && Number(count.value) <= most;
  const masked = isKnown ? count : make('&', count, convert(constantOf(most, right), I32, fail), I32, right);
  return make(operator === '>>>' ? '>>' : operator, bitsIn(left, type, fail), masked, type, span);
}

function comparison(
  operator: '<' | '<=' | '>' | '>=' | '==' | '!=',
  left: Expression,
  right: Expression,
  span: Span,
  fail: Fail,
): Expression {
  const same = inOneType(left, right, arithmeticType, fail);
  const type = settled(same.type);
  return make(operator, convert(same.left, type, fail), convert(same.right, type, fail), BOOL, span);
}

/** `-`, `+`, `!` and `~`. */
export function unary(operator: string, operand: Expression, span: Span, fail: Fail): Expression {
  if (operand.type.kind === 'unknown') return unknown(span);
  if (operator === '!') {
    const test = condition(operand, fail);
    if (test.kind === 'constant') return { ...test, value: test.value !== true, ...spanOf(span) };
    return { kind: 'unary', operator: '!', operand: test, type: BOOL, ...spanOf(span) };
  }
  const type = numeric(operand, fail);
  if (operator === '~') return complement(operand, type, span, fail);
  const whole = type.name === 'bool' ? I32 : promoted(type);
  if (operator === '+') return convert(operand, whole, fail);
  if (operand.kind === 'constant' && type.weak === true) return constantOf(-Number(operand.value), span);
  // A number that `cuda.uint64(3n)` has made wraps around.
  const isUnsigned = type.name === 'u64' && Number(operand.kind === 'constant' && operand.value) < 2 ** 63;
  if (operand.kind === 'constant' && typeof operand.value === 'bigint' && !isUnsigned) {
    if (isHeld(-operand.value)) return constantOf(-operand.value, span);
    return fail(span, `an integer constant must fit 64 bits, got ${-operand.value}n`);
  }
  if (operand.kind === 'constant' && type.name === 'i64') return constantOf(-Number(operand.value), span);
  const signed = whole.name === 'u32' ? I64 : whole;
  return { kind: 'unary', operator: '-', operand: convert(operand, signed, fail), type: signed, ...spanOf(span) };
}

function complement(operand: Expression, type: ScalarType, span: Span, fail: Fail): Expression {
  // ~~x cuts a fraction off, too.
  if (operand.kind === 'unary' && operand.operator === '~') return operand.operand;
  const whole = hasWideValue(operand) ? type : I32;
  const value = isFloat(type) ? toInt32(operand, fail) : bitsIn(operand, whole, fail);
  return { kind: 'unary', operator: '~', operand: value, type: value.type, ...spanOf(span) };
}

/** A truth value beside a number is 0 or 1. */
function ofTruth(a: KernelType, b: KernelType): KernelType | undefined {
  if (isSame(a, BOOL) && b.kind === 'scalar') return promoted(b);
  return isSame(b, BOOL) && a.kind === 'scalar' ? promoted(a) : undefined;
}

/** `test ? then : otherwise`. */
export function conditional(
  test: Expression,
  then: Expression,
  otherwise: Expression,
  span: Span,
  fail: Fail,
): Expression {
  const type = join(then.type, otherwise.type) ?? ofTruth(then.type, otherwise.type);
  if (type === undefined) {
    return fail(
      span,
      `both values of ?: must be of one type, got ${typeText(then.type)} and ${typeText(otherwise.type)}`,
    );
  }
  if (type.kind === 'unknown') return unknown(span);
  if (type.kind === 'array') return fail(span, '?: must choose a number, got arrays; write if and else');
  const node: Conditional = {
    kind: 'conditional',
    test: condition(test, fail),
    then: convert(then, type, fail),
    otherwise: convert(otherwise, type, fail),
    type,
    ...spanOf(span),
  };
  return node;
}

/** `a && b` and `a || b`: of truth values, or of numbers, where the first decides. */
export function both(operator: '&&' | '||', left: Expression, right: Expression, span: Span, fail: Fail): Expression {
  if (left.type.kind === 'unknown' || right.type.kind === 'unknown') return unknown(span);
  if (isSame(left.type, BOOL) && isSame(right.type, BOOL))
    return { ...logical(operator, left, right), ...spanOf(span) };
  const isTruth = isSame(numeric(left, fail), BOOL);
  numeric(right, fail);
  // Where the first one decides by itself, it is false before `&&`, and true before `||`.
  const own = isTruth ? constantOf(operator === '||', left) : left;
  return operator === '&&' ? conditional(left, right, own, span, fail) : conditional(left, own, right, span, fail);
}
