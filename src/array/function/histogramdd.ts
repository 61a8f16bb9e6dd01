import { checkOptions, nameOf } from '../../core/check.ts';
import { checkEngine } from '../apply.ts';
import { promote } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { axisOf, readBins, sumDType, uploadEdges, type AxisBins } from '../histogram/axis.ts';
import { countBins, MAX_BINS, type CountedAxis } from '../histogram/count.ts';
import { contiguous } from '../layout.ts';
import { engineOf, laneOf, NDArray, viewOf } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { REAL_OR_BOOL } from '../operation/operation.ts';
import { checkKind } from '../operation/typing.ts';
import { asList, shapeText } from '../shape.ts';
import { checkWeights } from './bincount.ts';
import { astype } from './copy.ts';
import { densityOf, isAsked, type Bins } from './histogram.ts';

/** The options of {@link histogramdd}. */
export interface HistogramddOptions extends LaneOptions {
  /** The first and the last edge of bins of one width, along each axis; by default the least and the greatest element. */
  readonly range?: readonly (readonly [first: number, last: number] | undefined)[] | undefined;
  /** What each point counts, along one axis: 1 by default. */
  readonly weights?: NDArray | undefined;
  /** Whether counts are divided by their sum and by the size of their bin, so that the integral is 1. */
  readonly density?: boolean | undefined;
}

/**
 * How many points are in each bin of two axes; otherwise as {@link histogramdd}.
 *
 * @param x - the places of points along the first axis
 * @param y - and along the second one
 * @param bins - how many along both (10), the edges of both, or a list of one or the other for each
 */
export function histogram2d(
  x: NDArray,
  y: NDArray,
  bins: Bins | readonly [Bins, Bins] = 10,
  options?: HistogramddOptions,
): [counts: NDArray, xEdges: NDArray, yEdges: NDArray] {
  const list = asList(bins);
  // As in NumPy, two of anything are for an axis each; more are the edges of both.
  const isEach = Array.isArray(bins) && list?.length === 2;
  const each = isEach ? (bins as unknown as readonly [Bins, Bins]) : [bins as Bins, bins as Bins];
  const [counts, [xEdges, yEdges]] = counted([x, y], each, options, 'histogram2d');
  return [counts, xEdges as NDArray, yEdges as NDArray];
}

/**
 * How many points are in each bin of some axes: along each from one edge up to the next, in the last one up to and with it. Counts,
 * sums of weights and densities are f64 (f32 where the device has no doubles). Edges of bins of one width are those of NumPy: f64
 * where a range is given, else of the dtype of the places.
 *
 * Host: blocks for the range of the elements where none is given, until edges have been copied, and for edges in arrays.
 *
 * @param sample - the places of points: an array of a row for each point, or a list of arrays, one for each axis
 * @param bins - how many, of one width, along all axes (10), or a list of that or of edges, for each axis
 * @returns the counts, an axis for each, and the edges of each axis
 * @throws TypeError complex elements
 * @throws RangeError arrays of different lengths, edges that do not ascend, elements that are not finite where no range is given
 */
export function histogramdd(
  sample: NDArray | readonly NDArray[],
  bins: number | readonly Bins[] = 10,
  options?: HistogramddOptions,
): [counts: NDArray, edges: NDArray[]] {
  const columns = columnsOf(sample);
  try {
    const list = typeof bins === 'number' ? columns.map(() => bins) : bins;
    if (!Array.isArray(list)) {
      throw new TypeError(`histogramdd: bins must be a number or a list for each axis, got ${nameOf(bins)}`);
    }
    if (list.length !== columns.length) {
      throw new RangeError(
        `histogramdd: bins must be given for each of ${columns.length} axes, got ${list.length}; write one number for all`,
      );
    }
    return counted(columns, list as readonly Bins[], options, 'histogramdd');
  } finally {
    for (const column of columns) column.close();
  }
}

