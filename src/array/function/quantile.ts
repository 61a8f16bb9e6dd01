import { checkOptions, nameOf } from '../../core/check.ts';
import { checkCast, checkOut, copyInto, empty, withoutGaps } from '../apply.ts';
import { normalizeAxes } from '../axes.ts';
import { arrayDTypes, floatOf, type ArrayDType } from '../dtype.ts';
import { engineOf, laneOf, viewOf, type NDArray, type QuantileOptions } from '../ndarray.ts';
import type { FusedValue } from '../expression/fused-value.ts';
import { lengthAt, type Layout } from '../layout.ts';
import { checkArray, checkOpen } from '../operand.ts';
import { axesWithout, grouped } from '../product/multiply.ts';
import type { FloatOf } from '../promotion.ts';
import { reshapeView } from '../reshape.ts';
import { asList, listText, shapeText } from '../shape.ts';
import { quantileMethods, quantilePlace } from '../sort/quantile-place.ts';
import { orderLines } from '../sort/order.ts';
import { narrow, squeeze } from '../view.ts';
import { fuse } from './fuse.ts';
import { lanesOf } from '../lane-options.ts';

/**
 * Quantiles of the elements along axes, in floats: `q` of the elements are less. Lines with a NaN have NaN.
 *
 * @param q - in 0 to 1; of a list the result has an axis, the first
 * @throws RangeError a `q` beyond, or an axis without elements
 */
export function quantile<D extends ArrayDType>(
  x: NDArray<D>,
  q: number | readonly number[],
  options?: QuantileOptions,
): NDArray<FloatOf<D>> {
  return quantiles('quantile', x, q, 1, options) as NDArray<FloatOf<D>>;
}

/** The same with `q` in 0 to 100. */
export function percentile<D extends ArrayDType>(
  x: NDArray<D>,
  q: number | readonly number[],
  options?: QuantileOptions,
): NDArray<FloatOf<D>> {
  return quantiles('percentile', x, q, 100, options) as NDArray<FloatOf<D>>;
}

/** The middle of the elements along axes, in floats: of an even number the mean of the two. Lines with a NaN have NaN. */
export function median<D extends ArrayDType>(
  x: NDArray<D>,
  options?: Omit<QuantileOptions, 'method'>,
): NDArray<FloatOf<D>> {
  if (options !== undefined) checkOptions(options, ['axis', 'keepdims', 'out', 'stream', 'queue'], 'median');
  return quantiles('median', x, 0.5, 1, options) as NDArray<FloatOf<D>>;
}

/** What is between two elements; NaN where the last one of the line is, behind which no other is. Equal ones may be infinite. */
const mix = fuse((low: FusedValue, high: FusedValue, share: FusedValue, last: FusedValue): FusedValue => {
  const result = floatOf(low.dtype);
  const dtype = result === 'f64' ? 'f64' : 'f32';
  const [a, b] = [low.astype(dtype), high.astype(dtype)];
  const between = a.equal(b).where(a, a.add(b.subtract(a).multiply(share)));
  const value = arrayDTypes[last.dtype].kind === 'float' ? last.isnan().where(last.astype(dtype), between) : between;
  return value.astype(result);
});

function quantiles(name: string, x: NDArray, q: unknown, unit: number, options: QuantileOptions | undefined): NDArray {
  checkOpen(x, name);
  if (options !== undefined) checkOptions(options, ['axis', 'keepdims', 'method', 'out', 'stream', 'queue'], name);
  if (arrayDTypes[x.dtype].kind === 'complex') {
    throw new TypeError(`${name} must be given real elements, got ${x.dtype}; write real() or abs() first`);
  }
  const method = options?.method ?? 'linear';
  if (!quantileMethods.includes(method)) {
    throw new TypeError(`${name}: method must be one of ${quantileMethods.join(', ')}, got ${nameOf(method)}`);
  }
  const shares = readShares(name, q, unit);
  const axes = normalizeAxes(options?.axis, x.ndim, `${name}: axis`);
  const n = axes.reduce((size, axis) => size * lengthAt(x.shape, axis), 1);
  if (n === 0) throw new RangeError(`${name} must have an element along the axes, got shape ${shapeText(x.shape)}`);
  const rest = axesWithout(x.ndim, axes);
  const keepdims = options?.keepdims === true;
  const reduced = keepdims
    ? x.shape.map((length, axis) => (axes.includes(axis) ? 1 : length))
    : rest.map((axis) => lengthAt(x.shape, axis));
  const shape = asList(q) ? [shares.length, ...reduced] : reduced;
  const engine = engineOf(x);
  const lane = engine.laneOf(options, name) ?? laneOf(x);
  const dtype = floatOf(x.dtype);
  const given = options?.out;
  if (given !== undefined) {
    checkArray(given, `${name}: out`);
    checkOut(given, shape, engine, name);
    checkCast(dtype, given.dtype, name);
  }
  const made = empty(engine, shape, dtype, lane);
  try {
    if (made.size > 0) {
      using lines = grouped(x, [rest, axes]);
      using keys = withoutGaps(lines, lane);
      using sorted = empty(engine, keys.shape, x.dtype, lane);
      orderLines({ keys, n, descending: false, keysOut: sorted, lanes: lanesOf(options) }, lane);
      const column = (place: number): NDArray => viewOf(sorted, squeeze(narrow(sorted, 1, place, 1), 1));
      using last = column(n - 1);
      using rows = viewOf(made, reshapeView(made, [shares.length, made.size / shares.length]) as Layout);
      for (const [i, each] of shares.entries()) {
        const { low, high, share } = quantilePlace(method, n, each);
        using one = column(low);
        using other = column(high);
        using out = viewOf(rows, squeeze(narrow(rows, 0, i, 1), 0));
        // From the nearer one, so that the way is short. Both are one where there is nothing between.
        const [near, far] = share >= 0.5 ? [other, one] : [one, other];
        mix(near, far, (share >= 0.5 ? 1 - share : share) || 0.5, last, { out, ...lanesOf(options) });
      }
    }
    if (given === undefined) return made;
    copyInto(given, made, lane);
  } catch (error) {
    made.close();
    throw error;
  }
  made.close();
  return given;
}

function readShares(name: string, q: unknown, unit: number): number[] {
  return Array.from(asList(q) ?? [q], (each) => {
    if (typeof each === 'number' && each >= 0 && each <= unit) return each / unit;
    throw new (typeof each === 'number' ? RangeError : TypeError)(
      `${name}: q must be in 0 to ${unit}, got ${listText(q)}`,
    );
  });
}
