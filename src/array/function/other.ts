import { type ChoiceFunction, ternary, unary, type UnaryFunction } from './elementwise.ts';

/** The real part. */
export const real: UnaryFunction<'real'> = unary('real');

/** The imaginary part; of a real number 0. */
export const imag: UnaryFunction<'real'> = unary('imag');

/** The number with the other sign of its imaginary part. */
export const conj: UnaryFunction<'same'> = unary('conj');

/** The second where the first is true, else the third. */
export const where: ChoiceFunction = ternary('where');

/** The angle of a complex number from the positive real axis, in radians; of a negative number pi. */
export const angle: UnaryFunction<'part'> = unary('angle');

/** Whether the imaginary part is 0. */
export const isreal: UnaryFunction<'bool'> = unary('isreal');

/** Whether the imaginary part is other than 0. */
export const iscomplex: UnaryFunction<'bool'> = unary('iscomplex');

/** The number, or 0 instead of NaN, and the greatest finite number of the dtype instead of an infinite one. */
export const nanToNum: UnaryFunction<'same'> = unary('nanToNum');
