// thrust: one thread numbers its items.
#pragma once
#include <iterator>

#include "thrust/execution_policy.h"

namespace thrust {
template <class It, class T> __RK_DEVICE void sequence(__rk_alone, It first, It last, T value, T step) {
  for (; first != last; ++first, value = value + step) *first = value;
}
template <class It, class T> __RK_DEVICE void sequence(__rk_alone how, It first, It last, T value) {
  sequence(how, first, last, value, T(1));
}
template <class It> __RK_DEVICE void sequence(__rk_alone how, It first, It last) {
  sequence(how, first, last, typename std::iterator_traits<It>::value_type(0));
}
}
