import { nameOf } from '../core/check.ts';
import { isHostMemory } from '../core/host-memory.ts';
import { readIndexText, type IndexPart } from './index-text.ts';
import { lengthAt, strideAt, type Layout } from './layout.ts';
import { checkRank, shapeText, sizeOf } from './shape.ts';
import { Slice } from './slice.ts';

/** For `at()`: an axis of length 1 is added in this place. */
export const newaxis = null;

/**
 * What `at()` takes for a view: an index (negative from the end), a {@link Slice}, {@link newaxis}, or text in NumPy's
 * notation, of one or more of these: `'...'`, `'1:, ::2'`, `'..., None'`.
 */
export type IndexKey = number | bigint | string | Slice | null;

/**
 * The view that an index gives of a layout. Axes that the index does not reach stay whole.
 *
 * @throws TypeError a key of another kind
 * @throws RangeError an index out of range, too many of them, or a step of 0
 * @throws SyntaxError text that is no index, or more than one `'...'`
 */
export function applyIndex(layout: Layout, keys: readonly IndexKey[]): Layout {
  const parts = keys.flatMap(readKey);
  const view = new IndexedView(layout);
  view.checkParts(parts);
  for (const part of parts) view.apply(part);
  return view.finish();
}

/** The parts of one key: text has one or more. */
export function readKey(key: unknown): readonly IndexPart[] {
  if (typeof key === 'string') return readIndexText(key);
  if (key === null || key instanceof Slice) return [key];
  if (typeof key === 'number' || typeof key === 'bigint') {
    const number = Number(key) + 0;
    if (Number.isSafeInteger(number)) return [number];
    throw new RangeError(`An index must be an integer within 2^53, got ${nameOf(key)}`);
  }
  const isList = Array.isArray(key) || isHostMemory(key);
  throw new TypeError(
    `An index must be an integer, a slice(), null (a new axis), text such as '1:, ::2' or '...', or an NDArray, got ${nameOf(key)}${isList ? '; write xp.array(…, { dtype })' : ''}`,
  );
}

/** A view that is made part by part of an index. */
class IndexedView {
  readonly #layout: Layout;
  readonly #shape: number[] = [];
  readonly #strides: number[] = [];
  #offset: number;
  /** The next axis of the layout. */
  #axis = 0;
  /** How many axes `'...'` stands for. */
  #open = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#offset = layout.offset;
  }

  checkParts(parts: readonly IndexPart[]): void {
    const { shape } = this.#layout;
    const added = parts.filter((part) => part === null).length;
    const ellipses = parts.filter((part) => part === '...').length;
    const taken = parts.length - added - ellipses;
    if (ellipses > 1) throw new SyntaxError(`An index must have at most one '...', got ${ellipses}`);
    if (taken > shape.length) {
      throw new RangeError(
        `An index must have at most one part for each axis, got ${taken} for shape ${shapeText(shape)} of rank ${shape.length}`,
      );
    }
    this.#open = shape.length - taken;
    const dropped = parts.filter((part) => typeof part === 'number').length;
    checkRank(shape.length - dropped + added, 'The result of an index');
  }

  apply(part: IndexPart): void {
    if (part === null) this.#add(1, 0);
    else if (part === '...') for (let left = this.#open; left > 0; left--) this.#takeWhole();
    else if (typeof part === 'number') this.#takeIndex(part);
    else this.#takeSlice(part);
  }

  finish(): Layout {
    while (this.#axis < this.#layout.shape.length) this.#takeWhole();
    // A view without an element begins where the layout does: what would be its first element may be outside the memory.
    const offset = sizeOf(this.#shape) === 0 ? this.#layout.offset : this.#offset;
    return { shape: this.#shape, strides: this.#strides, offset };
  }

  #takeIndex(index: number): void {
    const [length, stride] = this.#next();
    if (index < -length || index >= length) {
      throw new RangeError(`index ${index} is out of range for axis ${this.#axis - 1} of length ${length}`);
    }
    this.#offset += (index < 0 ? index + length : index) * stride;
  }

  #takeSlice(slice: Slice): void {
    const [length, stride] = this.#next();
    const { start, count, step } = slice.rangeOf(length);
    this.#offset += start * stride;
    // The step over a single element may be too large to be multiplied. A sum makes 0 of -0.
    this.#add(count, count > 1 ? stride * step + 0 : stride);
  }

  #takeWhole(): void {
    this.#add(...this.#next());
  }

  #next(): [length: number, stride: number] {
    const axis = this.#axis++;
    return [lengthAt(this.#layout.shape, axis), strideAt(this.#layout.strides, axis)];
  }

  #add(length: number, stride: number): void {
    this.#shape.push(length);
    this.#strides.push(stride);
  }
}
