import { at, range } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

const [w, h] = [20, 12];

/** Images of all shapes, with samplers. */
export const imageCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'nearest-pixels',
    source: `
      constant sampler_t clamped = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
      constant sampler_t bordered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
      kernel void nearest_pixels(read_only image2d_t image, global uint4 *out, int by) {
        int2 at = (int2)(get_global_id(0) - by, get_global_id(1) - by);
        out[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
            read_imageui(image, clamped, at) * 1000 + read_imageui(image, bordered, convert_float2(at) + 0.25f);
      }`,
    buffers: (random) => ({ pixels: random.bytes(4 * w * h), out: new Uint32Array(4 * (w + 6) * (h + 6)) }),
    images: ({ pixels }) => ({
      image: { order: 'RGBA', channel: 'UNSIGNED_INT8', shape: [w, h], data: pixels },
    }),
    launches: ({ out }, _, images) => [
      { kernel: 'nearest_pixels', args: [images('image'), out, 3], global: [w + 6, h + 6], local: null },
    ],
    expected: ({ pixels }) => ({
      out: range((w + 6) * (h + 6), (i) => {
        const [x, y] = [(i % (w + 6)) - 3, Math.floor(i / (w + 6)) - 3];
        const [cx, cy] = [Math.min(w - 1, Math.max(0, x)), Math.min(h - 1, Math.max(0, y))];
        const inside = cx === x && cy === y;
        return range(4, (k) => at(pixels, 4 * (cy * w + cx) + k) * (inside ? 1001 : 1000));
      }).flat(),
    }),
  }),

  openCLCase({
    name: 'linear-pixels',
    source: `
      constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
      kernel void halve(read_only image2d_t image, write_only image2d_t smaller, global float *out) {
        int x = get_global_id(0), y = get_global_id(1), w = get_image_width(smaller), h = get_image_height(smaller);
        float4 v = read_imagef(image, smooth, (float2)((x + 0.5f) / w, (y + 0.5f) / h));
        write_imagef(smaller, (int2)(x, y), v);
        out[y * w + x] = v.x;
      }
      constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
      kernel void read_back(read_only image2d_t image, global float *out) {
        int x = get_global_id(0), y = get_global_id(1);
        out[y * get_image_width(image) + x] = read_imagef(image, plain, (int2)(x, y)).x;
      }`,
    buffers: (random) => ({
      pixels: random.floats(32 * 16),
      empty: new Float32Array(16 * 8),
      out: new Float32Array(16 * 8),
      same: new Float32Array(16 * 8),
    }),
    images: ({ pixels, empty }) => ({
      large: { order: 'R', channel: 'FLOAT', shape: [32, 16], data: pixels },
      small: { order: 'R', channel: 'FLOAT', shape: [16, 8], data: empty },
    }),
    launches: ({ out, same }, _, images) => [
      { kernel: 'halve', args: [images('large'), images('small'), out], global: [16, 8], local: [8, 8] },
      { kernel: 'read_back', args: [images('small'), same], global: [16, 8], local: [8, 8] },
    ],
    expected: ({ pixels }) => {
      const out = range(128, (i) => {
        const first = 64 * Math.floor(i / 16) + 2 * (i % 16);
        return (at(pixels, first) + at(pixels, first + 1) + at(pixels, first + 32) + at(pixels, first + 33)) / 4;
      });
      return { out, same: out };
    },
    tolerance: { absolute: 1e-6 },
  }),

  openCLCase({
    name: 'repeated-textures',
    source: `
      constant sampler_t repeated = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
      constant sampler_t mirrored = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
      kernel void repeats(read_only image2d_t image, global int2 *out) {
        int x = get_global_id(0), y = get_global_id(1);
        float2 at = (float2)((x - 15.5f) / 8, (y - 7.5f) / 8);
        out[y * 32 + x] = (int2)(read_imagei(image, repeated, at).x, read_imagei(image, mirrored, at).x);
      }`,
    buffers: (random) => ({ texels: Int16Array.from(random.ints(64, -999, 999)), out: new Int32Array(2 * 32 * 16) }),
    images: ({ texels }) => ({
      image: { order: 'R', channel: 'SIGNED_INT16', shape: [8, 8], data: texels },
    }),
    launches: ({ out }, _, images) => [
      { kernel: 'repeats', args: [images('image'), out], global: [32, 16], local: [4, 4] },
    ],
    expected: ({ texels }) => ({
      out: range(512, (i) => {
        const [x, y] = [(i % 32) - 16, Math.floor(i / 32) - 8];
        const wrap = (v: number): number => (v + 64) % 8;
        const mirror = (v: number): number => (Math.floor((v + 64) / 8) % 2 === 0 ? wrap(v) : 7 - wrap(v));
        return [at(texels, wrap(y) * 8 + wrap(x)), at(texels, mirror(y) * 8 + mirror(x))];
      }).flat(),
    }),
  }),

  openCLCase({
    name: 'normalized-colours',
    source: `
      kernel void darken(read_only image2d_t image, write_only image2d_t out) {
        const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
        int2 at = (int2)(get_global_id(0), get_global_id(1));
        float4 v = read_imagef(image, sampler, at);
        write_imagef(out, at, (float4)(v.zyx * 0.5f, 1.0f));
      }
      kernel void colours(read_only image2d_t image, global float4 *out) {
        const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
        int x = get_global_id(0), y = get_global_id(1);
        out[y * get_global_size(0) + x] = convert_float4_rte(read_imagef(image, sampler, (int2)(x, y)) * 255);
      }`,
    buffers: (random) => ({
      // Even, so that half of it is not a half.
      pixels: random.bytes(4 * w * h).map((v) => v & 254),
      empty: new Uint8Array(4 * w * h),
      out: new Float32Array(4 * w * h),
    }),
    images: ({ pixels, empty }) => ({
      from: { order: 'RGBA', channel: 'UNORM_INT8', shape: [w, h], data: pixels },
      to: { order: 'RGBA', channel: 'UNORM_INT8', shape: [w, h], data: empty },
    }),
    launches: ({ out }, _, images) => [
      { kernel: 'darken', args: [images('from'), images('to')], global: [w, h], local: [4, 4] },
      { kernel: 'colours', args: [images('to'), out], global: [w, h], local: [4, 4] },
    ],
    expected: ({ pixels }) => ({
      out: range(4 * w * h, (i) => (i % 4 === 3 ? 255 : at(pixels, i - (i % 4) + 2 - (i % 4)) / 2)),
    }),
    tolerance: { absolute: 1e-4 },
  }),

  openCLCase({
    name: 'volumes',
    source: `
      kernel void through(read_only image3d_t volume, global int *out) {
        const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
        int x = get_global_id(0), y = get_global_id(1), sum = 0;
        for (int z = -1; z <= get_image_depth(volume); z++) sum += (z + 2) * read_imagei(volume, sampler, (int4)(x, y, z, 0)).y;
        out[y * get_image_width(volume) + x] = sum;
      }`,
    buffers: (random) => ({ texels: random.ints(4 * 6 * 5 * 4, -99, 99), out: new Int32Array(30) }),
    images: ({ texels }) => ({
      volume: { order: 'RGBA', channel: 'SIGNED_INT32', shape: [6, 5, 4], data: texels },
    }),
    launches: ({ out }, _, images) => [
      { kernel: 'through', args: [images('volume'), out], global: [6, 5], local: null },
    ],
    expected: ({ texels }) => ({
      out: range(30, (i) => range(4, (z) => (z + 2) * at(texels, 4 * (z * 30 + i) + 1)).reduce((a, b) => a + b)),
    }),
  }),

  openCLCase({
    name: 'layers-and-lines',
    source: `
      kernel void layers(read_only image2d_array_t layers, read_only image1d_t line, global float *out) {
        const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
        int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
        float v = read_imagef(layers, sampler, (float4)(x, y, z, 0)).x + read_imagef(line, sampler, x + y).x;
        out[(z * 4 + y) * 6 + x] = v + get_image_array_size(layers) + get_image_width(line);
      }`,
    buffers: (random) => ({
      texels: random.floats(72).map((v) => Math.round(v * 99)),
      line: random.floats(7).map((v) => Math.round(v * 99)),
      out: new Float32Array(72),
    }),
    images: ({ texels, line }) => ({
      layers: { order: 'R', channel: 'FLOAT', shape: [6, 4, 3], isArray: true, data: texels },
      line: { order: 'R', channel: 'FLOAT', shape: [7], data: line },
    }),
    launches: ({ out }, _, images) => [
      { kernel: 'layers', args: [images('layers'), images('line'), out], global: [6, 4, 3], local: [3, 2, 1] },
    ],
    expected: ({ texels, line }) => ({
      out: range(72, (i) => at(texels, i) + at(line, Math.min(6, (i % 6) + (Math.floor(i / 6) % 4))) + 10),
    }),
  }),
];
