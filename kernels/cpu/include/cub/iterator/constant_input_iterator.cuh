// cub: an iterator over one value again and again.
#pragma once
#include "rawkernel/iterators.h"

namespace cub {
template <class T, class Offset = ptrdiff_t>
struct ConstantInputIterator : __rk_iterator<ConstantInputIterator<T, Offset>, T, T, Offset> {
  T __value;
  Offset __offset;
  __RK_MEMBER ConstantInputIterator(T value, Offset offset = 0) : __value(value), __offset(offset) {}
  __RK_MEMBER T __get() const { return __value; }
  __RK_MEMBER void __move(Offset n) { __offset += n; }
  __RK_MEMBER Offset __distance(const ConstantInputIterator &other) const { return __offset - other.__offset; }
};
}
