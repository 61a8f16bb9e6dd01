import { getFloat16, setFloat16 } from '@petamoriken/float16';
import { memcpyHtoA, toArray } from '../../../../src/cuda/copy/memcpy-array.ts';
import { MipmappedArray } from '../../../../src/cuda/texture/opaque-array.ts';
import { Texture } from '../../../../src/cuda/texture/texture.ts';
import { at, kernelCase, range, type Case } from '../case.ts';
import { all, at4, COUNT, directions, places, SHAPE } from '../texture-places.ts';
import { layerOf, onCube, sampled } from '../texture-reference.ts';

/** Reads of textures with layers, faces and levels, and of every element. */
export const textureKindCases: readonly Case[] = [
  kernelCase({
    name: 'texture-layers-in-one-and-two-dimensions',
    source: `
      __global__ void look(float *out, cudaTextureObject_t lines, cudaTextureObject_t sheets, const float4 *places, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        float4 p = places[i];
        // Layers before the first one and behind the last one are the last one.
        out[2 * i] = tex1DLayered<float>(lines, p.x, (int)p.w - 1);
        tex2DLayered(out + 2 * i + 1, sheets, p.x, p.y, (int)p.w - 1);
      }`,
    buffers: (random) => ({
      lines: random.floats(5 * 11),
      sheets: random.floats(5 * 11 * 6),
      places: places(random, [11, 6]).map((x, i) => (i % 4 === 3 ? random.integer(0, 8) : x)),
      out: new Float32Array(2 * COUNT),
    }),
    textures: (host) => {
      using lines = toArray(host.lines, { width: 11, layers: 5, dtype: 'f32' });
      using sheets = toArray(host.sheets, { width: 11, height: 6, layers: 5, dtype: 'f32' });
      return { lines: new Texture(lines), sheets: new Texture(sheets, { filterMode: 'linear' }) };
    },
    launches: ({ out, places }, _, { lines, sheets }) => [
      { kernel: 'look', args: [out, lines, sheets, places, COUNT], ...SHAPE },
    ],
    expected: ({ lines, sheets, places }) => ({
      out: all(places, 4, ([x = 0, y = 0, , w = 0]) => {
        const layer = w === 0 ? 4 : Math.min(4, w - 1);
        const line = layerOf({ size: [11], channels: 1, data: lines }, layer);
        const sheet = layerOf({ size: [11, 6], channels: 1, data: sheets }, layer);
        return [...sampled(line, [x]), ...sampled(sheet, [x, y], { linear: true })];
      }),
    }),
    tolerance: { absolute: 1e-5 },
  }),

  ...([false, true] as const).map((layered) => {
    const layers = layered ? 3 : 1;
    const name = layered ? 'texCubemapLayered' : 'texCubemap';
    return kernelCase({
      name: layered ? 'texture-layers-of-cubes' : 'texture-cube',
      source: at4('float', `${name}<float>(t, p.x, p.y, p.z${layered ? ', (int)p.w' : ''})`),
      buffers: (random) => ({
        image: random.floats(6 * 32 * 32 * layers),
        places: directions(random, layers),
        out: new Float32Array(COUNT),
      }),
      textures: ({ image }) => {
        using array = toArray(image, { width: 32, cubemap: true, ...(layered ? { layers } : {}), dtype: 'f32' });
        return { t: new Texture(array) };
      },
      launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
      expected: ({ image, places }) => ({
        out: all(places, 4, ([x = 0, y = 0, z = 0, w = 0]) => {
          const { face, place } = onCube([x, y, z]);
          const picture = layerOf({ size: [32, 32], channels: 1, data: image }, 6 * w + face);
          return sampled(picture, place, { normalized: true });
        }),
      }),
    });
  }),

  kernelCase({
    name: 'texture-levels-blended',
    source: at4('float', 'tex2DLod<float>(t, p.x, p.y, p.z)'),
    buffers: (random) => ({
      // Levels of 16, 8 and 4 elements in each direction.
      image: random.floats(16 * 16 + 8 * 8 + 4 * 4),
      places: places(random, [16, 16, 3], 0.25).map((x, i) => (i % 4 < 2 ? x / 16 : x)),
      out: new Float32Array(COUNT),
    }),
    textures: ({ image }) => {
      using array = new MipmappedArray({ width: 16, height: 16, dtype: 'f32', levels: 3 });
      let start = 0;
      for (let i = 0; i < 3; i++) {
        using level = array.level(i);
        const numbers = level.width * level.height;
        memcpyHtoA(level, image.subarray(start, start + numbers));
        start += numbers;
      }
      return { t: new Texture(array, { normalizedCoords: true, filterMode: 'linear', mipmapFilterMode: 'linear' }) };
    },
    launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: all(places, 3, ([x = 0, y = 0, z = 0]) => {
        const level = (i: number): number => {
          const [n, start] = [
            [16, 0],
            [8, 256],
            [4, 320],
          ][i] as [number, number];
          const data = Array.from(image).slice(start, start + n * n);
          return at(sampled({ size: [n, n], channels: 1, data }, [x, y], { linear: true, normalized: true }), 0);
        };
        // A level's fraction is cut off after 8 bits: seen on an H200.
        const fixed = Math.floor(Math.min(2, Math.max(0, z)) * 256);
        const [low, part] = [Math.floor(fixed / 256), (fixed % 256) / 256];
        return [(1 - part) * level(low) + (part > 0 ? part * level(low + 1) : 0)];
      }),
    }),
    // A GPU rounds the weights of levels further.
    tolerance: { absolute: 0.01 },
  }),

  kernelCase({
    name: 'texture-level-by-slant',
    source: at4('float', 'tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(p.x, 0), make_float2(0, p.y))'),
    buffers: () => ({
      // The longer way decides: 1, 2, 4 … elements of 16 are levels 0, 1, 2 …
      places: Float32Array.from({ length: 4 * COUNT }, (_, i) => {
        const [step, axis] = [Math.floor(i / 4) % 5, i % 4];
        return axis === Math.floor(i / 20) % 2 ? 2 ** step / 16 : axis < 2 ? 2 ** (step - 1) / 16 : 0;
      }),
      out: new Float32Array(COUNT),
    }),
    textures: () => {
      using array = new MipmappedArray({ width: 16, height: 16, dtype: 'f32' });
      for (let i = 0; i < array.levels; i++) {
        using level = array.level(i);
        memcpyHtoA(level, new Float32Array(level.width * level.height).fill(i));
      }
      return { t: new Texture(array, { normalizedCoords: true, mipmapFilterMode: 'linear' }) };
    },
    launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
    expected: ({ places }) => ({ out: all(places, 2, ([x = 0, y = 0]) => [Math.log2(16 * Math.max(x, y))]) }),
    tolerance: { absolute: 1 / 256 },
  }),

  kernelCase({
    name: 'texture-gathers',
    source: at4('float4', 'i % 2 ? tex2Dgather<float4>(t, p.x, p.y, 1) : tex2Dgather<float4>(t, p.x, p.y)'),
    buffers: (random) => ({
      image: random.floats(2 * 12 * 7),
      places: places(random, [12, 7]),
      out: new Float32Array(4 * COUNT),
    }),
    textures: ({ image }) => {
      using array = toArray(image, { width: 12, height: 7, dtype: 'f32', channels: 2, gather: true });
      return { t: new Texture(array) };
    },
    launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: range(COUNT, (i) => {
        // Rounded to 256ths, as for blends.
        const [x = 0, y = 0] = [0, 1].map((k) => Math.floor(Math.round((at(places, 4 * i + k) - 0.5) * 256) / 256));
        const read = (dx: number, dy: number): number =>
          at(sampled({ size: [12, 7], channels: 2, data: image }, [x + dx, y + dy]), i % 2);
        return [read(0, 1), read(1, 1), read(1, 0), read(0, 0)];
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'texture-of-halves',
    source: at4('float2', 'tex2D<float2>(t, p.x, p.y)'),
    buffers: (random) => {
      const image = new Uint16Array(2 * 10 * 10);
      const view = new DataView(image.buffer);
      for (let i = 0; i < image.length; i++)
        setFloat16(view, 2 * i, random.real(-4, 4) * 2 ** -random.integer(0, 18), true);
      return { image, places: places(random, [10, 10]), out: new Float32Array(2 * COUNT) };
    },
    textures: ({ image }) => {
      using array = toArray(image, { width: 10, height: 10, dtype: 'f16', channels: 2 });
      return { t: new Texture(array, { filterMode: 'linear' }) };
    },
    launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => {
      const view = new DataView(image.buffer);
      const data = range(image.length, (i) => getFloat16(view, 2 * i, true));
      return {
        out: all(places, 2, (place) => sampled({ size: [10, 10], channels: 2, data }, place, { linear: true })),
      };
    },
    // A GPU rounds the sum to a half.
    tolerance: { absolute: 2 ** -10 },
  }),

  ...(
    [
      ['u8', 'uchar', 0, 256, Uint8Array],
      ['i8', 'char', -128, 128, Int8Array],
      ['u16', 'ushort', 0, 65_536, Uint16Array],
      ['i16', 'short', -32_768, 32_768, Int16Array],
      ['i32', 'int', -0x8000_0000, 0x8000_0000, Int32Array],
    ] as const
  ).map(([dtype, name, low, high, List]) =>
    kernelCase({
      name: `texture-of-${dtype}-elements`,
      source: `
        __global__ void look(int4 *out, cudaTextureObject_t four, cudaTextureObject_t two, cudaTextureObject_t one, int width)
        {
          int x = threadIdx.x, y = threadIdx.y;
          ${name}4 a = tex2D<${name}4>(four, x - 1, y - 1);
          ${name}2 b;
          tex2D(&b, two, x + 1, y + 1);
          ${name}1 c = tex2D<${name}1>(one, x, y);
          out[y * width + x] = make_int4(a.x + b.x, a.y - b.y, a.z ^ c.x, a.w);
        }`,
      buffers: (random) => {
        const list = (n: number) => new List(n * 12 * 5).map(() => random.integer(low, high));
        return { four: list(4), two: list(2), one: list(1), out: new Int32Array(4 * 12 * 5) };
      },
      textures: ({ four, two, one }) => {
        const texture = (data: typeof four, channels: 1 | 2 | 4): Texture => {
          using array = toArray(data, { width: 12, height: 5, dtype, channels });
          return new Texture(array);
        };
        return { four: texture(four, 4), two: texture(two, 2), one: texture(one, 1) };
      },
      launches: ({ out }, _, { four, two, one }) => [
        { kernel: 'look', args: [out, four, two, one, 12], block: [12, 5] },
      ],
      expected: ({ four, two, one }) => ({
        out: range(60, (i) => {
          const [x, y] = [i % 12, Math.floor(i / 12)];
          const read = (data: typeof four, channels: number, dx: number): number[] =>
            sampled({ size: [12, 5], channels, data }, [x + dx, y + dx]);
          const [a, b, c] = [read(four, 4, -1), read(two, 2, 1), read(one, 1, 0)];
          return [(at(a, 0) + at(b, 0)) | 0, (at(a, 1) - at(b, 1)) | 0, at(a, 2) ^ at(c, 0), at(a, 3)];
        }).flat(),
      }),
    }),
  ),
];
