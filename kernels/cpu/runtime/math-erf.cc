// The error function, its complement, their inverses, and the normal distribution.
#include "math-parts.h"

using namespace rt;

namespace {
// erf(x) / x - 1 in x², 0 <= x <= 1
constexpr double ERF[] = {
    0.1283791670955126, -0.3761263890318375, 0.11283791670954879, -0.026866170645076792, 0.0052239776248180145,
    -0.000854832698083379, 0.0001205533111164271, -1.4925595266831182e-05, 1.6461000484121368e-06,
    -1.6350312701054695e-07, 1.4659775274047436e-08, -1.1372848856791674e-09, 5.957176147748911e-11,
};
// (1 + 2x) e^(x²) erfc(x) in (x - 4) / (x + 4), x >= 0
constexpr double ERFCX[] = {
    1.2329951186255526, -0.13962111684056228, 0.015379652102619974, 0.06809705425466839, -0.10103906603631811,
    0.09373283499911264, -0.06633036581186058, 0.037167515526338006, -0.01619773406293477, 0.005031970069102256,
    -0.0007577732435942576, -0.0001992571524726518, 0.00015062142608651945, -2.4397731143023292e-05,
    -1.1221135665965907e-05, 5.70657829924074e-06, 2.9173425573089733e-07, -8.210647933297337e-07,
    7.771943241086912e-08, 1.0631817593818149e-07, -2.0725802488181963e-08, -1.2338731403798444e-08,
    3.2323973445082033e-09, 9.297625263709659e-10, -2.764120233734578e-10,
};
// erf⁻¹(x) / x in x², |x| <= 1/2
constexpr double ERFINV[] = {
    0.8862269254130788, 0.23201368678250692, 0.12755449232856292, 0.08660497242094146, 0.06415417504246333,
    0.058276166541313165, 0.01439473898747348, 0.09535305923161554,
};
// erfc⁻¹(e^(-s²)) on 0.83 … 2.25 … 6 … 27.4, within 10^-9
constexpr double TAIL0[] = {
    -0.006110493832925798, 0.07168287232877874, 0.5034620444771574, 1.2202938247255328, -2.991778620778813,
    3.569574119647608, -2.8576767557653846, 1.658628597420137, -0.713493001704364, 0.22660570511044362,
    -0.05182467018123778, 0.008091561600486404, -0.000773185367496358, 3.413953677966586e-05,
};
constexpr double TAIL1[] = {
    -0.043030419184958514, 0.020484889048942714, 1.2502155373079773, -0.9374482708064386, 0.4895735219400448,
    -0.18821281547634736, 0.05451445378130386, -0.011985216323192122, 0.001992283224632713, -0.00024657111586511243,
    2.203502590390755e-05, -1.3442097097814262e-06, 5.010682788988255e-08, -8.61125029869498e-10,
};
constexpr double TAIL2[] = {
    -0.5092202986541315, 1.1235620132285953, -0.0244089720324886, 0.0036823234886895146, -0.00042536318560491664,
    3.793410711168102e-05, -2.625475053659929e-06, 1.4110148390638989e-07, -5.859342102585331e-09,
    1.858186192197335e-10, -4.407819799475121e-12, 7.553321571710146e-14, -8.807903224023779e-16,
    6.234513663059143e-18, -2.013351600100738e-20,
};

constexpr double HALF_ROOT_PI = 0.8862269254527580;
constexpr double ROOT2 = 1.4142135623730951;

/** e^(x²) erfc(x) for x >= 0. */
RT_PART double scaled_tail(double x) { return horner(ERFCX, (x - 4) / (x + 4)) / (1 + 2 * x); }

/** factor · erfc(hi + lo) for 0.25 <= hi < 40, factor = 2^power. */
double tail(double hi, double lo, i64 power) {
  dd square = two_product(hi, hi);
  scaled e = __rt_exp_wide(fast_sum(-square.hi, -square.lo - 2 * hi * lo));
  double y = scaled_tail(hi);
  return scale(e.mantissa.hi * y + e.mantissa.lo * y, e.k + power);
}

/** erfc⁻¹(p) for 0 < p <= 1/2. */
double tail_inverse(double p) {
  double l = __rt_log(p), s = __builtin_sqrt(-l);
  double y = s < 2.25 ? horner(TAIL0, s) : s < 6 ? horner(TAIL1, s) : horner(TAIL2, s);
  // A step of Newton's rule for ln erfc(y) = ln p.
  double e = scaled_tail(y);
  dd square = two_product(y, y);
  double miss = (__rt_log(e) - (square.hi + l)) - square.lo;
  return y + miss * e * HALF_ROOT_PI;
}
} // namespace

RT_FN double __rt_erf(double x) {
  double a = abs(x);
  if (!(a >= 1)) return x + x * horner(ERF, x * x);
  return sign(a > 6 ? 1 : 1 - tail(a, 0, 0), x);
}

RT_FN double __rt_erfc(double x) {
  if (x < 0.5) return x < -6 ? 2 : 1 - __rt_erf(x);
  if (x != x) return x;
  return x > 28 ? 0 : tail(x, 0, 0);
}

RT_FN double __rt_erfcx(double x) {
  if (x != x) return x;
  if (abs(x) < 0.5) return __rt_exp(x * x) * (1 - __rt_erf(x));
  if (x > 0) return x > 1e9 ? 0.5641895835477563 / x : scaled_tail(x);
  if (x < -27) return INF;
  dd square = two_product(x, x);
  scaled e = __rt_exp_wide(square);
  double y = scaled_tail(-x);
  return e.k > 60 ? scale(e.mantissa.hi, e.mantissa.lo, e.k + 1)
                  : 2 * power2(e.k) * e.mantissa.hi - (y - 2 * power2(e.k) * e.mantissa.lo);
}

RT_FN double __rt_erfinv(double x) {
  double a = abs(x);
  if (!(a < 1)) return a == 1 ? sign(INF, x) : NOT;
  if (a > 0.5) return sign(tail_inverse(1 - a), x);
  double y = x * horner(ERFINV, x * x);
  return y - (__rt_erf(y) - x) * HALF_ROOT_PI * __rt_exp(y * y);
}

RT_FN double __rt_erfcinv(double p) {
  if (!(p > 0 && p < 2)) return p == 0 ? INF : p == 2 ? -INF : NOT;
  if (p <= 0.5) return tail_inverse(p);
  return p < 1.5 ? __rt_erfinv(1 - p) : -tail_inverse(2 - p);
}

RT_FN double __rt_normcdf(double x) {
  if (x != x) return x;
  if (x < -39) return 0;
  if (x > 9) return 1;
  dd h = multiply({0.7071067811865476, -4.833646656726457e-17}, -x);
  return h.hi < 0.5 ? 0.5 * __rt_erfc(h.hi) : tail(h.hi, h.lo, -1);
}

RT_FN double __rt_normcdfinv(double p) {
  if (!(p > 0 && p < 1)) return p == 0 ? -INF : p == 1 ? INF : NOT;
  if (p <= 0.25) return -ROOT2 * tail_inverse(2 * p);
  return ROOT2 * (p < 0.75 ? __rt_erfinv(2 * p - 1) : tail_inverse(2 * (1 - p)));
}
