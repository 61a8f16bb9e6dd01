// cub: what a functor makes of each of a block's items and its neighbour.
#pragma once
#include "cub/util_ptx.cuh"
#include "cub/util_type.cuh"

namespace cub {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockAdjacentDifference {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Block;

public:
  struct TempStorage {
    __rk_room<T, Block::threads> ends;
  };
  __RK_COLLECTIVE BlockAdjacentDifference() : storage(own()) {}
  __RK_COLLECTIVE BlockAdjacentDifference(TempStorage &storage) : storage(storage) {}

  /// Without a neighbour the item stays as it is.
  template <int n, class Out, class Op>
  __RK_COLLECTIVE void SubtractLeft(T (&input)[n], Out (&output)[n], Op difference_op) {
    left(input, output, difference_op, Block::threads * n, nullptr);
  }
  template <int n, class Out, class Op>
  __RK_COLLECTIVE void SubtractLeft(T (&input)[n], Out (&output)[n], Op difference_op, T tile_predecessor_item) {
    left(input, output, difference_op, Block::threads * n, &tile_predecessor_item);
  }
  template <int n, class Out, class Op>
  __RK_COLLECTIVE void SubtractLeftPartialTile(T (&input)[n], Out (&output)[n], Op difference_op, int valid_items) {
    left(input, output, difference_op, valid_items, nullptr);
  }
  template <int n, class Out, class Op>
  __RK_COLLECTIVE void SubtractLeftPartialTile(T (&input)[n], Out (&output)[n], Op difference_op, int valid_items,
                                               T tile_predecessor_item) {
    left(input, output, difference_op, valid_items, &tile_predecessor_item);
  }
  template <int n, class Out, class Op>
  __RK_COLLECTIVE void SubtractRight(T (&input)[n], Out (&output)[n], Op difference_op) {
    right(input, output, difference_op, Block::threads * n, nullptr);
  }
  template <int n, class Out, class Op>
  __RK_COLLECTIVE void SubtractRight(T (&input)[n], Out (&output)[n], Op difference_op, T tile_successor_item) {
    right(input, output, difference_op, Block::threads * n, &tile_successor_item);
  }
  template <int n, class Out, class Op>
  __RK_COLLECTIVE void SubtractRightPartialTile(T (&input)[n], Out (&output)[n], Op difference_op, int valid_items) {
    right(input, output, difference_op, valid_items, nullptr);
  }

private:
  TempStorage &storage;

  // Items beyond the valid ones are copied. The last item goes first: output may be input.
  template <int n, class Out, class Op>
  __RK_COLLECTIVE void left(T (&input)[n], Out (&output)[n], Op op, int valid, const T *predecessor) {
    int rank = Block::rank();
    storage.ends[rank] = input[n - 1];
    __syncthreads();
#pragma unroll
    for (int i = n - 1; i > 0; i--) output[i] = rank * n + i < valid ? (Out)op(input[i], input[i - 1]) : (Out)input[i];
    bool has_neighbour = (rank || predecessor) && rank * n < valid;
    if (has_neighbour) {
      T neighbour = rank ? storage.ends[rank - 1] : *predecessor;
      output[0] = op(input[0], neighbour);
    } else {
      output[0] = input[0];
    }
  }
  template <int n, class Out, class Op>
  __RK_COLLECTIVE void right(T (&input)[n], Out (&output)[n], Op op, int valid, const T *successor) {
    int rank = Block::rank();
    storage.ends[rank] = input[0];
    __syncthreads();
#pragma unroll
    for (int i = 0; i + 1 < n; i++) output[i] = rank * n + i + 1 < valid ? (Out)op(input[i], input[i + 1]) : (Out)input[i];
    bool is_last = rank + 1 == Block::threads;
    if (is_last ? successor != nullptr : rank * n + n < valid) {
      T neighbour = is_last ? *successor : storage.ends[rank + 1];
      output[n - 1] = op(input[n - 1], neighbour);
    } else {
      output[n - 1] = input[n - 1];
    }
  }
  __RK_COLLECTIVE static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}
