// cub: an iterator over what a functor makes of another one's values.
#pragma once
#include "rawkernel/iterators.h"

namespace cub {
template <class T, class Op, class It, class Offset = ptrdiff_t>
struct TransformInputIterator : __rk_iterator<TransformInputIterator<T, Op, It, Offset>, T, T, Offset> {
  Op __op;
  It __input;
  __RK_MEMBER TransformInputIterator(It input, Op op) : __op(op), __input(input) {}
  __RK_MEMBER T __get() const {
    Op op = __op;
    return op(*__input);
  }
  __RK_MEMBER void __move(Offset n) { __input += n; }
  __RK_MEMBER Offset __distance(const TransformInputIterator &other) const { return (Offset)(__input - other.__input); }
};
}
