// Tiles: groups of 1, 2, 4 … 32 neighbouring threads of a warp. Their size is part of the type.
#ifndef RAWKERNEL_GROUPS_TILE_H
#define RAWKERNEL_GROUPS_TILE_H

#include "groups_block.h"

namespace cooperative_groups {

// A value of any size goes over in words of at most eight bytes.
template <class T, class Move> __RK_DEVICE T __rk_by_words(const T &value, Move move) {
  static_assert(__is_trivially_copyable(T), "values that threads exchange are trivially copyable");
  constexpr int words = (sizeof(T) + 7) / 8;
  unsigned long long parts[words] = {};
  __builtin_memcpy(parts, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; i++) parts[i] = move(parts[i]);
  T result;
  __builtin_memcpy(&result, parts, sizeof(T));
  return result;
}

/// A tile of `n` threads of a `Parent`; without one, of the block.
template <unsigned n, class Parent = void> class thread_block_tile;

template <unsigned n> class thread_block_tile<n, void> {
  static_assert(n && n <= 32 && !(n & (n - 1)), "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
  __RK_GROUP static unsigned __first() { return __rk_lane() & ~(n - 1); }
  __RK_GROUP static unsigned __mask() { return n == 32 ? 0xffffffffu : ((1u << n % 32) - 1) << __first(); }

  __RK_GROUP static void sync() { __syncwarp(__mask()); }
  __RK_GROUP static constexpr unsigned num_threads() { return n; }
  __RK_GROUP static constexpr unsigned size() { return n; }
  __RK_GROUP static unsigned thread_rank() { return __rk_lane() & (n - 1); }
  __RK_GROUP static unsigned meta_group_rank() { return __rt_id_lin() / n; }
  __RK_GROUP static unsigned meta_group_size() { return (thread_block::num_threads() + n - 1) / n; }

  template <class T> __RK_GROUP T shfl(T value, int source) const {
    return __rk_by_words(value, [&](unsigned long long word) { return __shfl_sync(__mask(), word, source, n); });
  }
  template <class T> __RK_GROUP T shfl_down(T value, unsigned delta) const {
    return __rk_by_words(value, [&](unsigned long long word) { return __shfl_down_sync(__mask(), word, delta, n); });
  }
  template <class T> __RK_GROUP T shfl_up(T value, unsigned delta) const {
    return __rk_by_words(value, [&](unsigned long long word) { return __shfl_up_sync(__mask(), word, delta, n); });
  }
  template <class T> __RK_GROUP T shfl_xor(T value, unsigned lanes) const {
    return __rk_by_words(value, [&](unsigned long long word) { return __shfl_xor_sync(__mask(), word, lanes, n); });
  }

  __RK_GROUP int any(int predicate) const { return __any_sync(__mask(), predicate); }
  __RK_GROUP int all(int predicate) const { return __all_sync(__mask(), predicate); }
  __RK_GROUP unsigned ballot(int predicate) const { return __ballot_sync(__mask(), predicate) >> __first(); }
  template <class T> __RK_GROUP unsigned match_any(T value) const {
    return __match_any_sync(__mask(), value) >> __first();
  }
  template <class T> __RK_GROUP unsigned match_all(T value, int &predicate) const {
    return __match_all_sync(__mask(), value, &predicate) >> __first();
  }
};

// Those of several warps are in groups_large.h.
template <unsigned n> class __rk_large_tile;
template <unsigned n, bool large> struct __rk_tile_base { typedef thread_block_tile<n, void> type; };
template <unsigned n> struct __rk_tile_base<n, true> { typedef __rk_large_tile<n> type; };

template <unsigned n, class Parent> class thread_block_tile : public __rk_tile_base<n, (n > 32)>::type {
  typedef typename __rk_tile_base<n, (n > 32)>::type base;

public:
  thread_block_tile() = default;
  __RK_GROUP explicit thread_block_tile(__rk_meeting *all) : base(all) {}
  __RK_GROUP static unsigned meta_group_rank() { return Parent::thread_rank() / n; }
  __RK_GROUP static unsigned meta_group_size() { return (Parent::num_threads() + n - 1) / n; }
};

}

#endif
