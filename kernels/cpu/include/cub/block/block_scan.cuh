// cub: prefix sums over a block, of one item or several of each thread.
#pragma once
#include "cub/thread/thread_reduce.cuh"
#include "cub/thread/thread_scan.cuh"
#include "cub/util_ptx.cuh"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Block;

public:
  struct TempStorage {
    __rk_room<T, Block::threads> sums;
    __rk_room<T, 1> prefix;
  };
  __RK_COLLECTIVE BlockScan() : storage(own()) {}
  __RK_COLLECTIVE BlockScan(TempStorage &storage) : storage(storage) {}

  // ---- Exclusive, with a first value ----

  template <class Op> __RK_COLLECTIVE void ExclusiveScan(T input, T &output, T initial_value, Op op, T &block_aggregate) {
    scan(input, op, block_aggregate);
    output = Block::rank() ? (T)op(initial_value, before()) : initial_value;
  }
  template <class Op> __RK_COLLECTIVE void ExclusiveScan(T input, T &output, T initial_value, Op op) {
    T aggregate;
    ExclusiveScan(input, output, initial_value, op, aggregate);
  }
  template <class Op, class Prefix>
  __RK_COLLECTIVE void ExclusiveScan(T input, T &output, Op op, Prefix &block_prefix_callback_op) {
    T prefix = scanBehind(input, op, block_prefix_callback_op);
    output = Block::rank() ? (T)op(prefix, before()) : prefix;
  }
  template <int n, class Op>
  __RK_COLLECTIVE void ExclusiveScan(T (&input)[n], T (&output)[n], T initial_value, Op op, T &block_aggregate) {
    T first;
    ExclusiveScan(ThreadReduce(input, op), first, initial_value, op, block_aggregate);
    internal::ThreadScanExclusive(input, output, op, first);
  }
  template <int n, class Op>
  __RK_COLLECTIVE void ExclusiveScan(T (&input)[n], T (&output)[n], T initial_value, Op op) {
    T aggregate;
    ExclusiveScan(input, output, initial_value, op, aggregate);
  }
  template <int n, class Op, class Prefix>
  __RK_COLLECTIVE void ExclusiveScan(T (&input)[n], T (&output)[n], Op op, Prefix &block_prefix_callback_op) {
    T first;
    ExclusiveScan(ThreadReduce(input, op), first, op, block_prefix_callback_op);
    internal::ThreadScanExclusive(input, output, op, first);
  }

  // ---- Exclusive, without one: the first output is not meant to be read ----

  template <class Op> __RK_COLLECTIVE void ExclusiveScan(T input, T &output, Op op, T &block_aggregate) {
    scan(input, op, block_aggregate);
    if (Block::rank()) output = before();
  }
  template <class Op> __RK_COLLECTIVE void ExclusiveScan(T input, T &output, Op op) {
    T aggregate;
    ExclusiveScan(input, output, op, aggregate);
  }
  template <int n, class Op>
  __RK_COLLECTIVE void ExclusiveScan(T (&input)[n], T (&output)[n], Op op, T &block_aggregate) {
    T first = ThreadReduce(input, op);
    ExclusiveScan(first, first, op, block_aggregate);
    internal::ThreadScanExclusive(input, output, op, first, Block::rank() != 0);
  }
  template <int n, class Op> __RK_COLLECTIVE void ExclusiveScan(T (&input)[n], T (&output)[n], Op op) {
    T aggregate;
    ExclusiveScan(input, output, op, aggregate);
  }

  // ---- Inclusive ----

  template <class Op> __RK_COLLECTIVE void InclusiveScan(T input, T &output, Op op, T &block_aggregate) {
    scan(input, op, block_aggregate);
    output = storage.sums[Block::rank()];
  }
  template <class Op> __RK_COLLECTIVE void InclusiveScan(T input, T &output, Op op) {
    T aggregate;
    InclusiveScan(input, output, op, aggregate);
  }
  template <class Op, class Prefix>
  __RK_COLLECTIVE void InclusiveScan(T input, T &output, Op op, Prefix &block_prefix_callback_op) {
    T prefix = scanBehind(input, op, block_prefix_callback_op);
    output = op(prefix, storage.sums[Block::rank()]);
  }
  template <int n, class Op>
  __RK_COLLECTIVE void InclusiveScan(T (&input)[n], T (&output)[n], Op op, T &block_aggregate) {
    T first = ThreadReduce(input, op);
    ExclusiveScan(first, first, op, block_aggregate);
    internal::ThreadScanInclusive(input, output, op, first, Block::rank() != 0);
  }
  template <int n, class Op> __RK_COLLECTIVE void InclusiveScan(T (&input)[n], T (&output)[n], Op op) {
    T aggregate;
    InclusiveScan(input, output, op, aggregate);
  }
  template <int n, class Op>
  __RK_COLLECTIVE void InclusiveScan(T (&input)[n], T (&output)[n], T initial_value, Op op, T &block_aggregate) {
    T first;
    ExclusiveScan(ThreadReduce(input, op), first, initial_value, op, block_aggregate);
    internal::ThreadScanInclusive(input, output, op, first);
  }
  template <int n, class Op>
  __RK_COLLECTIVE void InclusiveScan(T (&input)[n], T (&output)[n], T initial_value, Op op) {
    T aggregate;
    InclusiveScan(input, output, initial_value, op, aggregate);
  }
  template <int n, class Op, class Prefix>
  __RK_COLLECTIVE void InclusiveScan(T (&input)[n], T (&output)[n], Op op, Prefix &block_prefix_callback_op) {
    T first;
    ExclusiveScan(ThreadReduce(input, op), first, op, block_prefix_callback_op);
    internal::ThreadScanInclusive(input, output, op, first);
  }

  // ---- Sums ----

  __RK_COLLECTIVE void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T{}, cub::Sum()); }
  __RK_COLLECTIVE void ExclusiveSum(T input, T &output, T &block_aggregate) {
    ExclusiveScan(input, output, T{}, cub::Sum(), block_aggregate);
  }
  template <class Prefix> __RK_COLLECTIVE void ExclusiveSum(T input, T &output, Prefix &block_prefix_callback_op) {
    ExclusiveScan(input, output, cub::Sum(), block_prefix_callback_op);
  }
  template <int n> __RK_COLLECTIVE void ExclusiveSum(T (&input)[n], T (&output)[n]) {
    ExclusiveScan(input, output, T{}, cub::Sum());
  }
  template <int n> __RK_COLLECTIVE void ExclusiveSum(T (&input)[n], T (&output)[n], T &block_aggregate) {
    ExclusiveScan(input, output, T{}, cub::Sum(), block_aggregate);
  }
  template <int n, class Prefix>
  __RK_COLLECTIVE void ExclusiveSum(T (&input)[n], T (&output)[n], Prefix &block_prefix_callback_op) {
    ExclusiveScan(input, output, cub::Sum(), block_prefix_callback_op);
  }
  __RK_COLLECTIVE void InclusiveSum(T input, T &output) { InclusiveScan(input, output, cub::Sum()); }
  __RK_COLLECTIVE void InclusiveSum(T input, T &output, T &block_aggregate) {
    InclusiveScan(input, output, cub::Sum(), block_aggregate);
  }
  template <class Prefix> __RK_COLLECTIVE void InclusiveSum(T input, T &output, Prefix &block_prefix_callback_op) {
    InclusiveScan(input, output, cub::Sum(), block_prefix_callback_op);
  }
  template <int n> __RK_COLLECTIVE void InclusiveSum(T (&input)[n], T (&output)[n]) {
    InclusiveScan(input, output, cub::Sum());
  }
  template <int n> __RK_COLLECTIVE void InclusiveSum(T (&input)[n], T (&output)[n], T &block_aggregate) {
    InclusiveScan(input, output, cub::Sum(), block_aggregate);
  }
  template <int n, class Prefix>
  __RK_COLLECTIVE void InclusiveSum(T (&input)[n], T (&output)[n], Prefix &block_prefix_callback_op) {
    InclusiveScan(input, output, cub::Sum(), block_prefix_callback_op);
  }

private:
  TempStorage &storage;

  /// What the threads before this one have together.
  __RK_COLLECTIVE T before() { return storage.sums[Block::rank() - 1]; }

  template <class Op> __RK_COLLECTIVE void scan(const T &input, Op op, T &aggregate) {
    storage.sums[Block::rank()] = input;
    __syncthreads();
    if (Block::rank() == 0) {
      for (int i = 1; i < Block::threads; i++) storage.sums[i] = op(storage.sums[i - 1], storage.sums[i]);
    }
    __syncthreads();
    aggregate = storage.sums[Block::threads - 1];
  }

  // The first warp calls the functor, which may be one for a whole warp; the first thread's result counts.
  template <class Op, class Prefix> __RK_COLLECTIVE T scanBehind(const T &input, Op op, Prefix &callback) {
    T aggregate;
    scan(input, op, aggregate);
    if (Block::rank() < 32) {
      T prefix = callback(aggregate);
      if (Block::rank() == 0) storage.prefix[0] = prefix;
    }
    __syncthreads();
    return storage.prefix[0];
  }

  __RK_COLLECTIVE static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}
