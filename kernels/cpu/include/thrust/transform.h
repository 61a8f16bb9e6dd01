// thrust: one thread transforms.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto transform(__rk_alone, A... a) { return std::transform(a...); }
template <class From, class Stencil, class To, class F, class Predicate>
__RK_DEVICE To transform_if(__rk_alone, From first, From last, Stencil stencil, To to, F f, Predicate wanted) {
  for (; first != last; ++first, ++stencil, ++to) {
    if (wanted(*stencil)) *to = f(*first);
  }
  return to;
}
template <class From, class To, class F, class Predicate>
__RK_DEVICE To transform_if(__rk_alone how, From first, From last, To to, F f, Predicate wanted) {
  return transform_if(how, first, last, first, to, f, wanted);
}
}
