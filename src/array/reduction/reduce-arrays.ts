import { engineOf, type NDArray, type OutOptions } from '../ndarray.ts';
import { lengthAt, strideAt, type Layout } from '../layout.ts';
import { resultOf } from '../result.ts';
import type { MappedArguments, Reducer, Walked } from './reducer.ts';

/** Which axes of arrays become what. */
export interface ReducedAxes {
  /** The reduced axes, counted from the first. */
  readonly axes: readonly number[];
  /** Whether they stay, with length 1. */
  readonly keepdims: boolean;
  /** The number by which a result is divided, where it is. */
  readonly divisor?: number | undefined;
  /** What a user's text is given. */
  readonly mapped?: MappedArguments;
}

/**
 * Reduce arrays, by layouts of one shape, into a new array or the one that was given.
 *
 * @param what - the reduction, for errors
 * @param read - other arrays that are read
 */
export function reduceArrays(
  reducer: Reducer,
  inputs: readonly Walked[],
  { axes, keepdims, divisor, mapped }: ReducedAxes,
  options: OutOptions | undefined,
  what: string,
  read: readonly NDArray[] = [],
): NDArray {
  const [{ layout }] = inputs as [Walked];
  const operands = [...inputs.map(({ array }) => array), ...read];
  const kind = { shape: shapeLeft(layout.shape, axes, keepdims), dtype: reducer.work.result };
  return resultOf(what, { ...kind, operands, options }, (out, lane) => {
    const target = { array: out, layout: keepdims ? without(out, axes) : out };
    reducer.run(engineOf(out), lane, target, inputs, axes, divisor, mapped);
  });
}

/** How many elements become one. */
export function reducedCount(shape: readonly number[], axes: readonly number[]): number {
  return axes.reduce((count, axis) => count * lengthAt(shape, axis), 1);
}

function shapeLeft(shape: readonly number[], axes: readonly number[], keepdims: boolean): number[] {
  const left: number[] = [];
  for (let axis = 0; axis < shape.length; axis++) {
    if (!axes.includes(axis)) left.push(lengthAt(shape, axis));
    else if (keepdims) left.push(1);
  }
  return left;
}

/** The layout without axes. */
function without({ shape, strides, offset }: Layout, axes: readonly number[]): Layout {
  const kept = shape.flatMap((_, axis) => (axes.includes(axis) ? [] : [axis]));
  return {
    shape: kept.map((axis) => lengthAt(shape, axis)),
    strides: kept.map((axis) => strideAt(strides, axis)),
    offset,
  };
}
