import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** Reads and writes of memory that is not there. */
export const brokenBounds: readonly BrokenKernel[] = [
  {
    name: 'write-one-past-the-end',
    finding: 'out-of-bounds',
    source: `__kernel void fill(__global int *x, int n)
{
  int i = get_global_id(0);
  if (i <= n)
    x[i] = 7; // <- out-of-bounds
}`,
    memory: { x: ints(100) },
    launches: [{ kernel: 'fill', args: ['x', 100], global: 128, local: 32 }],
  },
  {
    name: 'read-one-past-the-end',
    finding: 'out-of-bounds',
    source: `__kernel void differences(__global const int *x, __global int *y, int n)
{
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i + 1] - x[i]; // <- out-of-bounds
}`,
    memory: { x: ints(64), y: ints(64) },
    launches: [{ kernel: 'differences', args: ['x', 'y', 64], global: 64 }],
  },
  {
    name: 'read-before-the-start',
    finding: 'out-of-bounds',
    source: `float previous(__global const float *x, int i)
{
  return x[i - 1]; // <- out-of-bounds
}
__kernel void smooth(__global const float *x, __global float *y)
{
  int i = get_local_id(0);
  y[i] = 0.5f * (x[i] + previous(x, i));
}`,
    memory: { x: new Float32Array(32), y: new Float32Array(32) },
    launches: [{ kernel: 'smooth', args: ['x', 'y'], global: 32, local: 32 }],
  },
  {
    name: 'no-guard-at-all',
    finding: 'out-of-bounds',
    source: `__kernel void twice(__global double *x)
{
  int i = get_global_id(0);
  double v = x[i]; // <- out-of-bounds
  x[i] = 2 * v;
}`,
    memory: { x: new Float64Array(100) },
    launches: [{ kernel: 'twice', args: ['x'], global: 128, local: 64 }],
  },
  {
    name: 'smaller-last-group',
    finding: 'out-of-bounds',
    source: `__kernel void fill(__global int *x)
{
  int i = get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0);
  x[i] = i; // <- out-of-bounds
}`,
    memory: { x: ints(97) },
    launches: [{ kernel: 'fill', args: ['x'], global: 100, local: 32 }],
    options: '-cl-std=CL3.0',
  },
  {
    name: 'wild-index',
    finding: 'out-of-bounds',
    source: `__kernel void gather(__global const int *index, __global int *x)
{
  x[index[get_local_id(0)]] = 1; // <- out-of-bounds
}`,
    memory: { index: Int32Array.of(0, 1, 2, 500_000_000), x: ints(4) },
    launches: [{ kernel: 'gather', args: ['index', 'x'], global: 4, local: 4 }],
  },
  {
    name: 'bytes-for-elements',
    finding: 'out-of-bounds',
    source: `__kernel void count_up(__global int *x)
{
  x[get_global_id(0)] = get_global_id(0); // <- out-of-bounds
}`,
    memory: { x: new Uint8Array(64) },
    launches: [{ kernel: 'count_up', args: ['x'], global: 64 }],
  },
  {
    name: 'wrong-pitch',
    finding: 'out-of-bounds',
    source: `__kernel void transpose(__global const float *x, __global float *y, int rows, int columns)
{
  int r = get_local_id(1), c = get_local_id(0);
  if (r >= rows || c >= columns) return;
  float v = x[r * columns + c];
  y[c * columns + r] = v; // <- out-of-bounds
}`,
    memory: { x: new Float32Array(12 * 20), y: new Float32Array(12 * 20) },
    launches: [{ kernel: 'transpose', args: ['x', 'y', 12, 20], global: [20, 12], local: [20, 12] }],
  },
  {
    name: 'struct-member-overflow',
    finding: 'out-of-bounds',
    source: `typedef struct { int size; int members[3]; } Team;
__kernel void join(__global Team *teams, int id)
{
  __global Team *team = &teams[get_global_id(0)];
  for (int k = 0; k < 4; k++)
    team->members[k] = id + k; // <- out-of-bounds
}`,
    memory: { teams: ints(8) },
    launches: [{ kernel: 'join', args: ['teams', 5], global: 2 }],
  },
  {
    name: 'atomic-past-the-end',
    finding: 'out-of-bounds',
    source: `__kernel void histogram(__global const uchar *x, __global uint *bins)
{
  atomic_add(&bins[x[get_global_id(0)] / 16], 1u); // <- out-of-bounds
}`,
    memory: { x: Uint8Array.from({ length: 32 }, (_, i) => i * 8), bins: new Uint32Array(15) },
    launches: [{ kernel: 'histogram', args: ['x', 'bins'], global: 32 }],
  },
  {
    name: 'vector-past-the-end',
    finding: 'out-of-bounds',
    source: `__kernel void sums(__global const float4 *x, __global float *y)
{
  float4 v = x[get_global_id(0)]; // <- out-of-bounds
  y[get_global_id(0)] = v.x + v.y + v.z + v.w;
}`,
    memory: { x: new Float32Array(30), y: new Float32Array(8) },
    launches: [{ kernel: 'sums', args: ['x', 'y'], global: 8 }],
  },
  {
    name: 'vload-past-the-end',
    finding: 'out-of-bounds',
    source: `__kernel void sums(__global const float *x, __global float *y)
{
  float3 v = vload3(get_global_id(0), x); // <- out-of-bounds
  y[get_global_id(0)] = v.x + v.y + v.z;
}`,
    memory: { x: new Float32Array(23), y: new Float32Array(8) },
    launches: [{ kernel: 'sums', args: ['x', 'y'], global: 8 }],
  },
  {
    name: 'vstore-half-past-the-end',
    finding: 'out-of-bounds',
    source: `__kernel void pack(__global const float *x, __global half *y)
{
  vstore_half(x[get_global_id(0)], get_global_id(0), y); // <- out-of-bounds
}`,
    memory: { x: new Float32Array(8), y: new Uint8Array(14) },
    launches: [{ kernel: 'pack', args: ['x', 'y'], global: 8 }],
  },
  {
    name: 'async-copy-past-the-end',
    finding: 'out-of-bounds',
    source: `__kernel void load(__global const float *x, __global float *y)
{
  __local float tile[64];
  event_t done = async_work_group_copy(tile, x, 64, 0); // <- out-of-bounds
  wait_group_events(1, &done);
  y[get_local_id(0)] = tile[get_local_id(0)];
}`,
    memory: { x: new Float32Array(60), y: new Float32Array(64) },
    launches: [{ kernel: 'load', args: ['x', 'y'], global: 64, local: 64 }],
  },
  {
    name: 'static-local-overflow',
    finding: 'out-of-bounds',
    source: `__kernel void shift(__global int *x)
{
  __local int cache[64];
  int t = get_local_id(0);
  cache[t + 1] = x[t]; // <- out-of-bounds
  barrier(CLK_LOCAL_MEM_FENCE);
  x[t] = cache[t];
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'shift', args: ['x'], global: 64, local: 64 }],
  },
  {
    name: 'local-argument-overflow',
    finding: 'out-of-bounds',
    source: `__kernel void reverse(__global int *x, __local int *cache)
{
  int t = get_local_id(0), n = get_local_size(0);
  cache[t] = x[t]; // <- out-of-bounds
  barrier(CLK_LOCAL_MEM_FENCE);
  x[t] = cache[n - 1 - t];
}`,
    memory: { x: ints(64) },
    launches: [{ kernel: 'reverse', args: ['x', { local: 128 }], global: 64, local: 64 }],
  },
  {
    name: 'program-variable-overflow',
    finding: 'out-of-bounds',
    source: `__global int slots[4];
__kernel void put(__global int *out, int value)
{
  slots[get_local_id(0)] = value; // <- out-of-bounds
  barrier(CLK_GLOBAL_MEM_FENCE);
  *out = slots[0];
}`,
    memory: { out: ints(1) },
    launches: [{ kernel: 'put', args: ['out', 3], global: 8, local: 8 }],
    options: '-cl-std=CL3.0',
  },
  {
    name: 'constant-array-overflow',
    finding: 'out-of-bounds',
    source: `__constant float weights[4] = { 0.1f, 0.2f, 0.3f, 0.4f };
__kernel void weigh(__global float *x)
{
  x[get_global_id(0)] *= weights[get_global_id(0)]; // <- out-of-bounds
}`,
    memory: { x: new Float32Array(5) },
    launches: [{ kernel: 'weigh', args: ['x'], global: 5 }],
  },
  {
    name: 'private-array-overflow',
    finding: 'out-of-bounds',
    source: `__kernel void digits(__global const int *x, __global int *y)
{
  int found[4], n = 0;
  for (int v = x[get_global_id(0)]; v; v /= 10)
    found[n++] = v % 10; // <- out-of-bounds
  int sum = 0;
  for (int k = 0; k < n; k++) sum += found[k];
  y[get_global_id(0)] = sum;
}`,
    memory: { x: Int32Array.of(12, 3456, 78901), y: ints(3) },
    launches: [{ kernel: 'digits', args: ['x', 'y'], global: 3 }],
  },
  {
    name: 'use-after-free',
    finding: 'use-after-free',
    source: `__kernel void remember(__global int *x, __global ulong *place)
{
  *place = (ulong)x;
}
__kernel void touch(__global ulong *place)
{
  __global int *x = (__global int *)*place;
  x[get_global_id(0)] += 1; // <- use-after-free
}`,
    memory: { x: ints(32), place: BigUint64Array.of(0n) },
    launches: [
      { kernel: 'remember', args: ['x', 'place'], global: 1 },
      { kernel: 'touch', args: ['place'], global: 32 },
    ],
    freed: 'x',
  },
  {
    name: 'null-argument',
    finding: 'null',
    source: `__kernel void fill(__global int *x)
{
  x[get_global_id(0)] = 1; // <- null
}`,
    memory: {},
    launches: [{ kernel: 'fill', args: [null], global: 8 }],
  },
  {
    name: 'null-dereference',
    finding: 'null',
    source: `typedef struct Node { int value; __global struct Node *next; } Node;
__kernel void last(__global const Node *list, __global int *out)
{
  __global const Node *p = list;
  while (true) {
    int v = p->value; // <- null
    *out = v;
    p = p->next;
  }
}`,
    memory: { list: BigUint64Array.of(5n, 0n), out: ints(1) },
    launches: [{ kernel: 'last', args: ['list', 'out'], global: 1 }],
    options: '-cl-std=CL3.0',
  },
  {
    name: 'misaligned-read',
    finding: 'misaligned',
    source: `__kernel void read(__global const char *bytes, __global int *out)
{
  int i = get_global_id(0);
  out[i] = *(__global const int *)(bytes + 4 * i + 1); // <- misaligned
}`,
    memory: { bytes: new Uint8Array(64), out: ints(8) },
    launches: [{ kernel: 'read', args: ['bytes', 'out'], global: 8 }],
  },
  {
    name: 'misaligned-vector',
    finding: 'misaligned',
    source: `__kernel void copy(__global const float *x, __global float *y)
{
  float4 v = *(__global const float4 *)x;
  *(__global float4 *)(y + 2) = v; // <- misaligned
}`,
    memory: { x: new Float32Array(8), y: new Float32Array(8) },
    launches: [{ kernel: 'copy', args: ['x', 'y'], global: 1 }],
  },
  {
    name: 'uninitialised-read',
    finding: 'uninitialised',
    source: `__kernel void accumulate(__global const int *x, __global int *sums)
{
  int old = sums[get_global_id(0)]; // <- uninitialised
  sums[get_global_id(0)] = old + x[get_global_id(0)];
}`,
    memory: { x: ints(16), sums: 64 },
    launches: [{ kernel: 'accumulate', args: ['x', 'sums'], global: 16 }],
  },
];
