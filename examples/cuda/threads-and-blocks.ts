// The position of a thread: each thread stores its own index and that of its block, in a three-dimensional grid.
// After PyCUDA's threads_and_blocks.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const block = [4, 2, 2] as const;
const grid = [3, 2, 2] as const;

using mod = new cuda.SourceModule(`
struct Place { uint3 block, thread; };

__global__ void tell(Place *places)
{
  // x counts first, then y, then z; threads within a block, blocks within the grid.
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  places[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = {blockIdx, threadIdx};
}`);

const count = [...block, ...grid].reduce((product, size) => product * size, 1);
const places = new Uint32Array(6 * count);
mod.getFunction('tell')(cuda.Out(places), { block, grid });

/** The three-dimensional index with this linear index, x first. */
function placeOf(number: number, [x, y]: readonly [number, number, number]): readonly number[] {
  return [number % x, Math.floor(number / x) % y, Math.floor(number / (x * y))];
}

const threads = block[0] * block[1] * block[2];
let passed = true;
for (let i = 0; i < count; i++) {
  const place = Array.from(places.subarray(6 * i, 6 * i + 6));
  const expected = [...placeOf(Math.floor(i / threads), grid), ...placeOf(i % threads, block)];
  passed &&= place.every((value, k) => value === expected[k]);
  if (i % 37 === 0)
    console.log(`number ${i}: block (${place.slice(0, 3).join(', ')}), thread (${place.slice(3).join(', ')})`);
}
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
