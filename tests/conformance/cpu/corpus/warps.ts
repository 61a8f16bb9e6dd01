import { at, kernelCase, range, sum, type Case } from '../case.ts';

const all = '0xffffffffu';

/** What the threads of a warp tell each other: shuffles, votes, matches, reductions. */
export const warpCases: readonly Case[] = [
  kernelCase({
    name: 'shuffles-of-each-kind',
    source: `
      template <typename T> __device__ void shuffle(const T *x, T *y, int width)
      {
        int t = threadIdx.x, n = blockDim.x;
        T v = x[t];
        y[t] = __shfl_sync(${all}, v, t * 3 + 1, width);
        y[n + t] = __shfl_up_sync(${all}, v, 3, width);
        y[2 * n + t] = __shfl_down_sync(${all}, v, 2, width);
        y[3 * n + t] = __shfl_xor_sync(${all}, v, 5, width);
      }
      template <typename T> __global__ void shuffles(const T *x, T *y)
      {
        for (int width = 32, k = 0; width >= 2; width /= 2, k++) shuffle(x, y + 4 * blockDim.x * k, width);
      }`,
    nameExpressions: ['shuffles<int>', 'shuffles<float>', 'shuffles<long long>', 'shuffles<double>'],
    buffers: (random) => ({
      i: random.ints(64),
      oi: new Int32Array(1280),
      f: random.floats(64),
      of: new Float32Array(1280),
      l: random.longs(64),
      ol: new BigInt64Array(1280),
      d: random.doubles(64),
      od: new Float64Array(1280),
    }),
    launches: ({ i, oi, f, of, l, ol, d, od }) => [
      { kernel: 'shuffles<int>', args: [i, oi], block: 64 },
      { kernel: 'shuffles<float>', args: [f, of], block: 64 },
      { kernel: 'shuffles<long long>', args: [l, ol], block: 64 },
      { kernel: 'shuffles<double>', args: [d, od], block: 64 },
    ],
    expected: ({ i, f, l, d }) => {
      const sources = [32, 16, 8, 4, 2].flatMap((width) => {
        const within = (t: number, other: number): number =>
          other >= t - (t % width) && other < t - (t % width) + width ? other : t;
        return [
          range(64, (t) => t - (t % width) + ((t * 3 + 1) % width)),
          range(64, (t) => within(t, t - 3)),
          range(64, (t) => within(t, t + 2)),
          // A lower segment may be read by an exclusive or, a higher one not.
          range(64, (t) => ((t ^ 5) < t - (t % width) + width ? t ^ 5 : t)),
        ].flat();
      });
      return {
        oi: sources.map((t) => at(i, t)),
        of: sources.map((t) => at(f, t)),
        ol: BigInt64Array.from(sources, (t) => l[t] ?? 0n),
        od: sources.map((t) => at(d, t)),
      };
    },
  }),

  kernelCase({
    name: 'ballots-with-partial-masks',
    source: `
      __global__ void ballots(const int *x, unsigned *out)
      {
        int t = threadIdx.x, lane = t % 32;
        unsigned everyone = __ballot_sync(${all}, x[t] > 0);
        unsigned mine;
        if (lane < 12) mine = __ballot_sync(0x00000fffu, x[t] % 2 == 0);
        else mine = __ballot_sync(0xfffff000u, x[t] % 3 == 0);
        out[2 * t] = everyone;
        out[2 * t + 1] = mine;
      }`,
    buffers: (random) => ({ x: random.ints(96, -50, 50), out: new Uint32Array(192) }),
    launches: ({ x, out }) => [{ kernel: 'ballots', args: [x, out], block: 96 }],
    expected: ({ x }) => ({
      out: range(96, (t) => {
        const votes = (from: number, to: number, of: (v: number) => boolean): number =>
          sum(to - from, (k) => (of(at(x, t - (t % 32) + from + k)) ? 2 ** (from + k) : 0));
        const mine = t % 32 < 12 ? votes(0, 12, (v) => v % 2 === 0) : votes(12, 32, (v) => v % 3 === 0);
        return [votes(0, 32, (v) => v > 0), mine];
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'votes',
    source: `
      __global__ void vote(const int *x, int *out)
      {
        int t = threadIdx.x;
        int any = __any_sync(${all}, x[t] > 95), every = __all_sync(${all}, x[t] > -95);
        unsigned half = t & 16 ? 0xffff0000u : 0x0000ffffu;
        int any_of_half = 0;
        if (t & 16) any_of_half = __any_sync(half, x[t] > 85);
        else any_of_half = __any_sync(half, x[t] < -85);
        out[t] = (any != 0) + 2 * (every != 0) + 4 * (any_of_half != 0);
      }`,
    buffers: (random) => ({ x: random.ints(512, -99, 100), out: new Int32Array(512) }),
    launches: ({ x, out }) => [{ kernel: 'vote', args: [x, out], block: 512 }],
    expected: ({ x }) => ({
      out: range(512, (t) => {
        const warp = [...x.subarray(t - (t % 32), t - (t % 32) + 32)];
        const half = t % 32 < 16 ? warp.slice(0, 16).some((v) => v < -85) : warp.slice(16).some((v) => v > 85);
        return Number(warp.some((v) => v > 95)) + 2 * Number(warp.every((v) => v > -95)) + 4 * Number(half);
      }),
    }),
  }),

  kernelCase({
    name: 'warp-reductions',
    source: `
      __global__ void reduce(const int *x, const unsigned *u, int *signed_, unsigned *unsigned_)
      {
        int t = threadIdx.x;
        unsigned mask = t % 32 < 20 ? 0x000fffffu : 0xfff00000u;
        if (t % 32 < 20) {
          signed_[3 * t] = __reduce_add_sync(mask, x[t]);
          signed_[3 * t + 1] = __reduce_min_sync(mask, x[t]);
          signed_[3 * t + 2] = __reduce_max_sync(mask, x[t]);
        } else {
          signed_[3 * t] = __reduce_min_sync(mask, x[t]);
          signed_[3 * t + 1] = __reduce_max_sync(mask, x[t]);
          signed_[3 * t + 2] = __reduce_add_sync(mask, x[t]);
        }
        unsigned_[4 * t] = __reduce_and_sync(${all}, u[t] | 0x0ff00000u);
        unsigned_[4 * t + 1] = __reduce_or_sync(${all}, u[t] & 0x00ffff00u);
        unsigned_[4 * t + 2] = __reduce_xor_sync(${all}, u[t]);
        unsigned_[4 * t + 3] = __reduce_max_sync(${all}, u[t]);
      }`,
    buffers: (random) => ({
      x: random.ints(64, -1000, 1000),
      u: random.uints(64),
      signed: new Int32Array(192),
      unsigned: new Uint32Array(256),
    }),
    launches: ({ x, u, signed, unsigned }) => [{ kernel: 'reduce', args: [x, u, signed, unsigned], block: 64 }],
    expected: ({ x, u }) => ({
      signed: range(64, (t) => {
        const warp = [...x.subarray(t - (t % 32), t - (t % 32) + 32)];
        const part = t % 32 < 20 ? warp.slice(0, 20) : warp.slice(20);
        const [total, least, most] = [part.reduce((a, b) => a + b), Math.min(...part), Math.max(...part)];
        return t % 32 < 20 ? [total, least, most] : [least, most, total];
      }).flat(),
      unsigned: range(64, (t) => {
        const warp = [...u.subarray(t - (t % 32), t - (t % 32) + 32)];
        return [
          warp.reduce((a, b) => a & (b | 0x0ff00000), -1) >>> 0,
          warp.reduce((a, b) => a | (b & 0x00ffff00), 0),
          warp.reduce((a, b) => a ^ b) >>> 0,
          Math.max(...warp),
        ];
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'matches',
    source: `
      __global__ void match(const int *x, const long long *wide, unsigned *out)
      {
        int t = threadIdx.x, same;
        out[4 * t] = __match_any_sync(${all}, x[t]);
        out[4 * t + 1] = __match_any_sync(${all}, wide[t]);
        unsigned agreed = __match_all_sync(${all}, x[t / 32 * 32 + (t / 32 == 1 ? 0 : t % 32)], &same);
        out[4 * t + 2] = agreed;
        out[4 * t + 3] = same != 0;
      }`,
    buffers: (random) => ({
      x: random.ints(64, 0, 7),
      wide: BigInt64Array.from(random.ints(64, 0, 5), (v) => BigInt(v) << 40n),
      out: new Uint32Array(256),
    }),
    launches: ({ x, wide, out }) => [{ kernel: 'match', args: [x, wide, out], block: 64 }],
    expected: ({ x, wide }) => ({
      out: range(64, (t) => {
        const base = t - (t % 32);
        const peers = (same: (o: number) => boolean): number => sum(32, (k) => (same(base + k) ? 2 ** k : 0));
        const agreed = t >= 32 ? [0xffffffff, 1] : [0, 0];
        return [peers((o) => x[o] === x[t]), peers((o) => wide[o] === wide[t]), ...agreed];
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'warp-scan',
    source: `
      __global__ void scan(const int *x, int *y, int n)
      {
        __shared__ int totals[8];
        int t = threadIdx.x, lane = t & 31, value = t < n ? x[t] : 0;
        for (int reach = 1; reach < 32; reach *= 2) {
          int left = __shfl_up_sync(${all}, value, reach);
          if (lane >= reach) value += left;
        }
        if (lane == 31) totals[t / 32] = value;
        __syncthreads();
        if (t < 8) {
          int sum = totals[t];
          for (int reach = 1; reach < 8; reach *= 2) {
            int left = __shfl_up_sync(0xff, sum, reach, 8);
            if (t >= reach) sum += left;
          }
          totals[t] = sum;
        }
        __syncthreads();
        if (t < n) y[t] = value + (t >= 32 ? totals[t / 32 - 1] : 0);
      }`,
    buffers: (random) => ({ x: random.ints(250, -999, 999), y: new Int32Array(250) }),
    launches: ({ x, y }) => [{ kernel: 'scan', args: [x, y, 250], block: 256 }],
    expected: ({ x }) => ({ y: range(250, (t) => sum(t + 1, (k) => at(x, k))) }),
  }),

  kernelCase({
    name: 'warp-bitonic-sort',
    source: `
      __global__ void sort(float *x)
      {
        int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
        float value = x[t];
        for (int size = 2; size <= 32; size <<= 1)
          for (int reach = size >> 1; reach; reach >>= 1) {
            float other = __shfl_xor_sync(${all}, value, reach);
            bool low = (lane & reach) == 0, up = (lane & size) == 0;
            value = low == up ? fminf(value, other) : fmaxf(value, other);
          }
        x[t] = value;
      }`,
    buffers: (random) => ({ x: random.floats(192) }),
    launches: ({ x }) => [{ kernel: 'sort', args: [x], block: 64, grid: 3 }],
    expected: ({ x }) => ({ x: range(6, (w) => [...x.slice(w * 32, w * 32 + 32).sort()]).flat() }),
  }),

  kernelCase({
    name: 'warp-argmin',
    source: `
      struct Best { float value; int index; };
      __device__ Best better(Best a, Best b) { return b.value < a.value || (b.value == a.value && b.index < a.index) ? b : a; }
      __global__ void argmin(const float *x, int *out, int n)
      {
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        Best best = { t < n ? x[t] : 3e38f, t };
        for (int lanes = 16; lanes; lanes /= 2) {
          Best other = { __shfl_xor_sync(${all}, best.value, lanes), __shfl_xor_sync(${all}, best.index, lanes) };
          best = better(best, other);
        }
        if (t % 32 == 7) out[t / 32] = best.index;
      }`,
    buffers: (random) => ({ x: random.floats(150).map((v) => Math.round(v * 20)), out: new Int32Array(5) }),
    launches: ({ x, out }) => [{ kernel: 'argmin', args: [x, out, 150], block: 32, grid: 5 }],
    expected: ({ x }) => ({
      out: range(5, (w) => {
        const warp = [...x.subarray(w * 32, w * 32 + 32)];
        return w * 32 + warp.indexOf(Math.min(...warp));
      }),
    }),
  }),

  kernelCase({
    name: 'warp-aggregated-atomics',
    source: `
      // One atomic for a warp: the first of those who keep a value takes places for all of them.
      __global__ void keep(const int *x, int *kept, int *count, int n)
      {
        int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
        bool wanted = t < n && x[t] % 3 == 0;
        unsigned takers = __ballot_sync(${all}, wanted);
        if (!takers) return;
        int leader = __ffs(takers) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(takers));
        base = __shfl_sync(${all}, base, leader);
        if (wanted) kept[base + __popc(takers & ((1u << lane) - 1))] = x[t];
      }
      // Odd-even passes of one thread, for an order that does not depend on who came first.
      __global__ void settle(int *kept, const int *count)
      {
        for (int i = 1; i < *count; i++) {
          int v = kept[i], j = i;
          for (; j > 0 && kept[j - 1] > v; j--) kept[j] = kept[j - 1];
          kept[j] = v;
        }
      }`,
    buffers: (random) => ({ x: random.ints(500, 0, 1000), kept: new Int32Array(500), count: new Int32Array(1) }),
    launches: ({ x, kept, count }) => [
      { kernel: 'keep', args: [x, kept, count, 500], block: 96, grid: 6 },
      { kernel: 'settle', args: [kept, count], block: 1 },
    ],
    expected: ({ x }) => {
      const kept = [...x.slice().sort()].filter((v) => v % 3 === 0);
      return { kept: [...kept, ...range(500 - kept.length, () => 0)], count: [kept.length] };
    },
  }),

  kernelCase({
    name: 'partial-last-warp',
    source: `
      __global__ void sums(const int *x, int *out)
      {
        int t = threadIdx.x;
        unsigned mask = t < 32 ? ${all} : (1u << (blockDim.x - 32)) - 1;
        int value = x[t], total = 0;
        for (int lane = 0; lane < 32; lane++)
          if (mask >> lane & 1) total += __shfl_sync(mask, value, lane);
        __syncwarp(mask);
        out[t] = total;
      }`,
    buffers: (random) => ({ x: random.ints(45, -99, 99), out: new Int32Array(45) }),
    launches: ({ x, out }) => [{ kernel: 'sums', args: [x, out], block: 45 }],
    expected: ({ x }) => ({ out: range(45, (t) => sum(t < 32 ? 32 : 13, (k) => at(x, (t < 32 ? 0 : 32) + k))) }),
  }),

  kernelCase({
    name: 'warp-synchronous-reduction',
    source: `
      // The last warp goes on alone, with a barrier of its own between reading and writing.
      __global__ void reduce(const int *x, int *out)
      {
        __shared__ int cache[128];
        int t = threadIdx.x;
        cache[t] = x[blockIdx.x * 128 + t];
        __syncthreads();
        if (t < 64) cache[t] += cache[t + 64];
        __syncthreads();
        if (t < 32) {
          int value = cache[t] + cache[t + 32];
          for (int lanes = 16; lanes; lanes /= 2) {
            __syncwarp();
            cache[t] = value;
            __syncwarp();
            if (t < lanes) value += cache[t + lanes];
          }
          if (t == 0) out[blockIdx.x] = value;
        }
      }`,
    buffers: (random) => ({ x: random.ints(512, -9999, 9999), out: new Int32Array(4) }),
    launches: ({ x, out }) => [{ kernel: 'reduce', args: [x, out], block: 128, grid: 4 }],
    expected: ({ x }) => ({ out: range(4, (b) => sum(128, (k) => at(x, b * 128 + k))) }),
  }),
];
