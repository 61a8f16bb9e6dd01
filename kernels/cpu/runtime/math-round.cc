// Remainders, and the parts of floating-point numbers. All of these are exact.
#include "math-parts.h"

using namespace rt;

namespace {
struct digits {
  u64 mantissa;
  i64 exponent;
};
RT_PART digits split(double x) { // x positive
  i64 e = bits(x) >> 52;
  u64 m = (u64)bits(x) & 0xfffffffffffff;
  return e ? digits{m | 0x10000000000000, e - 1075} : digits{m, -1074};
}

struct division {
  double rest;
  u64 quotient; // its low bits
};
/** a modulo b, both positive and finite. */
__attribute__((noinline)) division divide_whole(double a, double b) {
  if (a < b) return {a, 0};
  digits x = split(a), y = split(b);
  u64 r = x.mantissa % y.mantissa, q = x.mantissa / y.mantissa;
  for (i64 left = x.exponent - y.exponent; left > 0;) {
    i64 n = left > 11 ? 11 : left;
    u64 shifted = r << n;
    q = (q << n) + shifted / y.mantissa;
    r = shifted % y.mantissa;
    left -= n;
  }
  return {scale((double)r, y.exponent), q};
}
/** The exponent of a finite x that is not zero: 1 <= |x| / 2^e < 2. */
RT_PART i64 exponent_of(double x) {
  i64 e = bits(x) >> 52 & 0x7ff;
  return e ? e - 1023 : (bits(x * 0x1p54) >> 52 & 0x7ff) - 1077;
}
} // namespace

RT_FN double __rt_fmod(double x, double y) {
  double a = abs(x), b = abs(y);
  if (!(a < INF) || b == 0 || y != y) return NOT;
  if (a < b) return x;
  return sign(divide_whole(a, b).rest, x);
}

RT_FN float __rt_fmodf(float x, float y) {
  double a = abs((double)x), b = abs((double)y), q = __builtin_trunc(a / b);
  if (!(q < 0x1p28 && b < INF)) return (float)__rt_fmod(x, y);
  double r = a - q * b; // q b is exact; q may be one too great
  return __builtin_copysignf((float)(r < 0 ? r + b : r), x);
}

RT_FN double __rt_remquo(double x, double y, int *quotient) {
  double a = abs(x), b = abs(y);
  *quotient = 0;
  if (!(a < INF) || b == 0 || y != y) return NOT;
  if (b == INF || a == 0) return x;
  division d = divide_whole(a, b);
  double up = b - d.rest;
  if (d.rest > up || (d.rest == up && (d.quotient & 1))) {
    d.rest = -up;
    d.quotient++;
  }
  int low = (int)(d.quotient & 0x7fffffff);
  *quotient = (bits(x) ^ bits(y)) < 0 ? -low : low;
  return d.rest == 0 ? sign(0, x) : x < 0 ? -d.rest : d.rest;
}

RT_FN double __rt_remainder(double x, double y) {
  int quotient;
  return __rt_remquo(x, y, &quotient);
}

RT_FN double __rt_frexp(double x, int *e) {
  *e = 0;
  if (x == 0 || x - x != 0) return x;
  i64 k = exponent_of(x) + 1;
  *e = (int)k;
  return scale(x, -k);
}

RT_FN double __rt_logb(double x) {
  if (x == 0) return -INF;
  return x - x != 0 ? x * x : (double)exponent_of(x);
}

RT_FN int __rt_ilogb(double x) {
  if (x == 0 || x != x) return -0x7fffffff - 1;
  return abs(x) == INF ? 0x7fffffff : (int)exponent_of(x);
}

RT_FN double __rt_scalbn(double x, int n) {
  for (int i = 0; i < 2 && n > 1023; i++) {
    x *= 0x1p1023;
    n -= 1023;
  }
  // 53 places are kept above the denormals, so that only the last product rounds.
  for (int i = 0; i < 2 && n < -1022; i++) {
    x *= 0x1p-969;
    n += 969;
  }
  return x * power2(n > 1023 ? 1023 : n < -1022 ? -1022 : n);
}

RT_FN double __rt_nextafter(double x, double y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return sign(make(1), y);
  return make(bits(x) + ((x < y) == (x > 0) ? 1 : -1));
}

RT_FN float __rt_nextafterf(float x, float y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return __builtin_copysignf(makef(1), y);
  return makef(bits(x) + ((x < y) == (x > 0) ? 1 : -1));
}
