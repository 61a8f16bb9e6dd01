import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** Threads that do not wait for each other, or wait for ever. */
export const brokenOrder: readonly BrokenKernel[] = [
  {
    name: 'race-write-then-read',
    finding: 'shared-race',
    source: `__global__ void rotate_left(int *x)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  cache[t] = x[t]; // <- shared-race
  // the barrier is missing here
  x[t] = cache[(t + 1) % 64]; // <- shared-race
}`,
    memory: { x: ints(64) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'race-read-then-write',
    finding: 'shared-race',
    source: `__global__ void shift(int *x)
{
  __shared__ int cache[65];
  int t = threadIdx.x;
  cache[t] = x[t];
  if (t == 0) cache[64] = 0;
  __syncthreads();
  int right = cache[t + 1]; // <- shared-race
  cache[t] = right; // <- shared-race
  __syncthreads();
  x[t] = cache[t];
}`,
    memory: { x: ints(64) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'race-write-then-write',
    finding: 'shared-race',
    source: `__global__ void last_one_wins(int *x, int *out)
{
  __shared__ int winner;
  if (x[threadIdx.x] > 10)
    winner = threadIdx.x; // <- shared-race
  __syncthreads();
  if (threadIdx.x == 0) *out = winner;
}`,
    memory: { x: ints(64), out: ints(1) },
    args: ['x', 'out'],
    block: 64,
  },
  {
    name: 'race-in-a-reduction',
    finding: 'shared-race',
    source: `__global__ void reduce(const float *x, float *out)
{
  __shared__ float cache[128];
  int t = threadIdx.x;
  cache[t] = x[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2)
    if (t < half) cache[t] += cache[t + half]; // <- shared-race
  if (t == 0) *out = cache[0];
}`,
    memory: { x: new Float32Array(128), out: new Float32Array(1) },
    args: ['x', 'out'],
    block: 128,
  },
  {
    name: 'race-of-tiles',
    finding: 'shared-race',
    source: `__global__ void multiply(const float *a, const float *b, float *c, int n)
{
  __shared__ float as[8][8], bs[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += 8) {
    as[y][x] = a[y * n + t + x]; // <- shared-race?
    bs[y][x] = b[(t + y) * 8 + x]; // <- shared-race?
    __syncthreads();
    for (int k = 0; k < 8; k++)
      sum += as[y][k] * bs[k][x]; // <- shared-race
    // the barrier before the next tile is missing
  }
  c[y * 8 + x] = sum;
}`,
    memory: { a: new Float32Array(128), b: new Float32Array(128), c: new Float32Array(64) },
    args: ['a', 'b', 'c', 16],
    block: [8, 8],
  },
  {
    name: 'race-of-warps-without-syncwarp',
    finding: 'shared-race',
    source: `__global__ void reduce(const int *x, int *out)
{
  __shared__ volatile int cache[64];
  int t = threadIdx.x;
  cache[t] = x[t];
  __syncthreads();
  if (t < 32) {
    cache[t] += cache[t + 32];
    cache[t] += cache[t + 16]; // <- shared-race
    cache[t] += cache[t + 8];
    cache[t] += cache[t + 4];
    cache[t] += cache[t + 2];
    cache[t] += cache[t + 1];
  }
  if (t == 0) *out = cache[0];
}`,
    memory: { x: ints(64), out: ints(1) },
    args: ['x', 'out'],
    block: 64,
  },
  {
    name: 'race-of-atomic-and-plain',
    finding: 'shared-race',
    source: `__global__ void count(const int *x, int *out)
{
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, x[threadIdx.x]); // <- shared-race
  out[threadIdx.x] = total; // <- shared-race
}`,
    memory: { x: ints(64), out: ints(64) },
    args: ['x', 'out'],
    block: 64,
  },
  {
    name: 'race-between-blocks-of-writes',
    finding: 'global-race',
    source: `__global__ void total(const int *x, int *sum)
{
  if (threadIdx.x == 0)
    *sum += x[blockIdx.x]; // <- global-race
}`,
    memory: { x: ints(8), sum: ints(1) },
    args: ['x', 'sum'],
    block: 32,
    grid: 8,
  },
  {
    name: 'race-between-blocks-of-neighbours',
    finding: 'global-race',
    source: `__global__ void smooth(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n - 1) return;
  float around = x[i - 1] + x[i + 1]; // <- global-race
  x[i] = 0.5f * around; // <- global-race
}`,
    memory: { x: new Float32Array(128), n: ints(1) },
    args: ['x', 128],
    block: 32,
    grid: 4,
  },
  {
    name: 'divergent-barriers',
    finding: 'divergent-barrier',
    source: `__global__ void halves(int *x)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  cache[t] = x[t];
  if (t < 20) {
    __syncthreads(); // <- divergent-barrier
    x[t] = cache[t + 1];
  } else {
    x[t] = -cache[t];
    __syncthreads(); // <- divergent-barrier
  }
}`,
    memory: { x: ints(64) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'barrier-in-a-divergent-loop',
    finding: 'divergent-barrier',
    source: `__device__ void wait()
{
  __syncthreads(); // <- divergent-barrier?
}
__global__ void rounds(int *x)
{
  int t = threadIdx.x;
  for (int k = 0; k < t % 4; k++) {
    x[t] += k;
    wait(); // <- divergent-barrier
  }
  x[t] = -x[t];
  __syncthreads(); // <- divergent-barrier
  x[t] += 1;
}`,
    memory: { x: ints(32) },
    args: ['x'],
    block: 32,
  },
  {
    name: 'some-leave-a-loop-early',
    finding: 'divergent-barrier',
    source: `__global__ void search(const int *x, int wanted, int *found)
{
  __shared__ int place;
  if (threadIdx.x == 0) place = -1;
  __syncthreads();
  for (int k = 0; k < 4; k++) {
    if (x[4 * threadIdx.x + k] == wanted) {
      place = 4 * threadIdx.x + k;
      break;
    }
    __syncthreads(); // <- divergent-barrier
  }
  __syncthreads(); // <- divergent-barrier
  if (threadIdx.x == 0) *found = place;
}`,
    memory: { x: ints(128), found: ints(1) },
    args: ['x', 50, 'found'],
    block: 32,
  },
  {
    name: 'barrier-in-a-switch-by-thread',
    finding: 'divergent-barrier',
    source: `__global__ void jobs(int *x)
{
  int t = threadIdx.x;
  switch (t % 3) {
  case 0:
    x[t] = 0;
    __syncthreads(); // <- divergent-barrier
    break;
  case 1:
    x[t] = 10;
    __syncthreads(); // <- divergent-barrier
    break;
  default:
    x[t] = 20;
  }
  x[t] += 1;
}`,
    memory: { x: ints(48) },
    args: ['x'],
    block: 48,
  },
  {
    name: 'barrier-that-some-go-around',
    finding: 'divergent-barrier',
    source: `__global__ void halve(int *x)
{
  __shared__ int cache[32];
  int t = threadIdx.x;
  if (t < 32) {
    cache[t] = x[t];
    __syncthreads(); // <- divergent-barrier
  }
  x[t + 64] = x[t] / 2;
  if (t < 32) x[t] = cache[31 - t];
}`,
    memory: { x: ints(128) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'barrier-in-a-loop-that-some-end-before',
    finding: 'divergent-barrier',
    source: `__global__ void rounds(const int *steps, int *x)
{
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < steps[t]; i++) {
    sum += i;
    __syncthreads(); // <- divergent-barrier
  }
  x[t] = sum;
}`,
    memory: { steps: ints(64), x: ints(64) },
    args: ['steps', 'x'],
    block: 64,
  },
  {
    name: 'masks-that-do-not-match',
    finding: 'warp-deadlock',
    source: `__global__ void masks(int *x)
{
  int t = threadIdx.x;
  if (t < 16)
    __syncwarp(0xffffffff); // <- warp-deadlock
  else
    __syncthreads(); // <- warp-deadlock?
  x[t] += 1;
  if (t < 16)
    __syncthreads();
}`,
    memory: { x: ints(32) },
    args: ['x'],
    block: 32,
  },
  {
    name: 'shuffle-in-divergent-code',
    finding: 'warp-deadlock',
    source: `__global__ void shuffle(int *x)
{
  int t = threadIdx.x, v = x[t];
  if (t % 2 == 0)
    v = __shfl_xor_sync(0xffffffff, v, 2); // <- warp-deadlock
  __syncthreads(); // <- warp-deadlock?
  x[t] = v;
}`,
    memory: { x: ints(64) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'ballots-that-wait-for-each-other',
    finding: 'warp-deadlock',
    source: `__global__ void ballots(unsigned *x)
{
  int t = threadIdx.x;
  if (t < 8)
    x[t] = __ballot_sync(0x0000ffff, t & 1); // <- warp-deadlock
  else if (t < 24)
    x[t] = __ballot_sync(0x00ffffff, t & 2); // <- warp-deadlock
  __syncthreads(); // <- warp-deadlock?
}`,
    memory: { x: new Uint32Array(32) },
    args: ['x'],
    block: 32,
  },
];
