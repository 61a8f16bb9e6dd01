// cub: one thread combines its items.
#pragma once
#include "cub/thread/thread_operators.cuh"

namespace cub {

template <int length, class T, class Op, class Prefix>
__RK_DEVICE Prefix ThreadReduce(const T *items, Op op, Prefix prefix) {
#pragma unroll
  for (int i = 0; i < length; i++) prefix = op(prefix, items[i]);
  return prefix;
}
template <int length, class T, class Op> __RK_DEVICE T ThreadReduce(const T *items, Op op) {
  return ThreadReduce<length - 1>(items + 1, op, items[0]);
}
template <int length, class T, class Op, class Prefix>
__RK_DEVICE Prefix ThreadReduce(const T (&items)[length], Op op, Prefix prefix) {
  return ThreadReduce<length>((const T *)items, op, prefix);
}
template <int length, class T, class Op> __RK_DEVICE T ThreadReduce(const T (&items)[length], Op op) {
  return ThreadReduce<length>((const T *)items, op);
}

namespace internal {
using cub::ThreadReduce;
}

}
