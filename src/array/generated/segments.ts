import { checkOptions } from '../../core/check.ts';
import { checkEngine, checkOut, empty, writtenAside } from '../apply.ts';
import { zeros } from '../create.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Engine, Lane, LaneOptions } from '../engine.ts';
import { take } from '../function/gather.ts';
import { cumsum } from '../function/scan.ts';
import { argsort } from '../function/sort.ts';
import { storageType } from '../kernel/dialect.ts';
import { laneOption, lanesOf } from '../lane-options.ts';
import { engineOf, laneOf, type NDArray, type OutOptions } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { shapeText } from '../shape.ts';
import { ElementwiseKernel } from './elementwise-kernel.ts';
import { neutralText, type Neutral } from './expression-text.ts';
import { runScan } from './generic-scan-kernel.ts';
import { scanOfRuns, type RunOptions } from './run-scan.ts';

/** The options of {@link segmentedReduce}. */
export type SegmentedReduceOptions = RunOptions;

/** The options of {@link segmentedScan}. */
export interface SegmentedScanOptions extends RunOptions, OutOptions {
  /** Leave each element out of its own result: the first one of a segment has the neutral element. */
  readonly exclusive?: boolean | undefined;
}

/** The options of {@link segmentedSort}. */
export interface SegmentedSortOptions extends LaneOptions {
  /** Begin with the greatest element. */
  readonly descending?: boolean | undefined;
}

const OPTIONS = ['neutral', 'preamble', 'stream', 'queue'];
const IS_START = 'i == 0 || marks[i] != 0';

/** Kernels of the dtypes that they have met. */
const kernels = new Map<string, ElementwiseKernel>();

function kernelOf(name: string, parameters: string, operation: string): ElementwiseKernel {
  const key = `${parameters}\n${operation}`;
  let kernel = kernels.get(key);
  if (kernel === undefined) kernels.set(key, (kernel = new ElementwiseKernel(parameters, operation, { name })));
  return kernel;
}

/**
 * What the elements of each segment come to by an expression of two, `a` before `b`: rows of a sparse matrix, lists one behind the
 * other.
 *
 * Host: does not block. The device goes over the elements once, whatever the lengths of segments.
 *
 * @param values - of one axis without gaps, of a dtype that kernels compute in
 * @param starts - where each segment begins, in ascending order, with the end of the last one behind them, as
 * {@link KeyValueSorter} and {@link ListOfListsBuilder} give them; devices do not raise: what is out of range is cut off
 * @param expression - C, associative: `'a + b'`
 * @param options - `neutral` is what segments without elements come to; it must be given for another expression than `a + b`
 * @returns one element for each segment
 * @throws RangeError arrays of more axes, or with gaps
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const starts = xp.array([0, 2, 2, 5], { dtype: 'i32' });
 * xp.segmentedReduce(xp.array([1, 2, 3, 4, 5]), starts); // [3, 0, 12]
 * ```
 */
export function segmentedReduce<V extends ArrayDType>(
  values: NDArray<V>,
  starts: NDArray,
  expression = 'a + b',
  options: SegmentedReduceOptions = {},
): NDArray<V> {
  const what = 'segmentedReduce';
  checkOptions(options, OPTIONS, what);
  const { engine, lane, lanes, segments } = check(values, starts, options, what);
  const neutral = neutralOf(expression, options);
  if (neutral === undefined) {
    throw new TypeError(`${what}: a neutral element must be given, which segments without elements come to, got none`);
  }
  const { dtype, size } = values;
  const [start, value] = [storageType(starts.dtype), storageType(dtype)];
  const { scan, writing } = scanOfRuns(
    what,
    dtype,
    expression,
    { ...options, neutral },
    {
      parameters: `const u8 *marks, const ${value} *values, ${value} *lasts`,
      isStart: IS_START,
      statement: 'if (i + 1 == N || marks[i + 1] != 0) lasts[i] = item;',
    },
  );
  using lasts = empty(engine, [size], dtype, lane);
  if (size > 0) {
    using marks = marksOf(engine, starts, size, lanes);
    runScan(scan, writing, [marks, values, lasts, lanes]);
  }
  return writtenAside({ engine, shape: [segments], dtype }, undefined, lane, (results) => {
    if (segments === 0) return;
    const nothing = neutralText(neutral, dtype, `${what}: the neutral element`);
    kernelOf(
      'segment_results',
      `const ${start} *starts, const ${value} *lasts, i64 total, ${value} *results`,
      `const i64 begin = max((i64)starts[i], (i64)0), end = min((i64)starts[i + 1], total);
${value} result = ${nothing};
if (begin < end) result = lasts[end - 1];
results[i] = result`,
    )(starts, lasts, size, results, { range: [0, segments], ...lanes });
  }) as unknown as NDArray<V>;
}

/**
 * What the elements up to each one come to within its segment, by an expression of two, `a` before `b`; otherwise as
 * {@link segmentedReduce}. Elements before the first segment, and behind the last one, are segments too.
 *
 * @throws TypeError an exclusive scan without a neutral element
 */
