import { sizeOf } from './shape.ts';

/** Where the elements of an array are. Strides and offset count elements, not bytes. */
export interface Layout {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

/** How an array lies in its memory. */
export interface ArrayFlags {
  /** Elements follow each other in row-major order. */
  readonly cContiguous: boolean;
  /** Elements follow each other in column-major order. */
  readonly fContiguous: boolean;
}

/** The layout of elements that follow each other in row-major order. */
export function contiguous(shape: readonly number[], offset = 0): Layout {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    // An empty axis counts as one of length 1, so that strides are never 0.
    stride *= Math.max(lengthAt(shape, axis), 1);
  }
  return { shape: [...shape], strides, offset };
}

/** Whether the elements follow each other in row-major order. */
export function isContiguous({ shape, strides }: Layout): boolean {
  let expected = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = lengthAt(shape, axis);
    if (length !== 1 && strides[axis] !== expected) return sizeOf(shape) === 0;
    expected *= length;
  }
  return true;
}

/** Whether the elements follow each other in column-major order (Fortran's). */
export function isColumnMajor({ shape, strides }: Layout): boolean {
  let expected = 1;
  for (let axis = 0; axis < shape.length; axis++) {
    const length = lengthAt(shape, axis);
    if (length !== 1 && strides[axis] !== expected) return sizeOf(shape) === 0;
    expected *= length;
  }
  return true;
}

/** The lowest and the highest offset of an element; undefined where there is none. */
export function extentOf({ shape, strides, offset }: Layout): [first: number, last: number] | undefined {
  let first = offset;
  let last = offset;
  for (let axis = 0; axis < shape.length; axis++) {
    const length = lengthAt(shape, axis);
    if (length === 0) return undefined;
    const reach = (length - 1) * strideAt(strides, axis);
    if (reach < 0) first += reach;
    else last += reach;
  }
  return [first, last];
}

/** Beyond this, places need 64 bits. */
export const NARROW = 0x7fff_ffff;

/** Whether places of some layout need 64 bits. */
export function needsWide(layouts: readonly Layout[]): boolean {
  return layouts.some((layout) => sizeOf(layout.shape) > NARROW || (extentOf(layout)?.[1] ?? 0) > NARROW);
}

/** The length of an axis that exists. */
export function lengthAt(shape: readonly number[], axis: number): number {
  return shape[axis] as number;
}

/** The stride of an axis that exists. */
export function strideAt(strides: readonly number[], axis: number): number {
  return strides[axis] as number;
}
