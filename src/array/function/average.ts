import { checkOptions } from '../../core/check.ts';
import { applied } from '../applied.ts';
import { normalizeAxes } from '../axes.ts';
import { floatOf, promote, type ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { lanesOf } from '../lane-options.ts';
import type { Layout } from '../layout.ts';
import type { NDArray } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import type { FloatOf, Promote } from '../promotion.ts';
import { reduceArrays } from '../reduction/reduce-arrays.ts';
import { shapeText } from '../shape.ts';
import { productSum } from './dot.ts';
import { mean, sum } from './reduce.ts';

/** The options of {@link average}. */
export interface AverageOptions<W extends ArrayDType = ArrayDType> extends LaneOptions {
  /** The axis that is averaged, or several; all by default. */
  readonly axis?: number | readonly number[] | undefined;
  /** Whether these axes stay, with length 1. */
  readonly keepdims?: boolean | undefined;
  /** How much each element counts: an array of the same shape, or of one axis for the one that is averaged. */
  readonly weights?: NDArray<W> | undefined;
}

/** The mean of elements that count by weights: the sum of products by the sum of weights. */
export function average<D extends ArrayDType, W extends ArrayDType = D>(
  array: NDArray<D>,
  options?: AverageOptions<W>,
): NDArray<FloatOf<Promote<D, W>>> {
  checkArray(array, 'average: the array');
  if (options !== undefined) checkOptions(options, ['axis', 'keepdims', 'weights', 'stream', 'queue'], 'average');
  const { weights, ...others } = options ?? {};
  if (weights === undefined) return mean(array, others) as never;
  checkArray(weights, 'average: weights');
  array.use('average');
  weights.use('average');
  const axes = normalizeAxes(others.axis, array.ndim, 'average: axis');
  const layout = weightsLayout(array, weights, axes);
  const dtype = floatOf(promote(array.dtype, weights.dtype));
  const inputs = [
    { array: array, layout: array },
    { array: weights, layout },
  ];
  const keepdims = others.keepdims === true;
  const lane = lanesOf(others);
  const reducer = productSum(array.dtype, weights.dtype, dtype);
  using products = reduceArrays(reducer, inputs, { axes, keepdims }, lane, 'average');
  // The sum of weights of one axis is one for all.
  const of = layout === weights ? { axis: axes, keepdims } : {};
  using whole = sum(weights, { ...of, ...lane, dtype });
  return applied.divide.run([products, whole], lane) as never;
}

/** Where the weight of each element is. */
function weightsLayout(array: Layout, weights: Layout, axes: readonly number[]): Layout {
  const { shape } = array;
  const isSame = weights.shape.length === shape.length && weights.shape.every((length, i) => length === shape[i]);
  if (isSame) return weights;
  const [axis] = axes;
  if (axes.length === 1 && axis !== undefined && weights.shape.length === 1 && weights.shape[0] === shape[axis]) {
    const strides = shape.map((_, each) => (each === axis ? (weights.strides[0] ?? 0) : 0));
    return { shape, strides, offset: weights.offset };
  }
  throw new RangeError(
    `average: weights must have the shape ${shapeText(shape)}, or the length of one axis, got ${shapeText(weights.shape)}`,
  );
}
