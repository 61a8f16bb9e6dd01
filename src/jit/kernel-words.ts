import type { Fields, StructType } from '../core/struct.ts';
import type { KernelArray, KernelStructs, Rank } from './kernel-array.ts';
import type { KernelVector2, KernelVector3, KernelVector4 } from './kernel-vector.ts';
import type { ScalarName } from './kernel-type.ts';
import type { Xoroshiro128p } from './random/states.ts';

/** The place of a thread or a block, or how many there are, along each axis. */
export interface KernelPlace {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The fields of a struct that hold a number. */
export type NumberField<S> = { [K in keyof S]: S[K] extends number ? K : never }[keyof S];

/** An operation on a number of an array that no other thread comes between. It returns what was there before. */
export interface KernelAtomic<Values extends readonly number[] = [value: number]> {
  /** @param index - of an array of two axes `[y, x]` */
  (array: KernelArray, index: number | readonly number[], ...values: Values): number;
  /** @param struct - an element of an array of structs, or a struct in one: `particles[i]` */
  <S extends object>(struct: S, field: NumberField<S>, ...values: Values): number;
}

/** Operations on an element that no other thread comes between. Each returns what was there before. */
export interface KernelAtomics {
  /** `array[index] += value`. The index of an array of two axes is `[y, x]`. */
  readonly add: KernelAtomic;
  /** `array[index] -= value` */
  readonly sub: KernelAtomic;
  /** The larger of the element and the value; NaN where one is NaN. */
  readonly max: KernelAtomic;
  /** The smaller of the element and the value; NaN where one is NaN. */
  readonly min: KernelAtomic;
  /** The larger of the element and the value; NaN in the element is passed over. */
  readonly nanmax: KernelAtomic;
  /** The smaller of the element and the value; NaN in the element is passed over. */
  readonly nanmin: KernelAtomic;
  /** `array[index] &= value` */
  readonly and_: KernelAtomic;
  /** `array[index] |= value` */
  readonly or_: KernelAtomic;
  /** `array[index] ^= value` */
  readonly xor: KernelAtomic;
  /** `array[index] = value` */
  readonly exch: KernelAtomic;
  /** One more, or 0 from `value` on. */
  readonly inc: KernelAtomic;
  /** One less, or `value` from 0 and from above `value`. */
  readonly dec: KernelAtomic;
  /** `value` where the element is `old`. */
  readonly cas: KernelAtomic<[old: number, value: number]>;
  /** `value` where the first element is `old`. */
  compare_and_swap(array: KernelArray, old: number, value: number): number;
}

/** The dtypes of arrays in a kernel, by our names and NumPy's. */
export type KernelDType =
  ScalarName | 'float32' | 'float64' | 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'int64' | 'uint64';

/** The axes of a shape. */
type RankOf<S> = S extends readonly [unknown, unknown, unknown, unknown]
  ? 4
  : S extends readonly [unknown, unknown, unknown]
    ? 3
    : S extends readonly [unknown, unknown]
      ? 2
      : 1;

/** All threads of a launch. */
export interface KernelGrid {
  /** Wait for all threads of the grid: what they wrote before is there behind it. */
  sync(): void;
}

/** Arrays of a block or of a thread. */
export interface KernelArrays {
  /** @param shape - constants: a length, or one for each axis */
  array<const S extends number | readonly number[]>(shape: S, dtype: KernelDType): KernelArray<'f32', RankOf<S> & Rank>;
  /** @param type - of the structs, a constant of the kernel */
  array<const S extends number | readonly number[], F extends Fields>(
    shape: S,
    type: StructType<F>,
  ): KernelStructs<F, RankOf<S> & Rank>;
}

/**
 * Random numbers of xoroshiro128+. Each call takes the next numbers of the generator whose state is at an index of an array of
 * `createXoroshiro128pStates`; threads that run at once must take different ones.
 */
export interface KernelRandom {
  /** 64 random bits, as `u64`. The lowest ones are the weakest: prefer the upper ones. */
  xoroshiro128pNext(states: Xoroshiro128p, index: number): number;
  /** A number from 0, below 1, as `f32`. */
  xoroshiro128pUniformFloat32(states: Xoroshiro128p, index: number): number;
  /** A number from 0, below 1, as `f64`. */
  xoroshiro128pUniformFloat64(states: Xoroshiro128p, index: number): number;
  /** A number of the normal distribution with mean 0 and deviation 1, as `f32`; it takes two steps of the generator. */
  xoroshiro128pNormalFloat32(states: Xoroshiro128p, index: number): number;
  /** A number of the normal distribution with mean 0 and deviation 1, as `f64`; it takes two steps of the generator. */
  xoroshiro128pNormalFloat64(states: Xoroshiro128p, index: number): number;
}

/**
 * What a kernel has besides JavaScript's `Math` and `console.log`: Numba's names. They are for functions that {@link jit} and
 * {@link device} are given; called elsewhere they throw.
 */
export interface KernelWords {
  /** The thread's place in its block. */
  readonly threadIdx: KernelPlace;
  /** The block's place in the grid. */
  readonly blockIdx: KernelPlace;
  /** Threads of a block. */
  readonly blockDim: KernelPlace;
  /** Blocks of the grid. */
  readonly gridDim: KernelPlace;
  /** The thread's place in the grid along x. */
  grid(ndim: 1): number;
  /** Along x and y. */
  grid(ndim: 2): [x: number, y: number];
  /** Along all axes. */
  grid(ndim: 3): [x: number, y: number, z: number];
  /** Threads of the grid along x. */
  gridsize(ndim: 1): number;
  /** Along x and y. */
  gridsize(ndim: 2): [x: number, y: number];
  /** Along all axes. */
  gridsize(ndim: 3): [x: number, y: number, z: number];
  /** Threads of a warp. */
  readonly warpsize: number;
  /** The thread's place in its warp. */
  readonly laneid: number;
  /** Wait for all threads of the block. */
  syncthreads(): void;
  /** Wait, and count the threads that bring a true value. CUDA alone. */
  syncthreads_count(predicate: boolean | number): number;
  /** Wait, and tell whether all bring a true value. CUDA alone. */
  syncthreads_and(predicate: boolean | number): boolean;
  /** Wait, and tell whether one brings a true value. CUDA alone. */
  syncthreads_or(predicate: boolean | number): boolean;
  /** Writes before it are seen by the device before those after it. */
  threadfence(): void;
  /** Writes before it are seen by the block before those after it. */
  threadfence_block(): void;
  /** Writes before it are seen by the host, too, before those after it. */
  threadfence_system(): void;
  /** Sleep for about so many nanoseconds. CUDA alone. */
  nanosleep(ns: number): void;
  /** Arrays of the block. A length of 0 is given by the launch: `{ shared: bytes }`. */
  readonly shared: KernelArrays;
  /** Arrays of the thread. */
  readonly local: KernelArrays;
  /** Arrays of constants: those of `{ const: … }`. */
  readonly const: {
    /** The array itself. */
    array_like<A>(array: A): A;
  };
  readonly atomic: KernelAtomics;
  /** Random numbers of generators whose states are in an array. */
  readonly random: KernelRandom;
  /** Groups of threads. */
  readonly cg: {
    /** All threads of the grid; the launch is a cooperative one, which a device has room for. CUDA alone. */
    this_grid(): KernelGrid;
  };
  /** The value of another lane of the warp. CUDA alone. */
  shfl_sync(mask: number, value: number, lane: number): number;
  /** The value of a lane before. CUDA alone. */
  shfl_up_sync(mask: number, value: number, delta: number): number;
  /** The value of a lane behind. CUDA alone. */
  shfl_down_sync(mask: number, value: number, delta: number): number;
  /** The value of the lane whose number differs in the bits of `laneMask`. CUDA alone. */
  shfl_xor_sync(mask: number, value: number, laneMask: number): number;
  /** Whether all lanes bring a true value. CUDA alone. */
  all_sync(mask: number, predicate: boolean | number): boolean;
  /** Whether one lane brings a true value. CUDA alone. */
  any_sync(mask: number, predicate: boolean | number): boolean;
  /** The lanes that bring a true value, as bits. CUDA alone. */
  ballot_sync(mask: number, predicate: boolean | number): number;
  /** The lanes that bring the same value, as bits. CUDA alone. */
  match_any_sync(mask: number, value: number): number;
  /** The lanes that run now, as bits. CUDA alone. */
  activemask(): number;
  /** The lanes before this one, as bits. CUDA alone. */
  lanemask_lt(): number;
  /** Wait for lanes of the warp. CUDA alone. */
  syncwarp(mask?: number): void;
  /** Bits that are 1. */
  popc(x: number): number;
  /** Bits that are 0 before the first 1. */
  clz(x: number): number;
  /** The place of the last 1, from 1; 0 where there is none. CUDA alone. */
  ffs(x: number): number;
  /** The bits in the other order. CUDA alone. */
  brev(x: number): number;
  /** `a * b + c`, rounded once. */
  fma(a: number, b: number, c: number): number;
  /** The cube root. */
  cbrt(x: number): number;
  /** `1 / sqrt(x)`, as near as the device has it. */
  rsqrt(x: number): number;
  /** `test ? a : b` */
  selp(test: boolean | number, a: number, b: number): number;
  /** A value as `i8`. */
  int8(x: number | boolean): number;
  /** A value as `u8`. */
  uint8(x: number | boolean): number;
  /** A value as `i16`. */
  int16(x: number | boolean): number;
  /** A value as `u16`. */
  uint16(x: number | boolean): number;
  /** A value as `i32`; a fraction is cut off. */
  int32(x: number | boolean): number;
  /** A value as `u32`. */
  uint32(x: number | boolean): number;
  /** A value as `i64`. */
  int64(x: number | bigint | boolean): number;
  /** A value as `u64`. */
  uint64(x: number | bigint | boolean): number;
  /** A value as `f32`. */
  float32(x: number | boolean): number;
  /** A value as `f64`. */
  float64(x: number | boolean): number;
  /** A value as `bool`: whether it is not 0. */
  boolean(x: number | boolean): boolean;
  float32x2(x: number, y: number): KernelVector2;
  float32x3(x: number, y: number, z: number): KernelVector3;
  float32x4(x: number, y: number, z: number, w: number): KernelVector4;
  float64x2(x: number, y: number): KernelVector2;
  float64x3(x: number, y: number, z: number): KernelVector3;
  float64x4(x: number, y: number, z: number, w: number): KernelVector4;
  int32x2(x: number, y: number): KernelVector2;
  int32x3(x: number, y: number, z: number): KernelVector3;
  int32x4(x: number, y: number, z: number, w: number): KernelVector4;
  uint32x2(x: number, y: number): KernelVector2;
  uint32x3(x: number, y: number, z: number): KernelVector3;
  uint32x4(x: number, y: number, z: number, w: number): KernelVector4;
}

/** The names as values: a program that uses one outside of a kernel is told so. */
export const kernelWords: KernelWords = words('cuda') as KernelWords;

function words(path: string): unknown {
  const refuse = (): never => {
    throw new TypeError(`${path} is for kernels: it must be inside of a function that jit() or device() is given`);
  };
  return new Proxy(refuse, {
    get: (_, name) => {
      // What looks at a value to print it asks for symbols and for these.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      return words(`${path}.${name}`);
    },
    apply: refuse,
  });
}
