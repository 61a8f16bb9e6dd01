import koffi from 'koffi';
import { describe, expect, test } from '@jest/globals';
import { Code } from '../../../../src/cpu/opencl/code.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { CommandType, EventInfo, MemFlags, ProfilingInfo } from '../../../../src/opencl/sys/enums.ts';
import { make, raw, withCpuOpenCL } from '../../../helpers/cpu-opencl.ts';
import { until } from '../../../helpers/until.ts';

// Without a time limit: a kernel may wait for the host, however slow that is.
const embedded = withCpuOpenCL({ timeoutMs: 0 });
const { table } = embedded;
const { COMPLETE, RUNNING, SUBMITTED, QUEUED } = cl.CommandExecutionStatus;
const MILLISECOND = 1_000_000;

const zeros = (count: number): cl.Buffer =>
  new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR, new Int32Array(count));
const contentOf = (buffer: cl.Buffer, queue = embedded.queue): number[] => {
  const content = new Int32Array(buffer.byteLength / 4);
  cl.enqueueCopy(queue, content, buffer);
  return [...content];
};
const add = (queue: cl.CommandQueue, buffer: cl.Buffer, n: number, waitFor: readonly cl.Event[] = []): cl.Event =>
  embedded.prg.kernel('add')(queue, buffer.byteLength / 4, null, buffer, n, { waitFor });
const spin = (queue: cl.CommandQueue, time: number): cl.Event => embedded.prg.kernel('spin')(queue, 1, null, time);

/** Enqueue a marker by hand: its event. */
function marker(queue: cl.CommandQueue, ...waits: bigint[]): never {
  const slot = new BigUint64Array(1);
  const list = waits.length === 0 ? 0n : BigUint64Array.from(waits);
  expect(table.clEnqueueMarkerWithWaitList(raw(queue), waits.length, list, slot)).toBe(Code.SUCCESS);
  return slot[0] as never;
}

function statusOf(event: bigint): number {
  const slot = new Int32Array(1);
  expect(table.clGetEventInfo(event as never, EventInfo.COMMAND_EXECUTION_STATUS[0], 4, slot, 0n)).toBe(Code.SUCCESS);
  return slot[0] ?? NaN;
}

