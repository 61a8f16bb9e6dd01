// The names of C, once for two readers: the reader of signatures at run time (c-type.ts) and the one that the type checker
// runs (typed/). Hence plain constants, whose types carry every name.

/** The arithmetic types of CUDA C++ that have a dtype, as they are spelled in full. */
export const CUDA_SCALARS = {
  char: 'i8',
  'signed char': 'i8',
  'unsigned char': 'u8',
  short: 'i16',
  'unsigned short': 'u16',
  int: 'i32',
  'unsigned int': 'u32',
  long: 'i64',
  'unsigned long': 'u64',
  'long long': 'i64',
  'unsigned long long': 'u64',
  wchar_t: 'i32',
  char8_t: 'u8',
  char16_t: 'u16',
  char32_t: 'u32',
  float: 'f32',
  double: 'f64',
  __half: 'f16',
  _Float16: 'f16',
  __fp16: 'f16',
  __nv_bfloat16: 'bf16',
  'std::bfloat16_t': 'bf16',
  _Float32: 'f32',
  _Float64: 'f64',
} as const;

/** Other names of CUDA C++ and its headers. */
export const CUDA_ALIASES = {
  int8_t: 'signed char',
  uint8_t: 'unsigned char',
  int16_t: 'short',
  uint16_t: 'unsigned short',
  int32_t: 'int',
  uint32_t: 'unsigned int',
  int64_t: 'long',
  uint64_t: 'unsigned long',
  intptr_t: 'long',
  uintptr_t: 'unsigned long',
  ptrdiff_t: 'long',
  size_t: 'unsigned long',
  uchar: 'unsigned char',
  ushort: 'unsigned short',
  uint: 'unsigned int',
  __int128_t: '__int128',
  __uint128_t: 'unsigned __int128',
  half: '__half',
  half2: '__half2',
  __bf16: 'std::bfloat16_t',
  nv_bfloat16: '__nv_bfloat16',
  nv_bfloat162: '__nv_bfloat162',
  cuComplex: 'float2',
  cuFloatComplex: 'float2',
  cuDoubleComplex: 'double2',
  cudaTextureObject_t: 'unsigned long long',
  cudaSurfaceObject_t: 'unsigned long long',
} as const;

/** What CUDA's vector types begin with, and their elements: `uchar4` has four `unsigned char`. */
export const CUDA_VECTORS = {
  char: 'char',
  uchar: 'unsigned char',
  short: 'short',
  ushort: 'unsigned short',
  int: 'int',
  uint: 'unsigned int',
  long: 'long',
  ulong: 'unsigned long',
  longlong: 'long long',
  ulonglong: 'unsigned long long',
  float: 'float',
  double: 'double',
} as const;

/** The arithmetic types of OpenCL C that have a size, each with vectors of 2, 3, 4, 8 and 16. */
export const OPENCL_SCALARS = {
  char: 'i8',
  uchar: 'u8',
  short: 'i16',
  ushort: 'u16',
  int: 'i32',
  uint: 'u32',
  long: 'i64',
  ulong: 'u64',
  half: 'f16',
  float: 'f32',
  double: 'f64',
} as const;

/** Other names of OpenCL C: clGetKernelArgInfo spells the unsigned types in one word. */
export const OPENCL_ALIASES = {
  'signed char': 'char',
  'unsigned char': 'uchar',
  'unsigned short': 'ushort',
  'unsigned int': 'uint',
  'unsigned long': 'ulong',
} as const;
