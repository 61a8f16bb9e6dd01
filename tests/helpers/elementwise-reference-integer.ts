import { arrayDTypes } from '../../src/array/dtype.ts';
import type { Typing } from '../../src/array/operation/operation.ts';

type Integer = number | bigint | boolean;

/** What operations give of integers and truth values: exact, and then as the dtype of the result wraps it. */
export function integerReference(
  name: string,
  operands: readonly Integer[],
  { operands: types, result }: Typing,
): Integer {
  const [a = 0n, b = 0n, c = 0n] = operands.map((operand) => BigInt(operand));
  const dtype = types[0] ?? 'i32';
  const value = dtype === 'bool' ? ofTruths(name, a === 1n, b === 1n) : undefined;
  const exact = value ?? tests[name]?.(a, b) ?? functions[name]?.(a, b, arrayDTypes[dtype].size * 8, c);
  if (exact === undefined) throw new Error(`no reference for ${name} of ${dtype}`);
  if (arrayDTypes[result].kind === 'bool') return Boolean(exact);
  const width = arrayDTypes[result].size * 8;
  const wide = BigInt(exact);
  const held = arrayDTypes[result].kind === 'int' ? BigInt.asIntN(width, wide) : BigInt.asUintN(width, wide);
  return width === 64 ? held : Number(held);
}

function ofTruths(name: string, a: boolean, b: boolean): boolean | undefined {
  switch (name) {
    case 'add':
    case 'bitwiseOr':
    case 'logicalOr':
      return a || b;
    case 'multiply':
    case 'bitwiseAnd':
    case 'logicalAnd':
      return a && b;
    case 'bitwiseXor':
    case 'logicalXor':
      return a !== b;
    case 'bitwiseInvert':
    case 'logicalNot':
      return !a;
    default:
      return undefined;
  }
}

const size = (a: bigint): bigint => (a < 0n ? -a : a);
const floored = (a: bigint, b: bigint): bigint => (a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b);

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? size(a) : divisor(b, a % b);
}

const tests: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  less: (a, b) => a < b,
  lessEqual: (a, b) => a <= b,
  greater: (a, b) => a > b,
  greaterEqual: (a, b) => a >= b,
  isnan: () => false,
  isinf: () => false,
  isposinf: () => false,
  isneginf: () => false,
  isfinite: () => true,
  isreal: () => true,
  iscomplex: () => false,
  signbit: (a) => a < 0n,
};

const functions: Readonly<Record<string, (a: bigint, b: bigint, width: number, c: bigint) => bigint>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  fma: (a, b, _, c) => a * b + c,
  floorDivide: (a, b) => (b === 0n ? 0n : floored(a, b)),
  remainder: (a, b) => (b === 0n ? 0n : a - b * floored(a, b)),
  fmod: (a, b) => (b === 0n ? 0n : a % b),
  pow,
  negative: (a) => -a,
  positive: (a) => a,
  conj: (a) => a,
  real: (a) => a,
  imag: () => 0n,
  abs: size,
  sign: (a) => (a > 0n ? 1n : a < 0n ? -1n : 0n),
  square: (a) => a * a,
  floor: (a) => a,
  ceil: (a) => a,
  trunc: (a) => a,
  round: (a) => a,
  nanToNum: (a) => a,
  maximum: (a, b) => (a > b ? a : b),
  minimum: (a, b) => (a < b ? a : b),
  fmax: (a, b) => (a > b ? a : b),
  fmin: (a, b) => (a < b ? a : b),
  clip: (x, least, _, most) => (x < least ? (least < most ? least : most) : x < most ? x : most),
  bitwiseAnd: (a, b) => a & b,
  bitwiseOr: (a, b) => a | b,
  bitwiseXor: (a, b) => a ^ b,
  bitwiseInvert: (a) => ~a,
  bitwiseLeftShift: (a, b, width) => (b < 0n || b >= width ? 0n : a << b),
  bitwiseRightShift: (a, b, width) => (b < 0n || b >= width ? (a < 0n ? -1n : 0n) : a >> b),
  bitwiseCount: (a) => BigInt(size(a).toString(2).replaceAll('0', '').length),
  gcd: divisor,
  lcm: (a, b) => (a === 0n || b === 0n ? 0n : size((a / divisor(a, b)) * b)),
};

/** By squaring, of the last 64 bits. */
function pow(a: bigint, b: bigint): bigint {
  if (b < 0n) return a === 1n ? 1n : a === -1n ? (b % 2n === 0n ? 1n : -1n) : 0n;
  let [result, factor] = [1n, BigInt.asUintN(64, a)];
  for (let rest = b; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = BigInt.asUintN(64, result * factor);
    factor = BigInt.asUintN(64, factor * factor);
  }
  return result;
}
