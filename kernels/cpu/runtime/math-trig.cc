// Trigonometric functions in double precision.
#include "math-parts.h"

using namespace rt;

namespace {
// (sin r - r) / r³ and (cos r - 1 + r²/2) / r⁴ in r², |r| <= π/4
constexpr double SIN[] = {-0.16666666666666666,  0.008333333333330925,    -0.00019841269836722418,
                          2.755731608381636e-06, -2.5051127944014188e-08, 1.5917848524808262e-10};
constexpr double COS[] = {0.041666666666666664,    -0.0013888888888887382, 2.480158729874307e-05,
                          -2.7557317260008837e-07, 2.0876143827993133e-09, -1.1382456778061306e-11};
constexpr dd HALF_PI = {1.5707963267948966, 6.123233995736766e-17};
constexpr dd PI = {3.141592653589793, 1.2246467991473532e-16};

// The binary digits of 2/π, after 64 zeros
constexpr u32 TWO_BY_PI[] = {
    0, 0,
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a,
    0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
    0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf,
    0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
    0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d,
};

struct angle {
  dd rest; // |rest| <= π/4
  i64 quarters;
};

/** Any x of 2^20 or more: the window of 2/π that decides x · 2/π modulo 4 and 128 bits behind its point. */
__attribute__((noinline)) angle reduce_huge(double x) {
  u64 raw = (u64)bits(x), m = (raw & 0xfffffffffffff) | 0x10000000000000;
  int e = (int)((raw >> 52) & 0x7ff) - 1075; // |x| = m · 2^e
  // Digits that weigh 4 and more in m · 2^e · 2/π are left out, so the window starts behind binary digit e - 2 (+ 64).
  int first = e + 62, word = first >> 5, shift = first & 31;
  u32 w[6];
  for (int i = 0; i < 6; i++) {
    u64 two = (u64)TWO_BY_PI[word + i] << 32 | TWO_BY_PI[word + i + 1];
    w[i] = (u32)(two >> (32 - shift));
  }
  // m · window modulo 2^192 is the number of quarter turns modulo 4, times 2^190.
  u64 low = m & 0xffffffff, top = m >> 32, carry = 0;
  u32 p[6];
  for (int i = 5; i >= 0; i--) {
    u64 t = carry + low * w[i];
    u64 s = (i < 5 ? top * w[i + 1] : 0);
    u64 sum = (t & 0xffffffff) + (s & 0xffffffff);
    p[i] = (u32)sum;
    carry = (t >> 32) + (s >> 32) + (sum >> 32);
  }
  u64 a = (u64)p[0] << 32 | p[1], b = (u64)p[2] << 32 | p[3], c = (u64)p[4] << 32 | p[5];
  i64 quarters = (i64)(a >> 62);
  a = a << 2 | b >> 62;
  b = b << 2 | c >> 62;
  bool above = a >> 63; // nearer to the next quarter: take 1 away
  if (above) {
    quarters++;
    a = ~a;
    b = ~b;
  }
  // 128 bits after the point, in pieces that a double holds exactly
  double f0 = (double)(a >> 32) * 0x1p-32, f1 = (double)(a & 0xffffffff) * 0x1p-64;
  double f2 = (double)(b >> 32) * 0x1p-96, f3 = (double)(b & 0xffffffff) * 0x1p-128;
  dd f = fast_sum(f0, f1), g = fast_sum(f2, f3);
  f = add(f, g);
  dd r = multiply(f, HALF_PI);
  if (above) r = negate(r);
  if (bits(x) < 0) return {negate(r), -quarters};
  return {r, quarters};
}

RT_PART angle reduce(double x) {
  if (!(abs(x) < 0x1p20)) return abs(x) < INF ? reduce_huge(x) : angle{{x - x, 0}, 0};
  double shifted = x * 0.6366197723675814 + SHIFT, n = shifted - SHIFT;
  // π/2 in parts of 33 bits, whose products with n are exact
  dd r = two_sum(x - n * 0x1.921fb544p+0, -(n * 0x1.0b4611a6p-34));
  dd s = two_sum(r.hi, -(n * 0x1.3198a2ep-69));
  return {fast_sum(s.hi, (s.lo + r.lo) - n * 0x1.b839a252049c1p-104), bits(shifted) - SHIFT_BITS};
}

/** Of πx, |x| < 2^52. */
RT_PART angle reduce_pi(double x) {
  double shifted = x + x;
  double n = __builtin_rint(shifted);
  i64 quarters = (i64)(n - 4 * __builtin_floor(n * 0.25));
  return {multiply(PI, x - 0.5 * n), quarters};
}

/** The sine and cosine of r as sums; for one of them rounded, `value` adds the parts. */
RT_PART dd sine(dd r) {
  double z = r.hi * r.hi;
  return {r.hi, r.lo * (1 - 0.5 * z) + r.hi * z * horner(SIN, z)};
}
RT_PART dd cosine(dd r) {
  double z = r.hi * r.hi, half = 0.5 * z, w = 1 - half;
  return {w, ((1 - w) - half) + (z * z * horner(COS, z) - r.hi * r.lo)};
}
/** A more exact cosine, for quotients: its square is rounded only once. */
RT_PART dd cosine_wide(dd r) {
  dd z = two_product(r.hi, r.hi);
  dd w = fast_sum(1, -0.5 * z.hi);
  return {w.hi, w.lo - 0.5 * z.lo + (z.hi * z.hi * horner(COS, z.hi) - r.hi * r.lo)};
}
RT_PART double turned_sine(angle a) {
  double y = a.quarters & 1 ? value(cosine(a.rest)) : value(sine(a.rest));
  return a.quarters & 2 ? -y : y;
}
RT_PART double turned_cosine(angle a) { return turned_sine({a.rest, a.quarters + 1}); }
} // namespace

RT_FN double __rt_sin(double x) { return abs(x) < 0x1p-27 ? x : turned_sine(reduce(x)); }

RT_FN double __rt_cos(double x) { return turned_cosine(reduce(x)); }

RT_FN void __rt_sincos(double x, double *s, double *c) {
  angle a = reduce(x);
  *s = abs(x) < 0x1p-27 ? x : turned_sine(a);
  *c = turned_cosine(a);
}

RT_FN double __rt_tan(double x) {
  if (abs(x) < 0x1p-27) return x;
  angle a = reduce(x);
  dd s = sine(a.rest), c = cosine_wide(a.rest);
  s = fast_sum(s.hi, s.lo);
  c = fast_sum(c.hi, c.lo);
  return a.quarters & 1 ? -value(divide(c, s)) : value(divide(s, c));
}

RT_FN double __rt_sinpi(double x) {
  if (!(abs(x) < 0x1p52)) return abs(x) < INF ? 0 * x : x - x;
  if (x == __builtin_rint(x)) return 0 * x;
  if (abs(x) < 0x1p-30) return abs(x) < 0x1p-900 ? x * 3.141592653589793 : value(multiply(PI, x));
  return turned_sine(reduce_pi(x));
}

RT_FN double __rt_cospi(double x) {
  if (!(abs(x) < 0x1p53)) return abs(x) < INF ? 1 : x - x;
  if (abs(x) >= 0x1p52) return (i64)x & 1 ? -1 : 1;
  double y = turned_cosine(reduce_pi(x));
  return y == 0 ? 0 : y;
}

RT_FN void __rt_sincospi(double x, double *s, double *c) {
  *s = __rt_sinpi(x);
  *c = __rt_cospi(x);
}
