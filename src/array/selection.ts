import { duplicate } from './apply.ts';
import { broadcastTo } from './broadcast.ts';
import { collapse } from './collapse.ts';
import { arrayDTypes, type ArrayDType } from './dtype.ts';
import type { Lane, LaunchArgument } from './engine.ts';
import { kernelFor } from './kernel-cache.ts';
import { indexedKernel, type IndexedAction } from './kernel/indexed.ts';
import { itemType } from './kernel/item.ts';
import { extentOf, lengthAt, NARROW, needsWide, strideAt, type Layout } from './layout.ts';
import { engineOf, memoryOf, viewOf, type NDArray } from './ndarray.ts';
import { sharesElements } from './sharing.ts';
import { rowGrid } from './row-grid.ts';
import { shapeText, sizeOf } from './shape.ts';

/** How indices out of range are read: negative ones from the end, then the nearest; the nearest; or around. */
export type IndexMode = 'end' | 'clip' | 'wrap';
const MODES: Readonly<Record<IndexMode, number>> = { end: 0, clip: 1, wrap: 2 };

/** An axis that an array of indices chooses from. */
export interface IndexedAxis {
  /** The array, and how it lies over the shape of the selection. */
  readonly array: NDArray;
  readonly layout: Layout;
  /** The axis itself. */
  readonly length: number;
  readonly stride: number;
}

/** What index arrays choose of an array. */
export interface Selection {
  readonly shape: readonly number[];
  /** The array over the shape of the selection as if every index were 0: axes of indices have stride 0. */
  readonly base: Layout;
  readonly axes: readonly IndexedAxis[];
  readonly mode: IndexMode;
}

/**
 * The selection of a view some of whose axes are indexed: the axes of the indices take their place.
 *
 * @param indexed - the arrays by the axis of the view
 * @param common - the shape that they broadcast to
 * @param place - where its axes are, among the axes that stay
 */
export function selectAxes(
  view: Layout,
  indexed: ReadonlyMap<number, NDArray>,
  common: readonly number[],
  place: number,
  mode: IndexMode,
): Selection {
  const kept = view.shape.map((_, axis) => axis).filter((axis) => !indexed.has(axis));
  const around = <T>(of: (axis: number) => T, inside: readonly T[]): T[] => [
    ...kept.slice(0, place).map(of),
    ...inside,
    ...kept.slice(place).map(of),
  ];
  const shape = around((axis) => lengthAt(view.shape, axis), common);
  const zeros = common.map(() => 0);
  const base = { shape, strides: around((axis) => strideAt(view.strides, axis), zeros), offset: view.offset };
  const axes = Array.from(indexed, ([axis, array]): IndexedAxis => {
    const { strides, offset } = broadcastTo(array, common);
    const layout = { shape, strides: around(() => 0, strides), offset };
    return { array, layout, length: lengthAt(view.shape, axis), stride: strideAt(view.strides, axis) };
  });
  return { shape, base, axes, mode };
}

/** Throw for a selection of something from an axis without elements. */
export function checkSelection({ shape, axes }: Selection, from: NDArray, what: string): void {
  if (sizeOf(shape) === 0 || axes.every(({ length }) => length > 0)) return;
  throw new RangeError(
    `${what}: an axis of length 0 has no element to choose, got indices for ${shapeText(shape)} of an array of shape ${shapeText(from.shape)}`,
  );
}

/**
 * Read, write or combine what is selected.
 *
 * @param from - the array that is selected of
 * @param other - the result of `get`, else the values, whose shape broadcasts to the selection's
 * @param dtype - of the elements for combinations: each has a kernel
 */
export function runSelection(
  action: IndexedAction,
  { shape, base, axes, mode }: Selection,
  from: NDArray,
  other: NDArray,
  lane: Lane,
  dtype: ArrayDType = itemType(from.itemsize),
): void {
  if (sizeOf(shape) === 0) return;
  const isGet = action === 'get';
  const layouts = [broadcastTo(other, shape), base, ...axes.map(({ layout }) => layout)];
  const walk = collapse(
    shape,
    layouts.map(({ strides }) => strides),
  );
  // A single element is a row of one.
  const isSingle = walk.shape.length === 0;
  const lengths = isSingle ? [1] : walk.shape;
  const strides = isSingle ? layouts.map(() => [0]) : walk.strides;
  const wide = needsWide(layouts) || reach(base, axes) > NARROW;
  const grid = rowGrid(lengths, strides, engineOf(from).facts.groupSize);
  const arrays = isGet ? [other, from] : [from, other];
  const args: LaunchArgument[] = [...arrays, ...axes.map(({ array }) => array)].map(memoryOf);
  args.push(...layouts.map(({ offset }) => offset), ...grid.numbers);
  for (const { length, stride } of axes) args.push(length, stride);
  args.push(MODES[mode]);
  const indices = axes.map(({ array }) => array.dtype);
  const rank = lengths.length;
  const key = `indexed ${action} ${dtype} ${indices.join()} ${rank} ${wide ? 'wide' : ''}`;
  const kernel = kernelFor(engineOf(from), key, () => indexedKernel({ action, dtype, indices, rank, wide }));
  kernel.launch(lane, grid.groups, grid.width, grid.height, args, 1);
}

/** The farthest place that indices lead to. */
function reach(base: Layout, axes: readonly IndexedAxis[]): number {
  const whole = {
    shape: [...base.shape, ...axes.map(({ length }) => length)],
    strides: [...base.strides, ...axes.map(({ stride }) => stride)],
    offset: base.offset,
  };
  return extentOf(whole)?.[1] ?? 0;
}

/**
 * An array of indices as kernels take it, i32 or i64: a view where it is one, else a copy. It is to be closed.
 *
 * @param written - an array that is written while the indices are read
 */
export function indicesFor(array: NDArray, lane: Lane, written?: NDArray): NDArray {
  const isPlain = array.dtype === 'i32' || array.dtype === 'i64';
  if (isPlain && !(written && sharesElements(written, array))) return viewOf(array, array);
  return duplicate(array, lane, isPlain ? array.dtype : 'i64');
}

/** Throw for an array that holds no indices. */
export function checkIndices(array: NDArray, what: string): void {
  const { kind } = arrayDTypes[array.dtype];
  if (kind === 'int' || kind === 'uint') return;
  const advice = kind === 'bool' ? '; for a mask write at(), compress() or nonzero()' : '; write astype()';
  throw new TypeError(`${what} must be an array of integers, got ${array.dtype}${advice}`);
}
