// cub: stores of a thread's items without shared memory.
#pragma once
#include "cub/block/load_direct.cuh"

namespace cub {

#define __RK_STORES(Name, PARAMETER, each)                                                                             \
  template <PARAMETER class T, int n, class It> __RK_DEVICE void Name(int linear_tid, It to, T (&items)[n]) {          \
    each(linear_tid, [&](int i, int at) { to[at] = items[i]; });                                                       \
  }                                                                                                                    \
  template <PARAMETER class T, int n, class It>                                                                        \
  __RK_DEVICE void Name(int linear_tid, It to, T (&items)[n], int valid_items) {                                       \
    each(linear_tid, [&](int i, int at) {                                                                              \
      if (at < valid_items) to[at] = items[i];                                                                         \
    });                                                                                                                \
  }
#define __RK_NOTHING
#define __RK_THREADS int BLOCK_THREADS,
#define __RK_EACH_STRIPED __rk_striped<BLOCK_THREADS, n>
__RK_STORES(StoreDirectBlocked, __RK_NOTHING, __rk_blocked<n>)
__RK_STORES(StoreDirectStriped, __RK_THREADS, __RK_EACH_STRIPED)
__RK_STORES(StoreDirectWarpStriped, __RK_NOTHING, __rk_warp_striped<n>)
#undef __RK_STORES
#undef __RK_NOTHING
#undef __RK_THREADS
#undef __RK_EACH_STRIPED

template <class T, int n> __RK_DEVICE void StoreDirectBlockedVectorized(int linear_tid, T *to, T (&items)[n]) {
  StoreDirectBlocked(linear_tid, to, items);
}

}
