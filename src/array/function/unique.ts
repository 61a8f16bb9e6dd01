import { checkOptions } from '../../core/check.ts';
import { empty, withoutGaps } from '../apply.ts';
import { Compaction, type CompactData } from '../compact/compact.ts';
import type { CompactText } from '../compact/compact-text.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Lane, LaneOptions } from '../engine.ts';
import { load } from '../kernel/conversion.ts';
import { storageType, type Parameter } from '../kernel/dialect.ts';
import { engineOf, laneOf, memoryOf, viewOf, type NDArray } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { reshapeView } from '../reshape.ts';
import { narrow } from '../view.ts';
import { applied } from '../applied.ts';
import { inOneAxis } from './in-one-axis.ts';
import { argsort, sort } from './sort.ts';
import { take } from './gather.ts';
import { fill } from './transfer.ts';
import { laneOption, lanesOf } from '../lane-options.ts';

/** What there is once of each value. */
export interface UniqueResult<D extends ArrayDType> {
  /** Each value once, in order. */
  readonly values: NDArray<D>;
  /** Where each value comes first, in row-major order. */
  readonly indices: NDArray<'i64'>;
  /** The place of each element's value among the values, in the shape of the array. */
  readonly inverseIndices: NDArray<'i64'>;
  /** How often each value is there. */
  readonly counts: NDArray<'i64'>;
}

type Part = keyof UniqueResult<ArrayDType>;

/** The options of {@link unique}. */
export interface UniqueOptions extends LaneOptions {
  /** Give where each value comes first, too. */
  readonly returnIndex?: boolean | undefined;
  /** Give the place of each element's value, too. */
  readonly returnInverse?: boolean | undefined;
  /** Give how often each value is there, too. */
  readonly returnCounts?: boolean | undefined;
}

/**
 * Each value once, in order, as {@link sort} has it; NaN counts as one value. With options, a list: the values, then where each comes
 * first, the place of each element's value, how often each is there, as far as they are asked for.
 *
 * Host: blocks until the number of values is known.
 */
export function unique<D extends ArrayDType>(x: NDArray<D>): NDArray<D>;
export function unique<D extends ArrayDType>(
  x: NDArray<D>,
  options: UniqueOptions,
): NDArray<D> | [values: NDArray<D>, ...others: NDArray<'i64'>[]];
export function unique<D extends ArrayDType>(
  x: NDArray<D>,
  options: UniqueOptions = {},
): NDArray<D> | [values: NDArray<D>, ...others: NDArray<'i64'>[]] {
  checkOptions(options, ['returnIndex', 'returnInverse', 'returnCounts', 'stream', 'queue'], 'unique');
  const { returnIndex, returnInverse, returnCounts, stream, queue } = options;
  const parts: Part[] = [];
  if (returnIndex === true) parts.push('indices');
  if (returnInverse === true) parts.push('inverseIndices');
  if (returnCounts === true) parts.push('counts');
  const found = uniqueParts('unique', x, parts, { stream, queue });
  const others = parts.map((part) => found[part] as NDArray<'i64'>);
  return others.length === 0 ? found.values : [found.values, ...others];
}

/** The values of {@link unique}. Host: blocks until the number of values is known. */
export function uniqueValues<D extends ArrayDType>(x: NDArray<D>, options?: LaneOptions): NDArray<D> {
  return uniqueParts('uniqueValues', x, [], options).values;
}

/** The values of {@link unique} and how often each is there. Host: blocks until the number of values is known. */
export function uniqueCounts<D extends ArrayDType>(
  x: NDArray<D>,
  options?: LaneOptions,
): Pick<UniqueResult<D>, 'values' | 'counts'> {
  return uniqueParts('uniqueCounts', x, ['counts'], options);
}

/** The values of {@link unique} and the place of each element's. Host: blocks until the number of values is known. */
export function uniqueInverse<D extends ArrayDType>(
  x: NDArray<D>,
  options?: LaneOptions,
): Pick<UniqueResult<D>, 'values' | 'inverseIndices'> {
  return uniqueParts('uniqueInverse', x, ['inverseIndices'], options);
}

