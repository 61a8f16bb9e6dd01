import { toArray } from '../../../../src/cuda/copy/memcpy-array.ts';
import { Texture } from '../../../../src/cuda/texture/texture.ts';
import { at, kernelCase, range, type Case } from '../case.ts';
import { all, at4, COUNT, places, SHAPE } from '../texture-places.ts';
import { sampled, type Picture, type Reading } from '../texture-reference.ts';

/** Reads of textures in one to three dimensions, over arrays, pitched and linear memory. */
export const textureCases: readonly Case[] = [
  kernelCase({
    name: 'texture-2d-nearest-clamped',
    source: at4('float', 'tex2D<float>(t, p.x, p.y)'),
    buffers: (random) => ({
      image: random.floats(37 * 21),
      places: places(random, [37, 21]),
      out: new Float32Array(COUNT),
    }),
    textures: ({ image }) => {
      using array = toArray(image, { width: 37, height: 21, dtype: 'f32' });
      return { t: new Texture(array) };
    },
    launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: all(places, 2, (place) => sampled({ size: [37, 21], channels: 1, data: image }, place)),
    }),
  }),

  ...(['clamp', 'border', 'wrap', 'mirror'] as const).map((mode) => {
    const normalized = mode === 'wrap' || mode === 'mirror';
    const size = [16, 8];
    const unit = normalized ? [1, 1] : size;
    const reading: Reading = { mode, linear: true, normalized, border: [0.25, -3] };
    return kernelCase({
      name: `texture-2d-blended-${mode}`,
      source: at4('float2', 'tex2D<float2>(t, p.x, p.y)'),
      buffers: (random) => ({
        image: random.floats(2 * 16 * 8),
        // Sizes that are powers of two keep the coordinates exact.
        places: places(random, size, 1.5).map((x, i) => (normalized ? x / (size[i % 4] ?? 1) : x)),
        out: new Float32Array(2 * COUNT),
      }),
      textures: ({ image }) => {
        using array = toArray(image, { width: 16, height: 8, dtype: 'f32', channels: 2 });
        const options = { addressMode: mode, filterMode: 'linear', normalizedCoords: normalized } as const;
        return { t: new Texture(array, { ...options, borderColor: [0.25, -3] }) };
      },
      launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
      expected: ({ image, places }) => ({
        out: all(places, unit.length, (place) => sampled({ size, channels: 2, data: image }, place, reading)),
      }),
      tolerance: { absolute: 1e-5 },
    });
  }),

  kernelCase({
    name: 'texture-1d-weights-of-8-bits',
    source: at4('float', 'tex1D<float>(t, p.x)'),
    buffers: (random) => ({
      image: Float32Array.of(0, 1, 256, -256),
      places: places(random, [4]),
      out: new Float32Array(COUNT),
    }),
    textures: ({ image }) => {
      using array = toArray(image, { width: 4, dtype: 'f32' });
      return { t: new Texture(array, { filterMode: 'linear' }) };
    },
    launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: all(places, 1, (place) => sampled({ size: [4], channels: 1, data: image }, place, { linear: true })),
    }),
  }),

  kernelCase({
    name: 'texture-3d-blended-three-modes',
    source: at4('float', 'tex3D<float>(t, p.x, p.y, p.z)'),
    buffers: (random) => ({
      image: random.floats(8 * 4 * 16),
      places: places(random, [8, 4, 16], 1).map((x, i) => x / ([8, 4, 16, 1][i % 4] ?? 1)),
      out: new Float32Array(COUNT),
    }),
    textures: ({ image }) => {
      using array = toArray(image, { width: 8, height: 4, depth: 16, dtype: 'f32' });
      const addressMode = ['wrap', 'mirror', 'clamp'] as const;
      return { t: new Texture(array, { addressMode, filterMode: 'linear', normalizedCoords: true }) };
    },
    launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: all(places, 3, (place) =>
        sampled({ size: [8, 4, 16], channels: 1, data: image }, place, {
          mode: ['wrap', 'mirror', 'clamp'],
          linear: true,
          normalized: true,
        }),
      ),
    }),
    // A GPU rounds the weights of planes further.
    tolerance: { absolute: 0.01 },
  }),

  kernelCase({
    name: 'texture-of-bytes-as-floats',
    source: at4('float4', 'tex2D<float4>(t, p.x, p.y)'),
    buffers: (random) => ({
      image: random.bytes(4 * 9 * 9),
      places: places(random, [9, 9]),
      out: new Float32Array(4 * COUNT),
    }),
    textures: ({ image }) => {
      using array = toArray(image, { width: 9, height: 9, dtype: 'u8', channels: 4 });
      return { t: new Texture(array, { normalizedReads: true, filterMode: 'linear' }) };
    },
    launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: all(places, 2, (place) =>
        sampled({ size: [9, 9], channels: 4, data: image, as: (raw) => raw / 255 }, place, { linear: true }),
      ),
    }),
    // A GPU blends such numbers with 16 bits after the point.
    tolerance: { absolute: 2 ** -16 },
  }),

  kernelCase({
    name: 'texture-of-pitched-shorts-as-floats',
    source: at4('float', 'tex2D<float>(t, p.x, p.y)'),
    buffers: (random) => ({
      image: Int16Array.from(random.ints(32 * 12, -32768, 32768)),
      places: places(random, [19, 12]),
      out: new Float32Array(COUNT),
    }),
    textures: (_, { image }) => ({
      t: new Texture(image, {
        ...{ dtype: 'i16', width: 19, height: 12, pitch: 64, normalizedReads: true },
        ...{ addressMode: 'border', borderColor: [2], filterMode: 'linear' },
      }),
    }),
    launches: ({ out, places }, _, { t }) => [{ kernel: 'look', args: [out, t, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => {
      const data = range(19 * 12, (i) => at(image, Math.floor(i / 19) * 32 + (i % 19)));
      // The border has the range of the elements: seen on an H200.
      const picture: Picture = { size: [19, 12], channels: 1, data, as: (raw) => Math.max(-1, raw / 32767) };
      const reading: Reading = { mode: 'border', border: [1], linear: true };
      return { out: all(places, 2, (place) => sampled(picture, place, reading)) };
    },
    // A GPU blends such numbers with 16 bits after the point.
    tolerance: { absolute: 2 ** -16 },
  }),

  kernelCase({
    name: 'texture-of-linear-memory-and-beyond-it',
    source: `
      // A list of neighbours: indices before and behind the list give zero.
      __global__ void sums(int4 *out, cudaTextureObject_t list, cudaTextureObject_t bytes, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        int4 sum = make_int4(0, 0, 0, 0);
        for (int k = -2; k <= 2; k++) {
          int4 v;
          tex1Dfetch(&v, list, i + k);
          sum.x += v.x; sum.y += v.y; sum.z ^= v.z; sum.w = max(sum.w, v.w);
        }
        sum.x += tex1Dfetch<signed char>(bytes, n - 1 - i);
        out[i] = sum;
      }`,
    buffers: (random) => ({
      list: random.ints(4 * 100, -1000, 1000),
      bytes: Int8Array.from(random.ints(100, -128, 128)),
      out: new Int32Array(400),
    }),
    textures: (_, { list, bytes }) => ({
      list: new Texture(list, { dtype: 'i32', channels: 4 }),
      bytes: new Texture(bytes, { dtype: 'i8' }),
    }),
    launches: ({ out }, _, { list, bytes }) => [{ kernel: 'sums', args: [out, list, bytes, 100], block: 32, grid: 4 }],
    expected: ({ list, bytes }) => ({
      out: range(100, (i) => {
        const near = range(5, (k) => i + k - 2).map((j) =>
          range(4, (c) => (j >= 0 && j < 100 ? at(list, 4 * j + c) : 0)),
        );
        const column = (c: number): number[] => near.map((row) => at(row, c));
        const total = (c: number): number => column(c).reduce((a, b) => a + b, 0);
        return [
          total(0) + at(bytes, 99 - i),
          total(1),
          column(2).reduce((a, b) => a ^ b, 0),
          Math.max(0, ...column(3)),
        ];
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'texture-in-a-loop-with-barriers',
    source: `
      // A box filter: each block shares a row of column sums. The texture is passed on, and its type is a template's.
      template <class T> __device__ __noinline__ T pixel(cudaTextureObject_t t, float x, float y) { return tex2D<T>(t, x, y); }
      struct Filter {
        cudaTextureObject_t image;
        int radius;
        template <class T> __device__ T column(int x, int y) const {
          T sum = 0;
          for (int k = -radius; k <= radius; k++) sum += pixel<T>(image, x + 0.5f, y + k + 0.5f);
          return sum;
        }
      };
      __global__ void box(float *out, cudaTextureObject_t image, int radius, int width, int height)
      {
        Filter filter = {image, radius};
        __shared__ float columns[32];
        int x = threadIdx.x;
        for (int y = blockIdx.x; y < height; y += gridDim.x) {
          columns[x] = filter.column<float>(x, y);
          __syncthreads();
          float sum = 0;
          for (int k = -filter.radius; k <= filter.radius; k++) sum += columns[min(max(x + k, 0), width - 1)];
          out[y * width + x] = sum;
          __syncthreads();
        }
      }`,
    buffers: (random) => ({ image: random.floats(32 * 20), out: new Float32Array(32 * 20) }),
    textures: ({ image }) => {
      using array = toArray(image, { width: 32, height: 20, dtype: 'f32' });
      return { t: new Texture(array) };
    },
    launches: ({ out }, _, { t }) => [{ kernel: 'box', args: [out, t, 2, 32, 20], block: 32, grid: 3 }],
    expected: ({ image }) => ({
      out: range(640, (i) => {
        let sum = 0;
        for (let k = 0; k < 25; k++) {
          const place = [(i % 32) + (k % 5) - 2, Math.floor(i / 32) + Math.floor(k / 5) - 2];
          sum += at(sampled({ size: [32, 20], channels: 1, data: image }, place), 0);
        }
        return sum;
      }),
    }),
    tolerance: { absolute: 1e-5 },
  }),
];
