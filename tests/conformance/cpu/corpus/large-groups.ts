import { at, kernelCase, range, sum, type Case } from '../case.ts';

const header = `
      #include <cooperative_groups.h>
      #include <cooperative_groups/reduce.h>
      #include <cooperative_groups/scan.h>
      #include <cuda/atomic>
      namespace cg = cooperative_groups;`;

/** Cooperative groups beyond a warp, and what their threads do once. */
export const largeGroupCases: readonly Case[] = [
  kernelCase({
    name: 'group-tiles-of-several-warps',
    source: `${header}
      template <int SIZE> __device__ void tile_of(const cg::thread_block &block, const int *x, int *out)
      {
        auto tile = cg::tiled_partition<SIZE>(block);
        auto warp = cg::tiled_partition<32>(tile);
        int t = block.thread_rank();
        out[t] = cg::reduce(tile, x[t], cg::plus<int>());
        out[256 + t] = cg::inclusive_scan(tile, x[t]);
        out[512 + t] = cg::exclusive_scan(tile, x[t]);
        out[768 + t] = tile.any(x[t] > 45) + 2 * tile.all(x[t] > -49) + 4 * tile.meta_group_rank() + 100 * warp.meta_group_rank();
      }
      __global__ void tiles(const int *x, int *small, int *large)
      {
        __shared__ cg::block_tile_memory<256> memory;
        auto block = cg::this_thread_block(memory);
        tile_of<64>(block, x, small);
        block.sync();
        tile_of<128>(block, x, large);
      }`,
    buffers: (random) => ({ x: random.ints(256, -50, 50), small: new Int32Array(1024), large: new Int32Array(1024) }),
    launches: ({ x, small, large }) => [{ kernel: 'tiles', args: [x, small, large], block: [32, 8] }],
    expected: ({ x }) => {
      const of = (n: number): number[] => {
        const first = (t: number): number => t - (t % n);
        const tile = (t: number): number[] => [...x.subarray(first(t), first(t) + n)];
        return [
          ...range(256, (t) => sum(n, (k) => at(tile(t), k))),
          ...range(256, (t) => sum((t % n) + 1, (k) => at(tile(t), k))),
          ...range(256, (t) => sum(t % n, (k) => at(tile(t), k))),
          ...range(256, (t) => {
            const votes = Number(tile(t).some((v) => v > 45)) + 2 * Number(tile(t).every((v) => v > -49));
            return votes + 4 * Math.floor(t / n) + 100 * Math.floor((t % n) / 32);
          }),
        ];
      };
      return { small: of(64), large: of(128) };
    },
  }),

  kernelCase({
    name: 'group-tiles-meet-in-branches',
    source: `${header}
      __global__ void branches(const int *x, int *out)
      {
        __shared__ cg::block_tile_memory<256> memory;
        __shared__ int s[256];
        auto block = cg::this_thread_block(memory);
        auto tile = cg::tiled_partition<128>(block);
        int t = block.thread_rank();
        if (tile.meta_group_rank() == 0) {
          for (int i = 0; i < 4; i++) {
            s[t] = x[t] + i;
            tile.sync();
            int other = s[127 - t];
            tile.sync();
            out[t] += other;
          }
        } else {
          s[t] = x[t];
          tile.sync();
          out[t] = s[128 + (t + 64) % 128];
        }
      }`,
    buffers: (random) => ({ x: random.ints(256, -50, 50), out: new Int32Array(256) }),
    launches: ({ x, out }) => [{ kernel: 'branches', args: [x, out], block: 256 }],
    expected: ({ x }) => ({
      out: range(256, (t) => (t < 128 ? 4 * at(x, 127 - t) + 6 : at(x, 128 + ((t + 64) % 128)))),
    }),
  }),

  kernelCase({
    name: 'group-once-and-asynchronous-results',
    source: `${header}
      __global__ void once(const int *x, int *sums, int *firsts, cuda::atomic<int, cuda::thread_scope_device> *total)
      {
        auto warp = cg::tiled_partition<32>(cg::this_thread_block());
        int t = cg::this_grid().thread_rank(), w = t / 32;
        cg::invoke_one(warp, [&] { firsts[2 * w] = x[t]; });
        int least = cg::invoke_one_broadcast(warp, [&](int offset) { return x[t] + offset; }, 7);
        if (warp.thread_rank() == 31) firsts[2 * w + 1] = least;
        cg::reduce_store_async(warp, &sums[w], x[t], cg::plus<int>());
        auto odd = cg::binary_partition(warp, x[t] & 1);
        cg::reduce_update_async(odd, *total, 1, cg::plus<int>());
      }`,
    buffers: (random) => ({
      x: random.ints(192, -500, 500),
      sums: new Int32Array(6),
      firsts: new Int32Array(12),
      total: new Int32Array(1),
    }),
    launches: ({ x, sums, firsts, total }) => [{ kernel: 'once', args: [x, sums, firsts, total], block: 96, grid: 2 }],
    expected: ({ x }) => ({
      sums: range(6, (w) => sum(32, (k) => at(x, 32 * w + k))),
      total: [192],
    }),
  }),

  kernelCase({
    name: 'group-cluster-of-one-block',
    source: `${header}
      __global__ void __cluster_dims__(1, 1, 1) one(int *out)
      {
        __shared__ int s[64];
        cg::cluster_group cluster = cg::this_cluster();
        int t = cluster.thread_rank();
        s[t] = t * 3;
        cluster.sync();
        int *mine = cluster.map_shared_rank(s, cluster.block_rank());
        int got = mine[63 - t];
        cluster.barrier_wait(cluster.barrier_arrive());
        s[t] = got + cluster.num_blocks();
        cluster.sync();
        out[blockIdx.x * 64 + t] = s[t ^ 1];
      }`,
    buffers: () => ({ out: new Int32Array(128) }),
    launches: ({ out }) => [{ kernel: 'one', args: [out], block: 64, grid: 2 }],
    expected: () => ({ out: range(128, (g) => 3 * (63 - ((g % 64) ^ 1)) + 1) }),
  }),
];
