import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { ALL, NUMBERS, REAL, REAL_OR_BOOL, type Row, isComplex, isFloat } from './operation.ts';

/** The type in which an integer wraps around: a signed overflow is nothing that C defines. */
const wrapping = (t: ArrayDType): string => (arrayDTypes[t].size < 4 ? 'u32' : `u${arrayDTypes[t].size * 8}`);

/** The text of `a sign b` for every kind of number. */
function arithmetic(sign: '+' | '-' | '*', complexName: string): Row['text'] {
  return ([a = '', b = ''], t) => {
    if (t === 'bool') return sign === '+' ? `(${a} || ${b})` : `(${a} && ${b})`;
    if (isComplex(t)) return `${complexName}_${t}(${a}, ${b})`;
    if (isFloat(t)) return `(${a} ${sign} ${b})`;
    return `(${t})((${wrapping(t)})${a} ${sign} (${wrapping(t)})${b})`;
  };
}

function extreme(sign: '<' | '>', floats: string): Row<2, 'same'> {
  return {
    arity: 2,
    rule: 'same',
    kinds: REAL_OR_BOOL,
    text: ([a = '', b = ''], t) => (isFloat(t) ? `${floats}_${t}(${a}, ${b})` : `(${a} ${sign} ${b} ? ${a} : ${b})`),
  };
}

const product = arithmetic('*', 'complex_mul');
const noSubtract = '; write logicalXor for the difference of truth values, or logicalNot for the negation of one';

/** Sums, products, powers, and what is done to the sign. */
export interface ArithmeticOperations {
  /** The sum. Integers wrap around; of truth values it is `or`. */
  readonly add: Row<2, 'same'>;
  /** The difference. Integers wrap around. */
  readonly subtract: Row<2, 'same'>;
  /** The product. Integers wrap around; of truth values it is `and`. */
  readonly multiply: Row<2, 'same'>;
  /** The quotient, in floats: of integers up to 16 bits f32, of wider ones f64. */
  readonly divide: Row<2, 'float'>;
  /** The quotient, rounded down. An integer by 0 is 0. */
  readonly floorDivide: Row<2, 'same'>;
  /** What {@link floorDivide} leaves, with the divisor's sign. An integer by 0 is 0. */
  readonly remainder: Row<2, 'same'>;
  /** What a quotient that is cut off leaves, with the dividend's sign, as in C. */
  readonly fmod: Row<2, 'same'>;
  /** The power. A negative exponent of integers gives 0, but of 1 and -1. */
  readonly pow: Row<2, 'same'>;
  /** The negative. Unsigned integers wrap around. */
  readonly negative: Row<1, 'same'>;
  /** The number itself, in a new array. */
  readonly positive: Row<1, 'same'>;
  /** The absolute value; of a complex number a real one. */
  readonly abs: Row<1, 'real'>;
  /** -1, 0 or 1; of a complex number z / abs(z). */
  readonly sign: Row<1, 'same'>;
  /** The product with itself. */
  readonly square: Row<1, 'same'>;
  /** 1 by the number, in floats. */
  readonly reciprocal: Row<1, 'float'>;
  /** The greater of two; NaN where one is NaN. */
  readonly maximum: Row<2, 'same'>;
  /** The lesser of two; NaN where one is NaN. */
  readonly minimum: Row<2, 'same'>;
  /** The greater of two; the other one where one is NaN. */
  readonly fmax: Row<2, 'same'>;
  /** The lesser of two; the other one where one is NaN. */
  readonly fmin: Row<2, 'same'>;
  /** The number, or the limit that it exceeds: of the first operand, between the second and the third. */
  readonly clip: Row<3, 'same'>;
  /** The first times the second plus the third operand, rounded once. */
  readonly fma: Row<3, 'same'>;
}

