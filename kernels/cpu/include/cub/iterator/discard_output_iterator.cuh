// cub: an iterator that drops what is written.
#pragma once
#include "rawkernel/iterators.h"

namespace cub {
struct __rk_nowhere {
  template <class T> __RK_MEMBER const __rk_nowhere &operator=(const T &) const { return *this; }
};
template <class Offset = ptrdiff_t>
struct DiscardOutputIterator : __rk_iterator<DiscardOutputIterator<Offset>, void, __rk_nowhere, Offset> {
  Offset offset;
  __RK_MEMBER DiscardOutputIterator(Offset offset = 0) : offset(offset) {}
  __RK_MEMBER __rk_nowhere __get() const { return {}; }
  __RK_MEMBER void __move(Offset n) { offset += n; }
  __RK_MEMBER Offset __distance(const DiscardOutputIterator &other) const { return offset - other.offset; }
};
}
