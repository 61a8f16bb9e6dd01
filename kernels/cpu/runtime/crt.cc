// Functions that the code generator itself calls. No code names them, so they are linked as an object.
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;

#define RT extern "C" __attribute__((visibility("hidden")))

static inline u128 join(u64 high, u64 low) {
  union {
    u64 words[2];
    u128 value;
  } both = {{low, high}};
  return both.value;
}
static inline u64 low(u128 value) { return (u64)value; }
static inline u64 high(u128 value) {
  union {
    u128 value;
    u64 words[2];
  } both = {value};
  return both.words[1];
}

RT u128 __ashlti3(u128 a, int n) {
  if (n & 64) return join(low(a) << (n & 63), 0);
  return n == 0 ? a : join(high(a) << n | low(a) >> (64 - n), low(a) << n);
}
RT u128 __lshrti3(u128 a, int n) {
  if (n & 64) return join(0, high(a) >> (n & 63));
  return n == 0 ? a : join(high(a) >> n, low(a) >> n | high(a) << (64 - n));
}
RT u128 __ashrti3(u128 a, int n) {
  long top = (long)high(a);
  if (n & 64) return join((u64)(top >> 63), (u64)(top >> (n & 63)));
  return n == 0 ? a : join((u64)(top >> n), low(a) >> n | (u64)top << (64 - n));
}

RT u128 __multi3(u128 a, u128 b) {
  u64 a0 = low(a) & 0xffffffff, a1 = low(a) >> 32, b0 = low(b) & 0xffffffff, b1 = low(b) >> 32;
  u64 p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  u64 middle = (p00 >> 32) + (p01 & 0xffffffff) + (p10 & 0xffffffff);
  u64 top = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32) + low(a) * high(b) + high(a) * low(b);
  return join(top, (p00 & 0xffffffff) | middle << 32);
}

static u128 divide(u128 a, u128 b, u128 *rest) {
  if (high(a) == 0 && high(b) == 0) {
    *rest = low(a) % low(b);
    return low(a) / low(b);
  }
  u128 quotient = 0, remainder = 0;
  for (int i = 127; i >= 0; i--) {
    bool carry = high(remainder) >> 63;
    u64 bit = (i & 64 ? high(a) >> (i & 63) : low(a) >> i) & 1;
    remainder = join(high(remainder) << 1 | low(remainder) >> 63, low(remainder) << 1 | bit);
    if (carry || remainder >= b) {
      remainder -= b;
      if (i & 64) quotient = join(high(quotient) | 1ul << (i & 63), low(quotient));
      else quotient = join(high(quotient), low(quotient) | 1ul << i);
    }
  }
  *rest = remainder;
  return quotient;
}
static inline u128 magnitude(i128 a) { return a < 0 ? -(u128)a : (u128)a; }

RT u128 __udivti3(u128 a, u128 b) {
  u128 rest;
  return divide(a, b, &rest);
}
RT u128 __umodti3(u128 a, u128 b) {
  u128 rest;
  divide(a, b, &rest);
  return rest;
}
RT i128 __divti3(i128 a, i128 b) {
  u128 rest, quotient = divide(magnitude(a), magnitude(b), &rest);
  return (a < 0) != (b < 0) ? -(i128)quotient : (i128)quotient;
}
RT i128 __modti3(i128 a, i128 b) {
  u128 rest;
  divide(magnitude(a), magnitude(b), &rest);
  return a < 0 ? -(i128)rest : (i128)rest;
}

