// Numbers of 16 bits as bits: rounding to them from double and float, for half and bfloat16.
#ifndef RAWKERNEL_HALF_BITS_H
#define RAWKERNEL_HALF_BITS_H

#include "conversions.h"

enum __rk_rounding { __rk_nearest, __rk_zero, __rk_up, __rk_down };

// Rounds to a format of `digits` significant bits (the hidden one counted) whose smallest normal exponent is `lowest`.
template <int digits, int lowest> __RK_BOTH unsigned short __rk_round16(double x, __rk_rounding rounding) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  unsigned long long magnitude = bits & ~(1ull << 63);
  bool negative = bits >> 63;
  unsigned short sign = negative ? 0x8000 : 0;
  unsigned short infinity = (unsigned short)((2 - 2 * lowest + 1) << (digits - 1));
  if (magnitude > 0x7ffull << 52) return 0x7fff;
  if (magnitude == 0x7ffull << 52) return sign | infinity;
  int exponent = (int)(magnitude >> 52) - 1023;
  if (exponent > 1 - lowest) {
    bool finite = rounding == __rk_zero || (rounding == __rk_up && negative) || (rounding == __rk_down && !negative);
    return sign | (unsigned short)(infinity - finite);
  }
  // A subnormal double is far below every format here: its leading bit may as well be set.
  unsigned long long significand = (magnitude & ((1ull << 52) - 1)) | (magnitude ? 1ull << 52 : 0);
  int below = exponent < lowest ? lowest - exponent : 0;
  int dropped = 53 - digits + (below < digits + 2 ? below : digits + 2);
  unsigned kept = (unsigned)(significand >> dropped);
  unsigned long long rest = significand & ((1ull << dropped) - 1);
  unsigned long long middle = 1ull << (dropped - 1);
  bool away = rounding == __rk_nearest ? rest > middle || (rest == middle && (kept & 1))
                                       : rest != 0 && rounding == (negative ? __rk_down : __rk_up);
  // The hidden bit of a normal number adds one to the exponent; a carry out of the digits does the same.
  unsigned result = (below ? 0 : (unsigned)(exponent - lowest) << (digits - 1)) + kept + away;
  return sign | (unsigned short)result;
}

// The sum with its last bit set where it is not exact, so that a second rounding to fewer digits is right.
__RK_BOTH double __rk_odd_sum(double a, double b) {
  double sum = a + b;
  double part = sum - a;
  double error = (a - (sum - part)) + (b - part);
  long long bits = __builtin_bit_cast(long long, sum);
  // False also for an error of NaN, which is what infinities leave.
  bool inexact = error < 0 || error > 0;
  if (inexact && !(bits & 1)) bits += (error > 0) == (sum > 0) ? 1 : -1;
  return __builtin_bit_cast(double, bits);
}

// An integer as a double, with the last bit set where digits are cut off, as above.
__RK_BOTH double __rk_odd_double(unsigned long long x) {
  unsigned long long cut = x >> 11;
  return x >> 53 ? (double)(cut | ((x & 2047) != 0)) * 2048 : (double)x;
}

// A 32-bit integer held within the range of a smaller type.
template <class T, class Wide> __RK_BOTH T __rk_clamp(Wide value) {
  if (sizeof(T) >= sizeof(Wide)) return (T)value;
  constexpr bool is_signed = (T)-1 < (T)0;
  constexpr Wide most = (Wide)(~0ull >> (64 - sizeof(T) * 8 + is_signed));
  constexpr Wide least = is_signed ? -most - 1 : 0;
  return (T)(value < least ? least : value > most ? most : value);
}

__RK_BOTH float __rk_half2float(unsigned short x) {
  unsigned magnitude = x & 0x7fffu;
  // The product moves the exponent to float's bias and makes subnormal numbers normal.
  unsigned scaled = __builtin_bit_cast(unsigned, __builtin_bit_cast(float, magnitude << 13) * 0x1p112f);
  unsigned bits = magnitude < 0x7c00 ? scaled : magnitude << 13 | 0x7f800000u;
  return __builtin_bit_cast(float, bits | (x & 0x8000u) << 16);
}
__RK_BOTH unsigned short __rk_float2half(float x) {
  unsigned bits = __builtin_bit_cast(unsigned, x);
  unsigned magnitude = bits & 0x7fffffffu;
  unsigned normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  // One half has the last bit that half's subnormal numbers have.
  unsigned subnormal = __builtin_bit_cast(unsigned, __builtin_bit_cast(float, magnitude) + 0.5f) - (126u << 23);
  unsigned special = magnitude > 0x7f800000u ? 0x7fffu : 0x7c00u;
  unsigned result = magnitude < 0x38800000u ? subnormal : magnitude < 0x47800000u ? normal : special;
  return (unsigned short)(result == 0x7fffu ? result : result | (bits >> 16 & 0x8000u));
}
__RK_BOTH unsigned short __rk_double2half(double x, __rk_rounding rounding) {
  return __rk_round16<11, -14>(x, rounding);
}

__RK_BOTH float __rk_bfloat162float(unsigned short x) { return __builtin_bit_cast(float, (unsigned)x << 16); }
__RK_BOTH unsigned short __rk_float2bfloat16(float x) {
  unsigned bits = __builtin_bit_cast(unsigned, x);
  return (unsigned short)(x != x ? 0x7fffu : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
__RK_BOTH unsigned short __rk_double2bfloat16(double x, __rk_rounding rounding) {
  return __rk_round16<8, -126>(x, rounding);
}

#endif
