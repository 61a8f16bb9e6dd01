// thrust: one thread scans its items. The output may be the input.
#pragma once
#include <functional>

#include "thrust/execution_policy.h"

namespace thrust {
template <class From, class To, class Op>
__RK_DEVICE To inclusive_scan(__rk_alone, From first, From last, To to, Op op) {
  if (first == last) return to;
  auto sum = *first;
  for (*to = sum; ++first != last;) *++to = sum = op(sum, *first);
  return ++to;
}
template <class From, class To> __RK_DEVICE To inclusive_scan(__rk_alone how, From first, From last, To to) {
  return inclusive_scan(how, first, last, to, std::plus<>());
}
template <class From, class To, class T, class Op>
__RK_DEVICE To exclusive_scan(__rk_alone, From first, From last, To to, T sum, Op op) {
  for (; first != last; ++first, ++to) {
    T item = *first;
    *to = sum;
    sum = op(sum, item);
  }
  return to;
}
template <class From, class To, class T>
__RK_DEVICE To exclusive_scan(__rk_alone how, From first, From last, To to, T first_value) {
  return exclusive_scan(how, first, last, to, first_value, std::plus<>());
}
template <class From, class To> __RK_DEVICE To exclusive_scan(__rk_alone how, From first, From last, To to) {
  return exclusive_scan(how, first, last, to, std::remove_cvref_t<decltype(*first)>());
}
}
