import { memcpyHtoA, toArray } from '../../../../src/cuda/copy/memcpy-array.ts';
import { MipmappedArray } from '../../../../src/cuda/texture/opaque-array.ts';
import { at, kernelCase, range, type Case } from '../case.ts';
import { all, COUNT, places, SHAPE } from '../texture-places.ts';
import { layerOf, sampled } from '../texture-reference.ts';

/** A kernel that reads a reference at each of COUNT places, `p`. */
const look = (declarations: string, type: string, fetch: string): string => `
      ${declarations}
      __global__ void look(${type} *out, const float4 *places, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        float4 p = places[i];
        out[i] = ${fetch};
      }`;

/** Texture and surface references, which CUDA 12 has removed. */
export const textureReferenceCases: readonly Case[] = [
  kernelCase({
    name: 'reference-of-linear-memory',
    isOld: true,
    source: `
      // Rows of a sparse matrix: the numbers, the vector and the columns are read by references.
      texture<float, cudaTextureType1D, cudaReadModeElementType> numbers;
      static texture<int2> rows;
      texture<unsigned short, 1> columns;
      texture<signed char> signs;
      __device__ float product(int k, const float *x) { return tex1Dfetch(numbers, k) * x[tex1Dfetch(columns, k)]; }
      __global__ void multiply(float *y, const float *x, int n)
      {
        int row = blockIdx.x * blockDim.x + threadIdx.x;
        if (row >= n) return;
        int2 from = tex1Dfetch(rows, row);
        float sum = 0;
        for (int k = from.x; k < from.y; k++) sum += product(k, x);
        // Indices before and behind the memory give zero.
        y[row] = sum * tex1Dfetch(signs, row) + tex1Dfetch(signs, row - n) + tex1Dfetch(signs, row + n);
      }`,
    buffers: (random) => ({
      numbers: random.floats(8 * 100),
      rows: Int32Array.from(range(200, (i) => 8 * Math.floor(i / 2) + (i % 2 === 0 ? 0 : 1 + (i % 7)))),
      columns: Uint16Array.from(random.ints(800, 0, 64)),
      signs: Int8Array.from(random.ints(100, -3, 3)),
      x: random.floats(64),
      y: new Float32Array(100),
    }),
    references: (module, _, { numbers, rows, columns, signs }) => {
      module.getTextureReference('numbers').bind(numbers, { dtype: 'f32' });
      module.getTextureReference('rows').bind(rows, { dtype: 'i32', channels: 2 });
      module.getTextureReference('columns').bind(columns, { dtype: 'u16' });
      module.getTextureReference('signs').bind(signs, { dtype: 'i8' });
    },
    launches: ({ y, x }) => [{ kernel: 'multiply', args: [y, x, 100], block: 32, grid: 4 }],
    expected: ({ numbers, rows, columns, signs, x }) => ({
      y: range(100, (row) => {
        let sum = 0;
        for (let k = at(rows, 2 * row); k < at(rows, 2 * row + 1); k++) sum += at(numbers, k) * at(x, at(columns, k));
        return sum * at(signs, row);
      }),
    }),
    tolerance: { absolute: 1e-5 },
  }),

  kernelCase({
    name: 'reference-1d-bytes-as-floats-with-a-border',
    isOld: true,
    source: look('texture<unsigned char, 1, cudaReadModeNormalizedFloat> line;', 'float', 'tex1D(line, p.x)'),
    buffers: (random) => ({
      image: random.bytes(40),
      places: places(random, [40]),
      out: new Float32Array(COUNT),
    }),
    references: (module, { image }) => {
      using array = toArray(image, { width: 40, dtype: 'u8' });
      const how = {
        addressMode: ['border'],
        borderColor: [0.75],
        filterMode: 'linear',
        normalizedReads: true,
      } as const;
      module.getTextureReference('line').bind(array, how);
    },
    launches: ({ out, places }) => [{ kernel: 'look', args: [out, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: all(places, 1, (place) =>
        sampled({ size: [40], channels: 1, data: image, as: (raw) => raw / 255 }, place, {
          mode: 'border',
          border: [0.75],
          linear: true,
        }),
      ),
    }),
    // A GPU blends such numbers with 16 bits after the point.
    tolerance: { absolute: 2 ** -16 },
  }),

  kernelCase({
    name: 'reference-2d-blended-and-repeated',
    isOld: true,
    source: look('texture<float2, 2> image;', 'float2', 'tex2D(image, p.x, p.y)'),
    buffers: (random) => ({
      image: random.floats(2 * 16 * 8),
      places: places(random, [16, 8]).map((x, i) => x / ([16, 8, 1, 1][i % 4] ?? 1)),
      out: new Float32Array(2 * COUNT),
    }),
    references: (module, { image }) => {
      using array = toArray(image, { width: 16, height: 8, dtype: 'f32', channels: 2 });
      const how = { addressMode: ['wrap', 'mirror'], filterMode: 'linear', normalizedCoords: true } as const;
      module.getTextureReference('image').bind(array, how);
    },
    launches: ({ out, places }) => [{ kernel: 'look', args: [out, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: all(places, 2, (place) =>
        sampled({ size: [16, 8], channels: 2, data: image }, place, {
          mode: ['wrap', 'mirror'],
          linear: true,
          normalized: true,
        }),
      ),
    }),
    tolerance: { absolute: 1e-5 },
  }),

  kernelCase({
    name: 'reference-2d-of-memory-with-a-pitch',
    isOld: true,
    source: look('namespace pictures { texture<short, 2> image; }', 'int', 'tex2D(pictures::image, p.x, p.y)'),
    buffers: (random) => ({
      image: Int16Array.from(random.ints(32 * 12, -32768, 32768)),
      places: places(random, [19, 12]),
      out: new Int32Array(COUNT),
    }),
    references: (module, _, { image }) => {
      const how = { dtype: 'i16', width: 19, height: 12, pitch: 64 } as const;
      module.getTextureReference('_ZN8pictures5imageE').bind(image, how);
    },
    launches: ({ out, places }) => [{ kernel: 'look', args: [out, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: all(places, 2, (place) =>
        sampled(
          { size: [19, 12], channels: 1, data: range(228, (i) => at(image, Math.floor(i / 19) * 32 + (i % 19))) },
          place,
        ),
      ),
    }),
  }),

  kernelCase({
    name: 'reference-3d-of-four-integers',
    isOld: true,
    source: look('texture<int4, cudaTextureType3D> volume;', 'int4', 'tex3D(volume, p.x, p.y, p.z)'),
    buffers: (random) => ({
      image: random.ints(4 * 8 * 4 * 5),
      places: places(random, [8, 4, 5]),
      out: new Int32Array(4 * COUNT),
    }),
    references: (module, { image }) => {
      using array = toArray(image, { width: 8, height: 4, depth: 5, dtype: 'i32', channels: 4 });
      module.getTextureReference('volume').bind(array);
    },
    launches: ({ out, places }) => [{ kernel: 'look', args: [out, places, COUNT], ...SHAPE }],
    expected: ({ image, places }) => ({
      out: all(places, 3, (place) => sampled({ size: [8, 4, 5], channels: 4, data: image }, place)),
    }),
  }),

  kernelCase({
    name: 'reference-layers',
    isOld: true,
    source: look(
      `texture<float, cudaTextureType1DLayered> lines;
      texture<uchar2, cudaTextureType2DLayered, cudaReadModeNormalizedFloat> sheets;
      __device__ float2 both(float x, float y, int layer)
      {
        float2 v = tex2DLayered(sheets, x, y, layer);
        return make_float2(tex1DLayered(lines, x, layer), v.x + v.y);
      }`,
      'float2',
      'both(p.x, p.y, (int)p.w)',
    ),
    buffers: (random) => ({
      lines: random.floats(3 * 11),
      sheets: random.bytes(2 * 3 * 11 * 6),
      places: places(random, [11, 6]).map((x, i) => (i % 4 === 3 ? random.integer(0, 3) : x)),
      out: new Float32Array(2 * COUNT),
    }),
    references: (module, host) => {
      using lines = toArray(host.lines, { width: 11, layers: 3, dtype: 'f32' });
      using sheets = toArray(host.sheets, { width: 11, height: 6, layers: 3, dtype: 'u8', channels: 2 });
      module.getTextureReference('lines').bind(lines);
      module.getTextureReference('sheets').bind(sheets, { normalizedReads: true });
    },
    launches: ({ out, places }) => [{ kernel: 'look', args: [out, places, COUNT], ...SHAPE }],
    expected: ({ lines, sheets, places }) => ({
      out: all(places, 4, ([x = 0, y = 0, , layer = 0]) => {
        const line = layerOf({ size: [11], channels: 1, data: lines }, layer);
        const sheet = layerOf({ size: [11, 6], channels: 2, data: sheets, as: (raw) => raw / 255 }, layer);
        const [first = 0, second = 0] = sampled(sheet, [x, y]);
        return [at(sampled(line, [x]), 0), first + second];
      }),
    }),
    tolerance: { absolute: 1e-6 },
  }),

  kernelCase({
    name: 'reference-levels-and-gathered-corners',
    isOld: true,
    source: look(
      'texture<float, 2> levels; texture<uchar4, 2> corners;',
      'float4',
      `make_float4(tex2DLod(levels, p.x, p.y, p.z), tex2DGrad(levels, p.x, p.y, make_float2(0.25f, 0), make_float2(0, 0.25f)),
          tex2DLod(levels, p.x, p.y, 9.f), tex2Dgather(corners, 4 * p.x + 4, 4 * p.y + 4, 2).w)`,
    ),
    buffers: (random) => ({
      corners: random.bytes(4 * 16 * 16),
      places: Float32Array.from(random.floats(4 * COUNT, 0, 1), (x, i) => (i % 4 === 2 ? random.integer(0, 3) : x)),
      out: new Float32Array(4 * COUNT),
    }),
    references: (module, { corners }) => {
      using array = new MipmappedArray({ width: 16, height: 16, dtype: 'f32', levels: 3 });
      for (let i = 0; i < array.levels; i++) {
        using level = array.level(i);
        memcpyHtoA(level, new Float32Array(level.width * level.height).fill(10 + i));
      }
      using image = toArray(corners, { width: 16, height: 16, dtype: 'u8', channels: 4, gather: true });
      module.getTextureReference('levels').bind(array, { normalizedCoords: true });
      module.getTextureReference('corners').bind(image);
    },
    launches: ({ out, places }) => [{ kernel: 'look', args: [out, places, COUNT], ...SHAPE }],
    expected: ({ corners, places }) => ({
      out: all(places, 3, ([x = 0, y = 0, level = 0]) => {
        // The fourth corner is the first one in both directions.
        const [left, top] = [x, y].map((c) => Math.floor(Math.fround(Math.fround(4 * c) + 4) - 0.5)) as [
          number,
          number,
        ];
        return [10 + level, 12, 12, at(corners, 4 * (16 * top + left) + 2)];
      }),
    }),
  }),

  kernelCase({
    name: 'reference-in-a-loop-with-barriers',
    isOld: true,
    source: `
      // Each specialisation reads a reference of its own; doubles are two integers.
      texture<float4, 1> floats;
      texture<int4, 1, cudaReadModeElementType> doubles;
      template <class T> struct Reader;
      template <> struct Reader<float> {
        __device__ static float at(int i)
        {
          float4 v = tex1Dfetch(floats, i / 4);
          switch (i & 3) { case 0: return v.x; case 1: return v.y; case 2: return v.z; default: return v.w; }
        }
      };
      template <> struct Reader<double> {
        __device__ __noinline__ static double at(int i)
        {
          int4 v = tex1Dfetch(doubles, i / 2);
          return i & 1 ? __hiloint2double(v.w, v.z) : __hiloint2double(v.y, v.x);
        }
      };
      template <class T, class Read> __device__ void sums(T *out, int n, T *room)
      {
        int t = threadIdx.x;
        for (int from = blockIdx.x * blockDim.x; from < n; from += gridDim.x * blockDim.x) {
          room[t] = Read::at(from + t);
          __syncthreads();
          for (int step = blockDim.x / 2; step > 0; step /= 2) {
            if (t < step) room[t] += room[t + step];
            __syncthreads();
          }
          if (t == 0) out[from / blockDim.x] = room[0];
          __syncthreads();
        }
      }
      __global__ void both(float *f, double *d, int n)
      {
        __shared__ float some[64];
        __shared__ double others[64];
        sums<float, Reader<float> >(f, n, some);
        sums<double, Reader<double> >(d, n, others);
      }`,
    buffers: (random) => ({
      floats: Float32Array.from(random.ints(640, -100, 100)),
      doubles: Float64Array.from(random.ints(640, -100, 100), (x) => x / 8),
      f: new Float32Array(10),
      d: new Float64Array(10),
    }),
    references: (module, _, { floats, doubles }) => {
      module.getTextureReference('floats').bind(floats, { dtype: 'f32', channels: 4 });
      module.getTextureReference('doubles').bind(doubles, { dtype: 'i32', channels: 4 });
    },
    launches: ({ f, d }) => [{ kernel: 'both', args: [f, d, 640], block: 64, grid: 3 }],
    expected: ({ floats, doubles }) => {
      const sums = (list: ArrayLike<number>): number[] =>
        range(10, (i) => range(64, (k) => at(list, 64 * i + k)).reduce((a, b) => a + b, 0));
      return { f: sums(floats), d: sums(doubles) };
    },
  }),

  kernelCase({
    name: 'reference-passed-by-value',
    isOld: true,
    source: look(
      `texture<unsigned, 2> first, second;
      template <class T> __device__ T cross(texture<T, 2> t, float x, float y)
      {
        return tex2D(t, x - 1, y) ^ tex2D(t, x + 1, y) ^ tex2D(t, x, y - 1) ^ tex2D(t, x, y + 1);
      }`,
      'unsigned',
      'cross(first, p.x, p.y) + 3 * cross(second, p.y, p.x)',
    ),
    buffers: (random) => ({
      first: random.uints(9 * 9),
      second: random.uints(9 * 9),
      places: places(random, [9, 9]),
      out: new Uint32Array(COUNT),
    }),
    references: (module, host) => {
      using first = toArray(host.first, { width: 9, height: 9, dtype: 'u32' });
      using second = toArray(host.second, { width: 9, height: 9, dtype: 'u32' });
      module.getTextureReference('first').bind(first);
      module.getTextureReference('second').bind(second);
    },
    launches: ({ out, places }) => [{ kernel: 'look', args: [out, places, COUNT], ...SHAPE }],
    expected: ({ first, second, places }) => {
      const cross = (data: ArrayLike<number>, x: number, y: number): number =>
        [
          [x - 1, y],
          [x + 1, y],
          [x, y - 1],
          [x, y + 1],
        ]
          .map((place) => at(sampled({ size: [9, 9], channels: 1, data }, place), 0))
          .reduce((a, b) => a ^ b, 0);
      return {
        out: all(places, 2, ([x = 0, y = 0]) => [(cross(first, x, y) + Math.imul(3, cross(second, y, x))) >>> 0]),
      };
    },
  }),

  kernelCase({
    name: 'reference-of-a-surface',
    isOld: true,
    source: `
      // A mirror: half of the picture changes place with the other half, beside a volume that only counts.
      surface<void, 2> picture;
      surface<void, cudaSurfaceType3D> volume;
      __global__ void mirror(int width)
      {
        int x = threadIdx.x, y = blockIdx.x, other = width - 1 - x;
        uchar4 a = surf2Dread<uchar4>(picture, 4 * x, y), b;
        surf2Dread(&b, picture, 4 * other, y, cudaBoundaryModeClamp);
        surf2Dwrite(b, picture, 4 * x, y);
        surf2Dwrite(a, picture, 4 * other, y, cudaBoundaryModeZero);
        surf2Dwrite(a, picture, 4 * (x + width), y, cudaBoundaryModeZero);
        surf3Dwrite(100 * y + x, volume, 4 * x, y, 1);
      }
      __global__ void fetch(uchar4 *out, int *counted, int width)
      {
        int x = threadIdx.x, y = blockIdx.x;
        out[y * width + x] = surf2Dread<uchar4>(picture, 4 * x, y);
        counted[y * width + x] = surf3Dread<int>(volume, 4 * x, y, 1) + surf3Dread<int>(volume, 4 * x, y, 0);
      }`,
    buffers: (random) => ({
      image: random.bytes(4 * 16 * 6),
      out: new Uint8Array(4 * 16 * 6),
      counted: new Int32Array(16 * 6),
    }),
    references: (module, { image }) => {
      using picture = toArray(image, { width: 16, height: 6, dtype: 'u8', channels: 4, surface: true });
      using volume = toArray(new Int32Array(16 * 6 * 2), {
        width: 16,
        height: 6,
        depth: 2,
        dtype: 'i32',
        surface: true,
      });
      module.getSurfaceReference('picture').bind(picture);
      module.getSurfaceReference('volume').bind(volume);
    },
    launches: ({ out, counted }) => [
      { kernel: 'mirror', args: [16], block: 8, grid: 6 },
      { kernel: 'fetch', args: [out, counted, 16], block: 16, grid: 6 },
    ],
    expected: ({ image }) => ({
      out: range(4 * 16 * 6, (i) => {
        const [c, x, y] = [i % 4, Math.floor(i / 4) % 16, Math.floor(i / 64)];
        return at(image, 4 * (16 * y + 15 - x) + c);
      }),
      counted: range(96, (i) => (i % 16 < 8 ? 100 * Math.floor(i / 16) + (i % 16) : 0)),
    }),
  }),
];
