import { toArray } from '../../../../src/cuda/copy/memcpy-array.ts';
import { OpaqueArray } from '../../../../src/cuda/texture/opaque-array.ts';
import { Surface } from '../../../../src/cuda/texture/surface.ts';
import { Texture } from '../../../../src/cuda/texture/texture.ts';
import { at, kernelCase, range, type Case } from '../case.ts';

/** Reads and writes of surfaces. */
export const surfaceCases: readonly Case[] = [
  kernelCase({
    name: 'surface-beyond-its-edges',
    source: `
      // Each thread shifts an element by three; what falls off the surface is dropped, what is missing is zero.
      __global__ void shift(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
      {
        int x = threadIdx.x, y = threadIdx.y;
        short2 v = surf2Dread<short2>(from, (x + 3) * (int)sizeof(short2), y - 1, cudaBoundaryModeZero);
        surf2Dwrite(v, to, (x - 3) * (int)sizeof(short2), y + 2, cudaBoundaryModeZero);
      }
      __global__ void edge(short2 *out, cudaSurfaceObject_t to, int width)
      {
        int x = threadIdx.x, y = threadIdx.y;
        surf2Dread(out + y * width + x, to, (2 * x - 4) * (int)sizeof(short2), 2 * y - 4, cudaBoundaryModeClamp);
      }`,
    buffers: (random) => ({
      image: Int16Array.from(random.ints(2 * 16 * 8, -1000, 1000)),
      out: new Int16Array(2 * 16 * 8),
    }),
    textures: ({ image }) => {
      const shape = { width: 16, height: 8, dtype: 'i16', channels: 2, surface: true } as const;
      using first = toArray(image, shape);
      using second = toArray(new Int16Array(image.length).fill(-7), shape);
      return { from: new Surface(first), to: new Surface(second) };
    },
    launches: ({ out }, _, { from, to }) => [
      { kernel: 'shift', args: [from, to], block: [16, 8] },
      { kernel: 'edge', args: [out, to, 16], block: [16, 8] },
    ],
    expected: ({ image }) => {
      const shifted = (x: number, y: number, c: number): number => {
        // The thread that writes here, and what it has read.
        const [i, j] = [x + 3, y - 2];
        if (i < 0 || i >= 16 || j < 0 || j >= 8) return -7;
        const [u, v] = [i + 3, j - 1];
        return u < 16 && v >= 0 ? at(image, 2 * (v * 16 + u) + c) : 0;
      };
      const within = (i: number, n: number): number => Math.min(n - 1, Math.max(0, i));
      return {
        out: range(256, (i) => {
          const [c, x, y] = [i % 2, Math.floor(i / 2) % 16, Math.floor(i / 32)];
          return shifted(within(2 * x - 4, 16), within(2 * y - 4, 8), c);
        }),
      };
    },
  }),

  kernelCase({
    name: 'surface-game-of-life',
    source: `
      // One picture is read as a texture that has no edge, the other one is written; then they change places.
      __global__ void step(cudaTextureObject_t now, cudaSurfaceObject_t next, int width, int height)
      {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x >= width || y >= height) return;
        int sum = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) sum += tex2D<unsigned char>(now, (x + dx + 0.5f) / width, (y + dy + 0.5f) / height);
        unsigned char alive = tex2D<unsigned char>(now, (x + 0.5f) / width, (y + 0.5f) / height);
        surf2Dwrite((unsigned char)(sum == 3 || (alive && sum == 2)), next, x, y);
      }
      __global__ void show(unsigned char *out, cudaTextureObject_t now, int width)
      {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        out[y * width + x] = tex2D<unsigned char>(now, (x + 0.5f) / width, (y + 0.5f) / (gridDim.y * blockDim.y));
      }`,
    buffers: (random) => ({ image: random.bytes(32 * 16, 0, 2), out: new Uint8Array(32 * 16) }),
    textures: ({ image }) => {
      const shape = { width: 32, height: 16, dtype: 'u8', surface: true } as const;
      const how = { normalizedCoords: true, addressMode: 'wrap' } as const;
      using first = toArray(image, shape);
      using second = new OpaqueArray(shape);
      const [a, b] = [new Texture(first, how), new Texture(second, how)];
      return { a, b, intoA: new Surface(first), intoB: new Surface(second) };
    },
    launches: ({ out }, _, { a, b, intoA, intoB }) => {
      const shape = { block: [8, 8] as [number, number], grid: [4, 2] as [number, number] };
      const steps = range(6, (i) => ({
        kernel: 'step',
        args: i % 2 ? [b, intoA, 32, 16] : [a, intoB, 32, 16],
        ...shape,
      }));
      return [...steps, { kernel: 'show', args: [out, a, 32], ...shape }];
    },
    expected: ({ image }) => {
      let now = Array.from(image);
      for (let step = 0; step < 6; step++) {
        now = now.map((alive, i) => {
          const near = range(9, (k) => {
            const [x, y] = [((i % 32) + (k % 3) + 31) % 32, (Math.floor(i / 32) + Math.floor(k / 3) + 15) % 16];
            return k === 4 ? 0 : at(now, y * 32 + x);
          }).reduce((a, b) => a + b, 0);
          return near === 3 || (alive === 1 && near === 2) ? 1 : 0;
        });
      }
      return { out: now };
    },
  }),

  kernelCase({
    name: 'surface-volumes-layers-and-faces',
    source: `
      // Elements of all sizes: a number that tells where it is, written here and read from the mirrored place.
      __global__ void fill(cudaSurfaceObject_t line, cudaSurfaceObject_t volume, cudaSurfaceObject_t sheets,
                           cudaSurfaceObject_t lines, cudaSurfaceObject_t cube, cudaSurfaceObject_t cubes)
      {
        int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x, where = x + 8 * y + 64 * z;
        if (y == 0 && z == 0) surf1Dwrite((unsigned char)where, line, x);
        surf3Dwrite(make_float4(where, -where, 2 * where, 0.5f), volume, 16 * x, y, z);
        surf2DLayeredwrite(make_ushort4(where, 1, 2, 3), sheets, 8 * x, y, z);
        if (y == 0) surf1DLayeredwrite(where, lines, 4 * x, z);
        if (z < 6) surfCubemapwrite(where + 0.25f, cube, 4 * x, y, z);
        surfCubemapLayeredwrite((short)(where + 1), cubes, 2 * x, y, z);
      }
      __global__ void mirror(float *out, cudaSurfaceObject_t line, cudaSurfaceObject_t volume, cudaSurfaceObject_t sheets,
                             cudaSurfaceObject_t lines, cudaSurfaceObject_t cube, cudaSurfaceObject_t cubes)
      {
        int x = 7 - threadIdx.x, y = 7 - threadIdx.y, z = 11 - blockIdx.x;
        float *to = out + 6 * (threadIdx.x + 8 * threadIdx.y + 64 * blockIdx.x);
        float4 v;
        surf3Dread(&v, volume, 16 * x, y, z);
        to[0] = surf1Dread<unsigned char>(line, x);
        to[1] = v.x + v.y + v.z + v.w;
        to[2] = surf2DLayeredread<ushort4>(sheets, 8 * x, y, z).x;
        to[3] = surf1DLayeredread<int>(lines, 4 * x, z);
        to[4] = surfCubemapread<float>(cube, 4 * x, y, z, cudaBoundaryModeZero);
        to[5] = surfCubemapLayeredread<short>(cubes, 2 * x, y, z);
      }`,
    buffers: () => ({ out: new Float32Array(6 * 8 * 8 * 12) }),
    textures: () => {
      const made = (options: Partial<ConstructorParameters<typeof OpaqueArray>[0]>): Surface => {
        using array = new OpaqueArray({ width: 8, dtype: 'f32', surface: true, ...options });
        return new Surface(array);
      };
      return {
        line: made({ dtype: 'u8' }),
        volume: made({ height: 8, depth: 12, channels: 4 }),
        sheets: made({ height: 8, layers: 12, dtype: 'u16', channels: 4 }),
        lines: made({ layers: 12, dtype: 'i32' }),
        cube: made({ cubemap: true }),
        cubes: made({ cubemap: true, layers: 2, dtype: 'i16' }),
      };
    },
    launches: ({ out }, _, { line, volume, sheets, lines, cube, cubes }) => {
      const list = [line, volume, sheets, lines, cube, cubes];
      const shape = { block: [8, 8] as [number, number], grid: 12 };
      return [
        { kernel: 'fill', args: list, ...shape },
        { kernel: 'mirror', args: [out, ...list], ...shape },
      ];
    },
    expected: () => ({
      out: range(768, (i) => {
        const [x, y, z] = [7 - (i % 8), 7 - (Math.floor(i / 8) % 8), 11 - Math.floor(i / 64)];
        const where = x + 8 * y + 64 * z;
        return [x, 2 * where + 0.5, where, x + 64 * z, z < 6 ? where + 0.25 : 0, where + 1];
      }).flat(),
    }),
  }),
];
