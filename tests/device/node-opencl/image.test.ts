import { expect, test } from '@jest/globals';
import * as cl from '../../../src/node-opencl/index.ts';
import { build, read, withBench } from '../../helpers/node-opencl.ts';
import { lacks, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

const FORMAT = { channel_order: cl.RGBA, channel_data_type: cl.UNSIGNED_INT8 };
const WHOLE = [[0, 0, 0], [4, 4, 1], 0, 0] as const;

needs.opencl().describe.each(openclRows)('node-opencl: images on %s', (_, device) => {
  const bench = withBench(device);
  const has = (): boolean => !lacks(device, 'images', device.getInfo('IMAGE_SUPPORT'));
  const pixels = Uint8Array.from({ length: 64 }, (_, i) => i);
  const description = { type: cl.MEM_OBJECT_IMAGE2D, width: 4, height: 4 };
  const filled = (): cl.CLMem => cl.createImage(bench.context, cl.MEM_COPY_HOST_PTR, FORMAT, description, pixels);

  test('tell what they are', () => {
    if (!has()) return;
    const image = filled();
    const format = cl.getImageInfo(image, cl.IMAGE_FORMAT);
    expect(Array.isArray(format)).toBe(true);
    expect(format).toMatchObject(FORMAT);
    expect(cl.getImageInfo(image, cl.IMAGE_WIDTH)).toBe(4);
    expect(cl.getImageInfo(image, cl.IMAGE_ELEMENT_SIZE)).toBe(4);
    expect(cl.getMemObjectInfo(image, cl.MEM_TYPE)).toBe(cl.MEM_OBJECT_IMAGE2D);
    expect(() => cl.getImageInfo(image, -1)).toThrow(cl.INVALID_VALUE.message);
    expect(cl.getSupportedImageFormats(bench.context, cl.MEM_READ_ONLY, cl.MEM_OBJECT_IMAGE2D)).toContainEqual(FORMAT);
    cl.releaseMemObject(image);
  });

  test('refuse wrong descriptions', () => {
    if (!has()) return;
    const make = (format: unknown, desc: unknown, flags = 0): unknown =>
      cl.createImage(bench.context, flags, format as cl.ImageFormat, desc as cl.ImageDescription, null);
    expect(() => make(FORMAT, -1)).toThrow(cl.INVALID_IMAGE_DESCRIPTOR.message);
    // Each question for a property of an array's throws in the runtime's own words.
    expect(() => make(FORMAT, Object.create(new Uint8Array(4)))).toThrow(cl.INVALID_IMAGE_DESCRIPTOR.message);
    expect(() => make(-1, description)).toThrow(cl.INVALID_IMAGE_FORMAT_DESCRIPTOR.message);
    expect(() => make(FORMAT, description, -1)).toThrow(cl.INVALID_VALUE.message);
    expect(() => make(FORMAT, { ...description, width: -1 })).toThrow(cl.INVALID_VALUE.message);
  });

  test('are read, written, copied and filled', () => {
    if (!has()) return;
    const image = filled();
    const other = cl.createImage(bench.context, 0, FORMAT, description, null);
    const bytes = new Uint8Array(64);
    expect(cl.enqueueReadImage(bench.queue, image, true, ...WHOLE, bytes)).toBe(cl.SUCCESS);
    expect(bytes).toEqual(pixels);
    cl.enqueueWriteImage(bench.queue, image, true, [1, 1, 0], [2, 1, 1], 0, 0, new Uint8Array(8).fill(99));
    cl.enqueueCopyImage(bench.queue, image, other, [0, 0, 0], [0, 0, 0], [4, 4, 1]);
    cl.enqueueReadImage(bench.queue, other, true, ...WHOLE, bytes);
    expect([...bytes.subarray(18, 30)]).toEqual([18, 19, 99, 99, 99, 99, 99, 99, 99, 99, 28, 29]);
    cl.enqueueFillImage(bench.queue, other, Uint32Array.of(1, 2, 3, 4), [0, 0, 0], [1, 1, 1]);
    const buffer = cl.createBuffer(bench.context, 0, 64);
    cl.enqueueCopyImageToBuffer(bench.queue, other, buffer, [0, 0, 0], [2, 1, 1], 8);
    expect([...read(bench, buffer, 16).subarray(8)]).toEqual([1, 2, 3, 4, 4, 5, 6, 7]);
    cl.enqueueCopyBufferToImage(bench.queue, buffer, image, 8, [3, 3, 0], [1, 1, 1]);
    cl.enqueueReadImage(bench.queue, image, true, [3, 3, 0], [1, 1, 1], 0, 0, bytes);
    expect([...bytes.subarray(0, 4)]).toEqual([1, 2, 3, 4]);
    for (const one of [image, other, buffer]) cl.releaseMemObject(one);
  });

  test('that are too large for their array lose the rest', () => {
    if (!has()) return;
    expectWarnings('RAWKERNEL_SHORT_ARRAY');
    const image = cl.createImage(bench.context, cl.MEM_COPY_HOST_PTR, FORMAT, description, pixels.subarray(0, 32));
    const around = new Uint8Array(48).fill(255);
    cl.enqueueReadImage(bench.queue, image, true, ...WHOLE, around.subarray(0, 40));
    expect([...around]).toEqual([...pixels.subarray(0, 32), ...Buffer.alloc(8), ...Buffer.alloc(8, 255)]);
    cl.releaseMemObject(image);
  });

  test('are mapped with their pitches', () => {
    if (!has()) return;
    const image = filled();
    const mapped = cl.enqueueMapImage(bench.queue, image, true, cl.MAP_READ, [1, 1, 0], [2, 2, 1]);
    const pitch = mapped.image_row_pitch ?? 0;
    expect(pitch).toBeGreaterThanOrEqual(8);
    expect(mapped.image_slice_pitch).toEqual(expect.any(Number));
    expect(mapped.byteLength).toBe(pitch + 8);
    expect([...new Uint8Array(mapped, pitch, 8)]).toEqual([...pixels.subarray(36, 44)]);
    expect(cl.enqueueUnmapMemObject(bench.queue, image, mapped)).toBe(cl.SUCCESS);
    expect(mapped.byteLength).toBe(0);
    cl.releaseMemObject(image);
  });

  test('and samplers are arguments of kernels', () => {
    if (!has()) return;
    const source = `__kernel void get(__global uint4 *out, read_only image2d_t image, sampler_t s)
      { out[0] = read_imageui(image, s, (int2)(2, 1)); }`;
    const kernel = build(bench, source, 'get', '-cl-kernel-arg-info');
    const [image, buffer] = [filled(), cl.createBuffer(bench.context, 0, 16)];
    const sampler = cl.createSampler(bench.context, cl.FALSE, cl.ADDRESS_CLAMP_TO_EDGE, cl.FILTER_NEAREST);
    cl.setKernelArg(kernel, 0, 'uint4*', buffer);
    for (const type of ['cl_mem', 'image2d_t', null]) cl.setKernelArg(kernel, 1, type, image);
    for (const type of ['sampler_t', null]) cl.setKernelArg(kernel, 2, type, sampler);
    cl.enqueueTask(bench.queue, kernel);
    expect([...new Uint32Array(read(bench, buffer, 16).buffer)]).toEqual([24, 25, 26, 27]);
    expect(() => cl.setKernelArg(kernel, 2, 'sampler_t', image)).toThrow(cl.INVALID_SAMPLER.message);
    cl.releaseKernel(kernel);
    cl.releaseSampler(sampler);
    for (const one of [image, buffer]) cl.releaseMemObject(one);
  });

  test('of OpenCL 1.1', () => {
    if (!has()) return;
    const image = cl.createImage2D(bench.context, cl.MEM_COPY_HOST_PTR, FORMAT, 4, 4, 0, pixels);
    expect(cl.getImageInfo(image, cl.IMAGE_HEIGHT)).toBe(4);
    cl.releaseMemObject(image);
  });

  test('pipes, where a device has them', () => {
    expect(() => cl.createPipe(null as never, 0, 8, 100, null)).toThrow(cl.INVALID_CONTEXT.message);
    expect(() => cl.createPipe(bench.context, 0, 8, 100, ['a'] as never)).toThrow(cl.INVALID_VALUE.message);
    let pipe: cl.CLMem;
    try {
      pipe = cl.createPipe(bench.context, 0, 8, 100, null);
    } catch (error) {
      expect((error as Error).message).toBe(cl.INVALID_OPERATION.message);
      return;
    }
    expect(cl.getPipeInfo(pipe, cl.PIPE_PACKET_SIZE)).toBe(8);
    expect(cl.getPipeInfo(pipe, cl.PIPE_MAX_PACKETS)).toBe(100);
    cl.releaseMemObject(pipe);
  });
});
