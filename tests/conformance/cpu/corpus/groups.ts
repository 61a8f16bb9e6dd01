import { at, kernelCase, range, sum, type Case } from '../case.ts';

const header = `
      #include <cooperative_groups.h>
      namespace cg = cooperative_groups;`;

/** Cooperative groups: blocks, tiles and what their threads tell each other. */
export const groupCases: readonly Case[] = [
  kernelCase({
    name: 'group-block-and-tiles',
    source: `${header}
      template <int SIZE> __device__ int tile_sum(cg::thread_block_tile<SIZE> tile, int value)
      {
        for (int lanes = tile.size() / 2; lanes > 0; lanes /= 2) value += tile.shfl_down(value, lanes);
        return tile.shfl(value, 0);
      }
      __global__ void sums(const int *x, int *eights, int *warps, int *ranks)
      {
        cg::thread_block block = cg::this_thread_block();
        auto warp = cg::tiled_partition<32>(block);
        auto eight = cg::tiled_partition<8>(warp);
        int t = block.thread_rank(), g = blockIdx.x * block.size() + t;
        eights[g] = tile_sum<8>(eight, x[g]);
        warps[g] = tile_sum<32>(warp, x[g]);
        block.sync();
        ranks[g] = eight.thread_rank() + 10 * eight.meta_group_rank() + 100 * warp.thread_rank() + 10000 * warp.meta_group_rank();
      }`,
    buffers: (random) => ({
      x: random.ints(192, -500, 500),
      eights: new Int32Array(192),
      warps: new Int32Array(192),
      ranks: new Int32Array(192),
    }),
    launches: ({ x, eights, warps, ranks }) => [
      { kernel: 'sums', args: [x, eights, warps, ranks], block: [16, 6], grid: 2 },
    ],
    expected: ({ x }) => ({
      eights: range(192, (t) => sum(8, (k) => at(x, t - (t % 8) + k))),
      warps: range(192, (t) => sum(32, (k) => at(x, t - (t % 32) + k))),
      ranks: range(192, (g) => {
        const t = g % 96;
        return (t % 8) + 10 * (Math.floor(t / 8) % 4) + 100 * (t % 32) + 10000 * Math.floor(t / 32);
      }),
    }),
  }),

  kernelCase({
    name: 'group-votes',
    source: `${header}
      __global__ void votes(const int *x, unsigned *out)
      {
        auto block = cg::this_thread_block();
        auto tile = cg::tiled_partition<16>(block);
        int t = block.thread_rank();
        out[4 * t] = tile.ballot(x[t] > 0);
        out[4 * t + 1] = (tile.any(x[t] > 45) != 0) + 2 * (tile.all(x[t] > -45) != 0);
        out[4 * t + 2] = tile.shfl_xor(x[t], 9) + tile.shfl_up(x[t], 4);
        tile.sync();
        out[4 * t + 3] = tile.match_any(x[t] & 3);
      }`,
    buffers: (random) => ({ x: random.ints(64, -50, 51), out: new Uint32Array(256) }),
    launches: ({ x, out }) => [{ kernel: 'votes', args: [x, out], block: 64 }],
    expected: ({ x }) => ({
      out: Uint32Array.from(
        range(64, (t) => {
          const tile = [...x.subarray(t - (t % 16), t - (t % 16) + 16)];
          const peers = (of: (v: number) => boolean): number => sum(16, (k) => (of(at(tile, k)) ? 2 ** k : 0));
          const up = t % 16 >= 4 ? t - 4 : t;
          return [
            peers((v) => v > 0),
            Number(tile.some((v) => v > 45)) + 2 * Number(tile.every((v) => v > -45)),
            at(x, t ^ 9) + at(x, up),
            peers((v) => (v & 3) === (at(x, t) & 3)),
          ];
        }).flat(),
      ),
    }),
  }),

  kernelCase({
    name: 'group-as-parameter',
    source: `${header}
      template <typename Group> __device__ int sum_of(Group group, int *scratch, int value)
      {
        int t = group.thread_rank();
        scratch[t] = value;
        for (int half = group.size() / 2; half > 0; half /= 2) {
          group.sync();
          if (t < half) scratch[t] += scratch[t + half];
        }
        group.sync();
        return scratch[0];
      }
      __global__ void sums(const int *x, int *out)
      {
        __shared__ int scratch[128];
        auto block = cg::this_thread_block();
        auto tile = cg::tiled_partition<32>(block);
        int t = threadIdx.x, value = x[blockIdx.x * 128 + t];
        int whole = sum_of(block, scratch, value);
        block.sync();
        int part = sum_of(tile, scratch + t / 32 * 32, value);
        out[blockIdx.x * 128 + t] = whole - part;
      }`,
    buffers: (random) => ({ x: random.ints(256, -999, 999), out: new Int32Array(256) }),
    launches: ({ x, out }) => [{ kernel: 'sums', args: [x, out], block: 128, grid: 2 }],
    expected: ({ x }) => ({
      out: range(256, (t) => {
        const total = (size: number): number => sum(size, (k) => at(x, t - (t % size) + k));
        return total(128) - total(32);
      }),
    }),
  }),

  kernelCase({
    name: 'grid-sync-between-steps',
    source: `${header}
      // Heat on a ring: each step reads what other blocks wrote in the one before.
      __global__ void diffuse(int *from, int *to, int steps)
      {
        auto grid = cg::this_grid();
        int n = grid.size(), i = grid.thread_rank();
        for (int k = 0; k < steps; k++) {
          to[i] = from[(i + n - 1) % n] + 2 * from[i] + from[(i + 1) % n] & 0xffff;
          int *other = from;
          from = to;
          to = other;
          grid.sync();
        }
      }`,
    buffers: (random) => ({ a: random.ints(4 * 48, 0, 1000), b: new Int32Array(4 * 48) }),
    launches: ({ a, b }) => [{ kernel: 'diffuse', args: [a, b, 7], block: 48, grid: 4, cooperative: true }],
    expected: ({ a }) => {
      let from = [...a];
      let to = from;
      for (let k = 0; k < 7; k++) {
        const n = from.length;
        const next = from.map((v, i) => (at(from, (i + n - 1) % n) + 2 * v + at(from, (i + 1) % n)) & 0xffff);
        [to, from] = [from, next];
      }
      return { a: to, b: from };
    },
  }),

  kernelCase({
    name: 'grid-sync-in-a-reduction',
    source: `${header}
      __global__ void normalise(const float *x, float *y, float *partial, int n)
      {
        extern __shared__ float part[];
        __shared__ int seen[32];
        auto grid = cg::this_grid();
        int t = threadIdx.x, block = grid.block_rank(), blocks = grid.num_blocks();
        float sum = 0;
        for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += x[i];
        part[t] = sum;
        seen[t] = block * 100 + t;
        __syncthreads();
        for (int half = blockDim.x / 2; half > 0; half /= 2) {
          if (t < half) part[t] += part[t + half];
          __syncthreads();
        }
        if (t == 0) partial[block] = part[0];
        grid.sync();
        float total = 0;
        for (int b = 0; b < blocks; b++) total += partial[b];
        // What a block keeps for itself is as it was.
        if (seen[31 - t] != block * 100 + 31 - t) total = -1;
        if (t % 2) grid.sync();
        else grid.sync();
        for (int i = grid.thread_rank(); i < n; i += grid.size()) y[i] = x[i] / total;
      }`,
    buffers: (random) => ({
      x: random.floats(1000, 1, 2),
      y: new Float32Array(1000),
      partial: new Float32Array(6),
    }),
    launches: ({ x, y, partial }) => [
      { kernel: 'normalise', args: [x, y, partial, 1000], block: 32, grid: [3, 2], shared: 128, cooperative: true },
    ],
    expected: ({ x }) => {
      const total = x.reduce((sum, v) => sum + v);
      return { y: Array.from(x, (v) => v / total) };
    },
    tolerance: { relative: 1e-5 },
  }),
];
