import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';

let fake: FakeOpenCL;
let ctx: cl.Context;
let queue: cl.CommandQueue;

beforeEach(() => {
  fake = fakeOpenCL();
  useOpenCL(fake.table);
  ctx = cl.createSomeContext();
  queue = new cl.CommandQueue(ctx);
});
afterEach(() => {
  ctx.close();
  fake.eventStatus = 0;
  sweepFlights();
  useOpenCL(undefined);
});

const queues = (): number | undefined => fake.live.get('queue');

describe('A queue that is closed behind open user events', () => {
  test.each([
    ['setStatus', (go: cl.UserEvent) => go.setStatus(0)],
    ['a failure', (go: cl.UserEvent) => go.setStatus(-5)],
    ['close', (go: cl.UserEvent) => go.close()],
  ])('is released after %s: a driver may wait in the release', (_, end) => {
    using first = new cl.UserEvent(ctx);
    using second = new cl.UserEvent(ctx);
    fake.eventStatus = 1;
    cl.enqueueMarker(queue, { waitFor: [first] });
    cl.enqueueMarker(queue, { waitFor: [second] });
    queue.close();
    expect(fake.calls).toContain('clFlush');
    expect(fake.calls).not.toContain('clReleaseCommandQueue');
    end(first);
    expect(queues()).toBe(1);
    end(second);
    expect(queues()).toBe(0);
  });

  test('is released at once where nothing is open', () => {
    using go = new cl.UserEvent(ctx);
    fake.eventStatus = 1;
    cl.enqueueMarker(queue, { waitFor: [go] });
    go.setStatus(0);
    queue.close();
    expect(queues()).toBe(0);
  });

  test('nothing that blocks is tried', () => {
    using go = new cl.UserEvent(ctx);
    using buffer = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
    fake.eventStatus = 1;
    const marker = cl.enqueueMarker(queue, { waitFor: [go] });
    const calls = fake.calls.length;
    const blocking = [
      () => queue.finish(),
      () => marker.wait(),
      () => cl.waitForEvents([marker]),
      () => go.wait(),
      () => cl.enqueueCopy(queue, new Uint8Array(64), buffer),
      () => cl.enqueueMapBuffer(queue, buffer, cl.MapFlags.READ),
    ];
    for (const call of blocking) expect(call).toThrow('would never return');
    const waits = ['clFinish', 'clWaitForEvents', 'clEnqueueReadBuffer', 'clEnqueueMapBuffer'];
    expect(fake.calls.slice(calls).filter((name) => waits.includes(name))).toEqual([]);
    go.setStatus(0);
    queue.close();
  });
});
