import { binary, type BinaryFunction, unary, type UnaryFunction } from './elementwise.ts';

/** Whether two elements are equal. NaN is equal to nothing. */
export const equal: BinaryFunction<'bool'> = binary('equal');

/** Whether two elements differ. */
export const notEqual: BinaryFunction<'bool'> = binary('notEqual');

/** Whether the first is less than the second. */
export const less: BinaryFunction<'bool'> = binary('less');

/** Whether the first is less than the second, or equal. */
export const lessEqual: BinaryFunction<'bool'> = binary('lessEqual');

/** Whether the first is greater than the second. */
export const greater: BinaryFunction<'bool'> = binary('greater');

/** Whether the first is greater than the second, or equal. */
export const greaterEqual: BinaryFunction<'bool'> = binary('greaterEqual');

/** Whether it is NaN. */
export const isnan: UnaryFunction<'bool'> = unary('isnan');

/** Whether it is infinite. */
export const isinf: UnaryFunction<'bool'> = unary('isinf');

/** Whether it is neither infinite nor NaN. */
export const isfinite: UnaryFunction<'bool'> = unary('isfinite');

/** Whether both are other than 0. */
export const logicalAnd: BinaryFunction<'logical'> = binary('logicalAnd');

/** Whether one is other than 0. */
export const logicalOr: BinaryFunction<'logical'> = binary('logicalOr');

/** Whether exactly one is other than 0. */
export const logicalXor: BinaryFunction<'logical'> = binary('logicalXor');

/** Whether it is 0. */
export const logicalNot: UnaryFunction<'logical'> = unary('logicalNot');

/** Whether it is infinite and positive. */
export const isposinf: UnaryFunction<'bool'> = unary('isposinf');

/** Whether it is infinite and negative. */
export const isneginf: UnaryFunction<'bool'> = unary('isneginf');
