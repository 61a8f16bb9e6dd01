import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpuDriver } from '../../../../src/cpu/driver-table.ts';
import { fitsLimits, textureAttributes } from '../../../../src/cpu/driver/texture-limits.ts';
import { Status } from '../../../../src/cpu/abi/status.ts';
import { AddressMode, Array3DFlags, ArrayFormat, FilterMode, MemoryType } from '../../../../src/cuda/sys/enums.ts';
import { ResourceType, ResourceViewFormat, TextureFlags } from '../../../../src/cuda/sys/enums.ts';
import { structs } from '../../../../src/cuda/sys/structs.ts';

type Handle = Parameters<ReturnType<typeof cpuDriver>['cuArrayDestroy']>[0];
type Struct = keyof typeof structs;

const table = cpuDriver({ workers: 1 });
const slot = new BigUint64Array(1);

/** A struct with some of its fields set. */
function filled(name: Struct, values: Readonly<Record<string, number | bigint>>): DataView {
  const { size, fields } = structs[name] as { size: number; fields: Readonly<Record<string, number>> };
  const view = new DataView(new ArrayBuffer(size));
  for (const [field, value] of Object.entries(values)) {
    const at = fields[field];
    if (at === undefined) throw new RangeError(`${name} has no ${field}`);
    const following = Object.values(fields).filter((other) => other > at);
    const wide = Math.min(size, ...following) - at >= 8;
    if (wide) view.setBigUint64(at, BigInt(value), true);
    else view.setUint32(at, Number(value), true);
  }
  return view;
}

const IMAGE = { Width: 16, Height: 8, Format: ArrayFormat.FLOAT, NumChannels: 1 };
const array = (more: Readonly<Record<string, number | bigint>> = {}): DataView =>
  filled('CUDA_ARRAY3D_DESCRIPTOR', { ...IMAGE, ...more });

function made(description: DataView): Handle {
  expect(table.cuArray3DCreate(slot, description)).toBe(Status.SUCCESS);
  return slot[0] as Handle;
}

const over = (handle: bigint): DataView =>
  filled('CUDA_RESOURCE_DESC', { resType: ResourceType.ARRAY, 'res.array.hArray': handle });
const sampling = (more: Readonly<Record<string, number>> = {}): DataView => filled('CUDA_TEXTURE_DESC', more);

beforeAll(() => {
  table.cuCtxCreate(slot, 0, 0);
});
afterAll(() => {
  table.cuCtxDestroy(slot[0] as Parameters<typeof table.cuCtxDestroy>[0]);
});

