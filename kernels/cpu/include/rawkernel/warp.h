// Functions of a warp: shuffles, votes, matches, reductions. Each thread puts its value into its slot, the named
// threads meet, each reads the slots that it wants, and they meet again before a slot is written anew.
#ifndef RAWKERNEL_WARP_H
#define RAWKERNEL_WARP_H

#include "sync.h"

extern "C" {
// Thread-local to the worker: one slot for each thread of the block.
extern __device__ unsigned long long __rt_xchg[1024];
}

__RK_DEVICE unsigned __rk_lane() { return __rt_id_lin() & 31; }
__RK_DEVICE unsigned long long *__rk_slots() { return __rt_xchg + (__rt_id_lin() & ~31u); }

__RK_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __rt_warp_barrier(mask); }

template <class T> __RK_DEVICE T __rk_shuffle(unsigned mask, T value, unsigned source, bool inside) {
  static_assert(sizeof(T) <= 8, "a shuffled value has at most 8 bytes");
  __builtin_memcpy(__rk_slots() + __rk_lane(), &value, sizeof(T));
  __rt_warp_barrier(mask);
  T result = value;
  if (inside) __builtin_memcpy(&result, __rk_slots() + (source & 31), sizeof(T));
  __rt_warp_barrier(mask);
  return result;
}

template <class T> __RK_DEVICE T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  return __rk_shuffle(mask, value, (__rk_lane() & ~(width - 1)) | (source & (width - 1)), true);
}
template <class T> __RK_DEVICE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return __rk_shuffle(mask, value, __rk_lane() - delta, (__rk_lane() & (width - 1)) >= delta);
}
template <class T> __RK_DEVICE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return __rk_shuffle(mask, value, __rk_lane() + delta, (__rk_lane() & (width - 1)) + delta < (unsigned)width);
}
template <class T> __RK_DEVICE T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
  unsigned source = __rk_lane() ^ lanes;
  return __rk_shuffle(mask, value, source, source < (__rk_lane() & ~(width - 1)) + width);
}

__RK_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  unsigned long long *slots = __rk_slots();
  slots[__rk_lane()] = predicate != 0;
  __rt_warp_barrier(mask);
  unsigned votes = 0;
  for (unsigned lane = 0; lane < 32; lane++) {
    if (mask >> lane & 1) votes |= (unsigned)slots[lane] << lane;
  }
  __rt_warp_barrier(mask);
  return votes;
}
__RK_DEVICE int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
__RK_DEVICE int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

// All threads of the warp that the block has.
__RK_DEVICE unsigned __activemask() {
  unsigned after = __rt_id_dx() * __rt_id_dy() * __rt_id_dz() - (__rt_id_lin() & ~31u);
  return after >= 32 ? 0xffffffffu : (1u << after) - 1;
}

#endif
