import { describe, expect, test } from '@jest/globals';
import { Code } from '../../../../src/cpu/opencl/code.ts';
import { viewOf } from '../../../../src/ffi/memory.ts';
import { structs } from '../../../../src/opencl/sys/structs.ts';
import * as cl from '../../../../src/opencl/index.ts';
import {
  AddressingMode,
  ChannelOrder,
  ChannelType,
  FilterMode,
  ImageInfo,
  MapFlags,
  MemFlags,
  MemInfo,
  MemObjectType,
  SamplerInfo,
} from '../../../../src/opencl/sys/enums.ts';
import { make, raw, withCpuOpenCL } from '../../../helpers/cpu-opencl.ts';

const embedded = withCpuOpenCL();
const { table } = embedded;
const { IMAGE1D, IMAGE1D_ARRAY, IMAGE1D_BUFFER, IMAGE2D, IMAGE2D_ARRAY, IMAGE3D } = MemObjectType;
const { RGBA, R, BGRA, RG, sRGBA } = ChannelOrder;
const T = ChannelType;
const q = (): never => raw(embedded.queue);
const sizes = (...values: number[]): BigUint64Array => BigUint64Array.from(values.map(BigInt));

interface Shape {
  readonly type?: number;
  readonly order?: number;
  readonly channel?: number;
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  readonly layers?: number;
  readonly rowPitch?: number;
  readonly slicePitch?: number;
  readonly buffer?: bigint;
  readonly levels?: number;
  readonly flags?: number;
  readonly host?: ArrayBufferView;
}

function create(shape: Shape): { handle: never; status: number } {
  const { type = IMAGE2D, order = RGBA, channel = T.UNSIGNED_INT8, host } = shape;
  const { size, fields } = structs.cl_image_desc;
  const desc = new DataView(new ArrayBuffer(size));
  const put = (at: number, value: number | bigint = 0): void => desc.setBigUint64(at, BigInt(value), true);
  desc.setUint32(fields.image_type, type, true);
  put(fields.image_width, shape.width ?? 4);
  put(fields.image_height, shape.height ?? 3);
  put(fields.image_depth, shape.depth ?? 2);
  put(fields.image_array_size, shape.layers ?? 2);
  put(fields.image_row_pitch, shape.rowPitch);
  put(fields.image_slice_pitch, shape.slicePitch);
  desc.setUint32(fields.num_mip_levels, shape.levels ?? 0, true);
  put(fields.mem_object, shape.buffer);
  const flags = shape.flags ?? (host ? MemFlags.COPY_HOST_PTR : MemFlags.READ_WRITE);
  return make((errcode) =>
    table.clCreateImage(raw(embedded.ctx), flags, Uint32Array.of(order, channel), desc, host ?? 0n, errcode),
  );
}

function image(shape: Shape): never {
  const { handle, status } = create(shape);
  expect(status).toBe(Code.SUCCESS);
  return handle;
}

function ask(handle: never, [param]: readonly [number, string]): number {
  const value = new BigUint64Array(1);
  const query = param >= ImageInfo.FORMAT[0] ? table.clGetImageInfo : table.clGetMemObjectInfo;
  expect(query(handle, param, 8, value, 0n)).toBe(Code.SUCCESS);
  return Number(value[0]);
}

function read(
  handle: never,
  origin: BigUint64Array,
  region: BigUint64Array,
  byteLength: number,
  row = 0,
  slice = 0,
): number[] {
  const bytes = new Uint8Array(byteLength);
  const status = table.clEnqueueReadImage(q(), handle, 1, origin, region, row, slice, bytes, 0, 0n, 0n);
  expect(status).toBe(Code.SUCCESS);
  return [...bytes];
}

const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i);

