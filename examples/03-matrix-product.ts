// Multiply two 32 x 32 matrices, with a two-dimensional grid and block.
// After matrixmul_simple of PyCUDA's wiki, with more than one block.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const size = 32;
const tile = 16;

using mod = new cuda.SourceModule(`
__global__ void matmul(const float *a, const float *b, float *c, int size)
{
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < size; k++) sum += a[row * size + k] * b[k * size + column];
  c[row * size + column] = sum;
}`);
const matmul = mod.getFunction('matmul');

const a = Float32Array.from({ length: size * size }, () => Math.random() - 0.5);
const b = Float32Array.from({ length: size * size }, () => Math.random() - 0.5);

using aGpu = cuda.toDevice(a);
using bGpu = cuda.toDevice(b);
using cGpu = cuda.memAlloc(a.byteLength);
matmul(aGpu, bGpu, cGpu, size, { block: [tile, tile], grid: [size / tile, size / tile] });
const c = cuda.fromDevice(cGpu, Float32Array);

let worst = 0;
for (let row = 0; row < size; row++) {
  for (let column = 0; column < size; column++) {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += (a[row * size + k] ?? NaN) * (b[k * size + column] ?? NaN);
    worst = Math.max(worst, Math.abs(sum - (c[row * size + column] ?? NaN)));
  }
}
const passed = worst < 1e-5;
console.log(`largest difference from the host's product: ${worst.toExponential(1)}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
