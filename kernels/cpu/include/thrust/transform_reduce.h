// thrust: one thread combines what a functor makes of its items.
#pragma once
#include "thrust/execution_policy.h"

namespace thrust {
template <class It, class F, class T, class Op>
__RK_DEVICE T transform_reduce(__rk_alone, It first, It last, F f, T result, Op op) {
  for (; first != last; ++first) result = op(result, f(*first));
  return result;
}
}
