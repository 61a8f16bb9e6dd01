import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** A kernel `run` of 64 threads over x and y. */
function planted(name: string, finding: BrokenKernel['finding'], source: string): BrokenKernel {
  return { name, finding, source, memory: { x: ints(64), y: ints(64) }, args: ['x', 'y'], block: 64 };
}

/** Mistakes of which the one thread that is looked at last says nothing. */
export const brokenLatest: readonly BrokenKernel[] = [
  // The thread that starts a sum adds to it, too.
  planted(
    'race-of-the-first-value-and-atomics',
    'shared-race',
    `__global__ void run(int *x, int *y)
{
  __shared__ int total;
  if (threadIdx.x == 0) total = 0; // <- shared-race
  // the barrier is missing here
  atomicAdd(&total, x[threadIdx.x]); // <- shared-race
  __syncthreads();
  y[threadIdx.x] = total;
}`,
  ),
  planted(
    'race-of-the-first-value-and-global-atomics',
    'global-race',
    `__global__ void run(int *x, int *y)
{
  if (threadIdx.x == 0) y[5] = 0; // <- global-race
  atomicAdd(&y[5], x[threadIdx.x]); // <- global-race
}`,
  ),
  planted(
    'race-of-warps-after-a-warp-barrier',
    'shared-race',
    `__global__ void run(int *x, int *y)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  cache[t] = x[t]; // <- shared-race
  __syncwarp();
  int near = cache[t ^ 1];
  int far = cache[t ^ 33]; // <- shared-race
  y[t] = near + far;
}`,
  ),
  planted(
    'race-of-a-warp-that-writes-too-early',
    'shared-race',
    `__global__ void run(int *x, int *y)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  cache[t] = x[t];
  __syncwarp();
  int right = cache[t ^ 3]; // <- shared-race
  cache[t] = right + 1; // <- shared-race
  __syncthreads();
  y[t] = cache[t];
}`,
  ),
  planted(
    'race-in-a-scan',
    'shared-race',
    `__global__ void run(int *x, int *y)
{
  __shared__ int sums[64];
  int t = threadIdx.x;
  sums[t] = x[t];
  for (int by = 1; by < 64; by *= 2) {
    __syncthreads();
    int before = t >= by ? sums[t - by] : 0; // <- shared-race
    // the second barrier is missing here
    sums[t] += before; // <- shared-race
  }
  __syncthreads();
  y[t] = sums[t];
}`,
  ),
  planted(
    'race-of-a-transposed-tile',
    'shared-race',
    `__global__ void run(int *x, int *y)
{
  __shared__ int tile[8][9];
  int r = threadIdx.x / 8, c = threadIdx.x % 8;
  tile[r][c] = x[8 * r + c]; // <- shared-race
  y[8 * r + c] = tile[c][r]; // <- shared-race
}`,
  ),
  planted(
    'race-of-two-buffers-in-turn',
    'shared-race',
    `__global__ void run(int *x, int *y)
{
  __shared__ int cache[2][64];
  int t = threadIdx.x;
  cache[0][t] = x[t];
  __syncthreads();
  for (int k = 0; k < 3; k++) {
    int from = k % 2;
    cache[1 - from][t] = cache[from][(t + 1) % 64] + k; // <- shared-race
  }
  y[t] = cache[1][t];
}`,
  ),
  planted(
    'race-on-a-flag-without-atomics',
    'global-race',
    `__global__ void run(int *x, int *y)
{
  int t = threadIdx.x;
  if (x[t] == 40) y[0] = 1; // <- global-race
  if (y[0] == 1) y[t] = 2; // <- global-race
}`,
  ),
  planted(
    'heap-of-a-kernel-overflow',
    'out-of-bounds',
    `__global__ void run(int *x, int *y)
{
  int *mine = (int *)malloc(4 * sizeof(int));
  for (int k = 0; k <= 4; k++)
    mine[k] = x[threadIdx.x] + k; // <- out-of-bounds
  y[threadIdx.x] = mine[3];
  free(mine);
}`,
  ),
  planted(
    'heap-of-a-kernel-after-free',
    'use-after-free',
    `__global__ void run(int *x, int *y)
{
  int *mine = (int *)malloc(64);
  mine[0] = x[threadIdx.x];
  free(mine);
  y[threadIdx.x] = mine[0]; // <- use-after-free
}`,
  ),
  planted(
    'grid-stride-loop-one-too-far',
    'out-of-bounds',
    `__global__ void run(int *x, int *y)
{
  for (int i = threadIdx.x; i <= 64; i += blockDim.x)
    y[i] = 2 * x[63 - (i & 63)]; // <- out-of-bounds
}`,
  ),
  planted(
    'misaligned-double',
    'misaligned',
    `__global__ void run(int *x, int *y)
{
  double *d = (double *)(y + 1);
  d[0] = x[threadIdx.x]; // <- misaligned
}`,
  ),
  planted(
    'misaligned-shared-vector',
    'misaligned',
    `__global__ void run(int *x, int *y)
{
  __shared__ float4 cache[8];
  float *f = (float *)cache;
  int t = threadIdx.x;
  if (t < 32) f[t] = x[t];
  __syncthreads();
  if (t == 0) {
    float4 v = *(float4 *)(f + 2); // <- misaligned
    y[t] = v.x + v.w;
  }
}`,
  ),
];
