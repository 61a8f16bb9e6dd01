import { applyIndex } from '../index-key.ts';
import { viewOf, type NDArray } from '../ndarray.ts';

/** What JavaScript asks of an array that stands where a primitive value is wanted: only its text is there without a wait. */
export function toPrimitive(array: NDArray, hint: string): string {
  if (hint === 'string') return array.toString();
  throw new TypeError(
    'An NDArray must be read to be a number or a condition: use item() or await read(); write add, less and other operations for its elements',
  );
}

/** The views along the first axis. */
export function iterate(array: NDArray): IterableIterator<NDArray> {
  array.use('Symbol.iterator');
  if (array.ndim === 0) {
    throw new TypeError('An NDArray must have an axis to be iterated over, got one of rank 0; use item()');
  }
  return views(array);
}

function* views(array: NDArray): IterableIterator<NDArray> {
  for (let i = 0; i < (array.shape[0] ?? 0); i++) yield viewOf(array, applyIndex(array, [i]));
}
