// The Mandelbrot set, as characters: vector inputs, small integer outputs.
// After PyOpenCL's Mandelbrot demo.
// requires: opencl
import * as cl from 'rawkernel/opencl';

const [width, height, limit] = [78, 32, 200];
const points = new Float32Array(2 * width * height);
for (let i = 0; i < width * height; i++) {
  points[2 * i] = -2.2 + ((i % width) * 3.2) / width;
  points[2 * i + 1] = 1.2 - (Math.floor(i / width) * 2.4) / height;
}

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
// Without fused multiply-adds the device rounds as JavaScript does, and both agree to the last pixel.
using prg = new cl.Program(
  ctx,
  `
#pragma OPENCL FP_CONTRACT OFF
__kernel void mandelbrot(__global const float2 *points, __global ushort *counts, ushort limit)
{
  int i = get_global_id(0);
  float2 c = points[i], z = (float2)(0);
  ushort count = 0;
  while (count < limit) {
    float xx = z.x * z.x, yy = z.y * z.y, xy = z.x * z.y;
    if (xx + yy > 4) break;
    z = (float2)(xx - yy, xy + xy) + c;
    count++;
  }
  counts[i] = count;
}`,
).build();

const counts = new Uint16Array(width * height);
const mf = cl.MemFlags;
using pointsG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, points);
using countsG = new cl.Buffer(ctx, mf.WRITE_ONLY, counts.byteLength);
prg.kernels.mandelbrot(queue, counts.length, null, pointsG, countsG, limit);
cl.enqueueCopy(queue, counts, countsG);

const shades = ' .:-=+*#%';
for (let y = 0; y < height; y++) {
  const row = counts.subarray(y * width, (y + 1) * width);
  console.log(
    Array.from(row, (count) => (count === limit ? '@' : shades[Math.min(count >> 1, shades.length - 1)])).join(''),
  );
}

const { fround } = Math;
const passed = counts.every((count, i) => count === countOnHost(points[2 * i] ?? 0, points[2 * i + 1] ?? 0));
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

function countOnHost(re: number, im: number): number {
  let [x, y, count] = [0, 0, 0];
  while (count < limit) {
    const [xx, yy, xy] = [fround(x * x), fround(y * y), fround(x * y)];
    if (fround(xx + yy) > 4) break;
    x = fround(fround(xx - yy) + re);
    y = fround(fround(xy + xy) + im);
    count++;
  }
  return count;
}
