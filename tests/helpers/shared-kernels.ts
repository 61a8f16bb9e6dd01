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
  return new Float32Array(count).map(() => {
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
  for (let row = 0; row < rows; row++) c.set(rowOfProduct(a.subarray(row * inner), b, inner, columns), row * columns);
  return c;
}

/** @param row - of the left matrix; what follows it does not matter */
export function rowOfProduct(row: Float32Array, b: Float32Array, inner: number, columns: number): Float64Array {
  const sums = new Float64Array(columns);
  for (let k = 0; k < inner; k++) {
    const factor = row[k] ?? NaN;
    const line = k * columns;
    for (let column = 0; column < columns; column++) {
      sums[column] = (sums[column] ?? NaN) + factor * (b[line + column] ?? NaN);
    }
  }
  return sums;
}

/** The pull of all bodies at each: (x, y, z, 0). */
export function pullsOf(bodies: Float32Array, softening: number): Float64Array {
  const pulls = new Float64Array(bodies.length);
  for (let i = 0; i < bodies.length / 4; i++) pulls.set(pullAt(bodies, i, softening), 4 * i);
  return pulls;
}

export function pullAt(bodies: Float32Array, i: number, softening: number): Float64Array {
  const pull = new Float64Array(4);
  for (let j = 0; j < bodies.length / 4; j++) {
    const apart = [0, 1, 2].map((axis) => (bodies[4 * j + axis] ?? NaN) - (bodies[4 * i + axis] ?? NaN));
    const weight = (bodies[4 * j + 3] ?? NaN) / Math.hypot(softening, ...apart) ** 3;
    for (const [axis, x] of apart.entries()) pull[axis] = (pull[axis] ?? NaN) + x * weight;
  }
  return pull;
}

/** The largest difference of two arrays of one length. */
export function worstOf(found: Float32Array, wanted: ArrayLike<number>): number {
  if (found.length !== wanted.length) return NaN;
  return found.reduce((worst, x, i) => Math.max(worst, Math.abs(x - (wanted[i] ?? NaN))), 0);
}
