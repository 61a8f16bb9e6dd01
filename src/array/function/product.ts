import { checkOptions } from '../../core/check.ts';
import { checkEngine, copyInto, empty } from '../apply.ts';
import { applied } from '../applied.ts';
import { normalizeAxis, readAxes } from '../axes.ts';
import { broadcastShapes } from '../broadcast.ts';
import { arrayDTypes, promote, type ArrayDType } from '../dtype.ts';
import { lengthAt } from '../layout.ts';
import { engineOf, laneOf, NDArray, viewOf, type OutOptions } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import type { Promote } from '../promotion.ts';
import { reshapeView } from '../reshape.ts';
import { asList, listText, shapeText } from '../shape.ts';
import { expandDims, moveaxis } from '../view.ts';
import { contractAll } from '../product/einsum.ts';
import { readSubscripts } from '../product/einsum-subscripts.ts';
import { axesWithout, batched, grouped, multiplyInto, writeResult, type Place } from '../product/multiply.ts';
import { dot1 } from './dot.ts';
import { inOneAxis } from './in-one-axis.ts';
import { lanesOf } from '../lane-options.ts';

const OPTIONS = ['out', 'stream', 'queue'];

/** The options of {@link tensordot}. */
export interface TensordotOptions extends OutOptions {
  /**
   * The axes to sum over: as many of the last ones of the first array and of the first ones of the second (2 by default), or a
   * list of axes of each.
   */
  readonly axes?: number | readonly [number | readonly number[], number | readonly number[]] | undefined;
}

/** The options of {@link vecdot}. */
export interface VecdotOptions extends OutOptions {
  /** The axis of the vectors; the last by default. */
  readonly axis?: number | undefined;
}

/**
 * The products of matrices: of the last two axes of both, along the other axes, which broadcast. A vector is a row on the left,
 * a column on the right.
 *
 * @throws RangeError shapes that do not fit; the message names both and the axes
 */
export function matmul<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  y: NDArray<E>,
  options?: OutOptions,
): NDArray<Promote<D, E>> {
  return multiplyAll(x, y, options) as never;
}

function multiplyAll(x: NDArray, y: NDArray, options: OutOptions | undefined): NDArray {
  const place = placeOf('matmul', [x, y], options, OPTIONS);
  for (const each of [x, y]) {
    if (each.ndim > 0) continue;
    throw new RangeError('matmul must be given arrays of one axis or more, got one of rank 0; write multiply()');
  }
  const isRow = x.ndim === 1;
  const isColumn = y.ndim === 1;
  using left = viewOf(x, isRow ? expandDims(x, 0) : x);
  using right = viewOf(y, isColumn ? expandDims(y, 1) : y);
  const k = lengthAt(left.shape, left.ndim - 1);
  const other = lengthAt(right.shape, right.ndim - 2);
  if (k !== other) {
    throw new RangeError(
      `matmul: shapes ${shapeText(x.shape)} and ${shapeText(y.shape)} do not fit: axis -1 of the first has ${k}, axis ${isColumn ? -1 : -2} of the second ${other}`,
    );
  }
  const batch = batchOf('matmul', x, y, left.shape.slice(0, -2), right.shape.slice(0, -2));
  const [m, n] = [lengthAt(left.shape, left.ndim - 2), lengthAt(right.shape, right.ndim - 1)];
  const shape = [...batch, ...(isRow ? [] : [m]), ...(isColumn ? [] : [n])];
  return writeResult(place, 'matmul', shape, options?.out, [x, y], (out) => {
    const rank = batch.length;
    using target = viewOf(out, expandDims(out, [...(isRow ? [rank] : []), ...(isColumn ? [rank + 1] : [])]));
    using a = viewOf(left, batched(left, batch));
    using b = viewOf(right, batched(right, batch));
    multiplyInto(place, target, a, b);
  });
}

/**
 * The products of two arrays, summed over axes of both: the result has the other axes of the first, then those of the second.
 *
 * @throws RangeError axes of different lengths; the message names both shapes
 */
export function tensordot<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  y: NDArray<E>,
  options?: TensordotOptions,
): NDArray<Promote<D, E>> {
  const axes = tensordotAxes(x, y, options?.axes ?? 2);
  return contracted('tensordot', x, y, axes, options, ['axes', ...OPTIONS]) as never;
}

/** The sums of products along the last axis of both arrays; of a number and an array their product. */
export function inner<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  y: NDArray<E>,
  options?: OutOptions,
): NDArray<Promote<D, E>> {
  checkBoth('inner', x, y);
  if (x.ndim === 0 || y.ndim === 0) return applied.multiply.run([x, y], options) as never;
  return contracted('inner', x, y, [[x.ndim - 1], [y.ndim - 1]], options, OPTIONS) as never;
}

/**
 * The product as NumPy's `dot` has it: of vectors the sum of products, of matrices the product, of more axes the sum of products
 * along the last axis of the first array and the last but one of the second.
 */
