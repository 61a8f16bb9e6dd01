// Inverse trigonometric functions in double precision. All of them are the arc tangent of a quotient of two sums.
#include "math-parts.h"

using namespace rt;

namespace {
// (atan t - t) / t³ in t², |t| <= 1/32
constexpr double ATAN[] = {-0.3333333333333333, 0.19999999999999263, -0.1428571427978524, 0.11111094442971396,
                           -0.09071778409524608};
// atan(i / 16)
constexpr dd SIXTEENTHS[17] = {
    {0.0, 0.0}, {0.06241880999595735, -1.5490756308295046e-18}, {0.12435499454676144, -3.1253241424539383e-18},
    {0.18534794999569476, 4.180692268843079e-18}, {0.24497866312686414, 1.0698755618734451e-17},
    {0.3028848683749714, -1.1010827903001369e-17}, {0.35877067027057225, -2.4623815582638635e-17},
    {0.4124104415973873, -1.587652227770689e-17}, {0.4636476090008061, 2.2698777452961687e-17},
    {0.5123894603107377, -2.5462781472855804e-17}, {0.5585993153435624, -5.4556305485916264e-18},
    {0.6022873461349642, 2.950430737228402e-17}, {0.6435011087932844, 1.5834785051444286e-17},
    {0.6823165548747481, 6.943223671560008e-18}, {0.7188299996216245, -2.1478388444456983e-17},
    {0.7531512809621944, -2.4256934659182068e-17}, {0.7853981633974483, 3.061616997868383e-17},
};
constexpr dd PI = {3.141592653589793, 1.2246467991473532e-16};
constexpr dd HALF_PI = {1.5707963267948966, 6.123233995736766e-17};

/** √(1 - a²) for 0 <= a <= 1. */
RT_PART dd other_leg(double a) { return root(multiply(two_sum(1, -a), two_sum(1, a))); }
/** The angle whose tangent is y / x, both not negative and not both zero, as a sum. */
RT_PART dd quadrant(dd y, dd x) {
  return y.hi <= x.hi ? __rt_arc_wide(y, x) : add(HALF_PI, negate(__rt_arc_wide(x, y)));
}
} // namespace

RT_COLD dd __rt_arc_wide(dd y, dd x) {
  dd a = divide(y, x);
  double n = __builtin_rint(a.hi * 16), b = n * 0.0625;
  // atan a = atan b + atan((a - b) / (1 + a b))
  dd t = a;
  if (n != 0) {
    dd p = two_product(a.hi, b);
    t = divide(fast_sum(a.hi - b, a.lo), fast_sum(1 + p.hi, (1 - (1 + p.hi)) + p.hi + p.lo + a.lo * b));
  }
  double z = t.hi * t.hi;
  return add(SIXTEENTHS[(int)n], {t.hi, t.lo + t.hi * z * horner(ATAN, z)});
}

RT_FN double __rt_atan(double x) {
  double a = abs(x);
  if (a < 0x1p-27 || x != x) return x;
  if (a > 0x1p60) return sign(1.5707963267948966, x);
  return sign(value(quadrant({a, 0}, {1, 0})), x);
}

RT_FN double __rt_atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  double a = abs(y), b = abs(x);
  bool left = bits(x) < 0;
  if (a == 0) return left ? sign(3.141592653589793, y) : y;
  if (a == INF && b == INF) return sign(left ? 2.356194490192345 : 0.7853981633974483, y);
  if (b == 0 || a == INF) return sign(1.5707963267948966, y);
  if (b == INF) return sign(left ? 3.141592653589793 : 0, y);
  double greater = a > b ? a : b;
  if (greater > 0x1p900 || greater < 0x1p-900) {
    double power = greater > 1 ? 0x1p-200 : 0x1p200;
    a *= power;
    b *= power;
    if (!left && a < b * 0x1p-60) return y / x;
  }
  if (a < b * 0x1p-60) return left ? sign(3.141592653589793, y) : y / x;
  if (b < a * 0x1p-60) return sign(1.5707963267948966, y);
  dd angle = quadrant({a, 0}, {b, 0});
  if (left) angle = add(PI, negate(angle));
  return sign(value(angle), y);
}

RT_FN double __rt_asin(double x) {
  double a = abs(x);
  if (a < 0x1p-27 || x != x) return x;
  return a > 1 ? NOT : sign(value(quadrant({a, 0}, other_leg(a))), x);
}

RT_FN double __rt_acos(double x) {
  double a = abs(x);
  if (!(a <= 1)) return NOT;
  dd angle = quadrant(other_leg(a), {a, 0});
  return value(x < 0 ? add(PI, negate(angle)) : angle);
}
