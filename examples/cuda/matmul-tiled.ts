// Multiply matrices tile by tile: each block loads tiles of both into shared memory, so that each number is read from
// global memory once for a whole row of threads. 03-matrix-product.ts is the version without tiles.
// After matrixmul_tiled of PyCUDA's wiki, for matrix sizes that are not multiples of the tile.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const [rows, inner, columns] = [100, 150, 130];
const tile = 16;

using mod = new cuda.SourceModule(
  `
__global__ void matmul(float *c, const float *a, const float *b, int rows, int inner, int columns)
{
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < inner; k += TILE) {
    int column = k + threadIdx.x, row = k + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = y < rows && column < inner ? a[y * inner + column] : 0;
    right[threadIdx.y][threadIdx.x] = row < inner && x < columns ? b[row * columns + x] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (y < rows && x < columns) c[y * columns + x] = sum;
}`,
  { options: [`-DTILE=${tile}`] },
);

const a = Float32Array.from({ length: rows * inner }, () => Math.random() - 0.5);
const b = Float32Array.from({ length: inner * columns }, () => Math.random() - 0.5);
const c = new Float32Array(rows * columns);
mod.getFunction('matmul')(cuda.Out(c), cuda.In(a), cuda.In(b), rows, inner, columns, {
  block: [tile, tile],
  grid: [Math.ceil(columns / tile), Math.ceil(rows / tile)],
});

const worst = c.reduce((most, x, at) => {
  const [row, column] = [Math.floor(at / columns), at % columns];
  let sum = 0;
  for (let k = 0; k < inner; k++) sum += (a[row * inner + k] ?? NaN) * (b[k * columns + column] ?? NaN);
  return Math.max(most, Math.abs(sum - x));
}, 0);
const passed = worst < 1e-4;
console.log(`largest difference from the host's product: ${worst.toExponential(1)}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
