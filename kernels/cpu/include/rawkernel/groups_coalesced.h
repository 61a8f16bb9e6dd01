// coalesced_group: any threads of one warp, ranked by lane.
#ifndef RAWKERNEL_GROUPS_COALESCED_H
#define RAWKERNEL_GROUPS_COALESCED_H

#include "groups_tile.h"
#include "integers.h"

namespace cooperative_groups {

class coalesced_group {
  unsigned mask;
  unsigned tile = 0, tiles = 1;

  // The lane of a rank within the group.
  __RK_GROUP unsigned lane(unsigned rank) const { return __fns(mask, 0, (int)rank + 1); }
  // Bits by lane as bits by rank.
  __RK_GROUP unsigned by_rank(unsigned bits) const {
    unsigned result = 0, rank = 0;
    for (unsigned i = 0; i < 32; i++) {
      if (mask >> i & 1) result |= (bits >> i & 1) << rank++;
    }
    return result;
  }

public:
  __RK_GROUP explicit coalesced_group(unsigned mask, unsigned tile = 0, unsigned tiles = 1)
      : mask(mask), tile(tile), tiles(tiles) {}
  __RK_GROUP unsigned __mask() const { return mask; }

  __RK_GROUP void sync() const { __syncwarp(mask); }
  __RK_GROUP unsigned num_threads() const { return (unsigned)__popc(mask); }
  __RK_GROUP unsigned size() const { return num_threads(); }
  __RK_GROUP unsigned thread_rank() const { return (unsigned)__popc(mask & ((1u << __rk_lane()) - 1)); }
  __RK_GROUP unsigned meta_group_rank() const { return tile; }
  __RK_GROUP unsigned meta_group_size() const { return tiles; }

  template <class T> __RK_GROUP T shfl(T value, unsigned rank) const {
    unsigned source = rank < num_threads() ? lane(rank) : __rk_lane();
    return __rk_by_words(value, [&](unsigned long long word) { return __shfl_sync(mask, word, (int)source); });
  }
  template <class T> __RK_GROUP T shfl_down(T value, unsigned delta) const { return shfl(value, moved(delta)); }
  template <class T> __RK_GROUP T shfl_up(T value, unsigned delta) const { return shfl(value, moved(0 - delta)); }

  __RK_GROUP int any(int predicate) const { return __any_sync(mask, predicate); }
  __RK_GROUP int all(int predicate) const { return __all_sync(mask, predicate); }
  __RK_GROUP unsigned ballot(int predicate) const { return by_rank(__ballot_sync(mask, predicate)); }
  template <class T> __RK_GROUP unsigned match_any(T value) const { return by_rank(__match_any_sync(mask, value)); }
  template <class T> __RK_GROUP unsigned match_all(T value, int &predicate) const {
    return by_rank(__match_all_sync(mask, value, &predicate));
  }

private:
  // The rank further on, or one beyond the group, which shfl takes for the thread itself.
  __RK_GROUP unsigned moved(unsigned delta) const { return thread_rank() + delta; }
};

/// The threads of the warp that are here together.
__RK_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/// A group of which only the size at run time is known: a block, a tile or coalesced threads.
class thread_group {
  // No mask: the whole block.
  unsigned mask = 0;
  unsigned tile = 0, tiles = 1;

public:
  __RK_GROUP thread_group(const thread_block &) {}
  __RK_GROUP thread_group(const coalesced_group &group)
      : mask(group.__mask()), tile(group.meta_group_rank()), tiles(group.meta_group_size()) {}
  template <unsigned n, class Parent>
  __RK_GROUP thread_group(const thread_block_tile<n, Parent> &group)
      : mask(group.__mask()), tile(group.meta_group_rank()), tiles(group.meta_group_size()) {}

  __RK_GROUP void sync() const {
    if (mask) __syncwarp(mask);
    else __syncthreads();
  }
  __RK_GROUP unsigned long long num_threads() const { return mask ? (unsigned)__popc(mask) : thread_block::size(); }
  __RK_GROUP unsigned long long size() const { return num_threads(); }
  __RK_GROUP unsigned long long thread_rank() const {
    return mask ? coalesced_group(mask).thread_rank() : thread_block::thread_rank();
  }
  __RK_GROUP unsigned __mask() const { return mask; }
};

}

#endif
