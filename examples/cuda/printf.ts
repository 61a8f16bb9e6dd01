// Print from a kernel. The text appears when the host next waits for the device.
// After PyCUDA's printf example.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

using mod = new cuda.SourceModule(`
__global__ void hello(int *printed, float x)
{
  // No header is needed. As in C, floats become doubles on their way; %lld takes a long long.
  int arguments = printf("thread %d of block %d: %.3f, %s\\n", threadIdx.x, blockIdx.x, x / (threadIdx.x + 1), "hello");
  if (arguments == 4) atomicAdd(printed, 1);
}`);

using printed = cuda.toDevice(Int32Array.of(0));
mod.getFunction('hello')(printed, 1, { block: 2, grid: 2 });
cuda.Context.current?.synchronize();

const [count] = cuda.fromDevice(printed, Int32Array);
const passed = count === 4;
console.log(`${count} threads have printed`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
