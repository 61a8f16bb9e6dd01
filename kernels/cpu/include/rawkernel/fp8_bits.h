// Numbers of 8 bits as bits: e4m3 and e5m2 of Micikevicius et al., "FP8 Formats for Deep Learning" (2022). e4m3 has one
// NaN of each sign and no infinity, e5m2 is like IEEE's formats.
#ifndef RAWKERNEL_FP8_BITS_H
#define RAWKERNEL_FP8_BITS_H

#include "half_bits.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

// What becomes of a number that is too large: the largest number of the format, or infinity (in e4m3 NaN).
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// The code of a finite magnitude, rounded to nearest even, as if the format had exponents without an end: `digits`
// significant bits (the hidden one counted), the smallest normal exponent is `lowest`.
__RK_BOTH unsigned __rk_code8(unsigned long long magnitude, int digits, int lowest) {
  int exponent = (int)(magnitude >> 52) - 1023;
  if (exponent > 16) return 0x7fff;
  unsigned long long significand = (magnitude & ((1ull << 52) - 1)) | (magnitude >> 52 ? 1ull << 52 : 0);
  int below = exponent < lowest ? lowest - exponent : 0;
  if (below > digits + 2) below = digits + 2;
  int dropped = 53 - digits + below;
  unsigned kept = (unsigned)(significand >> dropped);
  unsigned long long rest = significand & ((1ull << dropped) - 1), middle = 1ull << (dropped - 1);
  bool away = rest > middle || (rest == middle && (kept & 1));
  // The hidden bit of a normal number adds one to the exponent; a carry out of the digits does the same.
  return (below ? 0u : (unsigned)(exponent - lowest) << (digits - 1)) + kept + away;
}

// One rounding from the given number, whatever its type: every float and every half is a double.
__RK_BOTH __nv_fp8_storage_t __rk_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, x), magnitude = bits & ~(1ull << 63);
  unsigned sign = bits >> 63 ? 0x80 : 0, infinity = format == __NV_E5M2 ? 0x7c : 0x7f;
  unsigned most = format == __NV_E5M2 ? 0x7b : 0x7e;
  if (magnitude > 0x7ffull << 52) return 0x7f;
  unsigned code = format == __NV_E5M2 ? __rk_code8(magnitude, 3, -14) : __rk_code8(magnitude, 4, -6);
  if (code > most) code = saturate == __NV_SATFINITE ? most : infinity;
  return (__nv_fp8_storage_t)(sign | code);
}
// The NaN of a double has other bits than that of a float: seen on an H200.
__RK_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t format) {
  return x != x && format == __NV_E5M2 ? 0x7e : __rk_fp8(x, saturate, format);
}
__RK_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t format) {
  return __rk_fp8((double)x, saturate, format);
}

// Every number of 8 bits is one of half, too: e5m2 is its upper byte.
__RK_BOTH unsigned short __rk_fp8_to_half_bits(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
  if (format == __NV_E5M2) return (x & 0x7f) > 0x7c ? 0x7fff : (unsigned short)(x << 8);
  unsigned magnitude = x & 0x7f, sign = (x & 0x80u) << 8;
  if (magnitude == 0x7f) return 0x7fff;
  // Moved to the place of half's digits, the exponent is too small by the difference of 15 and 7.
  float value = __rk_half2float((unsigned short)(magnitude << 7)) * 256.0f;
  return (unsigned short)(sign | __rk_float2half(value));
}

#endif
