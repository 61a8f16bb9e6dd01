import { empty } from '../apply.ts';
import { arrayDTypes } from '../dtype.ts';
import type { DeviceFacts, Engine, Lane, LaunchArgument } from '../engine.ts';
import { sum } from '../function/reduce.ts';
import { fill } from '../function/transfer.ts';
import { kernelFor } from '../kernel-cache.ts';
import type { KernelText } from '../kernel/source.ts';
import { needsWide } from '../layout.ts';
import { memoryOf, viewOf, type NDArray } from '../ndarray.ts';
import { fitsPack } from '../pack-fit.ts';
import { narrow } from '../view.ts';
import { sharedEdges, type BinAxis } from './bin-rule.ts';
import { hasIntegers, NOTES, type Counter, type CountWork } from './count-text.ts';
import { globalCounts } from './global-kernel.ts';
import { serialCounts } from './serial-kernel.ts';
import { MAX_COPIES, sharedCounts, sharedWords } from './shared-kernel.ts';

/** One of the arrays that are counted by, and its bins. */
export interface CountedAxis {
  readonly axis: BinAxis;
  /** The elements, along one axis. */
  readonly x: NDArray;
  readonly bins: number;
  /** The edges, in the dtype that is compared in; undefined of integers. */
  readonly edges: NDArray | undefined;
  /** What bins of one width have besides: the first and the last edge, bins by width, how near edges decide. */
  readonly numbers: readonly number[];
}

/** What has been counted. */
export interface Counts {
  /** The counts in i64, or sums of weights in the dtype of the counter. */
  readonly counts: NDArray;
  /** Of integers what was noted; see `NOTES`. */
  readonly notes: NDArray<'u32'> | undefined;
}

/** The most bins: places of counters are of 32 bits. */
export const MAX_BINS = 0x7fff_fffe;
/** Ranges of bins for which it is worthwhile that every group reads all elements: the others find them in the cache. */
const MAX_RANGES = 8;
/** Fewer copies of counters than these, and threads add up equal neighbours first. */
const FEW_COPIES = 8;
/** Elements of a chunk of a processor at least. */
const SERIAL_CHUNK = 16384;
/** Bins of which a processor's thread has four counters each: its cache has them all. */
const FEW_BINS = 8192;
/** Bytes of rows of counters at most, where many threads have some of their own. */
const ROW_BYTES = 1 << 26;

/** How elements are counted. */
interface Job {
  readonly engine: Engine;
  readonly lane: Lane;
  readonly axes: readonly CountedAxis[];
  readonly weights: NDArray | undefined;
  readonly bins: number;
  readonly n: number;
  readonly work: CountWork;
  readonly notes: NDArray<'u32'> | undefined;
}

/**
 * Count the elements of arrays of one length by bins: of several arrays, by all combinations of theirs in row-major order.
 *
 * Work is not waited for. Sums of weights may differ in the last bits from one run to the next on a GPU.
 *
 * @param weights - what each element counts; of real numbers
 */
export function countBins(
  engine: Engine,
  lane: Lane,
  axes: readonly CountedAxis[],
  weights: NDArray | undefined,
): Counts {
  const bins = axes.reduce((product, axis) => product * axis.bins, 1);
  const arrays = [...axes.map(({ x }) => x), ...(weights === undefined ? [] : [weights])];
  const n = arrays[0]?.size ?? 0;
  const counter: Counter = weights === undefined ? 'u32' : engine.facts.hasDoubles ? 'f64' : 'f32';
  if (n === 0 || bins === 0) {
    const counts = empty(engine, [bins], weights === undefined ? 'i64' : counter, lane) as NDArray;
    fill(counts, 0, lane);
    return { counts, notes: undefined };
  }
  const work = {
    axes: axes.map(({ axis }) => axis),
    weights: weights?.dtype,
    counter,
    wide: needsWide(arrays),
    lanes: 1,
  };
  const notes = hasIntegers(work) ? empty(engine, [NOTES], 'u32', lane) : undefined;
  try {
    if (notes) fill(notes, 0, lane);
    const job = { engine, lane, axes, weights, bins, n, work, notes };
    return { counts: formOf(job)(job), notes };
  } catch (error) {
    notes?.close();
    throw error;
  }
}

/** The form that suits a device and the bins. */
function formOf({ engine: { facts }, bins, work }: Job): (job: Job) => NDArray {
  const hasAtomics = work.counter !== 'f64' || facts.hasWideAtomics;
  if (facts.packBytes === 0 || !hasAtomics) return serial;
  return bins <= MAX_RANGES * sharedWords(work, facts.sharedBytes, false) ? shared : global;
}

function shared(job: Job): NDArray {
  const { engine, bins, n } = job;
  const { facts } = engine;
  const work = { ...job.work, lanes: lanesOf(job) };
  const threads = threadsOf(engine);
  const areEdgesShared = haveSharedEdges(job.axes, facts);
  const words = sharedWords(work, facts.sharedBytes, areEdgesShared);
  const ranges = Math.ceil(bins / words);
  const width = Math.ceil(bins / ranges);
  let copies = MAX_COPIES;
  while (copies > 1 && copies * width > words) copies /= 2;
  const hasRuns = work.weights === undefined && copies < FEW_COPIES;
  const chunks = Math.min(
    Math.floor(residentGroups(facts, threads) / ranges),
    Math.ceil(n / (threads * work.lanes * 4)),
    Math.ceil(n / width),
  );
  return inRows(job, Math.max(chunks, 1), bins, (rows, count) => {
    launch(
      job,
      work,
      rows,
      [bins, ranges, width, copies],
      count * ranges,
      threads,
      `shared ${hasRuns} ${words}`,
      () => {
        return sharedCounts(work, { threads, words, areEdgesShared, hasRuns });
      },
    );
  });
}

