// Conversions of 8-bit numbers from and to half and bfloat16, one by one and in pairs; the first one is the lower byte.
#ifndef RAWKERNEL_FP8_PAIRS_H
#define RAWKERNEL_FP8_PAIRS_H

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "fp8_bits.h"

#define __RK_HOW __nv_saturation_t saturate, __nv_fp8_interpretation_t format
__RK_BOTH __nv_fp8x2_storage_t __rk_fp8_pair(double x, double y, __RK_HOW) {
  unsigned low = __rk_fp8(x, saturate, format), high = __rk_fp8(y, saturate, format);
  return (__nv_fp8x2_storage_t)(low | high << 8);
}
__RK_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __RK_HOW) {
  unsigned low = __nv_cvt_double_to_fp8(x.x, saturate, format), high = __nv_cvt_double_to_fp8(x.y, saturate, format);
  return (__nv_fp8x2_storage_t)(low | high << 8);
}
__RK_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __RK_HOW) {
  return __rk_fp8_pair(x.x, x.y, saturate, format);
}
#define __RK_FROM(name, widen)                                                                                         \
  __RK_BOTH __nv_fp8_storage_t __nv_cvt_##name##raw_to_fp8(__RK_RAW x, __RK_HOW) {                                     \
    return __nv_cvt_float_to_fp8(widen(x.x), saturate, format);                                                        \
  }                                                                                                                    \
  __RK_BOTH __nv_fp8x2_storage_t __nv_cvt_##name##raw2_to_fp8x2(__RK_RAW2 x, __RK_HOW) {                               \
    return __rk_fp8_pair(widen(x.x), widen(x.y), saturate, format);                                                    \
  }
#define __RK_RAW __half_raw
#define __RK_RAW2 __half2_raw
__RK_FROM(half, __rk_half2float)
#undef __RK_RAW
#undef __RK_RAW2
#define __RK_RAW __nv_bfloat16_raw
#define __RK_RAW2 __nv_bfloat162_raw
__RK_FROM(bfloat16, __rk_bfloat162float)
#undef __RK_RAW
#undef __RK_RAW2
#undef __RK_FROM
#undef __RK_HOW

__RK_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
  __half_raw result = {__rk_fp8_to_half_bits(x, format)};
  return result;
}
__RK_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t format) {
  __half2_raw result = {__rk_fp8_to_half_bits((__nv_fp8_storage_t)x, format),
                        __rk_fp8_to_half_bits((__nv_fp8_storage_t)(x >> 8), format)};
  return result;
}

#endif
