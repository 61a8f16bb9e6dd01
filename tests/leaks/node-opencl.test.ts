import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import * as cl from '../../src/node-opencl/index.ts';
import { build, withBench, type Bench } from '../helpers/node-opencl.ts';
import { openclRows } from '../helpers/opencl-devices.ts';
import { needs } from '../helpers/require.ts';
import { turns, until, untilCollected } from '../helpers/until.ts';

const COUNT = 50;
// A compiler runs for each.
const SLOW: Readonly<Record<string, number>> = { 'CLKernel and its argument': 3 };
const SOURCE = '__kernel void set(__global int *a) { a[get_global_id(0)] = 1; }';

/** Each makes something and gives the call that releases it. */
const makers: Readonly<Record<string, (bench: Bench) => () => unknown>> = {
  CLMem: ({ context }) => {
    const buffer = cl.createBuffer(context, 0, 64);
    return () => cl.releaseMemObject(buffer);
  },
  'CLMem over an array': ({ context }) => {
    const buffer = cl.createBuffer(context, cl.MEM_USE_HOST_PTR, 64, new Uint8Array(64));
    return () => cl.releaseMemObject(buffer);
  },
  CLCommandQueue: ({ context, device }) => {
    const queue = cl.createCommandQueue(context, device, 0);
    return () => cl.releaseCommandQueue(queue);
  },
  CLProgram: ({ context }) => {
    const program = cl.createProgramWithSource(context, SOURCE);
    return () => cl.releaseProgram(program);
  },
  CLEvent: ({ queue }) => {
    const event = cl.enqueueMarker(queue, true) as cl.CLEvent;
    return () => cl.releaseEvent(event);
  },
  'CLContext of a query': ({ queue }) => {
    const context = cl.getCommandQueueInfo(queue, cl.QUEUE_CONTEXT) as cl.CLContext;
    return () => cl.releaseContext(context);
  },
  'CLMem that was retained': ({ context }) => {
    const buffer = cl.createBuffer(context, 0, 64);
    cl.retainMemObject(buffer);
    return () => [cl.releaseMemObject(buffer), cl.releaseMemObject(buffer)];
  },
  'CLKernel and its argument': (bench) => {
    const kernel = build(bench, SOURCE, 'set');
    const buffer = cl.createBuffer(bench.context, 0, 64);
    cl.setKernelArg(kernel, 0, 'int*', buffer);
    cl.releaseMemObject(buffer);
    return () => cl.releaseKernel(kernel);
  },
  mapping: ({ context, queue }) => {
    const buffer = cl.createBuffer(context, 0, 64);
    const mapped = cl.enqueueMapBuffer(queue, buffer, true, cl.MAP_READ, 0, 64);
    return () => [cl.enqueueUnmapMemObject(queue, buffer, mapped), cl.releaseMemObject(buffer)];
  },
};

needs.opencl().describe.each(openclRows)('node-opencl leaves nothing: %s', (_, device) => {
  const bench = withBench(device);
  const counts = (): readonly unknown[] => [
    cl.getContextInfo(bench.context, cl.CONTEXT_REFERENCE_COUNT),
    cl.getCommandQueueInfo(bench.queue, cl.QUEUE_REFERENCE_COUNT),
  ];

  // PoCL's thread may drop the references of a command a moment after clFinish() has returned.
  const untilCounted = (before: readonly unknown[]): Promise<void> =>
    until('the driver has dropped its references', () => isDeepStrictEqual(counts(), before));

  test.each(Object.keys(makers))('of %s that is released', async (name) => {
    cl.finish(bench.queue);
    const [live, before] = [liveObjects(), counts()];
    for (let i = 0; i < (SLOW[name] ?? COUNT); i++) makers[name]?.(bench)();
    cl.finish(bench.queue);
    expect(liveObjects()).toEqual(live);
    await untilCounted(before);
  });

  test.each(Object.keys(makers))('of %s that is dropped', async (name) => {
    cl.finish(bench.queue);
    const [live, before] = [liveObjects(), counts()];
    for (let i = 0; i < (SLOW[name] ?? COUNT); i++) makers[name]?.(bench);
    cl.finish(bench.queue);
    await turns();
    cl.releaseAll();
    await untilCollected('what was dropped is gone', () => isDeepStrictEqual(liveObjects(), live));
    // What is mapped holds the context in the driver too, until it is unmapped.
    if (name !== 'mapping') await untilCounted(before);
  });
});
