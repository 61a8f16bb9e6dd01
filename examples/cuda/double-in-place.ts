// Double a 4 x 4 array in place, with each way to copy it to the device and back.
// After PyCUDA's demo.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

using mod = new cuda.SourceModule(`
__global__ void twice(float *x)
{
  int i = threadIdx.x + threadIdx.y * 4;
  x[i] *= 2;
}`);
const twice = mod.getFunction('twice');
const block = [4, 4];

const a = Float32Array.from({ length: 16 }, Math.random);
const expected = a.map((x) => 2 * x);
const isExpected = (x: Float32Array) => x.every((value, i) => value === expected[i]);

// 1. Explicitly.
using memory = cuda.memAlloc(a.byteLength);
cuda.memcpyHtoD(memory, a);
twice(memory, { block });
const copied = new Float32Array(a.length);
cuda.memcpyDtoH(copied, memory);

// 2. InOut: the allocation and both copies.
const inOut = a.slice();
twice(cuda.InOut(inOut), { block });

// 3. Prepared: each launch only passes the argument.
const launch = twice.prepare({ block });
cuda.memcpyHtoD(memory, a);
launch(memory);
const prepared = cuda.fromDevice(memory, Float32Array);

for (let row = 0; row < 4; row++) {
  console.log(Array.from(copied.subarray(4 * row, 4 * row + 4), (x) => x.toFixed(3)).join(' '));
}
const passed = [copied, inOut, prepared].every(isExpected);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
