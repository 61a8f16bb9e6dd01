// cub: a warp's items from one arrangement over its lanes to another; see BlockExchange.
#pragma once
#include "cub/block/load_direct.cuh"

namespace cub {

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0,
          WarpExchangeAlgorithm ALGORITHM = WARP_EXCHANGE_SMEM>
class WarpExchange {
  typedef __rk_lane_group<LOGICAL_WARP_THREADS> Group;
  static constexpr int n = ITEMS_PER_THREAD;

public:
  struct TempStorage {
    __rk_room<T, LOGICAL_WARP_THREADS * n> items;
  };
  __RK_COLLECTIVE explicit WarpExchange(TempStorage &storage) : storage(storage) {}

  template <class Out> __RK_COLLECTIVE void BlockedToStriped(const T (&input)[n], Out (&output)[n]) {
    __rk_blocked<n>(Group::rank(), [&](int i, int at) { storage.items[at] = input[i]; });
    striped(output);
  }
  template <class Out> __RK_COLLECTIVE void StripedToBlocked(const T (&input)[n], Out (&output)[n]) {
    __rk_striped<LOGICAL_WARP_THREADS, n>(Group::rank(), [&](int i, int at) { storage.items[at] = input[i]; });
    __syncwarp(Group::mask());
    __rk_blocked<n>(Group::rank(), [&](int i, int at) { output[i] = storage.items[at]; });
  }
  template <class Out, class Rank>
  __RK_COLLECTIVE void ScatterToStriped(const T (&input)[n], Out (&output)[n], Rank (&ranks)[n]) {
#pragma unroll
    for (int i = 0; i < n; i++) storage.items[(int)ranks[i]] = input[i];
    striped(output);
  }
  template <class Rank> __RK_COLLECTIVE void ScatterToStriped(T (&items)[n], Rank (&ranks)[n]) {
    ScatterToStriped(items, items, ranks);
  }

private:
  TempStorage &storage;
  template <class Out> __RK_COLLECTIVE void striped(Out (&output)[n]) {
    __syncwarp(Group::mask());
    __rk_striped<LOGICAL_WARP_THREADS, n>(Group::rank(), [&](int i, int at) { output[i] = storage.items[at]; });
  }
};

}
