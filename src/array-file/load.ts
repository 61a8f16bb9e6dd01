import type { Engine, LaneOptions } from '../array/engine.ts';
import type { NDArray } from '../array/ndarray.ts';
import type { FromNpyOptions } from '../array/npy-array.ts';
import { load, loadz } from './array-file.ts';

/** Functions that read files of NumPy's. */
export interface Loading {
  /** The array of a `.npy` file. Host: blocks. */
  readonly load: (file: string | URL, options?: FromNpyOptions) => NDArray;
  /** The arrays of a `.npz` file, by name. Host: blocks. */
  readonly loadz: (file: string | URL, options?: FromNpyOptions) => Record<string, NDArray>;
}

/** The functions for one half. */
export function loadingOf(find: (options: LaneOptions | undefined) => Engine): Loading {
  return {
    load: (file, options) => load(find(options), file, options),
    loadz: (file, options) => loadz(find(options), file, options),
  };
}
