// Numbers of 8 bits, for storage: they are converted to nearest even from the number that is given, and computed with
// as half or float.
#pragma once
#include "rawkernel_cuda.h"
#include "rawkernel/fp8_pairs.h"

#define __RK_FP8 __nv_fp8_e4m3
#define __RK_FP8X2 __nv_fp8x2_e4m3
#define __RK_FP8X4 __nv_fp8x4_e4m3
#define __RK_FORMAT __NV_E4M3
#include "rawkernel/fp8_type.h"
#undef __RK_FP8
#undef __RK_FP8X2
#undef __RK_FP8X4
#undef __RK_FORMAT

#define __RK_FP8 __nv_fp8_e5m2
#define __RK_FP8X2 __nv_fp8x2_e5m2
#define __RK_FP8X4 __nv_fp8x4_e5m2
#define __RK_FORMAT __NV_E5M2
#include "rawkernel/fp8_type.h"
#undef __RK_FP8
#undef __RK_FP8X2
#undef __RK_FP8X4
#undef __RK_FORMAT
