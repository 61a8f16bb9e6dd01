import { contiguous, lengthAt, type Layout } from './layout.ts';
import { collapse } from './collapse.ts';
import { asList, checkRank, checkSize, listText, readLength, shapeText, sizeOf } from './shape.ts';

/**
 * The shape that the elements of another one are to have. One length may be -1: it is what the others leave.
 *
 * @throws TypeError neither an integer nor a list of them
 * @throws RangeError it has another number of elements; the message names both shapes
 */
export function readNewShape(from: readonly number[], value: unknown, what = 'shape'): number[] {
  const list = asList(value) ?? [value];
  checkRank(list.length, what);
  const shape: number[] = [];
  let open = -1;
  for (let i = 0; i < list.length; i++) {
    const isOpen = list[i] === -1 || list[i] === -1n;
    if (isOpen && open >= 0) throw new RangeError(`${what} must have at most one -1, got ${listText(value)}`);
    if (isOpen) open = i;
    shape.push(isOpen ? 1 : readLength(list[i], value, what));
  }
  checkSize(shape, what);
  const [size, rest] = [sizeOf(from), sizeOf(shape)];
  if (open < 0 && rest === size) return shape;
  if (open >= 0 && rest === 0) {
    throw new RangeError(`${what} must have no -1 beside a length of 0, which leaves it open, got ${listText(value)}`);
  }
  if (open >= 0 && size % rest === 0) return shape.with(open, size / rest);
  const asked = shapeText(open < 0 ? shape : shape.with(open, -1));
  const holds = open < 0 ? `of ${rest}` : `of a multiple of ${rest}`;
  throw new RangeError(
    `An array of shape ${shapeText(from)} has ${size} elements and cannot be reshaped to ${asked} ${holds}`,
  );
}

/**
 * The view of the same elements, in row-major order, in another shape; undefined where only a copy has them. A length may be
 * -1, as in {@link readNewShape}.
 *
 * @throws RangeError the shape has another number of elements
 */
export function reshapeView(layout: Layout, shape: number | readonly number[]): Layout | undefined {
  const target = readNewShape(layout.shape, shape);
  if (sizeOf(target) === 0) return contiguous(target, layout.offset);
  // Blocks of axes that are one axis to the memory: a new axis lies in one of them, or it has no stride.
  const blocks = collapse(layout.shape, [layout.strides], { keepOrder: true });
  const blockStrides = blocks.strides[0] ?? [];
  const strides = new Array<number>(target.length);
  let block = blocks.shape.length - 1;
  let left = blocks.shape[block] ?? 1;
  let stride = blockStrides[block] ?? 1;
  for (let axis = target.length - 1; axis >= 0; axis--) {
    const length = lengthAt(target, axis);
    if (left === 1 && length > 1) {
      block--;
      left = lengthAt(blocks.shape, block);
      stride = lengthAt(blockStrides, block);
    }
    if (left % length !== 0) return undefined;
    strides[axis] = stride;
    stride *= length;
    left /= length;
  }
  return { shape: target, strides, offset: layout.offset };
}
