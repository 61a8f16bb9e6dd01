// thrust: one thread computes items of their places.
#pragma once
#include "thrust/execution_policy.h"

namespace thrust {
template <class It, class F> __RK_DEVICE void tabulate(__rk_alone, It first, It last, F f) {
  for (ptrdiff_t i = 0; first != last; ++first, ++i) *first = f(i);
}
}
