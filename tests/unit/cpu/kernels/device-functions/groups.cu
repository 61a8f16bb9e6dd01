// Kernels of groups.test.ts: cooperative groups and warps of which not all threads take part.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

/** Writes one line of 64 results for each call. */
struct Lines {
  int *out;
  int line = 0;
  __device__ void operator()(long long value) { out[line++ * 64 + cg::this_thread_block().thread_rank()] = (int)value; }
};

template <unsigned n, class Parent> __device__ void tile(Lines &put, const cg::thread_block_tile<n, Parent> &t, int i) {
  put(t.thread_rank() + 100 * t.size() + 10000 * t.meta_group_rank() + 1000000 * t.meta_group_size());
  put(t.shfl(i, 1));
  put(t.shfl_up(i, 1));
  put(t.shfl_down(i, 2));
  put(t.shfl_xor(i, n / 2));
  put((int)t.ballot(i % 3 == 0));
  put(t.any(i % 11 == 5) * 2 + t.all(i % 7 < 6));
  put(t.match_any(i / 3));
  int same;
  put(t.match_all(i / 4, same));
  put(same);
  put(cg::reduce(t, i, cg::plus<int>()));
  put(cg::exclusive_scan(t, i));
  t.sync();
}

extern "C" __global__ void tiles(int *out) {
  Lines put = {out};
  int i = threadIdx.x;
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  tile(put, warp, i);
#ifndef FEW
  tile(put, cg::tiled_partition<8>(warp), i);
  tile(put, cg::tiled_partition<2>(cg::tiled_partition<16>(block)), i);
#endif
}

extern "C" __global__ void operators(int *out) {
  Lines put = {out};
  int i = threadIdx.x;
  auto t = cg::tiled_partition<8>(cg::this_thread_block());
  put(cg::reduce(t, i * 37 % 64, cg::less<int>()));
  put(cg::reduce(t, i * 37 % 64, cg::greater<int>()));
  put(cg::reduce(t, i | 8, cg::bit_and<int>()));
  put(cg::reduce(t, i, cg::bit_or<int>()));
  put(cg::reduce(t, i, cg::bit_xor<int>()));
  put(cg::reduce(t, i, [](int a, int b) { return a + b + 1; }));
  put(cg::inclusive_scan(t, i * 37 % 64, cg::greater<int>()));
}

template <class Group> __device__ void some(Lines &put, const Group &g, int i) {
  put(g.thread_rank() + 100 * g.size() + 10000 * g.meta_group_rank() + 1000000 * g.meta_group_size());
  put(g.shfl(i, 1));
  put(g.shfl_up(i, 1));
  put(g.shfl_down(i, 2));
  put((int)g.ballot(i % 4 == 0));
  put(g.any(i == 18) * 2 + g.all(i < 40));
  put((int)g.match_any(i / 8));
  put(cg::reduce(g, i, cg::plus<int>()));
  put(cg::exclusive_scan(g, i));
  g.sync();
}

// Threads that do not take part leave what was there.
extern "C" __global__ void coalesced(int *out) {
  Lines put = {out};
  int i = threadIdx.x;
  if (i % 3 == 0) {
    auto g = cg::coalesced_threads();
    some(put, g, i);
    some(put, cg::tiled_partition(g, 4), i);
#ifndef FEW
    some(put, cg::binary_partition(g, i % 2), i);
  }
  put.line = 27;
  some(put, cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), i % 4), i);
#else
  }
#endif
}

extern "C" __global__ void blocks(int *out) {
  int i = cg::this_thread_block().thread_rank();
  auto block = cg::this_thread_block();
  auto grid = cg::this_grid();
  Lines put = {out + blockIdx.x * 64 * 12};
  put(block.num_threads() * 1000 + block.size());
  put(block.group_index().x * 100 + block.thread_index().x * 10 + block.thread_index().y);
  put(block.group_dim().x * 100 + block.dim_threads().y * 10 + block.group_dim().z);
  put((int)grid.thread_rank());
  put((int)(grid.size() * 10 + grid.num_blocks()));
  put((int)(grid.block_rank() * 10 + grid.block_index().x));
  put((int)grid.dim_blocks().x);
  cg::thread_group whole = block;
  put((int)(whole.size() * 1000 + whole.thread_rank()));
  cg::thread_group eight = cg::tiled_partition(block, 8);
  put((int)(eight.size() * 1000 + eight.thread_rank()));
  cg::thread_group two = cg::tiled_partition(eight, 2);
  put((int)(two.size() * 1000 + two.thread_rank()));
  __shared__ int shared[64];
  shared[i] = i;
  cg::sync(whole);
  put(shared[63 - i]);
  eight.sync();
  two.sync();
  put((int)cg::group_size(whole));
}

__device__ int lane() { return threadIdx.x % 32; }

// One atomic for all threads of a warp that are here together; each gets a number of its own.
__device__ int aggregated(int *counter) {
  unsigned active = __activemask();
  int leader = __ffs(active) - 1, first = 0;
  if (lane() == leader) first = atomicAdd(counter, __popc(active));
  first = __shfl_sync(active, first, leader);
  return first + __popc(active & ((1u << lane()) - 1));
}
extern "C" __global__ void filter(const int *in, int *out, int *count, int *atomics, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 1) {
    out[aggregated(count)] = in[i];
    auto g = cg::coalesced_threads();
    if (g.thread_rank() == 0) atomicAdd(atomics, 1);
  }
}

// Lanes that have returned have no vote.
extern "C" __global__ void leavers(unsigned *out) {
  int i = threadIdx.x;
  if (i % 4 == 1) return;
  out[i] = __ballot_sync(~0u, i % 2 == 0);
  if (i % 4 == 2) return;
  out[64 + i] = __ballot_sync(~0u, 1);
  out[128 + i] = __any_sync(~0u, i % 4 == 1) * 2 + __all_sync(~0u, i % 4 == 0 || i % 4 == 3);
  out[192 + i] = __activemask();
  out[256 + i] = __reduce_add_sync(__activemask(), (unsigned)i);
  if (i % 4 == 3) {
    out[320 + i] = __activemask();
    return;
  }
  out[384 + i] = __match_any_sync(__activemask(), i / 8);
  out[448 + i] = __activemask();
}

// Branches in branches, and a loop that lanes leave one after the other.
extern "C" __global__ void branches(unsigned *out) {
  int i = threadIdx.x;
  if (i & 1) {
    if (i & 2) out[i] = __activemask();
    else out[i] = __activemask();
  } else out[i] = __activemask();
  __syncwarp();
  unsigned seen = 0;
  for (int k = 0; k < i % 8 + 1; k++) seen += __popc(__activemask());
  out[64 + i] = seen;
  __syncwarp();
  out[128 + i] = __activemask();
}

extern "C" __global__ void validity(int *out) { out[blockIdx.x] = cg::this_grid().is_valid(); }
extern "C" __global__ void waiting(int *out) {
  cg::this_grid().sync();
  out[0] = 1;
}
