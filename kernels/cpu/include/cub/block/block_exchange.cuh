// cub: a block's items from one arrangement over its threads to another, through shared memory. Blocked: a thread's
// items follow each other. Striped: they are as far apart as the block is large. Warp-striped: the same in a warp.
#pragma once
#include "cub/block/load_direct.cuh"

namespace cub {

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockExchange {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Block;
  static constexpr int n = ITEMS_PER_THREAD;

public:
  struct TempStorage {
    __rk_room<T, Block::threads * n> items;
  };
  __RK_COLLECTIVE BlockExchange() : storage(own()) {}
  __RK_COLLECTIVE BlockExchange(TempStorage &storage) : storage(storage) {}

#define __RK_EXCHANGE(Name, before, after)                                                                             \
  template <class Out> __RK_COLLECTIVE void Name(const T (&input)[n], Out (&output)[n]) {                              \
    before(Block::rank(), [&](int i, int at) { storage.items[at] = input[i]; });                                       \
    __syncthreads();                                                                                                   \
    after(Block::rank(), [&](int i, int at) { output[i] = storage.items[at]; });                                       \
  }                                                                                                                    \
  __RK_COLLECTIVE void Name(T (&items)[n]) { Name(items, items); }
#define __RK_STRIPED __rk_striped<Block::threads, n>
  __RK_EXCHANGE(StripedToBlocked, __RK_STRIPED, __rk_blocked<n>)
  __RK_EXCHANGE(BlockedToStriped, __rk_blocked<n>, __RK_STRIPED)
  __RK_EXCHANGE(WarpStripedToBlocked, __rk_warp_striped<n>, __rk_blocked<n>)
  __RK_EXCHANGE(BlockedToWarpStriped, __rk_blocked<n>, __rk_warp_striped<n>)
#undef __RK_EXCHANGE

#undef __RK_STRIPED

  template <class Out, class Rank>
  __RK_COLLECTIVE void ScatterToBlocked(const T (&input)[n], Out (&output)[n], Rank (&ranks)[n]) {
    scatter(input, ranks, [](int) { return true; });
    __rk_blocked<n>(Block::rank(), [&](int i, int at) { output[i] = storage.items[at]; });
  }
  template <class Out, class Rank>
  __RK_COLLECTIVE void ScatterToStriped(const T (&input)[n], Out (&output)[n], Rank (&ranks)[n]) {
    scatter(input, ranks, [](int) { return true; });
    striped(output);
  }
  /// Items of a negative rank go nowhere. Places to which none goes are zero.
  template <class Out, class Rank>
  __RK_COLLECTIVE void ScatterToStripedGuarded(const T (&input)[n], Out (&output)[n], Rank (&ranks)[n]) {
    clear();
    scatter(input, ranks, [&](int i) { return (long long)ranks[i] >= 0; });
    striped(output);
  }
  /// The same for items whose flag is not set.
  template <class Out, class Rank, class Valid>
  __RK_COLLECTIVE void ScatterToStripedFlagged(const T (&input)[n], Out (&output)[n], Rank (&ranks)[n],
                                               Valid (&is_valid)[n]) {
    clear();
    scatter(input, ranks, [&](int i) { return (bool)is_valid[i]; });
    striped(output);
  }
#define __RK_IN_PLACE(Name)                                                                                            \
  template <class Rank> __RK_COLLECTIVE void Name(T (&items)[n], Rank (&ranks)[n]) { Name(items, items, ranks); }
  __RK_IN_PLACE(ScatterToBlocked)
  __RK_IN_PLACE(ScatterToStriped)
  __RK_IN_PLACE(ScatterToStripedGuarded)
#undef __RK_IN_PLACE
  template <class Rank, class Valid>
  __RK_COLLECTIVE void ScatterToStripedFlagged(T (&items)[n], Rank (&ranks)[n], Valid (&is_valid)[n]) {
    ScatterToStripedFlagged(items, items, ranks, is_valid);
  }

private:
  TempStorage &storage;

  __RK_COLLECTIVE void clear() {
    __rk_striped<Block::threads, n>(Block::rank(), [&](int, int at) {
      __builtin_memset((void *)(storage.items.data() + at), 0, sizeof(T));
    });
    __syncthreads();
  }
  template <class Rank, class IsValid>
  __RK_COLLECTIVE void scatter(const T (&input)[n], Rank (&ranks)[n], IsValid is_valid) {
#pragma unroll
    for (int i = 0; i < n; i++) {
      if (is_valid(i)) storage.items[(int)ranks[i]] = input[i];
    }
    __syncthreads();
  }
  template <class Out> __RK_COLLECTIVE void striped(Out (&output)[n]) {
    __rk_striped<Block::threads, n>(Block::rank(), [&](int i, int at) { output[i] = storage.items[at]; });
  }
  __RK_COLLECTIVE static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}
