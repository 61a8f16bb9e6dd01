// cub: one thread scans its items.
#pragma once
#include "cub/thread/thread_operators.cuh"

namespace cub {
namespace internal {

/// @returns the sum of all
template <int length, class T, class Op>
__RK_DEVICE T ThreadScanExclusive(const T *from, T *to, Op op, T prefix, bool apply_prefix = true) {
  T sum = prefix;
#pragma unroll
  for (int i = 0; i < length; i++) {
    T item = from[i];
    if (i || apply_prefix) to[i] = sum;
    sum = i || apply_prefix ? (T)op(sum, item) : item;
  }
  return sum;
}
template <int length, class T, class Op>
__RK_DEVICE T ThreadScanExclusive(T (&from)[length], T (&to)[length], Op op, T prefix, bool apply_prefix = true) {
  return ThreadScanExclusive<length>((const T *)from, (T *)to, op, prefix, apply_prefix);
}
template <int length, class T, class Op> __RK_DEVICE T ThreadScanInclusive(const T *from, T *to, Op op) {
  T sum = to[0] = from[0];
#pragma unroll
  for (int i = 1; i < length; i++) to[i] = sum = op(sum, from[i]);
  return sum;
}
template <int length, class T, class Op>
__RK_DEVICE T ThreadScanInclusive(const T *from, T *to, Op op, T prefix, bool apply_prefix = true) {
  T sum = to[0] = apply_prefix ? (T)op(prefix, from[0]) : from[0];
#pragma unroll
  for (int i = 1; i < length; i++) to[i] = sum = op(sum, from[i]);
  return sum;
}
template <int length, class T, class Op> __RK_DEVICE T ThreadScanInclusive(T (&from)[length], T (&to)[length], Op op) {
  return ThreadScanInclusive<length>((const T *)from, (T *)to, op);
}
template <int length, class T, class Op>
__RK_DEVICE T ThreadScanInclusive(T (&from)[length], T (&to)[length], Op op, T prefix, bool apply_prefix = true) {
  return ThreadScanInclusive<length>((const T *)from, (T *)to, op, prefix, apply_prefix);
}

}
using internal::ThreadScanExclusive;
using internal::ThreadScanInclusive;
}
