// cub: items move up or down in a block.
#pragma once
#include "cub/util_ptx.cuh"
#include "cub/util_type.cuh"

namespace cub {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockShuffle {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Block;

public:
  struct TempStorage {
    __rk_room<T, Block::threads> items;
  };
  __RK_COLLECTIVE BlockShuffle() : storage(own()) {}
  __RK_COLLECTIVE BlockShuffle(TempStorage &storage) : storage(storage) {}

  /// The item of the thread that is `distance` further; outputs without one stay as they are.
  __RK_COLLECTIVE void Offset(T input, T &output, int distance = 1) {
    share(input);
    int from = Block::rank() + distance;
    if (from >= 0 && from < Block::threads) output = storage.items[from];
  }
  __RK_COLLECTIVE void Rotate(T input, T &output, unsigned distance = 1) {
    share(input);
    output = storage.items[(int)((Block::rank() + distance) % Block::threads)];
  }
  template <int n> __RK_COLLECTIVE void Up(T (&input)[n], T (&prev)[n]) {
    share(input[n - 1]);
#pragma unroll
    for (int i = n - 1; i > 0; i--) prev[i] = input[i - 1];
    if (Block::rank()) prev[0] = storage.items[Block::rank() - 1];
  }
  template <int n> __RK_COLLECTIVE void Up(T (&input)[n], T (&prev)[n], T &block_suffix) {
    Up(input, prev);
    block_suffix = storage.items[Block::threads - 1];
  }
  template <int n> __RK_COLLECTIVE void Down(T (&input)[n], T (&next)[n]) {
    share(input[0]);
#pragma unroll
    for (int i = 0; i + 1 < n; i++) next[i] = input[i + 1];
    if (Block::rank() + 1 < Block::threads) next[n - 1] = storage.items[Block::rank() + 1];
  }
  template <int n> __RK_COLLECTIVE void Down(T (&input)[n], T (&next)[n], T &block_prefix) {
    Down(input, next);
    block_prefix = storage.items[0];
  }

private:
  TempStorage &storage;
  __RK_COLLECTIVE void share(const T &item) {
    storage.items[Block::rank()] = item;
    __syncthreads();
  }
  __RK_COLLECTIVE static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}
