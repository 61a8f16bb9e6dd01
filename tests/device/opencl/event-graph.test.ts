import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { lacks, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { turns } from '../../helpers/until.ts';

const mf = cl.MemFlags;
const { COMPLETE, RUNNING, SUBMITTED, QUEUED } = cl.CommandExecutionStatus;
const OUT_OF_ORDER = 1;
const SOURCE = `
__kernel void set(__global int *a, int x) { a[get_global_id(0)] = x; }
__kernel void add(__global int *to, __global const int *a, __global const int *b)
{ int i = get_global_id(0); to[i] = a[i] + b[i]; }
__kernel void scale(__global int *to, __global const int *from, int by)
{ int i = get_global_id(0); to[i] = from[i] * by; }`;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let prg: cl.Program<typeof SOURCE>;
  const inOrder = (): boolean =>
    lacks(device, 'out-of-order queues', (device.queueOnHostProperties & OUT_OF_ORDER) !== 0);

  beforeAll(() => {
    ctx = new cl.Context(device);
    prg = new cl.Program(ctx, SOURCE).build();
  });
  afterAll(() => {
    prg.close();
    ctx.close();
  });

  const buffer = (): cl.Buffer => new cl.Buffer(ctx, mf.READ_WRITE, 4 * 256);

  test('An out-of-order queue runs a diamond of events, again and again', () => {
    if (inOrder()) return;
    using queue = new cl.CommandQueue(ctx, { outOfOrder: true });
    const { set, add, scale } = prg.kernels;
    const result = new Int32Array(256);
    using a = buffer();
    using left = buffer();
    using right = buffer();
    using sum = buffer();
    let last: cl.Event | undefined;
    for (let i = 1; i <= 20; i++) {
      const top = set(queue, 256, null, a, i, { waitFor: last ? [last] : [] });
      const one = scale(queue, 256, null, left, a, 2, { waitFor: [top] });
      const two = scale(queue, 256, null, right, a, 3, { waitFor: [top] });
      const bottom = add(queue, 256, null, sum, left, right, { waitFor: [one, two] });
      last = cl.enqueueCopy(queue, result, sum, { blocking: false, waitFor: [bottom] });
      last.wait();
      expect(result.every((value) => value === 5 * i)).toBe(true);
    }
  });

  test('Events order commands of two queues, both ways', () => {
    using one = new cl.CommandQueue(ctx);
    using two = new cl.CommandQueue(ctx);
    const { set, scale } = prg.kernels;
    using a = buffer();
    using b = buffer();
    let event = set(one, 256, null, a, 1);
    for (let i = 0; i < 10; i++) {
      const forth = scale(two, 256, null, b, a, 2, { waitFor: [event] });
      event = scale(one, 256, null, a, b, 1, { waitFor: [forth] });
    }
    const result = new Int32Array(256);
    cl.enqueueCopy(one, result, a);
    expect(result.every((value) => value === 1024)).toBe(true);
  });

  test('enqueueMarker and enqueueBarrier take wait lists, and none', () => {
    using queue = new cl.CommandQueue(ctx);
    const marker = cl.enqueueMarker(queue);
    const barrier = cl.enqueueBarrier(queue);
    const events = [
      cl.enqueueMarker(queue, { waitFor: [marker] }),
      cl.enqueueBarrier(queue, { waitFor: [marker, barrier] }),
    ];
    cl.waitForEvents(events);
    expect([marker, barrier, ...events].map(({ status }) => status)).toEqual([COMPLETE, COMPLETE, COMPLETE, COMPLETE]);
  });

  test('Event.reached resolves at its status, and rejects where the command failed', async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    using queue = new cl.CommandQueue(ctx);
    using go = new cl.UserEvent(ctx);
    using a = buffer();
    const event = prg.kernels.set(queue, 256, null, a, 1, { waitFor: [go] });
    expect(await event.reached(QUEUED)).toBeGreaterThan(COMPLETE);
    let ended = false;
    const complete = event.reached(COMPLETE).then((status) => {
      ended = true;
      return status;
    });
    await turns(20);
    expect([ended, go.status]).toEqual([false, SUBMITTED]);
    go.setStatus(COMPLETE);
    expect(await complete).toBe(COMPLETE);
    expect(await event.reached(RUNNING)).toBe(COMPLETE);
    for (const status of [-1, 4, 0.5, NaN]) await expect(event.reached(status)).rejects.toThrow(RangeError);
    using bad = new cl.UserEvent(ctx);
    const failed = cl.enqueueMarker(queue, { waitFor: [bad] }).reached(RUNNING);
    bad.setStatus(-5);
    await expect(failed).rejects.toThrow(cl.OpenCLRuntimeError);
  });

  test('A chain of user events holds a graph back until each is set', async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    using queue = new cl.CommandQueue(ctx);
    using a = buffer();
    using first = new cl.UserEvent(ctx);
    using second = new cl.UserEvent(ctx);
    const one = prg.kernels.set(queue, 256, null, a, 1, { waitFor: [first] });
    const two = prg.kernels.set(queue, 256, null, a, 2, { waitFor: [one, second] });
    first.setStatus(COMPLETE);
    await one.done();
    expect([one.isDone, two.isDone]).toEqual([true, false]);
    second.setStatus(COMPLETE);
    await two.done();
    const result = new Int32Array(256);
    cl.enqueueCopy(queue, result, a);
    expect(result[255]).toBe(2);
  });
});
