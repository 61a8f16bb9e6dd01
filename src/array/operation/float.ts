import { arrayDTypes } from '../dtype.ts';
import { literal } from '../kernel/literal.ts';
import { ALL, NUMBERS, REAL_OR_BOOL, type Row, isComplex, isFloat } from './operation.ts';

/** A function that C has under a name, for f32 and f64. */
function real(c: string): Row<1, 'float'> {
  return { arity: 1, rule: 'float', kinds: REAL_OR_BOOL, text: ([a = '']) => `${c}(${a})` };
}

/** The same, with a function of complex numbers: `complex_sin`. */
function withComplex(c: string): Row<1, 'float'> {
  return {
    arity: 1,
    rule: 'float',
    kinds: ALL,
    text: ([a = ''], t) => (isComplex(t) ? `complex_${c}_${t}(${a})` : `${c}(${a})`),
  };
}

function ofTwo(c: string): Row<2, 'float'> {
  return { arity: 2, rule: 'float', kinds: REAL_OR_BOOL, text: ([a = '', b = '']) => `${c}(${a}, ${b})` };
}

/** Integers are rounded already. */
function rounding(c: string): Row<1, 'same'> {
  return { arity: 1, rule: 'same', kinds: REAL_OR_BOOL, text: ([a = ''], t) => (isFloat(t) ? `${c}(${a})` : a) };
}

/** A function of two numbers from `float-helper.ts`. */
function helperOfTwo(name: string): Row<2, 'float'> {
  return { arity: 2, rule: 'float', kinds: REAL_OR_BOOL, text: ([a = '', b = ''], t) => `${name}_${t}(${a}, ${b})` };
}

function helper(name: string): Row<1, 'float'> {
  return { arity: 1, rule: 'float', kinds: REAL_OR_BOOL, text: ([a = ''], t) => `${name}_${t}(${a})` };
}

function times(factor: number): Row<1, 'float'> {
  return { arity: 1, rule: 'float', kinds: REAL_OR_BOOL, text: ([a = ''], t) => `(${a} * ${literal(factor, t)})` };
}

/** Functions of floats: of integers up to 16 bits the result is f32, of wider ones f64. */
export interface FloatOperations {
  /** The square root. */
  readonly sqrt: Row<1, 'float'>;
  /** 1 by the square root. */
  readonly rsqrt: Row<1, 'float'>;
  /** The cube root. */
  readonly cbrt: Row<1, 'float'>;
  /** The power of e. */
  readonly exp: Row<1, 'float'>;
  /** The power of 2. */
  readonly exp2: Row<1, 'float'>;
  /** The power of 10. */
  readonly exp10: Row<1, 'float'>;
  /** The power of e, less 1: exact near 0. */
  readonly expm1: Row<1, 'float'>;
  /** The natural logarithm. */
  readonly log: Row<1, 'float'>;
  /** The logarithm to base 2. */
  readonly log2: Row<1, 'float'>;
  /** The logarithm to base 10. */
  readonly log10: Row<1, 'float'>;
  /** The natural logarithm of 1 more: exact near 0. */
  readonly log1p: Row<1, 'float'>;
  /** The sine, of radians. */
  readonly sin: Row<1, 'float'>;
  /** The cosine, of radians. */
  readonly cos: Row<1, 'float'>;
  /** The tangent, of radians. */
  readonly tan: Row<1, 'float'>;
  /** The inverse of the sine, in radians. */
  readonly asin: Row<1, 'float'>;
  /** The inverse of the cosine, in radians. */
  readonly acos: Row<1, 'float'>;
  /** The inverse of the tangent, in radians. */
  readonly atan: Row<1, 'float'>;
  /** The hyperbolic sine. */
  readonly sinh: Row<1, 'float'>;
  /** The hyperbolic cosine. */
  readonly cosh: Row<1, 'float'>;
  /** The hyperbolic tangent. */
  readonly tanh: Row<1, 'float'>;
  /** The inverse of the hyperbolic sine. */
  readonly asinh: Row<1, 'float'>;
  /** The inverse of the hyperbolic cosine. */
  readonly acosh: Row<1, 'float'>;
  /** The inverse of the hyperbolic tangent. */
  readonly atanh: Row<1, 'float'>;
  /** The error function. */
  readonly erf: Row<1, 'float'>;
  /** 1 less the error function: exact for large numbers. */
  readonly erfc: Row<1, 'float'>;
  /** The logarithm of the absolute value of the gamma function. */
  readonly lgamma: Row<1, 'float'>;
  /** The gamma function. */
  readonly tgamma: Row<1, 'float'>;
  /** The logarithmic derivative of the gamma function. */
  readonly digamma: Row<1, 'float'>;
  /** The modified Bessel function of the first kind, of order 0. */
  readonly i0: Row<1, 'float'>;
  /** The sine of pi times the number, by pi times the number; of 0 it is 1. */
  readonly sinc: Row<1, 'float'>;
  /** Degrees in radians. */
  readonly deg2rad: Row<1, 'float'>;
  /** Radians in degrees. */
  readonly rad2deg: Row<1, 'float'>;
  /** The greatest integer that is not greater. */
  readonly floor: Row<1, 'same'>;
  /** The least integer that is not less. */
  readonly ceil: Row<1, 'same'>;
  /** The integer towards 0. */
  readonly trunc: Row<1, 'same'>;
  /** The nearest integer; of two the even one. Of complex numbers that of both parts. */
  readonly round: Row<1, 'same'>;
  /** The angle of the point (second, first), in radians: the inverse of the tangent of first / second in its quadrant. */
  readonly atan2: Row<2, 'float'>;
  /** The length of the vector (first, second). */
  readonly hypot: Row<2, 'float'>;
  /** The size of the first with the sign of the second. */
  readonly copysign: Row<2, 'float'>;
  /** The next float from the first towards the second. */
  readonly nextafter: Row<2, 'float'>;
  /** The logarithm of the sum of the powers of e. */
  readonly logaddexp: Row<2, 'float'>;
  /** The same, of powers of 2. */
  readonly logaddexp2: Row<2, 'float'>;
  /** 0 below 0, 1 above; of 0 the second. */
  readonly heaviside: Row<2, 'float'>;
  /** The first times 2 to the second, an integer. */
  readonly ldexp: Row<2, 'scale'>;
  /** Whether the sign is negative, of -0 too. */
  readonly signbit: Row<1, 'bool'>;
}

