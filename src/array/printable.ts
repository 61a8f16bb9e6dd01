import type { ArrayDType, Complex } from './dtype.ts';
import { readPrintOptions, type PrintOptions } from './print-options.ts';
import { sizeOf } from './shape.ts';

/** One element, as JavaScript has it. */
export type PrintedElement = number | bigint | boolean | Complex;

/** What is printed: the element at each index (row-major), as JavaScript has it. */
export interface Printable {
  readonly shape: readonly number[];
  readonly dtype: ArrayDType;
  readonly element: (indices: readonly number[]) => PrintedElement;
}

/** The part of an array that is shown: all of it, or its corners. */
export interface ShownPart {
  /** The elements of the indices below, row-major. */
  readonly elements: readonly PrintedElement[];
  readonly axes: readonly ShownAxis[];
}

/** What is shown of one axis. */
export interface ShownAxis {
  readonly indices: readonly number[];
  /** How many of the indices lie before what is left out; undefined where nothing is. */
  readonly gap: number | undefined;
}

/**
 * The indices of each axis that printing an array of a shape asks for: all, or the first and the last `edgeItems` where it is
 * summarised. An array without elements is asked for nothing.
 *
 * @throws TypeError an unknown option, or an option of the wrong kind
 * @throws RangeError an option out of range
 */
export function shownRanges(shape: readonly number[], options?: Partial<PrintOptions>): readonly (readonly number[])[] {
  return shownAxes(shape, readPrintOptions(options)).map((axis) => axis.indices);
}

/** Read what is shown of an array, each element once. */
export function readShown(array: Printable, options: PrintOptions): ShownPart {
  const axes = shownAxes(array.shape, options);
  const elements: PrintedElement[] = [];
  const indices: number[] = [];
  const read = (axis: number): void => {
    const shown = axes[axis];
    if (shown === undefined) {
      elements.push(array.element([...indices]));
      return;
    }
    for (const index of shown.indices) {
      indices[axis] = index;
      read(axis + 1);
    }
  };
  if (sizeOf(array.shape) > 0) read(0);
  return { elements, axes };
}

/** What is shown of an axis, with a sign in the place of what is not. */
export function withGap<T>(parts: readonly T[], { gap }: ShownAxis, leftOut: T): readonly T[] {
  return gap === undefined ? parts : [...parts.slice(0, gap), leftOut, ...parts.slice(gap)];
}

function shownAxes(shape: readonly number[], { threshold, edgeItems }: PrintOptions): readonly ShownAxis[] {
  const size = sizeOf(shape);
  return shape.map((length) => {
    if (size === 0) return { indices: [], gap: undefined };
    if (size <= threshold || length <= 2 * edgeItems) return { indices: range(0, length), gap: undefined };
    return { indices: [...range(0, edgeItems), ...range(length - edgeItems, length)], gap: edgeItems };
  });
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
