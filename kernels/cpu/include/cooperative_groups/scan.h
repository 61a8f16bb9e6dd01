// Cooperative groups: inclusive and exclusive scans over a tile or coalesced threads.
#pragma once
#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operator>
__RK_DEVICE T inclusive_scan(const Group &group, const T &value, Operator &&combine) {
  unsigned size = group.num_threads(), rank = group.thread_rank();
  T result = value;
  for (unsigned step = 1; step < size; step *= 2) {
    T other = __rk_shfl_up(group, result, step);
    if (rank >= step) result = combine(other, result);
  }
  return result;
}
template <class Group, class T> __RK_DEVICE T inclusive_scan(const Group &group, const T &value) {
  return inclusive_scan(group, value, plus<T>());
}

// The first thread gets the type's zero.
template <class Group, class T, class Operator>
__RK_DEVICE T exclusive_scan(const Group &group, const T &value, Operator &&combine) {
  T before = __rk_shfl_up(group, inclusive_scan(group, value, combine), 1);
  return group.thread_rank() ? before : T();
}
template <class Group, class T> __RK_DEVICE T exclusive_scan(const Group &group, const T &value) {
  return exclusive_scan(group, value, plus<T>());
}

}
