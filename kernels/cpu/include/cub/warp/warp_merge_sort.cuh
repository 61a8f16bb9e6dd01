// cub: a stable sort of a warp's keys by a comparison, with values or without.
#pragma once
#include "cub/block/block_merge_sort.cuh"

namespace cub {

template <int width> struct __rk_meeting_lanes : __rk_lane_group<width> {
  __RK_COLLECTIVE static void meet() { __syncwarp(__rk_lane_group<width>::mask()); }
};

template <class KeyT, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = 32, class ValueT = NullType, int LEGACY_PTX_ARCH = 0>
class WarpMergeSort : public __rk_merge_sort<KeyT, ValueT, __rk_meeting_lanes<LOGICAL_WARP_THREADS>, LOGICAL_WARP_THREADS,
                                             ITEMS_PER_THREAD> {
  typedef __rk_merge_sort<KeyT, ValueT, __rk_meeting_lanes<LOGICAL_WARP_THREADS>, LOGICAL_WARP_THREADS, ITEMS_PER_THREAD> Base;

public:
  typedef typename Base::TempStorage TempStorage;
  __RK_COLLECTIVE explicit WarpMergeSort(TempStorage &storage) : Base(storage) {}
};

}
