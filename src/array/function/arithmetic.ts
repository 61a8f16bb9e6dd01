import {
  binary,
  type BinaryFunction,
  type ClipFunction,
  clipped,
  ternary,
  type TernaryFunction,
  unary,
  type UnaryFunction,
} from './elementwise.ts';

/** The sum. Integers wrap around; of truth values it is `or`. */
export const add: BinaryFunction<'same'> = binary('add');

/** The difference. Integers wrap around. */
export const subtract: BinaryFunction<'same'> = binary('subtract');

/** The product. Integers wrap around; of truth values it is `and`. */
export const multiply: BinaryFunction<'same'> = binary('multiply');

/** The quotient, in floats: of integers up to 16 bits f32, of wider ones f64. */
export const divide: BinaryFunction<'float'> = binary('divide');

/** The quotient, rounded down. An integer by 0 is 0. */
export const floorDivide: BinaryFunction<'same'> = binary('floorDivide');

/** What {@link floorDivide} leaves, with the divisor's sign. An integer by 0 is 0. */
export const remainder: BinaryFunction<'same'> = binary('remainder');

/** What a quotient that is cut off leaves, with the dividend's sign, as in C. */
export const fmod: BinaryFunction<'same'> = binary('fmod');

/** The power. A negative exponent of integers gives 0, but of 1 and -1. */
export const pow: BinaryFunction<'same'> = binary('pow');

/** The negative. Unsigned integers wrap around. */
export const negative: UnaryFunction<'same'> = unary('negative');

/** The number itself, in a new array. */
export const positive: UnaryFunction<'same'> = unary('positive');

/** The absolute value; of a complex number a real one. */
export const abs: UnaryFunction<'real'> = unary('abs');

/** -1, 0 or 1; of a complex number z / abs(z). */
export const sign: UnaryFunction<'same'> = unary('sign');

/** The product with itself. */
export const square: UnaryFunction<'same'> = unary('square');

/** 1 by the number, in floats. */
export const reciprocal: UnaryFunction<'float'> = unary('reciprocal');

/** The greater of two; NaN where one is NaN. */
export const maximum: BinaryFunction<'same'> = binary('maximum');

/** The lesser of two; NaN where one is NaN. */
export const minimum: BinaryFunction<'same'> = binary('minimum');

/** The number, or the limit that it exceeds: of the first operand, between the second and the third. */
export const clip: ClipFunction = clipped;

/** The first times the second plus the third operand, rounded once. */
export const fma: TernaryFunction = ternary('fma');

/** The greater of two; the other one where one is NaN. */
export const fmax: BinaryFunction<'same'> = binary('fmax');

/** The lesser of two; the other one where one is NaN. */
export const fmin: BinaryFunction<'same'> = binary('fmin');
