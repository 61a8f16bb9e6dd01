// Functions that OpenCL C has and CUDA has not.
#include "math-near.h"

using namespace rt;

namespace {
// 1/π in two parts
constexpr double INVERSE_PI = 0.3183098861837907;
constexpr double INVERSE_PI_LOW = -1.9678676675182486e-17;
} // namespace

RT_FN double __rt_over_pi(double x) {
  if (!(abs(x) > 0x1p-900)) return x * INVERSE_PI;
  dd p = two_product(x, INVERSE_PI);
  return p.hi + (p.lo + x * INVERSE_PI_LOW);
}

RT_HOT float __rt_pownf(float x, int n) {
  float y = exp2_near(n * log2_near((double)x));
  y = n & 1 ? __builtin_copysignf(y, x) : y;
  return n == 0 ? 1.0f : y;
}

RT_HOT float __rt_rootnf(float x, int n) {
  float y = exp2_near(log2_near((double)x) / n);
  y = n & 1 ? __builtin_copysignf(y, x) : y;
  return n == 0 || (x < 0 && !(n & 1)) ? __builtin_nanf("") : y;
}

RT_FN double __rt_rootn(double x, int n) {
  double a = abs(x), one = n & 1 ? sign(1, x) : 1;
  if (x != x || n == 0 || (x < 0 && !(n & 1))) return NOT;
  if (a == 0 || a == INF) return (a == 0) == (n < 0) ? one * INF : one * 0.0;
  scaled e = __rt_exp_wide(divide(__rt_log_wide({a, 0}), {(double)n, 0}));
  return one * scale(e.mantissa.hi, e.mantissa.lo, e.k);
}
