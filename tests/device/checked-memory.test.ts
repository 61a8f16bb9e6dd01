import { expect, test } from '@jest/globals';
import { reclaim } from '../../src/core/handle.ts';
import * as xp from '../../src/cuda/array/index.ts';
import * as cuda from '../../src/cuda/index.ts';
import { checkedDevice } from '../../src/cuda/selection.ts';
import * as cl from '../../src/opencl/index.ts';
import { openclDevices } from '../helpers/opencl-devices.ts';
import { needs } from '../helpers/require.ts';
import { withoutReports } from '../helpers/without-reports.ts';

withoutReports();

/** The kinds of the reports of what is run. */
function kindsOf(context: cuda.Context | cl.Context, run: () => void): string[] {
  const known = context.reports.length;
  run();
  return context.reports.slice(known).map(({ kind }) => kind);
}

const BODY = 'x[at] = 1;';
const gpu = needs.cuda();
const isChecked = gpu.missing === undefined && checkedDevice() !== undefined;

(isChecked ? test : test.skip)('what a CUDA pool lends has its own end and its own life in the checked mode', () => {
  using context = new cuda.Context(new cuda.Device(0), { own: true, check: 'report' });
  using module = new cuda.SourceModule(`extern "C" __global__ void put(int *x, int at) { ${BODY} }`);
  using pool = new cuda.DeviceMemoryPool();
  const put = module.getFunction('put');
  const kindsAfter = (at: number, memory: cuda.DeviceMemory | cuda.DevicePointer): string[] => {
    return kindsOf(context, () => {
      put(memory, at, { block: 1, grid: 1 });
      context.synchronize();
    });
  };
  const memory = pool.allocate(20);
  expect([4, 5].map((at) => kindsAfter(at, memory))).toEqual([[], ['out-of-bounds']]);
  const { ptr } = memory;
  memory.free();
  expect(pool.statistics).toEqual({ heldBlocks: 0, heldBytes: 0, activeBlocks: 0, activeBytes: 0 });
  expect(kindsAfter(0, ptr)).toEqual(['use-after-free']);
});

const embedded = openclDevices.map(([, device]) => device).find(({ isEmbedded }) => isEmbedded);

(embedded ? test : test.skip)('what an OpenCL pool lends has its own end and its own life in the checked mode', () => {
  using context = new cl.Context([embedded as cl.Device], { check: 'report' });
  using queue = new cl.CommandQueue(context);
  using program = new cl.Program(context, `kernel void put(global int *x, int at) { ${BODY} }`).build();
  using put = new cl.Kernel(program, 'put');
  using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
  const memory = pool.allocate(20);
  const kinds = [4, 5].map((at) => {
    return kindsOf(context, () => {
      put(queue, [1], [1], memory, at);
      queue.finish();
    });
  });
  expect(kinds).toEqual([[], ['out-of-bounds']]);
  memory.release();
  expect([pool.heldBlocks, pool.activeBlocks, pool.managedBytes]).toEqual([0, 0, 0]);
});

(isChecked ? test : test.skip)('arrays that nobody closes are collected in the checked mode too', async () => {
  using context = new cuda.Context(new cuda.Device(0), { own: true, check: 'bounds' });
  const before = cuda.liveObjects()['NDArray'] ?? 0;
  const drop = (): void => {
    for (let i = 0; i < 20; i++) xp.ones([16]).add(1).mul(2);
  };
  drop();
  context.synchronize();
  await new Promise((resolve) => setTimeout(resolve, 10));
  reclaim();
  expect((cuda.liveObjects()['NDArray'] ?? 0) - before).toBeLessThan(10);
});
