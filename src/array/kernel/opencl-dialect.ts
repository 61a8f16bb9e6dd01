import { C_NAMES } from '../../core/struct-text.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Dialect, Parameter } from './dialect.ts';

const TYPES: Readonly<Record<ArrayDType, string>> = {
  ...C_NAMES.opencl,
  bool: 'uchar',
  c64: 'float2',
  c128: 'double2',
};

const PRELUDE = `\
typedef char i8;
typedef uchar u8;
typedef short i16;
typedef ushort u16;
typedef int i32;
typedef uint u32;
typedef long i64;
typedef ulong u64;
typedef ushort f16;
typedef ushort bf16;
typedef float f32;
typedef float2 c64;
#define FN static
#define GLOBAL __global
#define SHARED __local
#define SHARED_POINTER __local
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define C64(re, im) ((float2)(re, im))
#define BITS_F32(x) as_uint(x)
#define FLOAT_U32(x) as_float((u32)(x))
#define AXIS_x 0
#define AXIS_y 1
#define AXIS_z 2
#define LOCAL_ID(axis) ((u32)get_local_id(AXIS_##axis))
#define LOCAL_SIZE(axis) ((u32)get_local_size(AXIS_##axis))
#define GROUP_ID(axis) ((u32)get_group_id(AXIS_##axis))
#define GROUPS(axis) ((u32)get_num_groups(AXIS_##axis))
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define UNROLL
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT
#endif
`;

const DOUBLES = `\
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double f64;
typedef double2 c128;
#define C128(re, im) ((double2)(re, im))
#define BITS_F64(x) as_ulong(x)
#define FLOAT_U64(x) as_double((u64)(x))
`;

/** Of the language itself, where 16-bit floats are at least a type of memory. */
const HALVES = `\
FN f32 f16_to_f32(f16 bits) {
  return vload_half(0, (const half *)&bits);
}`;

const TO_HALVES = `\
FN f16 f32_to_f16(f32 value) {
  f16 bits;
  vstore_half_rte(value, 0, (half *)&bits);
  return bits;
}`;

const ATOMICS: Readonly<Record<string, string>> = {
  cas_u32: `
FN u32 cas_u32(volatile GLOBAL u32 *at, u32 old, u32 next) {
  return atomic_cmpxchg(at, old, next);
}`,
  cas_u64: `
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
FN u64 cas_u64(volatile GLOBAL u64 *at, u64 old, u64 next) {
  return atom_cmpxchg(at, old, next);
}`,
  ...Object.fromEntries(
    ['add', 'max'].map((name) => [
      `shared_${name}_u32`,
      `
FN void shared_${name}_u32(volatile __local u32 *memory, u32 place, u32 value) {
  atomic_${name}(memory + place, value);
}`,
    ]),
  ),
  shared_cas_u32: `
FN u32 shared_cas_u32(volatile __local u32 *at, u32 old, u32 next) {
  return atomic_cmpxchg(at, old, next);
}`,
  shared_cas_u64: `
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
FN u64 shared_cas_u64(volatile __local u64 *at, u64 old, u64 next) {
  return atom_cmpxchg(at, old, next);
}`,
  ...Object.fromEntries(
    ['i32', 'u32'].flatMap((t) =>
      ['add', 'max', 'min'].map((name) => [
        `scatter_${name}_${t}`,
        `
FN void scatter_${name}_${t}(volatile GLOBAL ${t} *memory, u64 place, ${t} value) {
  atomic_${name}(memory + place, value);
}`,
      ]),
    ),
  ),
};

function ones(t: 'u32' | 'u64'): string {
  return `
FN u32 ones_${t}(${t} x) {
  return (u32)popcount(x);
}`;
}

function rounded(name: string, operator: string, t: 'f32' | 'f64'): string {
  return `
FN ${t} rounded_${name}_${t}(${t} a, ${t} b) {
#pragma OPENCL FP_CONTRACT OFF
  return a ${operator} b;
}`;
}

/** Roots of this language may be off by 3 units in the last place, unless a build is told otherwise and says so. */
const ROOT = `
FN f32 rounded_root_f32(f32 x) {
#ifdef EXACT_ROOTS
  return sqrt(x);
#else
  // Of the neighbours of the root, the first one whose middle with the next lies above it: the squares of middles are exact.
  const u32 exponent = BITS_F32(x) >> 23, binade = ((exponent + 127) >> 1) << 23;
  const u64 square = (u64)((BITS_F32(x) & 0x7fffffu) | 0x800000u) << (26 - (exponent & 1));
  u64 root = BITS_F32(sqrt(x)) - binade + 0x800000u - 4;
  for (int i = 0; i < 8 && (2 * root + 1) * (2 * root + 1) < square; i++) root++;
  return FLOAT_U32(binade + (u32)root - 0x800000u);
#endif
}`;

/** OpenCL C 1.2. */
export const openclDialect: Dialect = {
  name: 'opencl',
  prelude: PRELUDE,
  head: (dtypes) => (dtypes.has('f64') || dtypes.has('c128') ? DOUBLES : ''),
  signature: (name, parameters) => `__kernel void ${name}(${parameters.map(declare).join(', ')})`,
  helpers: {
    ...ATOMICS,
    ones_u32: ones('u32'),
    ones_u64: ones('u64'),
    f16_to_f32: HALVES,
    f32_to_f16: TO_HALVES,
    rounded_mul_f32: rounded('mul', '*', 'f32'),
    rounded_mul_f64: rounded('mul', '*', 'f64'),
    rounded_add_f32: rounded('add', '+', 'f32'),
    rounded_add_f64: rounded('add', '+', 'f64'),
    rounded_root_f32: ROOT,
  },
};

function declare({ name, dtype, kind, type: own, isAlone }: Parameter): string {
  const type = own?.opencl ?? TYPES[dtype];
  if (kind === 'number') return `${dtype === 'f16' || dtype === 'bf16' ? 'float' : type} ${name}`;
  return `__global ${kind === 'input' ? 'const ' : ''}${type} *${isAlone === true ? 'restrict ' : ''}${name}`;
}
