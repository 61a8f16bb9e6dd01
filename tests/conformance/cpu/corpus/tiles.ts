import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Blocks that share a tile of their input: products, transposition, stencils, histograms. */
export const tileCases: readonly Case[] = [
  kernelCase({
    name: 'matmul-tiled',
    source: `
      #define TILE 16
      __global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
      {
        __shared__ float as[TILE][TILE], bs[TILE][TILE];
        int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
        float sum = 0;
        for (int t = 0; t < k; t += TILE) {
          as[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
          bs[y][x] = t + y < k && column < n ? b[(t + y) * n + column] : 0;
          __syncthreads();
          for (int i = 0; i < TILE; i++) sum += as[y][i] * bs[i][x];
          __syncthreads();
        }
        if (row < m && column < n) c[row * n + column] = sum;
      }`,
    buffers: (random) => ({ a: random.floats(37 * 51), b: random.floats(51 * 45), c: new Float32Array(37 * 45) }),
    launches: ({ a, b, c }) => [{ kernel: 'matmul', args: [a, b, c, 37, 45, 51], block: [16, 16], grid: [3, 3] }],
    expected: ({ a, b }) => ({
      c: range(37 * 45, (e) => sum(51, (i) => at(a, Math.floor(e / 45) * 51 + i) * at(b, i * 45 + (e % 45)))),
    }),
    tolerance: { absolute: 1e-5 },
  }),

  kernelCase({
    name: 'transpose-tiled',
    source: `
      template <typename T> __global__ void transpose(const T *x, T *y, int rows, int columns)
      {
        __shared__ T tile[32][33];
        int column = blockIdx.x * 32 + threadIdx.x;
        for (int k = threadIdx.y; k < 32; k += blockDim.y) {
          int row = blockIdx.y * 32 + k;
          if (row < rows && column < columns) tile[k][threadIdx.x] = x[row * columns + column];
        }
        __syncthreads();
        int row = blockIdx.y * 32 + threadIdx.x;
        for (int k = threadIdx.y; k < 32; k += blockDim.y) {
          column = blockIdx.x * 32 + k;
          if (row < rows && column < columns) y[column * rows + row] = tile[threadIdx.x][k];
        }
      }`,
    nameExpressions: ['transpose<unsigned short>', 'transpose<double>'],
    buffers: (random) => ({
      x: Uint16Array.from(random.ints(50 * 70)),
      y: new Uint16Array(50 * 70),
      xd: random.doubles(50 * 70),
      yd: new Float64Array(50 * 70),
    }),
    launches: ({ x, y, xd, yd }) => [
      { kernel: 'transpose<unsigned short>', args: [x, y, 50, 70], block: [32, 8], grid: [3, 2] },
      { kernel: 'transpose<double>', args: [xd, yd, 50, 70], block: [32, 8], grid: [3, 2] },
    ],
    expected: ({ x, xd }) => {
      const from = (i: number): number => (i % 50) * 70 + Math.floor(i / 50);
      return { y: range(3500, (i) => at(x, from(i))), yd: range(3500, (i) => at(xd, from(i))) };
    },
  }),

  kernelCase({
    name: 'stencil-1d',
    source: `
      #define RADIUS 3
      __global__ void stencil(const int *x, int *y, int n)
      {
        __shared__ int cache[64 + 2 * RADIUS];
        int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + RADIUS;
        cache[t] = i < n ? x[i] : 0;
        if (threadIdx.x < RADIUS) {
          cache[t - RADIUS] = i >= RADIUS ? x[i - RADIUS] : 0;
          cache[t + blockDim.x] = i + blockDim.x < n ? x[i + blockDim.x] : 0;
        }
        __syncthreads();
        int sum = 0;
        for (int k = -RADIUS; k <= RADIUS; k++) sum += cache[t + k];
        if (i < n) y[i] = sum;
      }`,
    buffers: (random) => ({ x: random.ints(333, -999, 999), y: new Int32Array(333) }),
    launches: ({ x, y }) => [{ kernel: 'stencil', args: [x, y, 333], block: 64, grid: 6 }],
    expected: ({ x }) => ({ y: range(333, (i) => sum(7, (k) => x[i + k - 3] ?? 0)) }),
  }),

  kernelCase({
    name: 'stencil-2d',
    source: `
      // Jacobi steps of Laplace's equation; the border is kept.
      __global__ void jacobi(const float *x, float *y, int width, int height)
      {
        __shared__ float tile[10][18];
        int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
        for (int k = threadIdx.y * 16 + threadIdx.x; k < 180; k += 128) {
          int c = min(max((int)(blockIdx.x * 16 + k % 18) - 1, 0), width - 1);
          int r = min(max((int)(blockIdx.y * 8 + k / 18) - 1, 0), height - 1);
          tile[k / 18][k % 18] = x[r * width + c];
        }
        __syncthreads();
        if (column >= width || row >= height) return;
        int cx = threadIdx.x + 1, cy = threadIdx.y + 1;
        bool border = column == 0 || row == 0 || column == width - 1 || row == height - 1;
        y[row * width + column] = border ? tile[cy][cx]
          : 0.25f * (tile[cy - 1][cx] + tile[cy + 1][cx] + tile[cy][cx - 1] + tile[cy][cx + 1]);
      }`,
    buffers: (random) => ({ x: random.floats(50 * 29), y: new Float32Array(50 * 29) }),
    launches: ({ x, y }) =>
      range(6, (step) => ({
        kernel: 'jacobi',
        args: [...(step % 2 === 0 ? [x, y] : [y, x]), 50, 29],
        block: [16, 8],
        grid: [4, 4],
      })),
    expected: ({ x }) => {
      let now = [...x];
      for (let step = 0; step < 6; step++) {
        now = now.map((v, i) => {
          const [c, r] = [i % 50, Math.floor(i / 50)];
          if (c === 0 || r === 0 || c === 49 || r === 28) return v;
          return (at(now, i - 1) + at(now, i + 1) + at(now, i - 50) + at(now, i + 50)) / 4;
        });
      }
      return { x: now };
    },
    tolerance: { absolute: 1e-6 },
  }),

  kernelCase({
    name: 'stencil-3d',
    source: `
      // A block walks along z with three planes at hand: two in registers, one shared.
      __global__ void laplace(const double *x, double *y, int nx, int ny, int nz)
      {
        __shared__ double plane[6][10];
        int i = blockIdx.x * 8 + threadIdx.x, j = blockIdx.y * 4 + threadIdx.y, layer = nx * ny;
        bool inside = i < nx && j < ny;
        const double *p = x + j * nx + i;
        double below = 0, here = inside ? p[0] : 0;
        for (int k = 0; k < nz; k++) {
          double above = inside && k + 1 < nz ? p[(k + 1) * layer] : 0;
          int a = threadIdx.x + 1, b = threadIdx.y + 1;
          plane[b][a] = here;
          if (a == 1) plane[b][0] = inside && i > 0 ? p[k * layer - 1] : 0;
          if (a == 8) plane[b][9] = inside && i + 1 < nx ? p[k * layer + 1] : 0;
          if (b == 1) plane[0][a] = inside && j > 0 ? p[k * layer - nx] : 0;
          if (b == 4) plane[5][a] = inside && j + 1 < ny ? p[k * layer + nx] : 0;
          __syncthreads();
          if (inside)
            y[k * layer + j * nx + i] =
              plane[b][a - 1] + plane[b][a + 1] + plane[b - 1][a] + plane[b + 1][a] + below + above - 6 * here;
          __syncthreads();
          below = here;
          here = above;
        }
      }`,
    buffers: (random) => ({ x: random.doubles(13 * 10 * 7), y: new Float64Array(13 * 10 * 7) }),
    launches: ({ x, y }) => [{ kernel: 'laplace', args: [x, y, 13, 10, 7], block: [8, 4], grid: [2, 3] }],
    expected: ({ x }) => {
      const get = (i: number, j: number, k: number): number =>
        i < 0 || j < 0 || k < 0 || i >= 13 || j >= 10 || k >= 7 ? 0 : at(x, (k * 10 + j) * 13 + i);
      return {
        y: range(910, (cell) => {
          const [i, j, k] = [cell % 13, Math.floor(cell / 13) % 10, Math.floor(cell / 130)];
          const around = [-1, 1].map((d) => get(i + d, j, k) + get(i, j + d, k) + get(i, j, k + d));
          return at(around, 0) + at(around, 1) - 6 * get(i, j, k);
        }),
      };
    },
    tolerance: { absolute: 1e-14 },
  }),

  kernelCase({
    name: 'histogram-shared',
    source: `
      __global__ void histogram(const unsigned char *x, unsigned *bins, int n)
      {
        __shared__ unsigned local[256];
        for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
        __syncthreads();
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[x[i]], 1u);
        __syncthreads();
        for (int b = threadIdx.x; b < 256; b += blockDim.x)
          if (local[b]) atomicAdd(&bins[b], local[b]);
      }`,
    buffers: (random) => ({ x: random.bytes(9000).map((v) => v & (v >> 1)), bins: new Uint32Array(256) }),
    launches: ({ x, bins }) => [{ kernel: 'histogram', args: [x, bins, 9000], block: 96, grid: 5 }],
    expected: ({ x }) => ({ bins: counts(x, 256) }),
  }),

  kernelCase({
    name: 'histogram-global',
    source: `
      __global__ void histogram(const float *x, int *bins, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) atomicAdd(bins + min((int)(x[i] * 20), 19), 1);
      }`,
    buffers: (random) => ({ x: random.floats(5000, 0, 1).map((v) => v * v), bins: new Int32Array(20) }),
    launches: ({ x, bins }) => [{ kernel: 'histogram', args: [x, bins, 5000], block: 128, grid: 40 }],
    expected: ({ x }) => ({
      bins: counts(
        Array.from(x, (v) => Math.min(19, Math.floor(Math.fround(v * 20)))),
        20,
      ),
    }),
  }),
];

function counts(values: Iterable<number>, bins: number): number[] {
  const found = range(bins, () => 0);
  for (const value of values) found[value] = at(found, value) + 1;
  return found;
}
