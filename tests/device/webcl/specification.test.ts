import { afterEach, expect, test } from '@jest/globals';
import {
  webcl,
  WebCLBuffer,
  WebCLEvent,
  WebCLException,
  WebCLImage,
  type WebCLCommandQueue,
  type WebCLContext,
  type WebCLDevice,
} from '../../../src/webcl/index.ts';
import { lacks, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

// The exceptions of each method as WebCL 1.0 lists them: sections "WebCL" to "WebCLUserEvent".
const SOURCE = `
__kernel void f(char c, uchar d, short4 s, long l, ulong u, float3 v, __local int *m, __global int *a, sampler_t p) {
  a[0] = c + d + s.x + l + u + v.x + m[0];
}
__kernel void g(__global int *a) { a[get_global_id(0)] = 1; }
`;

/** The name of what a call throws; undefined where it throws nothing. */
function nameOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof WebCLException) expect(webcl[error.name as 'SUCCESS']).toBe(error.code);
    return (error as Error).name;
  }
}

needs.opencl().describe.each(openclRows)("WebCL's specification on %s", (_, device) => {
  const find = (): WebCLDevice => {
    const platforms = webcl.getPlatforms();
    const platform = platforms.find((one) => one.getInfo(webcl.PLATFORM_NAME) === device.platform.name);
    const found = platform?.getDevices().find((one) => one.getInfo(webcl.DEVICE_NAME) === device.name);
    if (!found) throw new Error(`${device.name} is not there`);
    return found;
  };
  const open = (): { context: WebCLContext; queue: WebCLCommandQueue } => {
    const context = webcl.createContext(find());
    return { context, queue: context.createCommandQueue() };
  };

  afterEach(() => {
    webcl.releaseAll();
  });

  test('a platform and a device are the same object each time, everywhere', () => {
    const own = find();
    const platform = own.getInfo(webcl.DEVICE_PLATFORM);
    const { context, queue } = open();
    const program = context.createProgram(SOURCE);
    expect(webcl.getPlatforms()).toContain(platform);
    expect(find()).toBe(own);
    expect(queue.getInfo(webcl.QUEUE_DEVICE)).toBe(own);
    expect((context.getInfo(webcl.CONTEXT_DEVICES) as WebCLDevice[])[0]).toBe(own);
    expect((program.getInfo(webcl.PROGRAM_DEVICES) as WebCLDevice[])[0]).toBe(own);
    expect(program.getInfo(webcl.PROGRAM_CONTEXT)).toBe(context);
    expect(queue.getInfo(webcl.QUEUE_CONTEXT)).toBe(context);
  });

  test("versions and profiles are WebCL's", () => {
    const own = find();
    const platform = own.getInfo(webcl.DEVICE_PLATFORM) as ReturnType<typeof webcl.getPlatforms>[0];
    expect(platform.getInfo(webcl.PLATFORM_PROFILE)).toMatch(/^WEBCL_PROFILE/);
    expect(platform.getInfo(webcl.PLATFORM_VERSION)).toMatch(/^WebCL 1\.0 OpenCL /);
    expect(own.getInfo(webcl.DEVICE_PROFILE)).toMatch(/^WEBCL_PROFILE/);
    expect(own.getInfo(webcl.DEVICE_VERSION)).toMatch(/^WebCL 1\.0 OpenCL /);
    expect(own.getInfo(webcl.DEVICE_OPENCL_C_VERSION)).toMatch(/^WebCL C 1\.0 OpenCL C /);
    expect(own.getInfo(webcl.DEVICE_TYPE)).toEqual(expect.any(Number));
    expect(own.getInfo(webcl.DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE)).toEqual(expect.any(Number));
  });

  test('contexts, queues and samplers refuse what they do not know', () => {
    const { context } = open();
    const other = webcl.getPlatforms().flatMap((platform) => platform.getDevices());
    const foreign = other.find((one) => one.getInfo(webcl.DEVICE_PLATFORM) !== find().getInfo(webcl.DEVICE_PLATFORM));
    expect([
      nameOf(() => webcl.createContext(0x1234)),
      nameOf(() => webcl.createContext(webcl.getPlatforms()[0] as never, 0x1234)),
      nameOf(() => webcl.getPlatforms()[0]?.getDevices(9999)),
      nameOf(() => webcl.createContext([find(), null as never])),
      foreign ? nameOf(() => webcl.createContext([find(), foreign])) : 'INVALID_DEVICE',
      nameOf(() => context.createCommandQueue({} as never)),
      nameOf(() => context.createCommandQueue(null, 64)),
      nameOf(() => context.createSampler(true, 9999, webcl.FILTER_LINEAR)),
      nameOf(() => context.createSampler(true, webcl.ADDRESS_CLAMP, 9999)),
      nameOf(() => context.createSampler(false, webcl.ADDRESS_REPEAT, webcl.FILTER_LINEAR)),
      nameOf(() => context.createBuffer(webcl.MEM_READ_ONLY, 2 ** 32)),
      nameOf(() => context.createProgram(null as never)),
    ]).toEqual([
      ...['INVALID_DEVICE_TYPE', 'INVALID_DEVICE_TYPE', 'INVALID_DEVICE_TYPE'],
      ...['INVALID_DEVICE', 'INVALID_DEVICE', 'INVALID_DEVICE', 'INVALID_VALUE'],
      ...['INVALID_VALUE', 'INVALID_VALUE', 'INVALID_VALUE', 'INVALID_BUFFER_SIZE', 'INVALID_VALUE'],
    ]);
  });

  test('memory tells the flags and sizes that it was made with', () => {
    const { context } = open();
    const buffer = context.createBuffer(webcl.MEM_READ_ONLY, 64, new Uint8Array(64));
    expect(buffer.getInfo(webcl.MEM_FLAGS)).toBe(webcl.MEM_READ_ONLY);
    expect(context.createBuffer(webcl.MEM_READ_WRITE, 64).getInfo(webcl.MEM_FLAGS)).toBe(webcl.MEM_READ_WRITE);
    if (lacks(device, 'images', device.getInfo('IMAGE_SUPPORT'))) return;
    const image = context.createImage(webcl.MEM_READ_WRITE, { width: 10, height: 4 });
    expect((image.getInfo() as { rowPitch: number }).rowPitch).toBeGreaterThanOrEqual(40);
    expect([image.getInfo(webcl.IMAGE_WIDTH), image.getInfo(webcl.IMAGE_HEIGHT)]).toEqual([10, 4]);
    expect(image.getInfo(webcl.IMAGE_ELEMENT_SIZE)).toBe(4);
    expect(image.getInfo(webcl.MEM_FLAGS)).toBe(webcl.MEM_READ_WRITE);
  });

  test('an image has the size of its device, a known format, and a pitch that fits', () => {
    if (lacks(device, 'images', device.getInfo('IMAGE_SUPPORT'))) return;
    const { context } = open();
    const width = 1 + (find().getInfo(webcl.DEVICE_IMAGE2D_MAX_WIDTH) as number);
    const make = (descriptor: object, array?: ArrayBufferView) =>
      nameOf(() => context.createImage(webcl.MEM_READ_ONLY, { width: 8, height: 8, ...descriptor }, array));
    expect([
      make({ width }),
      make({ channelOrder: 9999 }),
      make({ channelType: '0' }),
      make({ rowPitch: 32 }),
      make({ rowPitch: 8 }, new Uint8Array(4096)),
      make({ rowPitch: 64 }, new Uint8Array(256)),
      make({}, new Uint8Array(256)),
    ]).toEqual([
      ...['INVALID_IMAGE_SIZE', 'INVALID_IMAGE_FORMAT_DESCRIPTOR', 'INVALID_IMAGE_FORMAT_DESCRIPTOR'],
      ...['INVALID_IMAGE_SIZE', 'INVALID_IMAGE_SIZE', 'INVALID_HOST_PTR', undefined],
    ]);
  });

  test('an array is as long as its transfer, in whole elements', () => {
    const { context, queue } = open();
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 256);
    const short = new Int32Array(4);
    const origin = [0, 0, 0];
    expect([
      nameOf(() => queue.enqueueReadBuffer(buffer, true, 0, 32, short)),
      nameOf(() => queue.enqueueWriteBuffer(buffer, false, 0, 32, short)),
      nameOf(() => queue.enqueueReadBuffer(buffer, true, 0, 15, short)),
      nameOf(() => queue.enqueueReadBufferRect(buffer, true, origin, origin, [8, 4, 1], 16, 0, 8, 0, short)),
      nameOf(() => queue.enqueueReadBufferRect(buffer, true, origin, origin, [8, 2, 1], 16, 0, 9, 0, short)),
      nameOf(() => queue.enqueueWriteBufferRect(buffer, true, [0, 0], origin, [8, 2, 1], 16, 0, 8, 0, short)),
      nameOf(() => queue.enqueueWriteBufferRect(buffer, true, origin, origin, [8, 2, 1], 16, 0, 8, 0, short)),
    ]).toEqual([...Array<string>(6).fill('INVALID_VALUE'), undefined]);
    if (lacks(device, 'images', device.getInfo('IMAGE_SUPPORT'))) return;
    const image = context.createImage(webcl.MEM_READ_WRITE, { width: 4, height: 4 });
    expect([
      nameOf(() => queue.enqueueReadImage(image, true, [0, 0], [4, 4], 0, short)),
      nameOf(() => queue.enqueueWriteImage(image, true, [0, 0], [4, 4], 0, short)),
      nameOf(() => queue.enqueueReadImage(image, true, [0, 0], [0, 0], 0, short)),
      nameOf(() => queue.enqueueReadImage(image, true, [0], [4, 1], 0, short)),
      nameOf(() => queue.enqueueReadImage(image, true, [0, 0], [4, 1], 0, short)),
    ]).toEqual([...Array<string>(4).fill('INVALID_VALUE'), undefined]);
  });

  test('objects of other kinds and contexts, and released ones, are told apart', () => {
    const { context, queue } = open();
    const away = webcl.createContext(find());
    const [mine, theirs] = [context, away].map((one) => one.createBuffer(webcl.MEM_READ_WRITE, 64)) as [
      WebCLBuffer,
      WebCLBuffer,
    ];
    const gone = context.createBuffer(webcl.MEM_READ_WRITE, 64);
    gone.release();
    const done = context.createUserEvent();
    done.release();
    const copy = (from: unknown, ...waits: unknown[]) =>
      nameOf(() => queue.enqueueCopyBuffer(from as WebCLBuffer, mine, 0, 0, 16, ...(waits as [])));
    expect([
      copy(null),
      copy(gone),
      copy(theirs),
      copy(theirs, [away.createUserEvent()]),
      nameOf(() => queue.enqueueWaitForEvents([away.createUserEvent()])),
      nameOf(() => queue.enqueueWaitForEvents([])),
      nameOf(() => queue.enqueueWaitForEvents([done])),
      nameOf(() => queue.enqueueWaitForEvents([new WebCLEvent()])),
      nameOf(() => webcl.waitForEvents([done])),
      nameOf(() => webcl.waitForEvents([context.createUserEvent(), away.createUserEvent()])),
      nameOf(() => webcl.waitForEvents([])),
      nameOf(() => webcl.waitForEvents([done], {} as never)),
    ]).toEqual([
      ...['INVALID_MEM_OBJECT', 'INVALID_MEM_OBJECT', 'INVALID_CONTEXT', 'INVALID_CONTEXT'],
      ...['INVALID_CONTEXT', 'INVALID_EVENT_WAIT_LIST', 'INVALID_EVENT_WAIT_LIST', 'INVALID_EVENT_WAIT_LIST'],
      ...['INVALID_EVENT_WAIT_LIST', 'INVALID_CONTEXT', 'INVALID_VALUE', 'TypeError'],
    ]);
    for (const type of [WebCLBuffer, WebCLImage])
      expect(nameOf(() => new (type as never as typeof Object)())).toBe('TypeError');
  });

  test('an argument has the type and the length of its parameter', () => {
    const { context } = open();
    const program = context.createProgram(SOURCE);
    program.build(find());
    const kernel = program.createKernel('f');
    const good: ArrayBufferView[] = [
      ...[Int8Array.of(1), Uint8Array.of(1), Int16Array.of(1, 2, 3, 4), Uint32Array.of(1, 0), Uint32Array.of(1, 0)],
      ...[Float32Array.of(1, 2, 3), Uint32Array.of(64)],
    ];
    const bad: ArrayBufferView[] = [
      ...[Uint8Array.of(1), Int8Array.of(1), Int16Array.of(1, 2), Float64Array.of(1), Uint32Array.of(1)],
      ...[Int32Array.of(1, 2, 3), Uint32Array.of(1, 2)],
    ];
    good.forEach((value, i) => expect(nameOf(() => kernel.setArg(i, value))).toBeUndefined());
    bad.forEach((value, i) => expect(nameOf(() => kernel.setArg(i, value))).toBe('INVALID_ARG_VALUE'));
    const sampler = context.createSampler(false, webcl.ADDRESS_CLAMP, webcl.FILTER_NEAREST);
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 64);
    expect([
      nameOf(() => kernel.setArg(7, sampler)),
      nameOf(() => kernel.setArg(8, buffer)),
      nameOf(() => kernel.setArg(7, 5 as never)),
    ]).toEqual(['INVALID_ARG_VALUE', 'INVALID_ARG_VALUE', 'INVALID_ARG_VALUE']);
    sampler.release();
    buffer.release();
    expect([nameOf(() => kernel.setArg(8, sampler)), nameOf(() => kernel.setArg(7, buffer))]).toEqual([
      'INVALID_SAMPLER',
      'INVALID_MEM_OBJECT',
    ]);
  });

  test('a build takes one device, known options, and no second build; a kernel tells of its one device', () => {
    const { context } = open();
    const program = context.createProgram(SOURCE);
    expect([
      nameOf(() => program.build([])),
      nameOf(() => program.build([{} as never])),
      nameOf(() => program.build(null, '-cl-std=CL2.0')),
      nameOf(() => program.build(null, '-D')),
      nameOf(() => program.build(null, '-DN=1 -D M -w')),
      nameOf(() => program.build(find())),
    ]).toEqual([
      ...['INVALID_VALUE', 'INVALID_DEVICE', 'INVALID_BUILD_OPTIONS', 'INVALID_BUILD_OPTIONS'],
      ...[undefined, undefined],
    ]);
    const kernel = program.createKernel('g');
    expect(kernel.getWorkGroupInfo(null, webcl.KERNEL_WORK_GROUP_SIZE)).toBe(
      kernel.getWorkGroupInfo(find(), webcl.KERNEL_WORK_GROUP_SIZE),
    );
    expect(nameOf(() => kernel.getWorkGroupInfo({} as never, webcl.KERNEL_WORK_GROUP_SIZE))).toBe('INVALID_DEVICE');
  });

  test('sizes of launches', () => {
    const { context, queue } = open();
    const program = context.createProgram(SOURCE);
    program.build();
    const kernel = program.createKernel('g');
    kernel.setArg(0, context.createBuffer(webcl.MEM_READ_WRITE, 4096));
    const most = find().getInfo(webcl.DEVICE_MAX_WORK_ITEM_SIZES) as number[];
    const launch = (dimensions: number, offset: unknown, global: unknown, local: unknown = null) =>
      nameOf(() => queue.enqueueNDRangeKernel(kernel, dimensions, offset as null, global as [], local as null));
    expect([
      launch(4, null, [1, 1, 1, 1]),
      launch(1, null, null),
      launch(2, null, [4]),
      launch(1, null, [2 ** 32]),
      launch(1, [2 ** 32], [4]),
      launch(1, [2 ** 32 - 2], [4]),
      launch(1, [1, 1], [4]),
      launch(1, null, [4], [3]),
      launch(1, null, [4], [2, 2]),
      launch(1, null, [4], [2 * (most[0] ?? 0)]),
      launch(1, [2], [4], [2]),
    ]).toEqual([
      ...['INVALID_WORK_DIMENSION', 'TypeError', 'INVALID_GLOBAL_WORK_SIZE', 'INVALID_GLOBAL_WORK_SIZE'],
      ...['INVALID_GLOBAL_OFFSET', 'INVALID_GLOBAL_OFFSET', 'INVALID_GLOBAL_OFFSET'],
      ...['INVALID_WORK_GROUP_SIZE', 'INVALID_WORK_GROUP_SIZE', 'INVALID_WORK_ITEM_SIZE', undefined],
    ]);
  });

  test('callbacks do not block, and those of released events do not come', async () => {
    const { context, queue } = open();
    const gate = context.createUserEvent();
    const told: unknown[] = [];
    gate.setCallback(webcl.COMPLETE, () => told.push('released'));
    gate.release();
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 16);
    await new Promise<void>((resolve) => {
      queue.finish(() => {
        told.push(
          nameOf(() => webcl.createContext()),
          nameOf(() => context.createCommandQueue()),
          nameOf(() => queue.finish()),
          nameOf(() => queue.enqueueReadBuffer(buffer, true, 0, 16, new Uint8Array(16))),
          nameOf(() => queue.enqueueReadBuffer(buffer, false, 0, 16, new Uint8Array(16))),
        );
        resolve();
      });
    });
    expect(told).toEqual([...Array<string>(4).fill('INVALID_OPERATION'), undefined]);
    expect(nameOf(() => queue.finish())).toBeUndefined();
  });

  test('events that have failed', () => {
    if (lacks(device, 'commands beside the host', runsBesideHost(device))) return;
    const { context, queue } = open();
    const gate = context.createUserEvent();
    expect([nameOf(() => gate.setStatus(1)), nameOf(() => gate.setStatus(-5))]).toEqual(['INVALID_VALUE', undefined]);
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 16);
    const failed = 'EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST';
    expect([
      nameOf(() => queue.enqueueReadBuffer(buffer, true, 0, 16, new Uint8Array(16), [gate])),
      nameOf(() => webcl.waitForEvents([gate])),
      nameOf(() => webcl.waitForEvents([gate], () => undefined)),
      nameOf(() => gate.setStatus(webcl.COMPLETE)),
    ]).toEqual([failed, failed, failed, 'INVALID_OPERATION']);
  });
});
