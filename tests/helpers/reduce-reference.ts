import type { Complex } from '../../src/array/dtype.ts';
import type { NDArray } from '../../src/array/ndarray.ts';
import type { Nested } from '../../src/array/nested.ts';
import type { PrintedElement } from '../../src/array/printable.ts';
import { MAX_RANK } from '../../src/array/shape.ts';

/** The elements of an array in row-major order. */
export function elementsOf(array: NDArray): PrintedElement[] {
  return ([array.toArray()] as unknown[]).flat(MAX_RANK) as PrintedElement[];
}

/** Reduce elements by a function of lists: what a reduction over these axes should be, nested as `toArray()` has it. */
export function reduced(
  array: NDArray,
  axes: readonly number[],
  reduce: (elements: readonly PrintedElement[]) => unknown,
): Nested {
  const { shape } = array;
  const elements = elementsOf(array);
  const kept = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const lists = new Map<string, PrintedElement[]>();
  const visit = (axis: number, index: readonly number[], at: number): void => {
    if (axis < shape.length) {
      const length = shape[axis] ?? 0;
      for (let i = 0; i < length; i++) visit(axis + 1, [...index, i], at * length + i);
      return;
    }
    const key = kept.map((each) => index[each]).join();
    const list = lists.get(key);
    if (list) list.push(elements[at] as PrintedElement);
    else lists.set(key, [elements[at] as PrintedElement]);
  };
  visit(0, [], 0);
  const build = (depth: number, index: readonly number[]): unknown => {
    const axis = kept[depth];
    if (axis === undefined) return reduce(lists.get(index.join()) ?? []);
    return Array.from({ length: shape[axis] ?? 0 }, (_, i) => build(depth + 1, [...index, i]));
  };
  return build(0, []) as Nested;
}

/** An element as a complex number. */
export function complex(element: PrintedElement): Complex {
  return typeof element === 'object' ? element : { re: Number(element), im: 0 };
}

/** The place of the first NaN, else of the first extreme. */
export function placeOf(elements: readonly PrintedElement[], sign: 1 | -1): bigint {
  let best = 0;
  for (const [i, element] of elements.entries()) {
    const [x, y] = [Number(element), Number(elements[best])];
    if (Number.isNaN(y)) break;
    if (Number.isNaN(x) || sign * x > sign * y) best = i;
  }
  return BigInt(best);
}

/** The variance of numbers. */
export function varianceOf(elements: readonly PrintedElement[], correction = 0): number {
  const mean = { re: 0, im: 0 };
  for (const element of elements.map(complex)) {
    mean.re += element.re / elements.length;
    mean.im += element.im / elements.length;
  }
  const squares = elements.map(complex).map(({ re, im }) => (re - mean.re) ** 2 + (im - mean.im) ** 2);
  return squares.reduce((sum, each) => sum + each, 0) / Math.max(elements.length - correction, 0);
}
