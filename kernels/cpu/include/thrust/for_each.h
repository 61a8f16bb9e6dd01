// thrust: one thread calls for each item.
#pragma once
#include "thrust/execution_policy.h"

namespace thrust {
template <class It, class F> __RK_DEVICE It for_each(__rk_alone, It first, It last, F f) {
  for (; first != last; ++first) f(*first);
  return first;
}
template <class It, class Count, class F> __RK_DEVICE It for_each_n(__rk_alone, It first, Count count, F f) {
  for (; count > 0; --count, ++first) f(*first);
  return first;
}
}
