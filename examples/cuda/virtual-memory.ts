// A list in device memory that grows without being copied: addresses are reserved for its maximum size, and memory
// is mapped to them when it is needed.
// After the virtual memory example of cuda.core.
// requires: cuda, VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

using mod = new cuda.SourceModule(`
__global__ void number(int *x, int first, int count)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) x[first + i] = first + i;
}`);
const number = mod.getFunction('number');

const device = cuda.currentDevice();
const unit = cuda.memGranularity();
using range = new cuda.AddressRange(8 * unit);
const address = range.ptr;

let bytes = 0;
/** Map memory to the next addresses, and fill it. */
function grow(by: number): void {
  // The mapping retains the memory.
  using memory = new cuda.PhysicalMemory(by);
  range.map(bytes, memory);
  range.setAccess(device, 'readwrite', bytes, by);
  number(range.ptr, bytes / 4, by / 4, { block: 256, grid: 64 });
  bytes += by;
}

for (const units of [1, 1, 2, 4]) {
  grow(units * unit);
  console.log(`${bytes / 2 ** 20} MiB from 0x${range.ptr.toString(16)} on`);
}

// The whole range is one array, across the boundaries of its pieces.
const list = cuda.fromDevice(range.slice(0, bytes), Int32Array);
const passed = range.ptr === address && list.length === (8 * unit) / 4 && list.every((x, i) => x === i);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
