// cub: a block reads a tile of items, next to each other in a thread or striped over the threads. The algorithms
// that transpose in shared memory have the same result as the direct one, which is the fastest here.
#pragma once
#include "cub/block/load_direct.cuh"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Place;

public:
  struct TempStorage {};
  __RK_COLLECTIVE BlockLoad() {}
  __RK_COLLECTIVE BlockLoad(TempStorage &) {}

  /// With a count, items beyond it are not read: they keep what they had, or take the default.
  template <class It, class... Rest> __RK_COLLECTIVE void Load(It from, T (&items)[ITEMS_PER_THREAD], Rest... rest) {
    if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED) LoadDirectStriped<Place::threads>(Place::rank(), from, items, rest...);
    else LoadDirectBlocked(Place::rank(), from, items, rest...);
  }
};

}
