// thrust: an iterator over one value again and again.
#pragma once
#include "rawkernel/iterators.h"

namespace thrust {
template <class T, class Difference = ptrdiff_t, class System = void>
struct constant_iterator : __rk_iterator<constant_iterator<T, Difference, System>, T, T, Difference> {
  T __value;
  Difference __offset;
  __RK_MEMBER constexpr constant_iterator() : __value(), __offset() {}
  __RK_MEMBER constexpr constant_iterator(const T &value, Difference offset = 0) : __value(value), __offset(offset) {}
  __RK_MEMBER constexpr const T &value() const { return __value; }
  __RK_MEMBER constexpr T __get() const { return __value; }
  __RK_MEMBER constexpr void __move(Difference n) { __offset += n; }
  __RK_MEMBER constexpr Difference __distance(const constant_iterator &other) const { return __offset - other.__offset; }
};
template <class T, class Difference = ptrdiff_t>
__RK_MEMBER constexpr constant_iterator<T, Difference> make_constant_iterator(const T &value, Difference offset = 0) {
  return constant_iterator<T, Difference>(value, offset);
}
}
