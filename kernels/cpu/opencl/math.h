// Mathematical functions. The runtime library computes them; halves are computed as floats.
double __rt_exp(double); double __rt_exp2(double); double __rt_exp10(double); double __rt_expm1(double);
double __rt_log(double); double __rt_log2(double); double __rt_log10(double); double __rt_log1p(double);
double __rt_sin(double); double __rt_cos(double); double __rt_tan(double);
double __rt_sinpi(double); double __rt_cospi(double);
double __rt_asin(double); double __rt_acos(double); double __rt_atan(double);
double __rt_sinh(double); double __rt_cosh(double); double __rt_tanh(double);
double __rt_asinh(double); double __rt_acosh(double); double __rt_atanh(double);
double __rt_rsqrt(double); double __rt_cbrt(double); double __rt_logb(double);
double __rt_erf(double); double __rt_erfc(double); double __rt_tgamma(double); double __rt_lgamma(double);
double __rt_pow(double, double); double __rt_hypot(double, double); double __rt_atan2(double, double);
double __rt_fmod(double, double); double __rt_remquo(double, double, int *); double __rt_frexp(double, int *);
double __rt_scalbn(double, int); double __rt_nextafter(double, double); double __rt_fma(double, double, double);
double __rt_rootn(double, int); double __rt_over_pi(double); int __rt_ilogb(double);
float __rt_expf(float); float __rt_exp2f(float); float __rt_exp10f(float); float __rt_expm1f(float);
float __rt_logf(float); float __rt_log2f(float); float __rt_log10f(float); float __rt_log1pf(float);
float __rt_sinf(float); float __rt_cosf(float); float __rt_tanf(float); float __rt_sinpif(float); float __rt_cospif(float);
float __rt_asinf(float); float __rt_acosf(float); float __rt_atanf(float);
float __rt_sinhf(float); float __rt_coshf(float); float __rt_tanhf(float);
float __rt_asinhf(float); float __rt_acoshf(float); float __rt_atanhf(float);
float __rt_cbrtf(float); float __rt_erff(float); float __rt_erfcf(float);
float __rt_powf(float, float); float __rt_hypotf(float, float); float __rt_atan2f(float, float);
float __rt_fmodf(float, float); float __rt_nextafterf(float, float); float __rt_fmaf(float, float, float);
float __rt_pownf(float, int); float __rt_rootnf(float, int);

// A function of one argument by expressions of x: as float, where it may be a half that is to be rounded, and as double.
#define UNARY(name, single, wide)                                                                                      \
  FN float name(float x) { return single; }                                                                            \
  FN double name(double x) { return wide; }                                                                            \
  FN half name(half h) {                                                                                               \
    float x = h;                                                                                                       \
    return (half)(single);                                                                                             \
  }
#define BINARY(name, single, wide)                                                                                     \
  FN float name(float x, float y) { return single; }                                                                   \
  FN double name(double x, double y) { return wide; }                                                                  \
  FN half name(half g, half h) {                                                                                       \
    float x = g, y = h;                                                                                                \
    return (half)(single);                                                                                             \
  }
#define BOTH(name) UNARY(name, __rt_##name##f(x), __rt_##name(x))
BOTH(exp) BOTH(exp2) BOTH(exp10) BOTH(expm1) BOTH(log) BOTH(log2) BOTH(log10) BOTH(log1p)
BOTH(sin) BOTH(cos) BOTH(tan) BOTH(sinpi) BOTH(cospi) BOTH(asin) BOTH(acos) BOTH(atan)
BOTH(sinh) BOTH(cosh) BOTH(tanh) BOTH(asinh) BOTH(acosh) BOTH(atanh) BOTH(cbrt) BOTH(erf) BOTH(erfc)
BINARY(pow, __rt_powf(x, y), __rt_pow(x, y))
BINARY(hypot, __rt_hypotf(x, y), __rt_hypot(x, y))
BINARY(atan2, __rt_atan2f(x, y), __rt_atan2(x, y))
BINARY(fmod, __rt_fmodf(x, y), __rt_fmod(x, y))
UNARY(tgamma, (float)__rt_tgamma(x), __rt_tgamma(x))
UNARY(lgamma, (float)__rt_lgamma(x), __rt_lgamma(x))
UNARY(logb, (float)__rt_logb(x), __rt_logb(x))
UNARY(rsqrt, 1.0f / __builtin_sqrtf(x), __rt_rsqrt(x))
UNARY(asinpi, (float)(__rt_asinf(x) * 0.3183098861837907), __rt_over_pi(__rt_asin(x)))
UNARY(acospi, (float)(__rt_acosf(x) * 0.3183098861837907), __rt_over_pi(__rt_acos(x)))
UNARY(atanpi, (float)(__rt_atanf(x) * 0.3183098861837907), __rt_over_pi(__rt_atan(x)))
BINARY(atan2pi, (float)(__rt_atan2f(x, y) * 0.3183098861837907), __rt_over_pi(__rt_atan2(x, y)))
UNARY(tanpi, __rt_sinpif(x) / __rt_cospif(x), __rt_sinpi(x) / __rt_cospi(x))

