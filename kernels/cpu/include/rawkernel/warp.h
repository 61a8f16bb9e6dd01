// Functions of a warp: shuffles, votes, matches, reductions. Each thread puts its value into its slot, the named
// threads meet, each reads the slots that it wants, and they meet again before a slot is written anew.
#ifndef RAWKERNEL_WARP_H
#define RAWKERNEL_WARP_H

#include "sync.h"

extern "C" {
// Thread-local to the worker: one slot for each thread of the block.
extern __device__ unsigned long long __rt_xchg[1024];
// The lanes that the last barrier of the warp let go on together, as far as they exist.
extern __device__ unsigned __rt_active;
}

__RK_DEVICE unsigned __rk_lane() { return __rt_id_lin() & 31; }
__RK_DEVICE unsigned long long *__rk_slots() { return __rt_xchg + (__rt_id_lin() & ~31u); }

// The lanes of the warp that the block has.
__RK_DEVICE unsigned __rk_lanes() {
  unsigned after = __rt_id_dx() * __rt_id_dy() * __rt_id_dz() - (__rt_id_lin() & ~31u);
  return after >= 32 ? 0xffffffffu : (1u << after) - 1;
}

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

// Calls visit(lane, value) for each named lane that lives with the value that the thread there has given.
template <class T, class Visit> __RK_DEVICE void __rk_gather(unsigned mask, T value, Visit visit) {
  unsigned long long *slots = __rk_slots();
  __builtin_memcpy(slots + __rk_lane(), &value, sizeof(T));
  __rt_warp_barrier(mask);
  unsigned here = mask & __rt_active & __rk_lanes();
  for (unsigned lane = 0; lane < 32; lane++) {
    if (!(here >> lane & 1)) continue;
    T other;
    __builtin_memcpy(&other, slots + lane, sizeof(T));
    visit(lane, other);
  }
  __rt_warp_barrier(mask);
}

__RK_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  unsigned votes = 0;
  __rk_gather(mask, (unsigned)(predicate != 0), [&](unsigned lane, unsigned vote) { votes |= vote << lane; });
  return votes;
}
__RK_DEVICE int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
__RK_DEVICE int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
__RK_DEVICE int __uni_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate) == 0 || __ballot_sync(mask, !predicate) == 0;
}

// The bits of a value of at most eight bytes, which is how values are matched: -0.0f differs from 0.0f.
template <class T> __RK_DEVICE unsigned long long __rk_bits(T value) {
  static_assert(sizeof(T) <= 8, "a matched value has at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T> __RK_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
  unsigned long long own = __rk_bits(value);
  unsigned same = 0;
  __rk_gather(mask, own, [&](unsigned lane, unsigned long long bits) { same |= (unsigned)(bits == own) << lane; });
  return same;
}
template <class T> __RK_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *predicate) {
  unsigned long long own = __rk_bits(value);
  unsigned differ = 0;
  __rk_gather(mask, own, [&](unsigned, unsigned long long bits) { differ |= bits != own; });
  *predicate = !differ;
  return differ ? 0 : mask;
}

#define __RK_REDUCE(name, T, start, step)                                                                              \
  __RK_DEVICE T __reduce_##name##_sync(unsigned mask, T value) {                                                       \
    T result = start;                                                                                                  \
    __rk_gather(mask, value, [&](unsigned, T other) { result = step; });                                               \
    return result;                                                                                                     \
  }
__RK_REDUCE(add, unsigned, 0, result + other)
__RK_REDUCE(min, unsigned, value, other < result ? other : result)
__RK_REDUCE(max, unsigned, value, other > result ? other : result)
__RK_REDUCE(add, int, 0, (int)((unsigned)result + (unsigned)other))
__RK_REDUCE(min, int, value, other < result ? other : result)
__RK_REDUCE(max, int, value, other > result ? other : result)
__RK_REDUCE(and, unsigned, value, result & other)
__RK_REDUCE(or, unsigned, value, result | other)
__RK_REDUCE(xor, unsigned, 0, result ^ other)
#undef __RK_REDUCE

// The threads that are at this place together.
__RK_DEVICE unsigned __activemask() {
  __rt_warp_barrier(0);
  return __rt_active & __rk_lanes();
}

#endif
