import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { lacks, mindsLists, mindsPitches, numbers, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;
const { R, RGBA } = cl.ChannelOrder;
const { FLOAT, SIGNED_INT32, UNORM_INT8, UNSIGNED_INT8, UNSIGNED_INT32 } = cl.ChannelType;
const T = cl.MemObjectType;

const SOURCE = `
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void read1d(read_only image1d_t in, __global float *out)
{ int x = get_global_id(0); out[x] = read_imagef(in, nearest, x).x; }
__kernel void read_buffer(read_only image1d_buffer_t in, __global uint *out)
{ int x = get_global_id(0); out[x] = read_imageui(in, x).x; }
__kernel void read1d_array(read_only image1d_array_t in, __global float *out)
{ int x = get_global_id(0), y = get_global_id(1);
  out[y * get_global_size(0) + x] = read_imagef(in, nearest, (int2)(x, y)).x; }
__kernel void read2d(read_only image2d_t in, sampler_t s, __global float *out)
{ int x = get_global_id(0), y = get_global_id(1);
  out[y * get_global_size(0) + x] = read_imagef(in, s, (float2)(x, y)).x; }
__kernel void read2d_array(read_only image2d_array_t in, __global float *out)
{ int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imagef(in, nearest, (int4)(x, y, z, 0)).x; }
__kernel void read3d(read_only image3d_t in, __global float *out)
{ int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imagef(in, nearest, (int4)(x, y, z, 0)).x; }
__kernel void second3d(read_only image3d_t in, __global float *out)
{ int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imagef(in, nearest, (int4)(x, y, z, 0)).y; }
__kernel void write2d(write_only image2d_t out)
{ int x = get_global_id(0), y = get_global_id(1); write_imagei(out, (int2)(x, y), (int4)(10 * y + x, 0, 0, 1)); }
__kernel void look(read_only image2d_t in, sampler_t s, __global float *out, float x, float y)
{ out[0] = read_imagef(in, s, (float2)(x, y)).x; }`;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program;
  const without = (): boolean => lacks(device, 'images', device.imageSupport);

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    if (device.imageSupport) prg = new cl.Program(ctx, SOURCE).build();
  });
  afterAll(() => {
    if (device.imageSupport) prg.close();
    queue.close();
    ctx.close();
  });

  const floats = (order: number = R): cl.ImageFormat => new cl.ImageFormat(order, FLOAT);
  const source = (shape: cl.ImageSize | cl.ImageDescriptor, host: Float32Array): cl.Image =>
    new cl.Image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, floats(), shape, host);
  const outputOf = (name: string, global: cl.Dims, count: number, ...args: cl.KernelArgument[]): number[] => {
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 4 * count);
    prg.kernel(name)(queue, global, null, ...args, out);
    const result = new Float32Array(count);
    cl.enqueueCopy(queue, result, out);
    return [...result];
  };
  const contentOf = (image: cl.Image, count: number): number[] => {
    const result = new Float32Array(count);
    cl.enqueueCopy(queue, result, image);
    return [...result];
  };

  test('getSupportedImageFormats lists formats for each type of image', () => {
    if (without()) return;
    const formats = cl.getSupportedImageFormats(ctx, mf.READ_ONLY);
    expect(formats.length).toBeGreaterThan(5);
    expect(formats.some((format) => format.equals(new cl.ImageFormat(RGBA, UNORM_INT8)))).toBe(true);
    for (const type of [T.IMAGE1D, T.IMAGE1D_ARRAY, T.IMAGE1D_BUFFER, T.IMAGE2D_ARRAY, T.IMAGE3D]) {
      expect(Array.isArray(cl.getSupportedImageFormats(ctx, mf.READ_ONLY, type))).toBe(true);
    }
    expect(() => cl.getSupportedImageFormats(ctx, mf.READ_ONLY, T.BUFFER)).toThrow(RangeError);
  });

  test('Image is read by kernels: 1D, 1D array, 2D, 2D array, 3D', () => {
    if (without()) return;
    const data = numbers(24, 5);
    const all = [...data];
    using line = source([24], data);
    expect(outputOf('read1d', 24, 24, line)).toEqual(all);
    using lines = source({ shape: [6, 4], isArray: true }, data);
    expect(outputOf('read1d_array', [6, 4], 24, lines)).toEqual(all);
    using plane = source([6, 4], data);
    using sampler = new cl.Sampler(ctx, false, cl.AddressingMode.CLAMP_TO_EDGE, cl.FilterMode.NEAREST);
    expect(outputOf('read2d', [6, 4], 24, plane, sampler)).toEqual(all);
    using planes = source({ shape: [4, 3, 2], isArray: true }, data);
    expect(outputOf('read2d_array', [4, 3, 2], 24, planes)).toEqual(all);
    using space = source([4, 3, 2], data);
    expect(outputOf('read3d', [4, 3, 2], 24, space)).toEqual(all);
    const types = [line, lines, plane, planes, space].map(({ type }) => type);
    expect(types).toEqual([T.IMAGE1D, T.IMAGE1D_ARRAY, T.IMAGE2D, T.IMAGE2D_ARRAY, T.IMAGE3D]);
  });

  test('ImageFormat tells what a pixel is made of, and is equal by that', () => {
    const format = new cl.ImageFormat(RGBA, FLOAT);
    expect([format.channelOrder, format.channelType]).toEqual([RGBA, FLOAT]);
    expect([format.channelCount, format.channelBytes, format.elementBytes, format.channelKind]).toEqual([
      4,
      4,
      16,
      'float',
    ]);
    const packed = new cl.ImageFormat(cl.ChannelOrder.RGB, cl.ChannelType.UNORM_SHORT_565);
    expect([packed.channelCount, packed.channelBytes, packed.elementBytes]).toEqual([3, 2, 2]);
    expect(new cl.ImageFormat(cl.ChannelOrder.RGBx, UNORM_INT8).elementBytes).toBe(4);
    expect(format.equals(new cl.ImageFormat(RGBA, FLOAT))).toBe(true);
    expect(format.equals(packed)).toBe(false);
    expect(() => Object.assign(format, { channelType: UNORM_INT8 })).toThrow(TypeError);
  });

  test('Image of three dimensions and two channels is read by kernels', () => {
    if (without()) return;
    const data = numbers(2 * 24, 7);
    const order = cl.ChannelOrder.RG;
    const has = cl.getSupportedImageFormats(ctx, mf.READ_ONLY, T.IMAGE3D).some((one) => one.equals(floats(order)));
    if (lacks(device, 'format RG FLOAT', has)) return;
    using image = cl.imageFromArray(ctx, data, [4, 3, 2], { channels: 2 });
    expect(outputOf('second3d', [4, 3, 2], 24, image)).toEqual([...data].filter((__, i) => i % 2 === 1));
  });

  test('Image over a buffer shares its bytes', () => {
    if (without()) return;
    using buffer = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, Uint32Array.of(1, 2, 3, 4));
    using image = new cl.Image(ctx, 0, new cl.ImageFormat(R, UNSIGNED_INT32), { shape: 4, buffer });
    expect(image.type).toBe(T.IMAGE1D_BUFFER);
    cl.enqueueFill(queue, buffer, cl.uint32(9), { offset: 8 });
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 16);
    prg.kernel('read_buffer')(queue, 4, null, image, out);
    const result = new Uint32Array(4);
    cl.enqueueCopy(queue, result, out);
    expect([...result]).toEqual([1, 2, 9, 9]);
    expect(image.getInfo('ASSOCIATED_MEMOBJECT')).toBe(buffer.use('test'));
    expect(() => new cl.Image(ctx, 0, image.format, { shape: 5, buffer })).toThrow(/20 bytes; the buffer has 16/);
  });

  test('Image of two dimensions over a buffer has its row pitch', () => {
    if (without()) return;
    const alignment = ((): number => {
      try {
        return device.imagePitchAlignment;
      } catch {
        return 0;
      }
    })();
    using buffer = new cl.Buffer(ctx, mf.READ_WRITE, 4 * 1024 * 4);
    const make = (width: number, pitch: number): cl.Image =>
      new cl.Image(ctx, 0, floats(), { shape: [width, 4], buffer, pitches: [pitch] });
    if (alignment === 0) {
      expect(() => make(8, 4096)).toThrow('cl_khr_image2d_from_buffer');
      return;
    }
    using image = make(8, 4096);
    cl.enqueueCopy(
      queue,
      buffer,
      Float32Array.from({ length: 4096 }, (__, i) => i),
    );
    expect(contentOf(image, 32)).toEqual(
      [0, 1, 2, 3].flatMap((y) => Array.from({ length: 8 }, (__, x) => 1024 * y + x)),
    );
    expect(image.getImageInfo('ROW_PITCH')).toBe(4096);
    if (alignment > 1) expect(() => make(8, 4096 + 4)).toThrow('multiple of');
  });

  test('Image is written by kernels', () => {
    if (without()) return;
    using image = new cl.Image(ctx, mf.WRITE_ONLY, new cl.ImageFormat(R, SIGNED_INT32), [3, 2]);
    prg.kernel('write2d')(queue, [3, 2], null, image);
    const result = new Int32Array(6);
    cl.enqueueCopy(queue, result, image);
    expect([...result]).toEqual([0, 1, 2, 10, 11, 12]);
  });

  test('Image takes a host array with pitches', () => {
    if (without() || lacks(device, 'pitches of host arrays', mindsPitches(device))) return;
    const host = Float32Array.of(1, 2, 3, -1, 4, 5, 6, -1);
    using image = source({ shape: [3, 2], pitches: [16] }, host);
    expect(contentOf(image, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    using space = source({ shape: [1, 2, 2], pitches: [4, 16] }, host);
    expect(contentOf(space, 4)).toEqual([1, 2, 4, 5]);
  });

  test('Image with USE_HOST_PTR works on the host array', () => {
    if (without()) return;
    const host = new Float32Array(4 * 4 * 4).fill(2);
    using image = new cl.Image(ctx, mf.READ_WRITE | mf.USE_HOST_PTR, floats(RGBA), [4, 4], host);
    cl.enqueueFill(queue, image, [1, 2, 3, 4]);
    using map = cl.enqueueMapImage(queue, image, cl.MapFlags.READ, { type: 'f32' });
    expect([...map.array.subarray(0, 4)]).toEqual([1, 2, 3, 4]);
    expect([...host.subarray(0, 8)]).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
  });

  test('Image tells its sizes and the driver’s properties', () => {
    if (without()) return;
    using image = new cl.Image(ctx, mf.READ_WRITE, floats(RGBA), [4, 3, 2]);
    expect([image.width, image.height, image.depth, image.arraySize]).toEqual([4, 3, 2, 0]);
    expect(image.shape).toEqual([4, 3, 2]);
    expect(image.getImageInfo('ELEMENT_SIZE')).toBe(16);
    expect(image.getImageInfo(cl.ImageInfo.WIDTH[0], 'u64')).toBe(4n);
    expect(image.getInfo('TYPE')).toBe(T.IMAGE3D);
    expect(image.byteLength).toBeGreaterThanOrEqual(4 * 3 * 2 * 16);
    expect(image.referenceCount).toBe(1);
    using layers = new cl.Image(ctx, mf.READ_WRITE, floats(), { shape: [4, 3, 2], isArray: true });
    expect([layers.width, layers.height, layers.depth, layers.arraySize]).toEqual([4, 3, 0, 2]);
  });

  test('imageFromArray makes formats of arrays', () => {
    if (without()) return;
    const data = numbers(4 * 6, 3);
    using image = cl.imageFromArray(ctx, data, [3, 2], { channels: 4 });
    expect(String(image.format)).toBe('RGBA FLOAT');
    expect(contentOf(image, 24)).toEqual([...data]);
    using bytes = cl.imageFromArray(ctx, new Uint8Array(8), [2, 1], { channels: 4, normalized: true });
    expect(String(bytes.format)).toBe('RGBA UNORM_INT8');
    using written = cl.imageFromArray(ctx, new Int32Array(24), [3, 2], { channels: 4, mode: 'w' });
    expect([String(written.format), written.flags]).toEqual(['RGBA SIGNED_INT32', mf.WRITE_ONLY]);
    using halves = cl.imageFromArray(ctx, new Uint16Array(24), [3, 2], {
      channels: 4,
      channelType: cl.ChannelType.HALF_FLOAT,
    });
    expect(String(halves.format)).toBe('RGBA HALF_FLOAT');
    expect(() => cl.imageFromArray(ctx, new Float64Array(4), [2, 2])).toThrow('no channel type fits a Float64Array');
    expect(() => cl.imageFromArray(ctx, data, [3, 3], { channels: 4 })).toThrow('144 bytes; the host array has 96');
    expect(() => cl.imageFromArray(ctx, data, [3, 2], { normalized: true })).toThrow('cannot be normalised');
  });

  test('enqueueFill fills images with colours of every kind', () => {
    if (without()) return;
    using image = new cl.Image(ctx, mf.READ_WRITE, floats(RGBA), [3, 2]);
    cl.enqueueFill(queue, image, cl.float4(1, 2, 3, 4));
    cl.enqueueFill(queue, image, [5, 6, 7, 8], { origin: [1, 1], region: [2, 1] });
    expect(contentOf(image, 24)).toEqual([1, 1, 1, 1, 5, 5].flatMap((r) => [r, r + 1, r + 2, r + 3]));
    using bytes = new cl.Image(ctx, mf.READ_WRITE, new cl.ImageFormat(RGBA, UNSIGNED_INT8), [2, 1]);
    cl.enqueueFill(queue, bytes, [1, 2, 3, 255]);
    const pixels = new Uint8Array(8);
    cl.enqueueCopy(queue, pixels, bytes);
    expect([...pixels]).toEqual([1, 2, 3, 255, 1, 2, 3, 255]);
    using shades = new cl.Image(ctx, mf.READ_WRITE, new cl.ImageFormat(RGBA, UNORM_INT8), [1, 1]);
    cl.enqueueFill(queue, shades, [1, 0, 1, 0]);
    const pixel = new Uint8Array(4);
    cl.enqueueCopy(queue, pixel, shades);
    expect([...pixel]).toEqual([255, 0, 255, 0]);
    expect(() => cl.enqueueFill(queue, bytes, [0.5, 0, 0, 0])).toThrow(RangeError);
    expect(() => cl.enqueueFill(queue, bytes, cl.float4(1, 2, 3, 4))).toThrow('a uint4');
    expect(() => cl.enqueueFill(queue, image, [1, 2, 3, 4], { origin: [3, 0] })).toThrow(RangeError);
    expect(() => cl.enqueueFill(queue, image, [1, 2, 3, 4], { offset: 0 })).toThrow("no option 'offset'");
  });

  test('enqueueMapImage gives the pages, with their pitches', () => {
    if (without()) return;
    const data = Float32Array.from({ length: 24 }, (__, i) => i);
    using image = new cl.Image(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, floats(), [4, 3, 2], data);
    const map = cl.enqueueMapImage(queue, image, cl.MapFlags.READ | cl.MapFlags.WRITE, {
      type: 'f32',
      origin: [1, 1],
      region: [2, 2, 2],
    });
    const at = (x: number, y: number, z: number): number => (y * map.rowPitch + z * map.slicePitch) / 4 + x;
    expect([map.array[0], map.array[at(1, 1, 0)], map.array[at(0, 0, 1)]]).toEqual([5, 10, 17]);
    map.array[at(1, 1, 1)] = 100;
    map.unmap().wait();
    expect(map.array).toHaveLength(0);
    expect(contentOf(image, 24)[22]).toBe(100);
    using lines = new cl.Image(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, floats(), { shape: [4, 3], isArray: true }, data);
    using layers = cl.enqueueMapImage(queue, lines, cl.MapFlags.READ, { type: 'f32', origin: [0, 1], region: [4, 2] });
    expect(layers.array[0]).toBe(4);
    expect(layers.array[layers.slicePitch / 4]).toBe(8);
  });

  test('enqueueMigrate moves images', () => {
    if (without()) return;
    using image = source([2, 2], Float32Array.of(1, 2, 3, 4));
    cl.enqueueMigrate(queue, [image]).wait();
    cl.enqueueMigrate(queue, [image], { flags: cl.MigrationFlags.HOST }).wait();
    expect(contentOf(image, 4)).toEqual([1, 2, 3, 4]);
  });

  test('Sampler tells its properties, in both forms of creation', () => {
    if (without()) return;
    using one = new cl.Sampler(ctx, true, cl.AddressingMode.REPEAT, cl.FilterMode.LINEAR);
    expect([one.normalizedCoords, one.addressingMode, one.filterMode]).toEqual([
      true,
      cl.AddressingMode.REPEAT,
      cl.FilterMode.LINEAR,
    ]);
    const { NORMALIZED_COORDS, FILTER_MODE } = cl.SamplerProperty;
    using other = new cl.Sampler(ctx, [NORMALIZED_COORDS, 0, FILTER_MODE, cl.FilterMode.LINEAR]);
    expect([other.normalizedCoords, other.addressingMode, other.filterMode]).toEqual([
      false,
      cl.AddressingMode.CLAMP,
      cl.FilterMode.LINEAR,
    ]);
    expect(other.referenceCount).toBe(1);
  });

  test('Sampler decides what a kernel reads', () => {
    if (without()) return;
    const { CLAMP_TO_EDGE, CLAMP, REPEAT } = cl.AddressingMode;
    const { NEAREST, LINEAR } = cl.FilterMode;
    using image = source([4, 1], Float32Array.of(10, 20, 30, 40));
    const look = (normalized: boolean, addressing: number, filter: number, x: number, y: number): number => {
      using sampler = new cl.Sampler(ctx, normalized, addressing, filter);
      using out = new cl.Buffer(ctx, mf.READ_WRITE, 4);
      prg.kernel('look')(queue, 1, null, image, sampler, out, x, y);
      const result = new Float32Array(1);
      cl.enqueueCopy(queue, result, out);
      return result[0] ?? NaN;
    };
    expect(look(false, CLAMP_TO_EDGE, NEAREST, 9, 0)).toBe(40);
    expect(look(false, CLAMP, NEAREST, 9, 0)).toBe(0);
    expect(look(true, REPEAT, NEAREST, 1.3, 0.5)).toBe(20);
    expect(look(false, CLAMP_TO_EDGE, LINEAR, 2, 0.5)).toBeCloseTo(25);
  });

  test('Kernel takes images and samplers where they belong', () => {
    if (without()) return;
    using plane = source([2, 2], new Float32Array(4));
    using space = source([2, 2, 1], new Float32Array(4));
    using sampler = new cl.Sampler(ctx, false, cl.AddressingMode.CLAMP, cl.FilterMode.NEAREST);
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 16);
    const read =
      (...args: unknown[]) =>
      (): cl.Event =>
        prg.kernel('read2d')(queue, 1, null, ...(args as never[]));
    expect(read(space, sampler, out)).toThrow(/argument 0 .*takes a 2D image, got a 3D image/);
    expect(read(out, sampler, out)).toThrow(/argument 0 .*takes an Image, a 2D image, got a Buffer/);
    expect(read(plane, plane, out)).toThrow(/argument 1 .*takes a Sampler, got an Image/);
    expect(read(plane, sampler, plane)).toThrow(/argument 2 .*pass a Buffer/);
    expect(read(null, sampler, out)).toThrow(TypeError);
    expect(() => prg.kernel('write2d')(queue, 1, null, plane)).toThrow(/is write_only; the image was made READ_ONLY/);
    using other = new cl.Context(device);
    using foreign = new cl.Sampler(other, false, cl.AddressingMode.CLAMP, cl.FilterMode.NEAREST);
    expect(read(plane, foreign, out)).toThrow('another context');
    const closed = source([2, 2], new Float32Array(4));
    closed.close();
    expect(read(closed, sampler, out)).toThrow(cl.ClosedError);
    read(plane, sampler, out)().wait();
  });

  test('Image refuses impossible images before the driver is called', () => {
    if (without()) return;
    const make =
      (shape: unknown, host?: unknown, flags: number = mf.READ_ONLY) =>
      (): cl.Image =>
        new cl.Image(ctx, flags, floats(), shape as never, host as never);
    for (const shape of [[], [1, 1, 1, 1], null, '4', [0], [-1], [1.5], [NaN], [2 ** 40, 1], { shape: [1], size: 2 }]) {
      expect(make(shape)).toThrow(/^Image/);
    }
    expect(make({ shape: [4], isArray: true })).toThrow('must end with the number of its layers');
    expect(make([2, 2], new Float32Array(4))).toThrow('COPY_HOST_PTR');
    expect(make([2, 2], undefined, mf.COPY_HOST_PTR)).toThrow('need a host array');
    expect(make([2, 2], new Float32Array(3), mf.COPY_HOST_PTR)).toThrow('16 bytes; the host array has 12');
    expect(make({ shape: [2, 2], pitches: [7] }, new Float32Array(4), mf.COPY_HOST_PTR)).toThrow(RangeError);
    expect(make({ shape: [2, 2], pitches: [16] })).toThrow('pitches need a host array or a buffer');
    expect(make({ shape: [4], buffer: {} })).toThrow('must be a Buffer or an Image');
    expect(() => new cl.Image(ctx, 1, {} as never, [1])).toThrow('takes an ImageFormat');
    expect(() => new cl.ImageFormat(1, FLOAT)).toThrow(RangeError);
    expect(() => new cl.ImageFormat('R' as never, FLOAT)).toThrow(TypeError);
    for (const list of [[1], [1, 2, 3], [0x1152, 2], [0x1153, 1], [0x1152, 0, 0x1152, 0], ['a', 1]]) {
      expect(() => new cl.Sampler(ctx, list as never)).toThrow(/^Sampler/);
    }
    expect(() => new cl.Sampler(ctx, false, cl.AddressingMode.REPEAT, cl.FilterMode.NEAREST)).toThrow('normalised');
    expect(() => new cl.Sampler(ctx, 1 as never, 0, 0)).toThrow(TypeError);
  });

  test('Image says which formats there are instead', () => {
    if (without() || lacks(device, 'check of formats', mindsLists(device))) return;
    const formats = cl.getSupportedImageFormats(ctx, mf.READ_WRITE);
    const missing = Object.values(cl.ChannelOrder)
      .map((order) => new cl.ImageFormat(order, UNSIGNED_INT32))
      .find((format) => !formats.some((one) => one.equals(format)));
    if (lacks(device, 'format that is missing', missing !== undefined) || !missing) return;
    const make = (): cl.Image => new cl.Image(ctx, mf.READ_WRITE, missing, [2, 2]);
    expect(make).toThrow(cl.OpenCLLogicError);
  });
});
