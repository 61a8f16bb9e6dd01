import type { ArrayDType } from './dtype.ts';

/** The dtypes of typed arrays. */
export interface ClassDTypes {
  Int8Array: 'i8';
  Uint8Array: 'u8';
  Uint8ClampedArray: 'u8';
  Int16Array: 'i16';
  Uint16Array: 'u16';
  Int32Array: 'i32';
  Uint32Array: 'u32';
  BigInt64Array: 'i64';
  BigUint64Array: 'u64';
  Float16Array: 'f16';
  Float32Array: 'f32';
  Float64Array: 'f64';
}

/** The dtypes of typed arrays by the names of their classes. */
export const classDTypes: Readonly<Record<string, ArrayDType>> = {
  Int8Array: 'i8',
  Uint8Array: 'u8',
  Uint8ClampedArray: 'u8',
  Int16Array: 'i16',
  Uint16Array: 'u16',
  Int32Array: 'i32',
  Uint32Array: 'u32',
  BigInt64Array: 'i64',
  BigUint64Array: 'u64',
  Float16Array: 'f16',
  Float32Array: 'f32',
  Float64Array: 'f64',
} satisfies ClassDTypes;

// The language's own getter: it knows arrays of other realms, and a subclass by what it is.
const nameGetter = Reflect.get(
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag) ?? {},
  'get',
) as (this: unknown) => string | undefined;

/** The class of a typed array, by its name; empty for everything else. */
export function classOf(value: unknown): string {
  return nameGetter.call(value) ?? '';
}
