// __nv_bfloat16 and __nv_bfloat162: the upper 16 bits of a float. Arithmetic is done in float and rounded once.
#pragma once
#include "rawkernel_cuda.h"
#include "rawkernel/half_bits.h"
#include "rawkernel/half_limits.h"

#define __RK_NAME bfloat16
#define __RK_HALF __nv_bfloat16
#define __RK_HALF2 __nv_bfloat162
#include "rawkernel/half_type.h"
#include "rawkernel/half_arithmetic.h"
#include "rawkernel/half_pairs.h"
#include "rawkernel/half_math.h"
#undef __RK_NAME
#undef __RK_HALF
#undef __RK_HALF2

__RK_HALF_LIMITS(__nv_bfloat16, 8, 2, 4, -125, -37, 128, 38, 0x0080, 0x7f7f, 0x3c00, 0x3f00, 0x7f80, 0x7fc0, 0x7fa0)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
