// Tiles of several warps: 64, 128, 256 or 512 neighbouring threads of a block. They meet at counters in the memory that
// this_thread_block() was given.
#ifndef RAWKERNEL_GROUPS_LARGE_H
#define RAWKERNEL_GROUPS_LARGE_H

#include "groups_tile.h"
#include "waiting.h"

namespace cooperative_groups {

/// Shared memory for the tiles of a block of at most `threads` threads.
template <unsigned threads = 1024> struct block_tile_memory {
  __rk_meeting __meetings[32];
};

/// The block, with memory for tiles of several warps. All threads call it.
template <unsigned threads> __RK_DEVICE thread_block this_thread_block(block_tile_memory<threads> &memory) {
  if (thread_block::thread_rank() < 32) {
    __rk_meeting none = {0, 0};
    memory.__meetings[thread_block::thread_rank()] = none;
  }
  // A block of fewer threads than counters.
  for (unsigned i = thread_block::num_threads() + thread_block::thread_rank(); i < 32; i += thread_block::num_threads()) {
    __rk_meeting none = {0, 0};
    memory.__meetings[i] = none;
  }
  __syncthreads();
  return thread_block(memory.__meetings);
}

template <unsigned n> class __rk_large_tile {
  static_assert(n > 32 && n <= 1024 && !(n & (n - 1)), "a tile of several warps has 64, 128, 256, 512 or 1024 threads");
  __rk_meeting *meeting = nullptr;

  // The threads of the tile that the block has.
  __RK_GROUP static unsigned there() {
    unsigned after = thread_block::num_threads() - (__rt_id_lin() & ~(n - 1));
    return after < n ? after : n;
  }
  template <class T> __RK_GROUP T move(T value, bool inside, unsigned source) const {
    return __rk_by_words(value, [&](unsigned long long word) {
      __rt_xchg[__rt_id_lin()] = word;
      sync();
      unsigned long long other = inside ? __rt_xchg[(__rt_id_lin() & ~(n - 1)) + source] : word;
      sync();
      return other;
    });
  }

public:
  // Each size has counters of its own: tiles of 64 threads the first sixteen, those of 128 the next eight …
  __RK_GROUP explicit __rk_large_tile(__rk_meeting *all) {
    // The language says so, and on GPUs the tile would not compile.
    if (!all) __trap();
    meeting = all + (32 - 2048 / n) + __rt_id_lin() / n;
  }
  __RK_GROUP void sync() const {
    unsigned turn = __atomic_load_n(&meeting->turn, __ATOMIC_SEQ_CST);
    bool last = __atomic_add_fetch(&meeting->count, 1, __ATOMIC_SEQ_CST) == there();
    if (last) {
      __atomic_store_n(&meeting->count, 0, __ATOMIC_SEQ_CST);
      __atomic_store_n(&meeting->turn, turn + 1, __ATOMIC_SEQ_CST);
    }
    __rk_arrived(last);
    __rk_wait_until(true, [&] { return __atomic_load_n(&meeting->turn, __ATOMIC_SEQ_CST) != turn; });
  }
  __RK_GROUP static constexpr unsigned num_threads() { return n; }
  __RK_GROUP static constexpr unsigned size() { return n; }
  __RK_GROUP static unsigned thread_rank() { return __rt_id_lin() & (n - 1); }
  __RK_GROUP static unsigned meta_group_rank() { return __rt_id_lin() / n; }
  __RK_GROUP static unsigned meta_group_size() { return (thread_block::num_threads() + n - 1) / n; }

  // CUDA has shuffles for tiles up to a warp alone; reductions and scans need them here.
  template <class T> __RK_GROUP T __shfl(T value, int source) const { return move(value, true, source & (n - 1)); }
  template <class T> __RK_GROUP T __shfl_down(T value, unsigned delta) const {
    return move(value, thread_rank() + delta < n, thread_rank() + delta);
  }
  template <class T> __RK_GROUP T __shfl_up(T value, unsigned delta) const {
    return move(value, thread_rank() >= delta, thread_rank() - delta);
  }
  __RK_GROUP int any(int predicate) const {
    __rt_xchg[__rt_id_lin()] = predicate != 0;
    sync();
    int found = 0;
    for (unsigned i = 0, first = __rt_id_lin() & ~(n - 1); i < there(); i++) found |= (int)__rt_xchg[first + i];
    sync();
    return found;
  }
  __RK_GROUP int all(int predicate) const { return !any(!predicate); }
};

}

#endif
