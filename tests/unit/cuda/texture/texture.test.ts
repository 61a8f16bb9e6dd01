import { afterEach, describe, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { CudaError } from '../../../../src/cuda/errors.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { MipmappedArray, OpaqueArray } from '../../../../src/cuda/texture/opaque-array.ts';
import { Surface } from '../../../../src/cuda/texture/surface.ts';
import { structs } from '../../../../src/cuda/sys/structs.ts';
import { Texture } from '../../../../src/cuda/texture/texture.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.busy = false;
  fake.onCall = undefined;
});

/** 0, 1, 2 … as bytes. */
function ramp(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => i);
}

/** The routines that a run calls. */
function routinesOf(run: () => void): string[] {
  const routines: string[] = [];
  fake.onCall = (name) => routines.push(name);
  run();
  fake.onCall = undefined;
  return routines;
}

describe('Texture', () => {
  /** What the driver was told of a texture. */
  function told(texture: Texture) {
    const object = fake.objects.get(texture.handle);
    if (!object?.sampling) throw new Error('There is no such texture');
    const { sampling, resource, view } = object;
    const ints = (at: number, count: number): number[] =>
      Array.from({ length: count }, (_, i) => sampling.getUint32(at + 4 * i, true));
    const floats = (at: number, count: number): number[] =>
      Array.from({ length: count }, (_, i) => sampling.getFloat32(at + 4 * i, true));
    const [filter = 0, flags = 0, anisotropy = 0, mipmapFilter = 0] = ints(12, 4);
    return {
      modes: ints(0, 3),
      filter,
      flags,
      anisotropy,
      mipmapFilter,
      levels: floats(28, 3),
      color: floats(40, 4),
      resource,
      view,
    };
  }
  const words = (view: DataView | undefined, ats: readonly number[]): number[] =>
    ats.map((at) => view?.getUint32(at, true) ?? -1);

  test('over an array reads elements by default', () => {
    using array = new OpaqueArray({ width: 4, height: 4, dtype: 'i16' });
    using texture = new Texture(array);
    expect(told(texture)).toMatchObject({
      modes: [1, 1, 1],
      filter: 0,
      flags: 1,
      anisotropy: 1,
      levels: [0, 0, 0],
      color: [0, 0, 0, 0],
      view: undefined,
    });
    expect(told(texture).resource.getBigUint64(structs.CUDA_RESOURCE_DESC.fields['res.array.hArray'], true)).toBe(
      array.handle,
    );
    expect(texture.source).toBe(array);
  });

  test('has every mode', () => {
    using array = new OpaqueArray({ width: 4, height: 4, dtype: 'u8', channels: 4 });
    using texture = new Texture(array, {
      addressMode: ['wrap', 'mirror', 'border'],
      filterMode: 'linear',
      normalizedCoords: true,
      normalizedReads: true,
      srgb: true,
      borderColor: [0.5, 1],
      maxAnisotropy: 16,
      seamlessCubemap: true,
      trilinearOptimization: false,
    });
    expect(told(texture)).toMatchObject({
      modes: [0, 2, 3],
      filter: 1,
      flags: 0x72,
      anisotropy: 16,
      color: [0.5, 1, 0, 0],
    });
    using floats = new OpaqueArray({ width: 4, dtype: 'f32' });
    using plain = new Texture(floats, { filterMode: 'linear', addressMode: 'border' });
    expect(told(plain)).toMatchObject({ modes: [3, 3, 3], filter: 1, flags: 0 });
  });

  test('over a mipmapped array reads all levels, or a view of some', () => {
    using array = new MipmappedArray({ width: 16, height: 8, dtype: 'f32' });
    using all = new Texture(array, { normalizedCoords: true, mipmapFilterMode: 'linear', mipmapLevelBias: -0.5 });
    expect(told(all)).toMatchObject({ mipmapFilter: 1, levels: [-0.5, 0, 4], view: undefined });
    using some = new Texture(array, {
      view: { firstLevel: 1, lastLevel: 2, dtype: 'u32' },
      minMipmapLevel: 0.25,
      maxMipmapLevel: 1,
    });
    expect(told(some)).toMatchObject({ flags: 1, levels: [0, 0.25, 1] });
    expect(words(told(some).view, [0, 8, 16, 24, 32, 36, 40, 44])).toEqual([0x0d, 16, 8, 0, 1, 2, 0, 0]);
    expect(words(told(some).resource, [0])).toEqual([1]);
  });

  test('over layers reads a view of some', () => {
    using array = new OpaqueArray({ width: 4, height: 4, layers: 5, dtype: 'u8', channels: 4 });
    using texture = new Texture(array, { view: { firstLayer: 1, lastLayer: 3, dtype: 'f32', channels: 1 } });
    expect(words(told(texture).view, [0, 8, 16, 24, 32, 36, 40, 44])).toEqual([0x16, 4, 4, 5, 0, 0, 1, 3]);
    expect(told(texture).flags).toBe(0);
  });

  test('over linear memory reads all of it, or as much as is asked for', () => {
    using memory = memAlloc(70);
    using texture = new Texture(memory, { dtype: 'f32', channels: 2 });
    expect(words(told(texture).resource, [0, 16, 20, 24])).toEqual([2, 0x20, 2, 64]);
    expect(told(texture).resource.getBigUint64(8, true)).toBe(memory.ptr);
    using part = new Texture(memory.ptr, { dtype: 'u8', byteLength: 12, normalizedReads: true });
    expect(words(told(part).resource, [0, 16, 20, 24])).toEqual([2, 1, 1, 12]);
    expect(told(part).flags).toBe(0);
  });

  test('over pitched memory reads rows', () => {
    using memory = memAlloc(64 * 3);
    const sizes = { width: 5, height: 3, pitch: 64 };
    using texture = new Texture(memory, {
      dtype: 'u16',
      channels: 4,
      ...sizes,
      filterMode: 'linear',
      normalizedReads: true,
    });
    expect(words(told(texture).resource, [0, 16, 20, 24, 32, 40])).toEqual([3, 2, 4, 5, 3, 64]);
  });

  test('keeps alive what it reads, and is freed once', () => {
    const memory = memAlloc(64);
    const array = new OpaqueArray({ width: 4, dtype: 'f32' });
    const before = { ...fake.live };
    const first = new Texture(memory, { dtype: 'u8' });
    const second = new Texture(array);
    memory.free();
    array.free();
    expect(fake.live).toEqual({ ...before, texture: before.texture + 2 });
    expect(routinesOf(() => first.free())).toEqual(
      expect.arrayContaining(['cuCtxSynchronize', 'cuTexObjectDestroy', 'cuMemFree']),
    );
    second.free();
    expect(fake.live).toEqual({ ...before, memory: before.memory - 1, array: before.array - 1 });
    expect(() => {
      second.free();
    }).toThrow(ClosedError);
    expect(() => second.handle).toThrow(ClosedError);
    expect(() => new Texture(array)).toThrow(ClosedError);
    expect(() => new Texture(memory, { dtype: 'u8' })).toThrow(ClosedError);
  });

  test.each([
    [{ addressMode: 'repeat' }, /addressMode must be 'wrap' or 'clamp' or/],
    [{ addressMode: [] }, /addressMode has 1 to 3 directions, got 0/],
    [{ addressMode: 'wrap' }, /addressMode 'wrap' needs normalizedCoords/],
    [{ filterMode: 'cubic' }, /filterMode must be 'point' or 'linear'/],
    [{ filterMode: 'linear' }, /reads of u8 are integers.*normalizedReads/],
    [{ srgb: true }, /srgb is for u8 elements with normalizedReads/],
    [{ normalizedCoords: 1 }, /normalizedCoords must be true or false/],
    [{ maxAnisotropy: 17 }, /maxAnisotropy must be an integer from 1 to 16, got 17/],
    [{ borderColor: [] }, /borderColor must be an array of 1 to 4 numbers/],
    [{ borderColor: [NaN] }, /borderColor must be from .*got NaN/],
    [{ borderColor: ['1'] }, /borderColor must be a number, got the string "1"/],
    [{ mipmapFilterMode: 'point' }, /Texture of an array has no option 'mipmapFilterMode'/],
    [{ view: { firstLayer: 1 } }, /view: firstLayer must be an integer from 0 to 0, got 1/],
    [{ view: { dtype: 'u16' } }, /elements of 2 bytes cannot replace elements of 1/],
    [{ view: 5 }, /view must be an options object, got 5/],
    [{ dtype: 'u8' }, /no option 'dtype'/],
    [null, /takes options, got null/],
  ])('an array with %j is an error before the driver is called', (options, message) => {
    using array = new OpaqueArray({ width: 4, height: 4, dtype: 'u8' });
    const routines = routinesOf(() => {
      expect(() => new Texture(array, options as never)).toThrow(message);
    });
    expect(routines).not.toContain('cuTexObjectCreate');
  });

  test.each([
    [{ minMipmapLevel: 3, maxMipmapLevel: 2 }, /maxMipmapLevel must be from 3 to 3, got 2/],
    [{ maxMipmapLevel: 4 }, /maxMipmapLevel must be from 0 to 3, got 4/],
    [{ mipmapLevelBias: Infinity }, /mipmapLevelBias must be from/],
    [{ normalizedReads: true }, /normalizedReads is for integers of 8 and 16 bits; the elements are f32/],
    [{ view: { firstLevel: 2, lastLevel: 1 } }, /lastLevel must be an integer from 2 to 3, got 1/],
  ])('a mipmapped array with %j is an error', (options, message) => {
    using array = new MipmappedArray({ width: 8, height: 8, dtype: 'f32' });
    expect(() => new Texture(array, options as never)).toThrow(message);
  });

  test.each([
    [{}, /dtype must be one of/],
    [{ dtype: 'u8', filterMode: 'linear' }, /Texture of linear memory has no option 'filterMode'/],
    [{ dtype: 'f32', byteLength: 6 }, /byteLength must be a multiple of the 4 bytes of an element, got 6/],
    [{ dtype: 'f32', byteLength: 2 }, /byteLength must be an integer >= 4, got 2/],
    [{ dtype: 'u8', byteLength: 128 }, /has 64 bytes; 128 were asked for/],
    [{ dtype: 'u8', byteLength: 2 ** 40 }, /1099511627776 elements; the device allows 1024/],
    [{ dtype: 'u8', width: 8 }, /height must be a number, got undefined/],
    [{ dtype: 'u8', width: 8, height: 2, pitch: 7 }, /pitch must be an integer >= 8, got 7/],
    [{ dtype: 'u8', width: 8, height: 2, pitch: 40 }, /pitch is 40; it must be a multiple of 32/],
    [{ dtype: 'u8', width: 8, height: 3, pitch: 32 }, /has 64 bytes; 72 were asked for/],
  ])('memory with %j is an error before the driver is called', (options, message) => {
    using memory = memAlloc(64);
    const routines = routinesOf(() => {
      expect(() => new Texture(memory, options as never)).toThrow(message);
    });
    expect(routines).not.toContain('cuTexObjectCreate');
  });

  test('needs aligned memory, a size, and memory at all', () => {
    using memory = memAlloc(64);
    const at = 16 - Number(memory.ptr % 16n);
    expect(() => new Texture(memory.slice(at + 4), { dtype: 'u8' })).toThrow(/not a multiple of 16 bytes/);
    expect(() => new Texture(memory.ptr, { dtype: 'u8' })).toThrow(/byteLength is needed/);
    for (const junk of [null, 5, 'x', {}, ramp(64), undefined]) {
      expect(() => new Texture(junk as never, { dtype: 'u8' })).toThrow(/must be device memory/);
    }
    fake.fail.set('cuTexObjectCreate', 801);
    const before = fake.live.texture;
    expect(() => new Texture(memory.slice(at % 16), { dtype: 'u8' })).toThrow(/CUDA_ERROR_NOT_SUPPORTED/);
    expect(fake.live.texture).toBe(before);
  });
});

