import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** Work-items that do not wait for each other, or wait for ever. */
export const brokenOrder: readonly BrokenKernel[] = [
  {
    name: 'race-write-then-read',
    finding: 'shared-race',
    source: `__kernel void rotate_left(__global int *x)
{
  __local int cache[64];
  int t = get_local_id(0);
  cache[t] = x[t]; // <- shared-race
  // the barrier is missing here
  x[t] = cache[(t + 1) % 64]; // <- shared-race
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'rotate_left', args: ['x'], global: 64, local: 64 }],
  },
  {
    name: 'race-in-a-local-argument',
    finding: 'shared-race',
    source: `__kernel void rotate_left(__global int *x, __local int *cache)
{
  int t = get_local_id(0);
  cache[t] = x[t]; // <- shared-race
  x[t] = cache[(t + 1) % 64]; // <- shared-race
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'rotate_left', args: ['x', { local: 256 }], global: 64, local: 64 }],
  },
  {
    name: 'race-read-then-write',
    finding: 'shared-race',
    source: `__kernel void shift(__global int *x)
{
  __local int cache[65];
  int t = get_local_id(0);
  cache[t] = x[t];
  if (t == 0) cache[64] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int right = cache[t + 1]; // <- shared-race
  cache[t] = right; // <- shared-race
  barrier(CLK_LOCAL_MEM_FENCE);
  x[t] = cache[t];
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'shift', args: ['x'], global: 64, local: 64 }],
  },
  {
    name: 'race-write-then-write',
    finding: 'shared-race',
    source: `__kernel void last_one_wins(__global int *x, __global int *out)
{
  __local int winner;
  if (x[get_local_id(0)] > 10)
    winner = get_local_id(0); // <- shared-race
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) *out = winner;
}`,
    memory: { x: ints(64), out: ints(1) },
    launches: [{ kernel: 'last_one_wins', args: ['x', 'out'], global: 64, local: 64 }],
  },
  {
    name: 'race-in-a-reduction',
    finding: 'shared-race',
    source: `__kernel void reduce(__global const float *x, __global float *out)
{
  __local float cache[128];
  int t = get_local_id(0);
  cache[t] = x[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int part = 64; part > 0; part /= 2)
    if (t < part) cache[t] += cache[t + part]; // <- shared-race
  if (t == 0) *out = cache[0];
}`,
    memory: { x: new Float32Array(128), out: new Float32Array(1) },
    launches: [{ kernel: 'reduce', args: ['x', 'out'], global: 128, local: 128 }],
  },
  {
    name: 'race-of-tiles',
    finding: 'shared-race',
    source: `__kernel void multiply(__global const float *a, __global const float *b, __global float *c, int n)
{
  __local float as[8][8], bs[8][8];
  int x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += 8) {
    as[y][x] = a[y * n + t + x]; // <- shared-race?
    bs[y][x] = b[(t + y) * 8 + x]; // <- shared-race?
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
      sum += as[y][k] * bs[k][x]; // <- shared-race
    // the barrier before the next tile is missing
  }
  c[y * 8 + x] = sum;
}`,
    memory: { a: new Float32Array(128), b: new Float32Array(128), c: new Float32Array(64) },
    launches: [{ kernel: 'multiply', args: ['a', 'b', 'c', 16], global: [8, 8], local: [8, 8] }],
  },
  {
    name: 'race-of-sub-groups-without-barrier',
    finding: 'shared-race',
    source: `__kernel void reduce(__global const int *x, __global int *out)
{
  __local volatile int cache[64];
  int t = get_local_id(0);
  cache[t] = x[t];
  barrier(CLK_LOCAL_MEM_FENCE);
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
    launches: [{ kernel: 'reduce', args: ['x', 'out'], global: 64, local: 64 }],
  },
  {
    name: 'race-of-atomic-and-plain',
    finding: 'shared-race',
    source: `__kernel void count(__global const int *x, __global int *out)
{
  __local int total;
  if (get_local_id(0) == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&total, x[get_local_id(0)]); // <- shared-race
  out[get_local_id(0)] = total; // <- shared-race
}`,
    memory: { x: ints(64), out: ints(64) },
    launches: [{ kernel: 'count', args: ['x', 'out'], global: 64, local: 64 }],
  },
  {
    name: 'race-with-an-async-copy',
    finding: 'shared-race',
    source: `__kernel void load(__global const int *x, __global int *y)
{
  __local int tile[64];
  int t = get_local_id(0);
  tile[63 - t] = t; // <- shared-race
  event_t done = async_work_group_copy(tile, x, 64, 0); // <- shared-race
  wait_group_events(1, &done);
  y[t] = tile[63 - t];
}`,
    memory: { x: ints(64), y: ints(64) },
    launches: [{ kernel: 'load', args: ['x', 'y'], global: 64, local: 64 }],
  },
  {
    name: 'race-between-groups-of-writes',
    finding: 'global-race',
    source: `__kernel void total(__global const int *x, __global int *sum)
{
  if (get_local_id(0) == 0)
    *sum += x[get_group_id(0)]; // <- global-race
}`,
    memory: { x: ints(8), sum: ints(1) },
    launches: [{ kernel: 'total', args: ['x', 'sum'], global: 256, local: 32 }],
  },
  {
    name: 'race-between-groups-of-neighbours',
    finding: 'global-race',
    source: `__kernel void smooth(__global float *x, int n)
{
  int i = get_global_id(0);
  if (i == 0 || i >= n - 1) return;
  float around = x[i - 1] + x[i + 1]; // <- global-race
  x[i] = 0.5f * around; // <- global-race
}`,
    memory: { x: new Float32Array(128) },
    launches: [{ kernel: 'smooth', args: ['x', 128], global: 128, local: 32 }],
  },
  {
    name: 'race-in-a-group-on-a-counter',
    finding: 'global-race',
    source: `__kernel void count(__global const int *x, __global int *counter)
{
  if (x[get_local_id(0)] > 10)
    *counter += 1; // <- global-race
}`,
    memory: { x: ints(256), counter: ints(1) },
    launches: [{ kernel: 'count', args: ['x', 'counter'], global: 256, local: 256 }],
  },
  {
    name: 'race-in-a-group-of-neighbours',
    finding: 'global-race',
    source: `__kernel void rotate_left(__global int *x)
{
  int t = get_local_id(0);
  x[t] = x[(t + 1) % 64]; // <- global-race
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'rotate_left', args: ['x'], global: 64, local: 64 }],
  },
  {
    name: 'race-in-a-group-of-sub-groups',
    finding: 'global-race',
    source: `__kernel void across(__global int *x)
{
  int t = get_local_id(0);
  x[t] = t; // <- global-race
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  x[t + 64] = x[t ^ 32]; // <- global-race
}`,
    memory: { x: ints(128) },
    launches: [{ kernel: 'across', args: ['x'], global: 64, local: 64 }],
    options: '-cl-std=CL3.0',
  },
  {
    name: 'divergent-barriers',
    finding: 'divergent-barrier',
    source: `__kernel void halves(__global int *x)
{
  __local int cache[64];
  int t = get_local_id(0);
  cache[t] = x[t];
  if (t < 20) {
    barrier(CLK_LOCAL_MEM_FENCE); // <- divergent-barrier
    x[t] = cache[t + 1];
  } else {
    x[t] = -cache[t];
    barrier(CLK_LOCAL_MEM_FENCE); // <- divergent-barrier
  }
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'halves', args: ['x'], global: 64, local: 64 }],
  },
  {
    name: 'barrier-in-a-divergent-loop',
    finding: 'divergent-barrier',
    source: `void rest()
{
  barrier(CLK_GLOBAL_MEM_FENCE); // <- divergent-barrier?
}
__kernel void rounds(__global int *x)
{
  int t = get_local_id(0);
  for (int k = 0; k < t % 4; k++) {
    x[t] += k;
    rest(); // <- divergent-barrier
  }
  x[t] = -x[t];
  barrier(CLK_GLOBAL_MEM_FENCE); // <- divergent-barrier
  x[t] += 1;
}`,
    memory: { x: ints(32) },
    launches: [{ kernel: 'rounds', args: ['x'], global: 32, local: 32 }],
  },
  {
    name: 'some-leave-a-loop-early',
    finding: 'divergent-barrier',
    source: `__kernel void search(__global const int *x, int wanted, __global int *found)
{
  __local int place;
  int t = get_local_id(0);
  if (t == 0) place = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; k++) {
    if (x[4 * t + k] == wanted) {
      place = 4 * t + k;
      break;
    }
    barrier(CLK_LOCAL_MEM_FENCE); // <- divergent-barrier
  }
  barrier(CLK_LOCAL_MEM_FENCE); // <- divergent-barrier
  if (t == 0) *found = place;
}`,
    memory: { x: ints(128), found: ints(1) },
    launches: [{ kernel: 'search', args: ['x', 50, 'found'], global: 32, local: 32 }],
  },
  {
    name: 'barrier-in-a-switch-by-item',
    finding: 'divergent-barrier',
    source: `__kernel void jobs(__global int *x)
{
  int t = get_local_id(0);
  switch (t % 3) {
  case 0:
    x[t] = 0;
    barrier(CLK_GLOBAL_MEM_FENCE); // <- divergent-barrier
    break;
  case 1:
    x[t] = 10;
    barrier(CLK_GLOBAL_MEM_FENCE); // <- divergent-barrier
    break;
  default:
    x[t] = 20;
  }
  x[t] += 1;
}`,
    memory: { x: ints(48) },
    launches: [{ kernel: 'jobs', args: ['x'], global: 48, local: 48 }],
  },
  {
    name: 'collective-in-divergent-code',
    finding: 'divergent-barrier',
    source: `__kernel void sums(__global int *x)
{
  int t = get_local_id(0), v = x[t];
  if (t < 16)
    v = work_group_reduce_add(v); // <- divergent-barrier
  else
    barrier(CLK_LOCAL_MEM_FENCE); // <- divergent-barrier
  x[t] = v;
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'sums', args: ['x'], global: 64, local: 64 }],
    options: '-cl-std=CL3.0',
  },
  {
    name: 'some-return-before-the-barrier',
    finding: 'divergent-barrier',
    source: `__kernel void rotate_left(__global int *x, int n)
{
  __local int cache[64];
  int t = get_local_id(0);
  if (t >= n) return;
  cache[t] = x[t];
  barrier(CLK_LOCAL_MEM_FENCE); // <- divergent-barrier
  x[t] = cache[(t + 1) % n];
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'rotate_left', args: ['x', 50], global: 64, local: 64 }],
  },
  {
    name: 'barrier-that-some-go-around',
    finding: 'divergent-barrier',
    source: `__kernel void halve(__global int *x)
{
  __local int cache[32];
  int t = get_local_id(0);
  if (t < 32) {
    cache[t] = x[t];
    barrier(CLK_LOCAL_MEM_FENCE); // <- divergent-barrier
  }
  x[t + 64] = x[t] / 2;
  if (t < 32) x[t] = cache[31 - t];
}`,
    memory: { x: ints(128) },
    launches: [{ kernel: 'halve', args: ['x'], global: 64, local: 64 }],
  },
  {
    name: 'sub-group-barrier-in-divergent-code',
    finding: 'warp-deadlock',
    source: `#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void halves(__global int *x)
{
  int t = get_local_id(0);
  if (t < 16)
    sub_group_barrier(CLK_LOCAL_MEM_FENCE); // <- warp-deadlock
  else
    barrier(CLK_LOCAL_MEM_FENCE); // <- warp-deadlock?
  x[t] += 1;
  if (t < 16)
    barrier(CLK_LOCAL_MEM_FENCE);
}`,
    memory: { x: ints(32) },
    launches: [{ kernel: 'halves', args: ['x'], global: 32, local: 32 }],
    options: '-cl-std=CL3.0',
  },
  {
    name: 'sub-group-reduction-in-divergent-code',
    finding: 'warp-deadlock',
    source: `#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void sums(__global int *x)
{
  int t = get_local_id(0), v = x[t];
  if (t % 2 == 0)
    v = sub_group_reduce_add(v); // <- warp-deadlock
  barrier(CLK_LOCAL_MEM_FENCE); // <- warp-deadlock?
  x[t] = v;
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'sums', args: ['x'], global: 64, local: 64 }],
    options: '-cl-std=CL3.0',
  },
];
