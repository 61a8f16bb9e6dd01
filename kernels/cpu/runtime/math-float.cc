// Single precision functions that kernels call most: no branches, so that the loop over work-items vectorises.
#include "math-near.h"

using namespace rt;

namespace {
constexpr float INFF = __builtin_inff();

// (e^r - 1 - r) / r² on |r| <= ln 2 / 2
constexpr float EXPF[] = {5.000000000e-01f, 1.666657627e-01f, 4.166655242e-02f, 8.363232948e-03f, 1.392625039e-03f};
// (2^r - 1) / r on |r| <= 1/2, and (10^r - 1) / r on |r| <= log10(2) / 2
constexpr float EXP2F[] = {6.931471825e-01f, 2.402265072e-01f, 5.550356582e-02f,
                           9.618082084e-03f, 1.339109382e-03f, 1.545336127e-04f};
constexpr float EXP10F[] = {2.302585125e+00f, 2.650949001e+00f, 2.034658909e+00f,
                            1.171249509e+00f, 5.417057276e-01f, 2.076641619e-01f};
// (ln(1 + f) - f + f²/2) / f³ on √½ - 1 … √2 - 1
constexpr float LOGF[] = {3.333333135e-01f,  -2.499999702e-01f, 2.000071555e-01f,  -1.666780263e-01f, 1.424905807e-01f,
                          -1.242568716e-01f, 1.168541983e-01f, -1.147973388e-01f, 6.971611828e-02f};
// -ln(erfc a) / a on 0 … 4
constexpr double ERF[] = {1.1283791658501854,     0.6366198946086729,     0.10277060070539759,   -0.019115446735263546,
                          -0.0002534537838366694, 0.0017866996716403372,  -0.0007096245911847826, 0.00013117197246892003,
                          3.3474430306704972e-06, -9.125737908325772e-06, 2.6549711464817353e-06, -4.0680774047704825e-07,
                          3.4107995293418677e-08, -1.2378728078448488e-09};

/** y · 2^k where k is the integer that `shifted` (an integer + SHIFTF) holds. */
RT_PART float scalef(float y, float shifted) {
  i32 k = bits(shifted) - SHIFTF_BITS, half = k >> 1;
  return y * power2f(half) * power2f(k - half);
}

} // namespace

RT_HOT float __rt_expf(float x) {
  float t = x > 89.0f ? 89.0f : x;
  t = t < -104.0f ? -104.0f : t;
  float shifted = t * 1.44269504f + SHIFTF, k = shifted - SHIFTF;
  float r = t - k * 0.693145751953125f - k * 1.42860677e-06f;
  return scalef(1.0f + (r + r * r * hornerf(EXPF, r)), shifted);
}

RT_HOT float __rt_exp2f(float x) {
  float t = x > 129.0f ? 129.0f : x;
  t = t < -151.0f ? -151.0f : t;
  float shifted = t + SHIFTF, r = t - (shifted - SHIFTF);
  return scalef(1.0f + r * hornerf(EXP2F, r), shifted);
}

RT_HOT float __rt_exp10f(float x) {
  float t = x > 39.0f ? 39.0f : x;
  t = t < -46.0f ? -46.0f : t;
  float shifted = t * 3.32192809f + SHIFTF, k = shifted - SHIFTF;
  float r = t - k * 0.301025390625f - k * 4.60503907e-06f;
  return scalef(1.0f + r * hornerf(EXP10F, r), shifted);
}

RT_HOT float __rt_logf(float x) {
  bool small = x < 1.17549435e-38f;
  i32 raw = bits(small ? x * 8388608.0f : x) - 0x3f3504f3;
  float k = (float)((raw >> 23) - (small ? 23 : 0)), f = makef((raw & 0x7fffff) + 0x3f3504f3) - 1.0f;
  float square = f * f;
  float y = f * square * hornerf(LOGF, f) + k * 1.42860677e-06f;
  y = k * 0.693145751953125f + (f + (y - 0.5f * square));
  y = x == 0 ? -INFF : y;
  y = x < 0 ? __builtin_nanf("") : y;
  return x < INFF ? y : x;
}

RT_HOT float __rt_log2f(float x) {
  float y = (float)log2_near((double)x);
  return x < 0 ? __builtin_nanf("") : y;
}

RT_HOT float __rt_log10f(float x) {
  float y = (float)(log2_near((double)x) * 0.30102999566398120);
  return x < 0 ? __builtin_nanf("") : y;
}

RT_HOT float __rt_powf(float x, float y) {
  float result = exp2_near((double)y * log2_near((double)x));
  float half = 0.5f * y;
  bool whole = y == __builtin_truncf(y), odd = whole && half != __builtin_truncf(half);
  result = bits(x) < 0 && odd ? -result : result;
  result = x < 0 && !whole && x > -INFF ? __builtin_nanf("") : result;
  result = __builtin_fabsf(x) == 1 && y - y != 0 && y == y ? 1.0f : result;
  return x == 1 || y == 0 ? 1.0f : result;
}

RT_HOT float __rt_tanhf(float x) {
  double a = abs((double)x), e = expm1_near(2 * (a > 10 ? 10 : a));
  float y = __builtin_copysignf((float)(e / (e + 2)), x);
  return a < 1e-4 ? x : y;
}

RT_HOT float __rt_erff(float x) {
  double a = abs((double)x);
  a = a > 4 ? 4 : a;
  double y = -expm1_near(-a * chains(ERF, a));
  return __builtin_copysignf((float)y, x);
}
