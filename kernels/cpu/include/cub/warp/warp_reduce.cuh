// cub: reductions over a warp or a part of it, all of it or segments. The first lane (of a segment) has the result.
#pragma once
#include "cub/thread/thread_reduce.cuh"
#include "cub/util_ptx.cuh"

namespace cub {

template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0> class WarpReduce {
  typedef __rk_lane_group<LOGICAL_WARP_THREADS> Group;
  typedef __rk_room<T, LOGICAL_WARP_THREADS> Values;

public:
  // Values go from lane to lane as in shuffles.
  struct TempStorage {};
  __RK_COLLECTIVE WarpReduce(TempStorage &) {}

  template <class Op> __RK_COLLECTIVE T Reduce(T input, Op op, int valid_items = LOGICAL_WARP_THREADS) {
    Values values;
    int count = __rk_collect<LOGICAL_WARP_THREADS>(input, values.data(), Group::rank() == 0);
    if (Group::rank() == 0) {
      __rk_fold_lanes(values.data(), valid_items < count ? valid_items : count, op);
      return values[0];
    }
    return input;
  }
  template <int n, class Op> __RK_COLLECTIVE T Reduce(const T (&input)[n], Op op) {
    return Reduce(ThreadReduce(input, op), op);
  }
  __RK_COLLECTIVE T Sum(T input) { return Reduce(input, cub::Sum()); }
  __RK_COLLECTIVE T Sum(T input, int valid_items) { return Reduce(input, cub::Sum(), valid_items); }
  template <int n> __RK_COLLECTIVE T Sum(const T (&input)[n]) { return Reduce(input, cub::Sum()); }
  __RK_COLLECTIVE T Max(T input) { return Reduce(input, cub::Max()); }
  __RK_COLLECTIVE T Max(T input, int valid_items) { return Reduce(input, cub::Max(), valid_items); }
  __RK_COLLECTIVE T Min(T input) { return Reduce(input, cub::Min()); }
  __RK_COLLECTIVE T Min(T input, int valid_items) { return Reduce(input, cub::Min(), valid_items); }

  /// A flag starts a segment; the first lane starts one anyway.
  template <class Op, class Flag> __RK_COLLECTIVE T HeadSegmentedReduce(T input, Flag head, Op op) {
    unsigned starts = flags(head) | 1;
    return segment(input, op, [&](int i) { return starts >> i & 1; }, starts >> Group::rank() & 1);
  }
  /// A flag ends a segment.
  template <class Op, class Flag> __RK_COLLECTIVE T TailSegmentedReduce(T input, Flag tail, Op op) {
    unsigned ends = flags(tail), starts = ends << 1 | 1;
    return segment(input, op, [&](int i) { return starts >> i & 1; }, starts >> Group::rank() & 1);
  }
  template <class Flag> __RK_COLLECTIVE T HeadSegmentedSum(T input, Flag head) {
    return HeadSegmentedReduce(input, head, cub::Sum());
  }
  template <class Flag> __RK_COLLECTIVE T TailSegmentedSum(T input, Flag tail) {
    return TailSegmentedReduce(input, tail, cub::Sum());
  }

private:
  template <class Flag> __RK_COLLECTIVE static unsigned flags(Flag flag) {
    return (__ballot_sync(Group::mask(), flag ? 1 : 0) & Group::mask()) >> Group::first();
  }
  template <class Op, class IsStart> __RK_COLLECTIVE static T segment(T input, Op op, IsStart is_start, bool wanted) {
    Values values;
    int count = __rk_collect<LOGICAL_WARP_THREADS>(input, values.data(), wanted);
    if (!wanted) return input;
    int first = Group::rank(), end = first + 1;
    while (end < count && !is_start(end)) end++;
    __rk_fold_lanes(values.data() + first, end - first, op);
    return values[first];
  }
};

}
