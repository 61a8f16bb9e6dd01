// CUDA's complex numbers: vectors of two, with functions for their arithmetic.
#pragma once
#include "rawkernel_cuda.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// Divisions and absolute values scale, so that they overflow no earlier than they must.
#define __RK_COMPLEX(C, T, make, f, suffix)                                                                            \
  __RK_BOTH T cuCreal##suffix(C x) { return x.x; }                                                                     \
  __RK_BOTH T cuCimag##suffix(C x) { return x.y; }                                                                     \
  __RK_BOTH C make(T re, T im) { return {re, im}; }                                                                    \
  __RK_BOTH C cuConj##suffix(C x) { return {x.x, -x.y}; }                                                              \
  __RK_BOTH C cuCadd##suffix(C x, C y) { return {x.x + y.x, x.y + y.y}; }                                              \
  __RK_BOTH C cuCsub##suffix(C x, C y) { return {x.x - y.x, x.y - y.y}; }                                              \
  __RK_BOTH C cuCmul##suffix(C x, C y) { return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x}; }                      \
  __RK_DEVICE C cuCdiv##suffix(C x, C y) {                                                                             \
    T scale = 1 / (fabs##f(y.x) + fabs##f(y.y));                                                                       \
    T a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale, norm = 1 / (c * c + d * d);                  \
    return {(a * c + b * d) * norm, (b * c - a * d) * norm};                                                           \
  }                                                                                                                    \
  __RK_DEVICE T cuCabs##suffix(C x) { return hypot##f(x.x, x.y); }                                                     \
  __RK_BOTH C cuCfma##suffix(C x, C y, C z) { return cuCadd##suffix(cuCmul##suffix(x, y), z); }
__RK_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, f)
__RK_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , )
#undef __RK_COMPLEX
__RK_BOTH cuComplex make_cuComplex(float re, float im) { return {re, im}; }
__RK_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return {x.x, x.y}; }
__RK_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return {(float)x.x, (float)x.y}; }