// Functions that WebAssembly has.
UNARY(sqrt, __builtin_sqrtf(x), __builtin_sqrt(x))
UNARY(fabs, __builtin_fabsf(x), __builtin_fabs(x))
UNARY(floor, __builtin_floorf(x), __builtin_floor(x))
UNARY(ceil, __builtin_ceilf(x), __builtin_ceil(x))
UNARY(trunc, __builtin_truncf(x), __builtin_trunc(x))
UNARY(rint, __builtin_rintf(x), __builtin_rint(x))
BINARY(copysign, __builtin_copysignf(x, y), __builtin_copysign(x, y))
// Just under a half: adding it never reaches the next integer too early.
UNARY(round, __builtin_truncf(x + __builtin_copysignf(0.49999997f, x)),
      __builtin_trunc(x + __builtin_copysign(0.49999999999999994, x)))

// One NaN loses against a number, and -0 counts as less than +0.
BINARY(fmin, x != x ? y : y != y ? x : __builtin_wasm_min_f32(x, y), x != x ? y : y != y ? x : __builtin_wasm_min_f64(x, y))
BINARY(fmax, x != x ? y : y != y ? x : __builtin_wasm_max_f32(x, y), x != x ? y : y != y ? x : __builtin_wasm_max_f64(x, y))
BINARY(fdim, x > y ? x - y : x != x || y != y ? x + y : 0, x > y ? x - y : x != x || y != y ? x + y : 0)
BINARY(maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y),
       fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y))
BINARY(minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y),
       fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y))

FN float fma(float x, float y, float z) { return __rt_fmaf(x, y, z); }
FN double fma(double x, double y, double z) { return __rt_fma(x, y, z); }
// The product is exact; the sum is rounded to odd, so that rounding it again to half is right.
FN half fma(half x, half y, half z) {
  double p = (double)x * (double)y, c = z, s = p + c, t = s - p, rest = (p - (s - t)) + (c - t);
  long bits = as_long(s);
  if (rest != 0 && rest == rest && !(bits & 1)) bits += (rest > 0) == (s > 0) ? 1 : -1;
  return (half)as_double(bits);
}
#define MAD(T)                                                                                                         \
  FN T mad(T x, T y, T z) { return x * y + z; }
FOR_FLOATS(MAD)

FN float ldexp(float x, int n) {
  n = n > 300 ? 300 : n < -300 ? -300 : n;
  return (float)((double)x * as_double((long)(n + 1023) << 52));
}
FN double ldexp(double x, int n) { return __rt_scalbn(x, n); }
FN half ldexp(half x, int n) {
  n = n > 60 ? 60 : n < -60 ? -60 : n;
  return (half)((double)x * as_double((long)(n + 1023) << 52));
}
#define ILOGB(T)                                                                                                       \
  FN int ilogb(T x) { return x != x ? FP_ILOGBNAN : __rt_ilogb((double)x); }
FOR_FLOATS(ILOGB)

FN float nextafter(float x, float y) { return __rt_nextafterf(x, y); }
FN double nextafter(double x, double y) { return __rt_nextafter(x, y); }
FN half nextafter(half x, half y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return as_half((short)(y > 0 ? 1 : 0x8001));
  return as_half((short)(as_short(x) + ((x < y) == (x > 0) ? 1 : -1)));
}
FN float nan(uint code) { return as_float(0x7fc00000u | (code & 0x3fffff)); }
FN double nan(ulong code) { return as_double(0x7ff8000000000000ul | (code & 0x7fffffffffffful)); }
FN half nan(ushort code) { return as_half((ushort)(0x7e00 | (code & 0x1ff))); }

