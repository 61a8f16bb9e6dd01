// cub: a warp writes a tile of items, next to each other in a thread or striped over the threads. The algorithms
// that transpose in shared memory have the same result as the direct one, which is the fastest here.
#pragma once
#include "cub/block/store_direct.cuh"

namespace cub {

enum WarpStoreAlgorithm {
  WARP_STORE_DIRECT,
  WARP_STORE_STRIPED,
  WARP_STORE_VECTORIZE,
  WARP_STORE_TRANSPOSE
};

template <class T, int ITEMS_PER_THREAD, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT, int LOGICAL_WARP_THREADS = 32,
          int LEGACY_PTX_ARCH = 0>
class WarpStore {
  typedef __rk_lane_group<LOGICAL_WARP_THREADS> Place;

public:
  struct TempStorage {};
  __RK_COLLECTIVE WarpStore() {}
  __RK_COLLECTIVE WarpStore(TempStorage &) {}

  /// With a count, items beyond it are not written.
  template <class It, class... Rest> __RK_COLLECTIVE void Store(It to, T (&items)[ITEMS_PER_THREAD], Rest... rest) {
    if constexpr (ALGORITHM == WARP_STORE_STRIPED) StoreDirectStriped<LOGICAL_WARP_THREADS>(Place::rank(), to, items, rest...);
    else StoreDirectBlocked(Place::rank(), to, items, rest...);
  }
};

}