export function dot<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  y: NDArray<E>,
  options?: OutOptions,
): NDArray<Promote<D, E>> {
  checkBoth('dot', x, y);
  if (x.ndim === 0 || y.ndim === 0) return applied.multiply.run([x, y], options) as never;
  if (x.ndim === 1 && y.ndim === 1) return dot1(x, y, options);
  const axes: Axes = [[x.ndim - 1], [Math.max(y.ndim - 2, 0)]];
  return contracted('dot', x, y, axes, options, OPTIONS) as never;
}

/** The sums of products of vectors along one axis, of the first ones' conjugates; the other axes broadcast. */
export function vecdot<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  y: NDArray<E>,
  options?: VecdotOptions,
): NDArray<Promote<D, E>> {
  const place = placeOf('vecdot', [x, y], options, ['axis', ...OPTIONS]);
  const axis = options?.axis ?? -1;
  const [ofX, ofY] = [normalizeAxis(axis, x.ndim, 'vecdot: axis'), normalizeAxis(axis, y.ndim, 'vecdot: axis')];
  const [k, other] = [lengthAt(x.shape, ofX), lengthAt(y.shape, ofY)];
  if (k !== other) {
    throw new RangeError(
      `vecdot: shapes ${shapeText(x.shape)} and ${shapeText(y.shape)} do not fit: axis ${axis} of the first has ${k}, of the second ${other}`,
    );
  }
  const [rowsOfX, rowsOfY] = [moveaxis(x, ofX, -1), moveaxis(y, ofY, -1)];
  const batch = batchOf('vecdot', x, y, rowsOfX.shape.slice(0, -1), rowsOfY.shape.slice(0, -1));
  const lanes = lanesOf(options);
  const isComplex = arrayDTypes[x.dtype].kind === 'complex';
  const result = writeResult(place, 'vecdot', batch, options?.out, [x, y], (out) => {
    using first = isComplex ? applied.conj.run([x], lanes) : viewOf(x, x);
    const rank = first.ndim;
    using left = viewOf(first, expandDims(moveaxis(first, ofX, -1), rank - 1));
    using right = viewOf(y, expandDims(rowsOfY, y.ndim));
    using a = viewOf(left, batched(left, batch));
    using b = viewOf(right, batched(right, batch));
    using target = viewOf(out, expandDims(out, [batch.length, batch.length + 1]));
    multiplyInto(place, target, a, b);
  });
  return result as never;
}

/** The products of every element of one array with every element of the other, both in row-major order. */
export function outer<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  y: NDArray<E>,
  options?: OutOptions,
): NDArray<Promote<D, E>> {
  checkBoth('outer', x, y);
  using left = inOneAxis(x);
  using right = inOneAxis(y);
  using column = viewOf(left, expandDims(left, 1));
  return applied.multiply.run([column, right], options) as never;
}

/** The Kronecker product: each element of the first array times the whole second one. */
export function kron<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  y: NDArray<E>,
  options?: OutOptions,
): NDArray<Promote<D, E>> {
  const place = placeOf('kron', [x, y], options, OPTIONS);
  const rank = Math.max(x.ndim, y.ndim);
  const padded = (array: NDArray): number[] => [...new Array<number>(rank - array.ndim).fill(1), ...array.shape];
  const [ofX, ofY] = [padded(x), padded(y)];
  const shape = ofX.map((length, axis) => length * lengthAt(ofY, axis));
  const lanes = lanesOf(options);
  const pairs = (first: (axis: number) => number, second: (axis: number) => number): number[] =>
    shape.flatMap((_, axis) => [first(axis), second(axis)]);
  const one = (): number => 1;
  const result = writeResult(place, 'kron', shape, options?.out, [x, y], (out) => {
    const inPairs = (array: NDArray, to: number[]): NDArray => viewOf(array, reshapeView(array, to) ?? array);
    // Axes of length 1 are added, and axes are cut in two: all of them are views.
    using a = inPairs(
      x,
      pairs((axis) => lengthAt(ofX, axis), one),
    );
    using b = inPairs(
      y,
      pairs(one, (axis) => lengthAt(ofY, axis)),
    );
    using target = inPairs(
      out,
      pairs(
        (axis) => lengthAt(ofX, axis),
        (axis) => lengthAt(ofY, axis),
      ),
    );
    applied.multiply.run([a, b], { ...lanes, out: target });
  });
  return result as never;
}

/**
 * The products of arrays, summed over axes, in Einstein's notation: a letter for each axis of each operand, and after `->` the
 * letters of the result; without an arrow it has those that stand once, in alphabetical order. `...` stands for any axes, a letter
 * that stands twice in an operand for a diagonal. Operands are multiplied from left to right.
 *
 * @throws RangeError subscripts without meaning, or that do not fit the shapes; the message points at the letter
 */
export function einsum(subscripts: string, ...rest: readonly (NDArray | OutOptions)[]): NDArray {
  const last = rest.at(-1);
  const options = rest.length > 0 && !(last instanceof NDArray) ? last : undefined;
  const arrays = (options === undefined ? rest : rest.slice(0, -1)) as readonly NDArray[];
  if (arrays.length === 0) throw new TypeError('einsum must be given an NDArray behind the subscripts, got none');
  const place = placeOf('einsum', arrays, options, OPTIONS);
  const plan = readSubscripts(
    subscripts,
    arrays.map(({ shape }) => shape),
  );
  const shape = plan.output.map((label) => plan.lengths.get(label) as number);
  return writeResult(place, 'einsum', shape, options?.out, arrays, (out) => {
    contractAll(place, plan, arrays, out);
  });
}

