import { empty, withoutGaps } from '../apply.ts';
import { applied } from '../applied.ts';
import { arrayDTypes } from '../dtype.ts';
import type { LaneOptions, Lane } from '../engine.ts';
import { alongAxis } from '../function/gather.ts';
import { engineOf, viewAs, viewOf, type NDArray } from '../ndarray.ts';
import { runSelection } from '../selection.ts';
import { contiguous } from '../layout.ts';
import { sortLines } from './sort-lines.ts';

/** Lines of keys that follow each other, without gaps, of any dtype. */
export interface OrderTask {
  readonly keys: NDArray;
  readonly n: number;
  readonly descending: boolean;
  /** Where sorted keys go, where they are wanted. */
  readonly keysOut?: NDArray | undefined;
  /** Where their places go, of i64. */
  readonly placesOut?: NDArray | undefined;
  /** What the lane is called by the options that it comes from. */
  readonly lanes: LaneOptions;
}

/** Keys of one of several orders. */
interface OrderKey {
  readonly keys: NDArray;
  readonly descending: boolean;
}

/** Sort lines of keys of any dtype; complex numbers by their real parts, then by the imaginary ones. */
export function orderLines(task: OrderTask, lane: Lane): void {
  const { keys, n, descending, keysOut, placesOut, lanes } = task;
  if (keys.size === 0) return;
  const engine = engineOf(keys);
  if (arrayDTypes[keys.dtype].kind !== 'complex') {
    const values = placesOut === undefined ? undefined : 'index';
    sortLines(engine, lane, { keys, n, descending, keysOut, values, valuesOut: placesOut });
    return;
  }
  using own = placesOut === undefined ? empty(engine, [keys.size], 'i64', lane) : undefined;
  const places = placesOut ?? own;
  if (places === undefined) return;
  orderByAll([{ keys, descending }], n, places, lane, lanes);
  if (keysOut !== undefined) takeLines(keys, places, keysOut, n, lane);
}

/** The places of lines' elements by several keys, of which the last one comes first, as i64. */
export function orderByAll(
  all: readonly OrderKey[],
  n: number,
  placesOut: NDArray,
  lane: Lane,
  lanes: LaneOptions,
): void {
  if (placesOut.size === 0) return;
  const engine = engineOf(placesOut);
  const keys: OrderKey[] = [];
  const made: NDArray[] = [];
  try {
    for (const key of all) keys.push(...realKeys(key, n, lanes, made));
    let places: NDArray | undefined;
    for (const [i, { keys: each, descending }] of keys.entries()) {
      const isLast = i === keys.length - 1;
      const valuesOut = isLast ? placesOut : empty(engine, [placesOut.size], 'i64', lane);
      if (!isLast) made.push(valuesOut);
      if (places === undefined) {
        using flat = withoutGaps(each, lane);
        sortLines(engine, lane, { keys: flat, n, descending, values: 'index', valuesOut });
      } else {
        using taken = empty(engine, [placesOut.size], each.dtype, lane);
        takeLines(each, places, taken, n, lane);
        sortLines(engine, lane, { keys: taken, n, descending, values: places, valuesOut });
      }
      places = valuesOut;
    }
  } finally {
    for (const array of made) array.close();
  }
}

/**
 * A key as real ones. NumPy's order of complex numbers: those without NaN come first; then the real parts, then the imaginary ones
 * decide, each with NaN last.
 */
function realKeys({ keys, descending }: OrderKey, n: number, lanes: LaneOptions, made: NDArray[]): OrderKey[] {
  const { kind, part } = arrayDTypes[keys.dtype];
  if (kind !== 'complex') return [{ keys, descending }];
  const shape = [keys.size / n, n];
  const parts = [1, 0].map((of): OrderKey => {
    const view = viewAs(keys, part, { shape, strides: [2 * n, 2], offset: 2 * keys.offset + of });
    made.push(view);
    return { keys: view, descending };
  });
  const isNaN = applied.isnan.run([keys], lanes);
  made.push(isNaN);
  return [...parts, { keys: isNaN, descending: false }];
}

/** The elements of lines at places. */
function takeLines(from: NDArray, places: NDArray, out: NDArray, n: number, lane: Lane): void {
  const shape = [out.size / n, n];
  using lines = viewOf(from, from.isFlat ? contiguous(shape, from.offset) : from);
  using placeLines = viewOf(places, contiguous(shape, places.offset));
  using outLines = viewOf(out, contiguous(shape, out.offset));
  runSelection('get', alongAxis(lines, placeLines, shape, 1), lines, outLines, lane);
}
