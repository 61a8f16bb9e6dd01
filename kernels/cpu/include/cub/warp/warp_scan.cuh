// cub: prefix sums over a warp or a part of it. Each lane sums what is before it.
#pragma once
#include "cub/thread/thread_operators.cuh"
#include "cub/util_ptx.cuh"

namespace cub {

template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0> class WarpScan {
  typedef __rk_lane_group<LOGICAL_WARP_THREADS> Group;

public:
  struct TempStorage {};
  __RK_COLLECTIVE WarpScan(TempStorage &) {}

  template <class Op> __RK_COLLECTIVE void InclusiveScan(T input, T &output, Op op) { scan(input, op).inclusive(output); }
  template <class Op> __RK_COLLECTIVE void InclusiveScan(T input, T &output, Op op, T &warp_aggregate) {
    scan(input, op).inclusive(output).sum(warp_aggregate);
  }
  __RK_COLLECTIVE void InclusiveSum(T input, T &output) { InclusiveScan(input, output, cub::Sum()); }
  __RK_COLLECTIVE void InclusiveSum(T input, T &output, T &warp_aggregate) {
    InclusiveScan(input, output, cub::Sum(), warp_aggregate);
  }

  /// Without a first value, the first lane's output is not meant to be read.
  template <class Op> __RK_COLLECTIVE void ExclusiveScan(T input, T &output, Op op) { scan(input, op).exclusive(output); }
  template <class Op> __RK_COLLECTIVE void ExclusiveScan(T input, T &output, Op op, T &warp_aggregate) {
    scan(input, op).exclusive(output).sum(warp_aggregate);
  }
  template <class Op> __RK_COLLECTIVE void ExclusiveScan(T input, T &output, T initial_value, Op op) {
    scan(input, op).exclusive(output, initial_value, op);
  }
  // The aggregate is of the inputs alone.
  template <class Op>
  __RK_COLLECTIVE void ExclusiveScan(T input, T &output, T initial_value, Op op, T &warp_aggregate) {
    scan(input, op).exclusive(output, initial_value, op).sum(warp_aggregate);
  }
  __RK_COLLECTIVE void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T{}, cub::Sum()); }
  __RK_COLLECTIVE void ExclusiveSum(T input, T &output, T &warp_aggregate) {
    ExclusiveScan(input, output, T{}, cub::Sum(), warp_aggregate);
  }

  template <class Op> __RK_COLLECTIVE void Scan(T input, T &inclusive_output, T &exclusive_output, Op op) {
    scan(input, op).inclusive(inclusive_output).exclusive(exclusive_output);
  }
  template <class Op>
  __RK_COLLECTIVE void Scan(T input, T &inclusive_output, T &exclusive_output, T initial_value, Op op) {
    Sums sums = scan(input, op);
    sums.exclusive(exclusive_output, initial_value, op);
    T own;
    sums.inclusive(own);
    inclusive_output = op(initial_value, own);
  }
  __RK_COLLECTIVE T Broadcast(T input, unsigned source) {
    return __rk_shuffle_any(Group::mask(), input, Group::first() + source, true);
  }

private:
  struct Sums {
    __rk_room<T, LOGICAL_WARP_THREADS> values;
    int count;
    __RK_COLLECTIVE Sums &inclusive(T &output) {
      output = values[Group::rank()];
      return *this;
    }
    __RK_COLLECTIVE Sums &exclusive(T &output) {
      if (Group::rank()) output = values[Group::rank() - 1];
      return *this;
    }
    template <class Op> __RK_COLLECTIVE Sums &exclusive(T &output, T initial_value, Op op) {
      output = Group::rank() ? (T)op(initial_value, values[Group::rank() - 1]) : initial_value;
      return *this;
    }
    __RK_COLLECTIVE void sum(T &aggregate) { aggregate = values[count - 1]; }
  };
  template <class Op> __RK_COLLECTIVE static Sums scan(const T &input, Op op) {
    Sums sums;
    sums.count = __rk_collect<LOGICAL_WARP_THREADS>(input, sums.values.data(), true);
    for (int i = 1; i < sums.count; i++) sums.values[i] = op(sums.values[i - 1], sums.values[i]);
    return sums;
  }
};

}
