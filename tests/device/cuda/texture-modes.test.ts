import { expect, test } from '@jest/globals';
import type { ArrayOptions } from '../../../src/cuda/texture/array-shape.ts';
import { memcpyAtoH, memcpyHtoA, toArray } from '../../../src/cuda/copy/memcpy-array.ts';
import { fromDevice, memcpyHtoD, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc, memAllocPitch } from '../../../src/cuda/memory/memory.ts';
import { MipmappedArray } from '../../../src/cuda/texture/opaque-array.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { Surface } from '../../../src/cuda/texture/surface.ts';
import { Texture, type MipmappedTextureOptions, type TextureOptions } from '../../../src/cuda/texture/texture.ts';
import { In, Out } from '../../../src/cuda/copy/transfer.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

/** What a texture gives at each of some places, by an expression over `t` and `p` (a float4). */
function probe(texture: Texture, fetch: string, places: readonly (readonly number[])[]): number[] {
  using module = new SourceModule(`__global__ void probe(float *out, cudaTextureObject_t t, const float4 *places) {
    const float4 p = places[threadIdx.x];
    out[threadIdx.x] = ${fetch};
  }`);
  const list = new Float32Array(4 * places.length);
  places.forEach((place, i) => {
    list.set(place, 4 * i);
  });
  const out = new Float32Array(places.length);
  module.getFunction('probe')(Out(out), texture, In(list), { block: places.length });
  return [...out];
}

const LINE = { width: 4, dtype: 'f32' } as const;

/** What a texture over 10, 20, 30, 40 gives at some places. */
function onLine(options: TextureOptions, places: readonly number[]): number[] {
  using array = toArray(Float32Array.of(10, 20, 30, 40), LINE);
  using texture = new Texture(array, options);
  return probe(
    texture,
    'tex1D<float>(t, p.x)',
    places.map((x) => [x]),
  );
}

/** What a texture gives whose levels are full of their own numbers, at some levels. */
function onLevels(options: MipmappedTextureOptions, levels: readonly number[]): number[] {
  using array = new MipmappedArray({ width: 8, height: 8, dtype: 'f32' });
  for (let i = 0; i < array.levels; i++) {
    using level = array.level(i);
    memcpyHtoA(level, new Float32Array(level.width * level.height).fill(i));
  }
  using texture = new Texture(array, { normalizedCoords: true, ...options });
  return probe(
    texture,
    'tex2DLod<float>(t, p.x, p.y, p.z)',
    levels.map((level) => [0.5, 0.5, level]),
  );
}

/** An array whose layers or faces are full of their own numbers. */
function numbered(options: Omit<ArrayOptions, 'dtype'>, layers: number): Texture {
  const size = options.width * (options.height ?? (options.cubemap ? options.width : 1));
  const content = Float32Array.from({ length: size * layers }, (_, i) => Math.floor(i / size));
  using array = toArray(content, { ...options, dtype: 'f32' });
  return new Texture(array);
}

const DIRECTIONS = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
] as const;

