// Compile two sources separately; nvJitLink links them and optimises them as a whole.
// After the link-time optimisation example of cuda.core.
// requires: cuda, nvjitlink
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const library = cuda.Program.compile('__device__ float shape(float x) { return x * x * (3 - 2 * x); }', {
  output: 'ltoir',
  fileName: 'shape.cu',
});
const main = cuda.Program.compile(
  `
extern __device__ float shape(float);

__global__ void apply(float *y, const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = shape(x[i]);
}`,
  { output: 'ltoir', fileName: 'main.cu' },
);
const linked = new cuda.Linker().add(library, 'shape').add(main, 'main').link();
using mod = linked.toModule();
console.log(`${library.kind} + ${main.kind} -> ${linked.kind} for ${linked.arch}, ${linked.code.byteLength} bytes`);

const n = 1000;
const x = Float32Array.from({ length: n }, (_, i) => i / (n - 1));
const y = new Float32Array(n);
mod.getFunction('apply')(cuda.Out(y), cuda.In(x), n, { block: 128, grid: Math.ceil(n / 128) });

const passed = x.every((value, i) => Math.abs(value * value * (3 - 2 * value) - (y[i] ?? NaN)) < 1e-6);
console.log(`shape(0), shape(1/2), shape(1): ${[0, n / 2, n - 1].map((i) => y[i]?.toFixed(3)).join(', ')}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
