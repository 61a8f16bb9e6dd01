// Numbers of 16 bits, alone and in pairs (PTX ISA, Half Precision Floating Point Instructions), as bits.
#pragma once
#include "base.h"

#define H(x) __half::__of_bits(x)
#define B(x) __nv_bfloat16::__of_bits(x)
#define PAIRED1(name, t)                                                                                               \
  PTX u32 __ptx_##name##_##t##x2(u32 a) {                                                                              \
    return __ptx_##name##_##t((u16)a) | (u32)__ptx_##name##_##t((u16)(a >> 16)) << 16;                                 \
  }
#define PAIRED2(name, t)                                                                                               \
  PTX u32 __ptx_##name##_##t##x2(u32 a, u32 b) {                                                                       \
    return __ptx_##name##_##t((u16)a, (u16)b) | (u32)__ptx_##name##_##t((u16)(a >> 16), (u16)(b >> 16)) << 16;         \
  }
#define PAIRED3(name, t)                                                                                               \
  PTX u32 __ptx_##name##_##t##x2(u32 a, u32 b, u32 c) {                                                                \
    return __ptx_##name##_##t((u16)a, (u16)b, (u16)c) |                                                                \
           (u32)__ptx_##name##_##t((u16)(a >> 16), (u16)(b >> 16), (u16)(c >> 16)) << 16;                              \
  }
#define ONE(name, t, Of, result)                                                                                       \
  PTX u16 __ptx_##name##_##t(u16 a) { return (result).__bits(); }                                                      \
  PAIRED1(name, t)
#define TWO(name, t, Of, function)                                                                                     \
  PTX u16 __ptx_##name##_##t(u16 a, u16 b) { return function(Of(a), Of(b)).__bits(); }                                 \
  PAIRED2(name, t)
#define THREE(name, t, Of, function)                                                                                   \
  PTX u16 __ptx_##name##_##t(u16 a, u16 b, u16 c) { return function(Of(a), Of(b), Of(c)).__bits(); }                   \
  PAIRED3(name, t)
#define FORMAT(t, Of, Type)                                                                                            \
  TWO(add, t, Of, __hadd)                                                                                              \
  TWO(sub, t, Of, __hsub)                                                                                              \
  TWO(mul, t, Of, __hmul)                                                                                              \
  TWO(min, t, Of, __hmin)                                                                                              \
  TWO(max, t, Of, __hmax)                                                                                              \
  TWO(min_NaN, t, Of, __hmin_nan)                                                                                      \
  TWO(max_NaN, t, Of, __hmax_nan)                                                                                      \
  THREE(fma, t, Of, __hfma)                                                                                            \
  THREE(fma_relu, t, Of, __hfma_relu)                                                                                  \
  ONE(sat, t, Of, __rk_saturate(Of(a)))                                                                                \
  ONE(abs, t, Of, __habs(Of(a)))                                                                                       \
  ONE(neg, t, Of, __hneg(Of(a)))                                                                                       \
  ONE(ex2_approx, t, Of, Type::__of(exp2f(Of(a).__float())))                                                           \
  ONE(tanh_approx, t, Of, Type::__of(tanhf(Of(a).__float())))
FORMAT(f16, H, __half)
FORMAT(bf16, B, __nv_bfloat16)
// Smaller than the smallest normal number: zero with the same sign.
PTX u16 __ptx_ftz_f16(u16 a) { return a & 0x7c00 ? a : a & 0x8000; }
PAIRED1(ftz, f16)
PTX u16 __ptx_ftz_bf16(u16 a) { return a & 0x7f80 ? a : a & 0x8000; }
PAIRED1(ftz, bf16)
PTX f32 __ptx_cvt_f32_f16(u16 a) { return __rk_half2float(a); }
PTX f32 __ptx_cvt_f32_bf16(u16 a) { return __rk_bfloat162float(a); }
#undef FORMAT
#undef ONE
#undef TWO
#undef THREE
#undef PAIRED1
#undef PAIRED2
#undef PAIRED3
#undef H
#undef B
