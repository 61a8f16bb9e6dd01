// cub: an iterator over pairs of an index and another one's value.
#pragma once
#include "rawkernel/iterators.h"
#include "cub/util_type.cuh"

namespace cub {
template <class It, class Offset = ptrdiff_t, class T = __rk_value<It>>
struct ArgIndexInputIterator
    : __rk_iterator<ArgIndexInputIterator<It, Offset, T>, KeyValuePair<Offset, T>, KeyValuePair<Offset, T>, Offset> {
  It __input;
  Offset __offset;
  __RK_MEMBER ArgIndexInputIterator(It input, Offset offset = 0) : __input(input), __offset(offset) {}
  __RK_MEMBER KeyValuePair<Offset, T> __get() const { return {__offset, __input[__offset]}; }
  __RK_MEMBER void __move(Offset n) { __offset += n; }
  __RK_MEMBER Offset __distance(const ArgIndexInputIterator &other) const { return __offset - other.__offset; }
  __RK_MEMBER void normalize() {
    __input += __offset;
    __offset = 0;
  }
};
}