describe('formats', () => {
  const list = (flags: number, type: number = IMAGE2D): Set<string> => {
    const count = new Uint32Array(1);
    expect(table.clGetSupportedImageFormats(raw(embedded.ctx), flags, type, 0, 0n, count)).toBe(Code.SUCCESS);
    const pairs = new Uint32Array(2 * (count[0] ?? 0));
    table.clGetSupportedImageFormats(raw(embedded.ctx), flags, type, count[0] ?? 0, pairs, 0n);
    return new Set(Array.from({ length: count[0] ?? 0 }, (_, i) => `${pairs[2 * i] ?? 0}/${pairs[2 * i + 1] ?? 0}`));
  };

  test('are those that the specification wants, and more', () => {
    const all = [
      T.UNORM_INT8, T.UNORM_INT16, T.SNORM_INT8, T.SNORM_INT16, T.SIGNED_INT8, T.SIGNED_INT16, T.SIGNED_INT32,
      T.UNSIGNED_INT8, T.UNSIGNED_INT16, T.UNSIGNED_INT32, T.HALF_FLOAT, T.FLOAT,
    ]; // prettier-ignore
    const wanted = [
      ...[R, RG, RGBA].flatMap((order) => all.map((type) => `${order}/${type}`)),
      `${BGRA}/${T.UNORM_INT8}`,
      `${ChannelOrder.DEPTH}/${T.UNORM_INT16}`,
      `${ChannelOrder.DEPTH}/${T.FLOAT}`,
    ];
    const [readable, writable] = [list(MemFlags.READ_ONLY), list(MemFlags.WRITE_ONLY)];
    for (const format of wanted) {
      expect(readable).toContain(format);
      expect(writable).toContain(format);
    }
    expect(readable).toContain(`${sRGBA}/${T.UNORM_INT8}`);
    expect(writable).not.toContain(`${sRGBA}/${T.UNORM_INT8}`);
  });

  test('and types of images that are none are refused', () => {
    const count = new Uint32Array(1);
    const { BUFFER } = MemObjectType;
    expect(table.clGetSupportedImageFormats(raw(embedded.ctx), 0, BUFFER, 0, 0n, count)).toBe(Code.INVALID_VALUE);
    expect(create({ order: 7 }).status).toBe(Code.INVALID_IMAGE_FORMAT_DESCRIPTOR);
    expect(create({ order: ChannelOrder.RGB, channel: T.FLOAT }).status).toBe(Code.IMAGE_FORMAT_NOT_SUPPORTED);
    expect(create({ order: sRGBA, channel: T.UNORM_INT8 }).status).toBe(Code.IMAGE_FORMAT_NOT_SUPPORTED);
  });
});

