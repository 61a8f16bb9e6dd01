import { empty } from '../apply.ts';
import type { Engine, Lane, LaunchArgument } from '../engine.ts';
import { kernelFor } from '../kernel-cache.ts';
import { memoryOf, type NDArray } from '../ndarray.ts';
import { flipOf, keyFormOf, keyStorage } from './key.ts';
import { hasShuffles } from '../shuffles.ts';
import { localTile } from './local-sort.ts';
import { radixSort } from './radix-sort.ts';
import { lineRounds, mergeRows, rowsOfTile, sortRows } from './row-kernel.ts';
import type { SortTask } from './task.ts';
import { SORT_THREADS, workName, type Payload, type SortWork } from './work.ts';

/** Counts of a line beyond this need 64 bits: two of 32 say how far a tile is. */
const NARROW_COUNT = 2 ** 30;
/** Keys of a line that a thread sorts by merging. */
const MERGE_LENGTH = 1024;

/**
 * Sort keys along lines, and what goes along with them. The order is stable; NaN is last.
 *
 * Short lines are sorted by a group, or by a thread where threads run one after another; all others digit by digit, those of an
 * array at once.
 */
export function sortLines(engine: Engine, lane: Lane, task: SortTask): void {
  const { keys, n, values } = task;
  if (keys.size === 0) return;
  const { facts } = engine;
  const payload: Payload = values === undefined ? 'none' : values === 'index' ? 'index' : (values.itemsize as Payload);
  const work: SortWork = { form: keyFormOf(keys.dtype), payload, wide: n >= NARROW_COUNT };
  if (facts.packBytes === 0) {
    if (n <= MERGE_LENGTH) mergeLines(engine, lane, task, work);
    else radixSort(engine, lane, task, work, 'chunks');
    return;
  }
  if (n <= localTile(work.form)) {
    sortShort(engine, lane, task, work);
    return;
  }
  const canLookBack = facts.promisesProgress && hasShuffles(engine);
  radixSort(engine, lane, task, work, canLookBack ? 'sweep' : 'tiles');
}

function sortShort(engine: Engine, lane: Lane, task: SortTask, work: SortWork): void {
  const rows = rowsOfTile(work, task.n);
  const lines = task.keys.size / task.n;
  const shuffles = hasShuffles(engine);
  const hasValues = work.payload !== 'none';
  const text: SortWork = hasValues ? work : { ...work, payload: 'index' };
  const kernel = kernelFor(engine, `${workName('rows', text)} ${shuffles}`, () => sortRows(text, shuffles));
  using unused = hasValues ? undefined : empty(engine, [1], 'i64', lane);
  const whole = hasValues ? task : { ...task, valuesOut: unused };
  withKeysOut(engine, lane, task, work, (keysOut) => {
    const { args, written } = lineArguments(whole, text, keysOut, [], [rows, lineRounds(rows), hasValues ? 1 : 0]);
    kernel.launch(lane, Math.ceil(lines / rows), SORT_THREADS, 1, args, written);
  });
}

function mergeLines(engine: Engine, lane: Lane, task: SortTask, work: SortWork): void {
  const { n } = task;
  const lines = task.keys.size / n;
  const groups = Math.min(lines, 4 * engine.facts.groups);
  const rows = Math.ceil(lines / groups);
  const kernel = kernelFor(engine, workName('merge_rows', work), () => mergeRows(work));
  using room = empty(engine, [groups * 2 * n], keyStorage(work.form), lane);
  using places = work.payload === 'none' ? undefined : empty(engine, [groups * 2 * n], 'u32', lane);
  withKeysOut(engine, lane, task, work, (keysOut) => {
    const { args, written } = lineArguments(task, work, keysOut, places ? [room, places] : [room], [rows]);
    kernel.launch(lane, Math.ceil(lines / rows), 1, 1, args, written);
  });
}

/** A kernel has to be passed memory for keys also where they are not kept. */
function withKeysOut(
  engine: Engine,
  lane: Lane,
  { keysOut }: SortTask,
  { form }: SortWork,
  run: (keysOut: NDArray) => void,
): void {
  if (keysOut !== undefined) {
    run(keysOut);
    return;
  }
  using unused = empty(engine, [1], keyStorage(form), lane);
  run(unused);
}

/** The arguments of a kernel over whole lines, as `lineParameters` has them. */
function lineArguments(
  { keys, n, descending, keysOut: kept, values, valuesOut }: SortTask,
  { payload }: SortWork,
  keysOut: NDArray,
  room: readonly NDArray[],
  numbers: readonly number[],
): { readonly args: LaunchArgument[]; readonly written: number } {
  const moved = payload === 'none' ? undefined : valuesOut;
  const input = payload === 'index' ? undefined : (values as NDArray | undefined);
  const outputs = [keysOut, ...(moved ? [moved] : []), ...room];
  const args: LaunchArgument[] = [...outputs, keys, ...(input ? [input] : [])].map((array) => memoryOf(array));
  args.push(keys.offset, keysOut.offset);
  if (moved) args.push(moved.offset);
  if (input) args.push(input.offset);
  args.push(n, keys.size / n, flipOf(keys.dtype, descending), kept === undefined ? 0 : 1, ...numbers);
  return { args, written: outputs.length };
}
