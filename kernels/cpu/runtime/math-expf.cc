// Hyperbolic functions and their kin, cube roots and the tails of the normal distribution in single precision, without branches.
#include "math-near.h"

using namespace rt;

namespace {
// The cube root on 1 … 8, within 0.5 %
constexpr double ROOT3[] = {0.6538962985569791, 0.4121814779629245, -0.06797280035500547, 0.0069891694835587225,
                            -0.0002882199346276574};
// (1 + 2x) e^(x²) erfc(x) in (x - 4) / (x + 4), 0 <= x <= 11
constexpr double ERFCX[] = {
    1.2329951189208188, -0.1396211373681427, 0.015379593787053265, 0.06809806492463319, -0.10103670089378695,
    0.0937201201396605, -0.06636484687610326, 0.03721348327666204, -0.016002144964977948, 0.005092426432461594,
    -0.0011006446361984264, -0.0006325814510421089,
};

/** erfc(x) within 2^-29, while it is no less than the least float. */
RT_PART double tail(double x) {
  double a = abs(x);
  a = a > 11 ? 11 : a;
  double y = exp_near(-a * a) * chains(ERFCX, (a - 4) / (a + 4)) / (1 + 2 * a);
  return x < 0 ? 2 - y : y;
}

struct cube {
  double mantissa; // 1 … 2
  i64 k;
};
/** The cube root of |x|, x a float that is not zero. */
RT_PART cube cube_root(float x) {
  i64 raw = bits(abs((double)x));
  double e = make((raw >> 52) + SHIFT_BITS) - SHIFT;
  // floor((e - 1023) / 3): the quotient is never within 1/6 of a whole number.
  double shifted = (e - 1023.5) * 0.3333333333333333 - 0.1666666666 + SHIFT;
  i64 k = bits(shifted) - SHIFT_BITS;
  double m = make(raw - (3 * k << 52)), y = horner(ROOT3, m);
  double c = y * y * y;
  y = y * (c + 2 * m) / (2 * c + m);
  c = y * y * y;
  return {y * (c + 2 * m) / (2 * c + m), k};
}
} // namespace

RT_HOT float __rt_expm1f(float x) {
  double t = x > 90 ? 90 : x;
  float y = (float)expm1_near(t < -100 ? -100 : t);
  return x == 0 ? x : y;
}

RT_HOT float __rt_sinhf(float x) {
  double a = abs((double)x), m = expm1_near(a > 95 ? 95 : a);
  return __builtin_copysignf((float)(0.5 * (m + m / (m + 1))), x);
}

RT_HOT float __rt_coshf(float x) {
  double a = abs((double)x), e = exp_near(a > 95 ? 95 : a);
  return (float)(0.5 * (e + 1 / e));
}

RT_HOT float __rt_log1pf(float x) {
  float y = (float)log1p_near(x);
  return x < -1 ? __builtin_nanf("") : x == 0 ? x : y;
}

RT_HOT float __rt_asinhf(float x) {
  double a = abs((double)x), z = a * a;
  float y = __builtin_copysignf((float)log1p_near(a + z / (1 + __builtin_sqrt(1 + z))), x);
  return a < INF ? y : x;
}

RT_HOT float __rt_acoshf(float x) {
  double t = (double)x - 1;
  float y = (float)log1p_near(t + __builtin_sqrt(t * (t + 2)));
  return t < 0 ? __builtin_nanf("") : y;
}

RT_HOT float __rt_atanhf(float x) {
  double a = abs((double)x);
  float y = __builtin_copysignf((float)(0.5 * log1p_near(2 * a / (1 - a))), x);
  return a > 1 ? __builtin_nanf("") : y;
}

RT_HOT float __rt_cbrtf(float x) {
  cube r = cube_root(x);
  float y = __builtin_copysignf((float)(r.mantissa * power2(r.k)), x);
  return x == 0 || x - x != 0 ? x : y;
}

RT_HOT float __rt_rcbrtf(float x) {
  cube r = cube_root(x);
  float y = __builtin_copysignf((float)(power2(-r.k) / r.mantissa), x);
  return x == 0 || x - x != 0 ? 1 / x : y;
}

RT_HOT float __rt_erfcf(float x) { return (float)tail(x); }

RT_HOT float __rt_normcdff(float x) { return (float)(0.5 * tail((double)x * -0.7071067811865476)); }
