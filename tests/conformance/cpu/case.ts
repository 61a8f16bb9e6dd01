import type { DType, DTypes } from '../../../src/core/dtype.ts';
import type { HostMemory } from '../../../src/core/host-memory.ts';
import type { KernelArgument } from '../../../src/cuda/kernel/kernel-argument.ts';
import type { DeviceAllocation } from '../../../src/cuda/memory/memory.ts';
import type { Module } from '../../../src/cuda/module/module.ts';
import type { Surface } from '../../../src/cuda/texture/surface.ts';
import type { Texture } from '../../../src/cuda/texture/texture.ts';
import type { Random } from './random.ts';

/** What a kernel reads and writes. */
export type Numbers = DTypes[DType];

/** The device buffers of a case by name, as they are before the first launch. */
export type Buffers = Readonly<Record<string, Numbers>>;

/** The textures and surfaces of a case by name. */
export type Images = Readonly<Record<string, Texture | Surface>>;

/** One launch of a case. */
export interface Launch {
  /** As `getFunction` takes it. */
  readonly kernel: string;
  readonly args: readonly KernelArgument[];
  readonly block: number | [number, number] | [number, number, number];
  readonly grid?: number | [number, number] | [number, number, number];
  readonly shared?: number;
  readonly cooperative?: boolean;
}

/** How far a result may be from the reference: any one of the bounds that are given suffices. */
export interface Tolerance {
  readonly relative?: number;
  readonly absolute?: number;
  /** Units in the last place of the buffer's own type. */
  readonly ulps?: number;
}

/** A kernel with its inputs and a reference that computes the same in another way. */
export interface Case<B extends Buffers = Buffers, I extends Images = Images> {
  readonly name: string;
  readonly source: string;
  readonly options?: readonly string[];
  /** The headers that it includes are for nvcc on a GPU, not for NVRTC. */
  readonly nvcc?: true;
  /** What it uses is in libcu++ only behind that of CUDA 13.0: it runs on the embedded device alone. */
  readonly isNew?: true;
  /** CUDA 12 has removed what it uses: on a GPU, an older NVRTC compiles it. */
  readonly isOld?: true;
  readonly nameExpressions?: readonly string[];
  /** Further sources; all are compiled to relocatable code, and linked with the device runtime. */
  readonly sources?: readonly string[];
  /** The inputs, and room for the outputs; the same in every run. */
  buffers(random: Random): B;
  /** Values of `__constant__` and `__device__` variables. */
  globals?(buffers: B): Readonly<Record<string, HostMemory>>;
  /** Closed after the last launch. */
  textures?(buffers: B, memory: { readonly [K in keyof B]: DeviceAllocation }): I;
  /** Binds texture and surface references, before the first launch. */
  references?(module: Module, buffers: B, memory: { readonly [K in keyof B]: DeviceAllocation }): void;
  launches(memory: { readonly [K in keyof B]: DeviceAllocation }, buffers: B, images: I): readonly Launch[];
  /** What the buffers hold after the last launch; those that it leaves out are not compared. */
  expected(buffers: B): { readonly [K in keyof B]?: ArrayLike<number> | ArrayLike<bigint> };
  /** For floating-point buffers; the results must be equal where there is none. */
  readonly tolerance?: Tolerance;
}

/** Check a case's types against each other, then forget them, so that cases fit into one list. */
export function kernelCase<B extends Buffers, I extends Images = Images>(one: Case<B, I>): Case {
  return one;
}

/** An element that must be there. */
export function at(array: ArrayLike<number>, i: number): number {
  const value = array[i];
  if (value === undefined) throw new RangeError(`Index ${i} of ${array.length}`);
  return value;
}

/** The numbers 0 … n - 1, or a function of them. */
export function range(n: number): number[];
export function range<T>(n: number, of: (i: number) => T): T[];
export function range<T>(n: number, of?: (i: number) => T): (T | number)[] {
  return Array.from({ length: n }, (_, i) => (of ? of(i) : i));
}

/** The sum of a function over 0 … n - 1. */
export function sum(n: number, of: (i: number) => number): number {
  let total = 0;
  for (let i = 0; i < n; i++) total += of(i);
  return total;
}
