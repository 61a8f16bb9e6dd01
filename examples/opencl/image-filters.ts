// Three filters on an image and a sum over it: brightness, grey, blur; images, a sampler, local memory.
// After PyOpenCL's image filters example, on a generated image.
// requires: opencl, images
import * as cl from 'rawkernel/opencl';

const [width, height, group] = [256, 192, 64];
const picture = Uint8Array.from({ length: 4 * width * height }, (_, i) => {
  const [x, y] = [(i >> 2) % width, Math.floor(i / 4 / width)];
  return [x, y, (x * y) & 255, 255][i & 3] ?? 0;
});

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
using prg = new cl.Program(
  ctx,
  `
__constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void brighten(read_only image2d_t in, write_only image2d_t out, int by)
{
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint4 p = read_imageui(in, edge, at);
  uint4 q = min(p + (uint4)(by, by, by, 0), (uint4)(255));
  write_imageui(out, at, q);
}

__kernel void grey(read_only image2d_t in, write_only image2d_t out)
{
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint4 p = read_imageui(in, edge, at);
  uint light = (77 * p.x + 150 * p.y + 29 * p.z) >> 8;
  write_imageui(out, at, (uint4)(light, light, light, p.w));
}

__kernel void blur(read_only image2d_t in, sampler_t s, write_only image2d_t out)
{
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint4 sum = (uint4)(0);
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) sum += read_imageui(in, s, at + (int2)(dx, dy));
  write_imageui(out, at, sum / 9);
}

__kernel void add_up(read_only image2d_t in, __global uint *sums, __local uint *part)
{
  int i = get_local_id(0), x = get_global_id(0), width = get_image_width(in);
  part[i] = read_imageui(in, edge, (int2)(x % width, x / width)).x;
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < half_size) part[i] += part[i + half_size];
  }
  if (i == 0) sums[get_group_id(0)] = part[0];
}`,
).build();

const { READ_ONLY, READ_WRITE, COPY_HOST_PTR } = cl.MemFlags;
const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.UNSIGNED_INT8);
using source = new cl.Image(ctx, READ_ONLY | COPY_HOST_PTR, format, [width, height], picture);
using bright = new cl.Image(ctx, READ_WRITE, format, [width, height]);
using grey = new cl.Image(ctx, READ_WRITE, format, [width, height]);
using blurred = new cl.Image(ctx, READ_WRITE, format, [width, height]);
using sampler = new cl.Sampler(ctx, false, cl.AddressingMode.CLAMP_TO_EDGE, cl.FilterMode.NEAREST);
using sums = new cl.Buffer(ctx, READ_WRITE, (4 * width * height) / group);

const { kernels } = prg;
kernels.brighten(queue, [width, height], null, source, bright, 40);
kernels.grey(queue, [width, height], null, bright, grey);
kernels.blur(queue, [width, height], null, grey, sampler, blurred);
kernels.add_up(queue, width * height, group, grey, sums, new cl.LocalMemory(4 * group));

const pixels = (image: cl.Image): Uint8Array => {
  const result = new Uint8Array(picture.length);
  cl.enqueueCopy(queue, result, image);
  return result;
};
const partial = new Uint32Array((width * height) / group);
cl.enqueueCopy(queue, partial, sums);

// The same on the host.
const brightHost = picture.map((value, i) => ((i & 3) === 3 ? value : Math.min(value + 40, 255)));
const at = (image: Uint8Array, i: number): number => image[i] ?? 0;
const greyHost = brightHost.map((value, i) => {
  const p = i & ~3;
  if ((i & 3) === 3) return value;
  return (77 * at(brightHost, p) + 150 * at(brightHost, p + 1) + 29 * at(brightHost, p + 2)) >> 8;
});
const inside = (value: number, size: number): number => Math.max(0, Math.min(size - 1, value));
const blurHost = greyHost.map((_, i) => {
  const [x, y] = [(i >> 2) % width, Math.floor(i / 4 / width)];
  let sum = 0;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      sum += at(greyHost, 4 * (inside(y + dy, height) * width + inside(x + dx, width)) + (i & 3));
    }
  }
  return Math.floor(sum / 9);
});
const total = greyHost.reduce((sum, value, i) => ((i & 3) === 0 ? sum + value : sum), 0);

const same = (one: Uint8Array, other: Uint8Array): boolean => one.every((value, i) => value === other[i]);
const sum = partial.reduce((all, part) => all + part, 0);
console.log(`mean grey: ${(sum / width / height).toFixed(2)}`);
const passed =
  same(pixels(bright), brightHost) && same(pixels(grey), greyHost) && same(pixels(blurred), blurHost) && sum === total;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
