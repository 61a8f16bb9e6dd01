import type * as Float16 from '@petamoriken/float16';
import { getBfloat16, setBfloat16 } from './bfloat16.ts';
import { nameOf } from './check.ts';
import { requireModule } from './require-module.ts';

// Loaded when a half is read or written: most programs have none, and start sooner.
let float16: typeof Float16 | undefined;
function halves(): typeof Float16 {
  float16 ??= requireModule(import.meta.url, '@petamoriken/float16') as typeof Float16;
  return float16;
}

/** The typed array that holds each dtype. Half floats and bfloat16 travel as their bits. */
export interface DTypes {
  i8: Int8Array<ArrayBuffer>;
  u8: Uint8Array<ArrayBuffer>;
  i16: Int16Array<ArrayBuffer>;
  u16: Uint16Array<ArrayBuffer>;
  i32: Int32Array<ArrayBuffer>;
  u32: Uint32Array<ArrayBuffer>;
  i64: BigInt64Array<ArrayBuffer>;
  u64: BigUint64Array<ArrayBuffer>;
  f16: Uint16Array<ArrayBuffer>;
  bf16: Uint16Array<ArrayBuffer>;
  f32: Float32Array<ArrayBuffer>;
  f64: Float64Array<ArrayBuffer>;
}

/** The name of an element type: `'f32'`, `'i64'`. */
export type DType = keyof DTypes;

/** What one element is in JavaScript. */
export type Element = number | bigint;

/** How one dtype is checked and written. */
export interface DTypeInfo {
  readonly name: DType;
  /** Bytes of one element. */
  readonly size: number;
  readonly kind: 'int' | 'float';
  readonly signed: boolean;
  /** The C spelling in errors. */
  readonly c: string;
  /** The array class over it. */
  readonly array: new (buffer: ArrayBuffer, byteOffset?: number, length?: number) => ArrayBufferView;
  /** Throw unless the value fits; return it as it will be written. */
  readonly check: (value: unknown, what: string) => Element;
  readonly write: (view: DataView, byteOffset: number, value: Element) => void;
  readonly read: (view: DataView, byteOffset: number) => Element;
}

function int(name: DType, size: 1 | 2 | 4, signed: boolean, c: string, array: DTypeInfo['array']): DTypeInfo {
  const bits = size * 8;
  const min = signed ? -(2 ** (bits - 1)) : 0;
  const max = 2 ** (signed ? bits - 1 : bits) - 1;
  const suffix = `${signed ? 'Int' : 'Uint'}${bits}` as 'Int16';
  const setter = `set${suffix}` as const;
  const getter = `get${suffix}` as const;
  return {
    name,
    size,
    kind: 'int',
    signed,
    c,
    array,
    check: (value, what) => checkInt(value, what, c, min, max),
    write: (view, at, value) => {
      view[setter](at, value as number, true);
    },
    read: (view, at) => view[getter](at, true),
  };
}

function checkInt(value: unknown, what: string, c: string, min: number, max: number): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number') throw new TypeError(`${what} is ${c}: it takes an integer, got ${nameOf(value)}`);
  if (!Number.isInteger(number)) throw new RangeError(`${what} is ${c}: ${String(value)} is not an integer`);
  if (number < min || number > max)
    throw new RangeError(`${what} is ${c}: ${String(value)} is not in ${min} to ${max}`);
  return number;
}

function wide(name: DType, signed: boolean, c: string, array: DTypeInfo['array']): DTypeInfo {
  const min = signed ? -(1n << 63n) : 0n;
  const max = (signed ? 1n << 63n : 1n << 64n) - 1n;
  return {
    name,
    size: 8,
    kind: 'int',
    signed,
    c,
    array,
    check: (value, what) => {
      if (typeof value === 'number') {
        if (!Number.isInteger(value)) throw new RangeError(`${what} is ${c}: ${value} is not an integer`);
        if (!Number.isSafeInteger(value))
          throw new RangeError(`${what} is ${c}: pass ${value} as a bigint, it is inexact`);
      } else if (typeof value !== 'bigint') {
        throw new TypeError(`${what} is ${c}: it takes an integer, got ${nameOf(value)}`);
      }
      const integer = BigInt(value);
      if (integer < min || integer > max)
        throw new RangeError(`${what} is ${c}: ${integer} is not in ${min} to ${max}`);
      return integer;
    },
    write: (view, at, value) => {
      if (signed) view.setBigInt64(at, BigInt(value), true);
      else view.setBigUint64(at, BigInt(value), true);
    },
    read: (view, at) => (signed ? view.getBigInt64(at, true) : view.getBigUint64(at, true)),
  };
}

