import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** Threads of one block that race on global memory. */
export const brokenInBlocks: readonly BrokenKernel[] = [
  {
    name: 'race-in-a-block-on-a-counter',
    finding: 'global-race',
    source: `__global__ void count(const int *x, int *counter)
{
  if (x[threadIdx.x] > 10)
    *counter += 1; // <- global-race
}`,
    memory: { x: ints(256), counter: ints(1) },
    args: ['x', 'counter'],
    block: 256,
  },
  {
    name: 'race-in-a-block-of-neighbours',
    finding: 'global-race',
    source: `__global__ void rotate(int *x)
{
  int t = threadIdx.x;
  x[t] = x[(t + 1) % 64]; // <- global-race
}`,
    memory: { x: ints(64) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'race-in-a-block-before-the-barrier',
    finding: 'global-race',
    source: `__global__ void steps(float *x)
{
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    float left = x[(t + 63) % 64]; // <- global-race
    x[t] = 0.5f * (left + x[t]); // <- global-race
    __syncthreads();
  }
}`,
    memory: { x: new Float32Array(64).fill(1).map((_, i) => i) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'race-in-a-block-of-warps',
    finding: 'global-race',
    source: `__global__ void across(int *x)
{
  int t = threadIdx.x;
  x[t] = t; // <- global-race
  __syncwarp();
  x[t + 64] = x[t ^ 32]; // <- global-race
}`,
    memory: { x: ints(128) },
    args: ['x'],
    block: 64,
  },
  {
    name: 'race-in-a-block-on-a-variable',
    finding: 'global-race',
    source: `__device__ int largest;
__global__ void most(const int *x, int *out)
{
  int mine = x[threadIdx.x];
  if (mine > largest) // <- global-race
    largest = mine; // <- global-race
  __syncthreads();
  if (threadIdx.x == 0) *out = largest;
}`,
    memory: { x: ints(64), out: ints(1) },
    args: ['x', 'out'],
    block: 64,
  },
  {
    name: 'race-in-a-block-of-atomic-and-plain',
    finding: 'global-race',
    source: `__global__ void mixed(int *sum)
{
  if (threadIdx.x == 5)
    *sum = 0; // <- global-race
  else
    atomicAdd(sum, 1); // <- global-race
}`,
    memory: { sum: ints(1) },
    args: ['sum'],
    block: 64,
  },
];
