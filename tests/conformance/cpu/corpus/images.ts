import { at, kernelCase, range, sum, type Case } from '../case.ts';

const width = 53;
const height = 38;
const shape = { block: [16, 8] as [number, number], grid: [4, 5] as [number, number] };

/** A pixel of an image whose border goes on for ever. */
function clamped(image: ArrayLike<number>, x: number, y: number): number {
  return at(image, Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x)));
}

/** Every pixel by its place. */
function pixels(of: (x: number, y: number) => number): number[] {
  return range(width * height, (i) => of(i % width, Math.floor(i / width)));
}

/** Filters of pictures. */
export const imageCases: readonly Case[] = [
  kernelCase({
    name: 'convolution-separable',
    source: `
      // Rows, then columns; weights in constant memory, a row of pixels and its margins in shared memory.
      #define RADIUS 2
      __constant__ float weights[2 * RADIUS + 1];
      __global__ void rows(const float *in, float *out, int width, int height)
      {
        __shared__ float line[8][16 + 2 * RADIUS];
        int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
        for (int k = threadIdx.x; k < 16 + 2 * RADIUS; k += 16)
          line[threadIdx.y][k] = in[min(y, height - 1) * width + min(max((int)(blockIdx.x * 16 + k) - RADIUS, 0), width - 1)];
        __syncthreads();
        if (x >= width || y >= height) return;
        float sum = 0;
      #pragma unroll
        for (int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * line[threadIdx.y][threadIdx.x + k];
        out[y * width + x] = sum;
      }
      __global__ void columns(const float *in, float *out, int width, int height)
      {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x >= width || y >= height) return;
        float sum = 0;
        for (int k = -RADIUS; k <= RADIUS; k++) sum += weights[k + RADIUS] * in[min(max(y + k, 0), height - 1) * width + x];
        out[y * width + x] = sum;
      }`,
    buffers: (random) => ({
      image: random.floats(width * height),
      between: new Float32Array(width * height),
      out: new Float32Array(width * height),
      weights: Float32Array.of(0.0625, 0.25, 0.375, 0.25, 0.0625),
    }),
    globals: ({ weights }) => ({ weights }),
    launches: ({ image, between, out }) => [
      { kernel: 'rows', args: [image, between, width, height], ...shape },
      { kernel: 'columns', args: [between, out, width, height], ...shape },
    ],
    expected: ({ image, weights }) => ({
      out: pixels((x, y) =>
        sum(25, (k) => {
          const [dx, dy] = [k % 5, Math.floor(k / 5)];
          return at(weights, dx) * at(weights, dy) * clamped(image, x + dx - 2, y + dy - 2);
        }),
      ),
    }),
    tolerance: { absolute: 1e-6 },
  }),

  kernelCase({
    name: 'box-blur-running-sum',
    source: `
      // A thread a row: the window slides, so a pixel costs one addition and one subtraction.
      __global__ void blur(const unsigned char *in, unsigned char *out, int width, int height, int radius)
      {
        int y = blockIdx.x * blockDim.x + threadIdx.x;
        if (y >= height) return;
        const unsigned char *row = in + y * width;
        int sum = 0;
        for (int k = -radius; k < radius; k++) sum += row[min(max(k, 0), width - 1)];
        for (int x = 0; x < width; x++) {
          sum += row[min(x + radius, width - 1)];
          out[y * width + x] = sum / (2 * radius + 1);
          sum -= row[max(x - radius, 0)];
        }
      }`,
    buffers: (random) => ({ image: random.bytes(width * height), out: new Uint8Array(width * height) }),
    launches: ({ image, out }) => [{ kernel: 'blur', args: [image, out, width, height, 3], block: 16, grid: 3 }],
    expected: ({ image }) => ({
      out: pixels((x, y) => Math.floor(sum(7, (k) => clamped(image, x + k - 3, y)) / 7)),
    }),
  }),

  kernelCase({
    name: 'sobel',
    source: `
      __device__ int pixel(const unsigned char *image, int x, int y, int width, int height)
      {
        return image[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
      }
      __global__ void sobel(const unsigned char *in, unsigned char *out, int width, int height)
      {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x >= width || y >= height) return;
        const int across[3][3] = { { -1, 0, 1 }, { -2, 0, 2 }, { -1, 0, 1 } };
        int gx = 0, gy = 0;
        for (int j = 0; j < 3; j++)
          for (int i = 0; i < 3; i++) {
            int p = pixel(in, x + i - 1, y + j - 1, width, height);
            gx += across[j][i] * p;
            gy += across[i][j] * p;
          }
        out[y * width + x] = min(abs(gx) + abs(gy), 255);
      }`,
    buffers: (random) => ({ image: random.bytes(width * height, 100, 160), out: new Uint8Array(width * height) }),
    launches: ({ image, out }) => [{ kernel: 'sobel', args: [image, out, width, height], ...shape }],
    // A derivative one way, then a smoothing the other way.
    expected: ({ image }) => ({
      out: pixels((x, y) => {
        const smooth = [1, 2, 1];
        const across = sum(
          3,
          (k) => at(smooth, k) * (clamped(image, x + 1, y + k - 1) - clamped(image, x - 1, y + k - 1)),
        );
        const down = sum(
          3,
          (k) => at(smooth, k) * (clamped(image, x + k - 1, y + 1) - clamped(image, x + k - 1, y - 1)),
        );
        return Math.min(255, Math.abs(across) + Math.abs(down));
      }),
    }),
  }),

  kernelCase({
    name: 'median-filter',
    source: `
      __device__ void order(unsigned char &a, unsigned char &b)
      {
        unsigned char low = min((int)a, (int)b), high = max((int)a, (int)b);
        a = low;
        b = high;
      }
      __global__ void median(const unsigned char *in, unsigned char *out, int width, int height)
      {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x >= width || y >= height) return;
        unsigned char v[9];
        for (int k = 0; k < 9; k++) {
          int column = min(max(x + k % 3 - 1, 0), width - 1), row = min(max(y + k / 3 - 1, 0), height - 1);
          v[k] = in[row * width + column];
        }
        for (int end = 8; end >= 4; end--)
          for (int k = 0; k < end; k++) order(v[k], v[k + 1]);
        out[y * width + x] = v[4];
      }`,
    buffers: (random) => ({ image: random.bytes(width * height), out: new Uint8Array(width * height) }),
    launches: ({ image, out }) => [{ kernel: 'median', args: [image, out, width, height], ...shape }],
    expected: ({ image }) => ({
      out: pixels((x, y) => {
        const around = range(9, (k) => clamped(image, x + (k % 3) - 1, y + Math.floor(k / 3) - 1));
        return at(
          around.sort((a, b) => a - b),
          4,
        );
      }),
    }),
  }),

  kernelCase({
    name: 'grey-and-threshold',
    source: `
      struct Rgb { unsigned char r, g, b; };
      __global__ void grey(const Rgb *in, unsigned char *out, unsigned *mask, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        Rgb p = i < n ? in[i] : Rgb{};
        int value = (299 * p.r + 587 * p.g + 114 * p.b + 500) / 1000;
        unsigned bits = __ballot_sync(0xffffffff, i < n && value > 127);
        if (threadIdx.x % 32 == 0 && i < n) mask[i / 32] = bits;
        if (i < n) out[i] = value;
      }`,
    buffers: (random) => ({ rgb: random.bytes(3 * 1000), out: new Uint8Array(1000), mask: new Uint32Array(32) }),
    launches: ({ rgb, out, mask }) => [{ kernel: 'grey', args: [rgb, out, mask, 1000], block: 64, grid: 16 }],
    expected: ({ rgb }) => {
      const grey = range(1000, (i) => {
        const weights = [299, 587, 114];
        return Math.round(sum(3, (k) => at(weights, k) * at(rgb, 3 * i + k)) / 1000);
      });
      return { out: grey, mask: range(32, (w) => sum(32, (k) => ((grey[32 * w + k] ?? 0) > 127 ? 2 ** k : 0))) };
    },
  }),
];
