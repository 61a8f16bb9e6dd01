import { isComplex, type ArrayDType, type Complex, type WeakScalar } from '../dtype.ts';
import type { Operation } from '../operation/operation.ts';
import { checkKind } from '../operation/typing.ts';
import { complexFolds } from './fold-complex.ts';
import { integerFolds } from './fold-integer.ts';
import { numberFolds } from './fold-number.ts';

/** What scalars have in common: each kind holds those before it. */
type ScalarKind = 'bool' | 'int' | 'float' | 'complex';

const RANKS: readonly ScalarKind[] = ['bool', 'int', 'float', 'complex'];
/** For messages: the dtype that has the kind. */
const DTYPES: Readonly<Record<ScalarKind, ArrayDType>> = { bool: 'bool', int: 'i64', float: 'f64', complex: 'c128' };

/**
 * The result of an operation on scalars alone, as JavaScript computes it: a scalar again, whose dtype follows the arrays' that it
 * meets.
 *
 * @throws TypeError the operation has no meaning for such scalars, or can only be computed of arrays
 */
export function fold(operation: Operation, operands: readonly WeakScalar[]): WeakScalar {
  const { name, rule, kinds, advice } = operation;
  const common = kindOf(rule === 'choice' ? operands.slice(1) : operands);
  checkKind(name, DTYPES[common], kinds, advice);
  if (rule === 'choice') return (isTrue(operands[0] ?? false) ? operands[1] : operands[2]) ?? 0;
  if (rule === 'logical') return ofTruths(name, operands.map(isTrue));
  const result = ofKind(name, common, operands);
  if (result === undefined) {
    throw new TypeError(
      `${name} must be given an NDArray among its operands, got numbers alone; compute it before, and put in the result`,
    );
  }
  return result;
}

function ofKind(name: string, kind: ScalarKind, operands: readonly WeakScalar[]): WeakScalar | undefined {
  if (kind === 'complex') {
    const [a = ZERO, b = ZERO] = operands.map(toComplex);
    return complexFolds[name]?.(a, b);
  }
  if (kind === 'bool') {
    const result = ofBooleans(name, operands as readonly boolean[]);
    if (result !== undefined) return result;
  }
  const isExact = kind !== 'float' && (operands.some((x) => typeof x === 'bigint') || !(name in numberFolds));
  if (isExact && name in integerFolds) {
    const [a = 0n, b = 0n, c = 0n] = operands.map((x) => BigInt(x as number | bigint | boolean));
    return asGiven(integerFolds[name]?.(a, b, c), operands);
  }
  const [a = 0, b = 0, c = 0] = operands.map(Number);
  return numberFolds[name]?.(a, b, c);
}

const ZERO: Complex = { re: 0, im: 0 };

/** An integer of numbers stays a number where it is exact. */
function asGiven(result: bigint | boolean | undefined, operands: readonly WeakScalar[]): WeakScalar | undefined {
  if (typeof result !== 'bigint' || operands.some((x) => typeof x === 'bigint')) return result;
  const number = Number(result);
  return Number.isSafeInteger(number) ? number : result;
}

/** Truth values stay truth values, as those of arrays do. */
function ofBooleans(name: string, [a = false, b = false, c = false]: readonly boolean[]): boolean | undefined {
  switch (name) {
    case 'add':
    case 'maximum':
    case 'fmax':
    case 'bitwiseOr':
      return a || b;
    case 'multiply':
    case 'minimum':
    case 'fmin':
    case 'bitwiseAnd':
      return a && b;
    case 'bitwiseXor':
      return a !== b;
    case 'bitwiseInvert':
      return !a;
    case 'abs':
    case 'nanToNum':
      return a;
    case 'clip':
      return (a || b) && c;
    default:
      return undefined;
  }
}

function ofTruths(name: string, [a = false, b = false]: readonly boolean[]): boolean {
  switch (name) {
    case 'logicalAnd':
      return a && b;
    case 'logicalOr':
      return a || b;
    case 'logicalXor':
      return a !== b;
    default:
      return !a;
  }
}

function kindOf(scalars: readonly WeakScalar[]): ScalarKind {
  const ranks = scalars.map((scalar) => {
    if (typeof scalar === 'boolean') return 0;
    if (typeof scalar === 'object') return 3;
    return typeof scalar === 'bigint' || Number.isInteger(scalar) ? 1 : 2;
  });
  return RANKS[Math.max(0, ...ranks)] ?? 'float';
}

function isTrue(scalar: WeakScalar): boolean {
  return isComplex(scalar) ? scalar.re !== 0 || scalar.im !== 0 : scalar !== 0 && scalar !== 0n && scalar !== false;
}

function toComplex(scalar: WeakScalar): Complex {
  return isComplex(scalar) ? scalar : { re: Number(scalar), im: 0 };
}
