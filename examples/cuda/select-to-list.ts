// Collect the indices of the elements that fulfil a condition in a list without gaps. Each warp counts its elements
// and reserves space once, with an atomic addition.
// After PyCUDA's select_to_list.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 100_000;

using mod = new cuda.SourceModule(`
__global__ void select(const int *x, int n, int threshold, int *list, int *count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool wanted = i < n && x[i] > threshold;
  unsigned chosen = __ballot_sync(0xffffffff, wanted);
  int lane = threadIdx.x % 32;
  int base = 0;
  if (lane == 0 && chosen) base = atomicAdd(count, __popc(chosen));
  base = __shfl_sync(0xffffffff, base, 0);
  if (wanted) list[base + __popc(chosen & ((1u << lane) - 1))] = i;
}`);

const x = Int32Array.from({ length: n }, () => Math.floor(Math.random() * 1000));
using input = cuda.toDevice(x);
using list = cuda.memAlloc(4 * n);
using count = cuda.toDevice(Int32Array.of(0));
mod.getFunction('select')(input, n, 900, list, count, { block: 256, grid: Math.ceil(n / 256) });

const [found = 0] = cuda.fromDevice(count, Int32Array);
const indices = cuda.fromDevice(list, Int32Array, found);
console.log(`${found} of ${n} are above 900, the first in the list: ${indices.slice(0, 5).join(', ')}`);

// The order of the warps is unspecified, so the order is not compared.
const expected = Int32Array.from(x.keys()).filter((i) => (x[i] ?? 0) > 900);
const passed = found === expected.length && indices.sort().every((index, i) => index === expected[i]);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
