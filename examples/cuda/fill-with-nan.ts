// Fill new memory with a pattern, here NaN, to find elements that a kernel does not write.
// After PyCUDA's fill_gpu_with_nans.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 1000;
using mod = new cuda.SourceModule(`
__global__ void squares(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 100 != 7) x[i] = (float)i * i; // the bug
}`);

// A fill takes bits, here those of a quiet NaN.
const [nan = 0] = new Uint32Array(Float32Array.of(NaN).buffer);
using memory = cuda.memAlloc(4 * n);
cuda.memsetD32(memory, nan, n);
const isFilled = cuda.fromDevice(memory, 'f32').every(Number.isNaN);

mod.getFunction('squares')(memory, n, { block: 128, grid: Math.ceil(n / 128) });
const x = cuda.fromDevice(memory, 'f32');
const forgotten = [...x.keys()].filter((i) => Number.isNaN(x[i]));
console.log(`not written: ${forgotten.join(', ')}`);

const passed = isFilled && forgotten.length === 10 && forgotten.every((i) => i % 100 === 7);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
