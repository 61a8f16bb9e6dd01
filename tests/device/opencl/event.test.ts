import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { lacks, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { turns } from '../../helpers/until.ts';

const mf = cl.MemFlags;
const { COMPLETE } = cl.CommandExecutionStatus;
const OUT_OF_ORDER = 1;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;

  beforeAll(() => {
    ctx = new cl.Context(device);
  });
  afterAll(() => {
    ctx.close();
  });

  test('Event.wait ends with the command, and the outcome stays', () => {
    using queue = new cl.CommandQueue(ctx);
    const event = cl.enqueueMarker(queue);
    event.wait();
    expect([event.status, event.isDone]).toEqual([COMPLETE, true]);
    event.wait();
  });

  test('An event keeps its type, queue and context after its end', () => {
    using queue = new cl.CommandQueue(ctx);
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 64);
    const event = cl.enqueueFill(queue, a, 0);
    event.wait();
    const { FILL_BUFFER, USER } = cl.CommandType;
    expect(event.getInfo('COMMAND_TYPE')).toBe(FILL_BUFFER);
    expect(event.getInfo(cl.EventInfo.COMMAND_TYPE[0], 'uint')).toBe(FILL_BUFFER);
    expect([event.getInfo('COMMAND_QUEUE'), event.getInfo('CONTEXT')]).toEqual([queue.handle, ctx.handle]);
    expect(event.getInfo('COMMAND_EXECUTION_STATUS')).toBe(COMPLETE);
    expect(() => event.getInfo('REFERENCE_COUNT')).toThrow('the command has ended');
    using user = new cl.UserEvent(ctx);
    user.setStatus(COMPLETE);
    expect([user.getInfo('COMMAND_TYPE'), user.getInfo('CONTEXT')]).toEqual([USER, ctx.handle]);
  });

  test('Event.profile tells the stages in order', () => {
    using queue = new cl.CommandQueue(ctx, { profiling: true });
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 1 << 16);
    const event = cl.enqueueFill(queue, a, 0);
    event.wait();
    const { queued, submit, start, end } = event.profile;
    expect(queued <= submit && submit <= start && start <= end).toBe(true);
    expect(event.duration).toBe(end - start);
  });

  test('Event.profile names the missing condition', () => {
    using queue = new cl.CommandQueue(ctx);
    const event = cl.enqueueMarker(queue);
    event.wait();
    expect(() => event.profile).toThrow('{ profiling: true }');
    using profiled = new cl.CommandQueue(ctx, { profiling: true });
    using go = new cl.UserEvent(ctx);
    const waiting = cl.enqueueMarker(profiled, { waitFor: [go] });
    expect(() => waiting.profile).toThrow(expect.objectContaining({ code: 'CL_PROFILING_INFO_NOT_AVAILABLE' }));
    go.setStatus(COMPLETE);
    waiting.wait();
  });

  test('Event.done resolves, and rejects where the command failed', async () => {
    using queue = new cl.CommandQueue(ctx);
    await cl.enqueueMarker(queue).done();
    using go = new cl.UserEvent(ctx);
    const done = go.done();
    go.setStatus(-5);
    await expect(done).rejects.toThrow('CL_OUT_OF_RESOURCES');
  });

  test('Event.close lets the command go on', () => {
    using queue = new cl.CommandQueue(ctx);
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    const event = cl.enqueueFill(queue, a, cl.int32(3));
    event.close();
    expect(() => event.wait()).toThrow(cl.ClosedError);
    expect(() => event.status).toThrow(cl.ClosedError);
    expect(() => cl.enqueueMarker(queue, { waitFor: [event] })).toThrow(cl.ClosedError);
    const result = new Int32Array(1);
    cl.enqueueCopy(queue, result, a);
    expect(result[0]).toBe(3);
  });

  test('UserEvent holds commands back until it is set', async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    using queue = new cl.CommandQueue(ctx);
    using go = new cl.UserEvent(ctx);
    const event = cl.enqueueMarker(queue, { waitFor: [go] });
    queue.flush();
    await turns(20);
    expect([event.isDone, go.isSet]).toEqual([false, false]);
    go.setStatus(COMPLETE);
    event.wait();
    expect(event.isDone).toBe(true);
    expect(() => go.setStatus(COMPLETE)).toThrow(expect.objectContaining({ code: 'CL_INVALID_OPERATION' }));
  });

  test('Waiting for an unset UserEvent is refused where it would hang', async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    using queue = new cl.CommandQueue(ctx);
    using go = new cl.UserEvent(ctx);
    expect(() => go.wait()).toThrow('would never return');
    const event = cl.enqueueMarker(queue, { waitFor: [go] });
    const later = cl.enqueueMarker(queue);
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    const waits = [
      () => event.wait(),
      () => later.wait(),
      () => queue.finish(),
      () => cl.enqueueCopy(queue, a, Int32Array.of(1)),
      () => cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ).close(),
    ];
    for (const wait of waits) expect(wait).toThrow('would never return');
    const done = queue.done();
    go.setStatus(COMPLETE);
    await done;
    for (const wait of waits) wait();
  });

  test('A failed UserEvent fails what waits for it', () => {
    using queue = new cl.CommandQueue(ctx);
    using go = new cl.UserEvent(ctx);
    const event = cl.enqueueMarker(queue, { waitFor: [go] });
    go.setStatus(-1);
    expect(() => event.wait()).toThrow(
      expect.objectContaining({ code: 'CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST' }),
    );
    expect(event.status).toBeLessThan(0);
    expect(() => cl.enqueueMarker(queue, { waitFor: [event] })).toThrow(cl.OpenCLRuntimeError);
  });

  test('UserEvent.close ends an event that was never set', () => {
    using queue = new cl.CommandQueue(ctx);
    const go = new cl.UserEvent(ctx);
    const event = cl.enqueueMarker(queue, { waitFor: [go] });
    go.close();
    expect(() => event.wait()).toThrow(cl.OpenCLRuntimeError);
  });

  test('waitForEvents waits for events of several queues', () => {
    using one = new cl.CommandQueue(ctx);
    using two = new cl.CommandQueue(ctx);
    const events = [cl.enqueueMarker(one), cl.enqueueMarker(two)];
    cl.waitForEvents(events);
    expect(events.every((event) => event.isDone)).toBe(true);
    cl.waitForEvents([]);
  });

  test('A wait list orders commands of two queues without a flush by hand', () => {
    using one = new cl.CommandQueue(ctx);
    using two = new cl.CommandQueue(ctx);
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 1 << 20);
    const filled = cl.enqueueFill(one, a, cl.int32(4));
    const result = new Int32Array(1 << 18);
    cl.enqueueCopy(two, result, a, { waitFor: [filled] });
    expect(result.every((value) => value === 4)).toBe(true);
  });

  test('An out-of-order queue keeps to the wait lists', () => {
    if (lacks(device, 'out-of-order queues', (device.queueOnHostProperties & OUT_OF_ORDER) !== 0)) return;
    using queue = new cl.CommandQueue(ctx, { outOfOrder: true });
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4096);
    using prg = new cl.Program(ctx, '__kernel void inc(__global int *a) { a[get_global_id(0)] += 1; }').build();
    let last = cl.enqueueFill(queue, a, 0);
    for (let i = 0; i < 50; i++) last = prg.kernels.inc(queue, 1024, null, a, { waitFor: [last] });
    const barrier = cl.enqueueBarrier(queue, { waitFor: [last] });
    const result = new Int32Array(1024);
    cl.enqueueCopy(queue, result, a, { waitFor: [barrier] });
    expect(result.every((value) => value === 50)).toBe(true);
    queue.finish();
  });

  test('A wait in an out-of-order queue that holds a command back never hangs: drivers may run it in order', () => {
    if (lacks(device, 'out-of-order queues', (device.queueOnHostProperties & OUT_OF_ORDER) !== 0)) return;
    using queue = new cl.CommandQueue(ctx, { outOfOrder: true });
    using go = new cl.UserEvent(ctx);
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    cl.enqueueMarker(queue, { waitFor: [go] });
    const filled = cl.enqueueFill(queue, a, cl.int32(1));
    expect(() => queue.finish()).toThrow('would never return');
    const outcome = ((): string => {
      try {
        filled.wait();
        return 'has ended';
      } catch (error) {
        return String(error);
      }
    })();
    expect(outcome).toMatch(/has ended|would never return/);
    go.setStatus(COMPLETE);
    filled.wait();
    queue.finish();
  });

  test('CommandQueue.done resolves, and await using waits', async () => {
    let event: cl.Event;
    {
      await using queue = new cl.CommandQueue(ctx);
      event = cl.enqueueMarker(queue);
      await queue.done();
      expect(event.isDone).toBe(true);
      event = cl.enqueueMarker(queue);
    }
    expect(event.isDone).toBe(true);
  });

  test('Event outlives its queue', async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    const queue = new cl.CommandQueue(ctx);
    using go = new cl.UserEvent(ctx);
    const event = cl.enqueueMarker(queue, { waitFor: [go] });
    queue.close();
    go.setStatus(COMPLETE);
    await event.done();
    expect(event.status).toBe(COMPLETE);
  });
});
