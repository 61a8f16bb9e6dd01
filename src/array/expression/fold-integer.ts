/** What an operation gives of integers. */
export type IntegerFold = (a: bigint, b: bigint, c: bigint) => bigint | boolean;

/** Longer results are no elements of any dtype. */
const MOST_BITS = 1024n;

function abs(a: bigint): bigint {
  return a < 0n ? -a : a;
}

/** As kernels have it: by 0 the quotient is 0, and so is what is left. */
function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) return 0n;
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

function floorDivide(a: bigint, b: bigint): bigint {
  return b === 0n ? 0n : (a - remainder(a, b)) / b;
}

function pow(a: bigint, b: bigint): bigint {
  if (b < 0n) return abs(a) === 1n ? a ** -b : 0n;
  if (abs(a) > 1n) checkBits(b, 'pow: the exponent');
  return a ** b;
}

function leftShift(a: bigint, b: bigint): bigint {
  if (b < 0n) return 0n;
  checkBits(b, 'bitwiseLeftShift: the shift');
  return a << b;
}

function rightShift(a: bigint, b: bigint): bigint {
  return b < 0n || b > MOST_BITS ? (a < 0n ? -1n : 0n) : a >> b;
}

function checkBits(count: bigint, what: string): void {
  if (count > MOST_BITS) throw new RangeError(`${what} must be at most ${MOST_BITS} for integers, got a greater one`);
}

function countBits(a: bigint): bigint {
  return BigInt(abs(a).toString(2).replaceAll('0', '').length);
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? abs(a) : gcd(b, a % b);
}

const same = (a: bigint): bigint => a;

/** Operations of integers alone that give integers or truth values; the others are those of numbers. */
export const integerFolds: Readonly<Record<string, IntegerFold>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  floorDivide,
  remainder,
  fmod: (a, b) => (b === 0n ? 0n : a % b),
  pow,
  negative: (a) => -a,
  positive: same,
  abs,
  sign: (a) => (a > 0n ? 1n : a < 0n ? -1n : 0n),
  square: (a) => a * a,
  maximum: (a, b) => (a > b ? a : b),
  minimum: (a, b) => (a < b ? a : b),
  fmax: (a, b) => (a > b ? a : b),
  fmin: (a, b) => (a < b ? a : b),
  nanToNum: same,
  clip: (x, least, most) => (x < least ? (least < most ? least : most) : x < most ? x : most),
  fma: (a, b, c) => a * b + c,
  floor: same,
  ceil: same,
  trunc: same,
  round: same,
  real: same,
  imag: () => 0n,
  conj: same,
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  less: (a, b) => a < b,
  lessEqual: (a, b) => a <= b,
  greater: (a, b) => a > b,
  greaterEqual: (a, b) => a >= b,
  bitwiseAnd: (a, b) => a & b,
  bitwiseOr: (a, b) => a | b,
  bitwiseXor: (a, b) => a ^ b,
  bitwiseInvert: (a) => ~a,
  bitwiseLeftShift: leftShift,
  bitwiseRightShift: rightShift,
  bitwiseCount: countBits,
  gcd,
  lcm: (a, b) => (a === 0n || b === 0n ? 0n : abs((a / gcd(a, b)) * b)),
};