// Powers.
#define NOT_POSITIVE(T, x, y)                                                                                          \
  (x < 0 || x != x || y != y || (x == 0 && y == 0) || (x == (T)INFINITY && y == 0) || (x == 1 && fabs(y) == (T)INFINITY))
BINARY(powr, NOT_POSITIVE(float, x, y) ? NAN : x == 0 ? (y > 0 ? 0.0f : INFINITY) : __rt_powf(x, y),
       NOT_POSITIVE(double, x, y) ? (double)NAN : x == 0 ? (y > 0 ? 0.0 : (double)INFINITY) : __rt_pow(x, y))
FN float pown(float x, int n) { return __rt_pownf(x, n); }
FN double pown(double x, int n) { return __rt_pow(x, (double)n); }
FN half pown(half x, int n) { return (half)__rt_pownf((float)x, n); }
FN float rootn(float x, int n) { return __rt_rootnf(x, n); }
FN double rootn(double x, int n) { return __rt_rootn(x, n); }
FN half rootn(half x, int n) { return (half)__rt_rootnf((float)x, n); }

// Functions with a second result.
#define PARTS(T, below_one)                                                                                            \
  FN T fract(T x, __generic T *whole) {                                                                                \
    T f = floor(x);                                                                                                    \
    *whole = f;                                                                                                        \
    if (x == 0 || fabs(x) == (T)INFINITY) return copysign((T)0, x);                                                    \
    return x - f > below_one ? below_one : x - f;                                                                      \
  }                                                                                                                    \
  FN T modf(T x, __generic T *whole) {                                                                                 \
    T t = trunc(x);                                                                                                    \
    *whole = t;                                                                                                        \
    return copysign(fabs(x) == (T)INFINITY ? (T)0 : x - t, x);                                                         \
  }                                                                                                                    \
  FN T frexp(T x, __generic int *exponent) {                                                                           \
    int e;                                                                                                             \
    T m = (T)__rt_frexp((double)x, &e);                                                                                \
    *exponent = e;                                                                                                     \
    return m;                                                                                                          \
  }                                                                                                                    \
  FN T sincos(T x, __generic T *c) {                                                                                   \
    T s = sin(x);                                                                                                      \
    *c = cos(x);                                                                                                       \
    return s;                                                                                                          \
  }                                                                                                                    \
  FN T lgamma_r(T x, __generic int *sign) {                                                                            \
    T f = floor(x);                                                                                                    \
    T half_f = f / 2;                                                                                                  \
    *sign = x == 0 || (x < 0 && f == x) ? 0 : x < 0 && half_f != floor(half_f) ? -1 : 1;                               \
    return lgamma(x);                                                                                                  \
  }                                                                                                                    \
  FN T remquo(T x, T y, __generic int *quotient) {                                                                     \
    int q;                                                                                                             \
    T rest = (T)__rt_remquo((double)x, (double)y, &q);                                                                 \
    *quotient = q < 0 ? -(-q & 0x7f) : q & 0x7f;                                                                       \
    return rest;                                                                                                       \
  }                                                                                                                    \
  FN T remainder(T x, T y) {                                                                                           \
    int q;                                                                                                             \
    return (T)__rt_remquo((double)x, (double)y, &q);                                                                   \
  }
PARTS(float, 0x1.fffffep-1f)
PARTS(double, 0x1.fffffffffffffp-1)
PARTS(half, (half)0x1.ffcp-1f)

// Less exact and fast functions may as well be exact.
#define QUICK(name)                                                                                                    \
  FN float half_##name(float x) { return name(x); }                                                                    \
  FN float native_##name(float x) { return name(x); }
QUICK(cos) QUICK(exp) QUICK(exp2) QUICK(exp10) QUICK(log) QUICK(log2) QUICK(log10) QUICK(rsqrt) QUICK(sin) QUICK(sqrt) QUICK(tan)
FN float half_powr(float x, float y) { return powr(x, y); }
FN float native_powr(float x, float y) { return powr(x, y); }
FN float half_divide(float x, float y) { return x / y; }
FN float native_divide(float x, float y) { return x / y; }
FN float half_recip(float x) { return 1.0f / x; }
FN float native_recip(float x) { return 1.0f / x; }