describe('commands', () => {
  test('go through their stages', async () => {
    using queue = new cl.CommandQueue(embedded.ctx);
    using go = new cl.UserEvent(embedded.ctx);
    const held = cl.enqueueMarker(queue, { waitFor: [go] });
    expect(held.status).toBe(QUEUED);
    go.setStatus(COMPLETE);
    expect(held.status).toBe(COMPLETE);
    using flags = cl.fsvmEmpty(embedded.ctx, 2, 'i32');
    flags.array.fill(0);
    const running = embedded.prg.kernel('hold')(queue, 1, null, flags);
    const behind = spin(queue, 0);
    await until('the kernel runs', () => flags.array[0] === 1);
    expect([running.status, behind.status]).toEqual([RUNNING, SUBMITTED]);
    flags.array[1] = 1;
    queue.finish();
    expect([running.status, behind.status]).toEqual([COMPLETE, COMPLETE]);
  });

  test('that wait for a user event delay no other command', async () => {
    using one = new cl.CommandQueue(embedded.ctx);
    using two = new cl.CommandQueue(embedded.ctx);
    using out = new cl.CommandQueue(embedded.ctx, { outOfOrder: true });
    using go = new cl.UserEvent(embedded.ctx);
    using a = zeros(4);
    using b = zeros(4);
    add(one, a, 1, [go]);
    add(out, a, 10, [go]);
    add(two, b, 1);
    await add(out, b, 10).done();
    expect(contentOf(b, two)).toEqual([11, 11, 11, 11]);
    expect(contentOf(a, two)).toEqual([0, 0, 0, 0]);
    go.setStatus(COMPLETE);
    one.finish();
    out.finish();
    expect(contentOf(a, two)).toEqual([11, 11, 11, 11]);
  });

  test('take the arguments that were set when they were enqueued', () => {
    using queue = new cl.CommandQueue(embedded.ctx);
    using go = new cl.UserEvent(embedded.ctx);
    using a = zeros(2);
    add(queue, a, 1, [go]);
    add(queue, a, 20);
    const pattern = Int32Array.of(500);
    cl.enqueueFill(queue, a, pattern, { byteLength: 4 });
    pattern[0] = 7;
    add(queue, a, 300);
    go.setStatus(COMPLETE);
    expect(contentOf(a, queue)).toEqual([800, 321]);
  });

  test('keep their objects alive until they run', () => {
    using queue = new cl.CommandQueue(embedded.ctx);
    using go = new cl.UserEvent(embedded.ctx);
    using b = zeros(4);
    const a = zeros(4);
    add(queue, a, 5, [go]);
    cl.enqueueCopy(queue, b, a);
    a.close();
    // A later allocation must not get its memory.
    using c = zeros(4);
    go.setStatus(COMPLETE);
    expect(contentOf(b, queue)).toEqual([5, 5, 5, 5]);
    expect(contentOf(c, queue)).toEqual([0, 0, 0, 0]);
  });

  test('of many queues in a row end in order, however long the row', () => {
    using queue = new cl.CommandQueue(embedded.ctx);
    using go = new cl.UserEvent(embedded.ctx);
    using a = zeros(1);
    const host = new Int32Array(1);
    let last: cl.Event = go;
    for (let i = 0; i < 5000; i++) {
      last =
        i % 2 === 0 ? add(queue, a, 1, [last]) : cl.enqueueCopy(queue, host, a, { blocking: false, waitFor: [last] });
    }
    go.setStatus(COMPLETE);
    queue.finish();
    expect(host[0]).toBe(2500);
  });

  test('of an out-of-order queue: markers and barriers wait for earlier commands', () => {
    using queue = new cl.CommandQueue(embedded.ctx, { outOfOrder: true });
    using go = new cl.UserEvent(embedded.ctx);
    using a = zeros(4);
    add(queue, a, 1, [go]);
    const mark = cl.enqueueMarker(queue);
    const free = cl.enqueueFill(queue, a, cl.int32(100));
    free.wait();
    const barrier = cl.enqueueBarrier(queue);
    const after = add(queue, a, 1000);
    expect([mark.status, barrier.status, after.status]).toEqual([QUEUED, QUEUED, QUEUED]);
    go.setStatus(COMPLETE);
    after.wait();
    expect([mark.isDone, barrier.isDone]).toEqual([true, true]);
    expect(contentOf(a)).toEqual([1101, 1101, 1101, 1101]);
  });

  test('that the host performs make progress without calls', async () => {
    using queue = new cl.CommandQueue(embedded.ctx);
    using go = new cl.UserEvent(embedded.ctx);
    using a = zeros(4);
    cl.enqueueBarrier(queue, { waitFor: [go] });
    spin(queue, 30 * MILLISECOND);
    add(queue, a, 3);
    const host = new Int32Array(4);
    const status = table.clEnqueueReadBuffer(raw(queue), raw(a), 0, 0, 16, host, 0, 0n, 0n);
    expect([status, host[0]]).toEqual([Code.SUCCESS, 0]);
    go.setStatus(COMPLETE);
    await until('the array is written', () => host[0] !== 0);
    expect([...host]).toEqual([3, 3, 3, 3]);
  });

  test('refuse an invalid wait list, and events of another context', () => {
    const q = raw(embedded.queue);
    using other = new cl.Context(embedded.device);
    using foreign = new cl.UserEvent(other);
    const slot = new BigUint64Array(1);
    const enqueue = (count: number, list: bigint | BigUint64Array): number =>
      table.clEnqueueMarkerWithWaitList(q, count, list, slot);
    expect(enqueue(1, 0n)).toBe(Code.INVALID_EVENT_WAIT_LIST);
    expect(enqueue(0, BigUint64Array.of(1n))).toBe(Code.INVALID_EVENT_WAIT_LIST);
    expect(enqueue(1, BigUint64Array.of(1n))).toBe(Code.INVALID_EVENT_WAIT_LIST);
    expect(enqueue(1, BigUint64Array.of(foreign.pending('test') ?? 0n))).toBe(Code.INVALID_CONTEXT);
    expect(table.clEnqueueWaitForEvents(q, 1, BigUint64Array.of(1n))).toBe(Code.INVALID_EVENT);
    expect(table.clEnqueueMarker(q, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clWaitForEvents(0, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clWaitForEvents(1, BigUint64Array.of(1n))).toBe(Code.INVALID_EVENT);
    foreign.setStatus(COMPLETE);
  });

  test('that nothing can start do not let the thread sleep for ever', () => {
    using queue = new cl.CommandQueue(embedded.ctx);
    const { handle: go } = make((errcode) => table.clCreateUserEvent(raw(embedded.ctx), errcode));
    const event = marker(queue, go);
    expect(table.clWaitForEvents(1, BigUint64Array.of(event))).toBe(Code.INVALID_OPERATION);
    expect(table.clFinish(raw(queue))).toBe(Code.INVALID_OPERATION);
    expect(table.clSetUserEventStatus(go, COMPLETE)).toBe(Code.SUCCESS);
    expect(table.clFinish(raw(queue))).toBe(Code.SUCCESS);
    for (const one of [event, go]) expect(table.clReleaseEvent(one)).toBe(Code.SUCCESS);
    expect(table.clReleaseEvent(go)).toBe(Code.INVALID_EVENT);
  });
});

describe('events', () => {
  test('answer queries', () => {
    const event = marker(embedded.queue);
    const ask = ([number]: readonly [number, string]): bigint => {
      const value = new BigUint64Array(1);
      expect(table.clGetEventInfo(event, number, 8, value, 0n)).toBe(Code.SUCCESS);
      return value[0] ?? 0n;
    };
    expect(ask(EventInfo.COMMAND_QUEUE)).toBe(raw(embedded.queue));
    expect(ask(EventInfo.CONTEXT)).toBe(raw(embedded.ctx));
    expect(ask(EventInfo.COMMAND_TYPE)).toBe(BigInt(CommandType.MARKER));
    expect(ask(EventInfo.REFERENCE_COUNT)).toBe(1n);
    table.clRetainEvent(event);
    expect(ask(EventInfo.REFERENCE_COUNT)).toBe(2n);
    table.clReleaseEvent(event);
    table.clReleaseEvent(event);
    expect(table.clGetEventInfo(event, 0x11d0, 8, new BigUint64Array(1), 0n)).toBe(Code.INVALID_EVENT);
  });

  test('of the user are set once, to 0 or less', () => {
    const { handle } = make((errcode) => table.clCreateUserEvent(raw(embedded.ctx), errcode));
    expect(statusOf(handle)).toBe(SUBMITTED);
    expect(table.clSetUserEventStatus(handle, 1)).toBe(Code.INVALID_VALUE);
    expect(table.clSetUserEventStatus(handle, -7)).toBe(Code.SUCCESS);
    expect(table.clSetUserEventStatus(handle, 0)).toBe(Code.INVALID_OPERATION);
    expect(statusOf(handle)).toBe(-7);
    expect(table.clSetUserEventStatus(marker(embedded.queue), 0)).toBe(Code.INVALID_EVENT);
    table.clReleaseEvent(handle);
  });

  test('that fail hand that on to their waiters only', () => {
    using queue = new cl.CommandQueue(embedded.ctx);
    const { handle } = make((errcode) => table.clCreateUserEvent(raw(embedded.ctx), errcode));
    const waiter = marker(queue, handle);
    const second = marker(queue, waiter);
    const behind = marker(queue);
    table.clSetUserEventStatus(handle, -1);
    const failed = Code.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    expect([waiter, second, behind].map(statusOf)).toEqual([failed, failed, COMPLETE]);
    expect(table.clWaitForEvents(2, BigUint64Array.of(behind, waiter))).toBe(failed);
    using a = zeros(1);
    const blocking = table.clEnqueueReadBuffer(
      raw(queue), raw(a), 1, 0, 4, new Uint8Array(4), 1, BigUint64Array.of(waiter), 0n,
    ); // prettier-ignore
    expect(blocking).toBe(failed);
    for (const event of [handle, waiter, second, behind]) table.clReleaseEvent(event);
  });

  test('tell the time of their stages', () => {
    using queue = new cl.CommandQueue(embedded.ctx, { profiling: true });
    using a = zeros(1 << 20);
    const events = [
      spin(queue, 3 * MILLISECOND),
      add(queue, a, 1),
      cl.enqueueFill(queue, a, cl.int32(1)),
      cl.enqueueMarker(queue),
      cl.enqueueCopy(queue, new Int32Array(1 << 20), a, { blocking: false }),
    ];
    queue.finish();
    const profiles = events.map((event) => event.profile);
    for (const { queued, submit, start, end } of profiles) {
      expect(queued <= submit && submit <= start && start <= end).toBe(true);
    }
    for (const [i, { start }] of profiles.entries()) {
      expect(start >= (profiles[i - 1]?.end ?? 0n)).toBe(true);
    }
    expect(events[0]?.duration).toBeGreaterThanOrEqual(BigInt(3 * MILLISECOND));
    const event = marker(embedded.queue);
    const slot = new BigUint64Array(1);
    const status = table.clGetEventProfilingInfo(event, ProfilingInfo.END[0], 8, slot, 0n);
    expect(status).toBe(Code.PROFILING_INFO_NOT_AVAILABLE);
    table.clReleaseEvent(event);
  });
});

describe('functions of the user', () => {
  const type = koffi.proto('void', [koffi.types.uint64, koffi.types.int32, koffi.types.uint64]);
  const pair = koffi.proto('void', [koffi.types.uint64, koffi.types.uint64]);

  /** A native function that calls a JavaScript one, for as long as something runs. */
  async function withCallback<T>(
    proto: typeof type,
    call: (...args: never[]) => void,
    run: (address: never) => T | Promise<T>,
  ): Promise<T> {
    const address = koffi.register(call, koffi.pointer(proto));
    try {
      return await run(address as never);
    } finally {
      koffi.unregister(address);
    }
  }

  test('hear of the end of commands, and of failures', async () => {
    const heard: unknown[] = [];
    using queue = new cl.CommandQueue(embedded.ctx);
    const { handle: go } = make((errcode) => table.clCreateUserEvent(raw(embedded.ctx), errcode));
    const [good, bad] = [marker(queue), marker(queue, go)];
    await withCallback(
      type,
      (event: bigint | number, status: number, data: bigint | number) =>
        heard.push([BigInt(event), status, BigInt(data)]),
      (address) => {
        expect(table.clSetEventCallback(bad, COMPLETE, address, 2n)).toBe(Code.SUCCESS);
        expect(table.clSetEventCallback(good, COMPLETE, address, 1n)).toBe(Code.SUCCESS);
        expect(table.clSetEventCallback(good, 4, address, 0n)).toBe(Code.INVALID_VALUE);
        expect(table.clSetEventCallback(good, COMPLETE, 0n as never, 0n)).toBe(Code.INVALID_VALUE);
        table.clFlush(raw(queue));
        expect(heard).toEqual([[good, COMPLETE, 1n]]);
        table.clSetUserEventStatus(go, -3);
      },
    );
    expect(heard.slice(1)).toEqual([[bad, Code.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, 2n]]);
    for (const event of [go, good, bad]) table.clReleaseEvent(event);
  });

  test('are called without other calls', async () => {
    using queue = new cl.CommandQueue(embedded.ctx);
    const slot = new BigUint64Array(1);
    const heard: number[] = [];
    await withCallback(
      type,
      (_event: bigint, status: number) => heard.push(status),
      async (address) => {
        spin(queue, 5 * MILLISECOND);
        table.clEnqueueMarkerWithWaitList(raw(queue), 0, 0n, slot);
        table.clSetEventCallback(slot[0] as never, COMPLETE, address, 0n);
        await until('somebody is told', () => heard.length > 0);
      },
    );
    expect(heard).toEqual([COMPLETE]);
    table.clReleaseEvent(slot[0] as never);
  });

  test('hear of the end of memory and of contexts, the last one first', async () => {
    const heard: bigint[] = [];
    await withCallback(
      pair,
      (_object: bigint, data: bigint | number) => heard.push(BigInt(data)),
      (address) => {
        const device = BigUint64Array.of(embedded.device.raw);
        const context = make((errcode) => table.clCreateContext(0n, 1, device, 0n as never, 0n, errcode)).handle;
        const memory = make((errcode) => table.clCreateBuffer(context, 0, 4, 0n, errcode)).handle;
        for (const data of [1n, 2n]) table.clSetMemObjectDestructorCallback(memory, address, data);
        for (const data of [3n, 4n]) table.clSetContextDestructorCallback(context, address, data);
        expect(table.clSetMemObjectDestructorCallback(memory, 0n as never, 0n)).toBe(Code.INVALID_VALUE);
        table.clReleaseContext(context);
        expect(heard).toEqual([]);
        table.clReleaseMemObject(memory);
      },
    );
    expect(heard).toEqual([2n, 1n, 4n, 3n]);
  });
});