/** Views of the places along each axis. */
function columnsOf(sample: NDArray | readonly NDArray[]): NDArray[] {
  if (!(sample instanceof NDArray)) {
    const list = asList(sample);
    if (!list || list.length === 0) {
      throw new TypeError(`histogramdd must be given an array, or a list of them, got ${nameOf(sample)}`);
    }
    return Array.from(list, (array, i) => {
      checkOpen(array, 'histogramdd', `array ${i}`);
      return viewOf(array as NDArray, array as NDArray);
    });
  }
  const points = sample;
  points.use('histogramdd');
  if (points.ndim !== 2) {
    throw new RangeError(
      `histogramdd must be given an array of a row for each point, got shape ${shapeText(points.shape)}; write reshape([-1, 1]) for one axis`,
    );
  }
  const [rows = 0, columns = 0] = points.shape;
  const [step = 0, next = 0] = points.strides;
  return Array.from({ length: columns }, (_, i) => {
    return viewOf(points, { shape: [rows], strides: [step], offset: points.offset + i * next });
  });
}

function counted(
  columns: readonly NDArray[],
  bins: readonly Bins[],
  options: HistogramddOptions | undefined,
  what: string,
): [counts: NDArray, edges: NDArray[]] {
  for (const [i, column] of columns.entries()) checkOpen(column, what, `array ${i}`);
  if (options !== undefined) checkOptions(options, ['range', 'weights', 'density', 'stream', 'queue'], what);
  const first = columns[0] as NDArray;
  const engine = engineOf(first);
  for (const column of columns) {
    checkEngine(column, engine, what);
    checkKind(what, column.dtype, REAL_OR_BOOL);
    if (column.ndim === 1 && column.size === first.size) continue;
    throw new RangeError(
      `${what} must be given arrays of one length along one axis, got shapes ${columns.map(({ shape }) => shapeText(shape)).join(', ')}`,
    );
  }
  const lane = engine.laneOf(options, what) ?? laneOf(first);
  const weights = options?.weights;
  checkWeights(weights, first, engine, what);
  if (weights !== undefined) checkKind(`${what}: weights`, weights.dtype, REAL_OR_BOOL);
  const ranges = readRanges(options?.range, columns.length, what);
  const dtype = columns.reduce((common, column) => promote(common, column.dtype), first.dtype);
  const axes = columns.map((x, i) => readBins(x, dtype, bins[i], ranges[i], engine, true, what));
  const shape = axes.map(({ count }) => count);
  const size = shape.reduce((product, count) => product * count, 1);
  if (size > MAX_BINS) {
    throw new RangeError(`${what} must have at most ${MAX_BINS} bins, got ${size} of shape ${shapeText(shape)}`);
  }
  const opened: NDArray[] = [];
  try {
    using counts = countsOf(columns, axes, weights, opened);
    using shaped = viewOf(counts, contiguous(shape, counts.offset));
    const edges = axes.map((axis) => {
      opened.push(uploadEdges(axis.edges, engine, lane));
      return opened.at(-1) as NDArray;
    });
    const hosts = axes.map((axis) => axis.edges);
    const result = isAsked(options?.density, what) ? densityOf(shaped, hosts, engine, lane) : viewOf(shaped, shaped);
    opened.length = 0;
    return [result, edges];
  } finally {
    for (const array of opened) array.close();
  }

  function countsOf(
    arrays: readonly NDArray[],
    all: readonly AxisBins[],
    by: NDArray | undefined,
    keep: NDArray[],
  ): NDArray {
    const kernelAxes: CountedAxis[] = [];
    for (const [i, x] of arrays.entries()) {
      const axis = axisOf(x, all[i] as AxisBins, engine, lane);
      if (axis.edges) keep.push(axis.edges);
      kernelAxes.push(axis);
    }
    using counts = countBins(engine, lane, kernelAxes, by).counts;
    for (const array of keep.splice(0)) array.close();
    return astype(counts, sumDType(engine));
  }
}

function readRanges(range: unknown, axes: number, what: string): readonly unknown[] {
  if (range === undefined) return [];
  const list = asList(range);
  if (list?.length === axes) return Array.from(list);
  throw new TypeError(
    `${what}: range must be a list of [first, last] for each of ${axes} axes, got ${list ? `${list.length} of them` : nameOf(range)}`,
  );
}
