// cub: a pointer that reads with a cache's hint.
#pragma once
#include "rawkernel/iterators.h"
#include "cub/thread/thread_load.cuh"

namespace cub {
template <CacheLoadModifier modifier, class T, class Offset = ptrdiff_t>
struct CacheModifiedInputIterator : __rk_iterator<CacheModifiedInputIterator<modifier, T, Offset>, T, T, Offset> {
  T *ptr;
  template <class U> __RK_MEMBER CacheModifiedInputIterator(U *ptr) : ptr(const_cast<std::remove_cv_t<U> *>(ptr)) {}
  __device__ T __get() const { return ThreadLoad<modifier>(ptr); }
  __RK_MEMBER void __move(Offset n) { ptr += n; }
  __RK_MEMBER Offset __distance(const CacheModifiedInputIterator &other) const { return (Offset)(ptr - other.ptr); }
};
}
