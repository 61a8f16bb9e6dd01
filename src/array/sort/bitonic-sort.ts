import { Callable } from '../../core/callable.ts';
import { checkOptions } from '../../core/check.ts';
import { checkEngine, checkOut, copyInto, empty } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Engine, Lane, LaneOptions, LaunchArgument } from '../engine.ts';
import { kernelFor } from '../kernel-cache.ts';
import { lengthAt, needsWide } from '../layout.ts';
import { engineOf, laneOf, memoryOf, viewOf, type NDArray } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { REAL_OR_BOOL } from '../operation/operation.ts';
import { checkKind } from '../operation/typing.ts';
import { shapeText } from '../shape.ts';
import { sharesElements } from '../sharing.ts';
import { moveaxis } from '../view.ts';
import { BITONIC_TILE, bitonicStep, bitonicTile, type BitonicWork } from './bitonic-kernel.ts';

/** The options of a {@link BitonicSort}. */
export interface BitonicSortOptions extends LaneOptions {
  /** An array of the same shape that is put into the same order: indices. */
  readonly idx?: NDArray | undefined;
  /** The axis that is sorted along, the first by default. Its length is a power of two. */
  readonly axis?: number | undefined;
}

const WHAT = 'BitonicSort';

/**
 * Sorts arrays in place, by K. E. Batcher's bitonic network: an instance is called with them. PyOpenCL's class; `sort()` has no
 * such limits.
 *
 * The sort is not stable. NaN is behind all numbers. Work is not waited for.
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const sort = new xp.BitonicSort();
 * using x = xp.array([3, 1, 4, 2]);
 * using idx = xp.arange(4);
 * sort(x, { idx });
 * ```
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class BitonicSort extends Callable {
  constructor() {
    super((x: NDArray, options?: BitonicSortOptions) => bitonicSort(x, options), WHAT);
  }
}

/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export interface BitonicSort {
  /**
   * Sort along an axis, in ascending order.
   *
   * @returns the array itself
   * @throws TypeError complex elements
   * @throws RangeError a length that is not a power of two, an `idx` of another shape
   */
  <D extends ArrayDType>(x: NDArray<D>, options?: BitonicSortOptions): NDArray<D>;
}

function bitonicSort(x: NDArray, options: BitonicSortOptions | undefined): NDArray {
  checkOpen(x, WHAT);
  if (options !== undefined) checkOptions(options, ['idx', 'axis', 'stream', 'queue'], WHAT);
  checkKind(WHAT, x.dtype, REAL_OR_BOOL);
  const engine = engineOf(x);
  checkOut(x, x.shape, engine, WHAT);
  const axis = normalizeAxis(options?.axis ?? 0, x.ndim, `${WHAT}: axis`);
  const n = lengthAt(x.shape, axis);
  if (n > 0 && !Number.isInteger(Math.log2(n))) {
    throw new RangeError(
      `${WHAT} must be given a power of two of elements along axis ${axis}, got ${n} of shape ${shapeText(x.shape)}; write sort(), or pad() first`,
    );
  }
  const idx = options?.idx;
  if (idx !== undefined) {
    checkOpen(idx, WHAT, 'idx');
    checkEngine(idx, engine, WHAT);
    checkOut(idx, idx.shape, engine, `${WHAT}: idx`);
    if (idx.shape.length !== x.ndim || idx.shape.some((length, each) => length !== x.shape[each])) {
      throw new RangeError(`${WHAT}: idx must have the shape ${shapeText(x.shape)}, got ${shapeText(idx.shape)}`);
    }
    if (sharesElements(x, idx))
      throw new RangeError(`${WHAT}: idx must have elements of its own, got those that are sorted`);
  }
  const lane = engine.laneOf(options, WHAT) ?? laneOf(x);
  if (x.size === 0 || n === 1) return x;
  inRows(engine, lane, x, axis, (keys) => {
    if (idx === undefined) sortRows(engine, lane, keys, undefined, n);
    else inRows(engine, lane, idx, axis, (indices) => sortRows(engine, lane, keys, indices, n));
  });
  return x;
}

/** Have an array's lines along an axis follow each other: the array itself, or a copy that is copied back. */
function inRows(engine: Engine, lane: Lane, array: NDArray, axis: number, run: (rows: NDArray) => void): void {
  using moved = viewOf(array, moveaxis(array, axis, -1));
  if (moved.isFlat) {
    run(moved);
    return;
  }
  using rows: NDArray = empty(engine, moved.shape, moved.dtype, lane);
  copyInto(rows, moved, lane);
  run(rows);
  copyInto(moved, rows, lane);
}

function sortRows(engine: Engine, lane: Lane, keys: NDArray, indices: NDArray | undefined, n: number): void {
  const work: BitonicWork = {
    keys: keys.dtype,
    indexBytes: indices?.itemsize,
    wide: needsWide(indices ? [keys, indices] : [keys]) || keys.size > 2 ** 30,
  };
  const threads = Math.min(engine.facts.groupSize, BITONIC_TILE / 2);
  const arrays = indices ? [keys, indices] : [keys];
  const total = keys.size;
  const key = `bitonic ${work.keys} ${work.indexBytes} ${work.wide} ${threads}`;
  const args = (...own: readonly number[]): LaunchArgument[] => {
    return [...arrays.map((array) => memoryOf(array)), ...arrays.map(({ offset }) => offset), n, total, ...own];
  };
  const tile = (first: number, last: number): void => {
    kernelFor(engine, `${key} tile`, () => bitonicTile(work, threads)) //
      .launch(lane, Math.ceil(total / BITONIC_TILE), threads, 1, args(first, last), arrays.length);
  };
  tile(2, Math.min(n, BITONIC_TILE));
  for (let size = 2 * BITONIC_TILE; size <= n; size *= 2) {
    for (let by = size / 2; by >= BITONIC_TILE; by /= 2) {
      kernelFor(engine, `${key} step`, () => bitonicStep(work, threads)) //
        .launch(lane, Math.ceil(total / 2 / threads), threads, 1, args(size, by), arrays.length);
    }
    tile(size, size);
  }
}
