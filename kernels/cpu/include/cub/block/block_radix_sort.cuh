// cub: a stable radix sort of a block's keys, with values or without.
#pragma once
#include "cub/block/load_direct.cuh"
#include "cub/block/radix_rank_sort_operations.cuh"
#include "cub/block/block_scan.cuh"

namespace cub {

template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType, int RADIX_BITS = 4,
          bool MEMOIZE_OUTER_SCAN = true, BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          int SMEM_CONFIG = 0, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockRadixSort {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Block;
  static constexpr int n = ITEMS_PER_THREAD, count = Block::threads * n, bits = sizeof(KeyT) * 8;
  typedef KeyT Keys[n];
  typedef ValueT Values[n];

public:
  struct TempStorage {
    union {
      __rk_room<KeyT, count> keys;
      __rk_room<ValueT, count> values;
    };
    unsigned short order[count];
  };
  __RK_COLLECTIVE BlockRadixSort() : storage(own()) {}
  __RK_COLLECTIVE BlockRadixSort(TempStorage &storage) : storage(storage) {}

#define __RK_SORT(Name, descending, striped)                                                                           \
  __RK_COLLECTIVE void Name(Keys &keys, int begin_bit = 0, int end_bit = bits) {                                       \
    order(keys, begin_bit, end_bit, descending);                                                                       \
    fetch<striped>(keys, storage.keys);                                                                                \
  }                                                                                                                    \
  __RK_COLLECTIVE void Name(Keys &keys, Values &values, int begin_bit = 0, int end_bit = bits) {                       \
    order(keys, begin_bit, end_bit, descending);                                                                       \
    fetch<striped>(keys, storage.keys);                                                                                \
    __syncthreads();                                                                                                   \
    __rk_blocked<n>(Block::rank(), [&](int i, int at) { storage.values[at] = values[i]; });                            \
    __syncthreads();                                                                                                   \
    fetch<striped>(values, storage.values);                                                                            \
  }
  __RK_SORT(Sort, false, false)
  __RK_SORT(SortDescending, true, false)
  __RK_SORT(SortBlockedToStriped, false, true)
  __RK_SORT(SortDescendingBlockedToStriped, true, true)
#undef __RK_SORT

private:
  TempStorage &storage;

  __RK_COLLECTIVE void order(Keys &keys, int begin_bit, int end_bit, bool descending) {
    __rk_blocked<n>(Block::rank(), [&](int i, int at) { storage.keys[at] = keys[i]; });
    __syncthreads();
    if (Block::rank() == 0) __rk_radix_order<count>(storage.keys.data(), storage.order, begin_bit, end_bit, descending);
    __syncthreads();
  }
  template <bool striped, class T, class Room> __RK_COLLECTIVE void fetch(T (&items)[n], Room &room) {
    auto take = [&](int i, int at) { items[i] = room[storage.order[at]]; };
    if constexpr (striped) __rk_striped<Block::threads, n>(Block::rank(), take);
    else __rk_blocked<n>(Block::rank(), take);
  }
  __RK_COLLECTIVE static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}
