// The distance of each crossing of a city to the nearest of some shops, along the streets: a two-dimensional grid over a
// two-dimensional array.
// After PyCUDA's Manhattan distance of a 2-D array.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const width = 70;
const height = 20;

using mod = new cuda.SourceModule(`
__global__ void nearest(int *distances, int width, int height, const int2 *shops, int count)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  // The last blocks reach beyond the array.
  if (x >= width || y >= height) return;
  int least = width + height;
  for (int i = 0; i < count; i++) least = min(least, abs(shops[i].x - x) + abs(shops[i].y - y));
  distances[y * width + x] = least;
}`);

const shops = [
  [10, 5],
  [33, 16],
  [60, 3],
] as const;
const distances = new Int32Array(width * height);
const block = [16, 8];
const grid = [Math.ceil(width / 16), Math.ceil(height / 8)];
mod.getFunction('nearest')(cuda.Out(distances), width, height, cuda.In(Int32Array.from(shops.flat())), shops.length, {
  block,
  grid,
});

for (let y = 0; y < height; y += 2) {
  console.log(Array.from(distances.subarray(y * width, (y + 1) * width), (d) => d.toString(36)).join(''));
}
const passed = distances.every((distance, i) => {
  const [x, y] = [i % width, Math.floor(i / width)];
  return distance === Math.min(...shops.map(([u, v]) => Math.abs(u - x) + Math.abs(v - y)));
});
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
