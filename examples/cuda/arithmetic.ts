// a x + b y for large arrays, with scalars of several types, measured by events.
// After PyCUDA's arithmetic example.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 1 << 20;
const rounds = 10;

using mod = new cuda.SourceModule(`
__global__ void combine(float *z, float a, const float *x, short b, const double *y, long long n)
{
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) z[i] = a * x[i] + b * y[i];
}`);
const combine = mod.getFunction('combine');

const x = Float32Array.from({ length: n }, (_, i) => i % 1000);
const y = Float64Array.from({ length: n }, (_, i) => (i % 77) / 4);
using xGpu = cuda.toDevice(x);
using yGpu = cuda.toDevice(y);
using zGpu = cuda.memAlloc(x.byteLength);

// Numbers are converted to the types of the kernel's parameters.
const { blockSize, gridSize } = combine.maxPotentialBlockSize();
const launch = combine.prepare({ block: blockSize, grid: gridSize });
launch(zGpu, 0.5, xGpu, -4, yGpu, n); // loads the kernel

using start = new cuda.Event().record();
for (let i = 0; i < rounds; i++) launch(zGpu, 0.5, xGpu, -4, yGpu, n);
using end = new cuda.Event().record();
await end.done(); // the event loop runs meanwhile

const ms = end.timeSince(start) / rounds;
const bytes = 2 * x.byteLength + y.byteLength;
console.log(`${gridSize} blocks of ${blockSize}: ${ms.toFixed(3)} ms, ${(bytes / ms / 1e6).toFixed(1)} GB/s`);
const z = cuda.fromDevice(zGpu, Float32Array);
const passed = z.every((value, i) => value === 0.5 * (i % 1000) - 4 * ((i % 77) / 4));
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
