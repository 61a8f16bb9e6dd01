import { empty } from '../apply.ts';
import { arrayDTypes } from '../dtype.ts';
import type { DeviceFacts, Engine, Lane, LaunchArgument } from '../engine.ts';
import { fill } from '../function/transfer.ts';
import { kernelFor } from '../kernel-cache.ts';
import type { KernelText } from '../kernel/source.ts';
import { memoryOf, type NDArray } from '../ndarray.ts';
import { hasShuffles } from '../shuffles.ts';
import { fitsPack } from '../pack-fit.ts';
import { lookBackScan, lookBackTile } from './look-back-kernel.ts';
import { packLanes, PIPELINE_THREADS, pipelinedScan, pipelinedTile } from './pipelined-kernel.ts';
import { itemsOf, rowsScan, SCAN_THREADS } from './rows-kernel.ts';
import { liesAcross, type ScanLayout } from './scan-layout.ts';
import type { ScanMode, ScanWork } from './scan-text.ts';
import { serialScan } from './serial-kernel.ts';
import { stateWords } from './tile-state.ts';

/** How a scan is computed: a thread a line, a group a line, or in one pass of groups that look back. */
type ScanForm = 'serial' | 'rows' | 'once';

/** The most chunks that a line is cut into, so that a group goes over their sums at once. */
const MAX_CHUNKS = 2048;
/** Elements of a chunk for which it is worthwhile to have one. */
const MIN_CHUNK = 2048;
/** Neighbouring lines of one thread, on devices that put elements together. */
const BLOCK = 32;
/** Tiles of lines that are cut. */
const MIN_TILES = 3;

/** A form, and the chunks of each line. */
interface Way {
  readonly form: ScanForm;
  readonly chunks: number;
  readonly chunkLength: number;
  /** Neighbouring lines of one thread. */
  readonly block: number;
}

/** A scan of elements of given dtypes, with its kernels, each built when arrays first need it. */
export class Scan {
  readonly work: ScanWork;
  readonly #key: string;
  #ofSums: Scan | undefined;
  #last: (() => KernelText) | undefined;

  constructor(work: ScanWork) {
    this.work = work;
    this.#key = keyOf(work);
  }

  /** The text of the kernel that wrote last. */
  get lastText(): KernelText | undefined {
    return this.#last?.();
  }

  /** Compute along the lines of a layout. */
  run(engine: Engine, lane: Lane, out: NDArray, input: NDArray, layout: ScanLayout): void {
    const form = formOf(engine, layout, this.work);
    if (form === 'once') {
      this.#runOnce(engine, lane, out, input, layout);
      return;
    }
    const way = wayOf(form, engine.facts, layout, this.work);
    if (way.chunks === 1) {
      this.#launch(engine, lane, 'scan', [memoryOf(out), memoryOf(input)], layout, way);
      return;
    }
    const { accumulator } = this.work;
    using sums = empty(engine, [way.chunks, layout.lines], accumulator, lane);
    this.#launch(engine, lane, 'reduce', [memoryOf(sums), memoryOf(input)], layout, way);
    const operation = { ...this.work.operation, isExclusive: false };
    this.#ofSums ??= new Scan({ operation, input: accumulator, accumulator, output: accumulator });
    this.#ofSums.#scanSums(engine, lane, sums);
    this.#launch(engine, lane, 'carry', [memoryOf(out), memoryOf(input), memoryOf(sums)], layout, way);
  }