/** All of {@link unique}. Host: blocks until the number of values is known. */
export function uniqueAll<D extends ArrayDType>(x: NDArray<D>, options?: LaneOptions): UniqueResult<D> {
  return uniqueParts('uniqueAll', x, ['indices', 'inverseIndices', 'counts'], options);
}

/** The runs of equal neighbours. */
export interface RunLengths<D extends ArrayDType> {
  /** The value of each run. */
  readonly values: NDArray<D>;
  /** How many elements each has. */
  readonly lengths: NDArray<'i64'>;
}

/**
 * The runs of equal neighbours, in row-major order; NaN equals NaN.
 *
 * Host: blocks until the number of runs is known.
 */
export function runLengthEncode<D extends ArrayDType>(x: NDArray<D>, options?: LaneOptions): RunLengths<D> {
  checkOpen(x, 'runLengthEncode');
  if (options !== undefined) checkOptions(options, ['stream', 'queue'], 'runLengthEncode');
  const lane = engineOf(x).laneOf(options, 'runLengthEncode') ?? laneOf(x);
  using line = lineOf(x, lane);
  const { values, counts } = runsOf(line, undefined, ['counts'], x.shape, lane);
  return { values, lengths: counts };
}

/** The elements in one axis without gaps. */
function lineOf<D extends ArrayDType>(x: NDArray<D>, lane: Lane): NDArray<D> {
  using line = inOneAxis(x);
  return withoutGaps(line, lane) as unknown as NDArray<D>;
}

function uniqueParts<D extends ArrayDType>(
  what: string,
  x: NDArray<D>,
  parts: readonly Part[],
  options: LaneOptions | undefined,
): UniqueResult<D> {
  checkOpen(x, what);
  if (options !== undefined) checkOptions(options, ['stream', 'queue'], what);
  const lanes = lanesOf(options);
  const lane = engineOf(x).laneOf(options, what) ?? laneOf(x);
  using line = lineOf(x, lane);
  if (!parts.includes('indices') && !parts.includes('inverseIndices')) {
    using sorted = sort(line, lanes);
    return runsOf(sorted, undefined, parts, x.shape, lane);
  }
  using order = argsort(line, lanes);
  using sorted = take(line, order as unknown as NDArray, lanes);
  return runsOf(sorted, order, parts, x.shape, lane);
}

const compactions = new Map<string, Compaction>();

/** The runs of equal elements of a line; `order` is where its elements were in the array. */
function runsOf<D extends ArrayDType>(
  line: NDArray<D>,
  order: NDArray<'i64'> | undefined,
  parts: readonly Part[],
  shape: readonly number[],
  lane: Lane,
): UniqueResult<D> {
  const engine = engineOf(line);
  const n = line.size;
  const withStarts = parts.includes('counts');
  const withFirsts = parts.includes('indices');
  const withInverse = parts.includes('inverseIndices');
  const made: NDArray[] = [];
  const make = <E extends ArrayDType>(length: number, dtype: E): NDArray<E> => {
    const array = empty(engine, [length], dtype, lane);
    made.push(array);
    return array;
  };
  try {
    const key = [line.dtype, withStarts, withFirsts, withInverse].join(' ');
    let compaction = compactions.get(key);
    if (compaction === undefined) {
      compaction = new Compaction(() => runsText(line.dtype, withStarts, withFirsts, withInverse));
      compactions.set(key, compaction);
    }
    const inputs = [line, ...(order === undefined ? [] : [order])] as unknown as NDArray[];
    const data: CompactData = {
      n,
      inputs: inputs.map(memoryOf),
      numbers: inputs.map(({ offset }) => offset),
      reach: n,
    };
    if (n === 0) {
      const others = parts.map((part) => [part, make(0, 'i64')] as const);
      const empties = { values: make(0, line.dtype), ...Object.fromEntries(others) } as unknown as UniqueResult<D>;
      return withInverse ? { ...empties, inverseIndices: reshaped(empties.inverseIndices, shape) } : empties;
    }
    using counted = compaction.count(engine, lane, data);
    const runs = counted.total(engine, lane);
    const values = make(runs, line.dtype);
    // The end of the last run stands behind the starts of all.
    using starts = withStarts ? empty(engine, [runs + 1], 'i64', lane) : undefined;
    const indices = withFirsts ? make(runs, 'i64') : undefined;
    const inverse = withInverse ? make(n, 'i64') : undefined;
    const outputs = [values, starts, indices, inverse].filter((array) => array !== undefined);
    compaction.write(engine, lane, (outputs as unknown as NDArray[]).map(memoryOf), data, counted);
    const counts = starts === undefined ? undefined : lengthsOf(starts, n, lane);
    return {
      values,
      ...(indices && { indices }),
      ...(inverse && { inverseIndices: reshaped(inverse, shape) }),
      ...(counts && { counts }),
    } as UniqueResult<D>;
  } catch (error) {
    for (const array of made) array.close();
    throw error;
  }
}

