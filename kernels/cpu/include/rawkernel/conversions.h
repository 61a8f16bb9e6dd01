// Conversions between number types with a stated rounding: _rn to nearest even, _rz towards zero, _ru up, _rd down.
// To integers they saturate. NaN gives 0 from float to 32 bits, else the integer whose top bit alone is set.
#ifndef RAWKERNEL_CONVERSIONS_H
#define RAWKERNEL_CONVERSIONS_H

#include "casts.h"

#define __RK_TO_INTEGER(From, f, to, T, intrinsic, nan)                                                                \
  __device__ __attribute__((const, nothrow)) T __rk_##From##2##to##_cut(From x) __asm__("llvm.fpto" intrinsic);        \
  __RK_DEVICE T __##From##2##to##_rz(From x) { return (nan) && x != x ? (T)(nan) : __rk_##From##2##to##_cut(x); }      \
  __RK_DEVICE T __##From##2##to##_rn(From x) { return __##From##2##to##_rz(__builtin_rint##f(x)); }                    \
  __RK_DEVICE T __##From##2##to##_ru(From x) { return __##From##2##to##_rz(__builtin_ceil##f(x)); }                    \
  __RK_DEVICE T __##From##2##to##_rd(From x) { return __##From##2##to##_rz(__builtin_floor##f(x)); }
__RK_TO_INTEGER(float, f, int, int, "si.sat.i32.f32", 0)
__RK_TO_INTEGER(float, f, uint, unsigned, "ui.sat.i32.f32", 0)
__RK_TO_INTEGER(float, f, ll, long long, "si.sat.i64.f32", 1ull << 63)
__RK_TO_INTEGER(float, f, ull, unsigned long long, "ui.sat.i64.f32", 1ull << 63)
__RK_TO_INTEGER(double, , int, int, "si.sat.i32.f64", 1u << 31)
__RK_TO_INTEGER(double, , uint, unsigned, "ui.sat.i32.f64", 1u << 31)
__RK_TO_INTEGER(double, , ll, long long, "si.sat.i64.f64", 1ull << 63)
__RK_TO_INTEGER(double, , ull, unsigned long long, "ui.sat.i64.f64", 1ull << 63)
#undef __RK_TO_INTEGER

// The neighbours of a number in its format, towards +inf and -inf; x is finite or the infinity on the other side.
__RK_DEVICE float __rk_above(float x) { return __int_as_float(__float_as_int(x) + (__float_as_int(x) < 0 ? -1 : 1)); }
__RK_DEVICE float __rk_below(float x) { return __int_as_float(__float_as_int(x) + (__float_as_int(x) < 0 ? 1 : -1)); }

__RK_DEVICE float __double2float_rn(double x) { return (float)x; }
__RK_DEVICE float __double2float_ru(double x) {
  float nearest = (float)x;
  return nearest < x ? __rk_above(nearest) : nearest;
}
__RK_DEVICE float __double2float_rd(double x) {
  float nearest = (float)x;
  return nearest > x ? __rk_below(nearest) : nearest;
}
__RK_DEVICE float __double2float_rz(double x) { return x < 0 ? __double2float_ru(x) : __double2float_rd(x); }

// Every 32-bit integer is a double.
#define __RK_FROM_WORD(name, T)                                                                                        \
  __RK_DEVICE double __##name##2double_rn(T x) { return (double)x; }                                                   \
  __RK_DEVICE float __##name##2float_rn(T x) { return (float)x; }                                                      \
  __RK_DEVICE float __##name##2float_rz(T x) { return __double2float_rz((double)x); }                                  \
  __RK_DEVICE float __##name##2float_ru(T x) { return __double2float_ru((double)x); }                                  \
  __RK_DEVICE float __##name##2float_rd(T x) { return __double2float_rd((double)x); }
__RK_FROM_WORD(int, int)
__RK_FROM_WORD(uint, unsigned)
#undef __RK_FROM_WORD

// A 64-bit magnitude cut to the digits of the format is exact there; away from zero is then one step in the bits.
#define __RK_FROM_LONG(To, Bits, digits)                                                                               \
  __RK_DEVICE To __rk_magnitude2##To(unsigned long long x, bool away) {                                                \
    int extra = 64 - digits - (x ? __builtin_clzll(x) : 64);                                                           \
    unsigned long long kept = extra > 0 ? x >> extra << extra : x;                                                     \
    return __builtin_bit_cast(To, __builtin_bit_cast(Bits, (To)kept) + (Bits)(away && kept != x));                     \
  }                                                                                                                    \
  __RK_DEVICE To __rk_signed2##To(long long x, bool up, bool down) {                                                   \
    return x < 0 ? -__rk_magnitude2##To(0 - (unsigned long long)x, down)                                               \
                 : __rk_magnitude2##To((unsigned long long)x, up);                                                     \
  }                                                                                                                    \
  __RK_DEVICE To __ll2##To##_rn(long long x) { return (To)x; }                                                         \
  __RK_DEVICE To __ll2##To##_rz(long long x) { return __rk_signed2##To(x, false, false); }                             \
  __RK_DEVICE To __ll2##To##_ru(long long x) { return __rk_signed2##To(x, true, false); }                              \
  __RK_DEVICE To __ll2##To##_rd(long long x) { return __rk_signed2##To(x, false, true); }                              \
  __RK_DEVICE To __ull2##To##_rn(unsigned long long x) { return (To)x; }                                               \
  __RK_DEVICE To __ull2##To##_rz(unsigned long long x) { return __rk_magnitude2##To(x, false); }                       \
  __RK_DEVICE To __ull2##To##_ru(unsigned long long x) { return __rk_magnitude2##To(x, true); }                        \
  __RK_DEVICE To __ull2##To##_rd(unsigned long long x) { return __rk_magnitude2##To(x, false); }
__RK_FROM_LONG(float, unsigned, 24)
__RK_FROM_LONG(double, unsigned long long, 53)
#undef __RK_FROM_LONG

#endif