// Integers of 128 bits and floating point. Adding the halves rounds once where the upper half is a double's multiple.
static double to_double(u128 a) {
  if (high(a) == 0) return (double)low(a);
  int shift = 64 - __builtin_clzl(high(a));
  u128 top = __lshrti3(a, shift);
  u64 bits = low(top) | (__ashlti3(top, shift) != a); // what was cut off still decides about halves
  double value = (double)bits;
  return value * __builtin_bit_cast(double, (u64)(1023 + shift) << 52);
}
static float to_float(u128 a) {
  if (high(a) == 0) return (float)low(a);
  int shift = 64 - __builtin_clzl(high(a));
  u128 top = __lshrti3(a, shift);
  u64 bits = low(top) | (__ashlti3(top, shift) != a);
  return (float)bits * __builtin_bit_cast(float, (u32)(127 + shift) << 23);
}
static u128 from_double(double a) {
  u64 bits = __builtin_bit_cast(u64, a);
  int exponent = (int)(bits >> 52 & 2047) - 1075;
  u128 mantissa = (bits & ((1ul << 52) - 1)) | 1ul << 52;
  if (exponent < -63) return 0;
  return exponent < 0 ? (u128)(low(mantissa) >> -exponent) : exponent > 75 ? ~(u128)0 : __ashlti3(mantissa, exponent);
}
RT double __floatuntidf(u128 a) { return to_double(a); }
RT double __floattidf(i128 a) { return a < 0 ? -to_double(magnitude(a)) : to_double((u128)a); }
RT float __floatuntisf(u128 a) { return to_float(a); }
RT float __floattisf(i128 a) { return a < 0 ? -to_float(magnitude(a)) : to_float((u128)a); }
RT u128 __fixunsdfti(double a) { return a < 1 ? 0 : from_double(a); }
RT u128 __fixunssfti(float a) { return a < 1 ? 0 : from_double(a); }
RT i128 __fixdfti(double a) { return a < 0 ? -(i128)from_double(-a) : (i128)from_double(a); }
RT i128 __fixsfti(float a) { return a < 0 ? -(i128)from_double(-(double)a) : (i128)from_double(a); }

// Half precision, rounded to nearest, ties to even.
RT float __extendhfsf2(u16 a) {
  u32 sign = (u32)(a & 0x8000) << 16, exponent = a >> 10 & 31, mantissa = a & 1023;
  if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000 | mantissa << 13);
  if (exponent != 0) return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | mantissa << 13);
  float small = (float)mantissa * 0x1p-24f;
  return sign ? -small : small;
}
// The sticky bit keeps what a first rounding would lose.
static u16 round_half(u32 sign, int exponent, u64 mantissa, int bits) {
  if (exponent >= 16) return (u16)(sign | 0x7c00);
  int drop = bits - 10 + (exponent < -14 ? -14 - exponent : 0);
  if (drop > bits + 2) return (u16)sign;
  u64 kept = mantissa >> drop, rest = mantissa & ((1ul << drop) - 1), half = 1ul << (drop - 1);
  u64 base = exponent < -14 ? 0 : (u64)(exponent + 14) << 10;
  return (u16)(sign | (base + kept + (rest > half || (rest == half && (kept & 1)))));
}
RT u16 __truncdfhf2(double a) {
  u64 bits = __builtin_bit_cast(u64, a), mantissa = bits & ((1ul << 52) - 1);
  u32 sign = bits >> 48 & 0x8000;
  int exponent = bits >> 52 & 2047;
  if (exponent == 2047) return (u16)(sign | 0x7c00 | (mantissa ? 0x200 | mantissa >> 42 : 0));
  if (exponent == 0) return (u16)sign;
  return round_half(sign, exponent - 1023, mantissa | 1ul << 52, 52);
}
RT u16 __truncsfhf2(float a) { return __truncdfhf2(a); }

RT u16 __truncsfbf2(float a) {
  u32 bits = __builtin_bit_cast(u32, a);
  if (a != a) return (u16)(bits >> 16 | 64);
  return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
RT u16 __truncdfbf2(double a) {
  float single = (float)a;
  u32 bits = __builtin_bit_cast(u32, single);
  // Round to odd first, so that two roundings are as good as one.
  if (a == a && (double)single != a) {
    bool away = __builtin_fabs((double)single) > __builtin_fabs(a);
    if (away) bits--;
    bits |= 1;
  }
  return __truncsfbf2(__builtin_bit_cast(float, bits));
}

RT int memcmp(const void *a, const void *b, u64 bytes) {
  const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;
  for (u64 i = 0; i < bytes; i++) {
    if (p[i] != q[i]) return p[i] - q[i];
  }
  return 0;
}
RT int bcmp(const void *a, const void *b, u64 bytes) { return memcmp(a, b, bytes); }
RT u64 strlen(const char *text) {
  u64 length = 0;
  while (text[length]) length++;
  return length;
}
