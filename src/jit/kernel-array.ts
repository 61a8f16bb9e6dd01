import type { ElementName } from '../core/element-table.ts';
import type { Known } from '../core/typed/element.ts';
import type { DTypes } from '../core/dtype.ts';
import type { NDArray } from '../array/ndarray.ts';
import type { Fields, StructLayout, StructType } from '../core/struct.ts';
import type { Scalar, VectorType } from '../core/value.ts';
import type { ElementType } from './kernel-type.ts';
import type { KernelVectors } from './kernel-vector.ts';
import type { StructArray } from './struct-array.ts';

/** How many axes an array in a kernel has. */
export type Rank = 1 | 2 | 3 | 4;

interface Lower {
  2: 1;
  3: 2;
  4: 3;
}

type ItemOf<E extends ElementType, R extends Rank> = R extends keyof Lower
  ? KernelArray<E, Lower[R]>
  : E extends 'bool'
    ? boolean
    : number;

interface Shapes {
  1: readonly [number];
  2: readonly [number, number];
  3: readonly [number, number, number];
  4: readonly [number, number, number, number];
}

type ShapeOf<R extends Rank> = Shapes[R];

/**
 * An array as a kernel sees it: an index for each axis, `a[y][x]`. All numbers are `number` here; the text that is made has each in
 * its own type.
 */
export interface KernelArray<E extends ElementType = ElementType, R extends Rank = Rank> {
  /** What it holds, for the type checker alone: no value has the property. */
  readonly '~kernel'?: readonly [E, R];
  [index: number]: ItemOf<E, R>;
  /** `for (const v of a)`: along the first axis. */
  [Symbol.iterator](): IterableIterator<ItemOf<E, R>>;
  /** Elements along the first axis. */
  readonly length: number;
  /** All elements. */
  readonly size: number;
  /** Elements along each axis. */
  readonly shape: ShapeOf<R>;
  /** How many axes there are. */
  readonly ndim: number;
}

/** An array of `bool` in a kernel. */
export type Bool<R extends Rank = 1> = KernelArray<'bool', R>;
/** An array of `i8` in a kernel. */
export type I8<R extends Rank = 1> = KernelArray<'i8', R>;
/** An array of `u8` in a kernel. */
export type U8<R extends Rank = 1> = KernelArray<'u8', R>;
/** An array of `i16` in a kernel. */
export type I16<R extends Rank = 1> = KernelArray<'i16', R>;
/** An array of `u16` in a kernel. */
export type U16<R extends Rank = 1> = KernelArray<'u16', R>;
/** An array of `i32` in a kernel. */
export type I32<R extends Rank = 1> = KernelArray<'i32', R>;
/** An array of `u32` in a kernel. */
export type U32<R extends Rank = 1> = KernelArray<'u32', R>;
/** An array of `i64` in a kernel. */
export type I64<R extends Rank = 1> = KernelArray<'i64', R>;
/** An array of `u64` in a kernel. */
export type U64<R extends Rank = 1> = KernelArray<'u64', R>;
/** An array of `f16` in a kernel, which computes with its elements as `f32`. */
export type F16<R extends Rank = 1> = KernelArray<'f16', R>;
/** An array of `bf16` in a kernel, which computes with its elements as `f32`. */
export type BF16<R extends Rank = 1> = KernelArray<'bf16', R>;
/** An array of `f32` in a kernel. */
export type F32<R extends Rank = 1> = KernelArray<'f32', R>;
/** An array of `f64` in a kernel. */
export type F64<R extends Rank = 1> = KernelArray<'f64', R>;

/** What a field of a struct is in a kernel. */
type FieldOf<T> = T extends 'bool'
  ? boolean
  : T extends VectorType
    ? KernelVectors[T['lanes'] & keyof KernelVectors]
    : T extends StructType<infer F>
      ? StructValue<F>
      : number;

/** A struct as a kernel sees it. */
export type StructValue<F extends Fields> = { -readonly [K in keyof F]: FieldOf<F[K]> };

type StructItem<F extends Fields, R extends Rank> = R extends keyof Lower ? KernelStructs<F, Lower[R]> : StructValue<F>;

/** An array of structs as a kernel sees it: `a[i].x` is a field. A struct that is given to a variable is a copy. */
export interface KernelStructs<F extends Fields = Fields, R extends Rank = 1> {
  /** What it holds, for the type checker alone: no value has the property. */
  readonly '~structs'?: readonly [F, R];
  [index: number]: StructItem<F, R>;
  /** `for (const p of a)`: copies of the structs. */
  [Symbol.iterator](): IterableIterator<StructItem<F, R>>;
  /** Structs along the first axis. */
  readonly length: number;
  /** All structs. */
  readonly size: number;
  /** Structs along each axis. */
  readonly shape: ShapeOf<R>;
  /** How many axes there are. */
  readonly ndim: number;
}

/** An array of structs in a kernel: `Structs<typeof Point>`. */
export type Structs<T extends StructLayout> = T extends StructType<infer F> ? KernelStructs<F> : never;

/** A typed array of the host, whatever buffer it is over. */
type HostArray<E extends ElementType> = E extends 'f16'
  ? ArrayBufferView & { readonly [Symbol.toStringTag]: 'Float16Array' }
  : E extends keyof DTypes
    ? DTypes[E] extends { readonly [Symbol.toStringTag]: infer Tag }
      ? ArrayBufferView & { readonly [Symbol.toStringTag]: Tag }
      : never
    : never;

/** Memory of the device that says what it holds. */
interface DeviceArray<E extends ElementName> {
  readonly '~elements': Known<E>;
}

/** What a call gives for a parameter of the kernel. */
export type ArgumentOf<T> = unknown extends T
  ? unknown
  : T extends KernelArray<infer E>
    ? NDArray<E> | HostArray<E> | DeviceArray<E>
    : T extends KernelStructs<infer F>
      ? StructArray<F>
      : T extends number
        ? number | bigint | Scalar
        : T extends boolean
          ? boolean
          : { readonly [K in keyof T]: ArgumentOf<T[K]> };

/** What a call gives for all parameters. */
export type ArgumentsOf<T extends readonly unknown[]> = { [K in keyof T]: ArgumentOf<T[K]> };
