// Add two vectors with explicit device memory: allocate, copy to the device, launch, copy back.
// After the tutorial of PyCUDA (mem_alloc, memcpy_htod, memcpy_dtoh).
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 1024;
const block = 32;

using mod = new cuda.SourceModule(`
__global__ void add(const float *a, const float *b, float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}`);
const add = mod.getFunction('add');

const a = Float32Array.from({ length: n }, Math.random);
const b = Float32Array.from({ length: n }, Math.random);
const c = new Float32Array(n);

using aGpu = cuda.memAlloc(a.byteLength);
using bGpu = cuda.memAlloc(b.byteLength);
using cGpu = cuda.memAlloc(c.byteLength);
cuda.memcpyHtoD(aGpu, a);
cuda.memcpyHtoD(bGpu, b);

// `n` is an int in the kernel, so the plain number is converted to one.
add(aGpu, bGpu, cGpu, n, { block, grid: Math.ceil(n / block) });
cuda.memcpyDtoH(c, cGpu);

const expected = a.map((x, i) => x + (b[i] ?? NaN));
const passed = c.every((x, i) => x === expected[i]);
console.log(`c[0..2] = ${c.slice(0, 3).join(', ')}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
