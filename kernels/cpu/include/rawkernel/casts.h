// The bits of one type as another, and the halves of doubles.
#ifndef RAWKERNEL_CASTS_H
#define RAWKERNEL_CASTS_H

#include "qualifiers.h"

__RK_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__RK_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__RK_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__RK_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__RK_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__RK_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__RK_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__RK_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
__RK_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)high << 32 | (unsigned)low);
}

#endif