describe('arrays of the embedded device', () => {
  const { LAYERED, CUBEMAP, TEXTURE_GATHER, SURFACE_LDST } = Array3DFlags;

  test.each([
    ['an unknown format', { Format: 5 }],
    ['three channels', { NumChannels: 3 }],
    ['no width', { Width: 0 }],
    ['a depth without a height', { Height: 0, Depth: 4 }],
    ['no layers', { Flags: LAYERED }],
    ['a cube that is not square', { Depth: 6, Flags: CUBEMAP }],
    ['a cube of five faces', { Height: 16, Depth: 5, Flags: CUBEMAP }],
    ['cubes without the flag for layers', { Height: 16, Depth: 12, Flags: CUBEMAP }],
    ['a gather in three dimensions', { Depth: 4, Flags: TEXTURE_GATHER }],
    ['a row that is too wide', { Width: 131_073, Height: 0 }],
    ['a surface that is too wide', { Width: 32_769, Height: 0, Flags: SURFACE_LDST }],
    ['too many layers', { Depth: 2049, Flags: LAYERED }],
  ])('%s is refused', (_, more) => {
    expect(table.cuArray3DCreate(slot, array(more))).toBe(Status.INVALID_VALUE);
    expect(table.cuMipmappedArrayCreate(slot, array(more), 1)).toBe(Status.INVALID_VALUE);
  });

  test('flags for memory that is mapped later are not supported', () => {
    expect(table.cuArray3DCreate(slot, array({ Flags: 0x40 }))).toBe(Status.NOT_SUPPORTED);
  });

  test('an array counts as memory, tells its shape, and is gone when it is destroyed', () => {
    const info = new BigUint64Array(2);
    const free = (): bigint => {
      expect(table.cuMemGetInfo(info.subarray(0, 1), info.subarray(1))).toBe(0);
      return info[0] ?? 0n;
    };
    const before = free();
    const handle = made(array({ Depth: 3, Width: 1000, Height: 1000 }));
    expect(Number(before - free())).toBeGreaterThanOrEqual(12e6);
    const description = new DataView(new ArrayBuffer(structs.CUDA_ARRAY3D_DESCRIPTOR.size));
    expect(table.cuArray3DGetDescriptor(description, handle)).toBe(0);
    expect(new Uint8Array(description.buffer)).toEqual(
      new Uint8Array(array({ Depth: 3, Width: 1000, Height: 1000 }).buffer),
    );
    expect(table.cuArrayDestroy(handle)).toBe(0);
    expect(free()).toBe(before);
    expect(table.cuArrayDestroy(handle)).toBe(Status.INVALID_HANDLE);
    expect(table.cuArray3DGetDescriptor(description, handle)).toBe(Status.INVALID_HANDLE);
  });

  test('an array that is larger than the memory is refused', () => {
    const size = { Width: 16_384, Height: 16_384, Depth: 16_384 };
    expect(table.cuArray3DCreate(slot, array(size))).toBe(Status.OUT_OF_MEMORY);
  });

  test('levels are a part of their array', () => {
    expect(table.cuMipmappedArrayCreate(slot, array(), 99)).toBe(0);
    const whole = slot[0] as Parameters<typeof table.cuMipmappedArrayDestroy>[0];
    expect(table.cuMipmappedArrayGetLevel(slot, whole, 5)).toBe(Status.INVALID_VALUE);
    expect(table.cuMipmappedArrayGetLevel(slot, whole, 4)).toBe(0);
    const level = slot[0] as Handle;
    const description = new DataView(new ArrayBuffer(structs.CUDA_ARRAY3D_DESCRIPTOR.size));
    table.cuArray3DGetDescriptor(description, level);
    expect([description.getUint32(0, true), description.getUint32(8, true)]).toEqual([1, 1]);
    expect(table.cuArrayDestroy(level)).toBe(Status.INVALID_VALUE);
    expect(table.cuMipmappedArrayDestroy(whole)).toBe(0);
    expect(table.cuArrayDestroy(level)).toBe(Status.INVALID_HANDLE);
  });

  test('a copy beyond an array, or of a part of an element, is refused', () => {
    const handle = made(array());
    const copy = (more: Readonly<Record<string, number>>): number =>
      table.cuMemcpy3D(
        filled('CUDA_MEMCPY3D', {
          ...{ srcMemoryType: MemoryType.ARRAY, srcArray: handle, dstMemoryType: MemoryType.ARRAY, dstArray: handle },
          ...{ WidthInBytes: 64, Height: 8, Depth: 1, ...more },
        }),
      );
    expect(copy({})).toBe(0);
    for (const wrong of [
      { srcXInBytes: 4 },
      { WidthInBytes: 62 },
      { dstXInBytes: 2, WidthInBytes: 4 },
      { dstY: 1 },
      { srcZ: 1 },
      { Depth: 2 },
    ]) {
      expect([wrong, copy(wrong)]).toEqual([wrong, Status.INVALID_VALUE]);
    }
    expect(copy({ srcMemoryType: 9 })).toBe(Status.INVALID_VALUE);
    table.cuArrayDestroy(handle);
    expect(copy({})).toBe(Status.INVALID_HANDLE);
  });
});