describe('Surface', () => {
  test('is over an array or a level that was made for it', () => {
    using array = new OpaqueArray({ width: 4, height: 4, dtype: 'f32', surface: true });
    using surface = new Surface(array);
    expect(surface.array).toBe(array);
    expect(fake.objects.get(surface.handle)?.resource.getBigUint64(8, true)).toBe(array.handle);
    using mipmapped = new MipmappedArray({ width: 4, height: 4, dtype: 'f32', surface: true });
    using level = mipmapped.level(1);
    using other = new Surface(level);
    expect(fake.objects.get(other.handle)?.resource.getBigUint64(8, true)).toBe(level.handle);
  });

  test('keeps the array alive, and is freed once', () => {
    const array = new OpaqueArray({ width: 4, dtype: 'f32', surface: true });
    const before = fake.live.array;
    const surface = new Surface(array);
    array.free();
    expect(fake.live.array).toBe(before);
    surface.free();
    expect(fake.live.array).toBe(before - 1);
    expect(() => {
      surface.free();
    }).toThrow(ClosedError);
    expect(() => new Surface(array)).toThrow(ClosedError);
  });

  test('refuses everything else', () => {
    using plain = new OpaqueArray({ width: 4, dtype: 'f32' });
    using mipmapped = new MipmappedArray({ width: 4, dtype: 'f32', surface: true });
    expect(() => new Surface(plain)).toThrow(/make it with \{ surface: true \}/);
    for (const junk of [mipmapped, memAlloc, null, undefined, 5]) {
      expect(() => new Surface(junk as never)).toThrow(/must be an OpaqueArray/);
    }
    using array = new OpaqueArray({ width: 4, dtype: 'f32', surface: true });
    fake.fail.set('cuSurfObjectCreate', 1);
    expect(() => new Surface(array)).toThrow(CudaError);
  });
});

