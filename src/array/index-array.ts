import { checkEngine } from './apply.ts';
import { broadcastShapes } from './broadcast.ts';
import type { Lane } from './engine.ts';
import { ravel } from './function/shape.ts';
import { applyIndex, readKey, type IndexKey } from './index-key.ts';
import type { IndexPart } from './index-text.ts';
import { lengthAt, strideAt, type Layout } from './layout.ts';
import { engineOf, NDArray, viewOf } from './ndarray.ts';
import { indicesOfTrue } from './compact/mask.ts';
import { checkIndices, checkSelection, indicesFor, selectAxes, type Selection } from './selection.ts';
import { checkRank, shapeText } from './shape.ts';
import { Slice } from './slice.ts';
import { expandDims, narrow } from './view.ts';

/** A part of an index with arrays. */
export type ArrayPart = IndexPart | NDArray;

/** The parts of an index. */
export function readArrayKeys(keys: readonly unknown[]): ArrayPart[] {
  return keys.flatMap((key): readonly ArrayPart[] => (key instanceof NDArray ? [key] : readKey(key)));
}

/** Whether an array is a mask, not one of indices. */
export function isMask(array: NDArray): boolean {
  return array.dtype === 'bool';
}

/**
 * What an index with arrays of integers and masks chooses, as NumPy has it: the arrays broadcast, and the axes of their shape
 * take the place of theirs; where slices or new axes are between them, they come first. An integer counts as an array here.
 *
 * Host: blocks for masks.
 *
 * @param lane - where masks are counted
 * @param written - the array that the selection is written to, if it is
 * @param opened - takes what is to be closed when the selection is done with
 */
export function selectParts(
  what: string,
  x: NDArray,
  parts: readonly ArrayPart[],
  lane: Lane,
  written: NDArray | undefined,
  opened: NDArray[],
): Selection {
  for (const part of parts) {
    if (!(part instanceof NDArray)) continue;
    part.use(what);
    checkEngine(part, engineOf(x), what);
    if (!isMask(part)) checkIndices(part, `${what}: an index`);
  }
  const view = applyIndex(x, parts.flatMap(wholeAxes));
  const axes = new AxisList(what, view, lane, written, opened);
  const taken = parts.reduce<number>((sum, part) => sum + axesOf(part), 0);
  for (const part of parts) {
    if (part instanceof NDArray) axes.choose(part);
    else if (part === '...') axes.keep(x.ndim - taken);
    else if (typeof part !== 'number') axes.keep(1);
  }
  axes.keep(view.shape.length - axes.read);
  const selection = axes.finish(placeOf(parts, x.ndim - taken));
  checkRank(selection.shape.length, `${what}: the result`);
  checkSelection(selection, x, what);
  return selection;
}

/** The key of a view that leaves the axes of an array whole. */
function wholeAxes(part: ArrayPart): IndexKey[] {
  if (!(part instanceof NDArray)) return [part];
  if (isMask(part) && part.ndim === 0) return [null];
  return new Array<Slice>(isMask(part) ? part.ndim : 1).fill(new Slice());
}

/** How many axes of the array a part takes. */
function axesOf(part: ArrayPart): number {
  if (part instanceof NDArray) return isMask(part) ? part.ndim : 1;
  return part === null || part === '...' ? 0 : 1;
}

/** Before which of the axes that stay the axes of the arrays are. */
function placeOf(parts: readonly ArrayPart[], open: number): number {
  const isAdvanced = (part: ArrayPart): boolean => part instanceof NDArray || typeof part === 'number';
  const first = parts.findIndex(isAdvanced);
  const last = parts.findLastIndex(isAdvanced);
  if (!parts.slice(first, last).every(isAdvanced)) return 0;
  return parts.slice(0, first).reduce<number>((sum, part) => sum + (part === '...' ? open : 1), 0);
}

/** The axes of a view, which are kept or indexed one after the other. */
class AxisList {
  readonly #what: string;
  readonly #view: Layout;
  readonly #lane: Lane;
  readonly #written: NDArray | undefined;
  readonly #opened: NDArray[];
  readonly #shape: number[] = [];
  readonly #strides: number[] = [];
  readonly #indexed = new Map<number, NDArray>();
  /** Axes of the view that are done. */
  read = 0;

  constructor(what: string, view: Layout, lane: Lane, written: NDArray | undefined, opened: NDArray[]) {
    this.#what = what;
    this.#view = view;
    this.#lane = lane;
    this.#written = written;
    this.#opened = opened;
  }

  keep(count: number): void {
    for (let left = count; left > 0; left--, this.read++) {
      this.#shape.push(lengthAt(this.#view.shape, this.read));
      this.#strides.push(strideAt(this.#view.strides, this.read));
    }
  }

  choose(array: NDArray): void {
    if (isMask(array)) this.#chooseTrue(array);
    else {
      this.#indexed.set(this.#shape.length, this.#keepOpen(indicesFor(array, this.#lane, this.#written)));
      this.keep(1);
    }
  }

  finish(place: number): Selection {
    const common = broadcastShapes([...this.#indexed.values()].map(({ shape }) => shape));
    const layout = { shape: this.#shape, strides: this.#strides, offset: this.#view.offset };
    return selectAxes(layout, this.#indexed, common, place, 'end');
  }

  #chooseTrue(array: NDArray): void {
    const mask = this.#keepOpen(viewOf(array, array.ndim === 0 ? expandDims(array, 0) : array));
    const rank = mask.ndim;
    const lengths = this.#view.shape.slice(this.read, this.read + rank);
    const strides = this.#view.strides.slice(this.read, this.read + rank);
    checkMask(this.#what, mask.shape, lengths, this.read);
    if (
      strides.every((stride, i) => i === rank - 1 || stride === strideAt(strides, i + 1) * lengthAt(lengths, i + 1))
    ) {
      // To the memory they are one axis: its places need no division.
      const flat = this.#keepOpen(ravel(mask));
      const found = this.#keepOpen(indicesOfTrue(flat, this.#lane));
      this.#indexed.set(this.#shape.length, this.#row(found, 0));
      this.#shape.push(flat.size);
      this.#strides.push(strideAt(strides, rank - 1));
      this.read += rank;
      return;
    }
    const found = this.#keepOpen(indicesOfTrue(mask, this.#lane));
    for (let axis = 0; axis < rank; axis++) {
      this.#indexed.set(this.#shape.length, this.#row(found, axis));
      this.keep(1);
    }
  }

  #row(found: NDArray, axis: number): NDArray {
    const { shape, strides, offset } = narrow(found, 0, axis, 1);
    return this.#keepOpen(viewOf(found, { shape: shape.slice(1), strides: strides.slice(1), offset }));
  }

  #keepOpen(array: NDArray): NDArray {
    this.#opened.push(array);
    return array;
  }
}

/** Throw for a mask that has not the lengths of the axes that it is for. */
export function checkMask(what: string, mask: readonly number[], lengths: readonly number[], first: number): void {
  if (mask.length === lengths.length && mask.every((length, axis) => length === lengths[axis])) return;
  const axes = mask.length === 1 ? `axis ${first}` : `axes ${first} to ${first + mask.length - 1}`;
  throw new RangeError(`${what}: a mask must have the shape of ${axes}, ${shapeText(lengths)}, got ${shapeText(mask)}`);
}
