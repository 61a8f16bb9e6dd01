import type { Printable, PrintedElement } from './printable.ts';

/** Elements in arrays of arrays, as deep as the rank; of rank 0 the element itself. */
export type Nested = PrintedElement | Nested[];

/** An array's elements as nested JavaScript arrays. */
export function toNested(array: Printable): Nested {
  const build = (indices: readonly number[]): Nested => {
    const length = array.shape[indices.length];
    if (length === undefined) return array.element(indices);
    return Array.from({ length }, (_, i) => build([...indices, i]));
  };
  return build([]);
}
