import { nameOf } from '../core/check.ts';
import { readDType, type ArrayDType } from '../array/dtype.ts';
import type { Creation } from '../array/creation/creation.ts';
import type { LaneOptions } from '../array/engine.ts';
import type { ArrayData } from '../array/host-data.ts';
import { NDArray } from '../array/ndarray.ts';
import type { DTypeOfData } from '../array/host-elements.ts';

type Shape = number | readonly number[];

/** The options of {@link Transfers.toDevice}. */
export interface ToDeviceOptions extends LaneOptions {
  /** The shape that the elements have on the device; one axis by default. */
  readonly shape?: Shape | undefined;
}

/** Numba's names for moving arrays; the arrays are those of `rawkernel/cuda/array` and `rawkernel/opencl/array`. */
export interface Transfers {
  /**
   * A new array of the device with the elements of a typed array, or of nested lists of numbers, which are `f32`.
   *
   * Host: blocks until the data has been read.
   */
  readonly toDevice: <const T>(data: T, options?: ToDeviceOptions) => NDArray<DTypeOfData<T>>;
  /**
   * A new array of the device whose elements are not set.
   *
   * @param shape - a length, or one for each axis
   * @param dtype - `'f32'` by default; NumPy's names are known, too
   */
  readonly deviceArray: <D extends ArrayDType = 'f32'>(shape: Shape, dtype?: D, options?: LaneOptions) => NDArray<D>;
  /**
   * The elements of an array of the device, row by row. Host: blocks.
   *
   * @param out - where they go; a new typed array by default
   */
  readonly copyToHost: <D extends ArrayDType>(array: NDArray<D>, out?: ArrayData<D>) => ArrayData<D>;
}

export function transfersOf({ array, empty }: Pick<Creation, 'array' | 'empty'>): Transfers {
  return {
    toDevice: (data, { shape, ...options } = {}) => {
      const made = array(data, options as never);
      if (shape === undefined) return made;
      try {
        return made.reshape(shape);
      } finally {
        made.close();
      }
    },
    deviceArray: (shape, dtype, options = {}) =>
      empty(shape, { ...options, dtype: readDType(dtype ?? 'f32', 'deviceArray') } as never),
    copyToHost: (given, out) => {
      if (!(given instanceof NDArray))
        throw new TypeError(`copyToHost must be given an array of the device, got ${nameOf(given)}`);
      return given.get(out);
    },
  };
}
