// cuda::memcpy_async: each thread has copied its part when the call returns, so that a barrier or a pipeline on which it
// then arrives has nothing of its own to wait for.
#ifndef RAWKERNEL_ASYNC_COPIES_H
#define RAWKERNEL_ASYNC_COPIES_H

#include "barrier_type.h"

namespace cuda {

/// A size of which the alignment of both places is known.
template <size_t alignment> struct aligned_size_t {
  static constexpr size_t align = alignment;
  size_t value;
  __RK_MEMBER explicit aligned_size_t(size_t size) : value(size) {}
  __RK_MEMBER operator size_t() const { return value; }
};

enum class async_contract_fulfillment { none, async };

// The part of one thread of a group, four bytes at a time where places and size allow it.
__RK_DEVICE void __rk_copy_part(char *to, const char *from, size_t bytes, size_t rank, size_t threads) {
  if ((((size_t)to | (size_t)from | bytes) & 3) == 0) {
    for (size_t i = rank * 4; i < bytes; i += threads * 4) *(unsigned *)(to + i) = *(const unsigned *)(from + i);
  } else {
    for (size_t i = rank; i < bytes; i += threads) to[i] = from[i];
  }
}

template <class Sync>
__RK_DEVICE async_contract_fulfillment memcpy_async(void *to, const void *from, size_t bytes, Sync &) {
  __rk_copy_part((char *)to, (const char *)from, bytes, 0, 1);
  return async_contract_fulfillment::none;
}
template <class Group, class Sync>
__RK_DEVICE async_contract_fulfillment memcpy_async(const Group &group, void *to, const void *from, size_t bytes,
                                                    Sync &) {
  __rk_copy_part((char *)to, (const char *)from, bytes, group.thread_rank(), group.size());
  return async_contract_fulfillment::none;
}

}

#endif
