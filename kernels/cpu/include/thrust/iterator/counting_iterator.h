// thrust: an iterator over consecutive numbers.
#pragma once
#include "rawkernel/iterators.h"

namespace thrust {
template <class T, class System = void, class Traversal = void, class Difference = ptrdiff_t>
struct counting_iterator : __rk_iterator<counting_iterator<T, System, Traversal, Difference>, T, T, Difference> {
  T __value;
  __RK_MEMBER constexpr counting_iterator() : __value() {}
  __RK_MEMBER constexpr explicit counting_iterator(T value) : __value(value) {}
  __RK_MEMBER constexpr T base() const { return __value; }
  __RK_MEMBER constexpr T __get() const { return __value; }
  __RK_MEMBER constexpr void __move(Difference n) { __value = (T)(__value + n); }
  __RK_MEMBER constexpr Difference __distance(const counting_iterator &other) const {
    return (Difference)__value - (Difference)other.__value;
  }
};
template <class T> __RK_MEMBER constexpr counting_iterator<T> make_counting_iterator(T value) {
  return counting_iterator<T>(value);
}
}
