// cub: reductions over a block. The first thread has the result.
#pragma once
#include "cub/thread/thread_reduce.cuh"
#include "cub/util_ptx.cuh"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockReduce {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Block;

public:
  struct TempStorage {
    __rk_room<T, Block::threads> values;
  };
  __RK_COLLECTIVE BlockReduce() : storage(own()) {}
  __RK_COLLECTIVE BlockReduce(TempStorage &storage) : storage(storage) {}

  template <class Op> __RK_COLLECTIVE T Reduce(T input, Op op, int num_valid) {
    int rank = Block::rank();
    if (rank < num_valid) storage.values[rank] = input;
    __syncthreads();
    if (rank) return input;
    return __rk_fold(storage.values.data(), num_valid < Block::threads ? num_valid : Block::threads, op);
  }
  template <class Op> __RK_COLLECTIVE T Reduce(T input, Op op) { return Reduce(input, op, Block::threads); }
  template <int n, class Op> __RK_COLLECTIVE T Reduce(T (&inputs)[n], Op op) {
    return Reduce(ThreadReduce(inputs, op), op);
  }
  __RK_COLLECTIVE T Sum(T input) { return Reduce(input, cub::Sum()); }
  __RK_COLLECTIVE T Sum(T input, int num_valid) { return Reduce(input, cub::Sum(), num_valid); }
  template <int n> __RK_COLLECTIVE T Sum(T (&inputs)[n]) { return Reduce(inputs, cub::Sum()); }

private:
  TempStorage &storage;
  __RK_COLLECTIVE static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}
