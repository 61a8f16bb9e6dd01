import { checkOptions } from '../../core/check.ts';
import { allAxes } from '../axes.ts';
import { arrayDTypes, promote, type ArrayDType } from '../dtype.ts';
import { call, type Node } from '../expression/node.ts';
import { registerType } from '../kernel/dialect.ts';
import { contiguous, type Layout } from '../layout.ts';
import type { NDArray, OutOptions } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { operations } from '../operation/table.ts';
import { truthFold, sumFold } from '../reduction/folds.ts';
import { reduceArrays } from '../reduction/reduce-arrays.ts';
import { Reducer } from '../reduction/reducer.ts';
import type { Promote } from '../promotion.ts';
import { flatOf } from './transfer.ts';

const reducers = new Map<string, Reducer>();

/**
 * The sum of products of elements.
 *
 * @param dtype - the dtype that it is computed in
 * @param isConjugate - of the conjugates of the first ones
 */
export function productSum(a: ArrayDType, b: ArrayDType, dtype: ArrayDType, isConjugate = false): Reducer {
  const conj = isConjugate && arrayDTypes[dtype].kind === 'complex';
  const key = `${conj ? 'vdot' : 'dot'}_${a}_${b}${dtype === promote(a, b) ? '' : `_in_${dtype}`}`;
  let reducer = reducers.get(key);
  if (reducer === undefined) {
    const [x, y]: Node[] = [
      { kind: 'input', index: 0, dtype: a },
      { kind: 'input', index: 1, dtype: b },
    ];
    const first = conj ? call(operations.conj, [x as Node], { operands: [dtype], result: dtype }) : (x as Node);
    reducer = new Reducer({
      name: key,
      inputs: [a, b],
      value: call(operations.multiply, [first, y as Node], { operands: [dtype, dtype], result: dtype }),
      element: dtype,
      result: dtype,
      fold: () => (dtype === 'bool' ? truthFold('|') : sumFold(registerType(dtype) as ArrayDType)),
    });
    reducers.set(key, reducer);
  }
  return reducer;
}

/** The sum of products of two vectors of one length. */
export function dot1<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  y: NDArray<E>,
  options?: OutOptions,
  what = 'dot',
): NDArray<Promote<D, E>> {
  if (x.size !== y.size) {
    throw new RangeError(`${what} must be given vectors of one length, got ${x.size} and ${y.size} elements`);
  }
  const inputs = [
    { array: x, layout: x },
    { array: y, layout: y },
  ];
  const reducer = productSum(x.dtype, y.dtype, promote(x.dtype, y.dtype));
  return reduceArrays(reducer, inputs, { axes: [0], keepdims: false }, options, what) as never;
}

/** The sum of the products of all elements, of the first array their conjugates. */
export function vdot<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  y: NDArray<E>,
  options?: OutOptions,
): NDArray<Promote<D, E>> {
  checkArray(x, 'vdot: the first array');
  checkArray(y, 'vdot: the second array');
  x.use('vdot');
  y.use('vdot');
  if (options !== undefined) checkOptions(options, ['out', 'stream', 'queue'], 'vdot');
  if (x.size !== y.size) {
    throw new RangeError(`vdot must be given as many elements twice, got ${x.size} and ${y.size}`);
  }
  const reducer = productSum(x.dtype, y.dtype, promote(x.dtype, y.dtype), true);
  const isOneShape = x.ndim === y.ndim && x.shape.every((length, axis) => length === y.shape[axis]);
  if (isOneShape) return reduceAll(reducer, [x, y], [x, y], options) as never;
  using first = flatOf(x);
  using second = flatOf(y);
  const layouts = [first, second].map(({ size, offset }) => contiguous([size], offset));
  return reduceAll(reducer, [first, second], layouts, options) as never;
}

function reduceAll(
  reducer: Reducer,
  arrays: readonly NDArray[],
  layouts: readonly Layout[],
  options: OutOptions | undefined,
): NDArray {
  const inputs = arrays.map((array, i) => ({ array, layout: layouts[i] ?? array }));
  const axes = allAxes(layouts[0]?.shape.length ?? 0);
  return reduceArrays(reducer, inputs, { axes, keepdims: false }, options, 'vdot');
}
