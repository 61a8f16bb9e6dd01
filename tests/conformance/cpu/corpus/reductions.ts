import { at, kernelCase, range, type Case, type Numbers } from '../case.ts';

const n = 5000;
const blocks = 20;

/** The sum of each block's share of the input, and how the styles of summing differ from it: not at all, for ints. */
const styles: Readonly<Record<string, string>> = {
  'reduction-interleaved': `
    __global__ void reduce(const int *x, int *sums, int n)
    {
      __shared__ int cache[256];
      int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
      cache[t] = i < n ? x[i] : 0;
      for (int step = 1; step < blockDim.x; step *= 2) {
        __syncthreads();
        if (t % (2 * step) == 0) cache[t] += cache[t + step];
      }
      if (t == 0) sums[blockIdx.x] = cache[0];
    }`,
  'reduction-halving': `
    __global__ void reduce(const int *x, int *sums, int n)
    {
      extern __shared__ int cache[];
      int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
      cache[t] = i < n ? x[i] : 0;
      __syncthreads();
      for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half) cache[t] += cache[t + half];
        __syncthreads();
      }
      if (t == 0) sums[blockIdx.x] = cache[0];
    }`,
  'reduction-unrolled': `
    template <int SIZE> __device__ void halve(volatile int *cache, int t)
    {
      if constexpr (SIZE > 1) {
        if (t < SIZE / 2) cache[t] += cache[t + SIZE / 2];
        __syncthreads();
        halve<SIZE / 2>(cache, t);
      }
    }
    __global__ void reduce(const int *x, int *sums, int n)
    {
      __shared__ int cache[256];
      int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
      cache[t] = i < n ? x[i] : 0;
      __syncthreads();
      halve<256>(cache, t);
      if (t == 0) sums[blockIdx.x] = cache[0];
    }`,
  'reduction-shuffles': `
    __device__ int warp_sum(int value)
    {
      for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffff, value, lanes);
      return value;
    }
    __global__ void reduce(const int *x, int *sums, int n)
    {
      __shared__ int warps[8];
      int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
      int value = warp_sum(i < n ? x[i] : 0);
      if (t % 32 == 0) warps[t / 32] = value;
      __syncthreads();
      if (t < 32) {
        value = warp_sum(t < 8 ? warps[t] : 0);
        if (t == 0) sums[blockIdx.x] = value;
      }
    }`,
  'reduction-shared-atomics': `
    __global__ void reduce(const int *x, int *sums, int n)
    {
      __shared__ int sum;
      if (threadIdx.x == 0) sum = 0;
      __syncthreads();
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) atomicAdd(&sum, x[i]);
      __syncthreads();
      if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    }`,
};

const inFiveStyles = Object.entries(styles).map(([name, source]) =>
  kernelCase({
    name,
    source,
    buffers: (random) => ({ x: random.ints(n, -400_000, 400_000), sums: new Int32Array(blocks) }),
    launches: ({ x, sums }) => [{ kernel: 'reduce', args: [x, sums, n], block: 256, grid: blocks, shared: 1024 }],
    expected: ({ x }) => ({
      sums: range(blocks, (b) => x.subarray(b * 256, b * 256 + 256).reduce((total, v) => total + v, 0)),
    }),
  }),
);

