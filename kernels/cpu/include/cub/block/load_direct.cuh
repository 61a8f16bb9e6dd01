// cub: loads of a thread's items without shared memory.
#pragma once
#include "cub/util_ptx.cuh"
#include "cub/util_type.cuh"

namespace cub {

/// Calls at(item, position) for each of a thread's items that are next to each other.
template <int n, class At> __RK_DEVICE void __rk_blocked(int thread, At at) {
#pragma unroll
  for (int i = 0; i < n; i++) at(i, thread * n + i);
}
/// The same for items that are a block's size apart, and for those that are a warp's size apart.
template <int threads, int n, class At> __RK_DEVICE void __rk_striped(int thread, At at) {
#pragma unroll
  for (int i = 0; i < n; i++) at(i, i * threads + thread);
}
template <int n, class At> __RK_DEVICE void __rk_warp_striped(int thread, At at) {
  int lane = thread & 31;
#pragma unroll
  for (int i = 0; i < n; i++) at(i, (thread - lane) * n + i * 32 + lane);
}

#define __RK_LOADS(Name, PARAMETER, each)                                                                              \
  template <PARAMETER class T, int n, class It> __RK_DEVICE void Name(int linear_tid, It from, T (&items)[n]) {        \
    each(linear_tid, [&](int i, int at) { items[i] = from[at]; });                                                     \
  }                                                                                                                    \
  template <PARAMETER class T, int n, class It>                                                                        \
  __RK_DEVICE void Name(int linear_tid, It from, T (&items)[n], int valid_items) {                                     \
    each(linear_tid, [&](int i, int at) {                                                                              \
      if (at < valid_items) items[i] = from[at];                                                                       \
    });                                                                                                                \
  }                                                                                                                    \
  template <PARAMETER class T, class Default, int n, class It>                                                         \
  __RK_DEVICE void Name(int linear_tid, It from, T (&items)[n], int valid_items, Default oob_default) {                \
    each(linear_tid, [&](int i, int at) {                                                                              \
      if (at < valid_items) items[i] = from[at];                                                                       \
      else items[i] = oob_default;                                                                                     \
    });                                                                                                                \
  }
#define __RK_NOTHING
#define __RK_THREADS int BLOCK_THREADS,
#define __RK_EACH_STRIPED __rk_striped<BLOCK_THREADS, n>
__RK_LOADS(LoadDirectBlocked, __RK_NOTHING, __rk_blocked<n>)
__RK_LOADS(LoadDirectStriped, __RK_THREADS, __RK_EACH_STRIPED)
__RK_LOADS(LoadDirectWarpStriped, __RK_NOTHING, __rk_warp_striped<n>)
#undef __RK_LOADS
#undef __RK_NOTHING
#undef __RK_THREADS
#undef __RK_EACH_STRIPED

template <class T, int n> __RK_DEVICE void LoadDirectBlockedVectorized(int linear_tid, const T *from, T (&items)[n]) {
  LoadDirectBlocked(linear_tid, from, items);
}

}
