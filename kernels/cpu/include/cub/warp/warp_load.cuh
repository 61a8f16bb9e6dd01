// cub: a warp reads a tile of items, next to each other in a thread or striped over the threads. The algorithms
// that transpose in shared memory have the same result as the direct one, which is the fastest here.
#pragma once
#include "cub/block/load_direct.cuh"

namespace cub {

enum WarpLoadAlgorithm {
  WARP_LOAD_DIRECT,
  WARP_LOAD_STRIPED,
  WARP_LOAD_VECTORIZE,
  WARP_LOAD_TRANSPOSE
};

template <class T, int ITEMS_PER_THREAD, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT, int LOGICAL_WARP_THREADS = 32,
          int LEGACY_PTX_ARCH = 0>
class WarpLoad {
  typedef __rk_lane_group<LOGICAL_WARP_THREADS> Place;

public:
  struct TempStorage {};
  __RK_COLLECTIVE WarpLoad() {}
  __RK_COLLECTIVE WarpLoad(TempStorage &) {}

  /// With a count, items beyond it are not read: they keep what they had, or take the default.
  template <class It, class... Rest> __RK_COLLECTIVE void Load(It from, T (&items)[ITEMS_PER_THREAD], Rest... rest) {
    if constexpr (ALGORITHM == WARP_LOAD_STRIPED) LoadDirectStriped<LOGICAL_WARP_THREADS>(Place::rank(), from, items, rest...);
    else LoadDirectBlocked(Place::rank(), from, items, rest...);
  }
};

}
