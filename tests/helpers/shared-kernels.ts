import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** A file of kernels/, such as `cuda/sgemm.cu`. */
export function kernelSource(file: string): string {
  return readFileSync(join(root, 'kernels', file), 'utf8');
}

/** `count` numbers of -0.5 to 0.5 that look random and are the same every time. */
export function noise(count: number, seed = 1): Float32Array<ArrayBuffer> {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

/** `count` bodies of (x, y, z, mass), the masses from 0.5 to 1. */
export function someBodies(count: number): Float32Array<ArrayBuffer> {
  return noise(4 * count, 7).map((x, i) => (i % 4 === 3 ? x / 2 + 0.75 : x));
}

/** What the kernels compute, one number after the other. */
export function sumOf(from: Float32Array): number {
  let sum = 0;
  for (const x of from) sum += x;
  return sum;
}

export function transposed(from: Float32Array, rows: number, columns: number): Float32Array {
  return from.map((_, i) => from[(i % rows) * columns + Math.floor(i / rows)] ?? NaN);
}

export function product(a: Float32Array, b: Float32Array, rows: number, inner: number, columns: number): Float64Array {
  const c = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < inner; k++) {
      const factor = a[row * inner + k] ?? NaN;
      for (let column = 0; column < columns; column++) {
        const at = row * columns + column;
        c[at] = (c[at] ?? NaN) + factor * (b[k * columns + column] ?? NaN);
      }
    }
  }
  return c;
}

/** The pull of all bodies at each: (x, y, z, 0). */
export function pullsOf(bodies: Float32Array, softening: number): Float64Array {
  const count = bodies.length / 4;
  const pulls = new Float64Array(bodies.length);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) {
      const apart = [0, 1, 2].map((axis) => (bodies[4 * j + axis] ?? NaN) - (bodies[4 * i + axis] ?? NaN));
      const weight = (bodies[4 * j + 3] ?? NaN) / Math.hypot(softening, ...apart) ** 3;
      for (const [axis, x] of apart.entries()) pulls[4 * i + axis] = (pulls[4 * i + axis] ?? NaN) + x * weight;
    }
  }
  return pulls;
}

/** The largest difference of two arrays of one length. */
export function worstOf(found: Float32Array, wanted: ArrayLike<number>): number {
  if (found.length !== wanted.length) return NaN;
  return found.reduce((worst, x, i) => Math.max(worst, Math.abs(x - (wanted[i] ?? NaN))), 0);
}
