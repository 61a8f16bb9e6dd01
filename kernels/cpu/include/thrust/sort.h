// thrust: one thread sorts its items; equal ones keep their order.
#pragma once
#include <algorithm>
#include <functional>

#include "thrust/execution_policy.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
template <class Keys, class... Less> __RK_DEVICE void stable_sort(__rk_alone, Keys first, Keys last, Less... less) {
  std::stable_sort(first, last, less...);
}
template <class Less> struct __rk_by_key {
  Less less;
  template <class A, class B> __RK_MEMBER bool operator()(const A &a, const B &b) const {
    return less(std::get<0>(a), std::get<0>(b));
  }
};
template <class Keys, class Values, class Less>
__RK_DEVICE void stable_sort_by_key(__rk_alone, Keys first, Keys last, Values values, Less less) {
  auto pairs = thrust::make_zip_iterator(first, values);
  std::stable_sort(pairs, pairs + (last - first), __rk_by_key<Less>{less});
}
template <class Keys, class Values>
__RK_DEVICE void stable_sort_by_key(__rk_alone how, Keys first, Keys last, Values values) {
  stable_sort_by_key(how, first, last, values, std::less<>());
}
template <class Keys, class... Less> __RK_DEVICE void sort(__rk_alone how, Keys first, Keys last, Less... less) {
  stable_sort(how, first, last, less...);
}
template <class Keys, class Values, class... Less>
__RK_DEVICE void sort_by_key(__rk_alone how, Keys first, Keys last, Values values, Less... less) {
  stable_sort_by_key(how, first, last, values, less...);
}
template <class... A> __RK_DEVICE bool is_sorted(__rk_alone, A... a) { return std::is_sorted(a...); }
template <class It, class... Less> __RK_DEVICE It is_sorted_until(__rk_alone, It first, It last, Less... less) {
  return std::is_sorted_until(first, last, less...);
}
}