function float(
  name: DType,
  size: 2 | 4 | 8,
  c: string,
  array: DTypeInfo['array'],
  write: (view: DataView, at: number, value: number) => void,
  read: (view: DataView, at: number) => number,
): DTypeInfo {
  return {
    name,
    size,
    kind: 'float',
    signed: true,
    c,
    array,
    check: (value, what) => {
      if (typeof value !== 'number') throw new TypeError(`${what} is ${c}: it takes a number, got ${nameOf(value)}`);
      return value;
    },
    write: (view, at, value) => {
      write(view, at, value as number);
    },
    read,
  };
}

/** Every dtype by name. */
export const dtypes: Readonly<Record<DType, DTypeInfo>> = {
  i8: int('i8', 1, true, 'int8', Int8Array),
  u8: int('u8', 1, false, 'uint8', Uint8Array),
  i16: int('i16', 2, true, 'int16', Int16Array),
  u16: int('u16', 2, false, 'uint16', Uint16Array),
  i32: int('i32', 4, true, 'int32', Int32Array),
  u32: int('u32', 4, false, 'uint32', Uint32Array),
  i64: wide('i64', true, 'int64', BigInt64Array),
  u64: wide('u64', false, 'uint64', BigUint64Array),
  f16: float(
    'f16',
    2,
    'float16',
    Uint16Array,
    (view, at, value) => {
      halves().setFloat16(view, at, value, true);
    },
    (view, at) => halves().getFloat16(view, at, true),
  ),
  bf16: float('bf16', 2, 'bfloat16', Uint16Array, setBfloat16, getBfloat16),
  f32: float(
    'f32',
    4,
    'float32',
    Float32Array,
    (view, at, value) => {
      view.setFloat32(at, value, true);
    },
    (view, at) => view.getFloat32(at, true),
  ),
  f64: float(
    'f64',
    8,
    'float64',
    Float64Array,
    (view, at, value) => {
      view.setFloat64(at, value, true);
    },
    (view, at) => view.getFloat64(at, true),
  ),
};

/** The class of a typed array, for functions that make one. */
export type ArrayClass<A extends ArrayBufferView> = new (
  buffer: ArrayBuffer,
  byteOffset?: number,
  length?: number,
) => A;

/** What element a made array has: a dtype's name, or a typed array's class. */
export type ElementType = DType | ArrayClass<ArrayBufferView>;

/** The array that an {@link ElementType} makes. */
export type ArrayOf<T extends ElementType> = T extends DType ? DTypes[T] : T extends ArrayClass<infer A> ? A : never;

/** The class and the element size of an {@link ElementType}. */
export function arrayClass(type: unknown, what: string): { array: DTypeInfo['array']; bytes: number } {
  if (typeof type === 'string' && Object.hasOwn(dtypes, type)) {
    const { array, size } = dtypes[type as DType];
    return { array, bytes: size };
  }
  const bytes = elementBytes(type);
  if (bytes !== undefined) return { array: type as DTypeInfo['array'], bytes };
  const names = Object.keys(dtypes).join(', ');
  throw new TypeError(`${what} must be a typed array class or one of ${names}, got ${nameOf(type)}`);
}

/** The element size of a typed array's class; undefined for anything else. */
function elementBytes(type: unknown): number | undefined {
  if (typeof type !== 'function') return undefined;
  try {
    const { BYTES_PER_ELEMENT: bytes } = type as { readonly BYTES_PER_ELEMENT?: unknown };
    return typeof bytes === 'number' ? bytes : undefined;
  } catch {
    return undefined; // a revoked proxy
  }
}
