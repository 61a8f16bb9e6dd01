// thrust: an iterator that drops what is written.
#pragma once
#include "rawkernel/iterators.h"

namespace thrust {
struct __rk_nowhere {
  template <class T> __RK_MEMBER constexpr const __rk_nowhere &operator=(const T &) const { return *this; }
};
template <class System = void>
struct discard_iterator : __rk_iterator<discard_iterator<System>, __rk_nowhere, __rk_nowhere> {
  ptrdiff_t __offset;
  __RK_MEMBER constexpr explicit discard_iterator(ptrdiff_t offset = 0) : __offset(offset) {}
  __RK_MEMBER constexpr __rk_nowhere __get() const { return {}; }
  __RK_MEMBER constexpr void __move(ptrdiff_t n) { __offset += n; }
  __RK_MEMBER constexpr ptrdiff_t __distance(const discard_iterator &other) const { return __offset - other.__offset; }
};
__RK_BOTH discard_iterator<> make_discard_iterator(ptrdiff_t offset = 0) { return discard_iterator<>(offset); }
}
