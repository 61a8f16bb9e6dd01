// thrust: the least and the greatest of two values, and of one thread's items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
using std::max;
using std::min;
template <class It, class... Less> __RK_DEVICE It min_element(__rk_alone, It first, It last, Less... less) {
  return std::min_element(first, last, less...);
}
template <class It, class... Less> __RK_DEVICE It max_element(__rk_alone, It first, It last, Less... less) {
  return std::max_element(first, last, less...);
}
template <class It, class... Less>
__RK_DEVICE std::pair<It, It> minmax_element(__rk_alone, It first, It last, Less... less) {
  return std::minmax_element(first, last, less...);
}
}
