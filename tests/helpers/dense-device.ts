import { array } from '../../src/array/create.ts';
import type { ArrayDType } from '../../src/array/dtype.ts';
import type { Engine } from '../../src/array/engine.ts';
import type { NDArray } from '../../src/array/ndarray.ts';
import type { Dense } from './dense-array.ts';

/** An array of the elements of a dense one. */
export function toDevice(engine: Engine, { shape, items }: Dense, dtype: ArrayDType = 'f32'): NDArray {
  return array(engine, [...items], { dtype, shape });
}

/** What an array shows, as numbers: of complex ones the real part. */
export function fromDevice(x: { readonly shape: readonly number[]; toArray(): unknown }): Dense {
  const items = ([x.toArray()] as unknown[]).flat(Infinity).map((item) => {
    return typeof item === 'object' ? (item as { re: number }).re : Number(item);
  });
  return { shape: [...x.shape], items };
}

/** The same, of an array that is closed then. */
export function shown(x: { readonly shape: readonly number[]; toArray(): unknown; close(): void }): Dense {
  try {
    return fromDevice(x);
  } finally {
    x.close();
  }
}
