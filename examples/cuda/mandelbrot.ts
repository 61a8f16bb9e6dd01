// The Mandelbrot set, as characters: a two-dimensional grid, complex numbers as pairs of variables.
// After PyCUDA's mandelbrot examples.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const width = 78;
const height = 32;
const limit = 200;
const view = { left: -2.2, top: 1.2, stepX: 3.2 / width, stepY: 2.4 / height };

// Without fused multiply-adds the device rounds as JavaScript does, and both agree to the last pixel.
using mod = new cuda.SourceModule(
  `
__global__ void mandelbrot(int *counts, int width, int height, double left, double top, double stepX, double stepY, int limit)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double re = left + x * stepX, im = top - y * stepY;
  double a = 0, b = 0;
  int count = 0;
  while (count < limit && a * a + b * b <= 4) {
    double next = a * a - b * b + re;
    b = 2 * a * b + im;
    a = next;
    count++;
  }
  counts[y * width + x] = count;
}`,
  { options: ['--fmad=false'] },
);

const counts = new Int32Array(width * height);
const { left, top, stepX, stepY } = view;
mod.getFunction('mandelbrot')(cuda.Out(counts), width, height, left, top, stepX, stepY, limit, {
  block: [16, 16],
  grid: [Math.ceil(width / 16), Math.ceil(height / 16)],
});

const shades = ' .:-=+*#%';
for (let y = 0; y < height; y++) {
  const row = counts.subarray(y * width, (y + 1) * width);
  console.log(
    Array.from(row, (count) => (count === limit ? '@' : shades[Math.min(count >> 1, shades.length - 1)])).join(''),
  );
}

const passed = counts.every((count, i) => count === countOnHost(i % width, Math.floor(i / width)));
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

function countOnHost(x: number, y: number): number {
  const [re, im] = [left + x * stepX, top - y * stepY];
  let [a, b, count] = [0, 0, 0];
  while (count < limit && a * a + b * b <= 4) {
    [a, b] = [a * a - b * b + re, 2 * a * b + im];
    count++;
  }
  return count;
}
