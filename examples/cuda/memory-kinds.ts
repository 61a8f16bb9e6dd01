// The same work with four kinds of memory: device memory, pinned host memory, an ordinary array whose pages are locked, and
// managed memory, which migrates to where it is used.
// After the memory examples of cuda.core.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 1000;

using mod = new cuda.SourceModule(`
__global__ void twice(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}`);
const twice = mod.getFunction('twice');
const shape = { block: 128, grid: Math.ceil(n / 128) };
const device = cuda.currentDevice();
const input = Float32Array.from({ length: n }, (_, i) => i);

const results: boolean[] = [];
function check(kind: string, result: Float32Array): void {
  const isDoubled = result.length === n && result.every((x, i) => x === 2 * i);
  console.log(`${kind}: ${isDoubled ? 'doubled' : 'wrong'}`);
  results.push(isDoubled);
}

// Only kernels and copies can access device memory.
using memory = cuda.toDevice(input);
twice(memory, n, shape);
check('device memory', cuda.fromDevice(memory, Float32Array));

// Host memory by its device address: no copies, each access goes over the bus.
if (device.canMapHostMemory === 1) {
  using pinned = cuda.pagelockedEmpty(n, Float32Array, cuda.HostAllocFlags.DEVICEMAP);
  pinned.set(input);
  twice(cuda.getDevicePointer(pinned), n, shape);
  cuda.Context.current?.synchronize();
  check('pinned memory', pinned);
}

// An ordinary array: copies from and to it do not block while its pages are locked.
const own = input.slice();
{
  using stream = new cuda.Stream();
  using registered = cuda.registerHostMemory(own);
  cuda.memcpyHtoDAsync(memory, registered.base, stream);
  twice(memory, n, { ...shape, stream });
  cuda.memcpyDtoHAsync(registered.base, memory, stream);
  await stream.done();
}
check('an array with locked pages', own);

// One address for host and device.
if (device.managedMemory === 1) {
  using managed = cuda.managedEmpty(n, Float32Array);
  managed.set(input);
  twice(managed, n, shape);
  cuda.Context.current?.synchronize();
  check('managed memory', managed);
}

const passed = results.every(Boolean);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
