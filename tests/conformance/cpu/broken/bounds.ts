import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** Reads and writes of memory that is not there. */
export const brokenBounds: readonly BrokenKernel[] = [
  {
    name: 'write-one-past-the-end',
    finding: 'out-of-bounds',
    source: `__global__ void fill(int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    x[i] = 7; // <- out-of-bounds
}`,
    memory: { x: ints(100) },
    args: ['x', 100],
    block: 32,
    grid: 4,
  },
  {
    name: 'read-one-past-the-end',
    finding: 'out-of-bounds',
    source: `__global__ void differences(const int *x, int *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i + 1] - x[i]; // <- out-of-bounds
}`,
    memory: { x: ints(64), y: ints(64) },
    args: ['x', 'y', 64],
    block: 64,
  },
  {
    name: 'read-before-the-start',
    finding: 'out-of-bounds',
    source: `__device__ float previous(const float *x, int i)
{
  return x[i - 1]; // <- out-of-bounds
}
__global__ void smooth(const float *x, float *y)
{
  int i = threadIdx.x;
  y[i] = 0.5f * (x[i] + previous(x, i));
}`,
    memory: { x: new Float32Array(32), y: new Float32Array(32) },
    args: ['x', 'y'],
    block: 32,
  },
  {
    name: 'no-guard-at-all',
    finding: 'out-of-bounds',
    source: `__global__ void twice(double *x)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i]; // <- out-of-bounds
  x[i] = 2 * v;
}`,
    memory: { x: new Float64Array(100) },
    args: ['x'],
    block: 64,
    grid: 2,
  },
  {
    name: 'wild-index',
    finding: 'out-of-bounds',
    source: `__global__ void gather(const int *index, int *x)
{
  x[index[threadIdx.x]] = 1; // <- out-of-bounds
}`,
    memory: { index: Int32Array.of(0, 1, 2, 500_000_000), x: ints(4) },
    args: ['index', 'x'],
    block: 4,
  },
  {
    name: 'bytes-for-elements',
    finding: 'out-of-bounds',
    source: `__global__ void count_up(int *x)
{
  x[threadIdx.x] = threadIdx.x; // <- out-of-bounds
}`,
    memory: { x: new Uint8Array(64) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'wrong-pitch',
    finding: 'out-of-bounds',
    source: `__global__ void transpose(const float *x, float *y, int rows, int columns)
{
  int r = threadIdx.y, c = threadIdx.x;
  if (r >= rows || c >= columns) return;
  float v = x[r * columns + c];
  y[c * columns + r] = v; // <- out-of-bounds
}`,
    memory: { x: new Float32Array(12 * 20), y: new Float32Array(12 * 20) },
    args: ['x', 'y', 12, 20],
    block: [20, 12],
  },
  {
    name: 'struct-member-overflow',
    finding: 'out-of-bounds',
    source: `struct Team { int size; int members[3]; };
__global__ void join(Team *teams, int id)
{
  Team &team = teams[threadIdx.x];
  for (int k = 0; k < 4; k++)
    team.members[k] = id + k; // <- out-of-bounds
}`,
    memory: { teams: ints(8) },
    args: ['teams', 5],
    block: 2,
  },
  {
    name: 'atomic-past-the-end',
    finding: 'out-of-bounds',
    source: `__global__ void histogram(const unsigned char *x, unsigned *bins)
{
  atomicAdd(&bins[x[threadIdx.x] / 16], 1u); // <- out-of-bounds
}`,
    memory: { x: Uint8Array.from({ length: 32 }, (_, i) => i * 8), bins: new Uint32Array(15) },
    args: ['x', 'bins'],
    block: 32,
  },
  {
    name: 'vector-load-past-the-end',
    finding: 'out-of-bounds',
    source: `__global__ void sums(const float4 *x, float *y)
{
  float4 v = x[threadIdx.x]; // <- out-of-bounds
  y[threadIdx.x] = v.x + v.y + v.z + v.w;
}`,
    memory: { x: new Float32Array(30), y: new Float32Array(8) },
    args: ['x', 'y'],
    block: 8,
  },
  {
    name: 'static-shared-overflow',
    finding: 'out-of-bounds',
    source: `__global__ void shift(int *x)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  cache[t + 1] = x[t]; // <- out-of-bounds
  __syncthreads();
  x[t] = cache[t];
}`,
    memory: { x: ints(64) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'dynamic-shared-overflow',
    finding: 'out-of-bounds',
    source: `__global__ void reverse(int *x)
{
  extern __shared__ int cache[];
  int t = threadIdx.x, n = blockDim.x;
  cache[t] = x[t]; // <- out-of-bounds
  __syncthreads();
  x[t] = cache[n - 1 - t];
}`,
    memory: { x: ints(64) },
    args: ['x'],
    block: 64,
    shared: 64,
  },
  {
    name: 'device-variable-overflow',
    finding: 'out-of-bounds',
    source: `__device__ int slots[4];
__global__ void put(int value)
{
  slots[threadIdx.x] = value; // <- out-of-bounds
}`,
    memory: {},
    args: [3],
    block: 8,
    hard: 'variables of a module lie side by side',
  },
  {
    name: 'local-array-overflow',
    finding: 'out-of-bounds',
    source: `__global__ void digits(const int *x, int *y)
{
  int found[4], n = 0;
  for (int v = x[threadIdx.x]; v; v /= 10)
    found[n++] = v % 10; // <- out-of-bounds
  int sum = 0;
  for (int k = 0; k < n; k++) sum += found[k];
  y[threadIdx.x] = sum;
}`,
    memory: { x: Int32Array.of(12, 3456, 78901), y: ints(3) },
    args: ['x', 'y'],
    block: 3,
    hard: 'private arrays become registers',
  },
  {
    name: 'use-after-free',
    finding: 'use-after-free',
    source: `__global__ void touch(int *x)
{
  x[threadIdx.x] += 1; // <- use-after-free
}`,
    memory: { x: ints(32) },
    freed: ['x'],
    args: ['x'],
    block: 32,
  },
  {
    name: 'null-dereference',
    finding: 'null',
    source: `struct Node { int value; Node *next; };
__global__ void last(const Node *list, int *out)
{
  const Node *p = list;
  while (true) {
    int v = p->value; // <- null
    *out = v;
    p = p->next;
  }
}`,
    memory: { list: BigUint64Array.of(5n, 0n), out: ints(1) },
    args: ['list', 'out'],
    block: 1,
  },
  {
    name: 'misaligned-read',
    finding: 'misaligned',
    source: `__global__ void read(const char *bytes, int *out)
{
  out[threadIdx.x] = *(const int *)(bytes + 4 * threadIdx.x + 1); // <- misaligned
}`,
    memory: { bytes: new Uint8Array(64), out: ints(8) },
    args: ['bytes', 'out'],
    block: 8,
  },
  {
    name: 'misaligned-vector',
    finding: 'misaligned',
    source: `__global__ void copy(const float *x, float *y)
{
  float4 v = *(const float4 *)x;
  *(float4 *)(y + 2) = v; // <- misaligned
}`,
    memory: { x: new Float32Array(8), y: new Float32Array(8) },
    args: ['x', 'y'],
    block: 1,
  },
  {
    name: 'uninitialised-read',
    finding: 'uninitialised',
    source: `__global__ void accumulate(const int *x, int *sums)
{
  int old = sums[threadIdx.x]; // <- uninitialised
  sums[threadIdx.x] = old + x[threadIdx.x];
}`,
    memory: { x: ints(16), sums: 64 },
    args: ['x', 'sums'],
    block: 16,
  },
];
