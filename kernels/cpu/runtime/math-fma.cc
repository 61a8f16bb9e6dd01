// Fused multiply-add, and sums, products, quotients and roots in every rounding direction.
#include "math-parts.h"

using namespace rt;

namespace {
enum mode : i32 { NEAREST, ZERO, UP, DOWN };

struct wide {
  u64 hi, lo;
};
/** x >> n, with a lowest bit that tells whether anything was lost. */
RT_PART wide shift_sticky(wide x, i64 n) {
  if (n <= 0) return x;
  if (n > 127) return {0, (x.hi | x.lo) != 0};
  bool lost;
  if (n >= 64) {
    lost = x.lo != 0 || (n > 64 && x.hi << (128 - n) != 0);
    x = {0, n == 64 ? x.hi : x.hi >> (n - 64)};
  } else {
    lost = x.lo << (64 - n) != 0;
    x = {x.hi >> n, x.lo >> n | x.hi << (64 - n)};
  }
  return {x.hi, x.lo | lost};
}
RT_PART wide shift_left(wide x, i64 n) {
  if (n >= 64) return {x.lo << (n - 64), 0};
  return n == 0 ? x : wide{x.hi << n | x.lo >> (64 - n), x.lo << n};
}
RT_PART wide product(u64 a, u64 b) {
  u64 al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
  u64 low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + (mid & 0xffffffff);
  return {ah * bh + (mid >> 32) + (mid2 >> 32), mid2 << 32 | (low & 0xffffffff)};
}

struct number {
  u64 mantissa; // 53 bits, unless zero
  i64 exponent;
};
RT_PART number split(double x) {
  u64 raw = (u64)bits(x) & 0x7fffffffffffffff, m = raw & 0xfffffffffffff;
  i64 e = (i64)(raw >> 52);
  if (e) return {m | 0x10000000000000, e - 1075};
  if (m == 0) return {0, -10000};
  i64 n = __builtin_clzl(m) - 11;
  return {m << n, -1074 - n};
}

/** m · 2^e (m not zero, its lowest bit may be sticky) rounded to double or float; the answer is a double that holds it. */
double finish(bool negative, wide m, i64 e, i32 direction, bool single) {
  i64 lead = m.hi ? __builtin_clzl(m.hi) : 64 + __builtin_clzl(m.lo);
  m = shift_left(m, lead);
  e -= lead; // value = m · 2^e, the top bit of m set
  i64 places = single ? 24 : 53, least = single ? -149 : -1074;
  i64 drop = 128 - places;
  if (e + drop < least) drop = least - e;
  wide kept = shift_sticky(m, drop - 2); // two bits behind the last place
  u64 whole = kept.hi << 62 | kept.lo >> 2;
  u32 rest = (u32)(kept.lo & 3);
  bool more = direction == NEAREST ? rest == 3 || (rest == 2 && (whole & 1))
              : direction == UP    ? rest && !negative
              : direction == DOWN  ? rest && negative
                                   : false;
  whole += more;
  i64 exponent = e + drop; // value = whole · 2^exponent
  double y = (double)whole;
  double limit = single ? 0x1p128 : INF;
  y = exponent > 971 ? INF : scale(y, exponent);
  if (y >= limit) {
    bool away = direction == NEAREST || (direction == UP && !negative) || (direction == DOWN && negative);
    y = away ? INF : single ? 0x1.fffffep127 : HUGE;
  }
  return negative ? -y : y;
}

double fused(double a, double b, double c, i32 direction, bool single) {
  if (a - a != 0 || b - b != 0) return a * b + c;
  if (c - c != 0) return c;
  bool negative = (bits(a) ^ bits(b)) < 0, other = bits(c) < 0;
  number x = split(a), y = split(b), z = split(c);
  if (x.mantissa == 0 || y.mantissa == 0) {
    if (z.mantissa == 0) return negative == other ? c : direction == DOWN ? -0.0 : 0.0;
    return finish(other, {0, z.mantissa}, z.exponent, direction, single);
  }
  wide p = shift_left(product(x.mantissa, y.mantissa), 20);
  i64 e = x.exponent + y.exponent - 20;
  if (z.mantissa == 0) return finish(negative, p, e, direction, single);
  wide q = shift_left({0, z.mantissa}, 73);
  i64 f = z.exponent - 73;
  if (e > f) {
    q = shift_sticky(q, e - f);
  } else {
    p = shift_sticky(p, f - e);
    e = f;
  }
  wide s;
  if (negative == other) {
    s.lo = p.lo + q.lo;
    s.hi = p.hi + q.hi + (s.lo < p.lo);
  } else {
    if (p.hi < q.hi || (p.hi == q.hi && p.lo < q.lo)) {
      wide t = p;
      p = q;
      q = t;
      negative = other;
    }
    s.lo = p.lo - q.lo;
    s.hi = p.hi - q.hi - (p.lo < q.lo);
    if ((s.hi | s.lo) == 0) return direction == DOWN ? -0.0 : 0.0;
  }
  return finish(negative, s, e, direction, single);
}
} // namespace

