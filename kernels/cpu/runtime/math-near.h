// Logarithm and exponentials in double precision, exact enough for float functions, without branches.
#pragma once
#include "math-parts.h"

namespace rt {
/** c[0] + c[1] x + … in two interleaved chains: shorter to wait for than Horner's one, a little less exact. */
template <int N> RT_PART double chains(const double (&c)[N], double x) {
  double z = x * x, even = c[(N - 1) & ~1], odd = c[(N - 2) | 1];
  for (int i = ((N - 1) & ~1) - 2; i >= 0; i -= 2) even = even * z + c[i];
  for (int i = ((N - 2) | 1) - 2; i >= 0; i -= 2) odd = odd * z + c[i];
  return even + x * odd;
}

// 2 atanh(s) / (s ln 2) in s², |s| <= (√2 - 1) / (√2 + 1)
constexpr double NEAR_LOG2[] = {2.88539008177785,   0.9617966941132127, 0.5770779423594591,
                           0.412209256786155, 0.3199053739227617, 0.2829066165906811};
// (2^r - 1) / r on |r| <= 1/2, and (e^r - 1) / r on |r| <= ln 2 / 2
constexpr double NEAR_EXP2[] = {0.6931471805567823,    0.24022650695888154,    0.05550410906806735,   0.009618129135569293,
                           0.0013333477833756698, 0.00015403474743184252, 1.530390509058455e-05, 1.3250947111387495e-06};
constexpr double NEAR_EXPM1[] = {0.999999999995473,    0.4999999999995475,    0.16666666787028753,    0.04166666678698556,
                            0.008333283339034426, 0.0013888838910996056, 0.00019907702175735054, 2.4868002978056962e-05};

/** log2 |x| within 2^-40, for a zero or normal x, such as every float is. */
RT_PART double log2_near(double value) {
  double x = abs(value);
  i64 raw = bits(x) - 0x3fe6a09e667f3bcd; // √½
  double k = make((raw >> 52) + SHIFT_BITS) - SHIFT;
  double m = make((raw & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
  double s = (m - 1) / (m + 1);
  double y = k + s * horner(NEAR_LOG2, s * s);
  y = x == 0 ? -INF : y;
  return x < INF ? y : x; // infinity and NaN stay
}

/** 2^t as a float, for any t. */
RT_PART float exp2_near(double t) {
  t = t > 200 ? 200 : t;
  t = t < -200 ? -200 : t;
  double shifted = t + SHIFT, r = t - (shifted - SHIFT);
  return (float)((1 + r * chains(NEAR_EXP2, r)) * make((bits(shifted) - SHIFT_BITS + 1023) << 52));
}

/** e^t - 1 in double, about 2^-38 of the result; |t| <= 600. */
RT_PART double expm1_near(double t) {
  double shifted = t * 1.4426950408889634 + SHIFT, k = shifted - SHIFT;
  double r = t - k * 0.6931471805599453, two = make((bits(shifted) - SHIFT_BITS + 1023) << 52);
  return two * (r * chains(NEAR_EXPM1, r)) + (two - 1);
}
/** e^t within 2^-37, |t| <= 600. */
RT_PART double exp_near(double t) {
  double shifted = t * 1.4426950408889634 + SHIFT, r = t - (shifted - SHIFT) * 0.6931471805599453;
  return (1 + r * chains(NEAR_EXPM1, r)) * make((bits(shifted) - SHIFT_BITS + 1023) << 52);
}
/** ln(1 + v) within 2^-36, v >= -1. */
RT_PART double log1p_near(double v) {
  double y = 0.6931471805599453 * log2_near(1 + v);
  return abs(v) < 0x1p-10 ? v - v * v * (0.5 - v * (0.3333333333333333 - v * 0.25)) : y;
}
} // namespace rt
