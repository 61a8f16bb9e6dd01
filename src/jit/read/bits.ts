import type { Expression } from '../tree.ts';
import { I32, isInteger, isWide, type ScalarType } from '../kernel-type.ts';
import { convert } from './convert.ts';
import { spanOf, type Fail } from './reading.ts';

// Integers of 64 bits are of two kinds. Some values have them: elements, arguments and variables of i64 and u64, bigints. Others
// are numbers of JavaScript that are computed in 64 bits because 32 do not hold them, as `u + i` and `n + 3000000000`: a bitwise
// operator takes their lowest 32 bits, as JavaScript does.

/** Operations that give one of their arguments, or what is computed from them in their type. */
const PASSING: ReadonlySet<string> = new Set(['max', 'min', 'abs', 'floor_quotient', 'integer_power']);

/** Whether an operand of a bitwise operator has 64 bits. */
export function hasWideValue(expression: Expression): boolean {
  if (!isWide(expression.type)) return false;
  switch (expression.kind) {
    case 'constant':
      return typeof expression.value === 'bigint';
    case 'conversion':
      return isWide(expression.operand.type) && hasWideValue(expression.operand);
    case 'unary':
      return hasWideValue(expression.operand);
    case 'binary':
      return hasWideValue(expression.left) || (!SHIFTS.has(expression.operator) && hasWideValue(expression.right));
    case 'conditional':
      return hasWideValue(expression.then) || hasWideValue(expression.otherwise);
    case 'sequence':
      return hasWideValue(expression.items.at(-1) as Expression);
    case 'call':
      return !PASSING.has(expression.operation.name) || expression.args.some(hasWideValue);
    default:
      return true;
  }
}

const SHIFTS: ReadonlySet<string> = new Set(['<<', '>>']);
const SUMS: ReadonlySet<string> = new Set(['+', '-', '*']);

/** The lowest 32 bits of an integer. Sums and products are computed in as many, and wrap around: the bits are the same. */
export function lowBits(expression: Expression, fail: Fail): Expression {
  const { type } = expression;
  if (!isInteger(type)) return expression;
  switch (expression.kind) {
    case 'conversion':
      return isInteger(expression.operand.type) && isAtLeast32(type as ScalarType)
        ? lowBits(expression.operand, fail)
        : convert(expression, I32, fail);
    case 'unary': {
      if (expression.operator !== '-') return convert(expression, I32, fail);
      const zero: Expression = { kind: 'constant', value: 0, type: I32, ...spanOf(expression) };
      return wrapped('-', zero, lowBits(expression.operand, fail), expression);
    }
    case 'binary':
      if (!SUMS.has(expression.operator)) return convert(expression, I32, fail);
      return wrapped(
        expression.operator as '+' | '-' | '*',
        lowBits(expression.left, fail),
        lowBits(expression.right, fail),
        expression,
      );
    default:
      return convert(expression, I32, fail);
  }
}

/** A narrower conversion has cut bits off, which the operand still has. */
function isAtLeast32({ name }: ScalarType): boolean {
  return name === 'i32' || name === 'u32' || name === 'i64' || name === 'u64';
}

function wrapped(operator: '+' | '-' | '*', left: Expression, right: Expression, span: Expression): Expression {
  return { kind: 'binary', operator, wraps: true, left, right, type: I32, ...spanOf(span) };
}

/**
 * Sums and products of 64 bits that wrap around. What they are made of in 32 bits is computed in 64, where it does not overflow:
 * the bits are those of the whole number.
 */
export function wideBits(expression: Expression, type: ScalarType, fail: Fail): Expression {
  if (expression.kind === 'conversion' && isInteger(expression.operand.type)) {
    const { operand } = expression;
    const isSum = operand.kind === 'binary' && SUMS.has(operand.operator) && isSigned32(operand.type as ScalarType);
    return isSum ? wideBits(operand, type, fail) : convert(expression, type, fail);
  }
  if (expression.kind !== 'binary' || !SUMS.has(expression.operator) || !isInteger(expression.type))
    return convert(expression, type, fail);
  const [left, right] = [wideBits(expression.left, type, fail), wideBits(expression.right, type, fail)];
  return { ...expression, wraps: true, left, right, type };
}

// Sums of u32 wrap around by themselves.
function isSigned32({ name }: ScalarType): boolean {
  return name === 'i32';
}
