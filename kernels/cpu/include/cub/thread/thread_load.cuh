// cub: loads with a cache's hint. There is one kind of cache here.
#pragma once
#include "cub/util_type.cuh"

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };

template <CacheLoadModifier modifier, class It> __RK_DEVICE __rk_value<It> ThreadLoad(It from) {
  if (modifier == LOAD_CV || modifier == LOAD_VOLATILE) __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return *from;
}

}
