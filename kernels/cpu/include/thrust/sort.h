// thrust: one thread sorts its items; equal ones keep their order.
#pragma once
#include <utility>

#include "thrust/execution_policy.h"

namespace thrust {

// By insertion: a thread sorts few items, and needs no memory for it.
template <class Keys, class Less, class Move> __RK_DEVICE void __rk_insert(Keys keys, ptrdiff_t count, Less less, Move swap) {
  for (ptrdiff_t i = 1; i < count; i++) {
    for (ptrdiff_t j = i; j > 0 && less(keys[j], keys[j - 1]); j--) swap(j);
  }
}
template <class Keys, class Less> __RK_DEVICE void stable_sort(__rk_alone, Keys first, Keys last, Less less) {
  __rk_insert(first, last - first, less, [&](ptrdiff_t i) { std::swap(first[i], first[i - 1]); });
}
template <class Keys, class Values, class Less>
__RK_DEVICE void stable_sort_by_key(__rk_alone, Keys first, Keys last, Values values, Less less) {
  __rk_insert(first, last - first, less, [&](ptrdiff_t i) {
    std::swap(first[i], first[i - 1]);
    std::swap(values[i], values[i - 1]);
  });
}
struct __rk_less {
  template <class A, class B> __RK_MEMBER bool operator()(const A &a, const B &b) const { return a < b; }
};
template <class Keys> __RK_DEVICE void stable_sort(__rk_alone how, Keys first, Keys last) {
  stable_sort(how, first, last, __rk_less());
}
template <class Keys, class Values>
__RK_DEVICE void stable_sort_by_key(__rk_alone how, Keys first, Keys last, Values values) {
  stable_sort_by_key(how, first, last, values, __rk_less());
}
template <class Keys, class... Less> __RK_DEVICE void sort(__rk_alone how, Keys first, Keys last, Less... less) {
  stable_sort(how, first, last, less...);
}
template <class Keys, class Values, class... Less>
__RK_DEVICE void sort_by_key(__rk_alone how, Keys first, Keys last, Values values, Less... less) {
  stable_sort_by_key(how, first, last, values, less...);
}

}
