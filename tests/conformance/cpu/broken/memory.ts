import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** Reads of device memory that nobody has written. */
export const brokenMemory: readonly BrokenKernel[] = [
  {
    name: 'uninitialised-half',
    finding: 'uninitialised',
    source: `__global__ void pairs(const int *x, int *half, int *y)
{
  int t = threadIdx.x;
  if (t % 2 == 0) half[t] = x[t];
  __syncthreads();
  y[t] = half[63 - t]; // <- uninitialised
}`,
    memory: { x: ints(64), half: 256, y: ints(64) },
    args: ['x', 'half', 'y'],
    block: 64,
  },
  {
    name: 'uninitialised-border',
    finding: 'uninitialised',
    source: `__global__ void blur(const float *x, float *padded, float *y)
{
  int t = threadIdx.x;
  padded[t + 1] = x[t];
  __syncthreads();
  y[t] = (padded[t] + padded[t + 1] + padded[t + 2]) / 3; // <- uninitialised
}`,
    memory: { x: new Float32Array(32), padded: 34 * 4, y: new Float32Array(32) },
    args: ['x', 'padded', 'y'],
    block: 32,
  },
  {
    name: 'uninitialised-member',
    finding: 'uninitialised',
    source: `struct Body { double position; float mass; int group; };
__global__ void weigh(const float *x, Body *bodies, float *y)
{
  Body *body = bodies + threadIdx.x;
  body->position = x[threadIdx.x];
  body->group = threadIdx.x;
  y[threadIdx.x] = 2 * body->mass; // <- uninitialised
}`,
    memory: { x: new Float32Array(16), bodies: 16 * 16, y: new Float32Array(16) },
    args: ['x', 'bodies', 'y'],
    block: 16,
  },
  {
    name: 'uninitialised-bins',
    finding: 'uninitialised',
    source: `__global__ void histogram(const unsigned char *x, unsigned *bins)
{
  atomicAdd(&bins[x[threadIdx.x] / 16], 1u); // <- uninitialised
}`,
    memory: { x: Uint8Array.from({ length: 32 }, (_, i) => i * 8), bins: 64 },
    args: ['x', 'bins'],
    block: 32,
  },
  {
    name: 'uninitialised-index-in-memory',
    finding: 'uninitialised',
    source: `__global__ void gather(const int *order, const int *x, int *y)
{
  int from = order[threadIdx.x]; // <- uninitialised
  y[threadIdx.x] = x[from & 63];
}`,
    memory: { order: 256, x: ints(64), y: ints(64) },
    args: ['order', 'x', 'y'],
    block: 64,
  },
];