needs.arrays().describe('the modes of textures on a CUDA device', () => {
  withDevice();

  test('address modes', () => {
    expect(onLine({ addressMode: 'clamp' }, [-1.5, 0.5, 3.5, 5.5])).toEqual([10, 10, 40, 40]);
    expect(onLine({ addressMode: 'border', borderColor: [7] }, [-1.5, 0.5, 3.5, 5.5])).toEqual([7, 10, 40, 7]);
    expect(onLine({ addressMode: 'border' }, [-1.5, 1.5])).toEqual([0, 20]);
    const places = [-0.125, 0.125, 0.625, 1.125, 1.375];
    const normalizedCoords = true;
    expect(onLine({ addressMode: 'wrap', normalizedCoords }, places)).toEqual([40, 10, 30, 10, 20]);
    expect(onLine({ addressMode: 'mirror', normalizedCoords }, places)).toEqual([10, 10, 30, 40, 30]);
    expect(onLine({ addressMode: 'clamp', normalizedCoords }, places)).toEqual([10, 10, 30, 40, 40]);
  });

  test('filters', () => {
    expect(onLine({ filterMode: 'linear' }, [0, 0.5, 1, 1.25, 2, 4])).toEqual([10, 10, 15, 17.5, 25, 40]);
    expect(onLine({ filterMode: 'point' }, [0, 0.5, 1, 1.25, 2, 4])).toEqual([10, 10, 20, 20, 30, 40]);
  });

  test('normalized reads', () => {
    using array = toArray(Uint8Array.of(0, 51, 255, 0), { width: 4, dtype: 'u8' });
    using texture = new Texture(array, { normalizedReads: true, filterMode: 'linear' });
    const read = probe(texture, 'tex1D<float>(t, p.x)', [[0.5], [1.5], [2.5], [3]]);
    [0, 0.2, 1, 0.5].forEach((value, i) => {
      expect(read[i]).toBeCloseTo(value, 4);
    });
    using signed = toArray(Int16Array.of(-32767, 0, 32767, -32768), { width: 4, dtype: 'i16' });
    using other = new Texture(signed, { normalizedReads: true });
    expect(probe(other, 'tex1D<float>(t, p.x)', [[0.5], [1.5], [2.5], [3.5]])).toEqual([-1, 0, 1, -1]);
    using memory = toDevice(Uint8Array.of(0, 255));
    using linear = new Texture(memory, { dtype: 'u8', normalizedReads: true });
    expect(probe(linear, 'tex1Dfetch<float>(t, (int)p.x)', [[0], [1]])).toEqual([0, 1]);
    using integers = new Texture(array);
    expect(probe(integers, '(float)tex1D<unsigned char>(t, p.x)', [[1.5]])).toEqual([51]);
  });

  test('sRGB', () => {
    using array = toArray(Uint8Array.of(188, 0, 255, 128), { width: 1, height: 1, dtype: 'u8', channels: 4 });
    using texture = new Texture(array, { normalizedReads: true, srgb: true });
    const read = ['x', 'y', 'z', 'w'].map(
      (part) => probe(texture, `tex2D<float4>(t, p.x, p.y).${part}`, [[0.5, 0.5]])[0],
    );
    [0.503, 0, 1, 128 / 255].forEach((value, i) => {
      expect(read[i]).toBeCloseTo(value, 2);
    });
  });

  test('halves', () => {
    using array = toArray(Uint16Array.of(0x3c00, 0xc000), { width: 2, dtype: 'f16' });
    using texture = new Texture(array, { filterMode: 'linear' });
    expect(probe(texture, 'tex1D<float>(t, p.x)', [[0.5], [1.5], [1]])).toEqual([1, -2, -0.5]);
  });

  test('levels: which, blended, moved, limited, a view of some', () => {
    expect(onLevels({}, [0, 1, 2, 3, 9])).toEqual([0, 1, 2, 3, 3]);
    expect(onLevels({ mipmapFilterMode: 'linear' }, [0, 0.5, 2.25])).toEqual([0, 0.5, 2.25]);
    expect(onLevels({ mipmapLevelBias: 1 }, [0, 1, 3])).toEqual([1, 2, 3]);
    expect(onLevels({ minMipmapLevel: 1, maxMipmapLevel: 2 }, [0, 1, 3])).toEqual([1, 1, 2]);
    expect(onLevels({ view: { firstLevel: 1, lastLevel: 2 } }, [0, 1, 3])).toEqual([1, 2, 2]);
  });

  test('anisotropy of a plain image changes nothing', () => {
    using array = new MipmappedArray({ width: 16, height: 16, dtype: 'f32' });
    for (let i = 0; i < array.levels; i++) {
      using level = array.level(i);
      memcpyHtoA(level, new Float32Array(level.width * level.height).fill(3));
    }
    using texture = new Texture(array, { normalizedCoords: true, filterMode: 'linear', maxAnisotropy: 16 });
    const fetch = 'tex2DGrad<float>(t, p.x, p.y, make_float2(0.5f, 0.f), make_float2(0.f, 0.06f))';
    expect(probe(texture, fetch, [[0.5, 0.5]])).toEqual([3]);
  });

  test('layers, cubemaps, layers of cubemaps', () => {
    using lines = numbered({ width: 4, layers: 3 }, 3);
    expect(
      probe(lines, 'tex1DLayered<float>(t, p.x, (int)p.y)', [
        [1.5, 0],
        [1.5, 2],
      ]),
    ).toEqual([0, 2]);
    using cube = numbered({ width: 4, cubemap: true }, 6);
    expect(probe(cube, 'texCubemap<float>(t, p.x, p.y, p.z)', DIRECTIONS)).toEqual([0, 1, 2, 3, 4, 5]);
    using cubes = numbered({ width: 4, cubemap: true, layers: 2 }, 12);
    const second = DIRECTIONS.map((direction) => [...direction, 1]);
    expect(probe(cubes, 'texCubemapLayered<float>(t, p.x, p.y, p.z, (int)p.w)', second)).toEqual([6, 7, 8, 9, 10, 11]);
  });

  test('a view of some layers, with elements of another type', () => {
    const content = Float32Array.of(1, 2, 3, 4, 5);
    using array = toArray(content, { width: 1, height: 1, layers: 5, dtype: 'f32' });
    using texture = new Texture(array, { view: { firstLayer: 1, lastLayer: 3, dtype: 'u32' } });
    const read = probe(texture, '__uint_as_float(tex2DLayered<unsigned int>(t, 0.5f, 0.5f, (int)p.x))', [[0], [2]]);
    expect(read).toEqual([2, 4]);
  });

  test('gathers', () => {
    using array = toArray(Float32Array.of(1, 2, 3, 4), { width: 2, height: 2, dtype: 'f32', gather: true });
    using texture = new Texture(array);
    const read = ['x', 'y', 'z', 'w'].map(
      (part) => probe(texture, `tex2Dgather<float4>(t, p.x, p.y, 0).${part}`, [[1, 1]])[0],
    );
    expect(read.sort()).toEqual([1, 2, 3, 4]);
  });

  test('pitched memory', () => {
    const { memory, pitch } = memAllocPitch(4 * 4, 3);
    for (let y = 0; y < 3; y++) {
      memcpyHtoD(memory.slice(y * pitch, 16), Float32Array.of(10 * y, 10 * y + 1, 10 * y + 2, 10 * y + 3));
    }
    using texture = new Texture(memory, { dtype: 'f32', width: 4, height: 3, pitch, filterMode: 'linear' });
    memory.free();
    expect(
      probe(texture, 'tex2D<float>(t, p.x, p.y)', [
        [0.5, 0.5],
        [3.5, 2.5],
        [1, 1],
      ]),
    ).toEqual([0, 23, 5.5]);
  });

  test('a surface writes a level of a mipmapped array', () => {
    using module = new SourceModule(`__global__ void paint(cudaSurfaceObject_t s) {
      surf2Dwrite((float)(threadIdx.y * blockDim.x + threadIdx.x), s, 4 * (int)threadIdx.x, (int)threadIdx.y);
    }`);
    using array = new MipmappedArray({ width: 8, height: 8, dtype: 'f32', surface: true });
    using level = array.level(1);
    using surface = new Surface(level);
    module.getFunction('paint')(surface, { block: [4, 4] });
    const out = new Float32Array(16);
    memcpyAtoH(out, level);
    expect([...out]).toEqual(Array.from({ length: 16 }, (_, i) => i));
  });

  test('a captured launch keeps its texture and the array', () => {
    using module = new SourceModule(`__global__ void copy(float *out, cudaTextureObject_t t) {
      out[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f);
    }`);
    using stream = new Stream({ nonBlocking: true });
    using out = memAlloc(16);
    const array = toArray(Float32Array.of(1, 2, 3, 4), LINE);
    const texture = new Texture(array);
    stream.beginCapture();
    module.getFunction('copy')(out, texture, { block: 4, stream });
    using graph = stream.endCapture();
    texture.close();
    array.close();
    using exec = graph.instantiate();
    exec.launch(stream);
    stream.synchronize();
    expect([...fromDevice(out, 'f32')]).toEqual([1, 2, 3, 4]);
  });
});
