// Cooperative groups: copies that the threads of a group share. They are done when the call returns to each thread;
// wait() then meets the others.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class T>
__RK_DEVICE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
  size_t whole = bytes / sizeof(T);
  for (size_t i = group.thread_rank(); i < whole; i += group.num_threads()) to[i] = from[i];
  for (size_t i = whole * sizeof(T) + group.thread_rank(); i < bytes; i += group.num_threads()) {
    ((char *)to)[i] = ((const char *)from)[i];
  }
}
template <class Group, class T>
__RK_DEVICE void memcpy_async(const Group &group, T *to, size_t room, const T *from, size_t count) {
  for (size_t i = group.thread_rank(); i < (count < room ? count : room); i += group.num_threads()) to[i] = from[i];
}
template <class Group> __RK_DEVICE void wait(const Group &group) { group.sync(); }
template <unsigned stages, class Group> __RK_DEVICE void wait_prior(const Group &group) { group.sync(); }

}
