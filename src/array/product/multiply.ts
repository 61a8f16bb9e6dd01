import { checkCast, checkOut, copyInto, empty } from '../apply.ts';
import { allAxes } from '../axes.ts';
import { broadcastTo } from '../broadcast.ts';
import { collapse } from '../collapse.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Engine, Lane } from '../engine.ts';
import { fill, flatOf } from '../function/transfer.ts';
import { contiguous, lengthAt, strideAt, type Layout, needsWide } from '../layout.ts';
import { memoryOf, viewOf, type NDArray } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { sharesElements } from '../sharing.ts';
import { reshapeView } from '../reshape.ts';
import { sizeOf } from '../shape.ts';
import { permute } from '../view.ts';
import { productLayout } from './product-layout.ts';
import { BATCH_AXES } from './product-text.ts';
import { productOf } from './product.ts';

/** Where and how something is computed. */
export interface Place {
  readonly engine: Engine;
  readonly lane: Lane;
  /** The dtype to compute in. */
  readonly result: ArrayDType;
}

/**
 * Write products of matrices: `[..., m, k]` and `[..., k, n]` give `[..., m, n]`, where all have the same axes of batches. None of
 * the operands may be the output.
 */
export function multiplyInto(place: Place, out: NDArray, left: NDArray, right: NDArray): void {
  const { engine, lane, result } = place;
  if (out.size === 0) return;
  if (left.size === 0) {
    fill(out, 0, lane);
    return;
  }
  const layout = productLayout(out, left, right);
  if (layout) {
    const product = productOf({ left: left.dtype, right: right.dtype, result, output: out.dtype });
    product.run(engine, lane, [memoryOf(out), memoryOf(left), memoryOf(right)], layout);
    return;
  }
  // Without gaps, all axes of batches are one.
  using flatLeft = flatOf(left);
  using flatRight = flatOf(right);
  using made = empty(engine, out.shape, out.dtype, lane);
  multiplyInto(place, made, flatLeft, flatRight);
  copyInto(out, made, lane);
}

/** Write the sums over the last axes of an array: those behind the axes of the output. */
export function sumInto(place: Place, out: NDArray, array: NDArray): void {
  const { engine, lane, result } = place;
  if (out.size === 0) return;
  if (array.size === 0) {
    fill(out, 0, lane);
    return;
  }
  const rank = out.ndim;
  const summed = collapse(array.shape.slice(rank), [array.strides.slice(rank)]);
  const kept = collapse(out.shape, [out.strides, array.strides.slice(0, rank)]);
  if (summed.shape.length > 1 || kept.shape.length > BATCH_AXES + 1) {
    using flat = flatOf(array);
    using made = empty(engine, out.shape, out.dtype, lane);
    sumInto(place, made, flat);
    copyInto(out, made, lane);
    return;
  }
  const last = kept.shape.length - 1;
  const step = (i: number): number => kept.strides[i]?.[last] ?? 0;
  const shape = kept.shape.slice(0, -1);
  const steps = kept.strides.map((each) => each.slice(0, -1));
  productOf({ left: array.dtype, right: undefined, result, output: out.dtype }).runRows(
    engine,
    lane,
    [memoryOf(out), memoryOf(array)],
    {
      rows: kept.shape[last] ?? 1,
      k: summed.shape[0] ?? 1,
      batch: { shape, size: sizeOf(shape), steps },
      outStep: step(0),
      left: [step(1), summed.strides[0]?.[0] ?? 0],
      right: [0, 0],
      at: [out.offset, array.offset, 0],
      wide: needsWide([out, array]),
    },
  );
}

/**
 * Give a function the array to write a result to: the given one, or another one that is copied where it shares memory with an
 * input, or a new one.
 *
 * @param name - the operation, for errors
 */
export function writeResult(
  { engine, lane, result }: Place,
  name: string,
  shape: readonly number[],
  given: NDArray | undefined,
  inputs: readonly NDArray[],
  write: (out: NDArray) => void,
): NDArray {
  if (given !== undefined) {
    checkArray(given, `${name}: out`);
    checkOut(given, shape, engine, name);
    checkCast(result, given.dtype, name);
    if (!inputs.some((input) => sharesElements(given, input))) {
      write(given);
      return given;
    }
  }
  const made = empty(engine, shape, given?.dtype ?? result, lane);
  let isDone = false;
  try {
    write(made);
    if (given !== undefined) copyInto(given, made, lane);
    isDone = given === undefined;
  } finally {
    if (!isDone) made.close();
  }
  return given ?? made;
}

/** The array whose axes are groups of those of another one, one after the other; a copy where no view has them. */
export function grouped(array: NDArray, groups: readonly (readonly number[])[]): NDArray {
  const layout = permute(array, groups.flat());
  const shape = groups.map((axes) => axes.reduce((size, axis) => size * lengthAt(array.shape, axis), 1));
  const view = reshapeView(layout, shape);
  if (view) return viewOf(array, view);
  using permuted = viewOf(array, layout);
  using flat = flatOf(permuted);
  return viewOf(flat, contiguous(shape, flat.offset));
}

/** The array with its axes in another order, and with new ones of length 1 where the order has -1. */
export function arranged({ shape, strides, offset }: Layout, axes: readonly number[]): Layout {
  return {
    shape: axes.map((axis) => (axis < 0 ? 1 : lengthAt(shape, axis))),
    strides: axes.map((axis) => (axis < 0 ? 0 : strideAt(strides, axis))),
    offset,
  };
}

/** The matrices of an array in the axes of batches of a product. */
export function batched(layout: Layout, batch: readonly number[]): Layout {
  return broadcastTo(layout, [...batch, ...layout.shape.slice(-2)]);
}

/** The axes but some. */
export function axesWithout(rank: number, axes: readonly number[]): number[] {
  return allAxes(rank).filter((axis) => !axes.includes(axis));
}
