// Roots and norms.
#include "math-parts.h"

using namespace rt;

namespace {
// The cube root on 1 … 8
constexpr double ROOT3[] = {0.6538962985569791, 0.4121814779629245, -0.06797280035500547, 0.0069891694835587225,
                            -0.0002882199346276574};

/** A norm is root · 2^k. */
struct length {
  dd root;
  i64 k;
};

/** The length of a vector; {0 or ∞ or NaN} as it is. */
template <class T> RT_PART length measure(int n, const T *p) {
  double greatest = 0;
  bool infinite = false, none = false;
  for (int i = 0; i < n; i++) {
    double a = abs((double)p[i]);
    greatest = a > greatest ? a : greatest;
    infinite |= a == INF;
    none |= a != a;
  }
  if (infinite || none || greatest == 0) return {{infinite ? INF : none ? NOT : 0, 0}, 0};
  // Keep the squares and their errors inside the range.
  i64 k = greatest > 0x1p300 ? 700 : greatest < 0x1p-300 ? -700 : 0;
  dd sum = {0, 0};
  for (int i = 0; i < n; i++) {
    double x = (double)p[i] * power2(-k);
    if (abs(x) > greatest * power2(-k) * 0x1p-60) sum = add(sum, two_product(x, x));
  }
  return {root(sum), k};
}
RT_PART double norm_of(length l) { return l.root.hi > 0 && l.root.hi < INF ? scale(l.root.hi, l.root.lo, l.k) : l.root.hi; }
RT_PART double reciprocal_of(length l) {
  if (!(l.root.hi > 0 && l.root.hi < INF)) return 1 / l.root.hi;
  dd y = divide({1, 0}, l.root);
  return scale(y.hi, y.lo, -l.k);
}

/** The cube root of a finite x that is not zero: mantissa · 2^k. */
RT_PART scaled cube_root(double x) {
  double a = abs(x);
  i64 k = 0;
  if (a < TINY) {
    a *= 0x1p54;
    k = -18;
  }
  i64 third = ((bits(a) >> 52) - 1023 + 3072) / 3 - 1024; // floor
  double m = make(bits(a) - (3 * third << 52));             // 1 … 8
  double y = horner(ROOT3, m);                              // within 0.5 %, then 10^-7, then rounded
  for (int i = 0; i < 2; i++) {
    double cube = y * y * y;
    y = y * (cube + 2 * m) / (2 * cube + m);
  }
  dd square = two_product(y, y), cube = multiply(square, y);
  double rest = ((m - cube.hi) - cube.lo) / (3 * square.hi);
  dd s = fast_sum(y, rest);
  return {x < 0 ? negate(s) : s, k + third};
}
} // namespace

RT_HOT double __rt_rsqrt(double x) {
  // Products must neither overflow nor lose their lower halves.
  bool small = x < 0x1p-900, great = x > 0x1p900;
  double v = x * (small ? 0x1p200 : great ? 0x1p-200 : 1), s = __builtin_sqrt(v), y = 1 / s;
  // 1/√v = y (1 + (1 - s y) - (v - s²) / (2 s²))
  dd square = two_product(s, s), one = two_product(s, y);
  double rest = ((v - square.hi) - square.lo) * y * 0.5;
  double better = y + y * (((1 - one.hi) - one.lo) - rest * y);
  y = v > 0 && v < INF ? better : y;
  return y * (small ? 0x1p100 : great ? 0x1p-100 : 1);
}

RT_FN double __rt_cbrt(double x) {
  if (x == 0 || x - x != 0) return x;
  scaled r = cube_root(x);
  return value(r.mantissa) * power2(r.k);
}

RT_FN double __rt_rcbrt(double x) {
  if (x == 0 || x - x != 0) return 1 / x;
  scaled r = cube_root(x);
  return value(divide({1, 0}, r.mantissa)) * power2(-r.k);
}

RT_HOT float __rt_hypotf(float x, float y) {
  double a = x, b = y;
  float r = (float)__builtin_sqrt(a * a + b * b);
  return abs(a) == INF || abs(b) == INF ? __builtin_inff() : r;
}

RT_FN double __rt_norm(int n, const double *p) { return norm_of(measure(n, p)); }
RT_FN double __rt_rnorm(int n, const double *p) { return reciprocal_of(measure(n, p)); }
RT_FN float __rt_normf(int n, const float *p) { return (float)norm_of(measure(n, p)); }
RT_FN float __rt_rnormf(int n, const float *p) { return (float)reciprocal_of(measure(n, p)); }

RT_FN double __rt_hypot(double x, double y) {
  double v[] = {x, y};
  return __rt_norm(2, v);
}
RT_FN double __rt_rhypot(double x, double y) {
  double v[] = {x, y};
  return __rt_rnorm(2, v);
}
RT_FN double __rt_norm3d(double x, double y, double z) {
  double v[] = {x, y, z};
  return __rt_norm(3, v);
}
RT_FN double __rt_rnorm3d(double x, double y, double z) {
  double v[] = {x, y, z};
  return __rt_rnorm(3, v);
}
RT_FN double __rt_norm4d(double x, double y, double z, double w) {
  double v[] = {x, y, z, w};
  return __rt_norm(4, v);
}
RT_FN double __rt_rnorm4d(double x, double y, double z, double w) {
  double v[] = {x, y, z, w};
  return __rt_rnorm(4, v);
}
