import { binary, type BinaryFunction, unary, type UnaryFunction } from './elementwise.ts';

/** The bits that both have. */
export const bitwiseAnd: BinaryFunction<'same'> = binary('bitwiseAnd');

/** The bits that one has. */
export const bitwiseOr: BinaryFunction<'same'> = binary('bitwiseOr');

/** The bits that exactly one has. */
export const bitwiseXor: BinaryFunction<'same'> = binary('bitwiseXor');

/** The bits that it does not have. */
export const bitwiseInvert: UnaryFunction<'same'> = unary('bitwiseInvert');

/** The bits of the first moved up by the second; by the width or more it is 0. */
export const bitwiseLeftShift: BinaryFunction<'same'> = binary('bitwiseLeftShift');

/** The bits of the first moved down by the second; the sign stays. */
export const bitwiseRightShift: BinaryFunction<'same'> = binary('bitwiseRightShift');

/** How many bits of the absolute value are 1. */
export const bitwiseCount: UnaryFunction<'count'> = unary('bitwiseCount');

/** The greatest common divisor. */
export const gcd: BinaryFunction<'same'> = binary('gcd');

/** The least common multiple, not negative; of 0 it is 0. */
export const lcm: BinaryFunction<'same'> = binary('lcm');
