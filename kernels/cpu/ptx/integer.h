// Integer arithmetic (PTX ISA, Integer Arithmetic Instructions). A sum in 64 unsigned bits wraps around as PTX's do.
#pragma once
#include "base.h"

#define TWO(name, T, result)                                                                                           \
  PTX T __ptx_##name##_##T(T a, T b) { return (T)(result); }
#define BASIC(T)                                                                                                       \
  TWO(add, T, (u64)a + (u64)b)                                                                                         \
  TWO(sub, T, (u64)a - (u64)b)                                                                                         \
  TWO(mul_lo, T, (u64)a *(u64)b)                                                                                       \
  TWO(div, T, a / b)                                                                                                   \
  TWO(rem, T, a % b)                                                                                                   \
  TWO(min, T, b < a ? b : a)                                                                                           \
  TWO(max, T, b > a ? b : a)                                                                                           \
  PTX T __ptx_mad_lo_##T(T a, T b, T c) { return (T)((u64)a * (u64)b + (u64)c); }                                      \
  PTX T __ptx_sad_##T(T a, T b, T c) { return (T)((u64)c + (a < b ? (u64)b - (u64)a : (u64)a - (u64)b)); }
EACH_INTEGER(BASIC)
#undef BASIC

// The upper half of a product, and the whole one in the type of twice the width.
#define WIDENING(T, Wide, bits)                                                                                        \
  TWO(mul_hi, T, (Wide)a *b >> bits)                                                                                   \
  PTX Wide __ptx_mul_wide_##T(T a, T b) { return (Wide)a * b; }                                                        \
  PTX Wide __ptx_mad_wide_##T(T a, T b, Wide c) { return (Wide)((u64)((Wide)a * b) + (u64)c); }                        \
  PTX T __ptx_mad_hi_##T(T a, T b, T c) { return (T)((u64)((Wide)a * b >> bits) + (u64)c); }
WIDENING(u16, u32, 16)
WIDENING(s16, s32, 16)
WIDENING(u32, u64, 32)
WIDENING(s32, s64, 32)
#undef WIDENING
TWO(mul_hi, u64, __umul64hi(a, b))
TWO(mul_hi, s64, __mul64hi(a, b))
PTX u64 __ptx_mad_hi_u64(u64 a, u64 b, u64 c) { return __umul64hi(a, b) + c; }
PTX s64 __ptx_mad_hi_s64(s64 a, s64 b, s64 c) { return (s64)((u64)__mul64hi(a, b) + (u64)c); }

#define SIGNED(T)                                                                                                      \
  PTX T __ptx_neg_##T(T a) { return (T)(0 - (u64)a); }                                                                 \
  PTX T __ptx_abs_##T(T a) { return (T)(a < 0 ? 0 - (u64)a : (u64)a); }
EACH_SIGNED(SIGNED)
#undef SIGNED

PTX s32 __ptx_add_sat_s32(s32 a, s32 b) { return __rk_clamp<s32>((s64)a + b); }
PTX s32 __ptx_sub_sat_s32(s32 a, s32 b) { return __rk_clamp<s32>((s64)a - b); }
PTX s32 __ptx_mad_hi_sat_s32(s32 a, s32 b, s32 c) { return __rk_clamp<s32>(((s64)a * b >> 32) + c); }
PTX s32 __ptx_mul24_lo_s32(s32 a, s32 b) { return __mul24(a, b); }
PTX u32 __ptx_mul24_lo_u32(u32 a, u32 b) { return __umul24(a, b); }
// "mul24.hi performs a 24x24-bit multiply and returns the high 32 bits of the 48-bit result".
PTX s32 __ptx_mul24_hi_s32(s32 a, s32 b) { return (s32)((s64)__rk_int24(a) * __rk_int24(b) >> 16); }
PTX u32 __ptx_mul24_hi_u32(u32 a, u32 b) { return (u32)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16); }
PTX s32 __ptx_mad24_lo_s32(s32 a, s32 b, s32 c) { return (s32)((u32)__mul24(a, b) + (u32)c); }
PTX u32 __ptx_mad24_lo_u32(u32 a, u32 b, u32 c) { return __umul24(a, b) + c; }

// Dot products of four bytes, and of two halfwords with two of four bytes; each operand has a sign or has none.
#define DOT(A, B, Sum, a8, b8, a16)                                                                                    \
  PTX Sum __ptx_dp4a_##A##_##B(A a, B b, Sum c) {                                                                      \
    _Pragma("unroll") for (int i = 0; i < 32; i += 8) c = (Sum)((u32)c + (u32)((s32)(a8)(a >> i) * (s32)(b8)(b >> i))); \
    return c;                                                                                                          \
  }                                                                                                                    \
  PTX Sum __ptx_dp2a_lo_##A##_##B(A a, B b, Sum c) {                                                                   \
    _Pragma("unroll") for (int i = 0; i < 2; i++) c =                                                                  \
        (Sum)((u32)c + (u32)((s32)(a16)(a >> 16 * i) * (s32)(b8)(b >> 8 * i)));                                        \
    return c;                                                                                                          \
  }                                                                                                                    \
  PTX Sum __ptx_dp2a_hi_##A##_##B(A a, B b, Sum c) { return __ptx_dp2a_lo_##A##_##B(a, b >> 16, c); }
