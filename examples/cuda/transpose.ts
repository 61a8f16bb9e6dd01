// Transpose a matrix in two ways: straight, where writes are scattered, and by tiles in shared memory, where they are not.
// After PyCUDA's matrix transpose example.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const rows = 768;
const columns = 1024;

using mod = new cuda.SourceModule(`
__global__ void straight(float *to, const float *from, int rows, int columns)
{
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows) to[x * rows + y] = from[y * columns + x];
}

__global__ void tiled(float *to, const float *from, int rows, int columns)
{
  __shared__ float tile[16][17]; // 17: the elements of a column lie in different banks
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = from[y * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < columns) to[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}`);

const matrix = Float32Array.from({ length: rows * columns }, Math.random);
using from = cuda.toDevice(matrix);
using to = cuda.memAlloc(matrix.byteLength);

let passed = true;
for (const name of ['straight', 'tiled']) {
  const grid = [Math.ceil(columns / 16), Math.ceil(rows / 16)];
  const launch = mod.getFunction(name).prepare({ block: [16, 16], grid });
  cuda.memsetD8(to, 0, to.byteLength);
  launch(to, from, rows, columns);
  const result = cuda.fromDevice(to, Float32Array);
  passed &&= result.every((x, i) => x === matrix[(i % rows) * columns + Math.floor(i / rows)]);

  using start = new cuda.Event().record();
  for (let round = 0; round < 10; round++) launch(to, from, rows, columns);
  using end = new cuda.Event().record();
  end.synchronize();
  const seconds = end.timeSince(start) / 10 / 1000;
  console.log(`${name}: ${((2 * matrix.byteLength) / seconds / 1e9).toFixed(1)} GB/s`);
}
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
