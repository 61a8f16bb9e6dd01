// half and half2: 16-bit numbers of 11 digits. Arithmetic is done in float and rounded once.
#pragma once
#include "rawkernel_cuda.h"
#include "rawkernel/half_bits.h"
#include "rawkernel/half_limits.h"

#define __RK_NAME half
#define __RK_HALF __half
#define __RK_HALF2 __half2
#include "rawkernel/half_type.h"
#include "rawkernel/half_arithmetic.h"
#include "rawkernel/half_pairs.h"
#include "rawkernel/half_math.h"
#undef __RK_NAME
#undef __RK_HALF
#undef __RK_HALF2

__RK_HALF_LIMITS(__half, 11, 3, 5, -13, -4, 16, 4, 0x0400, 0x7bff, 0x1400, 0x3800, 0x7c00, 0x7e00, 0x7d00)

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
