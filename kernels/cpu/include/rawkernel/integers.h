// Integer intrinsics: counts of bits, parts of products, averages, shifts over two words, dot products of bytes.
#ifndef RAWKERNEL_INTEGERS_H
#define RAWKERNEL_INTEGERS_H

#include "vectors.h"

__RK_BOTH int __popc(unsigned x) { return __builtin_popcount(x); }
__RK_BOTH int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__RK_BOTH int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__RK_BOTH int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
__RK_BOTH int __ffs(int x) { return __builtin_ffs(x); }
__RK_BOTH int __ffsll(long long x) { return __builtin_ffsll(x); }
__RK_BOTH unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__RK_BOTH unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

// The position of the offset-th set bit at or beyond base, upwards or (offset < 0) downwards; 0xffffffff without one.
__RK_BOTH unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
  int left = offset > 0 ? offset : -offset;
  int step = offset > 0 ? 1 : -1;
  for (int bit = (int)base; bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1) && --left == 0) return (unsigned)bit;
  }
  return 0xffffffffu;
}

__RK_BOTH int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__RK_BOTH unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
__RK_BOTH unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long low = (a & 0xffffffff) * (b & 0xffffffff);
  unsigned long long middle = (a >> 32) * (b & 0xffffffff) + (low >> 32);
  unsigned long long other = (a & 0xffffffff) * (b >> 32) + (middle & 0xffffffff);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}
__RK_BOTH long long __mul64hi(long long a, long long b) {
  unsigned long long high = __umul64hi((unsigned long long)a, (unsigned long long)b);
  return (long long)(high - (a < 0 ? (unsigned long long)b : 0) - (b < 0 ? (unsigned long long)a : 0));
}
__RK_BOTH int __rk_int24(int x) { return (int)((unsigned)x << 8) >> 8; }
__RK_BOTH int __mul24(int a, int b) { return (int)((long long)__rk_int24(a) * __rk_int24(b)); }
__RK_BOTH unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }

__RK_BOTH unsigned __sad(int a, int b, unsigned sum) {
  return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + sum;
}
__RK_BOTH unsigned __usad(unsigned a, unsigned b, unsigned sum) { return (a > b ? a - b : b - a) + sum; }
__RK_BOTH int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__RK_BOTH int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__RK_BOTH unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
__RK_BOTH unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }

__RK_BOTH unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) result |= (unsigned)(bytes >> ((selector >> 4 * i & 7) * 8) & 0xff) << 8 * i;
  return result;
}

__RK_BOTH unsigned long long __rk_words(unsigned low, unsigned high) { return (unsigned long long)high << 32 | low; }
__RK_BOTH unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(__rk_words(low, high) << (shift & 31) >> 32);
}
__RK_BOTH unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(__rk_words(low, high) << (shift < 32 ? shift : 32) >> 32);
}
__RK_BOTH unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(__rk_words(low, high) >> (shift & 31));
}
__RK_BOTH unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(__rk_words(low, high) >> (shift < 32 ? shift : 32));
}

// Dot products of four bytes by four, and of two halfwords by the low or high two of four bytes.
#define __RK_DOT(T, Byte, Half, Bytes, Halves)                                                                         \
  __RK_BOTH T __dp4a(T a, T b, T sum) {                                                                                \
    _Pragma("unroll") for (int i = 0; i < 32; i += 8) sum += (T)(Byte)(a >> i) * (T)(Byte)(b >> i);                    \
    return sum;                                                                                                        \
  }                                                                                                                    \
  __RK_BOTH T __dp2a_lo(T a, T b, T sum) {                                                                             \
    return sum + (T)(Half)a * (T)(Byte)b + (T)(Half)(a >> 16) * (T)(Byte)(b >> 8);                                     \
  }                                                                                                                    \
  __RK_BOTH T __dp2a_hi(T a, T b, T sum) { return __dp2a_lo(a, b >> 16, sum); }                                        \
  __RK_BOTH T __dp4a(Bytes a, Bytes b, T sum) {                                                                        \
    return __dp4a(__builtin_bit_cast(T, a), __builtin_bit_cast(T, b), sum);                                            \
  }                                                                                                                    \
  __RK_BOTH T __dp2a_lo(Halves a, Bytes b, T sum) {                                                                    \
    return __dp2a_lo(__builtin_bit_cast(T, a), __builtin_bit_cast(T, b), sum);                                         \
  }                                                                                                                    \
  __RK_BOTH T __dp2a_hi(Halves a, Bytes b, T sum) {                                                                    \
    return __dp2a_hi(__builtin_bit_cast(T, a), __builtin_bit_cast(T, b), sum);                                         \
  }
__RK_DOT(int, signed char, short, char4, short2)
__RK_DOT(unsigned, unsigned char, unsigned short, uchar4, ushort2)
#undef __RK_DOT

#endif
