import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** A kernel `run` of 64 work-items over x and y. */
function planted(name: string, finding: BrokenKernel['finding'], source: string): BrokenKernel {
  const launches = [{ kernel: 'run', args: ['x', 'y'], global: 64, local: 64 }];
  return { name, finding, source, memory: { x: ints(64), y: ints(64) }, launches };
}

/** What C leaves undefined, so that an optimiser takes it not to happen, and the mistake with it. */
export const brokenUndefined: readonly BrokenKernel[] = [
  planted(
    'null-on-one-arm-of-a-conditional',
    'null',
    `__kernel void run(__global int *x, __global int *y)
{
  int i = get_local_id(0);
  __global int *p = x[i] < 40 ? y + i : (__global int *)0;
  *p = i; // <- null
}`,
  ),
  planted(
    'null-from-a-search-that-fails',
    'null',
    `__global const int *find(__global const int *x, int value)
{
  for (int k = 0; k < 64; k++)
    if (x[k] == value) return x + k;
  return 0;
}
__kernel void run(__global const int *x, __global int *y)
{
  y[get_local_id(0)] = *find(x, 2 * get_local_id(0)) + 1; // <- null
}`,
  ),
  planted(
    'null-local-pointer',
    'null',
    `__kernel void run(__global const int *x, __global int *y)
{
  __local int cache[64];
  __local int *to = x[0] > 0 ? cache : (__local int *)0;
  to[get_local_id(0)] = x[get_local_id(0)]; // <- null
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_local_id(0)] = cache[0];
}`,
  ),
  planted(
    'index-of-a-private-array-that-is-known',
    'out-of-bounds',
    `__kernel void run(__global const int *x, __global int *y)
{
  int v[4] = {x[0], x[1], x[2], x[3]};
  int k = 4;
  y[get_local_id(0)] = v[k]; // <- out-of-bounds
}`,
  ),
  planted(
    'index-of-a-table-of-constants',
    'out-of-bounds',
    `__constant float weights[5] = {1, 4, 6, 4, 1};
__kernel void run(__global const int *x, __global int *y)
{
  float sum = 0;
  for (int k = 0; k <= 5; k++)
    sum += weights[k] * x[k]; // <- out-of-bounds
  y[get_local_id(0)] = (int)sum;
}`,
  ),
  planted(
    'index-of-a-row-that-lands-in-the-next',
    'out-of-bounds',
    `__kernel void run(__global const int *x, __global int *y)
{
  __local int tile[8][8];
  int r = get_local_id(0) / 8, c = get_local_id(0) % 8;
  tile[r][c] = x[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_local_id(0)] = tile[r / 2][c + 1]; // <- out-of-bounds
}`,
  ),
  planted(
    'uninitialised-sum',
    'uninitialised',
    `__kernel void run(__global const int *x, __global int *y)
{
  int sum;
  for (int k = 0; k < 4; k++) sum += x[k];
  y[get_local_id(0)] = sum; // <- uninitialised
}`,
  ),
  planted(
    'uninitialised-branch',
    'uninitialised',
    `__kernel void run(__global const int *x, __global int *y)
{
  int sign;
  if (x[get_local_id(0)] > 32) sign = 1;
  if (sign) // <- uninitialised
    y[get_local_id(0)] = 1;
}`,
  ),
  planted(
    'uninitialised-index',
    'uninitialised',
    `__kernel void run(__global const int *x, __global int *y)
{
  int at;
  if (x[get_local_id(0)] % 2) at = get_local_id(0);
  y[at & 63] = 1; // <- uninitialised
}`,
  ),
  planted(
    'uninitialised-least-of-floats',
    'uninitialised',
    `__kernel void run(__global const int *x, __global int *y)
{
  float least;
  for (int k = 0; k < 64; k++) least = fmin(least, (float)x[k]);
  y[get_local_id(0)] = (int)least; // <- uninitialised
}`,
  ),
];
