// Products of small matrices by the threads of a warp (PTX ISA, Warp Level Matrix Instructions). Each thread has some
// elements, in words; it reads those words of others that its four results need.
#pragma once
#include "half.h"

// Every thread gives two words; `words[i]` becomes those of lane `lanes[i]`.
template <int count> __device__ __attribute__((always_inline)) void exchange(u32 low, u32 high, const u32 *lanes, u64 *words) {
  unsigned long long *slots = __rk_slots();
  slots[__rk_lane()] = (u64)high << 32 | low;
  __rt_warp_barrier(0xffffffffu);
#pragma unroll
  for (int i = 0; i < count; i++) words[i] = slots[lanes[i]];
  __rt_warp_barrier(0xffffffffu);
}

// The sum of the products of the elements in two words.
__device__ __attribute__((always_inline)) f32 dot_f16(u32 a, u32 b, f32 sum) {
  sum += __rk_half2float((u16)a) * __rk_half2float((u16)b);
  return sum + __rk_half2float((u16)(a >> 16)) * __rk_half2float((u16)(b >> 16));
}
__device__ __attribute__((always_inline)) f32 dot_bf16(u32 a, u32 b, f32 sum) {
  sum += __uint_as_float(a << 16) * __uint_as_float(b << 16);
  return sum + __uint_as_float(a & 0xffff0000u) * __uint_as_float(b & 0xffff0000u);
}
// The lower bits of a .tf32 are not looked at.
__device__ __attribute__((always_inline)) f32 dot_tf32(u32 a, u32 b, f32 sum) {
  return sum + __uint_as_float(a & ~0x1fffu) * __uint_as_float(b & ~0x1fffu);
}
__device__ __attribute__((always_inline)) s32 dot_s8(u32 a, u32 b, s32 sum) { return __dp4a((s32)a, (s32)b, sum); }
__device__ __attribute__((always_inline)) s32 dot_u8(u32 a, u32 b, s32 sum) { return (s32)__dp4a(a, b, (u32)sum); }

// A has rows of four threads each, word 0 (and 2 further right) of row g and word 1 (and 3) of row g + 8; B has columns of
// four threads each. A thread's results are of its rows g and g + 8 and of the columns twice its place in the row, and one more.
#define PRODUCT(type, Sum)                                                                                             \
  PTX void __ptx_mma_##type(Sum *d, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1) {                                  \
    u32 lane = __rk_lane(), row = lane & ~3u, column = (lane & 3) * 8;                                                 \
    u32 rows[4] = {row, row + 1, row + 2, row + 3}, columns[8];                                                        \
    _Pragma("unroll") for (int i = 0; i < 8; i++) columns[i] = column + i;                                             \
    u64 left[4], right[4], b[8];                                                                                       \
    exchange<4>(a0, a1, rows, left);                                                                                   \
    exchange<4>(a2, a3, rows, right);                                                                                  \
    exchange<8>(b0, b1, columns, b);                                                                                   \
    _Pragma("unroll") for (int k = 0; k < 4; k++) {                                                                    \
      int shift = k / 2 * 32, of = k % 2 * 4;                                                                          \
      _Pragma("unroll") for (int i = 0; i < 4; i++) {                                                                  \
        d[k] = dot_##type((u32)(left[i] >> shift), (u32)b[of + i], d[k]);                                              \
        d[k] = dot_##type((u32)(right[i] >> shift), (u32)(b[of + i] >> 32), d[k]);                                     \
      }                                                                                                                \
    }                                                                                                                  \
  }
PRODUCT(f16, f32)
PRODUCT(bf16, f32)
PRODUCT(tf32, f32)
PRODUCT(s8, s32)
PRODUCT(u8, s32)
#undef PRODUCT

// Rows of 16 bytes, whose addresses the threads give, eight for each matrix; a thread gets two neighbours of a row.
PTX void __ptx_ldmatrix(u32 *out, const u8 *row, u32 count) {
  u32 lane = __rk_lane();
  u32 lanes[4] = {lane / 4, 8 + lane / 4, 16 + lane / 4, 24 + lane / 4};
  u64 rows[4];
  exchange<4>((u32)(u64)row, (u32)((u64)row >> 32), lanes, rows);
  for (u32 i = 0; i < count; i++) out[i] = *(const u32 *)(rows[i] + lane % 4 * 4);
}
// The neighbours in a column.
PTX void __ptx_ldmatrix_trans(u32 *out, const u8 *row, u32 count) {
  u32 lane = __rk_lane(), first = lane % 4 * 2;
  u32 lanes[8] = {first, first + 1, first + 8, first + 9, first + 16, first + 17, first + 24, first + 25};
  u64 rows[8];
  exchange<8>((u32)(u64)row, (u32)((u64)row >> 32), lanes, rows);
  for (u32 i = 0; i < count; i++) {
    u32 at = lane / 4 * 2;
    out[i] = *(const u16 *)(rows[2 * i] + at) | (u32) * (const u16 *)(rows[2 * i + 1] + at) << 16;
  }
}