function serial(job: Job): NDArray {
  const { engine, bins, n, work } = job;
  const { facts } = engine;
  const isProcessor = facts.packBytes === 0;
  const copies = isProcessor && bins <= FEW_BINS ? 4 : 1;
  const most = isProcessor ? facts.groups : Math.floor(ROW_BYTES / (bins * arrayDTypes[work.counter].size));
  const threads = isProcessor ? most : Math.min(most, facts.groups * facts.groupSize);
  const wanted = Math.max(1, Math.min(threads, Math.floor(n / Math.max(isProcessor ? SERIAL_CHUNK : 64, bins))));
  const chunkLength = Math.ceil(n / wanted);
  const chunks = Math.ceil(n / chunkLength);
  const width = isProcessor ? 1 : Math.min(64, facts.groupSize);
  return inRows(job, chunks * copies, bins + 1, (rows) => {
    const numbers = [bins, copies, chunks, chunkLength];
    launch(job, work, rows, numbers, Math.ceil(chunks / width), width, `serial ${copies}`, () =>
      serialCounts(work, copies),
    );
  });
}

function global(job: Job): NDArray {
  const { engine, lane, bins, n } = job;
  const { facts } = engine;
  const work: CountWork =
    job.work.counter === 'u32' && n >= 2 ** 32 && facts.hasWideAtomics ? { ...job.work, counter: 'i64' } : job.work;
  const threads = facts.groupSize;
  const groups = Math.min(facts.groups, Math.ceil(n / threads));
  return inRows({ ...job, work }, 1, bins, (rows) => {
    fill(rows, 0, lane);
    launch(job, work, rows, [bins], groups, threads, 'global', () => globalCounts(work, threads));
  });
}

/** Have rows of counters filled, and add them up. */
function inRows(
  { engine, lane, bins, work }: Job,
  count: number,
  length: number,
  fillRows: (rows: NDArray, count: number) => void,
): NDArray {
  using rows = empty(engine, [count, length], work.counter, lane) as unknown as NDArray;
  fillRows(rows, count);
  using counted = viewOf(rows, narrow(rows, 1, 0, bins));
  return sum(counted, { axis: 0, dtype: work.weights === undefined ? 'i64' : work.counter });
}

function launch(
  { axes, weights, n, notes, engine, lane }: Job,
  work: CountWork,
  rows: NDArray,
  own: readonly number[],
  groups: number,
  threads: number,
  form: string,
  make: () => KernelText,
): void {
  const arrays = [...axes.map(({ x }) => x), ...(weights === undefined ? [] : [weights])];
  const args: LaunchArgument[] = [memoryOf(rows)];
  if (notes) args.push(memoryOf(notes));
  for (const array of arrays) args.push(memoryOf(array));
  for (const { edges } of axes) if (edges) args.push(memoryOf(edges));
  args.push(n);
  for (const { offset, strides } of arrays) {
    args.push(offset);
    if (work.lanes === 1) args.push(strides[0] ?? 0);
  }
  for (const axis of axes) args.push(axis.bins, ...axis.numbers);
  args.push(...own);
  const dtypes = work.axes.map(({ dtype, rule, compare }) => `${dtype} ${rule} ${compare}`);
  const shared = haveSharedEdges(axes, engine.facts) ? 'edges' : '';
  const key = ['count', form, shared, ...dtypes, work.weights, work.counter, work.lanes, work.wide].join(' ');
  kernelFor(engine, key, make).launch(lane, groups, threads, 1, args, notes ? 2 : 1);
}

/** Elements that a thread reads at once: 16 bytes of the widest dtype, where elements follow each other. */
function lanesOf({ engine: { facts }, axes, weights }: Job): number {
  const arrays = [...axes.map(({ x }) => x), ...(weights === undefined ? [] : [weights])];
  const lanes = facts.packBytes / Math.max(...arrays.map(({ itemsize }) => itemsize));
  const isPacked = arrays.every((array) => array.isFlat && fitsPack(array, array.offset, lanes));
  return isPacked && lanes > 1 ? lanes : 1;
}

/** Whether the explicit edges of an axis, the only one that has some, fit shared memory beside the counters. */
function haveSharedEdges(axes: readonly CountedAxis[], facts: DeviceFacts): boolean {
  const [first, ...others] = axes.filter(({ axis }) => axis.rule === 'edges');
  if (first === undefined || others.length > 0 || facts.packBytes === 0 || facts.sharedBytes < 49152) return false;
  return first.bins < sharedEdges(first.axis.compare);
}

/** Threads of a group that has all of the shared memory that one can have. */
function threadsOf({ facts, dialect }: Engine): number {
  return dialect.name === 'cuda' ? 512 : facts.groupSize;
}

/** Groups that run at once: three of four threads that a multiprocessor has, or they would have too few registers. */
function residentGroups({ groups, groupSize }: DeviceFacts, threads: number): number {
  return Math.ceil((groups * groupSize * 3) / 4 / threads);
}
