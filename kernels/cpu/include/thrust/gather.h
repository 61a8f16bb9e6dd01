// thrust: one thread fetches the items that indices name.
#pragma once
#include "thrust/execution_policy.h"

namespace thrust {
template <class Indices, class From, class To>
__RK_DEVICE To gather(__rk_alone, Indices first, Indices last, From from, To to) {
  for (; first != last; ++first, ++to) *to = from[*first];
  return to;
}
template <class Indices, class Stencil, class From, class To, class Predicate>
__RK_DEVICE To gather_if(__rk_alone, Indices first, Indices last, Stencil stencil, From from, To to, Predicate wanted) {
  for (; first != last; ++first, ++stencil, ++to) {
    if (wanted(*stencil)) *to = from[*first];
  }
  return to;
}
template <class Indices, class Stencil, class From, class To>
__RK_DEVICE To gather_if(__rk_alone how, Indices first, Indices last, Stencil stencil, From from, To to) {
  return gather_if(how, first, last, stencil, from, to, [](const auto &wanted) { return bool(wanted); });
}
}
