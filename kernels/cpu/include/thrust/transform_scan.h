// thrust: one thread scans what a functor makes of its items. The functor comes first, unlike in C++.
#pragma once
#include <numeric>

#include "thrust/execution_policy.h"

namespace thrust {
template <class From, class To, class F, class Op>
__RK_DEVICE To transform_inclusive_scan(__rk_alone, From first, From last, To to, F f, Op op) {
  return std::transform_inclusive_scan(first, last, to, op, f);
}
template <class From, class To, class F, class T, class Op>
__RK_DEVICE To transform_exclusive_scan(__rk_alone, From first, From last, To to, F f, T first_value, Op op) {
  return std::transform_exclusive_scan(first, last, to, first_value, op, f);
}
}