  /** Accumulate the sums of chunks in place. */
  #scanSums(engine: Engine, lane: Lane, sums: NDArray): void {
    const [n = 1, lines = 1] = sums.shape;
    const steps = [lines, 1, 0] as const;
    const layout = { n, lines, n0: lines, inSteps: steps, outSteps: steps, inAt: 0, outAt: 0, wide: false };
    const isSerial = engine.facts.packBytes === 0 || lines > 16 * SCAN_THREADS;
    const way: Way = { form: isSerial ? 'serial' : 'rows', chunks: 1, chunkLength: n, block: 1 };
    this.#launch(engine, lane, 'scan', [memoryOf(sums), memoryOf(sums)], layout, way);
  }

  #launch(engine: Engine, lane: Lane, mode: ScanMode, args: LaunchArgument[], layout: ScanLayout, way: Way): void {
    const { n, lines, n0, inSteps, outSteps, inAt, outAt, wide } = layout;
    const { form, chunks, chunkLength, block } = way;
    if (mode !== 'reduce') args.push(outAt);
    args.push(inAt, n, lines, n0, ...inSteps);
    if (mode !== 'reduce') args.push(...outSteps);
    args.push(chunks, chunkLength);
    if (form === 'serial') {
      const threads = (lines / n0) * Math.ceil(n0 / block) * chunks;
      const width = serialWidth(engine.facts, threads);
      const text = (): KernelText => serialScan(this.work, { mode, wide, block });
      this.#last = text;
      const kernel = kernelFor(engine, `${this.#key} serial ${mode} ${block} ${wide}`, text);
      kernel.launch(lane, Math.ceil(threads / width), width, 1, args, 1);
      return;
    }
    const shuffles = hasShuffles(engine);
    const items = itemsFor(chunkLength, this.work);
    let width = SCAN_THREADS;
    while (width > 1 && (width / 2) * items >= chunkLength) width /= 2;
    const height = SCAN_THREADS / width;
    const text = (): KernelText => rowsScan(this.work, { mode, wide, items, shuffles });
    this.#last = text;
    const kernel = kernelFor(engine, `${this.#key} rows ${mode} ${items} ${wide}`, text);
    kernel.launch(lane, Math.ceil(lines / height) * chunks, width, height, args, 1);
  }

  #runOnce(engine: Engine, lane: Lane, out: NDArray, input: NDArray, layout: ScanLayout): void {
    const { n, lines, n0, inSteps, outSteps, inAt, outAt, wide } = layout;
    const { accumulator } = this.work;
    const isPacked = fitsPacks(this.work, out, input, layout);
    const tile = isPacked ? pipelinedTile(accumulator) : lookBackTile(arrayDTypes[accumulator]);
    const tiles = Math.ceil(n / tile);
    using state = empty(engine, [1 + tiles * lines * stateWords(arrayDTypes[accumulator])], 'u64', lane);
    fill(state, 0, lane);
    const args: LaunchArgument[] = [memoryOf(out), memoryOf(state), memoryOf(input)];
    args.push(outAt, inAt, n, lines, n0, ...inSteps, ...outSteps, tiles);
    const text = (): KernelText => (isPacked ? pipelinedScan(this.work, wide) : lookBackScan(this.work, wide));
    this.#last = text;
    const kernel = kernelFor(engine, `${this.#key} once ${wide} ${isPacked}`, text);
    const groups = isPacked ? Math.min(pipelines(engine.facts), tiles * lines) : tiles * lines;
    kernel.launch(lane, groups, isPacked ? PIPELINE_THREADS : SCAN_THREADS, 1, args, 2);
  }
}

/**
 * Groups of a pipelined scan that run at once: each has the registers of four times as many threads. Those that found no place at
 * first would find no tile afterwards.
 */
function pipelines({ groups, groupSize }: DeviceFacts): number {
  return Math.ceil((groups * groupSize) / (4 * PIPELINE_THREADS));
}

/** Whether lines follow each other so that a thread's elements are read and written at once. */
function fitsPacks({ accumulator }: ScanWork, out: NDArray, input: NDArray, layout: ScanLayout): boolean {
  const lanes = packLanes(accumulator);
  const fits = ([step, ...others]: readonly number[], at: number, array: NDArray): boolean => {
    return step === 1 && [at, ...others].every((place) => place % lanes === 0) && fitsPack(array, at, lanes);
  };
  const { inSteps, outSteps, inAt, outAt } = layout;
  return fits(inSteps, inAt, input) && fits(outSteps, outAt, out);
}

