import { at, setAt } from './function/at.ts';
import { astype, contiguous, copy, view } from './function/copy.ts';
import { take, takeAlongAxis } from './function/gather.ts';
import { compress, nonzero } from './function/mask.ts';
import { repeat } from './function/repeat.ts';
import { put, putAlongAxis, scatterAdd, scatterMax, scatterMin, scatterSet } from './function/scatter.ts';
import {
  broadcastTo,
  expandDims,
  flip,
  matrixTranspose,
  moveaxis,
  permuteDims,
  ravel,
  reshape,
  squeeze,
  swapaxes,
} from './function/shape.ts';
import type { NDArray } from './ndarray.ts';
import type { CompressOptions } from './method-options.ts';

/** The functions behind `ShapeMethods`; the array is the first parameter of each. */
export const shapeMethods: Readonly<Record<string, (array: NDArray, ...args: never[]) => unknown>> = {
  at,
  setAt,
  copy,
  contiguous,
  astype,
  view,
  reshape,
  ravel,
  squeeze,
  expandDims,
  permuteDims,
  transpose: permuteDims,
  moveaxis,
  swapaxes,
  flip,
  broadcastTo,
  repeat,
  take,
  takeAlongAxis,
  put,
  putAlongAxis,
  scatterSet,
  scatterAdd,
  scatterMax,
  scatterMin,
  nonzero,
  compress: (array: NDArray, condition: NDArray, options?: CompressOptions) => compress(condition, array, options),
};

/** The same for what is read without a call. */
export const shapeGetters: Readonly<Record<string, (array: NDArray) => unknown>> = {
  T: (array) => permuteDims(array),
  mT: matrixTranspose,
};
