import { empty } from '../apply.ts';
import type { ArrayDType } from '../dtype.ts';
import type { DeviceFacts, Engine, Lane, LaunchArgument } from '../engine.ts';
import { fill } from '../function/transfer.ts';
import { kernelFor } from '../kernel-cache.ts';
import type { KernelText } from '../kernel/source.ts';
import { contiguous } from '../layout.ts';
import { memoryOf, viewOf, type NDArray } from '../ndarray.ts';
import { scanLayout } from '../scan/scan-layout.ts';
import { scanOperations } from '../scan/scan-operation.ts';
import { scanOf } from '../scan/scan.ts';
import { narrow } from '../view.ts';
import { countDigits, scatterChunks } from './chunk-kernel.ts';
import { DIGITS, digitsOf, flipOf, keyStorage } from './key.ts';
import { hasShuffles } from '../shuffles.ts';
import { localTile } from './local-sort.ts';
import { countChunks, countGroups, COUNT_TILE, planGroups, planLines } from './plan-kernel.ts';
import { SWEEP_THREADS, sweepPass, sweepState, sweepTile } from './sweep-kernel.ts';
import type { SortTask } from './task.ts';
import { countTiles, scatterTiles } from './tile-kernel.ts';
import { countType, movedType, planWords, SORT_THREADS, workName, type SortWork } from './work.ts';

/** Keys of a chunk for which it is worthwhile to have one. */
const MIN_CHUNK = 16_384;
/** A task's memories and numbers, as passes take them. */
interface Passes {
  readonly engine: Engine;
  readonly lane: Lane;
  readonly task: SortTask;
  readonly work: SortWork;
  readonly lines: number;
  readonly plan: NDArray;
  readonly keysOut: NDArray;
  readonly keysTmp: NDArray;
  readonly valuesTmp: NDArray | undefined;
  readonly flip: number | bigint;
}

/** How the passes of a sort are computed: by chunks of threads, by tiles that look back, by tiles that wait for nobody. */
export type RadixForm = 'chunks' | 'sweep' | 'tiles';

/** Sort the keys of a task digit by digit, from the last one on. */
export function radixSort(engine: Engine, lane: Lane, task: SortTask, work: SortWork, form: RadixForm): void {
  const { keys, n, descending } = task;
  const lines = keys.size / n;
  const moved = movedType(work);
  const made: NDArray[] = [];
  const make = (size: number, dtype: ArrayDType): NDArray => {
    const array = empty(engine, [size], dtype, lane);
    made.push(array);
    return array;
  };
  try {
    const storage = keyStorage(work.form);
    const passes: Passes = {
      engine,
      lane,
      task,
      work,
      lines,
      plan: make(lines * planWords(work.form), countType(work)),
      keysOut: task.keysOut ?? make(keys.size, storage),
      keysTmp: make(keys.size, storage),
      valuesTmp: moved && make(keys.size, moved),
      flip: flipOf(keys.dtype, descending),
    };
    makePlan(passes, form === 'chunks');
    if (form === 'chunks') runChunks(passes, make);
    else if (form === 'sweep') runSweeps(passes, make);
    else runTiles(passes, make);
  } finally {
    for (const array of made) array.close();
  }
}

/** A kernel of a work, which is made of it and of the dialect. */
function kernelOf({ engine, work }: Passes, kind: string, make: () => KernelText): ReturnType<typeof kernelFor> {
  return kernelFor(engine, workName(kind, work), make);
}

/** Chunks of lines, so that the device is busy. */
function chunksOf(facts: DeviceFacts, lines: number, n: number): { readonly chunks: number; readonly length: number } {
  const isSerial = facts.packBytes === 0;
  const least = isSerial ? MIN_CHUNK : COUNT_TILE;
  const most = isSerial ? Math.floor(n / least) : Math.ceil(n / least);
  const wanted = Math.max(1, Math.min(most, Math.floor(facts.groups / lines)));
  const length = isSerial ? Math.ceil(n / wanted) : Math.ceil(n / wanted / least) * least;
  return { chunks: Math.ceil(n / length), length };
}

function makePlan(passes: Passes, isSerial: boolean): void {
  const { engine, lane, task, work, lines, plan, flip } = passes;
  const { keys, n } = task;
  // Counts do not know of payloads.
  const counting = { ...passes, work: { ...work, payload: 'none' } as const };
  const { chunks, length } = chunksOf(engine.facts, lines, n);
  fill(plan, 0, lane);
  const args = [memoryOf(plan), memoryOf(keys), keys.offset, n, chunks, length, flip];
  const planArgs = [memoryOf(plan), n, lines];
  if (isSerial) {
    kernelOf(counting, 'count_chunks', () => countChunks(counting.work)).launch(lane, lines * chunks, 1, 1, args, 1);
    const width = Math.max(1, Math.min(16, Math.floor(lines / engine.facts.groups)));
    kernelOf(counting, 'plan_lines', () => planLines(counting.work)) //
      .launch(lane, Math.ceil(lines / width), width, 1, planArgs, 1);
    return;
  }
  kernelOf(counting, 'count', () => countGroups(counting.work, engine.dialect)) //
    .launch(lane, lines * chunks, SORT_THREADS, 1, args, 1);
  kernelOf(counting, 'plan', () => planGroups(counting.work)).launch(lane, lines, DIGITS, 1, planArgs, 1);
}