/** Elements of a thread: few where a line has few. */
function itemsFor(length: number, { accumulator }: ScanWork): number {
  const most = itemsOf(arrayDTypes[accumulator]);
  return length <= 4 ? 1 : length <= 2 * SCAN_THREADS ? Math.min(4, most) : most;
}

/** Threads of a group that go along lines of their own: few where a group is the work of one processor. */
function serialWidth({ packBytes, groups }: DeviceFacts, threads: number): number {
  if (packBytes > 0) return Math.min(SCAN_THREADS, threads);
  return Math.max(1, Math.min(16, Math.floor(threads / groups)));
}

/** The form that suits a device. */
function formOf({ facts, dialect }: Engine, layout: ScanLayout, { accumulator }: ScanWork): ScanForm {
  // Where the threads of a group run one after another, each has a line of its own.
  if (facts.packBytes === 0 || liesAcross(layout)) return 'serial';
  const tiles = Math.ceil(layout.n / lookBackTile(arrayDTypes[accumulator]));
  const isLong = tiles >= MIN_TILES && layout.lines < 2 * facts.groups;
  const canLookBack = facts.promisesProgress && dialect.name === 'cuda';
  // A ticket is a number of 32 bits.
  return isLong && canLookBack && tiles * layout.lines < 2 ** 31 ? 'once' : 'rows';
}

/** How lines are cut: into as many chunks as the device needs to be busy. */
function wayOf(form: 'serial' | 'rows', facts: DeviceFacts, layout: ScanLayout, work: ScanWork): Way {
  const { n, lines, n0, inSteps, outSteps } = layout;
  const isTogether = facts.packBytes === 0 && liesAcross(layout) && inSteps[1] === 1 && outSteps[1] === 1;
  const block = form === 'serial' && isTogether && n0 >= BLOCK / 2 ? BLOCK : 1;
  if (form === 'rows') {
    const tile = SCAN_THREADS * itemsOf(arrayDTypes[work.accumulator]);
    const tiles = Math.ceil(n / tile);
    const wanted = tiles < MIN_TILES ? 1 : Math.min(tiles, MAX_CHUNKS, Math.ceil((4 * facts.groups) / lines));
    const chunkTiles = Math.ceil(tiles / wanted);
    return wanted <= 1
      ? { form, chunks: 1, chunkLength: n, block }
      : { form, chunks: Math.ceil(tiles / chunkTiles), chunkLength: chunkTiles * tile, block };
  }
  const rows = (lines / n0) * Math.ceil(n0 / block);
  const threads = facts.packBytes === 0 ? facts.groups : facts.groups * SCAN_THREADS;
  const least = facts.packBytes === 0 ? MIN_CHUNK * 8 : 64;
  const most = facts.packBytes === 0 ? MAX_CHUNKS : 4 * MAX_CHUNKS;
  const wanted = Math.min(most, Math.floor(threads / rows), Math.floor(n / least));
  if (wanted <= 1) return { form, chunks: 1, chunkLength: n, block };
  const chunkLength = Math.ceil(n / wanted);
  return { form, chunks: Math.ceil(n / chunkLength), chunkLength, block };
}

const scans = new Map<string, Scan>();

/** The scan of elements of given dtypes: the same for the same ones. */
export function scanOf(work: ScanWork): Scan {
  const key = keyOf(work);
  let scan = scans.get(key);
  if (scan === undefined) scans.set(key, (scan = new Scan(work)));
  return scan;
}

function keyOf({ operation, input, accumulator, output }: ScanWork): string {
  const { name, isExclusive = false, preamble = '' } = operation;
  return [name, input, accumulator, output, isExclusive, preamble].join(' ');
}
