import { memoryOf, type NDArray } from './ndarray.ts';
import { overlap } from './overlap.ts';

/** Whether two arrays have an element in common, or part of one: what is written to one may be read of the other. */
export function sharesElements(one: NDArray, other: NDArray): boolean {
  if (memoryOf(one) !== memoryOf(other)) return false;
  return one.itemsize !== other.itemsize || overlap(one, other) !== 'none';
}

/** The same for a kernel that writes element by element: the very element that a thread has read, it may write. */
export function mayDiffer(out: NDArray, array: NDArray): boolean {
  if (memoryOf(out) !== memoryOf(array)) return false;
  return out.itemsize !== array.itemsize || overlap(out, array) === 'maybe';
}
