import { applied } from '../applied.ts';
import type { ArrayDType, WeakScalar } from '../dtype.ts';
import type { FusedOperand, FusedValue } from '../expression/fused-value.ts';
import type { NDArray, Operand, OutOptions } from '../ndarray.ts';
import type { Rule } from '../operation/operation.ts';
import type { OperationName } from '../operation/table.ts';
import type { Promote } from '../promotion.ts';
import { clipTo } from './clip.ts';
import type { ResultOf, WithScalar } from '../result-dtype.ts';

/** A function of each element of an array. */
export interface UnaryFunction<R extends Rule> {
  <D extends ArrayDType>(x: NDArray<D>, options?: OutOptions): NDArray<ResultOf<R, D>>;
  (x: FusedValue): FusedValue;
}

/** A function of the elements of two operands, which broadcast. One of them may be a scalar. */
export interface BinaryFunction<R extends Rule> {
  <D extends ArrayDType, E extends ArrayDType>(
    x: NDArray<D>,
    y: NDArray<E>,
    options?: OutOptions,
  ): NDArray<ResultOf<R, Promote<D, E>>>;
  <D extends ArrayDType>(x: NDArray<D>, y: WeakScalar, options?: OutOptions): NDArray<ResultOf<R, WithScalar<D>>>;
  <D extends ArrayDType>(x: WeakScalar, y: NDArray<D>, options?: OutOptions): NDArray<ResultOf<R, WithScalar<D>>>;
  (x: NDArray, y: Operand, options?: OutOptions): NDArray<ResultOf<R, ArrayDType>>;
  (x: Operand, y: NDArray, options?: OutOptions): NDArray<ResultOf<R, ArrayDType>>;
  (x: FusedValue, y: FusedOperand): FusedValue;
  (x: FusedOperand, y: FusedValue): FusedValue;
}

/** A function of the elements of three operands, which broadcast. Some of them may be scalars. */
export interface TernaryFunction {
  <D extends ArrayDType, E extends ArrayDType, F extends ArrayDType>(
    x: NDArray<D>,
    y: NDArray<E>,
    z: NDArray<F>,
    options?: OutOptions,
  ): NDArray<Promote<Promote<D, E>, F>>;
  (x: Operand, y: Operand, z: Operand, options?: OutOptions): NDArray;
  (x: FusedOperand, y: FusedOperand, z: FusedOperand): FusedValue;
}

/** {@link where} */
export interface ChoiceFunction {
  <D extends ArrayDType, E extends ArrayDType>(
    condition: Operand,
    x: NDArray<D>,
    y: NDArray<E>,
    options?: OutOptions,
  ): NDArray<Promote<D, E>>;
  <D extends ArrayDType>(
    condition: Operand,
    x: NDArray<D>,
    y: WeakScalar,
    options?: OutOptions,
  ): NDArray<WithScalar<D>>;
  <D extends ArrayDType>(
    condition: Operand,
    x: WeakScalar,
    y: NDArray<D>,
    options?: OutOptions,
  ): NDArray<WithScalar<D>>;
  (condition: Operand, x: Operand, y: Operand, options?: OutOptions): NDArray;
  (condition: FusedOperand, x: FusedOperand, y: FusedOperand): FusedValue;
}

/** {@link clip}; null is no limit. */
export interface ClipFunction {
  <D extends ArrayDType>(
    x: NDArray<D>,
    least: WeakScalar | null | undefined,
    most: WeakScalar | null | undefined,
    options?: OutOptions,
  ): NDArray<WithScalar<D>>;
  (x: Operand, least: Operand | null | undefined, most: Operand | null | undefined, options?: OutOptions): NDArray;
  (x: FusedOperand, least: FusedOperand | null | undefined, most: FusedOperand | null | undefined): FusedValue;
}

/** The function of an operation of one operand. */
export function unary<R extends Rule>(name: OperationName): UnaryFunction<R> {
  const operation = applied[name];
  return ((x: unknown, options?: OutOptions) => operation.run([x], options)) as unknown as UnaryFunction<R>;
}

/** The function of an operation of two operands. */
export function binary<R extends Rule>(name: OperationName): BinaryFunction<R> {
  const operation = applied[name];
  return ((x: unknown, y: unknown, options?: OutOptions) =>
    operation.run([x, y], options)) as unknown as BinaryFunction<R>;
}

/** The function of an operation of three operands. */
export function ternary(name: OperationName): TernaryFunction & ChoiceFunction {
  const operation = applied[name];
  return ((x: unknown, y: unknown, z: unknown, options?: OutOptions) => {
    return operation.run([x, y, z], options);
  }) as unknown as TernaryFunction & ChoiceFunction;
}

/** {@link clip}, of which each limit may be missing. */
export const clipped: ClipFunction = ((x: unknown, least: unknown, most: unknown, options?: OutOptions) => {
  return clipTo(x, least, most, options);
}) as ClipFunction;