/** Reductions and prefix sums. */
export const reductionCases: readonly Case[] = [
  ...inFiveStyles,

  kernelCase({
    name: 'reduction-last-block',
    source: `
      // The block that finishes last adds up what all blocks have left.
      __device__ unsigned finished;
      __global__ void mean(const double *x, double *partial, double *out, int n)
      {
        __shared__ double cache[128];
        __shared__ bool last;
        int t = threadIdx.x;
        double sum = 0;
        for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += x[i];
        cache[t] = sum;
        __syncthreads();
        for (int half = 64; half > 0; half /= 2) {
          if (t < half) cache[t] += cache[t + half];
          __syncthreads();
        }
        if (t == 0) {
          partial[blockIdx.x] = cache[0];
          __threadfence();
          last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (last && t == 0) {
          double total = 0;
          for (int b = 0; b < gridDim.x; b++) total += ((volatile double *)partial)[b];
          *out = total / n;
        }
      }`,
    buffers: (random) => ({
      x: random.doubles(3001, 0, 1),
      partial: new Float64Array(7),
      out: new Float64Array(1),
    }),
    launches: ({ x, partial, out }) =>
      range(2, () => ({ kernel: 'mean', args: [x, partial, out, 3001], block: 128, grid: 7 })),
    expected: ({ x }) => ({ out: [x.reduce((a, b) => a + b) / 3001] }),
    tolerance: { relative: 1e-13 },
  }),

  kernelCase({
    name: 'dot-product',
    source: `
      __global__ void dot(const float *a, const float *b, float *out, int n)
      {
        __shared__ float cache[128];
        float sum = 0;
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
        cache[threadIdx.x] = sum;
        __syncthreads();
        for (int half = blockDim.x / 2; half; half /= 2) {
          if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
          __syncthreads();
        }
        if (threadIdx.x == 0) atomicAdd(out, cache[0]);
      }`,
    buffers: (random) => ({ a: random.floats(n, 0, 1), b: random.floats(n, 0, 1), out: new Float32Array(1) }),
    launches: ({ a, b, out }) => [{ kernel: 'dot', args: [a, b, out, n], block: 128, grid: 6 }],
    expected: ({ a, b }) => ({ out: [a.reduce((total, v, i) => total + v * at(b, i), 0)] }),
    tolerance: { relative: 1e-5 },
  }),

  kernelCase({
    name: 'scan-blelloch',
    source: `
      // Exclusive prefix sum of a block: a sweep up the tree, then down again.
      __global__ void scan(const int *x, int *y, int n)
      {
        extern __shared__ int tree[];
        int t = threadIdx.x, offset = 1, base = blockIdx.x * n;
        tree[2 * t] = x[base + 2 * t];
        tree[2 * t + 1] = x[base + 2 * t + 1];
        for (int d = n >> 1; d > 0; d >>= 1) {
          __syncthreads();
          if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
          offset *= 2;
        }
        if (t == 0) tree[n - 1] = 0;
        for (int d = 1; d < n; d *= 2) {
          offset >>= 1;
          __syncthreads();
          if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, left = tree[a];
            tree[a] = tree[b];
            tree[b] += left;
          }
        }
        __syncthreads();
        y[base + 2 * t] = tree[2 * t];
        y[base + 2 * t + 1] = tree[2 * t + 1];
      }`,
    buffers: (random) => ({ x: random.ints(3 * 512, -4_000_000, 4_000_000), y: new Int32Array(3 * 512) }),
    launches: ({ x, y }) => [{ kernel: 'scan', args: [x, y, 512], block: 256, grid: 3, shared: 2048 }],
    expected: ({ x }) => ({ y: range(3, (b) => exclusive(x.subarray(b * 512, b * 512 + 512))).flat() }),
  }),

  kernelCase({
    name: 'scan-hillis-steele',
    source: `
      __global__ void scan(const float *x, float *y)
      {
        __shared__ float now[2][100];
        int t = threadIdx.x, from = 0;
        now[0][t] = x[t];
        __syncthreads();
        for (int reach = 1; reach < 100; reach *= 2, from ^= 1) {
          now[from ^ 1][t] = t >= reach ? now[from][t] + now[from][t - reach] : now[from][t];
          __syncthreads();
        }
        y[t] = now[from][t];
      }`,
    buffers: (random) => ({ x: random.floats(100, 0, 1), y: new Float32Array(100) }),
    launches: ({ x, y }) => [{ kernel: 'scan', args: [x, y], block: 100 }],
    expected: ({ x }) => ({ y: range(100, (i) => x.subarray(0, i + 1).reduce((a, b) => a + b)) }),
    tolerance: { relative: 1e-5 },
  }),

  kernelCase({
    name: 'scan-of-many-blocks',
    source: `
      __device__ int inclusive(int value, int *cache)
      {
        int t = threadIdx.x;
        cache[t] = value;
        for (int reach = 1; reach < blockDim.x; reach *= 2) {
          __syncthreads();
          int left = t >= reach ? cache[t - reach] : 0;
          __syncthreads();
          cache[t] += left;
        }
        __syncthreads();
        return cache[t];
      }
      __global__ void scan_blocks(const int *x, int *y, int *totals, int n)
      {
        __shared__ int cache[128];
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        int value = inclusive(i < n ? x[i] : 0, cache);
        if (i < n) y[i] = value;
        if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = value;
      }
      __global__ void scan_totals(int *totals, int count)
      {
        __shared__ int cache[128];
        int t = threadIdx.x, mine = t < count ? totals[t] : 0, sum = inclusive(mine, cache);
        if (t < count) totals[t] = sum - mine;
      }
      __global__ void add_totals(int *y, const int *totals, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] += totals[blockIdx.x];
      }`,
    buffers: (random) => ({ x: random.ints(n, -99, 99), y: new Int32Array(n), totals: new Int32Array(40) }),
    launches: ({ x, y, totals }) => [
      { kernel: 'scan_blocks', args: [x, y, totals, n], block: 128, grid: 40 },
      { kernel: 'scan_totals', args: [totals, 40], block: 128 },
      { kernel: 'add_totals', args: [y, totals, n], block: 128, grid: 40 },
    ],
    expected: ({ x }) => ({ y: exclusive(x).map((v, i) => v + at(x, i)) }),
  }),
];

function exclusive(values: Numbers): number[] {
  let total = 0;
  return Array.from(values as Int32Array, (value) => {
    const before = total;
    total += value;
    return before;
  });
}
