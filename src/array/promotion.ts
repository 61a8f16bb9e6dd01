import type { ArrayDType } from './dtype.ts';

/** {@link promote} for the type checker; `dtype.test.ts` compares the two. */
// A row a dtype. Types are looked up, not computed by conditions: so an array of one dtype goes where any does.
// prettier-ignore
interface Table {
  bool: { bool: 'bool'; i8: 'i8'; u8: 'u8'; i16: 'i16'; u16: 'u16'; i32: 'i32'; u32: 'u32'; i64: 'i64'; u64: 'u64'; f16: 'f16'; bf16: 'bf16'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
  i8: { bool: 'i8'; i8: 'i8'; u8: 'i16'; i16: 'i16'; u16: 'i32'; i32: 'i32'; u32: 'i64'; i64: 'i64'; u64: 'f64'; f16: 'f16'; bf16: 'bf16'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
  u8: { bool: 'u8'; i8: 'i16'; u8: 'u8'; i16: 'i16'; u16: 'u16'; i32: 'i32'; u32: 'u32'; i64: 'i64'; u64: 'u64'; f16: 'f16'; bf16: 'bf16'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
  i16: { bool: 'i16'; i8: 'i16'; u8: 'i16'; i16: 'i16'; u16: 'i32'; i32: 'i32'; u32: 'i64'; i64: 'i64'; u64: 'f64'; f16: 'f32'; bf16: 'f32'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
  u16: { bool: 'u16'; i8: 'i32'; u8: 'u16'; i16: 'i32'; u16: 'u16'; i32: 'i32'; u32: 'u32'; i64: 'i64'; u64: 'u64'; f16: 'f32'; bf16: 'f32'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
  i32: { bool: 'i32'; i8: 'i32'; u8: 'i32'; i16: 'i32'; u16: 'i32'; i32: 'i32'; u32: 'i64'; i64: 'i64'; u64: 'f64'; f16: 'f64'; bf16: 'f64'; f32: 'f64'; f64: 'f64'; c64: 'c128'; c128: 'c128' };
  u32: { bool: 'u32'; i8: 'i64'; u8: 'u32'; i16: 'i64'; u16: 'u32'; i32: 'i64'; u32: 'u32'; i64: 'i64'; u64: 'u64'; f16: 'f64'; bf16: 'f64'; f32: 'f64'; f64: 'f64'; c64: 'c128'; c128: 'c128' };
  i64: { bool: 'i64'; i8: 'i64'; u8: 'i64'; i16: 'i64'; u16: 'i64'; i32: 'i64'; u32: 'i64'; i64: 'i64'; u64: 'f64'; f16: 'f64'; bf16: 'f64'; f32: 'f64'; f64: 'f64'; c64: 'c128'; c128: 'c128' };
  u64: { bool: 'u64'; i8: 'f64'; u8: 'u64'; i16: 'f64'; u16: 'u64'; i32: 'f64'; u32: 'u64'; i64: 'f64'; u64: 'u64'; f16: 'f64'; bf16: 'f64'; f32: 'f64'; f64: 'f64'; c64: 'c128'; c128: 'c128' };
  f16: { bool: 'f16'; i8: 'f16'; u8: 'f16'; i16: 'f32'; u16: 'f32'; i32: 'f64'; u32: 'f64'; i64: 'f64'; u64: 'f64'; f16: 'f16'; bf16: 'f32'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
  bf16: { bool: 'bf16'; i8: 'bf16'; u8: 'bf16'; i16: 'f32'; u16: 'f32'; i32: 'f64'; u32: 'f64'; i64: 'f64'; u64: 'f64'; f16: 'f32'; bf16: 'bf16'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
  f32: { bool: 'f32'; i8: 'f32'; u8: 'f32'; i16: 'f32'; u16: 'f32'; i32: 'f64'; u32: 'f64'; i64: 'f64'; u64: 'f64'; f16: 'f32'; bf16: 'f32'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
  f64: { bool: 'f64'; i8: 'f64'; u8: 'f64'; i16: 'f64'; u16: 'f64'; i32: 'f64'; u32: 'f64'; i64: 'f64'; u64: 'f64'; f16: 'f64'; bf16: 'f64'; f32: 'f64'; f64: 'f64'; c64: 'c128'; c128: 'c128' };
  c64: { bool: 'c64'; i8: 'c64'; u8: 'c64'; i16: 'c64'; u16: 'c64'; i32: 'c128'; u32: 'c128'; i64: 'c128'; u64: 'c128'; f16: 'c64'; bf16: 'c64'; f32: 'c64'; f64: 'c128'; c64: 'c64'; c128: 'c128' };
  c128: { bool: 'c128'; i8: 'c128'; u8: 'c128'; i16: 'c128'; u16: 'c128'; i32: 'c128'; u32: 'c128'; i64: 'c128'; u64: 'c128'; f16: 'c128'; bf16: 'c128'; f32: 'c128'; f64: 'c128'; c64: 'c128'; c128: 'c128' };
}

// prettier-ignore
interface Rows {
  float: { bool: 'f32'; i8: 'f32'; u8: 'f32'; i16: 'f32'; u16: 'f32'; i32: 'f64'; u32: 'f64'; i64: 'f64'; u64: 'f64'; f16: 'f16'; bf16: 'bf16'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
  real: { bool: 'bool'; i8: 'i8'; u8: 'u8'; i16: 'i16'; u16: 'u16'; i32: 'i32'; u32: 'u32'; i64: 'i64'; u64: 'u64'; f16: 'f16'; bf16: 'bf16'; f32: 'f32'; f64: 'f64'; c64: 'f32'; c128: 'f64' };
  wide: { bool: 'i64'; i8: 'i64'; u8: 'u64'; i16: 'i64'; u16: 'u64'; i32: 'i64'; u32: 'u64'; i64: 'i64'; u64: 'u64'; f16: 'f16'; bf16: 'bf16'; f32: 'f32'; f64: 'f64'; c64: 'c64'; c128: 'c128' };
}

/** The dtype that elements of two dtypes have in common; of several dtypes all that it can be. */
export type Promote<A extends ArrayDType, B extends ArrayDType> = Table[A][B];

/** The dtype of quotients and roots. */
export type FloatOf<D extends ArrayDType> = Rows['float'][D];

/** The dtype of the parts of complex numbers; of others the same. */
export type RealOf<D extends ArrayDType> = Rows['real'][D];

/** The dtype of sums: integers are added in 64 bits. */
export type WideOf<D extends ArrayDType> = Rows['wide'][D];
