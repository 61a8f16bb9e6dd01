import { at, range } from './case.ts';
import type { Random } from './random.ts';

/** Places that a kernel reads at. */
export const COUNT = 512;
/** How they are launched. */
export const SHAPE: { readonly block: number; readonly grid: number } = { block: 64, grid: COUNT / 64 };
/** A kernel that reads at each of COUNT places, `p`. */
export const at4 = (type: string, fetch: string): string => `
      __global__ void look(${type} *out, cudaTextureObject_t t, const float4 *places, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        float4 p = places[i];
        out[i] = ${fetch};
      }`;

/** Places of four numbers, of which the first ones lie around an image of this size. */
export function places(random: Random, size: readonly number[], around = 0.5): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: 4 * COUNT }, (_, i) => {
    const n = size[i % 4] ?? 0;
    // 1024ths, each half way between two weights of 256ths at most: no rounding of a coordinate decides.
    return (Math.floor(random.real(-around * n, (1 + around) * n) * 512) * 2 + 1) / 1024;
  });
}

/** What all places of a list give. */
export function all(
  list: ArrayLike<number>,
  dimensions: number,
  of: (place: readonly number[]) => readonly number[],
): number[] {
  return range(COUNT, (i) => of(range(dimensions, (axis) => at(list, 4 * i + axis)))).flat();
}

/** Directions to all sides; each tenth one to an edge of the cube, where faces meet. */
export function directions(random: Random, layers = 1): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: 4 * COUNT }, (_, i) => {
    if (i % 4 === 3) return random.integer(0, layers);
    if (Math.floor(i / 4) % 10 === 9) return i % 4 === Math.floor(i / 40) % 3 ? 0.25 : random.bits() & 1 ? 1.5 : -1.5;
    return i % 4 === Math.floor(i / 4) % 3 ? (random.bits() & 1 ? 1.5 : -1.5) : random.real(-1.4, 1.4);
  });
}
