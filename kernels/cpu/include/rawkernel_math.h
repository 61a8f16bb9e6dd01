// CUDA's math functions for the embedded CPU device: float, double and the overloads of C++.
//
// The work is done by runtime/math*.cc, whose functions are named __rt_<name>. Float functions that have no code of their
// own are the double ones, rounded: that leaves half an ulp.
#pragma once

#define __RT_M static inline __attribute__((device, always_inline, unused))

#include "rawkernel_math_runtime.h"

// ---- Kinds of types ----

template <bool, class T> struct __rt_if {};
template <class T> struct __rt_if<true, T> {
  typedef T type;
};
template <class T> struct __rt_is {
  static constexpr bool integer = __is_integral(T), real = __is_floating_point(T), number = integer || real;
};
template <bool single> struct __rt_precision {
  typedef double type;
};
template <> struct __rt_precision<true> {
  typedef float type;
};
/** The type that numbers are computed in, as NVRTC has it: float where floats meet floats and integers. */
template <class... T>
struct __rt_common : __rt_if<(__rt_is<T>::number && ...),
                             typename __rt_precision<(__is_same(T, float) || ...) && !(__is_same(T, double) || ...)>::type> {};

// A function of one argument: name, nameF, and name on float and on integers.
#define __RT_OVERLOAD1(name)                                                                                           \
  __RT_M float name(float x) { return name##f(x); }                                                                    \
  template <class T> __RT_M typename __rt_if<__rt_is<T>::integer, double>::type name(T x) { return name((double)x); }
#define __RT_OVERLOAD2(name)                                                                                           \
  __RT_M float name(float x, float y) { return name##f(x, y); }                                                        \
  template <class A, class B> __RT_M typename __rt_common<A, B>::type name(A x, B y) {                                 \
    typedef typename __rt_common<A, B>::type T;                                                                        \
    return name((T)x, (T)y);                                                                                           \
  }
// … computed by the runtime in both precisions, or for float by the double function
#define __RT_BOTH1(name)                                                                                               \
  __RT_M double name(double x) { return __rt_##name(x); }                                                              \
  __RT_M float name##f(float x) { return __rt_##name##f(x); }                                                          \
  __RT_OVERLOAD1(name)
#define __RT_WIDE1(name)                                                                                               \
  __RT_M double name(double x) { return __rt_##name(x); }                                                              \
  __RT_M float name##f(float x) { return (float)__rt_##name((double)x); }                                              \
  __RT_OVERLOAD1(name)
#define __RT_WIDE2(name)                                                                                               \
  __RT_M double name(double x, double y) { return __rt_##name(x, y); }                                                 \
  __RT_M float name##f(float x, float y) { return (float)__rt_##name((double)x, (double)y); }                          \
  __RT_OVERLOAD2(name)

// ---- WebAssembly instructions ----

#define __RT_NATIVE1(name, builtin)                                                                                    \
  __RT_M double name(double x) { return __builtin_##builtin(x); }                                                      \
  __RT_M float name##f(float x) { return __builtin_##builtin##f(x); }                                                  \
  __RT_OVERLOAD1(name)
__RT_NATIVE1(sqrt, sqrt)
__RT_NATIVE1(fabs, fabs)
__RT_NATIVE1(floor, floor)
__RT_NATIVE1(ceil, ceil)
__RT_NATIVE1(trunc, trunc)
__RT_NATIVE1(rint, rint)
__RT_NATIVE1(nearbyint, rint)
__RT_M double copysign(double x, double y) { return __builtin_copysign(x, y); }
__RT_M float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
__RT_OVERLOAD2(copysign)

// ---- Rounding ----

// Just under a half: adding it never reaches the next integer too early.
__RT_M double round(double x) { return trunc(x + copysign(0.49999999999999994, x)); }
__RT_M float roundf(float x) { return truncf(x + copysignf(0.49999997f, x)); }
__RT_OVERLOAD1(round)
#define __RT_TO_INTEGER(name, I, bits, round)                                                                          \
  __RT_M I name(double x) { return __builtin_wasm_trunc_saturate_s_i##bits##_f64(round(x)); }                          \
  __RT_M I name##f(float x) { return __builtin_wasm_trunc_saturate_s_i##bits##_f32(round##f(x)); }                     \
  __RT_M I name(float x) { return name##f(x); }                                                                        \
  template <class T> __RT_M typename __rt_if<__rt_is<T>::integer, I>::type name(T x) { return name((double)x); }
__RT_TO_INTEGER(lrint, long, 64, rint)
__RT_TO_INTEGER(llrint, long long, 64, rint)
__RT_TO_INTEGER(lround, long, 64, round)
__RT_TO_INTEGER(llround, long long, 64, round)

// ---- Classes of numbers ----

__RT_M bool isnan(double x) { return x != x; }
__RT_M bool isnan(float x) { return x != x; }
__RT_M bool isinf(double x) { return __builtin_fabs(x) == __builtin_inf(); }
__RT_M bool isinf(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
__RT_M bool isfinite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
__RT_M bool isfinite(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
__RT_M bool isnormal(double x) { return isfinite(x) && __builtin_fabs(x) >= 2.2250738585072014e-308; }
__RT_M bool isnormal(float x) { return isfinite(x) && __builtin_fabsf(x) >= 1.17549435e-38f; }
__RT_M bool signbit(double x) { return __builtin_bit_cast(long, x) < 0; }
__RT_M bool signbit(float x) { return __builtin_bit_cast(int, x) < 0; }
#define __RT_CLASS(name)                                                                                               \
  template <class T> __RT_M typename __rt_if<__rt_is<T>::integer, bool>::type name(T x) { return name((double)x); }
__RT_CLASS(isnan)
__RT_CLASS(isinf)
__RT_CLASS(isfinite)
__RT_CLASS(isnormal)
__RT_CLASS(signbit)
__RT_M int __isnan(double x) { return isnan(x); }
__RT_M int __isnanf(float x) { return isnan(x); }
__RT_M int __isinf(double x) { return isinf(x); }
__RT_M int __isinff(float x) { return isinf(x); }
__RT_M int __finite(double x) { return isfinite(x); }
__RT_M int __finitef(float x) { return isfinite(x); }
__RT_M int __signbit(double x) { return signbit(x); }
__RT_M int __signbitf(float x) { return signbit(x); }
#define __RT_COMPARE(name, test)                                                                                       \
  template <class A, class B>                                                                                          \
  __RT_M typename __rt_if<__rt_is<A>::number && __rt_is<B>::number, bool>::type name(A x, B y) { return test; }
__RT_COMPARE(isgreater, x > y)
__RT_COMPARE(isgreaterequal, x >= y)
__RT_COMPARE(isless, x < y)
__RT_COMPARE(islessequal, x <= y)
__RT_COMPARE(islessgreater, x < y || x > y)
__RT_COMPARE(isunordered, x != x || y != y)

// ---- Least, greatest, absolute ----

// One NaN loses against a number, and -0 counts as less than +0.
__RT_M double fmin(double x, double y) { return x != x ? y : y != y ? x : __builtin_wasm_min_f64(x, y); }
__RT_M float fminf(float x, float y) { return x != x ? y : y != y ? x : __builtin_wasm_min_f32(x, y); }
__RT_M double fmax(double x, double y) { return x != x ? y : y != y ? x : __builtin_wasm_max_f64(x, y); }
__RT_M float fmaxf(float x, float y) { return x != x ? y : y != y ? x : __builtin_wasm_max_f32(x, y); }
__RT_OVERLOAD2(fmin)
__RT_OVERLOAD2(fmax)
__RT_M double fdim(double x, double y) { return x > y ? x - y : x != x || y != y ? x + y : 0; }
__RT_M float fdimf(float x, float y) { return x > y ? x - y : x != x || y != y ? x + y : 0; }
__RT_OVERLOAD2(fdim)
__RT_M int abs(int x) { return x < 0 ? -x : x; }
__RT_M long abs(long x) { return x < 0 ? -x : x; }
__RT_M long long abs(long long x) { return x < 0 ? -x : x; }
__RT_M double abs(double x) { return fabs(x); }
__RT_M float abs(float x) { return fabsf(x); }
__RT_M long labs(long x) { return abs(x); }
__RT_M long long llabs(long long x) { return abs(x); }

// Templates, so that a kernel's own min and max of certain types come first.
template <class A, class B> struct __rt_sum : __rt_if<__rt_is<A>::number && __rt_is<B>::number, decltype(A() + B())> {};
#define __RT_EXTREME(name, order)                                                                                      \
  template <class A, class B> __RT_M typename __rt_sum<A, B>::type name(A x, B y) {                                    \
    typedef typename __rt_sum<A, B>::type T;                                                                           \
    if constexpr (__rt_is<T>::integer) return (T)x order (T)y ? (T)x : (T)y;                                           \
    else return f##name((T)x, (T)y);                                                                                   \
  }
__RT_EXTREME(min, <)
__RT_EXTREME(max, >)
__RT_M unsigned umin(unsigned x, unsigned y) { return min(x, y); }
__RT_M unsigned umax(unsigned x, unsigned y) { return max(x, y); }
__RT_M long long llmin(long long x, long long y) { return min(x, y); }
__RT_M long long llmax(long long x, long long y) { return max(x, y); }
__RT_M unsigned long long ullmin(unsigned long long x, unsigned long long y) { return min(x, y); }
__RT_M unsigned long long ullmax(unsigned long long x, unsigned long long y) { return max(x, y); }

// ---- Exponents, logarithms, powers ----

__RT_BOTH1(exp)
__RT_BOTH1(exp2)
__RT_BOTH1(exp10)
__RT_BOTH1(expm1)
__RT_BOTH1(log)
__RT_BOTH1(log2)
__RT_BOTH1(log10)
__RT_BOTH1(log1p)
__RT_M double pow(double x, double y) { return __rt_pow(x, y); }
__RT_M float powf(float x, float y) { return __rt_powf(x, y); }
__RT_OVERLOAD2(pow)
__RT_WIDE1(logb)
__RT_M int ilogb(double x) { return __rt_ilogb(x); }
__RT_M int ilogbf(float x) { return __rt_ilogb((double)x); }
__RT_M int ilogb(float x) { return ilogbf(x); }
template <class T> __RT_M typename __rt_if<__rt_is<T>::integer, int>::type ilogb(T x) { return ilogb((double)x); }

// ---- Roots and norms ----

__RT_M double rsqrt(double x) { return __rt_rsqrt(x); }
__RT_M float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
__RT_OVERLOAD1(rsqrt)
__RT_BOTH1(cbrt)
__RT_BOTH1(rcbrt)
__RT_M double hypot(double x, double y) { return __rt_hypot(x, y); }
__RT_M float hypotf(float x, float y) { return __rt_hypotf(x, y); }
__RT_OVERLOAD2(hypot)
// As in NVRTC, these names take doubles only.
__RT_M double rhypot(double x, double y) { return __rt_rhypot(x, y); }
__RT_M float rhypotf(float x, float y) { return (float)__rt_rhypot((double)x, (double)y); }
#define __RT_WIDE3(name)                                                                                               \
  __RT_M double name(double x, double y, double z) { return __rt_##name(x, y, z); }                                    \
  __RT_M float name##f(float x, float y, float z) { return (float)__rt_##name((double)x, (double)y, (double)z); }
__RT_WIDE3(norm3d)
__RT_WIDE3(rnorm3d)
#define __RT_WIDE4(name)                                                                                               \
  __RT_M double name(double x, double y, double z, double w) { return __rt_##name(x, y, z, w); }                       \
  __RT_M float name##f(float x, float y, float z, float w) {                                                           \
    return (float)__rt_##name((double)x, (double)y, (double)z, (double)w);                                             \
  }
__RT_WIDE4(norm4d)
__RT_WIDE4(rnorm4d)
__RT_M double norm(int n, const double *p) { return __rt_norm(n, p); }
__RT_M double rnorm(int n, const double *p) { return __rt_rnorm(n, p); }
__RT_M float normf(int n, const float *p) { return __rt_normf(n, p); }
__RT_M float rnormf(int n, const float *p) { return __rt_rnormf(n, p); }
__RT_M float norm(int n, const float *p) { return __rt_normf(n, p); }
__RT_M float rnorm(int n, const float *p) { return __rt_rnormf(n, p); }

// ---- Angles ----

__RT_BOTH1(sin)
__RT_BOTH1(cos)
__RT_BOTH1(tan)
__RT_BOTH1(sinpi)
__RT_BOTH1(cospi)
__RT_M void sincos(double x, double *s, double *c) { __rt_sincos(x, s, c); }
__RT_M void sincosf(float x, float *s, float *c) { __rt_sincosf(x, s, c); }
__RT_M void sincos(float x, float *s, float *c) { __rt_sincosf(x, s, c); }
__RT_M void sincospi(double x, double *s, double *c) { __rt_sincospi(x, s, c); }
__RT_M void sincospif(float x, float *s, float *c) { __rt_sincospif(x, s, c); }
__RT_M void sincospi(float x, float *s, float *c) { __rt_sincospif(x, s, c); }
__RT_BOTH1(asin)
__RT_BOTH1(acos)
__RT_BOTH1(atan)
__RT_M double atan2(double y, double x) { return __rt_atan2(y, x); }
__RT_M float atan2f(float y, float x) { return __rt_atan2f(y, x); }
__RT_OVERLOAD2(atan2)
__RT_BOTH1(sinh)
__RT_BOTH1(cosh)
__RT_BOTH1(tanh)
__RT_BOTH1(asinh)
__RT_BOTH1(acosh)
__RT_BOTH1(atanh)

// ---- Special functions ----

__RT_BOTH1(erf)
__RT_BOTH1(erfc)
__RT_WIDE1(erfinv)
__RT_WIDE1(erfcinv)
__RT_WIDE1(erfcx)
__RT_BOTH1(normcdf)
__RT_WIDE1(normcdfinv)
__RT_WIDE1(tgamma)
__RT_WIDE1(lgamma)
__RT_WIDE1(j0)
__RT_WIDE1(j1)
__RT_WIDE1(y0)
__RT_WIDE1(y1)
__RT_WIDE1(cyl_bessel_i0)
__RT_WIDE1(cyl_bessel_i1)
__RT_M double jn(int n, double x) { return __rt_jn(n, x); }
__RT_M double yn(int n, double x) { return __rt_yn(n, x); }
__RT_M float jnf(int n, float x) { return (float)__rt_jn(n, (double)x); }
__RT_M float ynf(int n, float x) { return (float)__rt_yn(n, (double)x); }
#define __RT_ORDER(name)                                                                                               \
  __RT_M float name(int n, float x) { return name##f(n, x); }                                                          \
  template <class T> __RT_M typename __rt_if<__rt_is<T>::integer, double>::type name(int n, T x) {                     \
    return name(n, (double)x);                                                                                         \
  }
__RT_ORDER(jn)
__RT_ORDER(yn)

// ---- Remainders and parts ----

__RT_M double fmod(double x, double y) { return __rt_fmod(x, y); }
__RT_M float fmodf(float x, float y) { return __rt_fmodf(x, y); }
__RT_OVERLOAD2(fmod)
__RT_WIDE2(remainder)
__RT_M double remquo(double x, double y, int *q) { return __rt_remquo(x, y, q); }
__RT_M float remquof(float x, float y, int *q) { return (float)__rt_remquo((double)x, (double)y, q); }
__RT_M float remquo(float x, float y, int *q) { return remquof(x, y, q); }
template <class A, class B> __RT_M typename __rt_common<A, B>::type remquo(A x, B y, int *q) {
  typedef typename __rt_common<A, B>::type T;
  return remquo((T)x, (T)y, q);
}
__RT_M double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(isinf(x) ? 0 : x - *whole, x);
}
__RT_M float modff(float x, float *whole) {
  *whole = truncf(x);
  return copysignf(isinf(x) ? 0 : x - *whole, x);
}
__RT_M float modf(float x, float *whole) { return modff(x, whole); }
__RT_M double frexp(double x, int *e) { return __rt_frexp(x, e); }
__RT_M float frexpf(float x, int *e) { return (float)__rt_frexp((double)x, e); }
__RT_M float frexp(float x, int *e) { return frexpf(x, e); }
template <class T> __RT_M typename __rt_if<__rt_is<T>::integer, double>::type frexp(T x, int *e) {
  return frexp((double)x, e);
}
// For functions that scale by a power of two.
#define __RT_SCALED(name, N)                                                                                           \
  template <class T> __RT_M typename __rt_if<__rt_is<T>::integer, double>::type name(T x, N n) {                       \
    return name((double)x, n);                                                                                         \
  }
__RT_M double scalbn(double x, int n) { return __rt_scalbn(x, n); }
__RT_M float scalbnf(float x, int n) {
  n = n > 300 ? 300 : n < -300 ? -300 : n;
  return (float)((double)x * __builtin_bit_cast(double, (long)(n + 1023) << 52));
}
__RT_M float scalbn(float x, int n) { return scalbnf(x, n); }
__RT_SCALED(scalbn, int)
__RT_M double ldexp(double x, int n) { return __rt_scalbn(x, n); }
__RT_M float ldexpf(float x, int n) { return scalbnf(x, n); }
__RT_M float ldexp(float x, int n) { return scalbnf(x, n); }
__RT_SCALED(ldexp, int)
__RT_M int __rt_short(long n) { return n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n; }
__RT_M double scalbln(double x, long n) { return __rt_scalbn(x, __rt_short(n)); }
__RT_M float scalblnf(float x, long n) { return scalbnf(x, __rt_short(n)); }
__RT_M float scalbln(float x, long n) { return scalblnf(x, n); }
__RT_SCALED(scalbln, long)
__RT_M double nextafter(double x, double y) { return __rt_nextafter(x, y); }
__RT_M float nextafterf(float x, float y) { return __rt_nextafterf(x, y); }
__RT_OVERLOAD2(nextafter)
__RT_M double nan(const char *) { return __builtin_nan(""); }
__RT_M float nanf(const char *) { return __builtin_nanf(""); }
__RT_M double fma(double x, double y, double z) { return __rt_fma(x, y, z); }
__RT_M float fmaf(float x, float y, float z) { return __rt_fmaf(x, y, z); }
__RT_M float fma(float x, float y, float z) { return __rt_fmaf(x, y, z); }
template <class A, class B, class C>
__RT_M typename __rt_common<A, B, C>::type fma(A x, B y, C z) {
  typedef typename __rt_common<A, B, C>::type T;
  return fma((T)x, (T)y, (T)z);
}

#include "rawkernel_math_fast.h"