/** The distances from each start to the next; the last one is to the end, for which there is room. */
function lengthsOf(starts: NDArray<'i64'>, n: number, lane: Lane): NDArray<'i64'> {
  const runs = starts.size - 1;
  using end = viewOf(starts, narrow(starts, 0, runs, 1));
  fill(end, n, lane);
  using begins = viewOf(starts, narrow(starts, 0, 0, runs));
  using ends = viewOf(starts, narrow(starts, 0, 1, runs));
  return applied.subtract.run([ends, begins], laneOption(engineOf(starts), lane)) as unknown as NDArray<'i64'>;
}

function reshaped(array: NDArray<'i64'>, shape: readonly number[]): NDArray<'i64'> {
  const view = reshapeView(array, shape);
  if (view === undefined) return array;
  const made = viewOf(array, view);
  array.close();
  return made;
}

function runsText(dtype: ArrayDType, withStarts: boolean, withFirsts: boolean, withInverse: boolean): CompactText {
  const memory = (name: string, of: ArrayDType, kind: 'output' | 'input'): Parameter => ({ name, dtype: of, kind });
  const number = (name: string): Parameter => ({ name, dtype: 'u64', kind: 'number' });
  const hasOrder = withFirsts || withInverse;
  const place = (i: string): string => `source_order[order_at + ${i}]`;
  const { kind } = arrayDTypes[dtype];
  const at = (i: string): string => load(dtype, 'source', `source_at + ${i}`);
  const isSame =
    kind === 'complex'
      ? (a: string, b: string): string => ['x', 'y'].map((part) => same(`${a}.${part}`, `${b}.${part}`)).join(' && ')
      : kind === 'float'
        ? same
        : (a: string, b: string): string => `${a} == ${b}`;
  return {
    name: [
      'runs',
      dtype,
      ...(withStarts ? ['starts'] : []),
      ...(withFirsts ? ['firsts'] : []),
      ...(withInverse ? ['inverse'] : []),
    ].join('_'),
    memories: [
      memory('run_values', dtype, 'output'),
      ...(withStarts ? [memory('run_starts', 'i64', 'output')] : []),
      ...(withFirsts ? [memory('run_firsts', 'i64', 'output')] : []),
      ...(withInverse ? [memory('inverse', 'i64', 'output')] : []),
      memory('source', dtype, 'input'),
      ...(hasOrder ? [memory('source_order', 'i64', 'input')] : []),
    ],
    numbers: [number('source_at'), ...(hasOrder ? [number('order_at')] : [])],
    holds: (i) => `(${i} == 0 || !(${isSame(at(i), at(`${i} - 1`))}))`,
    value: [storageType(dtype), (i) => `source[source_at + ${i}]`],
    write: (i, rank, value) =>
      [
        `run_values[${rank}] = ${value};`,
        ...(withStarts ? [`run_starts[${rank}] = (i64)${i};`] : []),
        ...(withFirsts ? [`run_firsts[${rank}] = ${place(i)};`] : []),
        ...(withInverse ? [`inverse[${place(i)}] = (i64)${rank};`] : []),
      ].join('\n'),
    ...(withInverse ? { writeOther: (i: string, rank: string) => `inverse[${place(i)}] = (i64)${rank} - 1;` } : {}),
  };
}

/** NaN is one value. */
function same(a: string, b: string): string {
  return `(${a} == ${b} || (${a} != ${a} && ${b} != ${b}))`;
}
