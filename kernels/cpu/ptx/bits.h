// Bits (PTX ISA, Integer Arithmetic, Logic and Shift, and Data Movement Instructions).
#pragma once
#include "base.h"

#define LOGIC(T, b)                                                                                                    \
  PTX T __ptx_and_##b(T x, T y) { return (T)(x & y); }                                                                 \
  PTX T __ptx_or_##b(T x, T y) { return (T)(x | y); }                                                                  \
  PTX T __ptx_xor_##b(T x, T y) { return (T)(x ^ y); }
LOGIC(bool, pred)
LOGIC(u16, b16)
LOGIC(u32, b32)
LOGIC(u64, b64)
#undef LOGIC
PTX bool __ptx_not_pred(bool x) { return !x; }

// "Shift amounts greater than the register width N are clamped to N."
#define SHIFTS(U, S, n)                                                                                                \
  PTX U __ptx_not_b##n(U x) { return (U)~x; }                                                                          \
  PTX U __ptx_cnot_b##n(U x) { return x == 0; }                                                                        \
  PTX U __ptx_shl_b##n(U x, u32 by) { return by < n ? (U)(x << by) : 0; }                                              \
  PTX U __ptx_shr_u##n(U x, u32 by) { return by < n ? (U)(x >> by) : 0; }                                              \
  PTX U __ptx_shr_b##n(U x, u32 by) { return by < n ? (U)(x >> by) : 0; }                                              \
  PTX S __ptx_shr_s##n(S x, u32 by) { return (S)(x >> (by < n ? by : n - 1)); }
SHIFTS(u16, s16, 16)
SHIFTS(u32, s32, 32)
SHIFTS(u64, s64, 64)
#undef SHIFTS

PTX u32 __ptx_shf_l_clamp_b32(u32 low, u32 high, u32 by) { return __funnelshift_lc(low, high, by); }
PTX u32 __ptx_shf_l_wrap_b32(u32 low, u32 high, u32 by) { return __funnelshift_l(low, high, by); }
PTX u32 __ptx_shf_r_clamp_b32(u32 low, u32 high, u32 by) { return __funnelshift_rc(low, high, by); }
PTX u32 __ptx_shf_r_wrap_b32(u32 low, u32 high, u32 by) { return __funnelshift_r(low, high, by); }

PTX u32 __ptx_popc_b32(u32 x) { return (u32)__popc(x); }
PTX u32 __ptx_popc_b64(u64 x) { return (u32)__popcll(x); }
PTX u32 __ptx_clz_b32(u32 x) { return (u32)__clz((s32)x); }
PTX u32 __ptx_clz_b64(u64 x) { return (u32)__clzll((s64)x); }
PTX u32 __ptx_brev_b32(u32 x) { return __brev(x); }
PTX u64 __ptx_brev_b64(u64 x) { return __brevll(x); }
PTX u32 __ptx_fns_b32(u32 mask, u32 base, s32 offset) { return __fns(mask, base, offset); }

// The lowest `count` bits.
PTX u32 __ptx_low_b32(u32 count) { return count < 32 ? (1u << count) - 1 : ~0u; }
PTX u64 __ptx_low_b64(u32 count) { return count < 64 ? (1ul << count) - 1 : ~0ul; }

// Position and length are bytes; bits beyond the top are zero, or the field's own top bit where it has a sign.
#define FIELDS(U, S, n)                                                                                                \
  PTX U __ptx_bfe_u##n(U a, u32 b, u32 c) { return __ptx_shr_u##n(a, b & 255) & __ptx_low_b##n(c & 255); }             \
  PTX S __ptx_bfe_s##n(S a, u32 b, u32 c) {                                                                            \
    u32 position = b & 255, length = c & 255, last = position + length - 1;                                            \
    if (length == 0) return 0;                                                                                         \
    U sign = a >> (last < n ? last : n - 1) & 1;                                                                       \
    u32 there = position < n ? (length < n - position ? length : n - position) : 0;                                    \
    return (S)(__ptx_bfe_u##n((U)a, b, c) | (sign ? ~__ptx_low_b##n(there) : 0));                                      \
  }                                                                                                                    \
  PTX U __ptx_bfi_b##n(U a, U b, u32 c, u32 d) {                                                                       \
    U mask = __ptx_shl_b##n(__ptx_low_b##n(d & 255), c & 255);                                                         \
    return (b & ~mask) | (__ptx_shl_b##n(a, c & 255) & mask);                                                          \
  }                                                                                                                    \
  PTX u32 __ptx_bfind_u##n(U a) { return n - 1 - __ptx_clz_b##n(a); }                                                  \
  PTX u32 __ptx_bfind_s##n(S a) { return __ptx_bfind_u##n(a < 0 ? ~(U)a : (U)a); }                                     \
  PTX u32 __ptx_bfind_shiftamt_u##n(U a) { return a ? __ptx_clz_b##n(a) : ~0u; }                                       \
  PTX u32 __ptx_bfind_shiftamt_s##n(S a) { return __ptx_bfind_shiftamt_u##n(a < 0 ? ~(U)a : (U)a); }
FIELDS(u32, s32, 32)
FIELDS(u64, s64, 64)
#undef FIELDS

PTX u32 __ptx_bmsk_wrap_b32(u32 a, u32 b) {
  u32 from = a & 31, end = from + (b & 31);
  return ~__ptx_low_b32(from) & __ptx_low_b32(end);
}
PTX u32 __ptx_bmsk_clamp_b32(u32 a, u32 b) {
  if (a >= 32) return 0;
  return ~__ptx_low_b32(a) & (b >= 32 ? ~0u : __ptx_low_b32(a + b));
}

// The table has the result for each combination of a (4), b (2) and c (1).
PTX u32 __ptx_lop3_b32(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    u32 here = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    if (table >> i & 1) result |= here;
  }
  return result;
}

// A selector's top bit asks for the sign of the byte in all its bits.
PTX u32 __ptx_prmt_b32(u32 a, u32 b, u32 selector) {
  u64 bytes = (u64)b << 32 | a;
  u32 result = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    u32 choice = selector >> 4 * i & 15;
    u32 byte = (u32)(bytes >> (choice & 7) * 8) & 255;
    if (choice & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}
// Each mode has four selectors, the one for 0 in the lowest 16 bits.
#define MODE(name, selectors)                                                                                          \
  PTX u32 __ptx_prmt_b32_##name(u32 a, u32 b, u32 c) { return __ptx_prmt_b32(a, b, (u32)(selectors >> (c & 3) * 16)); }
MODE(f4e, 0x6543543243213210ul)
MODE(b4e, 0x0123701267015670ul)
MODE(rc8, 0x3333222211110000ul)
MODE(ecl, 0x3333322232113210ul)
MODE(ecr, 0x3210221011100000ul)
MODE(rc16, 0x3232101032321010ul)
#undef MODE
