// cub: the place of a thread in its warp and block, shuffles of any type, bit fields.
#pragma once
#include "cub/config.cuh"

namespace cub {

__RK_DEVICE unsigned LaneId() { return __rk_lane(); }
// Within the block; the hardware's number of a warp means nothing here.
__RK_DEVICE unsigned WarpId() { return __rt_id_lin() / 32; }
__RK_DEVICE unsigned LaneMaskLt() { return (1u << __rk_lane()) - 1; }
__RK_DEVICE unsigned LaneMaskLe() { return LaneMaskLt() * 2 + 1; }
__RK_DEVICE unsigned LaneMaskGe() { return ~LaneMaskLt(); }
__RK_DEVICE unsigned LaneMaskGt() { return ~LaneMaskLe(); }
__RK_DEVICE int RowMajorTid(int x, int y, int) {
  return (int)((threadIdx.z * y + threadIdx.y) * x + threadIdx.x);
}

template <int width> __RK_DEVICE unsigned WarpMask(unsigned warp) {
  constexpr bool power = (width & (width - 1)) == 0;
  constexpr unsigned lanes = width == 32 ? ~0u : (1u << width % 32) - 1;
  return power && width < 32 ? lanes << warp * width : lanes;
}

__RK_DEVICE int CTA_SYNC_AND(int p) { return __syncthreads_and(p); }
__RK_DEVICE int CTA_SYNC_OR(int p) { return __syncthreads_or(p); }
__RK_DEVICE void CTA_SYNC() { __syncthreads(); }
__RK_DEVICE void WARP_SYNC(unsigned mask) { __syncwarp(mask); }
__RK_DEVICE int WARP_ANY(int p, unsigned mask) { return __any_sync(mask, p); }
__RK_DEVICE int WARP_ALL(int p, unsigned mask) { return __all_sync(mask, p); }
__RK_DEVICE unsigned WARP_BALLOT(int p, unsigned mask) { return __ballot_sync(mask, p); }
__RK_DEVICE void ThreadTrap() { __trap(); }

// The value of a lane of the mask, in parts of eight bytes.
template <class T> __RK_DEVICE T __rk_shuffle_any(unsigned mask, const T &value, unsigned source, bool inside) {
  T result = value;
#pragma unroll
  for (int at = 0; at < (int)sizeof(T); at += 8) {
    constexpr int tail = sizeof(T) % 8 ? sizeof(T) % 8 : 8;
    int size = at + 8 < (int)sizeof(T) ? 8 : tail;
    unsigned long long word = 0;
    __builtin_memcpy(&word, (const char *)&value + at, size);
    word = __rk_shuffle(mask, word, source, inside);
    __builtin_memcpy((char *)&result + at, &word, size);
  }
  return result;
}
template <int width, class T> __RK_DEVICE T ShuffleIndex(T value, int source, unsigned mask) {
  return __rk_shuffle_any(mask, value, (__rk_lane() & ~(width - 1)) | (source & (width - 1)), true);
}
// A lane from which the source is out of reach keeps its own value.
template <int width, class T> __RK_DEVICE T ShuffleUp(T value, int offset, int first, unsigned mask) {
  int source = (int)(__rk_lane() & (width - 1)) - offset;
  return __rk_shuffle_any(mask, value, __rk_lane() - offset, source >= first);
}
template <int width, class T> __RK_DEVICE T ShuffleDown(T value, int offset, int last, unsigned mask) {
  int source = (int)(__rk_lane() & (width - 1)) + offset;
  return __rk_shuffle_any(mask, value, __rk_lane() + offset, source <= last);
}

template <class T> __RK_BOTH unsigned BFE(T value, unsigned start, unsigned bits) {
  unsigned long long mask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
  return (unsigned)((unsigned long long)(value >> start) & mask);
}
__RK_BOTH void BFI(unsigned &result, unsigned into, unsigned value, unsigned start, unsigned bits) {
  unsigned mask = (bits >= 32 ? ~0u : (1u << bits) - 1) << start;
  result = (into & ~mask) | (value << start & mask);
}
__RK_BOTH unsigned SHR_ADD(unsigned x, unsigned by, unsigned y) { return (x >> by) + y; }
__RK_BOTH unsigned SHL_ADD(unsigned x, unsigned by, unsigned y) { return (x << by) + y; }
__RK_BOTH int PRMT(unsigned x, unsigned y, unsigned selector) { return (int)__byte_perm(x, y, selector); }

// The lanes with the same lowest bits in the value, of the whole warp.
template <int bits> __RK_DEVICE unsigned MatchAny(unsigned label) {
  return __match_any_sync(0xffffffffu, label & (bits >= 32 ? ~0u : (1u << bits % 32) - 1));
}

}
