// Floating-point arithmetic (PTX ISA, Floating Point Instructions). Approximations are as exact as the functions of
// <math.h> here.
#pragma once
#include "base.h"

// "Flushes subnormal inputs and results to sign-preserving zero."
PTX f32 __ptx_ftz_f32(f32 x) {
  u32 bits = __float_as_uint(x);
  return bits & 0x7f800000u ? x : __uint_as_float(bits & 0x80000000u);
}
PTX f64 __ptx_ftz_f64(f64 x) {
  u64 bits = (u64)__double_as_longlong(x);
  return bits & 0x7fful << 52 ? x : __longlong_as_double((s64)(bits & 1ul << 63));
}
// "Clamps the result to [0.0, 1.0]; NaN results are flushed to +0.0."
PTX f32 __ptx_sat_f32(f32 x) { return __saturatef(x); }
PTX f64 __ptx_sat_f64(f64 x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

#define ROUNDED(ptx, r)                                                                                                \
  PTX f32 __ptx_add##ptx##_f32(f32 a, f32 b) { return __fadd_##r(a, b); }                                              \
  PTX f32 __ptx_sub##ptx##_f32(f32 a, f32 b) { return __fsub_##r(a, b); }                                              \
  PTX f32 __ptx_mul##ptx##_f32(f32 a, f32 b) { return __fmul_##r(a, b); }                                              \
  PTX f32 __ptx_div##ptx##_f32(f32 a, f32 b) { return __fdiv_##r(a, b); }                                              \
  PTX f32 __ptx_fma##ptx##_f32(f32 a, f32 b, f32 c) { return __fmaf_##r(a, b, c); }                                    \
  PTX f32 __ptx_mad##ptx##_f32(f32 a, f32 b, f32 c) { return __fmaf_##r(a, b, c); }                                    \
  PTX f32 __ptx_rcp##ptx##_f32(f32 a) { return __frcp_##r(a); }                                                        \
  PTX f32 __ptx_sqrt##ptx##_f32(f32 a) { return __fsqrt_##r(a); }                                                      \
  PTX f64 __ptx_add##ptx##_f64(f64 a, f64 b) { return __dadd_##r(a, b); }                                              \
  PTX f64 __ptx_sub##ptx##_f64(f64 a, f64 b) { return __dsub_##r(a, b); }                                              \
  PTX f64 __ptx_mul##ptx##_f64(f64 a, f64 b) { return __dmul_##r(a, b); }                                              \
  PTX f64 __ptx_div##ptx##_f64(f64 a, f64 b) { return __ddiv_##r(a, b); }                                              \
  PTX f64 __ptx_fma##ptx##_f64(f64 a, f64 b, f64 c) { return __fma_##r(a, b, c); }                                     \
  PTX f64 __ptx_mad##ptx##_f64(f64 a, f64 b, f64 c) { return __fma_##r(a, b, c); }                                     \
  PTX f64 __ptx_rcp##ptx##_f64(f64 a) { return __drcp_##r(a); }                                                        \
  PTX f64 __ptx_sqrt##ptx##_f64(f64 a) { return __dsqrt_##r(a); }
ROUNDED(, rn)
ROUNDED(_rz, rz)
ROUNDED(_rm, rd)
ROUNDED(_rp, ru)
#undef ROUNDED

PTX f32 __ptx_div_approx_f32(f32 a, f32 b) { return a / b; }
PTX f32 __ptx_div_full_f32(f32 a, f32 b) { return a / b; }
PTX f32 __ptx_rcp_approx_f32(f32 a) { return 1 / a; }
PTX f64 __ptx_rcp_approx_f64(f64 a) { return 1 / a; }
PTX f32 __ptx_sqrt_approx_f32(f32 a) { return __fsqrt_rn(a); }
PTX f32 __ptx_rsqrt_approx_f32(f32 a) { return rsqrtf(a); }
PTX f64 __ptx_rsqrt_approx_f64(f64 a) { return rsqrt(a); }
PTX f32 __ptx_sin_approx_f32(f32 a) { return sinf(a); }
PTX f32 __ptx_cos_approx_f32(f32 a) { return cosf(a); }
PTX f32 __ptx_lg2_approx_f32(f32 a) { return log2f(a); }
PTX f32 __ptx_ex2_approx_f32(f32 a) { return exp2f(a); }
PTX f32 __ptx_tanh_approx_f32(f32 a) { return tanhf(a); }

// Of a NaN and a number the number, but where NaN is asked for.
#define SIGNS(T, f, Bits, n, canonical)                                                                                \
  PTX T __ptx_abs_##T(T a) { return __builtin_fabs##f(a); }                                                            \
  PTX T __ptx_neg_##T(T a) { return -a; }                                                                              \
  PTX T __ptx_min_##T(T a, T b) { return a != a && b != b ? canonical : fmin##f(a, b); }                               \
  PTX T __ptx_max_##T(T a, T b) { return a != a && b != b ? canonical : fmax##f(a, b); }                               \
  PTX T __ptx_copysign_##T(T a, T b) { return __builtin_copysign##f(b, a); }                                           \
  PTX bool __ptx_testp_finite_##T(T a) { return __builtin_fabs##f(a) < __builtin_inf##f(); }                           \
  PTX bool __ptx_testp_infinite_##T(T a) { return __builtin_fabs##f(a) == __builtin_inf##f(); }                        \
  PTX bool __ptx_testp_number_##T(T a) { return a == a; }                                                              \
  PTX bool __ptx_testp_notanumber_##T(T a) { return a != a; }                                                          \
  PTX bool __ptx_testp_normal_##T(T a) { return __ptx_testp_finite_##T(a) && __builtin_fabs##f(a) >= n; }              \
  PTX bool __ptx_testp_subnormal_##T(T a) { return a != 0 && __builtin_fabs##f(a) < n; }
SIGNS(f32, f, u32, 0x1p-126f, __uint_as_float(0x7fffffffu))
SIGNS(f64, , u64, 0x1p-1022, __longlong_as_double(0x7fffffffffffffffl))
#undef SIGNS
PTX f32 __ptx_min_NaN_f32(f32 a, f32 b) { return a != a || b != b ? __uint_as_float(0x7fffffffu) : fminf(a, b); }
PTX f32 __ptx_max_NaN_f32(f32 a, f32 b) { return a != a || b != b ? __uint_as_float(0x7fffffffu) : fmaxf(a, b); }
