// thrust: swap.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
using std::swap;
template <class A, class B> __RK_DEVICE B swap_ranges(__rk_alone, A first, A last, B to) {
  return std::swap_ranges(first, last, to);
}
}
