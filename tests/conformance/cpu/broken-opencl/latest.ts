import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** A kernel `run` of 64 work-items over x and y. */
function planted(name: string, finding: BrokenKernel['finding'], source: string, options?: string): BrokenKernel {
  const launches = [{ kernel: 'run', args: ['x', 'y'], global: 64, local: 64 }];
  const memory = { x: ints(64), y: ints(64) };
  return { name, finding, source, memory, launches, ...(options === undefined ? {} : { options }) };
}

/** The same, with memory `z` of 256 bytes that nobody has written. */
function unwritten(name: string, source: string): BrokenKernel {
  const launches = [{ kernel: 'run', args: ['x', 'y', 'z'], global: 64, local: 64 }];
  return { name, finding: 'uninitialised', source, memory: { x: ints(64), y: ints(64), z: 256 }, launches };
}

/** Mistakes of which the one work-item that is looked at last says nothing; memory that nobody has written. */
export const brokenLatest: readonly BrokenKernel[] = [
  planted(
    'race-of-the-first-value-and-atomics',
    'shared-race',
    `__kernel void run(__global int *x, __global int *y)
{
  __local int total;
  if (get_local_id(0) == 0) total = 0; // <- shared-race
  // the barrier is missing here
  atomic_add(&total, x[get_local_id(0)]); // <- shared-race
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_local_id(0)] = total;
}`,
  ),
  planted(
    'race-of-the-first-value-and-global-atomics',
    'global-race',
    `__kernel void run(__global int *x, __global int *y)
{
  if (get_local_id(0) == 0) y[5] = 0; // <- global-race
  atomic_add(&y[5], x[get_local_id(0)]); // <- global-race
}`,
  ),
  planted(
    'race-of-sub-groups-after-a-sub-group-barrier',
    'shared-race',
    `__kernel void run(__global int *x, __global int *y)
{
  __local int cache[64];
  int t = get_local_id(0);
  cache[t] = x[t]; // <- shared-race
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  int near = cache[t ^ 1];
  int far = cache[t ^ 33]; // <- shared-race
  y[t] = near + far;
}`,
    '-cl-std=CL3.0',
  ),
  planted(
    'race-of-a-sub-group-that-writes-too-early',
    'shared-race',
    `__kernel void run(__global int *x, __global int *y)
{
  __local int cache[64];
  int t = get_local_id(0);
  cache[t] = x[t];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  int right = cache[t ^ 3]; // <- shared-race
  cache[t] = right + 1; // <- shared-race
  barrier(CLK_LOCAL_MEM_FENCE);
  y[t] = cache[t];
}`,
    '-cl-std=CL3.0',
  ),
  planted(
    'race-in-a-scan',
    'shared-race',
    `__kernel void run(__global int *x, __global int *y)
{
  __local int sums[64];
  int t = get_local_id(0);
  sums[t] = x[t];
  for (int by = 1; by < 64; by *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int before = t >= by ? sums[t - by] : 0; // <- shared-race
    // the second barrier is missing here
    sums[t] += before; // <- shared-race
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  y[t] = sums[t];
}`,
  ),
  planted(
    'race-of-a-transposed-tile',
    'shared-race',
    `__kernel void run(__global int *x, __global int *y)
{
  __local int tile[8][9];
  int r = get_local_id(0) / 8, c = get_local_id(0) % 8;
  tile[r][c] = x[8 * r + c]; // <- shared-race
  y[8 * r + c] = tile[c][r]; // <- shared-race
}`,
  ),
  planted(
    'race-of-two-buffers-in-turn',
    'shared-race',
    `__kernel void run(__global int *x, __global int *y)
{
  __local int cache[2][64];
  int t = get_local_id(0);
  cache[0][t] = x[t];
  barrier(CLK_LOCAL_MEM_FENCE);
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
    `__kernel void run(__global int *x, __global int *y)
{
  int t = get_local_id(0);
  if (x[t] == 40) y[0] = 1; // <- global-race
  if (y[0] == 1) y[t] = 2; // <- global-race
}`,
  ),
  unwritten(
    'uninitialised-half',
    `__kernel void run(__global const int *x, __global int *y, __global int *z)
{
  int t = get_local_id(0);
  if (t % 2 == 0) z[t] = x[t];
  barrier(CLK_GLOBAL_MEM_FENCE);
  y[t] = z[63 - t]; // <- uninitialised
}`,
  ),
  unwritten(
    'uninitialised-bins',
    `__kernel void run(__global const int *x, __global int *y, __global int *z)
{
  atomic_inc(&z[x[get_local_id(0)] / 4]); // <- uninitialised
}`,
  ),
  unwritten(
    'uninitialised-member',
    `struct Body { double position; float mass; int group; };
__kernel void run(__global const int *x, __global int *y, __global struct Body *bodies)
{
  int t = get_local_id(0);
  if (t >= 16) return;
  bodies[t].position = x[t];
  bodies[t].group = t;
  y[t] = 2 * bodies[t].mass; // <- uninitialised
}`,
  ),
  planted(
    'uninitialised-case',
    'uninitialised',
    `__kernel void run(__global const int *x, __global int *y)
{
  int kind;
  int t = get_local_id(0);
  if (x[t] < 60) kind = x[t] % 3;
  switch (kind) { // <- uninitialised
    case 0: y[t] = 10; break;
    case 1: y[t] = 20; break;
    default: y[t] = 30;
  }
}`,
  ),
  planted(
    'misaligned-double',
    'misaligned',
    `__kernel void run(__global const int *x, __global int *y)
{
  __global double *d = (__global double *)(y + 1);
  d[0] = x[0]; // <- misaligned
}`,
  ),
  planted(
    'grid-stride-loop-one-too-far',
    'out-of-bounds',
    `__kernel void run(__global const int *x, __global int *y)
{
  for (int i = get_global_id(0); i <= 64; i += get_global_size(0))
    y[i] = 2 * x[63 - (i & 63)]; // <- out-of-bounds
}`,
  ),
];
