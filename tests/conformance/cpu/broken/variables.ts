import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);
const x64 = { memory: { x: ints(64), y: ints(64) }, args: ['x', 'y', 64], block: 64 } as const;

/** Variables that are used before they have a value. */
export const brokenVariables: readonly BrokenKernel[] = [
  {
    name: 'uninitialised-sum',
    finding: 'uninitialised',
    source: `__global__ void sums(const int *x, int *y, int n)
{
  int sum;
  for (int k = 0; k < 4; k++) sum += x[(threadIdx.x + k) % n];
  y[threadIdx.x] = sum; // <- uninitialised
}`,
    ...x64,
  },
  {
    name: 'uninitialised-branch',
    finding: 'uninitialised',
    source: `__global__ void signs(const int *x, int *y, int n)
{
  int sign;
  if (x[threadIdx.x] > 32) sign = 1;
  if (sign) // <- uninitialised
    y[threadIdx.x] = 1;
}`,
    ...x64,
  },
  {
    name: 'uninitialised-index',
    finding: 'uninitialised',
    source: `__global__ void places(const int *x, int *y, int n)
{
  int at;
  if (x[threadIdx.x] % 2) at = threadIdx.x;
  y[at & 63] = 1; // <- uninitialised
}`,
    ...x64,
  },
  {
    name: 'uninitialised-flag-of-a-loop',
    finding: 'uninitialised',
    source: `__global__ void until(const int *x, int *y, int n)
{
  bool done;
  int k = 0;
  while (!done && k < 8) { // <- uninitialised
    done = x[k] > 4;
    k++;
  }
  y[threadIdx.x] = k;
}`,
    ...x64,
  },
  {
    name: 'uninitialised-case',
    finding: 'uninitialised',
    source: `__global__ void kinds(const int *x, int *y, int n)
{
  int kind;
  if (x[threadIdx.x] < 60) kind = x[threadIdx.x] % 3;
  switch (kind) { // <- uninitialised
    case 0: y[threadIdx.x] = 10; break;
    case 1: y[threadIdx.x] = 20; break;
    default: y[threadIdx.x] = 30;
  }
}`,
    ...x64,
  },
  {
    name: 'uninitialised-maximum-of-floats',
    finding: 'uninitialised',
    source: `__global__ void maxima(const float *x, float *y, int n)
{
  float most;
  for (int k = 0; k < n; k++)
    if (x[k] > most) most = x[k]; // <- uninitialised
  y[threadIdx.x] = most;
}`,
    memory: { x: new Float32Array(16), y: new Float32Array(4) },
    args: ['x', 'y', 16],
    block: 4,
  },
  {
    name: 'uninitialised-through-another-variable',
    finding: 'uninitialised',
    source: `__global__ void chain(const int *x, int *y, int n)
{
  int a, b, c;
  if (x[threadIdx.x] != 5) a = 1;
  b = a + 1;
  c = 3 * b;
  y[threadIdx.x] = c; // <- uninitialised
}`,
    ...x64,
  },
  {
    name: 'uninitialised-through-a-function',
    finding: 'uninitialised',
    source: `__device__ float twice(float v) { return v + v; }
__global__ void doubled(const float *x, float *y, int n)
{
  float v;
  if (threadIdx.x < n - 1) v = x[threadIdx.x];
  y[threadIdx.x] = twice(v); // <- uninitialised
}`,
    memory: { x: new Float32Array(16), y: new Float32Array(16) },
    args: ['x', 'y', 16],
    block: 16,
  },
  {
    name: 'uninitialised-pointer',
    finding: 'uninitialised',
    source: `__global__ void chosen(int *x, int *y, int n)
{
  int *p;
  if (n == 64 && threadIdx.x < 63) p = y + threadIdx.x;
  *p = 1; // <- uninitialised
}`,
    ...x64,
  },
  {
    name: 'uninitialised-in-each-round-of-a-loop',
    finding: 'uninitialised',
    source: `__global__ void rounds(const int *x, int *y, int n)
{
  int total = 0;
  for (int k = 0; k < 4; k++) {
    int part;
    if (k != 2) part = x[k];
    total += part;
  }
  y[threadIdx.x] = total; // <- uninitialised
}`,
    ...x64,
  },
  {
    name: 'uninitialised-fused-product',
    finding: 'uninitialised',
    source: `__global__ void dots(const float *x, float *y, int n)
{
  float sum;
  for (int k = 0; k < n; k++) sum = fmaf(x[k], x[k], sum);
  y[threadIdx.x] = sum; // <- uninitialised
}`,
    memory: { x: new Float32Array(16), y: new Float32Array(16) },
    args: ['x', 'y', 16],
    block: 16,
  },
  {
    name: 'uninitialised-into-shared-memory',
    finding: 'uninitialised',
    source: `__global__ void stage(const int *x, int *y, int n)
{
  __shared__ int cache[64];
  int v;
  if (threadIdx.x > 0) v = x[threadIdx.x];
  cache[threadIdx.x] = v; // <- uninitialised
  __syncthreads();
  y[threadIdx.x] = cache[63 - threadIdx.x];
}`,
    ...x64,
  },
  {
    name: 'uninitialised-amount-of-an-atomic',
    finding: 'uninitialised',
    source: `__global__ void count(const int *x, int *y, int n)
{
  int by;
  if (x[threadIdx.x] & 1) by = 1;
  atomicAdd(y, by); // <- uninitialised
}`,
    ...x64,
  },
];
