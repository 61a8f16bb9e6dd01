import { empty } from '../apply.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Engine, Lane, LaunchArgument } from '../engine.ts';
import { fill } from '../function/transfer.ts';
import { kernelFor } from '../kernel-cache.ts';
import { memoryOf, viewOf, type NDArray } from '../ndarray.ts';
import { scanLayout } from '../scan/scan-layout.ts';
import { scanOperations } from '../scan/scan-operation.ts';
import { scanOf } from '../scan/scan.ts';
import { narrow } from '../view.ts';
import { DIGIT_BITS, DIGITS, digitsOf, flipOf, keyFormOf, keyStorage } from './key.ts';
import {
  CHOSEN_WORDS,
  chooseDigit,
  countChosen,
  countClasses,
  SELECT_ITEMS,
  writeClasses,
  type SelectWork,
} from './select-kernel.ts';
import { SORT_THREADS } from './work.ts';

/** Keys of a tile where a thread has one. */
const SERIAL_TILE = 32_768;

/** What is selected: of lines of keys that follow each other those up to a rank, and where they are. */
export interface SelectTask {
  /** Keys of a real dtype. */
  readonly keys: NDArray;
  /** Keys of a line, below 2^32. */
  readonly n: number;
  readonly descending: boolean;
  /** The rank of the key that comes behind all that are less, and before all that are greater. */
  readonly rank: number;
  /** How many of a line are written. */
  readonly limit: number;
  /** Where keys go; they are not kept where there is none. It shares no element with what is read. */
  readonly keysOut?: NDArray | undefined;
  /** Where the places of keys go, of i64. */
  readonly placesOut?: NDArray | undefined;
}

/** Whether a selection is quicker than a sort: lines are cut into tiles, of which each should have enough to do. */
export function suitsSelect({ facts }: Engine, lines: number, n: number): boolean {
  return n >= 16_384 && n < 2 ** 32 && lines <= 4 * facts.groups;
}

/** Divide the keys of lines: those less than the one of a rank, equal ones, the others, each class in its order. */
export function selectLines(engine: Engine, lane: Lane, task: SelectTask): void {
  const { keys, n, descending, rank, limit, keysOut, placesOut } = task;
  const isSerial = engine.facts.packBytes === 0;
  const form = keyFormOf(keys.dtype);
  const work: SelectWork = { form, threads: isSerial ? 1 : SORT_THREADS };
  const { threads } = work;
  const lines = keys.size / n;
  const tileLength = isSerial ? SERIAL_TILE : SORT_THREADS * SELECT_ITEMS;
  const tiles = Math.ceil(n / tileLength);
  const flip = flipOf(keys.dtype, descending);
  const made: NDArray[] = [];
  const make = (shape: readonly number[], dtype: ArrayDType): NDArray => {
    const array = empty(engine, shape, dtype, lane);
    made.push(array);
    return array;
  };
  const kernel = (kind: string, text: () => ReturnType<typeof countClasses>): ReturnType<typeof kernelFor> =>
    kernelFor(engine, `select ${kind} ${form} ${threads}`, text);
  try {
    const chosen = make([lines, CHOSEN_WORDS], 'u64');
    fill(chosen, 0, lane);
    using ranks = viewOf(chosen, narrow(chosen, 1, 1, 1));
    fill(ranks, rank, lane);
    const counts = make([lines, DIGITS], 'u32');
    fill(counts, 0, lane);
    // A group counts several tiles: it then adds to the line's counts.
    const most = Math.max(1, Math.floor(engine.facts.groups / lines));
    const countLength = Math.ceil(tiles / most) * tileLength;
    const countTiles = Math.ceil(n / countLength);
    for (let pass = digitsOf(form) - 1; pass >= 0; pass--) {
      const shift = pass * DIGIT_BITS;
      const args = [counts, keys, chosen].map((array): LaunchArgument => memoryOf(array));
      args.push(keys.offset, n, countTiles, countLength, shift, flip);
      kernel('count', () => countChosen(work, engine.dialect)) //
        .launch(lane, lines * countTiles, threads, 1, args, 1);
      kernel('digit', () => chooseDigit(work)) //
        .launch(lane, lines, threads, 1, [memoryOf(chosen), memoryOf(counts), shift], 2);
    }
    const classes = make([lines, tiles, 2], 'u64');
    const before = make([lines, tiles, 2], 'u64');
    const numbers = [keys.offset, n, tiles, tileLength, flip];
    kernel('classes', () => countClasses(work)) //
      .launch(lane, lines * tiles, threads, 1, [memoryOf(classes), memoryOf(keys), memoryOf(chosen), ...numbers], 1);
    const layout = scanLayout(classes, before, 1);
    const sums = scanOf({ operation: scanOperations.cumsum, input: 'u64', accumulator: 'u64', output: 'u64' });
    if (layout) sums.run(engine, lane, before, classes, layout);
    const keysTo = keysOut ?? make([1], keyStorage(form));
    const placesTo = placesOut ?? make([1], 'i64');
    const args = [keysTo, placesTo, keys, chosen, before].map((array): LaunchArgument => memoryOf(array));
    args.push(...numbers, keysTo.offset, placesTo.offset, limit, keysOut ? 1 : 0, placesOut ? 1 : 0);
    kernel('write', () => writeClasses(work)).launch(lane, lines * tiles, threads, 1, args, 2);
  } finally {
    for (const array of made) array.close();
  }
}
