// cub: a block writes a tile of items, next to each other in a thread or striped over the threads. The algorithms
// that transpose in shared memory have the same result as the direct one, which is the fastest here.
#pragma once
#include "cub/block/store_direct.cuh"

namespace cub {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Place;

public:
  struct TempStorage {};
  __RK_COLLECTIVE BlockStore() {}
  __RK_COLLECTIVE BlockStore(TempStorage &) {}

  /// With a count, items beyond it are not written.
  template <class It, class... Rest> __RK_COLLECTIVE void Store(It to, T (&items)[ITEMS_PER_THREAD], Rest... rest) {
    if constexpr (ALGORITHM == BLOCK_STORE_STRIPED) StoreDirectStriped<Place::threads>(Place::rank(), to, items, rest...);
    else StoreDirectBlocked(Place::rank(), to, items, rest...);
  }
};

}
