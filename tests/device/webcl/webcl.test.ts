import { afterEach, expect, test } from '@jest/globals';
import {
  webcl,
  WebCLEvent,
  WebCLException,
  type WebCLBuffer,
  type WebCLCommandQueue,
  type WebCLContext,
  type WebCLDevice,
  type WebCLKernel,
} from '../../../src/webcl/index.ts';
import { lacks, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
__kernel void add(__global int *a, int b, __local int *scratch) {
  scratch[get_local_id(0)] = a[get_global_id(0)];
  a[get_global_id(0)] = scratch[get_local_id(0)] + b;
}
__kernel void twice(__global int *a) { a[get_global_id(0)] *= 2; }
`;

/** The name and the code of what a call throws. */
function thrown(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof WebCLException) return [error.name, error.code];
    throw error;
  }
}

needs.opencl().describe.each(openclRows)('WebCL on %s', (_, device) => {
  const find = (): WebCLDevice => {
    for (const platform of webcl.getPlatforms()) {
      if (platform.getInfo(webcl.PLATFORM_NAME) !== device.platform.name) continue;
      const found = platform.getDevices().find((one) => one.getInfo(webcl.DEVICE_NAME) === device.name);
      if (found) return found;
    }
    throw new Error(`${device.name} is not there`);
  };
  const open = (): { context: WebCLContext; queue: WebCLCommandQueue } => {
    const context = webcl.createContext(find());
    return { context, queue: context.createCommandQueue() };
  };
  const build = (context: WebCLContext, name: string): WebCLKernel => {
    const program = context.createProgram(SOURCE);
    program.build();
    return program.createKernel(name);
  };
  const read = (queue: WebCLCommandQueue, buffer: WebCLBuffer, length: number): number[] => {
    const array = new Int32Array(length);
    queue.enqueueReadBuffer(buffer, true, 0, array.byteLength, array);
    return [...array];
  };

  afterEach(() => {
    webcl.releaseAll();
  });

  test('contexts are of a device, of devices, of a platform and of a type', () => {
    const own = find();
    const platform = own.getInfo(webcl.DEVICE_PLATFORM) as ReturnType<typeof webcl.getPlatforms>[0];
    expect(platform.getInfo(webcl.PLATFORM_NAME)).toBe(device.platform.name);
    for (const context of [webcl.createContext(own), webcl.createContext([own]), webcl.createContext(platform)]) {
      expect(context.getInfo(webcl.CONTEXT_NUM_DEVICES)).toBe(1);
    }
    expect(webcl.createContext(own).getInfo(webcl.CONTEXT_DEVICES)).toEqual([own]);
    expect(webcl.createContext(webcl.DEVICE_TYPE_ALL).getInfo(webcl.CONTEXT_NUM_DEVICES)).toBeGreaterThan(0);
    expect(thrown(() => webcl.createContext([]))).toEqual(['INVALID_VALUE', -30]);
    expect(() => webcl.createContext('gpu' as never)).toThrow(TypeError);
  });

  test('queries answer with numbers, texts and the objects themselves', () => {
    const { context, queue } = open();
    const own = find();
    expect(own.getInfo(webcl.DEVICE_GLOBAL_MEM_SIZE)).toBe(device.getInfo('GLOBAL_MEM_SIZE'));
    expect(own.getInfo(webcl.DEVICE_VERSION)).toMatch(/^WebCL 1\.0 OpenCL \d/);
    expect(queue.getInfo(webcl.QUEUE_CONTEXT)).toBe(context);
    const buffer = context.createBuffer(webcl.MEM_READ_ONLY, 64);
    const part = buffer.createSubBuffer(webcl.MEM_READ_ONLY, 0, 16);
    expect([part.getInfo(webcl.MEM_SIZE), part.getInfo(webcl.MEM_CONTEXT)]).toEqual([16, context]);
    expect([part.getInfo(webcl.MEM_ASSOCIATED_MEMOBJECT), buffer.getInfo(webcl.MEM_ASSOCIATED_MEMOBJECT)]).toEqual([
      buffer,
      null,
    ]);
    const sampler = context.createSampler(false, webcl.ADDRESS_CLAMP, webcl.FILTER_NEAREST);
    expect(sampler.getInfo(webcl.SAMPLER_FILTER_MODE)).toBe(webcl.FILTER_NEAREST);
    expect(own.enableExtension('KHR_none')).toBe(false);
    // WebCL has no query of the reference count.
    expect(thrown(() => context.getInfo(0x1080))).toEqual(['INVALID_VALUE', -30]);
    expect(thrown(() => buffer.getInfo(webcl.DEVICE_NAME))).toEqual(['INVALID_VALUE', -30]);
  });

  test('a kernel takes buffers, values, and sizes of local memory', () => {
    const { context, queue } = open();
    const kernel = build(context, 'add');
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 16, Int32Array.of(1, 2, 3, 4));
    kernel.setArg(0, buffer);
    kernel.setArg(1, Int32Array.of(10));
    kernel.setArg(2, Uint32Array.of(16));
    queue.enqueueNDRangeKernel(kernel, 1, null, [4], [4]);
    expect(read(queue, buffer, 4)).toEqual([11, 12, 13, 14]);
    expect(kernel.getInfo(webcl.KERNEL_FUNCTION_NAME)).toBe('add');
    expect(kernel.getArgInfo(0)).toMatchObject({ name: 'a', typeName: 'int', addressQualifier: 'global' });
    expect(kernel.getArgInfo(2)).toMatchObject({ addressQualifier: 'local', accessQualifier: 'none' });
    expect(kernel.getWorkGroupInfo(find(), webcl.KERNEL_LOCAL_MEM_SIZE)).toEqual(expect.any(Number));
  });

  test('an argument of the wrong kind is refused before the driver reads it', () => {
    const { context } = open();
    const kernel = build(context, 'add');
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 16);
    expect(thrown(() => kernel.setArg(0, BigUint64Array.of(1n)))).toEqual(['INVALID_ARG_VALUE', -50]);
    expect(thrown(() => kernel.setArg(1, buffer))).toEqual(['INVALID_ARG_VALUE', -50]);
    expect(thrown(() => kernel.setArg(2, Uint32Array.of(1, 2)))).toEqual(['INVALID_ARG_VALUE', -50]);
    expect(thrown(() => kernel.setArg(9, buffer))).toEqual(['INVALID_ARG_INDEX', -49]);
    for (const value of [Float64Array.of(1), Uint32Array.of(1), Float32Array.of(1), Int32Array.of(1, 2)]) {
      expect(thrown(() => kernel.setArg(1, value))).toEqual(['INVALID_ARG_VALUE', -50]);
    }
  });

  test('memory begins as zeros, and takes no flags but its own', () => {
    const { context, queue } = open();
    expect(read(queue, context.createBuffer(webcl.MEM_READ_WRITE, 64), 16)).toEqual(Array<number>(16).fill(0));
    expect(thrown(() => context.createBuffer(8, 64))).toEqual(['INVALID_VALUE', -30]);
    for (const size of [0, -1, 0.5, NaN, 2 ** 40]) {
      expect(thrown(() => context.createBuffer(webcl.MEM_READ_ONLY, size))).toEqual(['INVALID_BUFFER_SIZE', -61]);
    }
    const short = new Uint8Array(4);
    expect(thrown(() => context.createBuffer(webcl.MEM_READ_ONLY, 8, short))).toEqual(['INVALID_HOST_PTR', -37]);
  });

  test('commands copy, read and write, linearly and by boxes', () => {
    const { context, queue } = open();
    const [a, b] = [16, 16].map((size) => context.createBuffer(webcl.MEM_READ_WRITE, size)) as [
      WebCLBuffer,
      WebCLBuffer,
    ];
    queue.enqueueWriteBuffer(a, false, 0, 16, Int32Array.of(1, 2, 3, 4));
    queue.enqueueCopyBuffer(a, b, 8, 0, 8);
    queue.enqueueBarrier();
    expect(read(queue, b, 4)).toEqual([3, 4, 0, 0]);
    queue.enqueueCopyBufferRect(a, b, [0, 0, 0], [4, 0, 0], [4, 2, 1], 8, 0, 8, 0);
    expect(read(queue, b, 4)).toEqual([3, 1, 0, 3]);
    const box = new Int32Array(2);
    queue.enqueueReadBufferRect(a, true, [4, 0, 0], [0, 0, 0], [4, 2, 1], 8, 0, 4, 0, box);
    expect([...box]).toEqual([2, 4]);
    queue.enqueueWriteBufferRect(a, true, [0, 0, 0], [0, 0, 0], [4, 2, 1], 8, 0, 4, 0, Int32Array.of(8, 9));
    expect(read(queue, a, 4)).toEqual([8, 2, 9, 4]);
    expect(thrown(() => queue.enqueueReadBuffer(a, true, 0, 16, new Uint8Array(8)))).toEqual(['INVALID_VALUE', -30]);
    expect(thrown(() => queue.enqueueReadBuffer(a, true, 12, 16, new Uint8Array(16)))).toEqual(['INVALID_VALUE', -30]);
  });

  test('images', () => {
    if (lacks(device, 'images', device.getInfo('IMAGE_SUPPORT'))) return;
    const { context, queue } = open();
    const formats = context.getSupportedImageFormats();
    expect(formats).toContainEqual({ ...formats[0], channelOrder: webcl.RGBA, channelType: webcl.UNSIGNED_INT8 });
    const descriptor = { channelType: webcl.UNSIGNED_INT8, width: 2, height: 2 };
    const image = context.createImage(
      webcl.MEM_READ_WRITE,
      descriptor,
      Uint8Array.from({ length: 16 }, (_one, i) => i),
    );
    expect(image.getInfo()).toEqual({ ...descriptor, channelOrder: webcl.RGBA, rowPitch: 8 });
    const pixels = new Uint8Array(8);
    queue.enqueueReadImage(image, true, [1, 0], [1, 2], 0, pixels);
    expect([...pixels]).toEqual([4, 5, 6, 7, 12, 13, 14, 15]);
    const other = context.createImage(webcl.MEM_READ_WRITE, descriptor);
    queue.enqueueWriteImage(other, true, [0, 0], [1, 1], 0, Uint8Array.of(9, 9, 9, 9));
    queue.enqueueCopyImage(other, image, [0, 0], [1, 1], [1, 1]);
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 16);
    queue.enqueueCopyImageToBuffer(image, buffer, [0, 1], [2, 1], 4);
    expect(read(queue, buffer, 4).map((word) => word & 0xff)).toEqual([0, 8, 9, 0]);
    queue.enqueueCopyBufferToImage(buffer, image, 4, [0, 0], [1, 1]);
    queue.enqueueReadImage(image, true, [0, 0], [1, 1], 0, pixels);
    expect([...pixels.subarray(0, 4)]).toEqual([8, 9, 10, 11]);
    const flat = { width: 0, height: 4 };
    expect(thrown(() => context.createImage(webcl.MEM_READ_ONLY, flat))).toEqual(['INVALID_IMAGE_SIZE', -40]);
  });

  test('an event is filled by its command, once', async () => {
    const { context } = open();
    const queue = context.createCommandQueue(null, webcl.QUEUE_PROFILING_ENABLE);
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 16);
    const event = new WebCLEvent();
    expect(thrown(() => event.getInfo(webcl.EVENT_COMMAND_TYPE))).toEqual(['INVALID_EVENT', -58]);
    queue.enqueueWriteBuffer(buffer, false, 0, 16, Int32Array.of(1, 2, 3, 4), null, event);
    expect(thrown(() => queue.enqueueMarker(event))).toEqual(['INVALID_EVENT', -58]);
    // Nothing of a callback's runs inside a call that blocks, and none of them holds it up.
    const told: unknown[] = [];
    event.setCallback(webcl.COMPLETE, (own) => told.push(own));
    queue.finish();
    expect(told).toEqual([]);
    await new Promise<void>((resolve) => queue.finish(resolve));
    await new Promise<void>((resolve) => webcl.waitForEvents([event], resolve));
    expect(told).toEqual([event]);
    expect(event.getInfo(webcl.EVENT_COMMAND_TYPE)).toBe(webcl.COMMAND_WRITE_BUFFER);
    expect(event.getInfo(webcl.EVENT_COMMAND_EXECUTION_STATUS)).toBe(webcl.COMPLETE);
    expect(event.getInfo(webcl.EVENT_COMMAND_QUEUE)).toBe(queue);
    const [start, end] = [webcl.PROFILING_COMMAND_START, webcl.PROFILING_COMMAND_END].map((name) =>
      event.getProfilingInfo(name),
    ) as [number, number];
    expect(end).toBeGreaterThanOrEqual(start);
    event.release();
    expect(thrown(() => event.getInfo(webcl.EVENT_COMMAND_TYPE))).toEqual(['INVALID_EVENT', -58]);
  });

  test('a user event holds commands back; a call that would wait for it for ever is refused', () => {
    if (lacks(device, 'commands beside the host', runsBesideHost(device))) return;
    const { context, queue } = open();
    const gate = context.createUserEvent();
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 4, Int32Array.of(3));
    const kernel = build(context, 'twice');
    kernel.setArg(0, buffer);
    queue.enqueueNDRangeKernel(kernel, 1, null, [1], null, [gate]);
    const array = new Int32Array(1);
    expect(thrown(() => queue.enqueueReadBuffer(buffer, true, 0, 4, array))).toEqual(['INVALID_EVENT_WAIT_LIST', -57]);
    expect(thrown(() => queue.finish())).toEqual(['INVALID_EVENT_WAIT_LIST', -57]);
    expect(thrown(() => webcl.waitForEvents([gate]))).toEqual(['INVALID_EVENT_WAIT_LIST', -57]);
    gate.setStatus(webcl.COMPLETE);
    expect(read(queue, buffer, 1)).toEqual([6]);
  });

  test('a build tells how it went, with a callback too', async () => {
    const { context } = open();
    const own = find();
    const program = context.createProgram('__kernel void f(__global int *a) { a[0] = N; }');
    await new Promise<void>((resolve) => program.build([own], '-DN=5', resolve));
    expect(program.getBuildInfo(own, webcl.PROGRAM_BUILD_STATUS)).toBe(webcl.BUILD_SUCCESS);
    expect(String(program.getBuildInfo(own, webcl.PROGRAM_BUILD_OPTIONS)).trim()).toBe('-DN=5');
    expect(program.createKernelsInProgram()).toHaveLength(1);
    expect(program.getInfo(webcl.PROGRAM_DEVICES)).toEqual([context.getInfo(webcl.CONTEXT_DEVICES)].flat());
    const wrong = context.createProgram('__kernel void f(__global int *a) { a[0] = ; }');
    expect(thrown(() => wrong.build())).toEqual(['BUILD_PROGRAM_FAILURE', -11]);
    expect(wrong.getBuildInfo(own, webcl.PROGRAM_BUILD_STATUS)).toBe(webcl.BUILD_ERROR);
    expect(wrong.getBuildInfo(own, webcl.PROGRAM_BUILD_LOG)).not.toBe('');
    expect(thrown(() => context.createProgram(''))).toEqual(['INVALID_VALUE', -30]);
  });

  test('what was released is refused; releaseAll() releases what a context has', () => {
    const { context, queue } = open();
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 16);
    const other = context.createBuffer(webcl.MEM_READ_WRITE, 16);
    buffer.release();
    buffer.release();
    expect(thrown(() => buffer.getInfo(webcl.MEM_SIZE))).toEqual(['INVALID_MEM_OBJECT', -38]);
    context.releaseAll();
    expect(thrown(() => other.getInfo(webcl.MEM_SIZE))).toEqual(['INVALID_MEM_OBJECT', -38]);
    expect(thrown(() => queue.flush())).toEqual(['INVALID_COMMAND_QUEUE', -36]);
    expect(thrown(() => context.createUserEvent())).toEqual(['INVALID_CONTEXT', -34]);
  });
});