describe('kernels', () => {
  const PTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z4readyPf(.param .u64 a, .param .u64 b) { ret; }
.visible .entry plain(.param .u64 a) { ret; }
`;

  test('take textures and surfaces as 64-bit integers', () => {
    using module = moduleFromBuffer(PTX);
    using array = new OpaqueArray({ width: 4, dtype: 'f32', surface: true });
    using texture = new Texture(array);
    using surface = new Surface(array);
    using out = memAlloc(16);
    module.getFunction('read')(texture, out, { block: 1 });
    expect(fake.launches.at(-1)?.args.getBigUint64(0, true)).toBe(texture.handle);
    module.getFunction('read').prepare({ block: 1 })(surface, out);
    expect(fake.launches.at(-1)?.args.getBigUint64(0, true)).toBe(surface.handle);
    module.getFunction('plain')(texture, { block: 1 });
    expect(fake.launches.at(-1)?.args.getBigUint64(0, true)).toBe(texture.handle);
    module.getFunction('read')(texture.handle, out, { block: 1 });
    expect(fake.launches.at(-1)?.args.getBigUint64(0, true)).toBe(texture.handle);
  });

  test('refuse one in a pointer’s place, arrays, and closed ones', () => {
    using module = moduleFromBuffer(PTX);
    const read = module.getFunction('read');
    using array = new OpaqueArray({ width: 4, dtype: 'f32' });
    const texture = new Texture(array);
    expect(() => {
      read(texture, texture, { block: 1 });
    }).toThrow(/is a pointer: pass device memory/);
    expect(() => {
      read(array as never, null, { block: 1 });
    }).toThrow(/takes an integer, got an OpaqueArray/);
    texture.close();
    expect(() => {
      read(texture, null, { block: 1 });
    }).toThrow(ClosedError);
  });
});
