// CUDA's math intrinsics: the fast functions (here as exact as the others) and arithmetic in a chosen rounding direction.
#pragma once

__RT_M float __expf(float x) { return __rt_expf(x); }
__RT_M float __exp10f(float x) { return __rt_exp10f(x); }
__RT_M float __logf(float x) { return __rt_logf(x); }
__RT_M float __log2f(float x) { return __rt_log2f(x); }
__RT_M float __log10f(float x) { return __rt_log10f(x); }
__RT_M float __sinf(float x) { return __rt_sinf(x); }
__RT_M float __cosf(float x) { return __rt_cosf(x); }
__RT_M float __tanf(float x) { return __rt_tanf(x); }
__RT_M float __tanhf(float x) { return __rt_tanhf(x); }
__RT_M void __sincosf(float x, float *s, float *c) { __rt_sincosf(x, s, c); }
__RT_M float __powf(float x, float y) { return __rt_powf(x, y); }
__RT_M float __fdividef(float x, float y) { return x / y; }
__RT_M float fdividef(float x, float y) { return x / y; }
__RT_M float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
__RT_M float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }

// To nearest: the plain operators.
__RT_M float __fadd_rn(float x, float y) { return x + y; }
__RT_M float __fsub_rn(float x, float y) { return x - y; }
__RT_M float __fmul_rn(float x, float y) { return x * y; }
__RT_M float __fdiv_rn(float x, float y) { return x / y; }
__RT_M float __frcp_rn(float x) { return 1 / x; }
__RT_M float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
__RT_M float __fmaf_rn(float x, float y, float z) { return __rt_fmaf(x, y, z); }
__RT_M float __fmaf_ieee_rn(float x, float y, float z) { return __rt_fmaf(x, y, z); }
__RT_M double __dadd_rn(double x, double y) { return x + y; }
__RT_M double __dsub_rn(double x, double y) { return x - y; }
__RT_M double __dmul_rn(double x, double y) { return x * y; }
__RT_M double __ddiv_rn(double x, double y) { return x / y; }
__RT_M double __drcp_rn(double x) { return 1 / x; }
__RT_M double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
__RT_M double __fma_rn(double x, double y, double z) { return __rt_fma(x, y, z); }

// x - y is x · 1 + (-y) and keeps the signs of zeros so.
#define __RT_DIRECTION(r, n)                                                                                           \
  __RT_M float __fadd_##r(float x, float y) { return (float)__rt_fma_mode(x, 1, y, n, 1); }                            \
  __RT_M float __fsub_##r(float x, float y) { return (float)__rt_fma_mode(x, 1, -y, n, 1); }                           \
  __RT_M float __fmul_##r(float x, float y) { return (float)__rt_mul_mode(x, y, n, 1); }                               \
  __RT_M float __fdiv_##r(float x, float y) { return (float)__rt_div_mode(x, y, n, 1); }                               \
  __RT_M float __frcp_##r(float x) { return (float)__rt_div_mode(1, x, n, 1); }                                        \
  __RT_M float __fsqrt_##r(float x) { return (float)__rt_sqrt_mode(x, n, 1); }                                         \
  __RT_M float __fmaf_##r(float x, float y, float z) { return (float)__rt_fma_mode(x, y, z, n, 1); }                   \
  __RT_M float __fmaf_ieee_##r(float x, float y, float z) { return (float)__rt_fma_mode(x, y, z, n, 1); }              \
  __RT_M double __dadd_##r(double x, double y) { return __rt_fma_mode(x, 1, y, n, 0); }                                \
  __RT_M double __dsub_##r(double x, double y) { return __rt_fma_mode(x, 1, -y, n, 0); }                               \
  __RT_M double __dmul_##r(double x, double y) { return __rt_mul_mode(x, y, n, 0); }                                   \
  __RT_M double __ddiv_##r(double x, double y) { return __rt_div_mode(x, y, n, 0); }                                   \
  __RT_M double __drcp_##r(double x) { return __rt_div_mode(1, x, n, 0); }                                             \
  __RT_M double __dsqrt_##r(double x) { return __rt_sqrt_mode(x, n, 0); }                                              \
  __RT_M double __fma_##r(double x, double y, double z) { return __rt_fma_mode(x, y, z, n, 0); }
__RT_DIRECTION(rz, 1)
__RT_DIRECTION(ru, 2)
__RT_DIRECTION(rd, 3)
