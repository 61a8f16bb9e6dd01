// Transpose a matrix in two ways: directly, with scattered writes, and by tiles in shared memory, with contiguous writes.
// After PyCUDA's matrix transpose example.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';
// Written by: npx rawkernel types kernels/cuda/transpose.cu
import type transposeSource from '../../kernels/cuda/transpose.cu.d.ts';

const rows = 768;
const columns = 1024;

using straight = new cuda.SourceModule(`
__global__ void straight(float *to, const float *from, int rows, int columns)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) to[x * rows + y] = from[y * columns + x];
}`);
const file = new URL('../../kernels/cuda/transpose.cu', import.meta.url);
using tiled = cuda.SourceModule.fromFile<typeof transposeSource>(file);

// A thread of the tiled kernel moves four elements: the blocks have the same size, the tiles four times the height.
const kernels = [
  { name: 'straight', kernel: straight.getFunction('straight'), high: 8 },
  { name: 'tiled', kernel: tiled.getFunction('transpose'), high: 32 },
];
const matrix = Float32Array.from({ length: rows * columns }, Math.random);
using from = cuda.toDevice(matrix);
using to = cuda.memAlloc(matrix.byteLength);

let passed = true;
for (const { name, kernel, high } of kernels) {
  const grid = [Math.ceil(columns / 32), Math.ceil(rows / high)];
  const launch = kernel.prepare({ block: [32, 8], grid });
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
