// thrust: one thread scans its items. The output may be the input.
#pragma once
#include <numeric>

#include "thrust/execution_policy.h"

namespace thrust {
template <class From, class To, class... Op>
__RK_DEVICE To inclusive_scan(__rk_alone, From first, From last, To to, Op... op) {
  return std::inclusive_scan(first, last, to, op...);
}
template <class From, class To, class T, class... Op>
__RK_DEVICE To exclusive_scan(__rk_alone, From first, From last, To to, T first_value, Op... op) {
  return std::exclusive_scan(first, last, to, first_value, op...);
}
template <class From, class To> __RK_DEVICE To exclusive_scan(__rk_alone, From first, From last, To to) {
  return std::exclusive_scan(first, last, to, typename std::iterator_traits<From>::value_type());
}
}
