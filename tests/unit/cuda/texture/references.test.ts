import { beforeEach, describe, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { libraryFromBuffer } from '../../../../src/cuda/module/library.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { MipmappedArray, OpaqueArray } from '../../../../src/cuda/texture/opaque-array.ts';
import { SurfaceReference } from '../../../../src/cuda/texture/surface-reference.ts';
import { TextureReference } from '../../../../src/cuda/texture/texture-reference.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import type { FakeReference } from '../../../helpers/fake-references.ts';

const fake = withFakeDriver();
const PTX = '.version 7.0\n.target sm_70\n.address_size 64\n.global .texref t;\n.visible .entry k() { ret; }\n';
let told: FakeReference;

beforeEach(() => {
  told = new Map();
  fake.references.set('t', told);
  fake.references.set('s', told);
});

describe('TextureReference', () => {
  test('over an array tells the driver its settings, then the array', () => {
    using module = moduleFromBuffer(PTX);
    using array = new OpaqueArray({ width: 4, height: 4, dtype: 'u8' });
    const reference = module.getTextureReference('t');
    expect(reference.source).toBeUndefined();
    reference.bind(array, {
      ...{ filterMode: 'linear', normalizedReads: true, normalizedCoords: true },
      ...{ addressMode: ['wrap', 'border'], borderColor: [1, 2], maxAnisotropy: 4 },
    });
    expect(reference.source).toBe(array);
    expect(Object.fromEntries(told)).toEqual({
      ...{ Flags: [2], FilterMode: [1], MaxAnisotropy: [4], BorderColor: [1, 2, 0, 0] },
      ...{ 'AddressMode 0': [0], 'AddressMode 1': [3], 'AddressMode 2': [0], Array: [array.handle, 1] },
    });
    expect([...told.keys()].at(-1)).toBe('Array');
  });

  test('over levels, linear memory and memory with a pitch', () => {
    using module = moduleFromBuffer(PTX);
    using levels = new MipmappedArray({ width: 8, height: 8, dtype: 'f32', levels: 3 });
    const reference = module.getTextureReference('t');
    reference.bind(levels, {
      normalizedCoords: true,
      mipmapFilterMode: 'linear',
      mipmapLevelBias: 0.5,
      minMipmapLevel: 1,
    });
    expect(told.get('MipmappedArray')).toEqual([levels.handle, 1]);
    expect([told.get('MipmapFilterMode'), told.get('MipmapLevelBias'), told.get('MipmapLevelClamp')]).toEqual([
      [1],
      [0.5],
      [1, 2],
    ]);
    using memory = memAlloc(4096);
    reference.bind(memory, { dtype: 'i16', channels: 2, byteLength: 400 });
    expect([told.get('Format'), told.get('Address'), told.get('Flags')]).toEqual([[9, 2], [memory.ptr, 400n], [1]]);
    reference.bind(memory, { dtype: 'f32', width: 16, height: 8, pitch: 256 });
    expect(told.get('Address2D')).toEqual([16, 8, 0x20, 1, memory.ptr, 256n]);
    expect(reference.source).toBe(memory);
  });

  test.each([
    ['a view', { view: { firstLayer: 0 } }, /view is for a Texture; a reference reads the whole array/],
    ['an unknown option', { filter: 'linear' }, /filter/],
    ['a linear filter of integers', { filterMode: 'linear' }, /integers, which are not blended/],
  ])('refuses %s', (_, options, error) => {
    using module = moduleFromBuffer(PTX);
    using array = new OpaqueArray({ width: 4, dtype: 'u8' });
    const reference = module.getTextureReference('t');
    expect(() => reference.bind(array, options as never)).toThrow(error);
    expect([reference.source, told.size]).toEqual([undefined, 0]);
    expect(() => reference.bind(7 as never)).toThrow(TypeError);
  });

  test('keeps what it is bound to alive, until the next one or the end of the module', () => {
    const module = moduleFromBuffer(PTX);
    const reference = module.getTextureReference('t');
    const first = new OpaqueArray({ width: 4, dtype: 'f32' });
    reference.bind(first);
    reference.bind(first);
    first.close();
    expect(fake.live.array).toBe(1);
    const second = new OpaqueArray({ width: 4, dtype: 'f32' });
    reference.bind(second);
    expect(fake.live.array).toBe(1);
    second.close();
    expect(fake.live.array).toBe(1);
    const { handle } = reference;
    expect(handle).toBe(reference.handle);
    module.close();
    expect([fake.live.array, fake.live.module]).toEqual([0, 0]);
    expect(() => reference.handle).toThrow(ClosedError);
    expect(() => reference.bind(first)).toThrow(ClosedError);
    expect(() => module.getTextureReference('t')).toThrow(ClosedError);
  });

  test('of a module of a library keeps it alive, too', () => {
    const library = libraryFromBuffer(PTX);
    const module = library.getModule();
    const array = new OpaqueArray({ width: 4, dtype: 'f32' });
    module.getTextureReference('t').bind(array);
    array.close();
    library.close();
    expect(fake.live.array).toBe(1);
    module.close();
    expect(fake.live.array).toBe(0);
  });
});

describe('SurfaceReference', () => {
  test('is bound to an array that was made for it', () => {
    using module = moduleFromBuffer(PTX);
    using array = new OpaqueArray({ width: 4, height: 4, dtype: 'f32', surface: true });
    using other = new OpaqueArray({ width: 4, height: 4, dtype: 'f32' });
    const reference = module.getSurfaceReference('s');
    expect(() => reference.bind(other)).toThrow(/make it with { surface: true }/);
    expect(() => reference.bind({} as never)).toThrow(/must be an OpaqueArray/);
    expect(reference.array).toBeUndefined();
    reference.bind(array);
    expect(told.get('Array')).toEqual([array.handle, 0]);
    expect(reference.array).toBe(array);
  });
});

test('references are found by their names, and not made with new', () => {
  using module = moduleFromBuffer(PTX);
  expect(module.getTextureReference('t')).toBe(module.getTextureReference('t'));
  expect(() => module.getTextureReference('u')).toThrow(/The module has no texture reference 'u'/);
  expect(() => module.getSurfaceReference('u')).toThrow(/The module has no surface reference 'u'/);
  expect(() => module.getTextureReference(3 as never)).toThrow(/name must be a string, got 3/);
  expect(() => new TextureReference(...([] as unknown as ConstructorParameters<typeof TextureReference>))).toThrow(
    /write module\.getTextureReference/,
  );
  expect(() => new SurfaceReference(...([] as unknown as ConstructorParameters<typeof SurfaceReference>))).toThrow(
    /write module\.getSurfaceReference/,
  );
});
