// Multiply two arrays on the GPU: a kernel as a C string, host arrays in and out by In and Out.
// After PyCUDA's hello_gpu.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const mod = new cuda.SourceModule(`
__global__ void multiply_them(float *dest, float *a, float *b)
{
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  dest[i] = a[i] * b[i];
}`);
const multiplyThem = mod.getFunction('multiply_them');

const a = Float32Array.from({ length: 400 }, Math.random);
const b = Float32Array.from({ length: 400 }, Math.random);
const dest = new Float32Array(400);
multiplyThem(cuda.Out(dest), cuda.In(a), cuda.In(b), { block: [100, 1, 1], grid: [4, 1] });

const expected = a.map((x, i) => x * (b[i] ?? NaN));
const passed = dest.every((x, i) => x === expected[i]);
console.log(`dest[0..2] = ${dest.slice(0, 3).join(', ')}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
mod.close();
