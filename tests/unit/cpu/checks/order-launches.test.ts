import { describe, expect, test } from '@jest/globals';
import { runBuilt } from '../../../helpers/child.ts';
import { isFull } from '../../../helpers/full.ts';
import { needs } from '../../../helpers/require.ts';

// Each order is one of a process of its own: that is where a user sets it.
const SEEDS = isFull ? [1, 2, 3] : [1];

const PROGRAM = `
import * as cuda from 'rawkernel/cuda';
import * as cl from 'rawkernel/opencl';

const said = {};
const context = new cuda.Context(new cuda.Device(0));
const mod = new cuda.SourceModule(\`
#include <cooperative_groups.h>
__global__ void turned(int *x)
{
  __shared__ int cache[4][4][8];
  int i = threadIdx.x, j = threadIdx.y, k = threadIdx.z, t = (k * 4 + j) * 8 + i;
  cache[k][j][i] = x[t];
  __syncthreads();
  x[t] = cache[3 - k][3 - j][7 - i];
}
__global__ void missing(int *x)
{
  __shared__ int cache[4][4][8];
  int i = threadIdx.x, j = threadIdx.y, k = threadIdx.z, t = (k * 4 + j) * 8 + i;
  cache[k][j][i] = x[t];
  x[t] = t == 0 ? 0 : ((int *)cache)[t - 1];
}
__global__ void turns(int *x) { x[atomicAdd(&x[128], 1)] = (threadIdx.z * 4 + threadIdx.y) * 8 + threadIdx.x; }
__global__ void rounds(int *x)
{
  auto grid = cooperative_groups::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int k = 0; k < 3; k++) {
    int next = x[(i + 1) % n];
    grid.sync();
    x[i] = next + 1;
    grid.sync();
  }
}
__global__ void lonely(int *x) { x[atomicAdd(&x[128], 1)] = blockIdx.x; cooperative_groups::this_grid().sync(); }\`);
const start = () => Int32Array.from({ length: 129 }, (_, i) => (i < 128 ? i : 0));
const cudaRun = (kernel, options) => {
  const x = start();
  mod.getFunction(kernel)(cuda.InOut(x), options);
  return [...x.slice(0, 128)];
};
const cube = { block: [8, 4, 4] };
for (const kernel of ['turned', 'missing', 'turns']) said[kernel] = cudaRun(kernel, cube);
said.rounds = cudaRun('rounds', { block: 32, grid: 4, cooperative: true });
said.lonely = cudaRun('lonely', { block: 1, grid: 4, cooperative: true }).slice(0, 4);

const platform = cl.getPlatforms().find(({ name }) => /rawkernel|embedded/i.test(name));
const ctx = new cl.Context(platform.getDevices());
const queue = new cl.CommandQueue(ctx);
const program = new cl.Program(ctx, \`
__kernel void turnedGroup(__global int *x)
{
  __local int cache[128];
  int t = (get_local_id(2) * 4 + get_local_id(1)) * 8 + get_local_id(0);
  cache[t] = x[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[t] = cache[127 - t];
}
__kernel void missingGroup(__global int *x)
{
  __local int cache[128];
  int t = (get_local_id(2) * 4 + get_local_id(1)) * 8 + get_local_id(0);
  cache[t] = x[t];
  x[t] = t == 0 ? 0 : cache[t - 1];
}
__kernel void groups(__global int *x)
{
  if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) x[atomic_inc(&x[128])] = get_group_id(0);
}\`).build();
for (const [kernel, global] of [['turnedGroup', [8, 4, 4]], ['missingGroup', [8, 4, 4]], ['groups', [8 * 128, 4, 4]]]) {
  const x = start();
  const buffer = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR, x);
  program.kernel(kernel)(queue, global, [8, 4, 4], buffer);
  cl.enqueueCopy(queue, x, buffer);
  said[kernel] = [...x.slice(0, 128)];
  buffer.close();
}
for (const object of [program, queue, ctx, mod, context]) object.close();
console.log(JSON.stringify(said));
`;

const up = Array.from({ length: 128 }, (_, i) => i);
const back = up.map((i) => 127 - i);
const moved = up.map((i) => Math.max(0, i - 1));
const sorted = (list: readonly number[] | undefined): number[] | undefined => list?.toSorted((a, b) => a - b);

async function inOrder(order: string): Promise<Readonly<Record<string, number[]>>> {
  const { code, stdout, stderr } = await runBuilt(PROGRAM, {
    ...{ RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_WORKERS: '2' },
    ...(order === '' ? {} : { RAWKERNEL_CPU_ORDER: order }),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, number[]>;
}

describe('a drawn order', () => {
  test.each(SEEDS)(
    'of blocks of three dimensions, of blocks that wait for each other and in OpenCL, seed %d',
    async (seed) => {
      const said = await inOrder(`random:${seed}`);
      // What is right stays right.
      expect(said['turned']).toEqual(back);
      expect(said['turnedGroup']).toEqual(back);
      expect(said['rounds']).toEqual(up.map((i) => ((i + 3) % 128) + 3));
      // What lacks a barrier is right in the order of the threads' numbers only.
      expect(said['missing']).not.toEqual(moved);
      expect(said['missingGroup']).not.toEqual(moved);
      // Everyone has a turn, in another order.
      expect(said['turns']).not.toEqual(up);
      expect(sorted(said['turns'])).toEqual(up);
      expect(said['groups']).not.toEqual(up);
      expect(sorted(said['groups'])).toEqual(up);
      expect(sorted(said['lonely'])).toEqual([0, 1, 2, 3]);
    },
    300_000,
  );

  needs.full().test(
    'is not there without the variable',
    async () => {
      const said = await inOrder('');
      expect(said['missing']).toEqual(moved);
      expect(said['missingGroup']).toEqual(moved);
      expect(said['turns']).toEqual(up);
    },
    300_000,
  );
});
