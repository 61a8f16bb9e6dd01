import { describe, expect, test } from '@jest/globals';
import * as cl from '../../../../src/opencl/index.ts';
import { withCpuOpenCL } from '../../../helpers/cpu-opencl.ts';
import { until } from '../../../helpers/until.ts';

// Kernels that wait for the host: what is not run beside them does not end before the time limit.
const embedded = withCpuOpenCL({ timeoutMs: 20_000 });

/** A kernel that runs until it is opened. */
function hold(queue: cl.CommandQueue): { readonly runs: () => boolean; readonly open: () => void } & Disposable {
  const flags = cl.fsvmEmpty(embedded.ctx, 2, 'i32');
  flags.array.fill(0);
  embedded.prg.kernel('hold')(queue, 1, null, flags);
  const open = (): void => {
    flags.array[1] = 1;
  };
  return {
    runs: () => flags.array[0] === 1,
    open,
    [Symbol.dispose]: () => {
      open();
      queue.finish();
      flags[Symbol.dispose]();
    },
  };
}

const zeros = (): cl.Buffer =>
  new cl.Buffer(embedded.ctx, cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR, new Int32Array(4));
const add = (queue: cl.CommandQueue, buffer: cl.Buffer, n: number, waitFor: readonly cl.Event[] = []): cl.Event =>
  embedded.prg.kernel('add')(queue, 4, null, buffer, n, { waitFor });
const contentOf = (queue: cl.CommandQueue, buffer: cl.Buffer): number[] => {
  const content = new Int32Array(4);
  cl.enqueueCopy(queue, content, buffer);
  return [...content];
};

describe('commands side by side', () => {
  test('queues do not wait for each other', async () => {
    using one = new cl.CommandQueue(embedded.ctx);
    using two = new cl.CommandQueue(embedded.ctx, { profiling: true });
    using buffer = zeros();
    using gate = hold(one);
    const behind = add(one, buffer, 10);
    add(two, buffer, 1);
    expect(contentOf(two, buffer)).toEqual([1, 1, 1, 1]);
    await until('the kernel runs', gate.runs);
    expect(behind.status).toBe(cl.CommandExecutionStatus.SUBMITTED);
    gate.open();
    one.finish();
    expect(contentOf(one, buffer)).toEqual([11, 11, 11, 11]);
  });

  test('commands of an out-of-order queue wait for their wait lists alone', () => {
    using queue = new cl.CommandQueue(embedded.ctx, { outOfOrder: true });
    using buffer = zeros();
    using gate = hold(queue);
    const first = add(queue, buffer, 1);
    const second = add(queue, buffer, 2, [first]);
    second.wait();
    expect([first.status, second.status]).toEqual([0, 0]);
    const barrier = cl.enqueueBarrier(queue);
    const third = add(queue, buffer, 4);
    using other = new cl.CommandQueue(embedded.ctx);
    expect(contentOf(other, buffer)).toEqual([3, 3, 3, 3]);
    expect([barrier.status, third.status].every((status) => status > 0)).toBe(true);
    gate.open();
    third.wait();
    expect(contentOf(other, buffer)).toEqual([7, 7, 7, 7]);
  });

  test('a command waits for those of several queues', () => {
    using one = new cl.CommandQueue(embedded.ctx);
    using two = new cl.CommandQueue(embedded.ctx);
    using third = new cl.CommandQueue(embedded.ctx);
    using buffer = zeros();
    using gate = hold(one);
    const [a, b] = [add(one, buffer, 1), add(two, buffer, 2)];
    const marker = cl.enqueueMarker(third, { waitFor: [a, b] });
    const c = add(third, buffer, 4);
    b.wait();
    expect([a.status, marker.status, c.status].every((status) => status > 0)).toBe(true);
    gate.open();
    c.wait();
    expect(marker.status).toBe(0);
    expect(contentOf(third, buffer)).toEqual([7, 7, 7, 7]);
  });
});
