import { checkInteger, checkOptions } from '../../core/check.ts';
import { copyInto, empty } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Lane, LaneOptions } from '../engine.ts';
import {
  engineOf,
  laneOf,
  viewOf,
  type NDArray,
  type AlongAxisOptions,
  type Topk,
  type TopkOptions,
} from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { resultOf } from '../result.ts';
import { asList, listText, shapeText } from '../shape.ts';
import { alongLines } from '../sort/lines.ts';
import { orderLines } from '../sort/order.ts';
import { selectLines, suitsSelect } from '../sort/select.ts';
import { sortLines } from '../sort/sort-lines.ts';
import { narrow } from '../view.ts';
import { lanesOf } from '../lane-options.ts';
import { readFlag } from './sort.ts';

/** Selection pays where it leaves most keys out. */
const LEAST_SHARE = 4;

/**
 * The greatest elements of each line along an axis, or the least, and their places. NaN counts behind all others, as in a sort;
 * of equal elements the first ones are taken.
 *
 * Long lines are searched by digits (T. Alabi, J. D. Blanchard, B. Gordon, R. Steinbach, "Fast k-selection algorithms for graphics
 * processing units", 2012), others sorted.
 *
 * @throws RangeError more than the axis has
 */
export function topk<D extends ArrayDType>(x: NDArray<D>, k: number, options?: TopkOptions): Topk<D> {
  checkOpen(x, 'topk');
  if (options !== undefined) checkOptions(options, ['axis', 'largest', 'sorted', 'stream', 'queue'], 'topk');
  const axis = normalizeAxis(options?.axis ?? -1, x.ndim, 'topk: axis');
  const descending = readFlag(options?.largest, true, 'topk: largest');
  const isSorted = readFlag(options?.sorted, true, 'topk: sorted');
  const n = x.shape[axis] as number;
  checkInteger(k, 'topk: k', 0);
  if (k > n) {
    throw new RangeError(
      `topk: k must be at most the ${n} elements of axis ${axis} of shape ${shapeText(x.shape)}, got ${k}`,
    );
  }
  const engine = engineOf(x);
  const lane = engine.laneOf(options, 'topk') ?? laneOf(x);
  const shape = x.shape.with(axis, k);
  const values = empty(engine, shape, x.dtype, lane);
  const indices = empty(engine, shape, 'i64', lane);
  try {
    if (values.size > 0) {
      alongLines(x, [values, indices], axis, lane, (keys, ...to) => {
        const [keysOut, placesOut] = to as [NDArray, NDArray];
        firstOfLines({ keys, n, k, descending, isSorted, keysOut, placesOut, lanes: lanesOf(options) }, lane);
      });
    }
    return { values, indices };
  } catch (error) {
    values.close();
    indices.close();
    throw error;
  }
}

interface FirstTask {
  readonly keys: NDArray;
  readonly n: number;
  readonly k: number;
  readonly descending: boolean;
  readonly isSorted: boolean;
  readonly keysOut: NDArray;
  readonly placesOut: NDArray;
  readonly lanes: LaneOptions;
}

function firstOfLines(task: FirstTask, lane: Lane): void {
  const { keys, n, k, descending, isSorted, keysOut, placesOut, lanes } = task;
  const engine = engineOf(keys);
  const lines = keys.size / n;
  if (isSelected(keys, n) && k * LEAST_SHARE <= n) {
    if (!isSorted || k === 1) {
      selectLines(engine, lane, { keys, n, descending, rank: k - 1, limit: k, keysOut, placesOut });
      return;
    }
    using chosen = empty(engine, [lines, k], keys.dtype, lane);
    using places = empty(engine, [lines, k], 'i64', lane);
    const chosenTo = { keysOut: chosen, placesOut: places };
    selectLines(engine, lane, { keys, n, descending, rank: k - 1, limit: k, ...chosenTo });
    sortLines(engine, lane, { keys: chosen, n: k, descending, keysOut, values: places, valuesOut: placesOut });
    return;
  }
  using sorted = empty(engine, [lines, n], keys.dtype, lane);
  using order = empty(engine, [lines, n], 'i64', lane);
  orderLines({ keys, n, descending, keysOut: sorted, placesOut: order, lanes }, lane);
  for (const [out, from] of [
    [keysOut, sorted],
    [placesOut, order],
  ] as const) {
    using first = viewOf(from as NDArray, narrow(from, 1, 0, k));
    using target = viewOf(out, { shape: [lines, k], strides: [k, 1], offset: out.offset });
    copyInto(target, first, lane);
  }
}

