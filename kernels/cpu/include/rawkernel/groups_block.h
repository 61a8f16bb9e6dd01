// Groups as large as a block or larger: thread_block, grid_group, cluster_group.
#ifndef RAWKERNEL_GROUPS_BLOCK_H
#define RAWKERNEL_GROUPS_BLOCK_H

#include "faults.h"
#include "warp.h"

#define __RK_GROUP __attribute__((device, always_inline))

namespace cooperative_groups {

__RK_DEVICE unsigned __rk_linear(dim3 at, dim3 size) { return (at.z * size.y + at.y) * size.x + at.x; }
__RK_DEVICE unsigned long long __rk_volume(dim3 size) { return (unsigned long long)size.x * size.y * size.z; }

// Counts the threads of a tile that have come, and the times that all had.
struct __rk_meeting {
  unsigned count, turn;
};

/// All threads of the block.
class thread_block {
  __rk_meeting *meetings = nullptr;

public:
  thread_block() = default;
  __RK_GROUP explicit thread_block(__rk_meeting *meetings) : meetings(meetings) {}
  __RK_GROUP __rk_meeting *__meetings() const { return meetings; }
  __RK_GROUP static void sync() { __syncthreads(); }
  struct arrival_token {};
  __RK_GROUP static arrival_token barrier_arrive() { return {}; }
  __RK_GROUP static void barrier_wait(arrival_token &&) { __syncthreads(); }
  __RK_GROUP static unsigned thread_rank() { return __rt_id_lin(); }
  __RK_GROUP static unsigned num_threads() { return (unsigned)__rk_volume(blockDim); }
  __RK_GROUP static unsigned size() { return num_threads(); }
  __RK_GROUP static dim3 group_index() { return blockIdx; }
  __RK_GROUP static dim3 thread_index() { return threadIdx; }
  __RK_GROUP static dim3 group_dim() { return blockDim; }
  __RK_GROUP static dim3 dim_threads() { return blockDim; }
};
__RK_DEVICE thread_block this_thread_block() { return thread_block(); }

/// All threads of the grid.
class grid_group {
public:
  __RK_GROUP static bool is_valid() { return __rt_cooperative; }
  // As on a GPU, a grid that was not launched to wait for itself fails.
  __RK_GROUP static void sync() {
    if (!is_valid()) __trap();
    __rt_grid_barrier();
  }
  struct arrival_token {};
  __RK_GROUP static arrival_token barrier_arrive() { return {}; }
  __RK_GROUP static void barrier_wait(arrival_token &&) { sync(); }
  __RK_GROUP static unsigned long long thread_rank() { return block_rank() * __rk_volume(blockDim) + __rt_id_lin(); }
  __RK_GROUP static unsigned long long num_threads() { return num_blocks() * __rk_volume(blockDim); }
  __RK_GROUP static unsigned long long size() { return num_threads(); }
  __RK_GROUP static unsigned long long block_rank() { return __rk_linear(blockIdx, gridDim); }
  __RK_GROUP static unsigned long long num_blocks() { return __rk_volume(gridDim); }
  __RK_GROUP static dim3 block_index() { return blockIdx; }
  __RK_GROUP static dim3 dim_blocks() { return gridDim; }
  __RK_GROUP static dim3 group_dim() { return gridDim; }
};
__RK_DEVICE grid_group this_grid() { return {}; }

/// A cluster, which is one block here, as for a launch without cluster dimensions.
class cluster_group {
public:
  __RK_GROUP static void sync() { __syncthreads(); }
  __RK_GROUP static unsigned thread_rank() { return __rt_id_lin(); }
  __RK_GROUP static unsigned num_threads() { return thread_block::num_threads(); }
  struct arrival_token {};
  __RK_GROUP static arrival_token barrier_arrive() { return {}; }
  __RK_GROUP static void barrier_wait(arrival_token &&) { __syncthreads(); }
  __RK_GROUP static void barrier_wait() { __syncthreads(); }
  __RK_GROUP static unsigned size() { return num_threads(); }
  __RK_GROUP static unsigned block_rank() { return 0; }
  __RK_GROUP static unsigned num_blocks() { return 1; }
  __RK_GROUP static dim3 block_index() { return dim3(0, 0, 0); }
  __RK_GROUP static dim3 dim_blocks() { return dim3(); }
  __RK_GROUP static dim3 dim_threads() { return blockDim; }
  template <class T> __RK_GROUP static T *map_shared_rank(T *shared, int) { return shared; }
  __RK_GROUP static unsigned query_shared_rank(const void *) { return 0; }
};
__RK_DEVICE cluster_group this_cluster() { return {}; }

template <class Group> __RK_DEVICE void sync(const Group &group) { group.sync(); }
template <class Group> __RK_DEVICE auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group> __RK_DEVICE auto group_size(const Group &group) -> decltype(group.size()) {
  return group.size();
}

}

#endif
