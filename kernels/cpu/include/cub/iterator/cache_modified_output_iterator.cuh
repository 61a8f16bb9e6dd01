// cub: a pointer that writes with a cache's hint.
#pragma once
#include "rawkernel/iterators.h"
#include "cub/thread/thread_store.cuh"

namespace cub {
template <CacheStoreModifier modifier, class T> struct __rk_modified_place {
  T *ptr;
  __RK_COLLECTIVE T operator=(T value) const {
    ThreadStore<modifier>(ptr, value);
    return value;
  }
};
template <CacheStoreModifier modifier, class T, class Offset = ptrdiff_t>
struct CacheModifiedOutputIterator
    : __rk_iterator<CacheModifiedOutputIterator<modifier, T, Offset>, T, __rk_modified_place<modifier, T>, Offset> {
  T *ptr;
  template <class U> __RK_MEMBER CacheModifiedOutputIterator(U *ptr) : ptr(ptr) {}
  __RK_MEMBER __rk_modified_place<modifier, T> __get() const { return {ptr}; }
  __RK_MEMBER void __move(Offset n) { ptr += n; }
  __RK_MEMBER Offset __distance(const CacheModifiedOutputIterator &other) const { return (Offset)(ptr - other.ptr); }
};
}
