import { vectorType, type VectorType } from '../../core/value.ts';

// Sizes and alignments as the CUDA C++ Programming Guide lists them; three elements are never padded.

/** A `char1`, by value: 1 byte, aligned to 1. */
export const char1: VectorType = vectorType('char1', 'i8', 1, 1, 1);
/** A `char2`, by value: 2 bytes, aligned to 2. */
export const char2: VectorType = vectorType('char2', 'i8', 2, 2, 2);
/** A `char3`, by value: 3 bytes, aligned to 1. */
export const char3: VectorType = vectorType('char3', 'i8', 3, 3, 1);
/** A `char4`, by value: 4 bytes, aligned to 4. */
export const char4: VectorType = vectorType('char4', 'i8', 4, 4, 4);
/** A `uchar1`, by value: 1 byte, aligned to 1. */
export const uchar1: VectorType = vectorType('uchar1', 'u8', 1, 1, 1);
/** A `uchar2`, by value: 2 bytes, aligned to 2. */
export const uchar2: VectorType = vectorType('uchar2', 'u8', 2, 2, 2);
/** A `uchar3`, by value: 3 bytes, aligned to 1. */
export const uchar3: VectorType = vectorType('uchar3', 'u8', 3, 3, 1);
/** A `uchar4`, by value: 4 bytes, aligned to 4. */
export const uchar4: VectorType = vectorType('uchar4', 'u8', 4, 4, 4);
/** A `short1`, by value: 2 bytes, aligned to 2. */
export const short1: VectorType = vectorType('short1', 'i16', 1, 2, 2);
/** A `short2`, by value: 4 bytes, aligned to 4. */
export const short2: VectorType = vectorType('short2', 'i16', 2, 4, 4);
/** A `short3`, by value: 6 bytes, aligned to 2. */
export const short3: VectorType = vectorType('short3', 'i16', 3, 6, 2);
/** A `short4`, by value: 8 bytes, aligned to 8. */
export const short4: VectorType = vectorType('short4', 'i16', 4, 8, 8);
/** A `ushort1`, by value: 2 bytes, aligned to 2. */
export const ushort1: VectorType = vectorType('ushort1', 'u16', 1, 2, 2);
/** A `ushort2`, by value: 4 bytes, aligned to 4. */
export const ushort2: VectorType = vectorType('ushort2', 'u16', 2, 4, 4);
/** A `ushort3`, by value: 6 bytes, aligned to 2. */
export const ushort3: VectorType = vectorType('ushort3', 'u16', 3, 6, 2);
/** A `ushort4`, by value: 8 bytes, aligned to 8. */
export const ushort4: VectorType = vectorType('ushort4', 'u16', 4, 8, 8);
/** An `int1`, by value: 4 bytes, aligned to 4. */
export const int1: VectorType = vectorType('int1', 'i32', 1, 4, 4);
/** An `int2`, by value: 8 bytes, aligned to 8. */
export const int2: VectorType = vectorType('int2', 'i32', 2, 8, 8);
/** An `int3`, by value: 12 bytes, aligned to 4. */
export const int3: VectorType = vectorType('int3', 'i32', 3, 12, 4);
/** An `int4`, by value: 16 bytes, aligned to 16. */
export const int4: VectorType = vectorType('int4', 'i32', 4, 16, 16);
/** A `uint1`, by value: 4 bytes, aligned to 4. */
export const uint1: VectorType = vectorType('uint1', 'u32', 1, 4, 4);
/** A `uint2`, by value: 8 bytes, aligned to 8. */
export const uint2: VectorType = vectorType('uint2', 'u32', 2, 8, 8);
/** A `uint3`, by value: 12 bytes, aligned to 4. */
export const uint3: VectorType = vectorType('uint3', 'u32', 3, 12, 4);
/** A `uint4`, by value: 16 bytes, aligned to 16. */
export const uint4: VectorType = vectorType('uint4', 'u32', 4, 16, 16);
/** A `long1`, by value: 8 bytes, aligned to 8. */
export const long1: VectorType = vectorType('long1', 'i64', 1, 8, 8);
/** A `long2`, by value: 16 bytes, aligned to 16. */
export const long2: VectorType = vectorType('long2', 'i64', 2, 16, 16);
/** A `long3`, by value: 24 bytes, aligned to 8. */
export const long3: VectorType = vectorType('long3', 'i64', 3, 24, 8);
/** A `long4`, by value: 32 bytes, aligned to 16. */
export const long4: VectorType = vectorType('long4', 'i64', 4, 32, 16);
/** A `ulong1`, by value: 8 bytes, aligned to 8. */
export const ulong1: VectorType = vectorType('ulong1', 'u64', 1, 8, 8);
/** A `ulong2`, by value: 16 bytes, aligned to 16. */
export const ulong2: VectorType = vectorType('ulong2', 'u64', 2, 16, 16);
/** A `ulong3`, by value: 24 bytes, aligned to 8. */
export const ulong3: VectorType = vectorType('ulong3', 'u64', 3, 24, 8);
/** A `ulong4`, by value: 32 bytes, aligned to 16. */
export const ulong4: VectorType = vectorType('ulong4', 'u64', 4, 32, 16);
/** A `longlong1`, by value: 8 bytes, aligned to 8. */
export const longlong1: VectorType = vectorType('longlong1', 'i64', 1, 8, 8);
/** A `longlong2`, by value: 16 bytes, aligned to 16. */
export const longlong2: VectorType = vectorType('longlong2', 'i64', 2, 16, 16);
/** A `longlong3`, by value: 24 bytes, aligned to 8. */
export const longlong3: VectorType = vectorType('longlong3', 'i64', 3, 24, 8);
/** A `longlong4`, by value: 32 bytes, aligned to 16. */
export const longlong4: VectorType = vectorType('longlong4', 'i64', 4, 32, 16);
/** A `ulonglong1`, by value: 8 bytes, aligned to 8. */
export const ulonglong1: VectorType = vectorType('ulonglong1', 'u64', 1, 8, 8);
/** A `ulonglong2`, by value: 16 bytes, aligned to 16. */
export const ulonglong2: VectorType = vectorType('ulonglong2', 'u64', 2, 16, 16);
/** A `ulonglong3`, by value: 24 bytes, aligned to 8. */
export const ulonglong3: VectorType = vectorType('ulonglong3', 'u64', 3, 24, 8);
/** A `ulonglong4`, by value: 32 bytes, aligned to 16. */
export const ulonglong4: VectorType = vectorType('ulonglong4', 'u64', 4, 32, 16);
/** A `float1`, by value: 4 bytes, aligned to 4. */
export const float1: VectorType = vectorType('float1', 'f32', 1, 4, 4);
/** A `float2`, by value: 8 bytes, aligned to 8. */
export const float2: VectorType = vectorType('float2', 'f32', 2, 8, 8);
/** A `float3`, by value: 12 bytes, aligned to 4. */
export const float3: VectorType = vectorType('float3', 'f32', 3, 12, 4);
/** A `float4`, by value: 16 bytes, aligned to 16. */
export const float4: VectorType = vectorType('float4', 'f32', 4, 16, 16);
/** A `double1`, by value: 8 bytes, aligned to 8. */
export const double1: VectorType = vectorType('double1', 'f64', 1, 8, 8);
/** A `double2`, by value: 16 bytes, aligned to 16. */
export const double2: VectorType = vectorType('double2', 'f64', 2, 16, 16);
/** A `double3`, by value: 24 bytes, aligned to 8. */
export const double3: VectorType = vectorType('double3', 'f64', 3, 24, 8);
/** A `double4`, by value: 32 bytes, aligned to 16. */
export const double4: VectorType = vectorType('double4', 'f64', 4, 32, 16);
/** A `__half2`, by value: 4 bytes, aligned to 4. */
export const half2: VectorType = vectorType('half2', 'f16', 2, 4, 4);
/** A `__nv_bfloat162`, by value: 4 bytes, aligned to 4. */
export const bfloat162: VectorType = vectorType('bfloat162', 'bf16', 2, 4, 4);
