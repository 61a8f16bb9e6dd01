// Convert an image to gray: bytes in and out, as vectors of four.
// After PyCUDA's simple_rgb2gray.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const width = 150;
const height = 70;

using mod = new cuda.SourceModule(`
__global__ void gray(unsigned char *out, const uchar4 *pixels, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar4 p = pixels[i];
  // 0.299, 0.587 and 0.114 of 65536: in integers, host and device agree to the last bit.
  out[i] = (19595u * p.x + 38470u * p.y + 7471u * p.z + 32768u) >> 16;
}`);

const n = width * height;
// Red from left to right, green from top to bottom, some blue; opaque.
const pixels = Uint8Array.from({ length: 4 * n }, (_, i) => {
  const [x, y] = [Math.floor(i / 4) % width, Math.floor(i / 4 / width)];
  return [(255 * x) / width, (255 * y) / height, (x * y) % 256, 255][i % 4] ?? 0;
});
const out = new Uint8Array(n);
mod.getFunction('gray')(cuda.Out(out), cuda.In(pixels), n, { block: 128, grid: Math.ceil(n / 128) });

for (let y = 0; y < height; y += 10) {
  const row = Array.from(
    { length: width / 2 },
    (_, x) => ' .:-=+*#%@'[Math.floor((out[y * width + 2 * x] ?? 0) / 25.6)],
  );
  console.log(row.join(''));
}
const passed = out.every((value, i) => {
  const [red = NaN, green = NaN, blue = NaN] = pixels.subarray(4 * i);
  return value === (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16;
});
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