DOT(u32, u32, u32, u8, u8, u16)
DOT(s32, s32, s32, s8, s8, s16)
DOT(u32, s32, s32, u8, s8, u16)
DOT(s32, u32, s32, s8, u8, s16)
#undef DOT

// Distances of four bytes and of two halfwords ("Video Instructions"; seen on an H200): in their places, or added to the last operand.
#define DISTANCES(n, D, A, B, a_part, b_part, bits)                                                                    \
  PTX D __ptx_vabsdiff##n##_##D##_##A##_##B##_add(A a, B b, D c) {                                                     \
    u32 sum = (u32)c;                                                                                                  \
    _Pragma("unroll") for (int i = 0; i < 32; i += bits) sum += (u32)abs((s32)(a_part)(a >> i) - (s32)(b_part)(b >> i)); \
    return (D)sum;                                                                                                     \
  }                                                                                                                    \
  PTX D __ptx_vabsdiff##n##_##D##_##A##_##B(A a, B b, D) {                                                             \
    u32 all = 0;                                                                                                       \
    _Pragma("unroll") for (int i = 0; i < 32; i += bits) all |=                                                        \
        ((u32)abs((s32)(a_part)(a >> i) - (s32)(b_part)(b >> i)) & ((1u << bits) - 1)) << i;                           \
    return (D)all;                                                                                                     \
  }
#define DISTANCES_OF(D, A, B, a8, b8, a16, b16) DISTANCES(4, D, A, B, a8, b8, 8) DISTANCES(2, D, A, B, a16, b16, 16)
#define DISTANCES_TO(D)                                                                                                \
  DISTANCES_OF(D, u32, u32, u8, u8, u16, u16)                                                                          \
  DISTANCES_OF(D, s32, s32, s8, s8, s16, s16)                                                                          \
  DISTANCES_OF(D, u32, s32, u8, s8, u16, s16)                                                                          \
  DISTANCES_OF(D, s32, u32, s8, u8, s16, u16)
DISTANCES_TO(u32)
DISTANCES_TO(s32)
#undef DISTANCES
#undef DISTANCES_OF
#undef DISTANCES_TO

// Sums with the carry flag, which subtractions take for their borrow (Extended-Precision Arithmetic Instructions).
#define CARRYING(T, U)                                                                                                 \
  PTX T __ptx_addc_cc_##T(u32 *flag, T a, T b) {                                                                       \
    U sum = (U)a + (U)b, all = sum + *flag;                                                                            \
    *flag = (sum < (U)a) | (all < sum);                                                                                \
    return (T)all;                                                                                                     \
  }                                                                                                                    \
  PTX T __ptx_subc_cc_##T(u32 *flag, T a, T b) {                                                                       \
    U rest = (U)a - (U)b, all = rest - *flag;                                                                          \
    *flag = ((U)a < (U)b) | (rest < all);                                                                              \
    return (T)all;                                                                                                     \
  }                                                                                                                    \
  PTX T __ptx_addc_##T(u32 *flag, T a, T b) { return (T)((U)a + (U)b + *flag); }                                       \
  PTX T __ptx_subc_##T(u32 *flag, T a, T b) { return (T)((U)a - (U)b - *flag); }                                       \
  PTX T __ptx_add_cc_##T(u32 *flag, T a, T b) {                                                                        \
    *flag = 0;                                                                                                         \
    return __ptx_addc_cc_##T(flag, a, b);                                                                              \
  }                                                                                                                    \
  PTX T __ptx_sub_cc_##T(u32 *flag, T a, T b) {                                                                        \
    *flag = 0;                                                                                                         \
    return __ptx_subc_cc_##T(flag, a, b);                                                                              \
  }                                                                                                                    \
  CARRYING_PRODUCT(T, lo)                                                                                              \
  CARRYING_PRODUCT(T, hi)
#define CARRYING_PRODUCT(T, half)                                                                                      \
  PTX T __ptx_mad_##half##_cc_##T(u32 *flag, T a, T b, T c) {                                                          \
    return __ptx_add_cc_##T(flag, __ptx_mul_##half##_##T(a, b), c);                                                    \
  }                                                                                                                    \
  PTX T __ptx_madc_##half##_cc_##T(u32 *flag, T a, T b, T c) {                                                         \
    return __ptx_addc_cc_##T(flag, __ptx_mul_##half##_##T(a, b), c);                                                   \
  }                                                                                                                    \
  PTX T __ptx_madc_##half##_##T(u32 *flag, T a, T b, T c) {                                                            \
    return __ptx_addc_##T(flag, __ptx_mul_##half##_##T(a, b), c);                                                      \
  }
CARRYING(u32, u32)
CARRYING(s32, u32)
CARRYING(u64, u64)
CARRYING(s64, u64)
#undef CARRYING
#undef CARRYING_PRODUCT
#undef TWO
