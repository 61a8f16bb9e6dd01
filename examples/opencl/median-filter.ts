// Remove noise from an image: each pixel becomes the median of the nine pixels around it.
// After PyOpenCL's median filter, on a generated image.
// requires: opencl
import * as cl from 'rawkernel/opencl';

const [width, height] = [320, 200];
// Smooth shades; about every seventh pixel is black or white.
let state = 1;
const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const shades = Uint8Array.from({ length: width * height }, (_, i) => ((i % width) + Math.floor(i / width)) / 4 + 64);
const noisy = shades.map((shade) => (random() < 1 / 7 ? (random() < 0.5 ? 0 : 255) : shade));

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
using prg = new cl.Program(
  ctx,
  `
__kernel void median(__global const uchar *from, __global uchar *to, int width, int height)
{
  int x = get_global_id(0), y = get_global_id(1);
  uchar around[9];
  for (int i = 0; i < 9; i++) {
    int u = clamp(x + i % 3 - 1, 0, width - 1), v = clamp(y + i / 3 - 1, 0, height - 1);
    around[i] = from[v * width + u];
  }
  // The five smallest in order: the last of them is the median.
  for (int i = 0; i < 5; i++) {
    for (int j = i + 1; j < 9; j++) {
      uchar low = min(around[i], around[j]);
      around[j] = max(around[i], around[j]);
      around[i] = low;
    }
  }
  to[y * width + x] = around[4];
}`,
).build();

const mf = cl.MemFlags;
using from = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, noisy);
using to = new cl.Buffer(ctx, mf.WRITE_ONLY, noisy.byteLength);
prg.kernels.median(queue, [width, height], null, from, to, width, height);
const result = new Uint8Array(width * height);
cl.enqueueCopy(queue, result, to);

const inside = (value: number, size: number): number => Math.max(0, Math.min(size - 1, value));
const expected = noisy.map((_, i) => {
  const [x, y] = [i % width, Math.floor(i / width)];
  const around = Array.from({ length: 9 }, (__, j) => {
    const [u, v] = [inside(x + (j % 3) - 1, width), inside(y + Math.floor(j / 3) - 1, height)];
    return noisy[v * width + u] ?? 0;
  });
  return around.sort((a, b) => a - b)[4] ?? 0;
});

const error = (image: Uint8Array): number =>
  image.reduce((sum, value, i) => sum + Math.abs(value - (shades[i] ?? 0)), 0) / image.length;
console.log(`mean error: ${error(noisy).toFixed(2)} before, ${error(result).toFixed(2)} after`);
const passed = result.every((value, i) => value === expected[i]) && error(result) < error(noisy) / 5;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
