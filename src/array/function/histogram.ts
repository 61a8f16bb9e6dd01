import { checkOptions, nameOf } from '../../core/check.ts';
import { applied } from '../applied.ts';
import { copyInto, empty } from '../apply.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Engine, Lane, LaneOptions } from '../engine.ts';
import { axisOf, readBins, sumDType, uploadEdges, type AxisBins } from '../histogram/axis.ts';
import { countBins } from '../histogram/count.ts';
import { widthsOf, type HostEdges } from '../histogram/host-edges.ts';
import { engineOf, laneOf, viewAs, viewOf, type NDArray } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { REAL_OR_BOOL } from '../operation/operation.ts';
import { checkKind } from '../operation/typing.ts';
import { checkWeights } from './bincount.ts';
import { astype } from './copy.ts';
import { inOneAxis } from './in-one-axis.ts';
import { sum } from './reduce.ts';

/** A number of bins of one width, or the edges of bins: an array, a typed array, or numbers of the dtype of the elements. */
export type Bins = number | NDArray | ArrayBufferView | readonly number[];

/** The options of {@link histogramBinEdges}. */
export interface BinEdgesOptions extends LaneOptions {
  /** The first and the last edge of bins of one width; by default the least and the greatest element. */
  readonly range?: readonly [first: number, last: number] | undefined;
}

/** The options of {@link histogram}. */
export interface HistogramOptions extends BinEdgesOptions {
  /** What each element counts, of the shape of the array: 1 by default. */
  readonly weights?: NDArray | undefined;
  /** Whether counts are divided by their sum and by the width of their bin, so that the integral is 1. */
  readonly density?: boolean | undefined;
}

/**
 * How many elements are in each bin: from one edge up to the next, in the last one up to and with it. Elements outside, and NaN, are
 * not counted. Counts are i64, or sums of weights of their dtype, whose last bits may differ from one run to the next
 * on a GPU; densities are f64.
 *
 * Edges of bins of one width are those of NumPy, in the dtype of the elements where those are floats; elements belong to bins by
 * comparison with them.
 *
 * Host: blocks for the range of the elements where none is given, until edges have been copied, and for edges in an array.
 *
 * @param bins - how many, of one width (10), or their edges, which ascend
 * @returns the counts, and the edges, one more
 * @throws TypeError complex elements
 * @throws RangeError edges that do not ascend, elements that are not finite where no range is given, weights of another shape
 */
export function histogram(x: NDArray, bins: Bins = 10, options?: HistogramOptions): [counts: NDArray, edges: NDArray] {
  const known = ['range', 'weights', 'density', 'stream', 'queue'];
  const { engine, lane, axis } = prepare(x, bins, options, known, 'histogram');
  const weights = options?.weights;
  checkWeights(weights, x, engine, 'histogram');
  using counted = countsOf(x, axis, weights, engine, lane);
  const edges = uploadEdges(axis.edges, engine, lane);
  try {
    const counts = isAsked(options?.density, 'histogram')
      ? densityOf(counted, [axis.edges], engine, lane)
      : viewOf(counted, counted);
    return [counts, edges];
  } catch (error) {
    edges.close();
    throw error;
  }
}

/**
 * The edges that {@link histogram} has.
 *
 * Host: blocks for the range of the elements where none is given, until edges have been copied, and for edges in an array.
 *
 * @param bins - how many, of one width (10), or their edges, which ascend
 */
export function histogramBinEdges(x: NDArray, bins: Bins = 10, options?: BinEdgesOptions): NDArray {
  const { engine, lane, axis } = prepare(x, bins, options, ['range', 'stream', 'queue'], 'histogramBinEdges');
  return uploadEdges(axis.edges, engine, lane);
}

function prepare(
  x: NDArray,
  bins: unknown,
  options: BinEdgesOptions | undefined,
  known: readonly string[],
  what: string,
): { readonly engine: Engine; readonly lane: Lane; readonly axis: AxisBins } {
  checkOpen(x, what);
  if (options !== undefined) checkOptions(options, known, what);
  checkKind(what, x.dtype, REAL_OR_BOOL);
  const engine = engineOf(x);
  const lane = engine.laneOf(options, what) ?? laneOf(x);
  return { engine, lane, axis: readBins(x, x.dtype, bins, options?.range, engine, false, what) };
}

function countsOf(x: NDArray, bins: AxisBins, weights: NDArray | undefined, engine: Engine, lane: Lane): NDArray {
  using flat = inOneAxis(x);
  const axis = axisOf(flat, bins, engine, lane);
  using edges = axis.edges;
  const count = (by: NDArray | undefined): NDArray => countBins(engine, lane, [{ ...axis, edges }], by).counts;
  if (weights === undefined) return count(undefined);
  using by = inOneAxis(weights);
  const { kind, part } = arrayDTypes[by.dtype];
  if (kind !== 'complex') {
    using sums = count(by);
    return astype(sums, by.dtype);
  }
  // The sums of both parts, which lie side by side.
  const result: NDArray = empty(engine, [bins.count], by.dtype, lane);
  for (const at of [0, 1]) {
    using parts = partOf(by, part, at);
    using sums = count(parts);
    using into = partOf(result, part, at);
    copyInto(into, sums, lane);
  }
  return result;
}

/** One of the parts of complex elements along one axis. */
function partOf(array: NDArray, part: ArrayDType, at: number): NDArray {
  const { shape, strides, offset } = array;
  return viewAs(array, part, { shape, strides: strides.map((stride) => 2 * stride), offset: 2 * offset + at });
}

/** Counts by the widths of their bins, along each axis, and by their sum. */
export function densityOf(counts: NDArray, edges: readonly HostEdges[], engine: Engine, lane: Lane): NDArray {
  using total = sum(counts);
  let result = viewOf(counts, counts);
  for (const [axis, each] of edges.entries()) {
    using by = uploadEdges(widthsOf(each, sumDType(engine)), engine, lane);
    const shape = counts.shape.map((length, each) => (each === axis ? length : 1));
    using along = viewOf(by, { shape, strides: shape.map((length) => (length === 1 ? 0 : 1)), offset: by.offset });
    using before = result;
    result = applied.divide.run([before, along]);
  }
  using before = result;
  return applied.divide.run([before, total]);
}

/** Whether a density is asked for. */
export function isAsked(density: unknown, what: string): boolean {
  if (density === undefined || typeof density === 'boolean') return density === true;
  throw new TypeError(`${what}: density must be true or false, got ${nameOf(density)}`);
}
