// thrust: one thread combines its items.
#pragma once
#include <type_traits>

#include "thrust/execution_policy.h"

namespace thrust {
template <class It, class T, class Op> __RK_DEVICE T reduce(__rk_alone, It first, It last, T result, Op op) {
  for (; first != last; ++first) result = op(result, *first);
  return result;
}
template <class It, class T> __RK_DEVICE T reduce(__rk_alone, It first, It last, T result) {
  for (; first != last; ++first) result = result + *first;
  return result;
}
template <class It> __RK_DEVICE auto reduce(__rk_alone how, It first, It last) {
  return reduce(how, first, last, std::remove_cvref_t<decltype(*first)>());
}
}
