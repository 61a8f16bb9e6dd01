// A kernel that launches kernels: the first kernel determines the length of each row of a table.
// After PyCUDA's dynamic parallelism example.
// requires: cuda, cudadevrt
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const rows = 40;

// Compiled to relocatable code and linked with the toolkit's library for the device runtime.
using mod = cuda.dynamicSourceModule(`
__global__ void fillRow(int *row, int length, int value)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) row[i] = value;
}

__global__ void fillTable(int *table, int rows)
{
  int y = threadIdx.x;
  int length = y + 1;
  if (y < rows) fillRow<<<(length + 31) / 32, 32>>>(table + y * rows, length, 100 + y);
}`);

using table = cuda.toDevice(new Int32Array(rows * rows));
mod.getFunction('fillTable')(table, rows, { block: 64 });
cuda.Context.current?.synchronize(); // a kernel completes when the kernels that it launched have completed

const result = cuda.fromDevice(table, Int32Array);
for (let y = 0; y < 4; y++) console.log(result.slice(y * rows, y * rows + 5).join(' '));
const passed = result.every((value, i) => {
  const [x, y] = [i % rows, Math.floor(i / rows)];
  return value === (x <= y ? 100 + y : 0);
});
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
