import { expect, test } from '@jest/globals';
import * as cl from '../../../src/node-opencl/index.ts';
import { read, withBench } from '../../helpers/node-opencl.ts';
import { openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

const UNSUPPORTED = new TypeError("Unsupported type of buffer. Use node's Buffer or JS' ArrayBuffer");
const { MEM_COPY_HOST_PTR: COPY, MEM_USE_HOST_PTR: USE } = cl;

needs.opencl().describe.each(openclRows)('node-opencl: buffers on %s', (_, device) => {
  const bench = withBench(device);
  const bytes = Uint8Array.from({ length: 64 }, (_, i) => i);
  const filled = (): cl.CLMem => cl.createBuffer(bench.context, COPY, 64, bytes);

  test.each<[string, () => ArrayBufferView | ArrayBuffer]>([
    ['a Buffer', () => Buffer.from(bytes)],
    ['a view that begins later', () => new Uint8Array([9, 9, ...bytes]).subarray(2)],
    ['a Float32Array', () => new Float32Array(bytes.slice().buffer)],
    ['an ArrayBuffer', () => bytes.slice().buffer],
  ])('are made of %s', (_what, make) => {
    const buffer = cl.createBuffer(bench.context, COPY, 64, make());
    expect(read(bench, buffer, 64)).toEqual(bytes);
    expect(cl.getMemObjectInfo(buffer, cl.MEM_SIZE)).toBe(64);
    expect(cl.getMemObjectInfo(buffer, cl.MEM_TYPE)).toBe(cl.MEM_OBJECT_BUFFER);
    expect(cl.getMemObjectInfo(buffer, cl.MEM_HOST_PTR)).toBeUndefined();
    cl.releaseMemObject(buffer);
  });

  test.each<[string, unknown]>([
    ['a text', 'text'],
    ['a list', [1, 2, 3]],
    ['an empty array', new Uint8Array(0)],
  ])('are not made of %s', (_what, memory) => {
    expect(() => cl.createBuffer(bench.context, COPY, 8, memory as Uint8Array)).toThrow(UNSUPPORTED);
  });

  test('refuse wrong sizes and flags', () => {
    expect(() => cl.createBuffer(bench.context, 0, 0)).toThrow(cl.INVALID_BUFFER_SIZE.message);
    expect(() => cl.createBuffer(bench.context, -1, 8)).toThrow(cl.INVALID_VALUE.message);
    for (const size of [-1, NaN, 2 ** 60, 'text', {}]) {
      expect(() => cl.createBuffer(bench.context, 0, size as number)).toThrow(cl.INVALID_VALUE.message);
    }
    expect(() => cl.createBuffer(bench.context, 0, 2 ** 54)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.createBuffer(bench.context, USE, 8)).toThrow(cl.INVALID_HOST_PTR.message);
  });

  test('over an array keep it, and show what the device wrote', () => {
    const array = new Int32Array(16);
    const buffer = cl.createBuffer(bench.context, USE, 64, array);
    cl.enqueueFillBuffer(bench.queue, buffer, 7, 0, 64);
    const mapped = cl.enqueueMapBuffer(bench.queue, buffer, true, cl.MAP_READ, 0, 64);
    expect(new Int32Array(mapped)).toEqual(new Int32Array(16).fill(7));
    expect(array).toEqual(new Int32Array(16).fill(7));
    cl.enqueueUnmapMemObject(bench.queue, buffer, mapped);
    cl.releaseMemObject(buffer);
  });

  test('of more bytes than their array has get the rest as zeros, and a warning', async () => {
    const warnings = expectWarnings('RAWKERNEL_SHORT_ARRAY');
    for (const flags of [COPY, USE]) {
      const buffer = cl.createBuffer(bench.context, flags, 32, Buffer.alloc(8, 1));
      expect([...read(bench, buffer, 32)]).toEqual([...Buffer.alloc(8, 1), ...Buffer.alloc(24)]);
      cl.releaseMemObject(buffer);
    }
    await new Promise(setImmediate);
    expect(warnings.length).toBeLessThanOrEqual(1);
  });

  test('parts of a buffer', () => {
    const buffer = filled();
    const alignment = (cl.getDeviceInfo(bench.device, cl.DEVICE_MEM_BASE_ADDR_ALIGN) as number) / 8;
    const whole = cl.createBuffer(bench.context, 0, 2 * alignment);
    cl.enqueueFillBuffer(bench.queue, whole, 3, alignment, alignment);
    const region = { origin: alignment, size: alignment };
    const part = cl.createSubBuffer(whole, cl.MEM_READ_ONLY, cl.BUFFER_CREATE_TYPE_REGION, region);
    expect(read(bench, part, 4)).toEqual(Uint8Array.of(3, 0, 0, 0));
    expect(cl.getMemObjectInfo(part, cl.MEM_OFFSET)).toBe(alignment);
    const parent = cl.getMemObjectInfo(part, cl.MEM_ASSOCIATED_MEMOBJECT) as cl.CLMem;
    expect(parent.equals(whole)).toBe(true);
    expect(() => cl.createSubBuffer(buffer, 0, -1, region)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.createSubBuffer(buffer, 0, cl.BUFFER_CREATE_TYPE_REGION, { origin: 0, size: 65 })).toThrow();
    for (const one of [parent, part, whole, buffer]) cl.releaseMemObject(one);
  });

  test('reads and writes of parts, with and without an event', () => {
    const buffer = filled();
    expect(cl.enqueueWriteBuffer(bench.queue, buffer, cl.BLOCKING, 4, 2, Uint8Array.of(200, 201))).toBe(cl.SUCCESS);
    const target = new Uint8Array(8);
    const event = cl.enqueueReadBuffer(bench.queue, buffer, cl.NON_BLOCKING, 0, 8, target, [], true);
    if (event === 0) throw new Error('an event was wanted');
    expect(cl.waitForEvents([event])).toBe(cl.SUCCESS);
    expect([...target]).toEqual([0, 1, 2, 3, 200, 201, 6, 7]);
    expect(cl.enqueueReadBuffer(bench.queue, buffer, true, 0, 8, target, [event], false)).toBe(0);
    cl.releaseEvent(event);
    cl.releaseMemObject(buffer);
  });

  test('reads and writes refuse what does not fit', () => {
    const buffer = filled();
    const small = new Uint8Array(8);
    const readInto = (offset: number, size: number, array: unknown): unknown =>
      cl.enqueueReadBuffer(bench.queue, buffer, true, offset, size, array as Uint8Array);
    expect(() => readInto(64, 1, small)).toThrow(cl.INVALID_VALUE.message);
    expect(() => readInto(0, 8, null)).toThrow(cl.INVALID_VALUE.message);
    expect(() => readInto(0, 8, [1, 2])).toThrow(UNSUPPORTED);
    expect(() => cl.enqueueReadBuffer(bench.queue, buffer, false, 0, 16, small)).toThrow(cl.INVALID_VALUE.message);
    const detached = new Uint8Array(8);
    structuredClone(detached, { transfer: [detached.buffer] });
    expect(() => readInto(0, 8, detached)).toThrow(UNSUPPORTED);
    expect(() => cl.enqueueReadBuffer(bench.queue, buffer, true, 0, 8, small, 5 as never)).toThrow(
      new TypeError('Argument 6 must be an array'),
    );
    expect(() => cl.enqueueReadBuffer(bench.queue, buffer, true, 0, 8, small, [bench.queue as never])).toThrow(
      cl.INVALID_EVENT.message,
    );
    cl.releaseMemObject(buffer);
  });

  test('a read into an array that is too short loses the rest, and writes nowhere else', () => {
    expectWarnings('RAWKERNEL_SHORT_ARRAY');
    const buffer = filled();
    const around = new Uint8Array(24).fill(255);
    cl.enqueueReadBuffer(bench.queue, buffer, true, 0, 64, around.subarray(8, 16));
    expect([...around]).toEqual([...Buffer.alloc(8, 255), 0, 1, 2, 3, 4, 5, 6, 7, ...Buffer.alloc(8, 255)]);
    cl.releaseMemObject(buffer);
  });

  test('boxes', () => {
    const buffer = filled();
    const box = new Uint8Array(16);
    // Two rows of three bytes, from the second byte of the second row of eight.
    const reading = [[1, 1, 0], [0, 0, 0], [3, 2, 1], 8, 0, 4, 0, box] as const;
    expect(cl.enqueueReadBufferRect(bench.queue, buffer, true, ...reading)).toBe(cl.SUCCESS);
    expect([...box.subarray(0, 8)]).toEqual([9, 10, 11, 0, 17, 18, 19, 0]);
    const writing = [[0, 0, 0], [0, 0, 0], [2, 2, 1], 8, 0, 2, 0, Uint8Array.of(101, 102, 103, 104)] as const;
    cl.enqueueWriteBufferRect(bench.queue, buffer, true, ...writing);
    const target = cl.createBuffer(bench.context, 0, 64);
    cl.enqueueCopyBufferRect(bench.queue, buffer, target, [0, 0, 0], [0, 0, 0], [8, 8, 1], 8, 0, 8, 0);
    expect([...read(bench, target, 10)]).toEqual([101, 102, 2, 3, 4, 5, 6, 7, 103, 104]);
    cl.releaseMemObject(buffer);
    cl.releaseMemObject(target);
  });

  test('copies, fills and moves', () => {
    const buffer = filled();
    const target = cl.createBuffer(bench.context, 0, 64);
    expect(cl.enqueueCopyBuffer(bench.queue, buffer, target, 8, 0, 8)).toBe(cl.SUCCESS);
    expect([...read(bench, target, 8)]).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(() => cl.enqueueCopyBuffer(bench.queue, buffer, buffer, 0, 4, 8)).toThrow(cl.MEM_COPY_OVERLAP.message);
    const patterns: (readonly [number | Uint8Array, number[]])[] = [
      [2, [2, 0, 0, 0, 2, 0, 0, 0]],
      [2.5, [...new Uint8Array(Float64Array.of(2.5).buffer)]],
      [Uint8Array.of(1, 2), [1, 2, 1, 2, 1, 2, 1, 2]],
    ];
    for (const [pattern, expected] of patterns) {
      expect(cl.enqueueFillBuffer(bench.queue, target, pattern, 0, 16)).toBe(cl.SUCCESS);
      expect([...read(bench, target, 8)]).toEqual(expected);
    }
    const fill = (pattern: unknown): unknown => cl.enqueueFillBuffer(bench.queue, target, pattern as number, 0, 16);
    expect(() => fill(null)).toThrow(cl.INVALID_VALUE.message);
    expect(() => fill('text')).toThrow(UNSUPPORTED);
    expect(cl.enqueueMigrateMemObjects(bench.queue, [target], cl.MIGRATE_MEM_OBJECT_HOST)).toBe(cl.SUCCESS);
    const move = (list: unknown): unknown => cl.enqueueMigrateMemObjects(bench.queue, list as cl.CLMem[], 0);
    expect(() => move(null)).toThrow(cl.INVALID_VALUE.message);
    expect(() => move([target, null])).toThrow(cl.INVALID_MEM_OBJECT.message);
    cl.releaseMemObject(buffer);
    cl.releaseMemObject(target);
  });

  test('mapped bytes are an ArrayBuffer until they are unmapped', () => {
    const buffer = filled();
    const mapped = cl.enqueueMapBuffer(bench.queue, buffer, true, cl.MAP_READ | cl.MAP_WRITE, 8, 16, [], true);
    expect(mapped.byteLength).toBe(16);
    expect(String(mapped.event)).toMatch('CLEvent');
    const view = new Uint8Array(mapped);
    expect(view[0]).toBe(8);
    view[0] = 77;
    expect(() => cl.enqueueUnmapMemObject(bench.queue, buffer, new Uint8Array(16))).toThrow(cl.INVALID_VALUE.message);
    expect(cl.enqueueUnmapMemObject(bench.queue, buffer, view)).toBe(cl.SUCCESS);
    expect(view.length).toBe(0);
    expect(() => cl.enqueueUnmapMemObject(bench.queue, buffer, view)).toThrow(cl.INVALID_VALUE.message);
    expect(read(bench, buffer, 9)[8]).toBe(77);
    if (mapped.event) cl.releaseEvent(mapped.event);
    cl.releaseMemObject(buffer);
  });

  test('mapped bytes outlive the release of their buffer', () => {
    const buffer = filled();
    const view = new Uint8Array(cl.enqueueMapBuffer(bench.queue, buffer, true, cl.MAP_READ, 0, 64));
    cl.releaseMemObject(buffer);
    expect(view).toEqual(bytes);
  });

  test('a map without blocking may be waited for', () => {
    const buffer = filled();
    const mapped = cl.enqueueMapBuffer(bench.queue, buffer, false, cl.MAP_READ, 0, 4, null, true);
    if (!mapped.event) throw new Error('an event was wanted');
    cl.waitForEvents([mapped.event]);
    expect([...new Uint8Array(mapped)]).toEqual([0, 1, 2, 3]);
    cl.enqueueUnmapMemObject(bench.queue, buffer, mapped);
    cl.releaseEvent(mapped.event);
    cl.releaseMemObject(buffer);
  });
});
