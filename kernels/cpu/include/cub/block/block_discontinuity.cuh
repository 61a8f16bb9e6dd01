// cub: flags where items of a block differ from their neighbours.
#pragma once
#include "cub/util_ptx.cuh"
#include "cub/util_type.cuh"

namespace cub {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockDiscontinuity {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Block;

public:
  struct TempStorage {
    __rk_room<T, Block::threads> firsts, lasts;
  };
  __RK_COLLECTIVE BlockDiscontinuity() : storage(own()) {}
  __RK_COLLECTIVE BlockDiscontinuity(TempStorage &storage) : storage(storage) {}

  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void FlagHeads(Flag (&head_flags)[n], T (&input)[n], Op flag_op) {
    share(input);
    heads(head_flags, input, flag_op);
  }
  /// Other than without a predecessor, the first item's flag is computed, too.
  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void FlagHeads(Flag (&head_flags)[n], T (&input)[n], Op flag_op, T tile_predecessor_item) {
    share(input);
    heads(head_flags, input, flag_op, &tile_predecessor_item);
  }
  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void FlagTails(Flag (&tail_flags)[n], T (&input)[n], Op flag_op) {
    share(input);
    tails(tail_flags, input, flag_op);
  }
  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void FlagTails(Flag (&tail_flags)[n], T (&input)[n], Op flag_op, T tile_successor_item) {
    share(input);
    tails(tail_flags, input, flag_op, &tile_successor_item);
  }
  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void FlagHeadsAndTails(Flag (&head_flags)[n], Flag (&tail_flags)[n], T (&input)[n], Op flag_op) {
    share(input);
    heads(head_flags, input, flag_op);
    tails(tail_flags, input, flag_op);
  }
  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void FlagHeadsAndTails(Flag (&head_flags)[n], Flag (&tail_flags)[n], T tile_successor_item,
                                         T (&input)[n], Op flag_op) {
    share(input);
    heads(head_flags, input, flag_op);
    tails(tail_flags, input, flag_op, &tile_successor_item);
  }
  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void FlagHeadsAndTails(Flag (&head_flags)[n], T tile_predecessor_item, Flag (&tail_flags)[n],
                                         T (&input)[n], Op flag_op) {
    share(input);
    heads(head_flags, input, flag_op, &tile_predecessor_item);
    tails(tail_flags, input, flag_op);
  }
  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void FlagHeadsAndTails(Flag (&head_flags)[n], T tile_predecessor_item, Flag (&tail_flags)[n],
                                         T tile_successor_item, T (&input)[n], Op flag_op) {
    share(input);
    heads(head_flags, input, flag_op, &tile_predecessor_item);
    tails(tail_flags, input, flag_op, &tile_successor_item);
  }

private:
  TempStorage &storage;

  template <int n> __RK_COLLECTIVE void share(T (&input)[n]) {
    storage.firsts[Block::rank()] = input[0];
    storage.lasts[Block::rank()] = input[n - 1];
    __syncthreads();
  }
  // A functor of three arguments is told the index of the second item in the block.
  template <class Op> __RK_COLLECTIVE static int flag(Op &op, const T &a, const T &b, int index) {
    if constexpr (std::is_invocable_v<Op &, const T &, const T &, int>) return op(a, b, index);
    else return op(a, b);
  }
  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void heads(Flag (&flags)[n], T (&input)[n], Op op, const T *predecessor = nullptr) {
    int rank = Block::rank();
    if (rank) flags[0] = flag(op, storage.lasts[rank - 1], input[0], rank * n);
    else flags[0] = predecessor ? flag(op, *predecessor, input[0], 0) : 1;
#pragma unroll
    for (int i = 1; i < n; i++) flags[i] = flag(op, input[i - 1], input[i], rank * n + i);
  }
  template <int n, class Flag, class Op>
  __RK_COLLECTIVE void tails(Flag (&flags)[n], T (&input)[n], Op op, const T *successor = nullptr) {
    int rank = Block::rank(), end = rank * n + n;
#pragma unroll
    for (int i = 0; i + 1 < n; i++) flags[i] = flag(op, input[i], input[i + 1], rank * n + i + 1);
    if (rank + 1 < Block::threads) flags[n - 1] = flag(op, input[n - 1], storage.firsts[rank + 1], end);
    else flags[n - 1] = successor ? flag(op, input[n - 1], *successor, end) : 1;
  }
  __RK_COLLECTIVE static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}
