import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { flightCount, sweepFlights } from '../../../src/core/in-flight.ts';
import * as cl from '../../../src/opencl/index.ts';
import { openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { expectWarnings } from '../../helpers/warnings.ts';
import { collect, until, untilCollected } from '../../helpers/until.ts';

const mf = cl.MemFlags;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
  });
  afterAll(() => {
    queue.close();
    ctx.close();
  });

  const bufferOf = (...values: number[]): cl.Buffer =>
    new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, Int32Array.from(values));
  const contentOf = (buffer: cl.Buffer): number[] => {
    const content = new Int32Array(buffer.byteLength / 4);
    cl.enqueueCopy(queue, content, buffer);
    return [...content];
  };

  test('enqueueCopy copies with offsets in every direction', () => {
    using a = bufferOf(0, 0, 0, 0);
    cl.enqueueCopy(queue, a, Int32Array.of(9, 1, 2, 9), { srcOffset: 4, dstOffset: 8, byteLength: 8 });
    expect(contentOf(a)).toEqual([0, 0, 1, 2]);
    const host = Int32Array.of(7, 7, 7, 7);
    cl.enqueueCopy(queue, host, a, { srcOffset: 8, dstOffset: 4, byteLength: 8 });
    expect([...host]).toEqual([7, 1, 2, 7]);
    using b = bufferOf(5, 5, 5, 5);
    cl.enqueueCopy(queue, b, a, { srcOffset: 8, dstOffset: 0, byteLength: 8 });
    expect(contentOf(b)).toEqual([1, 2, 5, 5]);
  });

  test('enqueueCopy takes the smaller of two buffers', () => {
    using large = bufferOf(1, 2, 3, 4);
    using small = bufferOf(0, 0);
    cl.enqueueCopy(queue, small, large);
    expect(contentOf(small)).toEqual([1, 2]);
    cl.enqueueCopy(queue, large, small, { dstOffset: 8 });
    expect(contentOf(large)).toEqual([1, 2, 1, 2]);
    cl.enqueueCopy(queue, large, large, { srcOffset: 8, byteLength: 8, dstOffset: 0 });
    expect(contentOf(large)).toEqual([1, 2, 1, 2]);
  });

  test('enqueueCopy reads and writes a Buffer, a DataView, an ArrayBuffer and shared memory', () => {
    using a = bufferOf(0x04030201);
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    const hosts = [Buffer.alloc(4), new DataView(new ArrayBuffer(8), 2, 4), new ArrayBuffer(4), shared];
    for (const host of hosts) {
      cl.enqueueCopy(queue, host, a);
      using b = bufferOf(0);
      cl.enqueueCopy(queue, b, host);
      expect(contentOf(b)).toEqual([0x04030201]);
    }
  });

  test('enqueueCopy without blocking holds the host array until its end', async () => {
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 1 << 20);
    sweepFlights();
    const before = flightCount();
    using go = new cl.UserEvent(ctx);
    const event = cl.enqueueCopy(queue, a, new Uint8Array(1 << 20).fill(3), { blocking: false, waitFor: [go] });
    event.close();
    globalThis.gc?.();
    expect(flightCount()).toBe(before + 1);
    go.setStatus(cl.CommandExecutionStatus.COMPLETE);
    await queue.done();
    const result = new Uint8Array(1 << 20);
    await cl.enqueueCopy(queue, result, a, { blocking: false }).done();
    expect(result.every((byte) => byte === 3)).toBe(true);
    await until('the array is let go', () => flightCount() === before);
  });

  test('enqueueFill repeats numbers, vectors and bytes', () => {
    using a = bufferOf(0, 0, 0, 0);
    cl.enqueueFill(queue, a, cl.int32(7));
    expect(contentOf(a)).toEqual([7, 7, 7, 7]);
    cl.enqueueFill(queue, a, cl.int2(1, 2), { offset: 8 });
    expect(contentOf(a)).toEqual([7, 7, 1, 2]);
    cl.enqueueFill(queue, a, Int32Array.of(-1), { offset: 4, byteLength: 4 });
    expect(contentOf(a)).toEqual([7, -1, 1, 2]);
    cl.enqueueFill(queue, a, 0);
    expect(contentOf(a)).toEqual([0, 0, 0, 0]);
  });

  test('Buffer.subRegion shares the bytes, and a part of a part is a part of the whole', () => {
    const align = device.memBaseAddrAlign / 8;
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4 * align);
    cl.enqueueFill(queue, a, 0);
    using part = a.subRegion(align);
    using inner = part.subRegion(align, 4);
    expect([part.byteLength, inner.offset]).toEqual([3 * align, 2 * align]);
    cl.enqueueFill(queue, inner, cl.int32(5));
    expect(contentOf(a)[(2 * align) / 4]).toBe(5);
    expect(contentOf(part)[align / 4]).toBe(5);
    expect(() => a.subRegion(1)).toThrow(`a multiple of ${String(align)}`);
  });

  test('Buffer.subRegion keeps the memory of a closed whole', () => {
    const align = device.memBaseAddrAlign / 8;
    const a = new cl.Buffer(ctx, mf.READ_WRITE, 2 * align);
    using part = a.subRegion(align);
    a.release();
    cl.enqueueFill(queue, part, cl.int32(5));
    expect(contentOf(part)[0]).toBe(5);
  });

  test('Buffer with USE_HOST_PTR works on the host array', () => {
    const host = Int32Array.of(1, 2, 3, 4);
    using a = new cl.Buffer(ctx, mf.READ_WRITE | mf.USE_HOST_PTR, host);
    cl.enqueueFill(queue, a, cl.int32(9));
    using map = cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ, { type: 'i32' });
    expect([...map.array]).toEqual([9, 9, 9, 9]);
    expect([...host]).toEqual([9, 9, 9, 9]);
  });

  test('enqueueMapBuffer gives the pages as a typed array, and unmap empties it', () => {
    using a = bufferOf(1, 2, 3, 4);
    const map = cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ | cl.MapFlags.WRITE, { type: Int32Array, offset: 4 });
    expect([...map.array]).toEqual([2, 3, 4]);
    map.array[0] = 20;
    map.unmap().wait();
    expect(map.array).toHaveLength(0);
    expect(map.array[0]).toBeUndefined();
    expect(() => map.unmap()).toThrow(cl.ClosedError);
    expect(contentOf(a)).toEqual([1, 20, 3, 4]);
  });

  test('enqueueMapBuffer gives vectors as their elements, and takes no flags', () => {
    using a = new cl.Buffer(
      ctx,
      mf.READ_WRITE | mf.COPY_HOST_PTR,
      Float32Array.from({ length: 16 }, (_, i) => i),
    );
    using map = cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ, { type: cl.float4, offset: 16, byteLength: 32 });
    expect([...map.array]).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
    map.unmap();
    using open = cl.enqueueMapBuffer(queue, a, 0, { type: cl.float3 });
    expect(open.array).toHaveLength(16);
    open.unmap();
    expect(() => cl.enqueueMapBuffer(queue, a, 0, { type: cl.float4, byteLength: 24 })).toThrow('the element size 16');
  });

  test('hostArray is the memory of USE_HOST_PTR', () => {
    const array = new Float32Array(1024);
    using a = new cl.Buffer(ctx, mf.READ_WRITE | mf.USE_HOST_PTR, array);
    using copy = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, array);
    expect(a.hostArray).toBe(array);
    expect(copy.hostArray).toBeUndefined();
    using part = a.subRegion(2048, 16);
    expect(part.hostArray).toEqual(new Uint8Array(array.buffer, 2048, 16));
    cl.enqueueFill(queue, part, cl.float32(2));
    cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ).unmap();
    expect([...array.subarray(511, 517)]).toEqual([0, 2, 2, 2, 2, 0]);
    part.close();
    expect(() => part.hostArray).toThrow(cl.ClosedError);
  });

  test('enqueueMapBuffer maps the same part twice, and without blocking', async () => {
    using a = bufferOf(1, 2);
    using one = cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ, { type: 'i32' });
    using two = cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ, { type: 'i32', blocking: false });
    await two.event.done();
    expect([...one.array, ...two.array]).toEqual([1, 2, 1, 2]);
    one.unmap();
    expect([...two.array]).toEqual([1, 2]);
  });

  test('MemoryMap outlives its buffer and queue', () => {
    const own = new cl.CommandQueue(ctx);
    const a = bufferOf(1, 2);
    using map = cl.enqueueMapBuffer(own, a, cl.MapFlags.READ, { type: 'i32' });
    a.close();
    own.close();
    expect([...map.array]).toEqual([1, 2]);
    expect(() => map.unmap()).toThrow(cl.ClosedError);
    map.close();
    expect(map.array).toHaveLength(0);
  });

  test('MemoryMap stays while its array is reachable, and goes with it', async () => {
    expectWarnings('RAWKERNEL_LEAK');
    using a = bufferOf(1, 2);
    const maps = (): number => cl.liveObjects()['MemoryMap'] ?? 0;
    const before = maps();
    const arrays = [cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ, { type: 'i32' }).array];
    await collect();
    expect(arrays.flatMap((array) => [...array])).toEqual([1, 2]);
    expect(maps()).toBe(before + 1);
    arrays.length = 0;
    await untilCollected('the map is gone', () => maps() === before);
  });

  test('enqueueMigrate moves buffers', () => {
    using a = bufferOf(1, 2);
    cl.enqueueMigrate(queue, [a]).wait();
    cl.enqueueMigrate(queue, [a], { flags: cl.MigrationFlags.HOST }).wait();
    expect(contentOf(a)).toEqual([1, 2]);
  });

  test('Buffer.release throws the second time, close does not', () => {
    const a = bufferOf(1);
    a.release();
    expect(() => a.release()).toThrow(cl.ClosedError);
    a.close();
    expect(() => contentOf(a)).toThrow('this Buffer is closed');
  });
});
