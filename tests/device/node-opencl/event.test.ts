import { expect, test } from '@jest/globals';
import * as cl from '../../../src/node-opencl/index.ts';
import { build, withBench } from '../../helpers/node-opencl.ts';
import { openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

type Told = [userData: unknown, status: number, event: cl.CLEvent];

/** The arguments of a callback, once it is called. */
function told(event: cl.CLEvent, status: number, userData?: unknown): Promise<Told> {
  return new Promise((resolve) => {
    cl.setEventCallback(event, status, (...args) => resolve(args), userData);
  });
}

needs.opencl().describe.each(openclRows)('node-opencl: events on %s', (_, device) => {
  const bench = withBench(device, true);
  const marker = (): cl.CLEvent => {
    const event = cl.enqueueMarkerWithWaitList(bench.queue, [], true);
    if (event === 0) throw new Error('an event was wanted');
    return event;
  };

  test('a user event', () => {
    const event = cl.createUserEvent(bench.context);
    expect(cl.getEventInfo(event, cl.EVENT_COMMAND_EXECUTION_STATUS)).toBe(cl.SUBMITTED);
    expect(cl.getEventInfo(event, cl.EVENT_COMMAND_TYPE)).toBe(cl.COMMAND_USER);
    expect(String(cl.getEventInfo(event, cl.EVENT_COMMAND_QUEUE))).toBe('[object CLCommandQueue@0x0]');
    expect((cl.getEventInfo(event, cl.EVENT_CONTEXT) as cl.CLContext).equals(bench.context)).toBe(true);
    expect(cl.setUserEventStatus(event, cl.COMPLETE)).toBe(cl.SUCCESS);
    expect(cl.getEventInfo(event, cl.EVENT_COMMAND_EXECUTION_STATUS)).toBe(cl.COMPLETE);
    expect(() => cl.setUserEventStatus(event, cl.COMPLETE)).toThrow(cl.INVALID_OPERATION.message);
    expect(cl.retainEvent(event)).toBe(cl.SUCCESS);
    expect(cl.getEventInfo(event, cl.EVENT_REFERENCE_COUNT)).toEqual(expect.any(Number));
    cl.releaseEvent(event);
    cl.releaseEvent(event);
  });

  test('a callback is called after a finish that blocked: nothing hangs', async () => {
    const data = { mine: 1 };
    for (let i = 0; i < 20; i++) {
      const event = marker();
      let called = false;
      const promise = told(event, cl.COMPLETE, data).then((args) => {
        called = true;
        return args;
      });
      cl.finish(bench.queue);
      expect(called).toBe(false);
      const [userData, status, own] = await promise;
      expect([userData, status]).toEqual([data, cl.COMPLETE]);
      expect(own.equals(event)).toBe(true);
      cl.releaseEvent(own);
      cl.releaseEvent(event);
    }
  });

  test('a callback is called although its event was released', async () => {
    const event = cl.createUserEvent(bench.context);
    const promise = told(event, cl.COMPLETE);
    cl.setUserEventStatus(event, cl.COMPLETE);
    cl.releaseEvent(event);
    const [, status, own] = await promise;
    expect(status).toBe(cl.COMPLETE);
    expect(cl.getEventInfo(own, cl.EVENT_COMMAND_TYPE)).toBe(cl.COMMAND_USER);
    cl.releaseEvent(own);
  });

  test('a callback tells of a failure, and of earlier stages', async () => {
    const failed = cl.createUserEvent(bench.context);
    const submitted = told(failed, cl.SUBMITTED);
    expect((await submitted)[1]).toBe(cl.SUBMITTED);
    const complete = told(failed, cl.COMPLETE);
    cl.setUserEventStatus(failed, -7);
    expect((await complete)[1]).toBe(-7);
    cl.releaseEvent(failed);
  });

  test('callbacks are functions, of stages that there are', () => {
    const event = marker();
    const set = (status: unknown, callback: unknown): unknown =>
      cl.setEventCallback(event, status as number, callback as () => void);
    expect(() => set(cl.COMPLETE, 5)).toThrow(cl.INVALID_VALUE.message);
    expect(() => set(cl.QUEUED, () => 0)).toThrow(cl.INVALID_VALUE.message);
    expect(() => set(-1, () => 0)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.setEventCallback(null as never, 0, () => 0)).toThrow(cl.INVALID_EVENT.message);
    cl.releaseEvent(event);
  });

  test('a user event that is released ends with -1, also for the callback that waits for it', async () => {
    if (!runsBesideHost(device)) return;
    const event = cl.createUserEvent(bench.context);
    const called = told(event, cl.COMPLETE);
    cl.releaseEvent(event);
    const [, status, own] = await called;
    expect(status).toBe(-1);
    cl.releaseEvent(own);
  });

  test('commands wait for events', async () => {
    if (!runsBesideHost(device)) return;
    const go = cl.createUserEvent(bench.context);
    const array = new Int32Array(1);
    const buffer = cl.createBuffer(bench.context, cl.MEM_COPY_HOST_PTR, 4, Int32Array.of(9));
    const event = cl.enqueueReadBuffer(bench.queue, buffer, false, 0, 4, array, [go], true);
    if (event === 0) throw new Error('an event was wanted');
    cl.flush(bench.queue);
    expect(cl.getEventInfo(event, cl.EVENT_COMMAND_EXECUTION_STATUS)).not.toBe(cl.COMPLETE);
    expect(array[0]).toBe(0);
    cl.setUserEventStatus(go, cl.COMPLETE);
    await told(event, cl.COMPLETE);
    expect(array[0]).toBe(9);
    for (const one of [go, event]) cl.releaseEvent(one);
    cl.releaseMemObject(buffer);
  });

  test('times are pairs of the high and the low half', () => {
    const kernel = build(bench, '__kernel void none(void) {}', 'none');
    const event = cl.enqueueTask(bench.queue, kernel, null, true);
    if (event === 0) throw new Error('an event was wanted');
    cl.finish(bench.queue);
    const [start, end] = [cl.PROFILING_COMMAND_START, cl.PROFILING_COMMAND_END].map((name) => {
      const [high, low] = cl.getEventProfilingInfo(event, name) as cl.Pair;
      return BigInt(high) * 2n ** 32n + BigInt(low);
    });
    expect(end).toBeGreaterThanOrEqual(start ?? 0n);
    expect(() => cl.getEventProfilingInfo(event, 5)).toThrow(cl.INVALID_VALUE.message);
    cl.releaseEvent(event);
    cl.releaseKernel(kernel);
  });

  test('markers and barriers of both generations', () => {
    const event = marker();
    expect(cl.enqueueBarrierWithWaitList(bench.queue, [event])).toBe(cl.SUCCESS);
    expect(() => cl.enqueueMarkerWithWaitList(...([bench.queue] as never as [cl.CLCommandQueue]))).toThrow(
      new TypeError('Expected 2 arguments'),
    );
    expect(String(cl.enqueueMarker(bench.queue, true))).toMatch('CLEvent');
    expect(cl.enqueueMarker(bench.queue)).toBe(cl.SUCCESS);
    expect(cl.enqueueBarrier(bench.queue)).toBe(cl.SUCCESS);
    expect(cl.enqueueWaitForEvents(bench.queue, [event])).toBe(cl.SUCCESS);
    expect(() => cl.enqueueWaitForEvents(bench.queue, [])).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.waitForEvents([])).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.waitForEvents([null as never])).toThrow(cl.INVALID_EVENT.message);
    cl.finish(bench.queue);
    cl.releaseEvent(event);
  });
});