describe('textures of the embedded device', () => {
  test.each([
    ['an unknown address mode', { addressMode: 4 }],
    ['an unknown filter', { filterMode: 2 }],
    ['an unknown flag', { flags: 0x400 }],
    ['a blend of integers', { flags: TextureFlags.READ_AS_INTEGER, filterMode: FilterMode.LINEAR }],
  ])('%s is refused', (_, more) => {
    const handle = made(array({ Format: ArrayFormat.UNSIGNED_INT8 }));
    expect(table.cuTexObjectCreate(slot, over(handle), sampling(more), 0n)).toBe(Status.INVALID_VALUE);
    expect(table.cuTexObjectCreate(slot, over(handle), 0n, 0n)).toBe(Status.INVALID_VALUE);
    expect(table.cuTexObjectCreate(slot, 0n, sampling(), 0n)).toBe(Status.INVALID_VALUE);
    table.cuArrayDestroy(handle);
    expect(table.cuTexObjectCreate(slot, over(handle), sampling(), 0n)).toBe(Status.INVALID_HANDLE);
  });

  test('words are not blended, not even without a flag', () => {
    const handle = made(array({ Format: ArrayFormat.SIGNED_INT32 }));
    const linear = sampling({ filterMode: FilterMode.LINEAR });
    expect(table.cuTexObjectCreate(slot, over(handle), linear, 0n)).toBe(Status.INVALID_VALUE);
    table.cuArrayDestroy(handle);
  });

  test('levels need normalized coordinates', () => {
    table.cuMipmappedArrayCreate(slot, array(), 3);
    const whole = slot[0] as Parameters<typeof table.cuMipmappedArrayDestroy>[0];
    const resource = { resType: ResourceType.MIPMAPPED_ARRAY, 'res.mipmap.hMipmappedArray': whole };
    const description = filled('CUDA_RESOURCE_DESC', resource);
    expect(table.cuTexObjectCreate(slot, description, sampling(), 0n)).toBe(Status.INVALID_VALUE);
    const normalized = sampling({ flags: TextureFlags.NORMALIZED_COORDINATES, addressMode: AddressMode.MIRROR });
    expect(table.cuTexObjectCreate(slot, description, normalized, 0n)).toBe(0);
    expect(table.cuTexObjectDestroy(slot[0] as Handle & bigint)).toBe(0);
    table.cuMipmappedArrayDestroy(whole);
  });

  test.each([
    ['another size of elements', { format: ResourceViewFormat.UINT_1X16 }],
    ['an unknown format', { format: 99 }],
    ['another width', { width: 8 }],
    ['levels that there are not', { lastMipmapLevel: 1 }],
    ['layers that there are not', { firstLayer: 2, lastLayer: 4 }],
    ['layers in the wrong order', { firstLayer: 2, lastLayer: 0 }],
  ])('a view with %s is refused', (_, more) => {
    const handle = made(array({ Depth: 4, Flags: Array3DFlags.LAYERED }));
    const view = (values: Readonly<Record<string, number>>): DataView =>
      filled('CUDA_RESOURCE_VIEW_DESC', { width: 16, height: 8, depth: 4, lastLayer: 3, ...values });
    expect(table.cuTexObjectCreate(slot, over(handle), sampling(), view(more))).toBe(Status.INVALID_VALUE);
    expect(table.cuTexObjectCreate(slot, over(handle), sampling(), view({}))).toBe(0);
    expect(table.cuTexObjectDestroy(slot[0] as Handle & bigint)).toBe(0);
    table.cuArrayDestroy(handle);
  });

  test('memory must be there, aligned and as large as it is said to be', () => {
    table.cuMemAlloc(slot, 4096);
    const memory = slot[0] as Parameters<typeof table.cuMemFree>[0];
    const linear = (more: Readonly<Record<string, number | bigint>>): number =>
      table.cuTexObjectCreate(
        slot,
        filled('CUDA_RESOURCE_DESC', {
          ...{ resType: ResourceType.LINEAR, 'res.linear.devPtr': memory, 'res.linear.format': ArrayFormat.FLOAT },
          ...{ 'res.linear.numChannels': 1, 'res.linear.sizeInBytes': 4096, ...more },
        }),
        sampling(),
        0n,
      );
    const pitched = (more: Readonly<Record<string, number | bigint>>): number =>
      table.cuTexObjectCreate(
        slot,
        filled('CUDA_RESOURCE_DESC', {
          ...{ resType: ResourceType.PITCH2D, 'res.pitch2D.devPtr': memory, 'res.pitch2D.format': ArrayFormat.FLOAT },
          ...{ 'res.pitch2D.numChannels': 1, 'res.pitch2D.width': 16, 'res.pitch2D.height': 64 },
          ...{ 'res.pitch2D.pitchInBytes': 64, ...more },
        }),
        sampling(),
        0n,
      );
    expect([linear({}), pitched({})]).toEqual([0, 0]);
    for (const wrong of [
      { 'res.linear.devPtr': memory + 4n },
      { 'res.linear.sizeInBytes': 4100 },
      { 'res.linear.sizeInBytes': 3 },
      { 'res.linear.numChannels': 3 },
      { flags: 1 },
    ]) {
      expect([Object.keys(wrong), linear(wrong)]).toEqual([Object.keys(wrong), Status.INVALID_VALUE]);
    }
    for (const wrong of [
      { 'res.pitch2D.pitchInBytes': 60 },
      { 'res.pitch2D.pitchInBytes': 32 },
      { 'res.pitch2D.height': 65 },
      { 'res.pitch2D.height': 0 },
      { resType: 7 },
    ]) {
      expect([Object.keys(wrong), pitched(wrong)]).toEqual([Object.keys(wrong), Status.INVALID_VALUE]);
    }
    table.cuMemFree(memory);
  });

  test('a surface needs an array that was made for it; each object has its own way to go', () => {
    const plain = made(array());
    expect(table.cuSurfObjectCreate(slot, over(plain))).toBe(Status.INVALID_VALUE);
    const written = made(array({ Flags: Array3DFlags.SURFACE_LDST }));
    expect(table.cuSurfObjectCreate(slot, over(written))).toBe(0);
    const surface = slot[0] as Handle & bigint;
    expect(table.cuTexObjectDestroy(surface)).toBe(Status.INVALID_VALUE);
    expect(table.cuSurfObjectDestroy(surface)).toBe(0);
    expect(table.cuSurfObjectDestroy(surface)).toBe(Status.INVALID_VALUE);
    for (const handle of [plain, written]) table.cuArrayDestroy(handle);
  });
});

test('limits are those that the attributes tell', () => {
  expect(new Set(textureAttributes.map(([attribute]) => attribute)).size).toBe(textureAttributes.length);
  expect(fitsLimits('TEXTURE3D', { WIDTH: 16_384, HEIGHT: 16_384, DEPTH: 16_384 })).toBe(true);
  expect(fitsLimits('TEXTURE3D', { WIDTH: 8192, HEIGHT: 8192, DEPTH: 32_768 })).toBe(true);
  expect(fitsLimits('TEXTURE3D', { WIDTH: 16_384, HEIGHT: 1, DEPTH: 16_385 })).toBe(false);
});