/** The arguments of a pass, as `passParameters` has them. */
function passArguments(
  { task, work, plan, keysOut, keysTmp, valuesTmp, flip }: Passes,
  pass: number,
  own: { readonly outputs?: readonly NDArray[]; readonly inputs?: readonly NDArray[]; readonly numbers: number[] },
): { readonly args: LaunchArgument[]; readonly written: number } {
  const { keys, n, values, valuesOut } = task;
  const hasValues = work.payload !== 'none';
  const input = hasValues && values !== 'index' ? values : undefined;
  const outputs = [keysOut, keysTmp, ...(hasValues ? [valuesOut, valuesTmp] : []), ...(own.outputs ?? [])];
  const inputs = [keys, ...(input ? [input] : []), plan, ...(own.inputs ?? [])];
  const args: LaunchArgument[] = [...outputs, ...inputs].map((array) => memoryOf(array as NDArray));
  args.push(keys.offset, keysOut.offset);
  if (hasValues) args.push((valuesOut as NDArray).offset);
  if (input) args.push(input.offset);
  args.push(n, pass, flip, task.keysOut === undefined ? 0 : 1, ...own.numbers);
  return { args, written: outputs.length };
}

/** On processors: a thread for each chunk. */
function runChunks(passes: Passes, make: (size: number, dtype: ArrayDType) => NDArray): void {
  const { engine, lane, task, work, lines, plan } = passes;
  const { chunks, length } = chunksOf(engine.facts, lines, task.n);
  const counts = chunks > 1 ? make(lines * chunks * DIGITS, countType(work)) : plan;
  const counting = { ...passes, work: { ...work, payload: 'none' } as const };
  const numbers = [chunks, length];
  for (let pass = 0; pass < digitsOf(work.form); pass++) {
    if (chunks > 1) {
      const { args, written } = passArguments(counting, pass, { outputs: [counts], numbers });
      kernelOf(counting, 'count_digits', () => countDigits(work)).launch(lane, lines * chunks, 1, 1, args, written);
    }
    const { args, written } = passArguments(passes, pass, { inputs: [counts], numbers });
    kernelOf(passes, 'scatter', () => scatterChunks(work)).launch(lane, lines * chunks, 1, 1, args, written);
  }
}

/** On GPUs whose groups go on while others wait: a group for each tile, which looks back. */
function runSweeps(passes: Passes, make: (size: number, dtype: ArrayDType) => NDArray): void {
  const { lane, task, work, lines } = passes;
  const tiles = Math.ceil(task.n / sweepTile(work));
  const words = sweepState(tiles * lines);
  const state = make(2 * words, countType(work));
  using first = viewOf(state, narrow(state, 0, 0, words));
  fill(first, 0, lane);
  const kernel = kernelOf(passes, 'sweep', () => sweepPass(work));
  for (let pass = 0; pass < digitsOf(work.form); pass++) {
    const { args, written } = passArguments(passes, pass, { outputs: [state], numbers: [tiles] });
    kernel.launch(lane, tiles * lines, SWEEP_THREADS, 1, args, written);
  }
}

/** On other GPUs: tiles are counted, then put in order. */
function runTiles(passes: Passes, make: (size: number, dtype: ArrayDType) => NDArray): void {
  const { engine, lane, task, work, lines } = passes;
  const tiles = Math.ceil(task.n / localTile(work.form));
  const count = countType(work);
  const counts = make(lines * tiles * DIGITS, count);
  const before = make(lines * tiles * DIGITS, count);
  const shape = [lines, tiles, DIGITS];
  using countRows = viewOf(counts, contiguous(shape));
  using sumRows = viewOf(before, contiguous(shape));
  const sums = scanOf({ operation: scanOperations.cumsum, input: count, accumulator: count, output: count });
  const layout = scanLayout(countRows, sumRows, 1);
  const shuffles = hasShuffles(engine);
  const counting = { ...passes, work: { ...work, payload: 'none' } as const };
  for (let pass = 0; pass < digitsOf(work.form); pass++) {
    if (layout && tiles > 1) {
      const { args, written } = passArguments(counting, pass, { outputs: [counts], numbers: [tiles] });
      kernelOf(counting, 'count_tiles', () => countTiles(work, engine.dialect)) //
        .launch(lane, tiles * lines, SORT_THREADS, 1, args, written);
      sums.run(engine, lane, sumRows, countRows, layout);
    }
    const { args, written } = passArguments(passes, pass, { inputs: [before], numbers: [tiles] });
    kernelOf(passes, `scatter_tiles ${shuffles}`, () => scatterTiles(work, shuffles)) //
      .launch(lane, tiles * lines, SORT_THREADS, 1, args, written);
  }
}
