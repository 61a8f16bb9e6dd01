// Cooperative groups: reduce over a tile or coalesced threads, and the operators.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {

#define __RK_OPERATOR(name, expression)                                                                                \
  template <class T = void> struct name {                                                                              \
    __RK_GROUP T operator()(const T &a, const T &b) const { return expression; }                                       \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <class T> __RK_GROUP T operator()(const T &a, const T &b) const { return expression; }                    \
  };
__RK_OPERATOR(plus, a + b)
__RK_OPERATOR(less, b < a ? b : a)
__RK_OPERATOR(greater, a < b ? b : a)
__RK_OPERATOR(bit_and, a & b)
__RK_OPERATOR(bit_or, a | b)
__RK_OPERATOR(bit_xor, a ^ b)
#undef __RK_OPERATOR

// Shuffles of tiles and coalesced threads; tiles of several warps have them under names of their own.
#define __RK_SHUFFLE(name, Place)                                                                                      \
  template <class Group, class T>                                                                                      \
  __RK_GROUP auto __rk_##name(const Group &group, const T &value, Place place)->decltype(group.name(value, place)) {   \
    return group.name(value, place);                                                                                   \
  }                                                                                                                    \
  template <class Group, class T>                                                                                      \
  __RK_GROUP auto __rk_##name(const Group &group, const T &value, Place place)->decltype(group.__##name(value, place)) { \
    return group.__##name(value, place);                                                                               \
  }
__RK_SHUFFLE(shfl, int)
__RK_SHUFFLE(shfl_down, unsigned)
__RK_SHUFFLE(shfl_up, unsigned)
#undef __RK_SHUFFLE

// In halves: the ranks beyond the largest power of two fold into the first ones, which then meet in pairs.
template <class Group, class T, class Operator>
__RK_DEVICE T reduce(const Group &group, const T &value, Operator &&combine) {
  unsigned size = group.num_threads(), rank = group.thread_rank(), half = 1;
  T result = value;
  while (half * 2 <= size) half *= 2;
  for (unsigned step = half < size ? half : half / 2; step; step /= 2) {
    T other = __rk_shfl_down(group, result, step);
    if (rank < step && rank + step < size) result = combine(result, other);
  }
  return __rk_shfl(group, result, 0);
}

// The first thread of the group writes the result, or combines it with what is there.
template <class Group, class Out, class T, class Operator>
__RK_DEVICE void reduce_store_async(const Group &group, Out *to, const T &value, Operator &&combine) {
  T result = reduce(group, value, combine);
  if (group.thread_rank() == 0) *to = result;
}
template <class Group, class Atomic, class T, class Operator>
__RK_DEVICE void reduce_update_async(const Group &group, Atomic &to, const T &value, Operator &&combine) {
  T result = reduce(group, value, combine);
  if (group.thread_rank() != 0) return;
  typename Atomic::value_type old = to.load();
  while (!to.compare_exchange_weak(old, combine(old, result))) {
  }
}

}
