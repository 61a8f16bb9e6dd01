// Conversions (PTX ISA, cvt). Integers of 8 and 16 bits come from those of 32 and 64, which the compiler sees to.
#pragma once
#include "half.h"

// To an integer: rounded to an integer first, then held in the type's range. "NaN inputs are converted to 0" up to 32
// bits from .f32; GPUs give the integer whose top bit alone is set otherwise, as casts of CUDA C++ do.
#define TO_INTEGER(T, bits, To, From, f, from)                                                                         \
  PTX T __ptx_cvt_rni_##T##_##From(From x) { return __rk_clamp<T>(from##2##To##_rn(x)); }                              \
  PTX T __ptx_cvt_rzi_##T##_##From(From x) { return __rk_clamp<T>(from##2##To##_rz(x)); }                              \
  PTX T __ptx_cvt_rmi_##T##_##From(From x) { return __rk_clamp<T>(from##2##To##_rd(x)); }                              \
  PTX T __ptx_cvt_rpi_##T##_##From(From x) { return __rk_clamp<T>(from##2##To##_ru(x)); }
#define FROM_FLOATS(T, bits, To)                                                                                       \
  TO_INTEGER(T, bits, To, f32, f, __float)                                                                             \
  TO_INTEGER(T, bits, To, f64, , __double)
FROM_FLOATS(s8, 8, int)
FROM_FLOATS(u8, 8, uint)
FROM_FLOATS(s16, 16, int)
FROM_FLOATS(u16, 16, uint)
FROM_FLOATS(s32, 32, int)
FROM_FLOATS(u32, 32, uint)
FROM_FLOATS(s64, 64, ll)
FROM_FLOATS(u64, 64, ull)
#undef FROM_FLOATS
#undef TO_INTEGER

#define FROM_INTEGER(T, name)                                                                                          \
  FROM_INTEGER_WAYS(T, name, rn, rn, __rk_nearest)                                                                     \
  FROM_INTEGER_WAYS(T, name, rz, rz, __rk_zero)                                                                        \
  FROM_INTEGER_WAYS(T, name, rm, rd, __rk_down)                                                                        \
  FROM_INTEGER_WAYS(T, name, rp, ru, __rk_up)
#define FROM_INTEGER_WAYS(T, name, ptx, r, rounding)                                                                   \
  PTX f32 __ptx_cvt_##ptx##_f32_##T(T x) { return __##name##2float_##r(x); }                                           \
  PTX f64 __ptx_cvt_##ptx##_f64_##T(T x) { return __##name##2double_##r(x); }                                          \
  PTX u16 __ptx_cvt_##ptx##_f16_##T(T x) { return __rk_double2half(__ptx_odd_##T(x), rounding); }                      \
  PTX u16 __ptx_cvt_##ptx##_bf16_##T(T x) { return __rk_double2bfloat16(__ptx_odd_##T(x), rounding); }
// A double that rounds on as the integer itself would.
PTX f64 __ptx_odd_u64(u64 x) { return __rk_odd_double(x); }
PTX f64 __ptx_odd_s64(s64 x) { return x < 0 ? -__rk_odd_double(0 - (u64)x) : __rk_odd_double((u64)x); }
FROM_INTEGER(s64, ll)
FROM_INTEGER(u64, ull)
#undef FROM_INTEGER
#undef FROM_INTEGER_WAYS

#define NARROWING(ptx, r, rounding)                                                                                    \
  PTX f32 __ptx_cvt_##ptx##_f32_f64(f64 x) { return __double2float_##r(x); }                                           \
  PTX u16 __ptx_cvt_##ptx##_f16_f64(f64 x) { return __rk_double2half(x, rounding); }                                   \
  PTX u16 __ptx_cvt_##ptx##_bf16_f64(f64 x) { return __rk_double2bfloat16(x, rounding); }
NARROWING(rn, rn, __rk_nearest)
NARROWING(rz, rz, __rk_zero)
NARROWING(rm, rd, __rk_down)
NARROWING(rp, ru, __rk_up)
#undef NARROWING

#define INTEGRAL(T, f)                                                                                                 \
  PTX T __ptx_cvt_rni_##T##_##T(T x) { return __builtin_rint##f(x); }                                                  \
  PTX T __ptx_cvt_rzi_##T##_##T(T x) { return __builtin_trunc##f(x); }                                                 \
  PTX T __ptx_cvt_rmi_##T##_##T(T x) { return __builtin_floor##f(x); }                                                 \
  PTX T __ptx_cvt_rpi_##T##_##T(T x) { return __builtin_ceil##f(x); }
INTEGRAL(f32, f)
INTEGRAL(f64, )
#undef INTEGRAL

// "rna: to nearest, ties away from zero": ten digits of the fraction are kept.
PTX u32 __ptx_cvt_rna_tf32_f32(f32 x) {
  u32 bits = __float_as_uint(x);
  return x != x ? 0x7fffffffu : (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000) & ~0x1fffu;
}
