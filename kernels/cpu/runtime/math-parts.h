// Parts shared by the math*.cc files: bits of floating-point numbers and double-double arithmetic.
//
// The coefficients in these files are polynomials through Chebyshev nodes, computed with 60 digits; a comment at each table
// gives its function and interval. WebAssembly has no fused multiply-add, so products are split (Dekker) where their error counts.
#pragma once

#define RT_HOT extern "C" __attribute__((always_inline))
#define RT_COLD extern "C" __attribute__((noinline))
#define RT_FN extern "C"
#define RT_PART static inline __attribute__((always_inline, unused))

namespace rt {
typedef int i32;
typedef unsigned u32;
typedef long i64;
typedef unsigned long u64;

/** A number as the unevaluated sum of two: |lo| is at most half an ulp of hi. */
struct dd {
  double hi, lo;
};

RT_PART i32 bits(float x) { return __builtin_bit_cast(i32, x); }
RT_PART i64 bits(double x) { return __builtin_bit_cast(i64, x); }
RT_PART float makef(i32 x) { return __builtin_bit_cast(float, x); }
RT_PART double make(i64 x) { return __builtin_bit_cast(double, x); }

constexpr double INF = __builtin_inf();
constexpr double NOT = __builtin_nan("");
constexpr double TINY = 2.2250738585072014e-308; // least normal number
constexpr double HUGE = 1.7976931348623157e308;
/** Adding and taking away this rounds to an integer, and leaves that integer in the low bits. */
constexpr double SHIFT = 6755399441055744.0;
constexpr i64 SHIFT_BITS = 0x4338000000000000;
constexpr float SHIFTF = 12582912.0f;
constexpr i32 SHIFTF_BITS = 0x4b400000;

RT_PART double abs(double x) { return __builtin_fabs(x); }
RT_PART double sign(double magnitude, double of) { return __builtin_copysign(magnitude, of); }
/** The high 32 bits: sign, exponent and 20 bits of the mantissa. */
RT_PART u32 high(double x) { return (u32)((u64)bits(x) >> 32); }
/** 2 to the power k, for k in -1022 … 1023. */
RT_PART double power2(i64 k) { return make((k + 1023) << 52); }
RT_PART float power2f(i32 k) { return makef((k + 127) << 23); }
/** x · 2^k with one rounding, for k in -2098 … 2046 when x is near 1. */
RT_PART double scale(double x, i64 k) {
  i64 half = k >> 1;
  return x * power2(half) * power2(k - half);
}
/** As `scale`, for a sum, with one rounding even where the result is denormal. */
RT_PART double scale(double hi, double lo, i64 k) {
  // A number whose ulp is the last place of a denormal result.
  double big = sign(power2(k < -1020 && k > -1100 ? -1022 - k : 0), hi);
  if (k < -1100) return 0.0 * hi;
  if (k >= -1020 || abs(hi) >= abs(big)) return scale(hi + lo, k);
  double top = big + hi, rest = (big - top) + hi + lo;
  return scale((top + rest) - big, k);
}

// Sums and products with their errors.
RT_PART dd fast_sum(double a, double b) {
  double s = a + b;
  return {s, b - (s - a)};
}
RT_PART dd two_sum(double a, double b) {
  double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
/** The upper 26 bits of x, by rounding. */
RT_PART double upper(double x) { return make((bits(x) + 0x4000000) & ~0x7ffffffL); }
RT_PART dd two_product(double a, double b) {
  double p = a * b, ah = upper(a), bh = upper(b), al = a - ah, bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
RT_PART dd add(dd a, dd b) {
  dd s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
  s = fast_sum(s.hi, s.lo + t.hi);
  return fast_sum(s.hi, s.lo + t.lo);
}
RT_PART dd add(dd a, double b) {
  dd s = two_sum(a.hi, b);
  return fast_sum(s.hi, s.lo + a.lo);
}
RT_PART dd negate(dd a) { return {-a.hi, -a.lo}; }
RT_PART dd multiply(dd a, dd b) {
  dd p = two_product(a.hi, b.hi);
  return fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
RT_PART dd multiply(dd a, double b) {
  dd p = two_product(a.hi, b);
  return fast_sum(p.hi, p.lo + a.lo * b);
}
RT_PART dd divide(dd a, dd b) {
  double q = a.hi / b.hi;
  dd p = two_product(q, b.hi);
  return fast_sum(q, ((a.hi - p.hi) - p.lo + a.lo - q * b.lo) / b.hi);
}
RT_PART dd root(dd a) {
  double s = __builtin_sqrt(a.hi);
  if (s == 0) return {s, 0};
  dd p = two_product(s, s);
  return fast_sum(s, ((a.hi - p.hi) - p.lo + a.lo) / (s + s));
}
RT_PART double value(dd a) { return a.hi + a.lo; }
RT_PART dd times(dd a, double power) { return {a.hi * power, a.lo * power}; } // by a power of two

/** c[0] + c[1] x + … by Horner's rule; the compiler unrolls it. */
template <int N> RT_PART double horner(const double (&c)[N], double x) {
  double y = c[N - 1];
  for (int i = N - 2; i >= 0; i--) y = y * x + c[i];
  return y;
}
template <int N> RT_PART float hornerf(const float (&c)[N], float x) {
  float y = c[N - 1];
  for (int i = N - 2; i >= 0; i--) y = y * x + c[i];
  return y;
}

/** mantissa · 2^k */
struct scaled {
  dd mantissa;
  i64 k;
};
} // namespace rt

// What one family offers to the others.
extern "C" {
double __rt_exp(double x);
double __rt_log(double x);
double __rt_sinpi(double x);
double __rt_erf(double x);
double __rt_erfc(double x);
double __rt_erfcx(double x);
double __rt_tgamma(double x);
double __rt_fmod(double x, double y);
double __rt_scalbn(double x, int n);
void __rt_sincos(double x, double *s, double *c);
/** e^x within 2^-60, for x.hi within ±2000. */
rt::scaled __rt_exp_wide(rt::dd x);
/** The natural logarithm of a positive, finite x, denormal or not (relative error 2^-65). */
rt::dd __rt_log_wide(rt::dd x);
/** The arc tangent of y / x for 0 <= y <= x, 0 < x (relative error 2^-60). */
rt::dd __rt_arc_wide(rt::dd y, rt::dd x);
/** ln Γ(x) for x >= 10 (error about 2^-60 of x). */
rt::dd __rt_stirling_wide(double x);
}
