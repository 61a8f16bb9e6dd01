import { array } from '../../src/array/create.ts';
import type { ArrayDType } from '../../src/array/dtype.ts';
import type { Engine } from '../../src/array/engine.ts';
import type { NDArray } from '../../src/array/ndarray.ts';
import { summed } from './einsum-reference.ts';
import { randomOf } from './math-points.ts';

/** The elements in row-major order, of complex numbers their parts; -0 is 0. */
export function numbers(x: NDArray): number[] {
  return Array.from(x.get() as ArrayLike<number | bigint>, (value) => Number(value) + 0);
}

/** An array as {@link summed} has it. */
export function found(x: NDArray): { shape: readonly number[]; elements: number[] } {
  return { shape: x.shape, elements: numbers(x) };
}

/** What Einstein's notation says of arrays. */
export function expected(subscripts: string, ...arrays: readonly NDArray[]): { shape: number[]; elements: number[] } {
  return summed(
    subscripts,
    arrays.map((x) => found(x)),
  );
}

/** An array of integers from -4 to 4. */
export function integersOf(engine: Engine, shape: readonly number[], seed: number, dtype: ArrayDType = 'f32'): NDArray {
  const random = randomOf(seed);
  const size = shape.reduce((product, length) => product * length, 1);
  const data = Array.from({ length: size }, () => Math.floor(random() * 9) - 4);
  return array(engine, data, { shape, dtype });
}
