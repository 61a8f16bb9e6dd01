import { viewOf, type NDArray } from '../ndarray.ts';
import { reshapeView } from '../reshape.ts';
import { flatOf } from './transfer.ts';

/** All elements in row-major order, along one axis: a view where one has them, else a copy. */
export function inOneAxis(array: NDArray): NDArray {
  const view = reshapeView(array, [array.size]);
  if (view) return viewOf(array, view);
  using flat = flatOf(array);
  return viewOf(flat, { shape: [array.size], strides: [1], offset: flat.offset });
}
