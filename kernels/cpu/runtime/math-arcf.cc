// Inverse trigonometric functions in single precision, without branches.
#include "math-near.h"

using namespace rt;

namespace {
// (atan a - a) / a³ in a², 0 <= a <= 1
constexpr double ATAN[] = {
    -0.3333333332694414, 0.19999998154086215, -0.14285624891483525, 0.11109392308322223, -0.09073553118976409,
    0.0758665283364667, -0.06246315194128317, 0.047294798621813336, -0.02991311194551696, 0.014072923344697239,
    -0.0042216579909296476, 0.0005930437556365282,
};
// (asin a - a) / a³ in a², 0 <= a <= 1/2
constexpr double ASIN[] = {
    0.16666666666738927, 0.07499999953258117, 0.044642906636416894, 0.030379939464357363, 0.02241251693593384,
    0.01690176112688145, 0.01686881267929702, 0.0010549948438043743, 0.028360143945785232,
};
constexpr double PI = 3.141592653589793, HALF_PI = 1.5707963267948966;

RT_PART double arc_tangent(double a) {
  double z = a * a;
  return a + a * z * chains(ATAN, z);
}
struct half_arc {
  double angle; // asin a, or half of acos a where a > 1/2
  bool half;
};
RT_PART half_arc arc_sine(double a) {
  bool half = a > 0.5;
  double z = half ? 0.5 * (1 - a) : a * a, s = half ? __builtin_sqrt(z) : a;
  return {s + s * z * chains(ASIN, z), half};
}
} // namespace

RT_HOT float __rt_atanf(float x) {
  double a = abs((double)x);
  bool great = a > 1;
  double t = arc_tangent(great ? 1 / a : a);
  return __builtin_copysignf((float)(great ? HALF_PI - t : t), x);
}

RT_HOT float __rt_atan2f(float y, float x) {
  double a = abs((double)y), b = abs((double)x);
  bool steep = a > b;
  double least = steep ? b : a, most = steep ? a : b;
  // Two zeros are an angle of 0, two infinities one of π/4.
  double equal = most == 0 ? 0 : 1, t = arc_tangent(least == most ? equal : least / most);
  t = steep ? HALF_PI - t : t;
  t = bits(x) < 0 ? PI - t : t;
  return __builtin_copysignf((float)t, y);
}

RT_HOT float __rt_asinf(float x) {
  half_arc h = arc_sine(abs((double)x));
  return __builtin_copysignf((float)(h.half ? HALF_PI - 2 * h.angle : h.angle), x);
}

RT_HOT float __rt_acosf(float x) {
  half_arc h = arc_sine(abs((double)x));
  double whole = 2 * h.angle, rest = x < 0 ? -h.angle : h.angle;
  return (float)(h.half ? (x < 0 ? PI - whole : whole) : HALF_PI - rest);
}
