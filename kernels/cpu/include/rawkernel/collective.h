// What the collectives of cub share. Between two barriers a loop of one thread over shared memory is the cheapest way
// on this device, where a worker runs all threads of a block: so most of them put values there, meet, and let the first
// thread do the work in the order of the threads.
#ifndef RAWKERNEL_COLLECTIVE_H
#define RAWKERNEL_COLLECTIVE_H

#include "warp.h"

#define __RK_COLLECTIVE __attribute__((device, always_inline))

namespace cub {

// Room for values whose constructors must not run, as in shared memory.
template <class T, int n> struct __rk_room {
  alignas(alignof(T)) unsigned char bytes[sizeof(T) * (n > 0 ? n : 1)];
  __RK_COLLECTIVE T *data() { return reinterpret_cast<T *>(bytes); }
  __RK_COLLECTIVE T &operator[](int i) { return data()[i]; }
};

// A block of constant dimensions. Dimensions that are 1 are not looked at, as in cub.
template <int x, int y, int z> struct __rk_block {
  static constexpr int threads = x * y * z;
  __RK_COLLECTIVE static int rank() {
    int rank = (int)threadIdx.x;
    if (y > 1) rank += (int)threadIdx.y * x;
    if (z > 1) rank += (int)threadIdx.z * x * y;
    return rank;
  }
};

// The lanes of a warp in groups of a constant size; those that are left over form a smaller group.
template <int width> struct __rk_lane_group {
  static_assert(width >= 1 && width <= 32, "a logical warp has 1 to 32 threads");
  __RK_COLLECTIVE static int rank() { return (int)(__rk_lane() % width); }
  __RK_COLLECTIVE static int first() { return (int)(__rk_lane() - __rk_lane() % width); }
  __RK_COLLECTIVE static unsigned mask() { return (width == 32 ? ~0u : (1u << width % 32) - 1) << first(); }
};

// Puts the value of each lane of the group, as far as it exists, to the place of its rank for the lanes that `wanted`
// names, and returns how many there are.
template <int width, class T> __RK_DEVICE int __rk_collect(const T &value, T *values, bool wanted) {
  typedef __rk_lane_group<width> Group;
  constexpr int words = (sizeof(T) + 7) / 8;
  int count = 0;
#pragma unroll
  for (int word = 0; word < words; word++) {
    constexpr int whole = 8, last = sizeof(T) - 8 * (words - 1);
    int size = word + 1 < words ? whole : last;
    unsigned long long *slots = __rk_slots();
    __builtin_memcpy(slots + __rk_lane(), (const char *)&value + 8 * word, size);
    __rt_warp_barrier(Group::mask());
    unsigned here = (Group::mask() & __rt_active & __rk_lanes()) >> Group::first();
    count = 32 - (here ? __builtin_clz(here) : 32);
    for (int i = 0; wanted && i < count; i++) {
      __builtin_memcpy((char *)(values + i) + 8 * word, slots + Group::first() + i, size);
    }
    __rt_warp_barrier(Group::mask());
  }
  return count;
}

// Combines neighbours, then pairs of those, and so on, in place: the order in which shuffles go that halve a warp.
template <class T, class Op> __RK_DEVICE void __rk_fold_lanes(T *values, int count, Op &op) {
  for (int step = 1; step < count; step *= 2) {
    for (int i = 0; i + step < count; i += 2 * step) values[i] = op(values[i], values[i + step]);
  }
}
// The same in each warp, and the warps from the first to the last.
template <class T, class Op> __RK_DEVICE T __rk_fold(T *values, int count, Op &op) {
  for (int warp = 0; warp < count; warp += 32) {
    __rk_fold_lanes(values + warp, count - warp < 32 ? count - warp : 32, op);
    if (warp) values[0] = op(values[0], values[warp]);
  }
  return values[0];
}

}

#endif
