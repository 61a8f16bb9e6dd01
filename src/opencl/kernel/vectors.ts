import { vectorType, type VectorType } from '../../core/value.ts';
// OpenCL's layouts: the alignment of a vector is its size, and three elements take the size of four.
/** `char2`: 2 bytes. */
export const char2: VectorType<'i8', 2> = vectorType('char2', 'i8', 2, 2, 2);
/** `char3`: 4 bytes. */
export const char3: VectorType<'i8', 3> = vectorType('char3', 'i8', 3, 4, 4);
/** `char4`: 4 bytes. */
export const char4: VectorType<'i8', 4> = vectorType('char4', 'i8', 4, 4, 4);
/** `char8`: 8 bytes. */
export const char8: VectorType<'i8', 8> = vectorType('char8', 'i8', 8, 8, 8);
/** `char16`: 16 bytes. */
export const char16: VectorType<'i8', 16> = vectorType('char16', 'i8', 16, 16, 16);
/** `uchar2`: 2 bytes. */
export const uchar2: VectorType<'u8', 2> = vectorType('uchar2', 'u8', 2, 2, 2);
/** `uchar3`: 4 bytes. */
export const uchar3: VectorType<'u8', 3> = vectorType('uchar3', 'u8', 3, 4, 4);
/** `uchar4`: 4 bytes. */
export const uchar4: VectorType<'u8', 4> = vectorType('uchar4', 'u8', 4, 4, 4);
/** `uchar8`: 8 bytes. */
export const uchar8: VectorType<'u8', 8> = vectorType('uchar8', 'u8', 8, 8, 8);
/** `uchar16`: 16 bytes. */
export const uchar16: VectorType<'u8', 16> = vectorType('uchar16', 'u8', 16, 16, 16);
/** `short2`: 4 bytes. */
export const short2: VectorType<'i16', 2> = vectorType('short2', 'i16', 2, 4, 4);
/** `short3`: 8 bytes. */
export const short3: VectorType<'i16', 3> = vectorType('short3', 'i16', 3, 8, 8);
/** `short4`: 8 bytes. */
export const short4: VectorType<'i16', 4> = vectorType('short4', 'i16', 4, 8, 8);
/** `short8`: 16 bytes. */
export const short8: VectorType<'i16', 8> = vectorType('short8', 'i16', 8, 16, 16);
/** `short16`: 32 bytes. */
export const short16: VectorType<'i16', 16> = vectorType('short16', 'i16', 16, 32, 32);
/** `ushort2`: 4 bytes. */
export const ushort2: VectorType<'u16', 2> = vectorType('ushort2', 'u16', 2, 4, 4);
/** `ushort3`: 8 bytes. */
export const ushort3: VectorType<'u16', 3> = vectorType('ushort3', 'u16', 3, 8, 8);
/** `ushort4`: 8 bytes. */
export const ushort4: VectorType<'u16', 4> = vectorType('ushort4', 'u16', 4, 8, 8);
/** `ushort8`: 16 bytes. */
export const ushort8: VectorType<'u16', 8> = vectorType('ushort8', 'u16', 8, 16, 16);
/** `ushort16`: 32 bytes. */
export const ushort16: VectorType<'u16', 16> = vectorType('ushort16', 'u16', 16, 32, 32);
/** `int2`: 8 bytes. */
export const int2: VectorType<'i32', 2> = vectorType('int2', 'i32', 2, 8, 8);
/** `int3`: 16 bytes. */
export const int3: VectorType<'i32', 3> = vectorType('int3', 'i32', 3, 16, 16);
/** `int4`: 16 bytes. */
export const int4: VectorType<'i32', 4> = vectorType('int4', 'i32', 4, 16, 16);
/** `int8`: 32 bytes. */
export const int8: VectorType<'i32', 8> = vectorType('int8', 'i32', 8, 32, 32);
/** `int16`: 64 bytes. */
export const int16: VectorType<'i32', 16> = vectorType('int16', 'i32', 16, 64, 64);
/** `uint2`: 8 bytes. */
export const uint2: VectorType<'u32', 2> = vectorType('uint2', 'u32', 2, 8, 8);
/** `uint3`: 16 bytes. */
export const uint3: VectorType<'u32', 3> = vectorType('uint3', 'u32', 3, 16, 16);
/** `uint4`: 16 bytes. */
export const uint4: VectorType<'u32', 4> = vectorType('uint4', 'u32', 4, 16, 16);
/** `uint8`: 32 bytes. */
export const uint8: VectorType<'u32', 8> = vectorType('uint8', 'u32', 8, 32, 32);
/** `uint16`: 64 bytes. */
export const uint16: VectorType<'u32', 16> = vectorType('uint16', 'u32', 16, 64, 64);
/** `long2`: 16 bytes. */
export const long2: VectorType<'i64', 2> = vectorType('long2', 'i64', 2, 16, 16);
/** `long3`: 32 bytes. */
export const long3: VectorType<'i64', 3> = vectorType('long3', 'i64', 3, 32, 32);
/** `long4`: 32 bytes. */
export const long4: VectorType<'i64', 4> = vectorType('long4', 'i64', 4, 32, 32);
/** `long8`: 64 bytes. */
export const long8: VectorType<'i64', 8> = vectorType('long8', 'i64', 8, 64, 64);
/** `long16`: 128 bytes. */
export const long16: VectorType<'i64', 16> = vectorType('long16', 'i64', 16, 128, 128);
/** `ulong2`: 16 bytes. */
export const ulong2: VectorType<'u64', 2> = vectorType('ulong2', 'u64', 2, 16, 16);
/** `ulong3`: 32 bytes. */
export const ulong3: VectorType<'u64', 3> = vectorType('ulong3', 'u64', 3, 32, 32);
/** `ulong4`: 32 bytes. */
export const ulong4: VectorType<'u64', 4> = vectorType('ulong4', 'u64', 4, 32, 32);
/** `ulong8`: 64 bytes. */
export const ulong8: VectorType<'u64', 8> = vectorType('ulong8', 'u64', 8, 64, 64);
/** `ulong16`: 128 bytes. */
export const ulong16: VectorType<'u64', 16> = vectorType('ulong16', 'u64', 16, 128, 128);
/** `half2`: 4 bytes. */
export const half2: VectorType<'f16', 2> = vectorType('half2', 'f16', 2, 4, 4);
/** `half3`: 8 bytes. */
export const half3: VectorType<'f16', 3> = vectorType('half3', 'f16', 3, 8, 8);
/** `half4`: 8 bytes. */
export const half4: VectorType<'f16', 4> = vectorType('half4', 'f16', 4, 8, 8);
/** `half8`: 16 bytes. */
export const half8: VectorType<'f16', 8> = vectorType('half8', 'f16', 8, 16, 16);
/** `half16`: 32 bytes. */
export const half16: VectorType<'f16', 16> = vectorType('half16', 'f16', 16, 32, 32);
/** `float2`: 8 bytes. */
export const float2: VectorType<'f32', 2> = vectorType('float2', 'f32', 2, 8, 8);
/** `float3`: 16 bytes. */
export const float3: VectorType<'f32', 3> = vectorType('float3', 'f32', 3, 16, 16);
/** `float4`: 16 bytes. */
export const float4: VectorType<'f32', 4> = vectorType('float4', 'f32', 4, 16, 16);
/** `float8`: 32 bytes. */
export const float8: VectorType<'f32', 8> = vectorType('float8', 'f32', 8, 32, 32);
/** `float16`: 64 bytes. */
export const float16: VectorType<'f32', 16> = vectorType('float16', 'f32', 16, 64, 64);
/** `double2`: 16 bytes. */
export const double2: VectorType<'f64', 2> = vectorType('double2', 'f64', 2, 16, 16);
/** `double3`: 32 bytes. */
export const double3: VectorType<'f64', 3> = vectorType('double3', 'f64', 3, 32, 32);
/** `double4`: 32 bytes. */
export const double4: VectorType<'f64', 4> = vectorType('double4', 'f64', 4, 32, 32);
/** `double8`: 64 bytes. */
export const double8: VectorType<'f64', 8> = vectorType('double8', 'f64', 8, 64, 64);
/** `double16`: 128 bytes. */
export const double16: VectorType<'f64', 16> = vectorType('double16', 'f64', 16, 128, 128);
