import { binary, type BinaryFunction, unary, type UnaryFunction } from './elementwise.ts';

/** The square root. */
export const sqrt: UnaryFunction<'float'> = unary('sqrt');

/** 1 by the square root. */
export const rsqrt: UnaryFunction<'float'> = unary('rsqrt');

/** The cube root. */
export const cbrt: UnaryFunction<'float'> = unary('cbrt');

/** The power of e. */
export const exp: UnaryFunction<'float'> = unary('exp');

/** The power of 2. */
export const exp2: UnaryFunction<'float'> = unary('exp2');

/** The power of e, less 1: exact near 0. */
export const expm1: UnaryFunction<'float'> = unary('expm1');

/** The natural logarithm. */
export const log: UnaryFunction<'float'> = unary('log');

/** The logarithm to base 2. */
export const log2: UnaryFunction<'float'> = unary('log2');

/** The logarithm to base 10. */
export const log10: UnaryFunction<'float'> = unary('log10');

/** The natural logarithm of 1 more: exact near 0. */
export const log1p: UnaryFunction<'float'> = unary('log1p');

/** The sine, of radians. */
export const sin: UnaryFunction<'float'> = unary('sin');

/** The cosine, of radians. */
export const cos: UnaryFunction<'float'> = unary('cos');

/** The tangent, of radians. */
export const tan: UnaryFunction<'float'> = unary('tan');

/** The inverse of the sine, in radians. */
export const asin: UnaryFunction<'float'> = unary('asin');

/** The inverse of the cosine, in radians. */
export const acos: UnaryFunction<'float'> = unary('acos');

/** The inverse of the tangent, in radians. */
export const atan: UnaryFunction<'float'> = unary('atan');

/** The hyperbolic sine. */
export const sinh: UnaryFunction<'float'> = unary('sinh');

/** The hyperbolic cosine. */
export const cosh: UnaryFunction<'float'> = unary('cosh');

/** The hyperbolic tangent. */
export const tanh: UnaryFunction<'float'> = unary('tanh');

/** The inverse of the hyperbolic sine. */
export const asinh: UnaryFunction<'float'> = unary('asinh');

/** The inverse of the hyperbolic cosine. */
export const acosh: UnaryFunction<'float'> = unary('acosh');

/** The inverse of the hyperbolic tangent. */
export const atanh: UnaryFunction<'float'> = unary('atanh');

/** The error function. */
export const erf: UnaryFunction<'float'> = unary('erf');

/** 1 less the error function: exact for large numbers. */
export const erfc: UnaryFunction<'float'> = unary('erfc');

/** The logarithm of the absolute value of the gamma function. */
export const lgamma: UnaryFunction<'float'> = unary('lgamma');

/** The gamma function. */
export const tgamma: UnaryFunction<'float'> = unary('tgamma');

/** Degrees in radians. */
export const deg2rad: UnaryFunction<'float'> = unary('deg2rad');

/** Radians in degrees. */
export const rad2deg: UnaryFunction<'float'> = unary('rad2deg');

/** The greatest integer that is not greater. */
export const floor: UnaryFunction<'same'> = unary('floor');

/** The least integer that is not less. */
export const ceil: UnaryFunction<'same'> = unary('ceil');

/** The integer towards 0. */
export const trunc: UnaryFunction<'same'> = unary('trunc');

/** The nearest integer; of two the even one. */
export const round: UnaryFunction<'same'> = unary('round');

/** The angle of the point (second, first), in radians: the inverse of the tangent of first / second in its quadrant. */
export const atan2: BinaryFunction<'float'> = binary('atan2');

/** The length of the vector (first, second). */
export const hypot: BinaryFunction<'float'> = binary('hypot');

/** The size of the first with the sign of the second. */
export const copysign: BinaryFunction<'float'> = binary('copysign');

/** The next float from the first towards the second. */
export const nextafter: BinaryFunction<'float'> = binary('nextafter');

/** The logarithm of the sum of the powers of e. */
export const logaddexp: BinaryFunction<'float'> = binary('logaddexp');

/** Whether the sign is negative, of -0 too. */
export const signbit: UnaryFunction<'bool'> = unary('signbit');

/** The power of 10. */
export const exp10: UnaryFunction<'float'> = unary('exp10');

/** The logarithmic derivative of the gamma function. */
export const digamma: UnaryFunction<'float'> = unary('digamma');

/** The modified Bessel function of the first kind, of order 0. */
export const i0: UnaryFunction<'float'> = unary('i0');

/** The sine of pi times the number, by pi times the number; of 0 it is 1. */
export const sinc: UnaryFunction<'float'> = unary('sinc');

/** The logarithm to base 2 of the sum of the powers of 2. */
export const logaddexp2: BinaryFunction<'float'> = binary('logaddexp2');

/** 0 below 0, 1 above; of 0 the second. */
export const heaviside: BinaryFunction<'float'> = binary('heaviside');

/** The first times 2 to the second, an integer. */
export const ldexp: BinaryFunction<'scale'> = binary('ldexp');
