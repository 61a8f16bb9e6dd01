import { expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { opencl } from '../../../src/opencl/select.ts';
import { lacks, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const { READ_WRITE } = cl.MemFlags;

needs.opencl().describe.each(openclRows)('Objects from foreign handles: %s', (_, device) => {
  test('compute as if they were made here, and outlive who made them', () => {
    const made = new cl.Context(device);
    const makersQueue = new cl.CommandQueue(made, { profiling: true });
    const makersBuffer = new cl.Buffer(made, READ_WRITE, 64);
    using ctx = cl.Context.fromHandle(made.handle);
    using queue = cl.CommandQueue.fromHandle(ctx, makersQueue.handle);
    using buffer = cl.Buffer.fromHandle(ctx, makersBuffer.handle);
    expect([ctx.devices, ctx.platform, ctx.identity]).toEqual([[device], device.platform, made.identity]);
    expect([queue.device, queue.profiling, queue.outOfOrder]).toEqual([device, true, false]);
    expect([buffer.byteLength, buffer.flags, buffer.offset]).toEqual([64, READ_WRITE, 0]);
    for (const one of [makersBuffer, makersQueue, made]) one.close();
    using prg = new cl.Program(ctx, '__kernel void f(__global int *a) { a[get_global_id(0)] = 7; }').build();
    const event = prg.kernels.f(queue, 16, null, buffer);
    event.wait();
    expect(event.duration).toBeGreaterThanOrEqual(0n);
    const result = new Int32Array(16);
    cl.enqueueCopy(queue, result, buffer);
    expect(result).toEqual(new Int32Array(16).fill(7));
  });

  test('take a reference of their own, or the one that there is', () => {
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using buffer = new cl.Buffer(ctx, READ_WRITE, 64);
    const counts = (): number[] => [ctx, queue, buffer].map((one) => one.referenceCount);
    const before = counts();
    const copies = [
      cl.Context.fromHandle(ctx.handle),
      cl.CommandQueue.fromHandle(ctx, queue.handle),
      cl.Buffer.fromHandle(ctx, buffer.handle),
    ];
    expect(counts().slice(1)).toEqual(before.slice(1).map((count) => count + 1));
    for (const copy of copies) copy.close();
    expect(counts().slice(1)).toEqual(before.slice(1));
    opencl().clRetainMemObject(buffer.handle);
    const taken = cl.Buffer.fromHandle(ctx, buffer.handle, { retain: false });
    expect(buffer.referenceCount).toBe(2);
    taken.close();
    expect(buffer.referenceCount).toBe(1);
  });

  test('an event is waited for, and waited behind', async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using other = new cl.CommandQueue(ctx);
    using go = new cl.UserEvent(ctx);
    const marker = cl.enqueueMarker(queue, { waitFor: [go] });
    const foreign = cl.eventFromHandle(ctx, marker.pending('test') as never);
    const behind = cl.enqueueMarker(other, { waitFor: [foreign] });
    expect([foreign.isDone, behind.isDone]).toEqual([false, false]);
    queue.flush();
    go.setStatus(0);
    await foreign.done();
    await behind.done();
    expect(foreign.getInfo('COMMAND_TYPE')).toBe(cl.CommandType.MARKER);
  });

  test('what is none, or of another context, is refused', () => {
    using ctx = new cl.Context(device);
    using other = new cl.Context(device);
    using queue = new cl.CommandQueue(other);
    using buffer = new cl.Buffer(other, READ_WRITE, 64);
    const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.UNORM_INT8);
    using image = new cl.Image(ctx, READ_WRITE, format, [4, 4]);
    expect(() => cl.CommandQueue.fromHandle(ctx, queue.handle)).toThrow('belongs to another context');
    expect(() => cl.Buffer.fromHandle(ctx, buffer.handle)).toThrow('belongs to another context');
    expect(() => cl.Buffer.fromHandle(ctx, image.handle)).toThrow('must be a buffer');
    for (const handle of [0n, -1n, 1n << 64n]) expect(() => cl.Context.fromHandle(handle as never)).toThrow(RangeError);
    for (const handle of [1, null, 'x']) expect(() => cl.Buffer.fromHandle(ctx, handle as never)).toThrow(TypeError);
    expect(() => cl.Context.fromHandle(ctx.handle, { own: true } as never)).toThrow("no option 'own'");
    expect([queue.referenceCount, buffer.referenceCount]).toEqual([1, 1]);
  });
});
