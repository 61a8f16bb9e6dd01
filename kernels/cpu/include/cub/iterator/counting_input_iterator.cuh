// cub: an iterator over consecutive numbers.
#pragma once
#include "rawkernel/iterators.h"

namespace cub {
template <class T, class Offset = ptrdiff_t>
struct CountingInputIterator : __rk_iterator<CountingInputIterator<T, Offset>, T, T, Offset> {
  T __value;
  __RK_MEMBER CountingInputIterator(const T &value) : __value(value) {}
  __RK_MEMBER T __get() const { return __value; }
  __RK_MEMBER void __move(Offset n) { __value = (T)(__value + n); }
  __RK_MEMBER Offset __distance(const CountingInputIterator &other) const { return (Offset)(__value - other.__value); }
};
}
