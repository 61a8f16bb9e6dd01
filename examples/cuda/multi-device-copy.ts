// Compute on two devices and combine the results with a copy from one device to the other.
// After the multi-GPU example of cuda.core.
// requires: cuda, 2 devices
import * as cuda from 'rawkernel/cuda';

const n = 1 << 16;
const shape = { block: 256, grid: n / 256 };
const source = `
__global__ void fill(float *x, float by, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = by * i;
}
__global__ void add(float *x, const float *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += y[i];
}`;

// An object belongs to the context that is current when it is made, and to its device.
using first = new cuda.Context(new cuda.Device(0));
using firstModule = new cuda.SourceModule(source);
using sum = cuda.memAlloc(4 * n);
using copied = cuda.memAlloc(4 * n);
firstModule.getFunction('fill')(sum, 1, n, shape);

using second = new cuda.Context(new cuda.Device(1));
using secondModule = new cuda.SourceModule(source);
using part = cuda.memAlloc(4 * n);
secondModule.getFunction('fill')(part, 2, n, shape);

const direct = first.device.canAccessPeer(second.device);
console.log(
  `${first.device.name}, ${second.device.name}: ${direct ? 'reach each other' : 'copies go through the host'}`,
);

cuda.memcpyPeer(copied, part, part.byteLength, { dstContext: first, srcContext: second });
first.makeCurrent();
firstModule.getFunction('add')(sum, copied, n, shape);
if (direct) {
  // Or the other device's memory directly, without a copy.
  second.synchronize();
  cuda.enablePeerAccess(second);
  firstModule.getFunction('add')(sum, part, n, shape);
}
const result = cuda.fromDevice(sum, Float32Array);
const factor = direct ? 5 : 3;
const passed = result.every((x, i) => x === factor * i);
console.log(`sum[1000] = ${result[1000]}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