export const floatOperations: FloatOperations = {
  sqrt: withComplex('sqrt'),
  rsqrt: real('rsqrt'),
  cbrt: real('cbrt'),
  exp: withComplex('exp'),
  exp2: real('exp2'),
  exp10: real('exp10'),
  expm1: withComplex('expm1'),
  log: withComplex('log'),
  log2: withComplex('log2'),
  log10: withComplex('log10'),
  log1p: withComplex('log1p'),
  sin: withComplex('sin'),
  cos: withComplex('cos'),
  tan: withComplex('tan'),
  asin: withComplex('asin'),
  acos: withComplex('acos'),
  atan: withComplex('atan'),
  sinh: withComplex('sinh'),
  cosh: withComplex('cosh'),
  tanh: withComplex('tanh'),
  asinh: withComplex('asinh'),
  acosh: withComplex('acosh'),
  atanh: withComplex('atanh'),
  erf: real('erf'),
  erfc: real('erfc'),
  lgamma: real('lgamma'),
  tgamma: real('tgamma'),
  digamma: helper('digamma'),
  i0: helper('bessel_i0'),
  sinc: helper('sinc'),
  deg2rad: times(Math.PI / 180),
  rad2deg: times(180 / Math.PI),
  floor: rounding('floor'),
  ceil: rounding('ceil'),
  trunc: rounding('trunc'),
  round: {
    arity: 1,
    rule: 'same',
    kinds: NUMBERS,
    text: ([a = ''], t) => {
      if (isComplex(t)) return `${t.toUpperCase()}(rint(${a}.x), rint(${a}.y))`;
      return isFloat(t) ? `rint(${a})` : a;
    },
  },
  atan2: ofTwo('atan2'),
  hypot: ofTwo('hypot'),
  copysign: ofTwo('copysign'),
  nextafter: {
    arity: 2,
    rule: 'float',
    kinds: REAL_OR_BOOL,
    text: ([a = '', b = ''], _, [dtype] = []) =>
      dtype === 'f16' || dtype === 'bf16' ? `next_after_${dtype}(${a}, ${b})` : `nextafter(${a}, ${b})`,
  },
  logaddexp: helperOfTwo('log_add_exp'),
  logaddexp2: helperOfTwo('log_add_exp2'),
  heaviside: helperOfTwo('heaviside'),
  ldexp: {
    arity: 2,
    rule: 'scale',
    kinds: REAL_OR_BOOL,
    // No exponent beyond these changes anything.
    text: ([a = '', b = ''], _, [, dtype] = []) =>
      dtype === 'i64' ? `ldexp(${a}, (i32)(${b} < -9999 ? -9999 : ${b} > 9999 ? 9999 : ${b}))` : `ldexp(${a}, ${b})`,
  },
  signbit: {
    arity: 1,
    rule: 'bool',
    kinds: REAL_OR_BOOL,
    text: ([a = ''], t) =>
      isFloat(t) ? `(signbit(${a}) != 0)` : arrayDTypes[t].kind === 'int' ? `(${a} < 0)` : 'false',
  },
};