/** a · b + c in a direction, as double (single = 0) or float. */
RT_COLD double __rt_fma_mode(double a, double b, double c, i32 direction, i32 single) {
  return fused(a, b, c, direction, single != 0);
}
/** a · b: the zero that is added has the product's sign. */
RT_COLD double __rt_mul_mode(double a, double b, i32 direction, i32 single) {
  double zero = (bits(a) ^ bits(b)) < 0 ? -0.0 : 0.0;
  return fused(a, b, zero, direction, single != 0);
}

RT_COLD double __rt_div_mode(double a, double b, i32 direction, i32 single) {
  if (!(abs(a) < INF && abs(b) < INF) || a == 0 || b == 0) return a / b;
  number x = split(a), y = split(b);
  double u = (double)x.mantissa, v = (double)y.mantissa, q = u / v;
  dd back = two_product(q, v);
  double rest = (u - back.hi) - back.lo;
  number n = split(q);
  u64 m = (n.mantissa << 8) + (rest > 0) - (rest < 0);
  return finish((bits(a) ^ bits(b)) < 0, {0, m}, n.exponent - 8 + x.exponent - y.exponent, direction, single != 0);
}

RT_COLD double __rt_sqrt_mode(double a, i32 direction, i32 single) {
  if (!(a > 0 && a < INF)) return __builtin_sqrt(a);
  number x = split(a);
  if (x.exponent & 1) {
    x.mantissa <<= 1;
    x.exponent--;
  }
  double u = (double)x.mantissa, s = __builtin_sqrt(u);
  dd back = two_product(s, s);
  double rest = (u - back.hi) - back.lo;
  number n = split(s);
  u64 m = (n.mantissa << 8) + (rest > 0) - (rest < 0);
  return finish(false, {0, m}, n.exponent - 8 + (x.exponent >> 1), direction, single != 0);
}

RT_FN double __rt_fma(double a, double b, double c) {
  u32 ea = high(a) >> 20 & 0x7ff, eb = high(b) >> 20 & 0x7ff, ec = high(c) >> 20 & 0x7ff, sum = ea + eb;
  // Outside, something may overflow, become denormal or be no number.
  if (!(sum - 1200 < 1800 && ea - 1 < 2040 && eb - 1 < 2040 && ec < 2040)) return __rt_fma_mode(a, b, c, NEAREST, 0);
  dd p = two_product(a, b), low = two_sum(c, p.lo), top = two_sum(p.hi, low.hi), rest = two_sum(low.lo, top.lo);
  // `rest` rounded to odd, so that the last sum rounds as if it had all digits
  i64 odd = bits(rest.hi);
  if (rest.lo != 0 && !(odd & 1)) odd += (rest.lo > 0) == (rest.hi > 0) ? 1 : -1;
  return top.hi + make(odd);
}

RT_HOT float __rt_fmaf(float a, float b, float c) {
  // The product is exact. The sum is rounded to odd, so that rounding it again to float is right.
  dd s = two_sum((double)a * b, c);
  i64 odd = bits(s.hi), even = ~odd & 1, step = (bits(s.lo) ^ odd) >> 63 | 1;
  odd += s.lo != 0 && s.lo == s.lo ? step & -even : 0;
  return (float)make(odd);
}