describe('images', () => {
  test('answer queries', () => {
    const expected: readonly (readonly [number, Record<string, number>])[] = [
      [IMAGE1D, { WIDTH: 4, HEIGHT: 0, DEPTH: 0, ARRAY_SIZE: 0, ROW_PITCH: 16, SLICE_PITCH: 0 }],
      [IMAGE1D_ARRAY, { WIDTH: 4, HEIGHT: 0, DEPTH: 0, ARRAY_SIZE: 2, ROW_PITCH: 16, SLICE_PITCH: 16 }],
      [IMAGE2D, { WIDTH: 4, HEIGHT: 3, DEPTH: 0, ARRAY_SIZE: 0, ROW_PITCH: 16, SLICE_PITCH: 0 }],
      [IMAGE2D_ARRAY, { WIDTH: 4, HEIGHT: 3, DEPTH: 0, ARRAY_SIZE: 2, ROW_PITCH: 16, SLICE_PITCH: 48 }],
      [IMAGE3D, { WIDTH: 4, HEIGHT: 3, DEPTH: 2, ARRAY_SIZE: 0, ROW_PITCH: 16, SLICE_PITCH: 48 }],
    ];
    for (const [type, facts] of expected) {
      const handle = image({ type });
      for (const [name, value] of Object.entries(facts)) {
        expect([type, name, ask(handle, ImageInfo[name as 'WIDTH'])]).toEqual([type, name, value]);
      }
      expect(ask(handle, ImageInfo.ELEMENT_SIZE)).toBe(4);
      expect(ask(handle, MemInfo.TYPE)).toBe(type);
      table.clReleaseMemObject(handle);
    }
    const format = new Uint32Array(2);
    const handle = image({});
    expect(table.clGetImageInfo(handle, ImageInfo.FORMAT[0], 8, format, 0n)).toBe(Code.SUCCESS);
    expect([...format]).toEqual([RGBA, T.UNSIGNED_INT8]);
    table.clReleaseMemObject(handle);
  });

  test('that cannot be are refused', () => {
    expect(create({ width: 0 }).status).toBe(Code.INVALID_IMAGE_SIZE);
    expect(create({ width: 2 ** 20 }).status).toBe(Code.INVALID_IMAGE_SIZE);
    expect(create({ type: MemObjectType.BUFFER }).status).toBe(Code.INVALID_IMAGE_DESCRIPTOR);
    expect(create({ levels: 2 }).status).toBe(Code.INVALID_IMAGE_DESCRIPTOR);
    expect(create({ type: IMAGE1D_BUFFER }).status).toBe(Code.INVALID_IMAGE_DESCRIPTOR);
    expect(create({ flags: MemFlags.COPY_HOST_PTR }).status).toBe(Code.INVALID_HOST_PTR);
    expect(create({ host: counting(48), flags: MemFlags.READ_WRITE }).status).toBe(Code.INVALID_HOST_PTR);
    expect(create({ host: counting(48), rowPitch: 8 }).status).toBe(Code.INVALID_IMAGE_DESCRIPTOR);
    expect(create({ host: counting(47) }).status).toBe(Code.INVALID_HOST_PTR);
    expect(table.clGetImageInfo(1n as never, ImageInfo.WIDTH[0], 0, 0n, 0n)).toBe(Code.INVALID_MEM_OBJECT);
  });

  test('are read and written in parts, with pitches of the host', () => {
    const handle = image({ type: IMAGE3D, host: counting(96) });
    expect(read(handle, sizes(1, 1, 1), sizes(2, 2, 1), 16)).toEqual([68, 69, 70, 71, 72, 73, 74, 75, 84, 85, 86, 87, 88, 89, 90, 91]); // prettier-ignore
    const padded = read(handle, sizes(0, 0, 0), sizes(1, 2, 2), 52, 8, 24);
    expect([padded.slice(0, 4), padded.slice(8, 12), padded.slice(24, 28)]).toEqual([
      [0, 1, 2, 3],
      [16, 17, 18, 19],
      [48, 49, 50, 51],
    ]);
    const pixel = Uint8Array.of(9, 8, 7, 6);
    expect(table.clEnqueueWriteImage(q(), handle, 1, sizes(3, 2, 1), sizes(1, 1, 1), 0, 0, pixel, 0, 0n, 0n)).toBe(
      Code.SUCCESS,
    );
    expect(read(handle, sizes(0, 0, 0), sizes(4, 3, 2), 96).slice(-4)).toEqual([9, 8, 7, 6]);
    const wrong = (origin: BigUint64Array, region: BigUint64Array, row = 0): number =>
      table.clEnqueueReadImage(q(), handle, 1, origin, region, row, 0, new Uint8Array(96), 0, 0n, 0n);
    expect(wrong(sizes(1, 0, 0), sizes(4, 1, 1))).toBe(Code.INVALID_VALUE);
    expect(wrong(sizes(0, 0, 0), sizes(4, 1, 0))).toBe(Code.INVALID_VALUE);
    expect(wrong(sizes(0, 0, 0), sizes(4, 1, 1), 8)).toBe(Code.INVALID_VALUE);
    table.clReleaseMemObject(handle);
  });

  test('in arrays have their layers in the last dimension', () => {
    const handle = image({ type: IMAGE1D_ARRAY, host: counting(32) });
    expect(read(handle, sizes(0, 1, 0), sizes(2, 1, 1), 8)).toEqual([16, 17, 18, 19, 20, 21, 22, 23]);
    table.clReleaseMemObject(handle);
    const layers = image({ type: IMAGE2D_ARRAY, host: counting(96) });
    expect(read(layers, sizes(0, 0, 1), sizes(1, 2, 1), 8)).toEqual([48, 49, 50, 51, 64, 65, 66, 67]);
    table.clReleaseMemObject(layers);
  });

  test('are filled with colours of every type', () => {
    const fill = (order: number, channel: number, color: ArrayBufferView): number[] => {
      const handle = image({ type: IMAGE1D, order, channel, width: 2 });
      expect(table.clEnqueueFillImage(q(), handle, color, sizes(1, 0, 0), sizes(1, 1, 1), 0, 0n, 0n)).toBe(0);
      const size = ask(handle, ImageInfo.ELEMENT_SIZE);
      const bytes = read(handle, sizes(1, 0, 0), sizes(1, 1, 1), size);
      table.clReleaseMemObject(handle);
      return bytes;
    };
    const float = Float32Array.of(1, 0.5, -2, 0.25);
    expect(fill(RGBA, T.UNORM_INT8, float)).toEqual([255, 128, 0, 64]);
    expect(fill(BGRA, T.UNORM_INT8, float)).toEqual([0, 128, 255, 64]);
    expect(fill(RGBA, T.SNORM_INT8, float)).toEqual([127, 64, 129, 32]);
    expect(fill(R, T.UNORM_INT16, float)).toEqual([255, 255]);
    expect(fill(RG, T.HALF_FLOAT, float)).toEqual([0, 0x3c, 0, 0x38]);
    expect(fill(ChannelOrder.A, T.FLOAT, float)).toEqual([0, 0, 0x80, 0x3e]);
    expect(fill(RGBA, T.SIGNED_INT8, Int32Array.of(1, -1, 200, -200))).toEqual([1, 255, 127, 128]);
    expect(fill(RG, T.UNSIGNED_INT16, Uint32Array.of(70_000, 258, 0, 0))).toEqual([255, 255, 2, 1]);
    expect(fill(R, T.SIGNED_INT32, Int32Array.of(-2, 0, 0, 0))).toEqual([254, 255, 255, 255]);
  });

  test('are copied to each other and to buffers', () => {
    const [from, to] = [image({ host: counting(48) }), image({ host: new Uint8Array(48) })];
    const copy = (
      source: never,
      target: never,
      at: BigUint64Array,
      toAt: BigUint64Array,
      region: BigUint64Array,
    ): number => table.clEnqueueCopyImage(q(), source, target, at, toAt, region, 0, 0n, 0n);
    expect(copy(from, to, sizes(0, 0, 0), sizes(2, 1, 0), sizes(2, 2, 1))).toBe(Code.SUCCESS);
    expect(read(to, sizes(2, 2, 0), sizes(1, 1, 1), 4)).toEqual([16, 17, 18, 19]);
    expect(copy(from, from, sizes(0, 0, 0), sizes(1, 1, 0), sizes(2, 2, 1))).toBe(Code.MEM_COPY_OVERLAP);
    const other = image({ channel: T.SIGNED_INT8 });
    expect(copy(from, other, sizes(0, 0, 0), sizes(0, 0, 0), sizes(1, 1, 1))).toBe(Code.IMAGE_FORMAT_MISMATCH);
    using buffer = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE, 32);
    const toBuffer = table.clEnqueueCopyImageToBuffer(
      q(), from, raw(buffer), sizes(1, 1, 0), sizes(2, 2, 1), 16, 0, 0n, 0n,
    ); // prettier-ignore
    expect(toBuffer).toBe(Code.SUCCESS);
    const bytes = new Uint8Array(16);
    cl.enqueueCopy(embedded.queue, bytes, buffer, { srcOffset: 16 });
    expect([...bytes]).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 36, 37, 38, 39, 40, 41, 42, 43]);
    const back = table.clEnqueueCopyBufferToImage(
      q(), raw(buffer), to, 16, sizes(0, 0, 0), sizes(1, 2, 1), 0, 0n, 0n,
    ); // prettier-ignore
    expect(back).toBe(Code.SUCCESS);
    expect(read(to, sizes(0, 0, 0), sizes(1, 2, 1), 8)).toEqual([20, 21, 22, 23, 24, 25, 26, 27]);
    const beyond = table.clEnqueueCopyBufferToImage(
      q(), raw(buffer), to, 20, sizes(0, 0, 0), sizes(2, 2, 1), 0, 0n, 0n,
    ); // prettier-ignore
    expect(beyond).toBe(Code.INVALID_VALUE);
    for (const handle of [from, to, other]) table.clReleaseMemObject(handle);
  });

  test('are mapped where they are', () => {
    const handle = image({ host: counting(48) });
    const [row, slice] = [new BigUint64Array(1), new BigUint64Array(1)];
    const map = (flags: number): { handle: bigint; status: number } =>
      make((errcode) =>
        table.clEnqueueMapImage(
          q(), handle, 1, flags, sizes(1, 1, 0), sizes(2, 2, 1), row, slice, 0, 0n, 0n, errcode,
        ),
      ); // prettier-ignore
    const { handle: pointer, status } = map(MapFlags.WRITE | MapFlags.READ);
    expect([status, row[0], slice[0]]).toEqual([Code.SUCCESS, 16n, 0n]);
    const view = new Uint8Array(viewOf(pointer, 24));
    expect([view[0], view[16]]).toEqual([20, 36]);
    view[0] = 200;
    expect(table.clEnqueueUnmapMemObject(q(), handle, pointer, 0, 0n, 0n)).toBe(Code.SUCCESS);
    expect(read(handle, sizes(1, 1, 0), sizes(1, 1, 1), 4)[0]).toBe(200);
    table.clReleaseMemObject(handle);
  });

  test('over host memory are brought up to date by mapping', () => {
    const host = counting(3 * 20);
    const handle = image({ host, flags: MemFlags.USE_HOST_PTR, rowPitch: 20 });
    const color = Uint32Array.of(1, 2, 3, 4);
    expect(table.clEnqueueFillImage(q(), handle, color, sizes(1, 1, 0), sizes(1, 1, 1), 0, 0n, 0n)).toBe(Code.SUCCESS);
    const row = new BigUint64Array(1);
    const { handle: pointer } = make((errcode) =>
      table.clEnqueueMapImage(
        q(), handle, 1, MapFlags.READ | MapFlags.WRITE, sizes(0, 0, 0), sizes(4, 3, 1), row, 0n, 0, 0n, 0n, errcode,
      ),
    ); // prettier-ignore
    expect(row[0]).toBe(20n);
    expect([...host.subarray(24, 28)]).toEqual([1, 2, 3, 4]);
    host[0] = 99;
    table.clEnqueueUnmapMemObject(q(), handle, pointer, 0, 0n, 0n);
    expect(read(handle, sizes(0, 0, 0), sizes(1, 1, 1), 4)[0]).toBe(99);
    table.clReleaseMemObject(handle);
  });

  test('over buffers share their bytes', () => {
    using buffer = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR, counting(64));
    const line = image({ type: IMAGE1D_BUFFER, width: 16, buffer: raw(buffer), flags: 0 });
    expect(read(line, sizes(3, 0, 0), sizes(1, 1, 1), 4)).toEqual([12, 13, 14, 15]);
    expect(ask(line, ImageInfo.BUFFER)).toBe(Number(raw(buffer)));
    cl.enqueueFill(embedded.queue, buffer, cl.uint8(5));
    expect(read(line, sizes(3, 0, 0), sizes(1, 1, 1), 4)).toEqual([5, 5, 5, 5]);
    expect(create({ type: IMAGE1D_BUFFER, width: 17, buffer: raw(buffer), flags: 0 }).status).toBe(
      Code.INVALID_IMAGE_SIZE,
    );
    const plane = image({ width: 3, height: 2, rowPitch: 32, buffer: raw(buffer), flags: 0 });
    expect(ask(plane, ImageInfo.ROW_PITCH)).toBe(32);
    for (const handle of [line, plane]) table.clReleaseMemObject(handle);
  });
});

