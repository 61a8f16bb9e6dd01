import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);
const x64 = { memory: { x: ints(64), y: ints(64) }, args: ['x', 'y', 64], block: 64 } as const;

/** What C++ leaves undefined, so that an optimiser takes it not to happen, and the mistake with it. */
export const brokenUndefined: readonly BrokenKernel[] = [
  // Null on one path: the store and the path are the first to go.
  {
    name: 'null-on-one-arm-of-a-conditional',
    finding: 'null',
    source: `__global__ void put(int *x, int *y, int n)
{
  int i = threadIdx.x;
  int *p = x[i] < 40 ? y + i : nullptr;
  *p = i; // <- null
}`,
    ...x64,
  },
  {
    name: 'null-from-a-search-that-fails',
    finding: 'null',
    source: `__device__ const int *find(const int *x, int n, int value)
{
  for (int k = 0; k < n; k++)
    if (x[k] == value) return x + k;
  return nullptr;
}
__global__ void look(const int *x, int *y, int n)
{
  y[threadIdx.x] = *find(x, n, 2 * threadIdx.x) + 1; // <- null
}`,
    ...x64,
  },
  {
    name: 'null-tested-too-late',
    finding: 'null',
    source: `struct Item { int value, weight; };
__global__ void weigh(const Item *item, int *y, int n)
{
  int v = item->value; // <- null
  if (item == nullptr) return;
  y[threadIdx.x] = v;
}`,
    memory: { y: ints(4) },
    args: [null, 'y', 4],
    block: 4,
  },
  {
    name: 'null-reference',
    finding: 'null',
    source: `__device__ void grow(int &value) { value += 1; } // <- null
__global__ void all(int *x, int *y, int n)
{
  int *chosen = threadIdx.x == 7 ? nullptr : x + threadIdx.x;
  grow(*chosen);
}`,
    ...x64,
  },
  {
    name: 'null-object-calls-a-method',
    finding: 'null',
    source: `struct Counter {
  int count;
  __device__ void add(int by) { count += by; } // <- null
};
__global__ void tally(Counter *counters, int *y, int n)
{
  Counter *mine = y[threadIdx.x] > 60 ? nullptr : counters + threadIdx.x;
  mine->add(2);
}`,
    ...x64,
  },
  {
    name: 'null-in-a-list-of-pointers',
    finding: 'null',
    source: `__global__ void rows(int *x, int *y, int n)
{
  int *row[4] = {x, x + 16, nullptr, x + 48};
  y[threadIdx.x] = row[threadIdx.x / 16][threadIdx.x % 16]; // <- null
}`,
    ...x64,
  },
  {
    name: 'failed-allocation-not-tested',
    finding: 'null',
    source: `__global__ void scratch(int *x, int *y, int n)
{
  int *mine = (int *)malloc((size_t)1 << 40);
  mine[0] = x[threadIdx.x]; // <- null
  y[threadIdx.x] = mine[0];
  free(mine);
}`,
    ...x64,
  },
  {
    name: 'null-and-an-offset',
    finding: 'null',
    source: `struct Pair { int first, second; };
__global__ void seconds(int *x, int *y, int n)
{
  Pair *p = (Pair *)(x[threadIdx.x] == 63 ? nullptr : x);
  y[threadIdx.x] = p->second; // <- null
}`,
    ...x64,
  },
  {
    name: 'null-shared-pointer',
    finding: 'null',
    source: `__global__ void stage(int *x, int *y, int n)
{
  __shared__ int cache[64];
  int *to = n > 64 ? cache : nullptr;
  to[threadIdx.x] = x[threadIdx.x]; // <- null
  __syncthreads();
  y[threadIdx.x] = cache[63 - threadIdx.x];
}`,
    ...x64,
  },

  // Indices of arrays whose size the type says.
  {
    name: 'index-of-a-local-array-that-is-known',
    finding: 'out-of-bounds',
    source: `__global__ void fifth(int *x, int *y, int n)
{
  int v[4] = {x[0], x[1], x[2], x[3]};
  int k = 4;
  y[threadIdx.x] = v[k]; // <- out-of-bounds
}`,
    ...x64,
  },
  {
    name: 'index-of-a-table-of-constants',
    finding: 'out-of-bounds',
    source: `__constant__ float weights[5] = {1, 4, 6, 4, 1};
__global__ void blur(const int *x, int *y, int n)
{
  float sum = 0;
  for (int k = 0; k <= 5; k++)
    sum += weights[k] * x[(threadIdx.x + k) % n]; // <- out-of-bounds
  y[threadIdx.x] = sum / 16;
}`,
    ...x64,
  },
  {
    name: 'index-of-a-row-that-lands-in-the-next',
    finding: 'out-of-bounds',
    source: `__global__ void tiles(const int *x, int *y, int n)
{
  __shared__ int tile[8][8];
  int r = threadIdx.x / 8, c = threadIdx.x % 8;
  tile[r][c] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[r / 2][c + 1]; // <- out-of-bounds
}`,
    ...x64,
  },
  {
    name: 'negative-index-of-a-local-array',
    finding: 'out-of-bounds',
    source: `__global__ void previous(const int *x, int *y, int n)
{
  int window[3] = {x[0], x[1], x[2]};
  y[threadIdx.x] = window[threadIdx.x % 3 - 1]; // <- out-of-bounds
}`,
    ...x64,
    block: 63,
  },
  {
    name: 'pointer-past-a-local-array',
    finding: 'out-of-bounds',
    source: `__global__ void sum(const int *x, int *y, int n)
{
  int v[4] = {x[0], x[1], x[2], x[3]};
  int total = 0;
  for (const int *p = v; p <= v + 4; p++)
    total += *p; // <- out-of-bounds
  y[threadIdx.x] = total;
}`,
    ...x64,
  },
  {
    name: 'loop-one-too-far-over-a-member',
    finding: 'out-of-bounds',
    source: `struct Body { float position[3]; float mass; };
__global__ void norms(const Body *bodies, float *y)
{
  Body body = bodies[threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 4; k++)
    sum += body.position[k] * body.position[k]; // <- out-of-bounds
  y[threadIdx.x] = sum;
}`,
    memory: { bodies: new Float32Array(32), y: new Float32Array(8) },
    args: ['bodies', 'y'],
    block: 8,
  },
  {
    name: 'index-that-a-sum-overflows',
    finding: 'out-of-bounds',
    source: `__global__ void far(int *x, int *y, int n)
{
  int i = threadIdx.x + 2147483600;
  x[i] = 1; // <- out-of-bounds
}`,
    ...x64,
  },
  {
    name: 'histogram-bins-of-a-thread',
    finding: 'out-of-bounds',
    source: `__global__ void bins(const int *x, int *y, int n)
{
  int count[10] = {};
  for (int k = 0; k < n; k++)
    count[x[k] / 6]++; // <- out-of-bounds
  y[threadIdx.x] = count[threadIdx.x % 10];
}`,
    ...x64,
    block: 8,
  },
  {
    name: 'string-without-room-for-its-end',
    finding: 'out-of-bounds',
    source: `__global__ void letters(const int *x, char *y)
{
  char text[4];
  for (int k = 0; k < 4; k++) text[k] = 'a' + x[k];
  text[4] = 0; // <- out-of-bounds
  for (int k = 0; text[k]; k++) y[k] = text[k];
}`,
    memory: { x: ints(4), y: new Uint8Array(16) },
    args: ['x', 'y'],
    block: 1,
  },
  {
    name: 'cast-to-a-larger-struct',
    finding: 'out-of-bounds',
    source: `struct Small { int a; };
struct Large { int a, b, c; };
__global__ void widen(int *x, int *y, int n)
{
  Small small = {x[threadIdx.x]};
  Large *large = (Large *)&small;
  y[threadIdx.x] = large->c; // <- out-of-bounds
}`,
    ...x64,
  },

  // Shifts.
  {
    name: 'shift-by-the-width',
    finding: 'shift',
    source: `__global__ void masks(const int *x, int *y, int n)
{
  int bits = x[threadIdx.x];
  y[threadIdx.x] = (1 << bits) - 1; // <- shift
}`,
    ...x64,
  },
  {
    name: 'shift-by-a-negative-number',
    finding: 'shift',
    source: `__global__ void down(const int *x, int *y, int n)
{
  y[threadIdx.x] = 1024 >> (x[threadIdx.x] - 8); // <- shift
}`,
    ...x64,
    block: 32,
  },
  {
    name: 'shift-of-an-int-that-should-be-long',
    finding: 'shift',
    source: `__global__ void bit(const int *x, unsigned long long *y)
{
  y[threadIdx.x] = 1 << threadIdx.x; // <- shift
}`,
    memory: { x: ints(4), y: new BigUint64Array(64) },
    args: ['x', 'y'],
    block: 64,
  },
  {
    name: 'shift-in-a-hash',
    finding: 'shift',
    source: `__device__ unsigned rotate(unsigned v, int by) { return v << by | v >> (32 - by); } // <- shift
__global__ void hash(const int *x, int *y, int n)
{
  y[threadIdx.x] = rotate(x[threadIdx.x] * 2654435761u, threadIdx.x % 32);
}`,
    ...x64,
  },
  {
    name: 'shift-that-is-assigned',
    finding: 'shift',
    source: `__global__ void halve(const int *x, int *y, int n)
{
  long long v = x[threadIdx.x];
  v <<= 60 + threadIdx.x / 8; // <- shift
  y[threadIdx.x] = (int)(v >> 32);
}`,
    ...x64,
  },

  // Functions that end without the value that they promise.
  {
    name: 'missing-return',
    finding: 'missing-return',
    source: `__device__ int rank(int v)
{
  if (v < 10) return 1;
  if (v < 50) return 2; // <- missing-return
}
__global__ void ranks(const int *x, int *y, int n)
{
  y[threadIdx.x] = rank(x[threadIdx.x]);
}`,
    ...x64,
  },
  {
    name: 'missing-return-of-a-switch',
    finding: 'missing-return',
    source: `enum Kind { ADD, MUL };
__device__ int apply(Kind kind, int a, int b)
{
  switch (kind) {
    case ADD: return a + b;
    case MUL: return a * b;
  } // <- missing-return
}
__global__ void run(const int *x, int *y, int n)
{
  y[threadIdx.x] = apply((Kind)(x[threadIdx.x] % 3), 3, 4);
}`,
    ...x64,
  },
];