/** Whether the keys of lines are divided rather than sorted. */
function isSelected(keys: NDArray, n: number): boolean {
  return arrayDTypes[keys.dtype].kind !== 'complex' && suitsSelect(engineOf(keys), keys.size / n, n);
}

/**
 * The elements of each line along an axis, so that the one at `kth` is where a sort has it, with none greater before it and none less
 * behind it.
 *
 * @param kth - a place in the axis, from its end where it is negative, or several
 */
export function partition<D extends ArrayDType>(
  x: NDArray<D>,
  kth: number | readonly number[],
  options?: AlongAxisOptions,
): NDArray<D> {
  const { axis, ranks, lanes } = readPartition('partition', x, kth, options);
  return resultOf('partition', { shape: x.shape, dtype: x.dtype, operands: [x], options }, (out, lane) => {
    alongLines(x, [out], axis, lane, (keys, keysOut) => {
      divideLines({ keys, n: x.shape[axis] as number, ranks, keysOut, lanes }, lane);
    });
  });
}

/** The places of the elements in such an order. */
export function argpartition<D extends ArrayDType>(
  x: NDArray<D>,
  kth: number | readonly number[],
  options?: AlongAxisOptions,
): NDArray<'i64'> {
  const { axis, ranks, lanes } = readPartition('argpartition', x, kth, options);
  return resultOf('argpartition', { shape: x.shape, dtype: 'i64', operands: [x], options }, (out, lane) => {
    alongLines(x, [out], axis, lane, (keys, placesOut) => {
      divideLines({ keys, n: x.shape[axis] as number, ranks, placesOut, lanes }, lane);
    });
  });
}

interface DivideTask {
  readonly keys: NDArray;
  readonly n: number;
  readonly ranks: readonly number[];
  readonly keysOut?: NDArray | undefined;
  readonly placesOut?: NDArray | undefined;
  readonly lanes: LaneOptions;
}

function divideLines({ keys, n, ranks, keysOut, placesOut, lanes }: DivideTask, lane: Lane): void {
  if (keys.size === 0) return;
  const [rank] = ranks;
  if (ranks.length === 1 && rank !== undefined && isSelected(keys, n)) {
    selectLines(engineOf(keys), lane, { keys, n, descending: false, rank, limit: n, keysOut, placesOut });
    return;
  }
  // In order, every place is as it should be.
  orderLines({ keys, n, descending: false, keysOut, placesOut, lanes }, lane);
}

function readPartition(
  name: string,
  x: NDArray,
  kth: unknown,
  options: AlongAxisOptions | undefined,
): { readonly axis: number; readonly ranks: readonly number[]; readonly lanes: LaneOptions } {
  checkOpen(x, name);
  if (options !== undefined) checkOptions(options, ['axis', 'out', 'stream', 'queue'], name);
  const axis = normalizeAxis(options?.axis ?? -1, x.ndim, `${name}: axis`);
  const n = x.shape[axis] as number;
  const ranks = Array.from(asList(kth) ?? [kth], (each) => {
    if (Number.isInteger(each) && (each as number) >= -n && (each as number) < n) {
      return (each as number) < 0 ? (each as number) + n : (each as number);
    }
    throw new (typeof each === 'number' ? RangeError : TypeError)(
      `${name}: kth must be integers in ${-n} to ${n - 1} for axis ${axis} of shape ${shapeText(x.shape)}, got ${listText(kth)}`,
    );
  });
  return { axis, ranks, lanes: lanesOf(options) };
}
