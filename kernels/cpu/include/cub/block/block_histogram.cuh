// cub: counts of a block's items.
#pragma once
#include "cub/block/load_direct.cuh"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_ATOMIC, BLOCK_HISTO_SORT };

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, int BINS,
          BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
          int LEGACY_PTX_ARCH = 0>
class BlockHistogram {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Block;

public:
  struct TempStorage {
    __rk_room<T, Block::threads * ITEMS_PER_THREAD> items;
  };
  __RK_COLLECTIVE BlockHistogram() : storage(own()) {}
  __RK_COLLECTIVE BlockHistogram(TempStorage &storage) : storage(storage) {}

  template <class Counter> __RK_COLLECTIVE void InitHistogram(Counter histogram[BINS]) {
    for (int bin = Block::rank(); bin < BINS; bin += Block::threads) histogram[bin] = 0;
  }
  template <class Counter>
  __RK_COLLECTIVE void Histogram(T (&items)[ITEMS_PER_THREAD], Counter histogram[BINS]) {
    InitHistogram(histogram);
    Composite(items, histogram);
  }
  /// Adds to the histogram.
  template <class Counter>
  __RK_COLLECTIVE void Composite(T (&items)[ITEMS_PER_THREAD], Counter histogram[BINS]) {
    __rk_blocked<ITEMS_PER_THREAD>(Block::rank(), [&](int i, int at) { storage.items[at] = items[i]; });
    __syncthreads();
    if (Block::rank() == 0) {
      for (int i = 0; i < Block::threads * ITEMS_PER_THREAD; i++) histogram[(unsigned)storage.items[i]]++;
    }
  }

private:
  TempStorage &storage;
  __RK_COLLECTIVE static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}
