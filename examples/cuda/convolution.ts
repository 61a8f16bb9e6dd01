// Blur an image with a separable filter: first along the rows, then along the columns, with tiles in shared
// memory and the filter's weights in constant memory.
// After PyCUDA's SeparableConvolution.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const width = 320;
const height = 200;
const radius = 4;

using mod = new cuda.SourceModule(
  `
__constant__ float weights[2 * RADIUS + 1];

// A block computes 128 pixels of a row. Beyond its edges the image is 0.
__global__ void alongRows(float *to, const float *from, int width)
{
  __shared__ float tile[128 + 2 * RADIUS];
  const float *row = from + blockIdx.y * width;
  int first = blockIdx.x * 128 - RADIUS;
  for (int i = threadIdx.x; i < 128 + 2 * RADIUS; i += 128) {
    int x = first + i;
    tile[i] = x >= 0 && x < width ? row[x] : 0;
  }
  __syncthreads();
  int x = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * tile[threadIdx.x + k];
  if (x < width) to[blockIdx.y * width + x] = sum;
}

// A block computes 16 x 16 pixels: the threads of a warp read neighbours in a row.
__global__ void alongColumns(float *to, const float *from, int width, int height)
{
  __shared__ float tile[16 + 2 * RADIUS][16];
  int x = blockIdx.x * 16 + threadIdx.x;
  int first = blockIdx.y * 16 - RADIUS;
  for (int i = threadIdx.y; i < 16 + 2 * RADIUS; i += 16) {
    int y = first + i;
    tile[i][threadIdx.x] = x < width && y >= 0 && y < height ? from[y * width + x] : 0;
  }
  __syncthreads();
  int y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * tile[threadIdx.y + k][threadIdx.x];
  if (x < width && y < height) to[y * width + x] = sum;
}`,
  { options: [`-DRADIUS=${radius}`] },
);

const bell = Float32Array.from({ length: 2 * radius + 1 }, (_, k) => Math.exp(-((k - radius) ** 2) / 8));
const total = bell.reduce((sum, weight) => sum + weight);
const weights = bell.map((weight) => weight / total);
cuda.memcpyHtoD(mod.getGlobal('weights'), weights);

const image = Float32Array.from({ length: width * height }, Math.random);
using source = cuda.toDevice(image);
using between = cuda.memAlloc(image.byteLength);
using blurred = cuda.memAlloc(image.byteLength);
mod.getFunction('alongRows')(between, source, width, { block: 128, grid: [Math.ceil(width / 128), height] });
mod.getFunction('alongColumns')(blurred, between, width, height, {
  block: [16, 16],
  grid: [Math.ceil(width / 16), Math.ceil(height / 16)],
});
const result = cuda.fromDevice(blurred, Float32Array);

/** The weighted sum of the pixels around a pixel, at a distance of `step`. */
function sumAround(from: Float32Array, at: number, position: number, count: number, step: number): number {
  let sum = 0;
  for (let k = -radius; k <= radius; k++) {
    const isInside = position + k >= 0 && position + k < count;
    if (isInside) sum += (weights[k + radius] ?? NaN) * (from[at + k * step] ?? NaN);
  }
  return sum;
}
const rows = image.map((_, i) => sumAround(image, i, i % width, width, 1));
const expected = rows.map((_, i) => sumAround(rows, i, Math.floor(i / width), height, width));
const worst = result.reduce((most, x, i) => Math.max(most, Math.abs(x - (expected[i] ?? NaN))), 0);
const passed = worst < 1e-5;
console.log(`${width} x ${height}, largest difference from the host: ${worst.toExponential(1)}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