describe('samplers', () => {
  const { REPEAT, CLAMP_TO_EDGE } = AddressingMode;

  test('are created in two ways, and answer queries', () => {
    const [normalized, addressing, filter] = [SamplerInfo.NORMALIZED_COORDS, SamplerInfo.ADDRESSING_MODE, SamplerInfo.FILTER_MODE]; // prettier-ignore
    const list = [normalized[0], 1, addressing[0], REPEAT, filter[0], FilterMode.LINEAR, 0];
    const { handle, status } = make((errcode) =>
      table.clCreateSamplerWithProperties(raw(embedded.ctx), sizes(...list), errcode),
    );
    expect(status).toBe(Code.SUCCESS);
    const value = new Uint32Array(1);
    for (const [row, expected] of [
      [normalized, 1],
      [addressing, REPEAT],
      [filter, FilterMode.LINEAR],
    ] as const) {
      // prettier-ignore
      table.clGetSamplerInfo(handle, row[0], 4, value, 0n);
      expect(value[0]).toBe(expected);
    }
    table.clRetainSampler(handle);
    table.clReleaseSampler(handle);
    table.clReleaseSampler(handle);
    expect(table.clRetainSampler(handle)).toBe(Code.INVALID_SAMPLER);
    const old = (...args: [number, number, number]): number =>
      make((errcode) => table.clCreateSampler(raw(embedded.ctx), ...args, errcode)).status;
    expect(old(1, REPEAT, FilterMode.NEAREST)).toBe(Code.SUCCESS);
    expect(old(0, REPEAT, FilterMode.NEAREST)).toBe(Code.INVALID_VALUE);
    expect(old(0, 5, FilterMode.NEAREST)).toBe(Code.INVALID_VALUE);
  });

  test('reach kernels as bits, and images as records', () => {
    const handle = image({ order: RG, channel: T.FLOAT, width: 5, height: 7 });
    const sampler = make((errcode) =>
      table.clCreateSampler(raw(embedded.ctx), 0, CLAMP_TO_EDGE, FilterMode.LINEAR, errcode),
    ).handle;
    using out = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE, 80);
    const kernel = make((errcode) => table.clCreateKernel(embedded.prg.raw('test'), 'look', errcode)).handle;
    const set = (index: number, value: bigint): number =>
      table.clSetKernelArg(kernel, index, 8, BigUint64Array.of(value));
    expect(set(0, raw(out))).toBe(Code.SUCCESS);
    expect(set(1, raw(out))).toBe(Code.INVALID_MEM_OBJECT);
    expect(set(1, image({ type: IMAGE3D }))).toBe(Code.INVALID_ARG_VALUE);
    expect(set(1, image({ flags: MemFlags.WRITE_ONLY }))).toBe(Code.INVALID_ARG_VALUE);
    expect(set(1, handle)).toBe(Code.SUCCESS);
    expect(set(2, handle)).toBe(Code.INVALID_SAMPLER);
    expect(set(2, sampler)).toBe(Code.SUCCESS);
    expect(table.clEnqueueTask(q(), kernel, 0, 0n, 0n)).toBe(Code.SUCCESS);
    const words = new Uint32Array(20);
    cl.enqueueCopy(embedded.queue, words, out);
    expect([(words[0] ?? 1) % 16, words[2]]).toEqual([0, 0x22]);
    const [, , width, height, depth, layers, rowPitch, , slicePitch, , order, type, bytes] = words.subarray(4);
    expect([width, height, depth, layers]).toEqual([5, 7, 1, 1]);
    expect([rowPitch, slicePitch, order, type, bytes]).toEqual([40, 280, RG, T.FLOAT, 8]);
    table.clReleaseKernel(kernel);
    table.clReleaseSampler(sampler);
    table.clReleaseMemObject(handle);
  });
});