export function segmentedScan<V extends ArrayDType>(
  values: NDArray<V>,
  starts: NDArray,
  expression = 'a + b',
  options: SegmentedScanOptions = {},
): NDArray<V> {
  const what = 'segmentedScan';
  checkOptions(options, [...OPTIONS, 'exclusive', 'out'], what);
  const { engine, lane, lanes } = check(values, starts, options, what);
  const { exclusive = false, out } = options;
  const neutral = neutralOf(expression, options);
  if (exclusive && neutral === undefined) {
    throw new TypeError(
      `${what}: an exclusive scan must be given a neutral element, which begins each segment, got none`,
    );
  }
  if (out !== undefined) {
    checkArray(out, `${what}: out`);
    checkOut(out, values.shape, engine, what);
  }
  const value = storageType(values.dtype);
  const { scan, writing } = scanOfRuns(
    what,
    values.dtype,
    expression,
    { ...options, neutral },
    {
      parameters: `const u8 *marks, const ${value} *values, ${value} *scanned`,
      isStart: IS_START,
      statement: `scanned[i] = ${exclusive ? 'prev_item' : 'item'}`,
    },
  );
  return writtenAside({ engine, shape: values.shape, dtype: values.dtype }, out, lane, (made) => {
    if (made.size === 0) return;
    using marks = marksOf(engine, starts, made.size, lanes);
    runScan(scan, writing, [marks, values, made, lanes]);
  }) as unknown as NDArray<V>;
}

/**
 * The elements of each segment in order; otherwise as {@link segmentedReduce}. The order is stable, and that of {@link sort}.
 * Elements before the first segment, and behind the last one, are segments too.
 */
export function segmentedSort<V extends ArrayDType>(
  values: NDArray<V>,
  starts: NDArray,
  options: SegmentedSortOptions = {},
): NDArray<V> {
  using order = orderOf(values, starts, options, 'segmentedSort');
  return take(values, order as unknown as NDArray, lanesOf(options));
}

/** The places of the elements of each segment, in their order; otherwise as {@link segmentedSort}. */
export function segmentedArgsort(values: NDArray, starts: NDArray, options: SegmentedSortOptions = {}): NDArray<'i64'> {
  return orderOf(values, starts, options, 'segmentedArgsort');
}

/** All elements in order, then stably by the numbers of their segments: two sorts of everything, whatever the lengths are. */
function orderOf(values: NDArray, starts: NDArray, options: SegmentedSortOptions, what: string): NDArray<'i64'> {
  checkOptions(options, ['descending', 'stream', 'queue'], what);
  const { engine, lanes } = check(values, starts, options, what);
  using order = argsort(values, { descending: options.descending, ...lanes });
  if (values.size === 0) return take(order, order as unknown as NDArray, lanes);
  using marks = marksOf(engine, starts, values.size, lanes);
  using numbers = cumsum(marks, { dtype: 'u32', ...lanes });
  using ofSorted = take(numbers, order as unknown as NDArray, lanes);
  using bySegment = argsort(ofSorted, lanes);
  return take(order, bySegment as unknown as NDArray, lanes);
}

/** What is given for nothing; sums have 0. */
function neutralOf(expression: string, { neutral }: RunOptions): Neutral | undefined {
  return neutral ?? (expression === 'a + b' ? 0 : undefined);
}

/** Ones where segments begin, and where the last one ends. */
function marksOf(engine: Engine, starts: NDArray, size: number, lanes: LaneOptions): NDArray<'u8'> {
  const marks = zeros(engine, size, { dtype: 'u8', ...lanes });
  try {
    kernelOf(
      'segment_marks',
      `const ${storageType(starts.dtype)} *starts, i64 total, u8 *marks`,
      'const i64 at = (i64)starts[i];\nif (at >= 0 && at < total) marks[at] = 1',
    )(starts, size, marks, { range: [0, starts.size], ...lanes });
  } catch (error) {
    marks.close();
    throw error;
  }
  return marks;
}

function check(
  values: NDArray,
  starts: NDArray,
  options: LaneOptions,
  what: string,
): { readonly engine: Engine; readonly lane: Lane; readonly lanes: LaneOptions; readonly segments: number } {
  checkArray(values, `${what}: values`);
  checkArray(starts, `${what}: starts`);
  values.use(what);
  starts.use(what);
  const engine = engineOf(values);
  checkEngine(starts, engine, what);
  if (values.ndim !== 1) {
    throw new RangeError(`${what}: values must have one axis, got shape ${shapeText(values.shape)}; write ravel()`);
  }
  const { kind } = arrayDTypes[starts.dtype];
  if (kind !== 'int' && kind !== 'uint') {
    throw new TypeError(`${what}: starts must be integers, got ${starts.dtype}; write astype('i64')`);
  }
  if (starts.ndim !== 1 || starts.size === 0) {
    throw new RangeError(
      `${what}: starts must have one axis and the end of the last segment behind them, got shape ${shapeText(starts.shape)}`,
    );
  }
  const lane = engine.laneOf(options, what) ?? laneOf(values);
  return { engine, lane, lanes: laneOption(engine, lane), segments: starts.size - 1 };
}
