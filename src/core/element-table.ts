import type { DType } from './dtype.ts';

/** What one element of memory is: a dtype, a complex number, a boolean. */
export type ElementName = DType | 'c64' | 'c128' | 'bool';

/**
 * Which elements memory may have for a pointer to each type: the run-time check (element-check.ts) and the type checker
 * (typed/) read the same table. As in C++, a `double *` is no `float *`; signed and unsigned integers of one size pass for each
 * other; complex numbers are pairs of their parts. C without a type for halves keeps their bits in unsigned integers.
 *
 * Bytes have no row: they go for anything.
 */
export const TAKEN = {
  i8: ['i8', 'bool'],
  u8: ['i8', 'bool'],
  bool: ['bool', 'i8'],
  i16: ['i16', 'u16'],
  u16: ['i16', 'u16', 'f16', 'bf16'],
  i32: ['i32', 'u32'],
  u32: ['i32', 'u32'],
  i64: ['i64', 'u64'],
  u64: ['i64', 'u64'],
  f16: ['f16', 'u16'],
  bf16: ['bf16', 'u16'],
  f32: ['f32', 'c64'],
  f64: ['f64', 'c128'],
  /** Addresses, which some devices have in 4 bytes. */
  pointer: ['i64', 'u64', 'i32', 'u32'],
  /** A `long` where compilers on Windows may give it 4 bytes. */
  long: ['i64', 'u64', 'i32', 'u32'],
} as const;

/** The elements of the language's arrays by their class; what is missing is bytes. */
export const ARRAY_ELEMENTS = {
  Int8Array: 'i8',
  Int16Array: 'i16',
  Uint16Array: 'u16',
  Int32Array: 'i32',
  Uint32Array: 'u32',
  BigInt64Array: 'i64',
  BigUint64Array: 'u64',
  Float16Array: 'f16',
  Float32Array: 'f32',
  Float64Array: 'f64',
} as const;
