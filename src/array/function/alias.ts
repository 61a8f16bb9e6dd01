import type { BinaryFunction, UnaryFunction } from './elementwise.ts';
import { abs, divide, multiply, negative, pow, remainder, subtract } from './arithmetic.ts';
import { acos, acosh, asin, asinh, atan, atan2, atanh } from './float.ts';
import { conj } from './other.ts';

/** Another name of {@link subtract}. */
export const sub: BinaryFunction<'same'> = subtract;

/** Another name of {@link multiply}. */
export const mul: BinaryFunction<'same'> = multiply;

/** Another name of {@link divide}. */
export const div: BinaryFunction<'float'> = divide;

/** Another name of {@link remainder}. */
export const mod: BinaryFunction<'same'> = remainder;

/** Another name of {@link negative}. */
export const neg: UnaryFunction<'same'> = negative;

/** Another name of {@link pow}. */
export const power: BinaryFunction<'same'> = pow;

/** Another name of {@link abs}. */
export const absolute: UnaryFunction<'real'> = abs;

/** Another name of {@link abs}. */
export const fabs: UnaryFunction<'real'> = abs;

/** Another name of {@link conj}. */
export const conjugate: UnaryFunction<'same'> = conj;

/** Another name of {@link asin}. */
export const arcsin: UnaryFunction<'float'> = asin;

/** Another name of {@link acos}. */
export const arccos: UnaryFunction<'float'> = acos;

/** Another name of {@link atan}. */
export const arctan: UnaryFunction<'float'> = atan;

/** Another name of {@link atan2}. */
export const arctan2: BinaryFunction<'float'> = atan2;

/** Another name of {@link asinh}. */
export const arcsinh: UnaryFunction<'float'> = asinh;

/** Another name of {@link acosh}. */
export const arccosh: UnaryFunction<'float'> = acosh;

/** Another name of {@link atanh}. */
export const arctanh: UnaryFunction<'float'> = atanh;
