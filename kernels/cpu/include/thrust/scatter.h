// thrust: one thread puts its items where indices say.
#pragma once
#include "thrust/execution_policy.h"

namespace thrust {
template <class From, class Indices, class To>
__RK_DEVICE void scatter(__rk_alone, From first, From last, Indices indices, To to) {
  for (; first != last; ++first, ++indices) to[*indices] = *first;
}
template <class From, class Indices, class Stencil, class To, class Predicate>
__RK_DEVICE void scatter_if(__rk_alone, From first, From last, Indices indices, Stencil stencil, To to, Predicate wanted) {
  for (; first != last; ++first, ++indices, ++stencil) {
    if (wanted(*stencil)) to[*indices] = *first;
  }
}
template <class From, class Indices, class Stencil, class To>
__RK_DEVICE void scatter_if(__rk_alone how, From first, From last, Indices indices, Stencil stencil, To to) {
  scatter_if(how, first, last, indices, stencil, to, [](const auto &wanted) { return bool(wanted); });
}
}