type Axes = readonly [readonly number[], readonly number[]];

/** The product of two arrays, summed over axes of both. */
function contracted(
  name: string,
  x: NDArray,
  y: NDArray,
  [ofX, ofY]: Axes,
  options: OutOptions | undefined,
  allowed: readonly string[],
): NDArray {
  const place = placeOf(name, [x, y], options, allowed);
  for (const [i, axis] of ofX.entries()) {
    const other = ofY[i] as number;
    if (x.shape[axis] === y.shape[other]) continue;
    throw new RangeError(
      `${name}: shapes ${shapeText(x.shape)} and ${shapeText(y.shape)} do not fit: axis ${axis} of the first has ${x.shape[axis]}, axis ${other} of the second ${y.shape[other]}`,
    );
  }
  const [rows, columns] = [axesWithout(x.ndim, ofX), axesWithout(y.ndim, ofY)];
  const shape = [...rows.map((axis) => lengthAt(x.shape, axis)), ...columns.map((axis) => lengthAt(y.shape, axis))];
  return writeResult(place, name, shape, options?.out, [x, y], (out) => {
    using a = grouped(x, [rows, [...ofX]]);
    using b = grouped(y, [[...ofY], columns]);
    multiplyMatrix(place, out, a, b);
  });
}

/** Write a product of two matrices to an array of the same number of elements. */
function multiplyMatrix(place: Place, out: NDArray, a: NDArray, b: NDArray): void {
  const view = reshapeView(out, [lengthAt(a.shape, 0), lengthAt(b.shape, 1)]);
  if (view) {
    using target = viewOf(out, view);
    multiplyInto(place, target, a, b);
    return;
  }
  using made = empty(place.engine, out.shape, out.dtype, place.lane);
  multiplyMatrix(place, made, a, b);
  copyInto(out, made, place.lane);
}

function tensordotAxes(x: unknown, y: unknown, axes: unknown): Axes {
  checkBoth('tensordot', x, y);
  const [left, right] = [x as NDArray, y as NDArray];
  const list = asList(axes);
  if (!list) {
    if (typeof axes !== 'number' || !Number.isInteger(axes) || axes < 0) {
      throw new TypeError(`tensordot: axes must be an integer from 0, or lists of axes of both, got ${listText(axes)}`);
    }
    if (axes > Math.min(left.ndim, right.ndim)) {
      throw new RangeError(
        `tensordot: axes must be at most the rank of both, got ${axes} for shapes ${shapeText(left.shape)} and ${shapeText(right.shape)}`,
      );
    }
    const numbers = Array.from({ length: axes }, (_, i) => i);
    return [numbers.map((i) => left.ndim - axes + i), numbers];
  }
  if (list.length !== 2) throw new RangeError(`tensordot: axes must be a pair of lists, got ${listText(axes)}`);
  const ofX = readAxes(list[0], left.ndim, 'tensordot: axes of the first array');
  const ofY = readAxes(list[1], right.ndim, 'tensordot: axes of the second array');
  if (ofX.length === ofY.length) return [ofX, ofY];
  throw new RangeError(`tensordot: axes must be as many of both arrays, got ${ofX.length} and ${ofY.length}`);
}

function placeOf(
  name: string,
  arrays: readonly unknown[],
  options: OutOptions | undefined,
  allowed: readonly string[],
): Place {
  let result: ArrayDType | undefined;
  for (const [i, array] of arrays.entries()) {
    checkArray(array, `${name}: operand ${i}`);
    array.use(name);
    result = result === undefined ? array.dtype : promote(result, array.dtype);
  }
  const first = arrays[0] as NDArray;
  const engine = engineOf(first);
  for (const array of arrays) checkEngine(array as NDArray, engine, name);
  if (options !== undefined) checkOptions(options, allowed, name);
  return { engine, lane: engine.laneOf(options, name) ?? laneOf(first), result: result ?? 'f32' };
}

function checkBoth(name: string, x: unknown, y: unknown): void {
  for (const [i, array] of [x, y].entries()) {
    checkArray(array, `${name}: operand ${i}`);
    array.use(name);
  }
}

/** The axes of batches that two arrays have in common. */
function batchOf(
  name: string,
  x: { readonly shape: readonly number[] },
  y: { readonly shape: readonly number[] },
  ofX: readonly number[],
  ofY: readonly number[],
): number[] {
  try {
    return broadcastShapes([ofX, ofY]);
  } catch (cause) {
    throw new RangeError(
      `${name}: shapes ${shapeText(x.shape)} and ${shapeText(y.shape)} do not fit: their other axes, ${shapeText(ofX)} and ${shapeText(ofY)}, do not broadcast`,
      { cause },
    );
  }
}