export const arithmeticOperations: ArithmeticOperations = {
  add: { arity: 2, rule: 'same', kinds: ALL, text: arithmetic('+', 'complex_add') },
  subtract: { arity: 2, rule: 'same', kinds: NUMBERS, advice: noSubtract, text: arithmetic('-', 'complex_sub') },
  multiply: { arity: 2, rule: 'same', kinds: ALL, text: product },
  divide: {
    arity: 2,
    rule: 'float',
    kinds: ALL,
    text: ([a = '', b = ''], t) => (isComplex(t) ? `complex_div_${t}(${a}, ${b})` : `(${a} / ${b})`),
  },
  floorDivide: {
    arity: 2,
    rule: 'same',
    kinds: REAL,
    text: ([a = '', b = ''], t) => `${isFloat(t) ? 'float_floor_div' : 'floor_div'}_${t}(${a}, ${b})`,
  },
  remainder: {
    arity: 2,
    rule: 'same',
    kinds: REAL,
    text: ([a = '', b = ''], t) => `${isFloat(t) ? 'float_mod' : 'floor_mod'}_${t}(${a}, ${b})`,
  },
  fmod: {
    arity: 2,
    rule: 'same',
    kinds: REAL,
    text: ([a = '', b = ''], t) => (isFloat(t) ? `fmod(${a}, ${b})` : `trunc_mod_${t}(${a}, ${b})`),
  },
  pow: {
    arity: 2,
    rule: 'same',
    kinds: NUMBERS,
    text: ([a = '', b = ''], t) => {
      if (isComplex(t)) return `complex_pow_${t}(${a}, ${b})`;
      return isFloat(t) ? `float_pow_${t}(${a}, ${b})` : `int_pow_${t}(${a}, ${b})`;
    },
  },
  negative: {
    arity: 1,
    rule: 'same',
    kinds: NUMBERS,
    advice: noSubtract,
    text: ([a = ''], t) => {
      if (isComplex(t)) return `${t.toUpperCase()}(-${a}.x, -${a}.y)`;
      return isFloat(t) ? `(-${a})` : `(${t})(0 - (${wrapping(t)})${a})`;
    },
  },
  positive: { arity: 1, rule: 'same', kinds: NUMBERS, text: ([a = '']) => a },
  abs: {
    arity: 1,
    rule: 'real',
    kinds: ALL,
    text: ([a = ''], t) => {
      if (isComplex(t)) return `hypot(${a}.x, ${a}.y)`;
      if (isFloat(t)) return `fabs(${a})`;
      return arrayDTypes[t].kind === 'int' ? `(${a} < 0 ? (${t})(0 - (${wrapping(t)})${a}) : ${a})` : a;
    },
  },
  sign: {
    arity: 1,
    rule: 'same',
    kinds: NUMBERS,
    text: ([a = ''], t) => {
      if (isComplex(t)) return `complex_sign_${t}(${a})`;
      if (isFloat(t)) return `float_sign_${t}(${a})`;
      return arrayDTypes[t].kind === 'int' ? `(${t})((${a} > 0) - (${a} < 0))` : `(${t})(${a} != 0)`;
    },
  },
  square: { arity: 1, rule: 'same', kinds: NUMBERS, text: ([a = ''], t) => product([a, a], t) },
  reciprocal: {
    arity: 1,
    rule: 'float',
    kinds: NUMBERS,
    text: ([a = ''], t) => (isComplex(t) ? `complex_reciprocal_${t}(${a})` : `(1 / ${a})`),
  },
  maximum: extreme('>', 'float_max'),
  minimum: extreme('<', 'float_min'),
  fmax: extreme('>', 'number_max'),
  fmin: extreme('<', 'number_min'),
  clip: {
    arity: 3,
    rule: 'same',
    kinds: REAL,
    text: ([x = '', least = '', most = ''], t) =>
      isFloat(t)
        ? `float_min_${t}(float_max_${t}(${x}, ${least}), ${most})`
        : `(${x} < ${least} ? (${least} < ${most} ? ${least} : ${most}) : ${x} < ${most} ? ${x} : ${most})`,
  },
  fma: {
    arity: 3,
    rule: 'same',
    kinds: REAL,
    text: ([a = '', b = '', c = ''], t) =>
      isFloat(t)
        ? `fma(${a}, ${b}, ${c})`
        : `(${t})((${wrapping(t)})${a} * (${wrapping(t)})${b} + (${wrapping(t)})${c})`,
  },
};
