import { C_NAMES } from '../../core/struct-text.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Dialect, Parameter } from './dialect.ts';

const TYPES: Readonly<Record<ArrayDType, string>> = {
  ...C_NAMES.cuda,
  bool: 'unsigned char',
  c64: 'float2',
  c128: 'double2',
};

const PRELUDE = `\
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef unsigned short f16;
typedef unsigned short bf16;
typedef float f32;
typedef double f64;
typedef float2 c64;
typedef double2 c128;
#define FN static __device__ __forceinline__
#define GLOBAL
#define SHARED __shared__
#define SHARED_POINTER
#define ALIGNED(bytes) __align__(bytes)
#define C64(re, im) make_float2(re, im)
#define C128(re, im) make_double2(re, im)
#define BITS_F32(x) __float_as_uint(x)
#define FLOAT_U32(x) __uint_as_float(x)
#define BITS_F64(x) ((u64)__double_as_longlong(x))
#define FLOAT_U64(x) __longlong_as_double((i64)(x))
#define LOCAL_ID(axis) (threadIdx.axis)
#define LOCAL_SIZE(axis) (blockDim.axis)
#define GROUP_ID(axis) (blockIdx.axis)
#define GROUPS(axis) (gridDim.axis)
#define BARRIER() __syncthreads()
#define UNROLL _Pragma("unroll")
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT
#endif
`;

const NATIVE_HALVES = `\
FN f32 f16_to_f32(f16 bits) {
  f32 value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}`;

const NATIVE_TO_HALVES = `\
FN f16 f32_to_f16(f32 value) {
  f16 bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}`;

const ATOMICS: Readonly<Record<string, string>> = {
  cas_u32: `
FN u32 cas_u32(u32 *at, u32 old, u32 next) {
  return atomicCAS(at, old, next);
}`,
  cas_u64: `
FN u64 cas_u64(u64 *at, u64 old, u64 next) {
  return atomicCAS(at, old, next);
}`,
  ...Object.fromEntries(
    ['i32', 'u32', 'i64', 'u64', 'f32', 'f64'].flatMap((t) => {
      // Sums are the same with and without a sign.
      const added = t === 'i64' ? ['(u64 *)memory + place', '(u64)value'] : ['memory + place', 'value'];
      const add = atomic('add', t, `atomicAdd(${added.join(', ')})`);
      if (t.startsWith('f')) return [add];
      const call = (name: string): string => `atomic${name}(memory + place, value)`;
      return [add, atomic('max', t, call('Max')), atomic('min', t, call('Min'))];
    }),
  ),
};

/** Sums in shared memory. That 1 is added stays visible: hardware adds up the ones of equal places itself. */
const SHARED_ATOMICS = Object.fromEntries([
  ...['u32', 'f32', 'f64'].map((t) => sharedAtomic('add', t, 'Add')),
  sharedAtomic('max', 'u32', 'Max'),
]);

function sharedAtomic(name: string, t: string, call: string): [name: string, text: string] {
  return [
    `shared_${name}_${t}`,
    `FN void shared_${name}_${t}(${t} *memory, u32 place, ${t} value) {\n  atomic${call}(memory + place, value);\n}`,
  ];
}

function atomic(name: string, t: string, text: string): [name: string, text: string] {
  return [`scatter_${name}_${t}`, `FN void scatter_${name}_${t}(${t} *memory, u64 place, ${t} value) {\n  ${text};\n}`];
}

const ONES = {
  ones_u32: `
FN u32 ones_u32(u32 x) {
  return (u32)__popc(x);
}`,
  ones_u64: `
FN u32 ones_u64(u64 x) {
  return (u32)__popcll(x);
}`,
};

/** The threads of a warp whose bit of a number is as this thread's. Compilers take one more selection of it. */
const LIKE_BIT = `
FN u32 like_bit_u32(u32 number, u32 bit) {
  const bool is_set = (number & bit) != 0;
  const u32 set = __ballot_sync(0xffffffffu, is_set);
  return is_set ? set : ~set;
}`;

const NATIVE_LIKE_BIT = `
FN u32 like_bit_u32(u32 number, u32 bit) {
  u32 like;
  asm("{\\n\\t.reg .pred p;\\n\\tand.b32 %0, %1, %2;\\n\\tsetp.ne.u32 p, %0, 0;\\n\\tvote.sync.ballot.b32 %0, p, 0xffffffff;\\n\\t@!p not.b32 %0, %0;\\n\\t}"
    : "=r"(like) : "r"(number), "r"(bit));
  return like;
}`;

/** What compilers fuse to one rounding where the language's operators have two. */
const NATIVE_ARITHMETIC = {
  rounded_mul_f32: `
FN f32 rounded_mul_f32(f32 a, f32 b) {
  return __fmul_rn(a, b);
}`,
  rounded_mul_f64: `
FN f64 rounded_mul_f64(f64 a, f64 b) {
  return __dmul_rn(a, b);
}`,
  rounded_add_f32: `
FN f32 rounded_add_f32(f32 a, f32 b) {
  return __fadd_rn(a, b);
}`,
  rounded_add_f64: `
FN f64 rounded_add_f64(f64 a, f64 b) {
  return __dadd_rn(a, b);
}`,
  // The steps of sqrtf, without its way for numbers that are not normal.
  rounded_root_f32: `
FN f32 rounded_root_f32(f32 x) {
  f32 inverse;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  const f32 near = __fmul_rn(x, inverse);
  return __fmaf_rn(__fmaf_rn(-near, near, x), __fmul_rn(0.5f, inverse), near);
}`,
};

/** Functions of the language itself, without a line of PTX. */
const COMMON: Readonly<Record<string, string>> = { ...ATOMICS, ...SHARED_ATOMICS, ...ONES };

/** CUDA C++ for NVIDIA's GPUs. */
export const cudaDialect: Dialect = {
  name: 'cuda',
  prelude: PRELUDE,
  head: () => '',
  signature: (name, parameters, threads, residents) => {
    const limits = residents === undefined ? threads : `${threads}, ${residents}`;
    const bounds = threads === undefined ? '' : `__launch_bounds__(${limits}) `;
    return `extern "C" __global__ void ${bounds}${name}(${parameters.map((parameter) => declare(parameter)).join(', ')})`;
  },
  helpers: {
    ...COMMON,
    like_bit_u32: NATIVE_LIKE_BIT,
    f16_to_f32: NATIVE_HALVES,
    f32_to_f16: NATIVE_TO_HALVES,
    ...NATIVE_ARITHMETIC,
  },
};

/** CUDA C++ without a line of PTX, for the embedded device. */
export const portableCudaDialect: Dialect = { ...cudaDialect, helpers: { ...COMMON, like_bit_u32: LIKE_BIT } };

function declare({ name, dtype, kind, type: own, isAlone }: Parameter): string {
  const type = own?.cuda ?? TYPES[dtype];
  if (kind === 'number') return `${dtype === 'f16' || dtype === 'bf16' ? 'float' : type} ${name}`;
  return `${kind === 'input' ? 'const ' : ''}${type} *${isAlone === true ? '__restrict__ ' : ''}${name}`;
}
