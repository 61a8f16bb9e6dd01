// cub: stores with a cache's hint. There is one kind of cache here.
#pragma once
#include "cub/util_type.cuh"

namespace cub {

enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheStoreModifier modifier, class It, class T> __RK_DEVICE void ThreadStore(It to, T value) {
  *to = value;
  if (modifier == STORE_WT || modifier == STORE_VOLATILE) __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

}
