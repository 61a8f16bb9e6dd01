import type { Jit } from '../../src/jit/jit.ts';

// Programs of their own import this file, after tools have changed it: it imports nothing but types.

/** What a kernel is launched with: the arrays, of which the last is the result, and the shape of the launch. */
export interface KernelSetting {
  readonly arrays: readonly (Float32Array | Int32Array)[];
  readonly shapes: readonly (readonly number[])[];
  readonly grid: readonly number[];
  readonly block: readonly number[];
}

/** A kernel in TypeScript, for any half, and what it is launched with. */
export interface KernelCase {
  readonly title: string;
  readonly setting: KernelSetting;
  readonly kernel: (names: { readonly jit: Jit }) => object;
}

/** A row of 128 threads. */
export const line = { grid: [2], block: [64] } as const;

/** Floats that no rounding leaves alone, the same in each runtime: their sines differ. */
export function points(length: number, seed = 1): Float32Array {
  return Float32Array.from({ length }, (_, i) => Math.imul(i + 1 + 977 * seed, 0x9e3779b1) / 21474836.48);
}
