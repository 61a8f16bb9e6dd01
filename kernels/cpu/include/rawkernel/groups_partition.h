// Groups out of groups: by size, by a label, by a predicate.
#ifndef RAWKERNEL_GROUPS_PARTITION_H
#define RAWKERNEL_GROUPS_PARTITION_H

#include "groups_coalesced.h"
#include "groups_large.h"

namespace cooperative_groups {

// Tiles of several warps need the memory of their block.
template <bool large> struct __rk_partition {
  template <class Tile, class Parent> __RK_GROUP static Tile of(const Parent &) { return Tile(); }
};
template <> struct __rk_partition<true> {
  template <class Tile> __RK_GROUP static Tile of(const thread_block &block) { return Tile(block.__meetings()); }
};

template <unsigned n, class Parent> __RK_DEVICE thread_block_tile<n, Parent> tiled_partition(const Parent &parent) {
  return __rk_partition<(n > 32)>::template of<thread_block_tile<n, Parent>>(parent);
}
template <unsigned n, unsigned outer, class Parent>
__RK_DEVICE thread_block_tile<n, thread_block_tile<outer, Parent>>
tiled_partition(const thread_block_tile<outer, Parent> &) {
  static_assert(n <= outer, "a tile is not larger than the group that it is cut from");
  static_assert(n <= 32, "a tile of several warps is cut from the block");
  return thread_block_tile<n, thread_block_tile<outer, Parent>>();
}

// Each run of n threads of the group, by rank.
__RK_DEVICE coalesced_group tiled_partition(const coalesced_group &group, unsigned n) {
  unsigned tile = group.thread_rank() / n, rank = 0, mask = 0;
  for (unsigned lane = 0; lane < 32; lane++) {
    if (!(group.__mask() >> lane & 1)) continue;
    if (rank++ / n == tile) mask |= 1u << lane;
  }
  return coalesced_group(mask, tile, (group.num_threads() + n - 1) / n);
}
__RK_DEVICE thread_group tiled_partition(const thread_group &group, unsigned n) {
  unsigned mask = group.__mask();
  if (!mask) {
    unsigned lanes = n >= 32 ? 0xffffffffu : (1u << n) - 1;
    return coalesced_group(lanes << (__rk_lane() & ~(n - 1)), __rt_id_lin() / n,
                           (thread_block::num_threads() + n - 1) / n);
  }
  return tiled_partition(coalesced_group(mask), n);
}
__RK_DEVICE thread_group tiled_partition(const thread_block &group, unsigned n) {
  return tiled_partition(thread_group(group), n);
}

// One group for each label that threads of the group give.
template <class Group, class T> __RK_DEVICE coalesced_group labeled_partition(const Group &group, T label) {
  unsigned members = __match_any_sync(group.__mask(), label);
  // A group's number is that of its first thread among the first threads.
  bool first = (members & ((1u << __rk_lane()) - 1)) == 0;
  unsigned firsts = __ballot_sync(group.__mask(), first);
  unsigned leader = members & (0 - members);
  return coalesced_group(members, (unsigned)__popc(firsts & (leader - 1)), (unsigned)__popc(firsts));
}
template <class Group> __RK_DEVICE coalesced_group binary_partition(const Group &group, bool predicate) {
  unsigned yes = __ballot_sync(group.__mask(), predicate);
  return coalesced_group(predicate ? yes : group.__mask() & ~yes, predicate, 2);
}

// Runs f in the first thread of the group; the second form gives all threads what it returned.
template <class Group, class F, class... Arguments>
__RK_DEVICE void invoke_one(const Group &group, F &&f, Arguments &&...arguments) {
  if (group.thread_rank() == 0) f(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class F, class... Arguments>
__RK_DEVICE auto invoke_one_broadcast(const Group &group, F &&f, Arguments &&...arguments)
    -> decltype(f(static_cast<Arguments &&>(arguments)...)) {
  decltype(f(static_cast<Arguments &&>(arguments)...)) result = {};
  if (group.thread_rank() == 0) result = f(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

// The names of CUDA 11, when larger tiles were new.
namespace experimental {
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block;
using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;
template <unsigned bytes = 8, unsigned threads = 1024> struct block_tile_memory
    : cooperative_groups::block_tile_memory<threads> {};
}

}

#endif
