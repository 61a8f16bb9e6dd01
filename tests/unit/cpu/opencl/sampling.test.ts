import { readFileSync } from 'node:fs';
import { Float16Array } from '@petamoriken/float16';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SamplerBits } from '../../../../src/cpu/abi/opencl-image.ts';
import type { Data, OpenCLBench, TestImage } from './bench.ts';
import { COMPILE_MS, openCLBench } from './compile.ts';
import { sampled, type Grid } from './sampling.ts';

/** OpenCL's numbers of channel orders and types. */
const Order = { R: 0x10b0, A: 0x10b1, RG: 0x10b2, RA: 0x10b3, RGB: 0x10b4, RGBA: 0x10b5, BGRA: 0x10b6, ARGB: 0x10b7, INTENSITY: 0x10b8, LUMINANCE: 0x10b9, DEPTH: 0x10bd, sRGBA: 0x10c1 } as const; // prettier-ignore
const Type = { SNORM_INT8: 0x10d0, SNORM_INT16: 0x10d1, UNORM_INT8: 0x10d2, UNORM_INT16: 0x10d3, UNORM_SHORT_565: 0x10d4, UNORM_SHORT_555: 0x10d5, UNORM_INT_101010: 0x10d6, SIGNED_INT8: 0x10d7, SIGNED_INT16: 0x10d8, SIGNED_INT32: 0x10d9, UNSIGNED_INT8: 0x10da, UNSIGNED_INT16: 0x10db, UNSIGNED_INT32: 0x10dc, HALF_FLOAT: 0x10dd, FLOAT: 0x10de } as const; // prettier-ignore

let bench: OpenCLBench;
beforeAll(async () => {
  const source = readFileSync(new URL('./images.cl', import.meta.url), 'utf8');
  bench = await openCLBench(source, '-cl-std=CL3.0');
}, COMPILE_MS);

const floats = (
  order: number,
  width: number,
  height: number,
  depth: number,
  layers: number,
  data: Data,
): TestImage => ({
  data,
  order,
  type: Type.FLOAT,
  elementBytes: 4 * (order === Order.R ? 1 : 4),
  width,
  height,
  depth,
  layers,
});

/** Numbers from 1 on in an image. */
const counted = (count: number): Float32Array<ArrayBuffer> => Float32Array.from({ length: count }, (_, i) => i + 1);

const SHAPES = [
  { name: '1d', width: 5, height: 1, depth: 1, layers: 1, dimensions: 1, layered: false },
  { name: '1d_layers', width: 4, height: 1, depth: 1, layers: 3, dimensions: 2, layered: true },
  { name: '2d', width: 4, height: 3, depth: 1, layers: 1, dimensions: 2, layered: false },
  { name: '2d_layers', width: 3, height: 4, depth: 1, layers: 3, dimensions: 3, layered: true },
  { name: '3d', width: 4, height: 3, depth: 3, layers: 1, dimensions: 3, layered: false },
] as const;

describe.each(SHAPES)('sampling: $name', ({ name, width, height, depth, layers, dimensions, layered }) => {
  const images = depth * layers;
  const data = counted(width * height * images);
  const image = floats(Order.R, width, height, depth, layers, data);
  const grid: Grid = {
    width,
    height,
    depth: images,
    at: (x, y, z) => data[(z * height + y) * width + x] ?? NaN,
  };
  const steps = [-1.3, -0.6, -0.25, 0, 0.2, 0.49, 0.75, 1, 1.1, 1.6, 2.4, 2.99, 3.5, 4.2];
  const places = steps.flatMap((x, i) =>
    [0, 3, 7].map((k) => [x, steps[(i + k) % 14] ?? 0, steps[(3 * i + k) % 14] ?? 0]),
  );
  const out = (count: number): Float32Array<ArrayBuffer> => new Float32Array(4 * count);
  const compare = (got: Float32Array, wanted: readonly number[]): void => {
    const wrong = wanted.flatMap((value, i) => {
      const actual = got[4 * i] ?? NaN;
      const near = Math.abs(actual - value) <= 2e-5 * Math.max(1, Math.abs(value));
      return near && got[4 * i + 3] !== undefined ? [] : [`${places[i]?.join() ?? ''}: ${actual}, not ${value}`];
    });
    expect(wrong.slice(0, 5)).toEqual([]);
  };

  const { NORMALIZED, FILTER_LINEAR, FILTER_NEAREST } = SamplerBits;
  const { ADDRESS_CLAMP, ADDRESS_CLAMP_TO_EDGE, ADDRESS_REPEAT, ADDRESS_MIRRORED_REPEAT } = SamplerBits;
  const samplers = [FILTER_NEAREST, FILTER_LINEAR].flatMap((filter) => [
    ...[ADDRESS_CLAMP, ADDRESS_CLAMP_TO_EDGE].map((mode) => filter | mode),
    ...[ADDRESS_CLAMP, ADDRESS_CLAMP_TO_EDGE, ADDRESS_REPEAT, ADDRESS_MIRRORED_REPEAT].map(
      (m) => filter | m | NORMALIZED,
    ),
  ]);
  test.each(samplers)('sampler %p', (sampler) => {
    const at = Float32Array.from(places.flatMap((place) => [...place, 0]));
    const results = out(places.length);
    bench.run(`sample_${name}`, { global: [places.length], local: [6] }, [image, sampler, at, results]);
    compare(results, places.map((place) => sampled(grid, sampler, place.slice(0, dimensions).map(Math.fround), layered))); // prettier-ignore
  });

  test('whole coordinates', () => {
    const whole = places.map((place) => place.map((x) => Math.round(x)));
    const results = out(places.length);
    const at = Int32Array.from(whole.flatMap((place) => [...place, 0]));
    bench.run(`pick_${name}`, { global: [places.length], local: [6] }, [
      image,
      FILTER_NEAREST | ADDRESS_CLAMP,
      at,
      results,
    ]);
    // The middle of an element.
    const middle = whole.map((place) => place.slice(0, dimensions).map((x, d) => (layered && d === dimensions - 1 ? x : x + 0.5))); // prettier-ignore
    compare(
      results,
      middle.map((place) => sampled(grid, FILTER_NEAREST | ADDRESS_CLAMP, place, layered)),
    );
  });
});

/** Formats of floating-point colours: elements, what is read of them, what a written colour becomes. */
const COLOR = [0.2, 0.8, -0.5, 0.6];
const half = (...numbers: number[]): number[] => [...new Uint16Array(Float16Array.from(numbers).buffer)];
interface Format {
  readonly order: keyof typeof Order;
  readonly type: keyof typeof Type;
  readonly stored: Data;
  readonly read: readonly number[];
  /** Elements that {@link COLOR} becomes. */
  readonly written: readonly number[];
}
const FORMATS: readonly Format[] = [
  { order: 'RGBA', type: 'UNORM_INT8', stored: Uint8Array.of(0, 51, 255, 128), read: [0, 0.2, 1, 128 / 255], written: [51, 204, 0, 153] },
  { order: 'BGRA', type: 'UNORM_INT8', stored: Uint8Array.of(0, 51, 255, 128), read: [1, 0.2, 0, 128 / 255], written: [0, 204, 51, 153] },
  { order: 'ARGB', type: 'UNORM_INT8', stored: Uint8Array.of(0, 51, 255, 128), read: [0.2, 1, 128 / 255, 0], written: [153, 51, 204, 0] },
  { order: 'RGBA', type: 'SNORM_INT8', stored: Int8Array.of(-128, -127, 127, 64), read: [-1, -1, 1, 64 / 127], written: [25, 102, -64, 76] },
  { order: 'RGBA', type: 'UNORM_INT16', stored: Uint16Array.of(0, 13107, 65535, 1), read: [0, 0.2, 1, 1 / 65535], written: [13107, 52428, 0, 39321] },
  { order: 'RG', type: 'SNORM_INT16', stored: Int16Array.of(-32768, 32767), read: [-1, 1, 0, 1], written: [6553, 26214] },
  { order: 'RGBA', type: 'HALF_FLOAT', stored: Uint16Array.from(half(0.1, -2, 65504, Infinity)), read: [0.0999755859375, -2, 65504, Infinity], written: half(...COLOR) },
  { order: 'RGBA', type: 'FLOAT', stored: Float32Array.of(0.1, -2, 1e38, Infinity), read: [Math.fround(0.1), -2, Math.fround(1e38), Infinity], written: COLOR.map(Math.fround) },
  { order: 'R', type: 'FLOAT', stored: Float32Array.of(7), read: [7, 0, 0, 1], written: [Math.fround(0.2)] },
  { order: 'A', type: 'FLOAT', stored: Float32Array.of(7), read: [0, 0, 0, 7], written: [Math.fround(0.6)] },
  { order: 'RA', type: 'UNORM_INT8', stored: Uint8Array.of(51, 102), read: [0.2, 0, 0, 0.4], written: [51, 153] },
  { order: 'INTENSITY', type: 'UNORM_INT8', stored: Uint8Array.of(51), read: [0.2, 0.2, 0.2, 0.2], written: [51] },
  { order: 'LUMINANCE', type: 'FLOAT', stored: Float32Array.of(3), read: [3, 3, 3, 1], written: [Math.fround(0.2)] },
  { order: 'RGB', type: 'UNORM_SHORT_565', stored: Uint16Array.of((31 << 11) | (21 << 5) | 0), read: [1, 21 / 63, 0, 1], written: [(6 << 11) | (50 << 5)] },
  { order: 'RGB', type: 'UNORM_SHORT_555', stored: Uint16Array.of((31 << 10) | (5 << 5) | 1), read: [1, 5 / 31, 1 / 31, 1], written: [(6 << 10) | (25 << 5)] },
  { order: 'RGB', type: 'UNORM_INT_101010', stored: Uint32Array.of((1023 << 20) | (5 << 10) | 1), read: [1, 5 / 1023, 1 / 1023, 1], written: [(205 << 20) | (818 << 10)] },
  { order: 'sRGBA', type: 'UNORM_INT8', stored: Uint8Array.of(0, 10, 255, 128), read: [0, 0.00303527, 1, 128 / 255], written: [124, 231, 0, 153] },
]; // prettier-ignore

test.each(FORMATS)('$order, $type', ({ order, type, stored, read, written }) => {
  const image: TestImage = { data: stored.slice(), order: Order[order], type: Type[type], elementBytes: stored.byteLength, width: 1 }; // prettier-ignore
  const colors = new Float32Array(4);
  bench.run('read_f', { global: [1], local: [1] }, [image, colors]);
  for (const [i, value] of read.entries()) {
    if (Number.isFinite(value)) expect(colors[i]).toBeCloseTo(value, 6);
    else expect(colors[i]).toBe(value);
  }
  bench.run('write_f', { global: [1], local: [1] }, [image, Float32Array.from(COLOR)]);
  expect([...image.data].map(Number)).toEqual(written.map((x) => (type === 'FLOAT' ? x : x)));
});

test.each([
  ['SIGNED_INT8', Int8Array.of(-128, -1, 0, 127), [300, -300, 5, -6], [127, -128, 5, -6]],
  ['SIGNED_INT16', Int16Array.of(-32768, -1, 0, 32767), [40000, -40000, 5, -6], [32767, -32768, 5, -6]],
  ['SIGNED_INT32', Int32Array.of(-2147483648, -1, 0, 2147483647), [2147483647, -2147483648, 5, -6], [2147483647, -2147483648, 5, -6]],
] as const)('RGBA, %s', (type, stored, colors, written) => {
  const data = stored.slice() as Data;
  const image = { data, order: Order.RGBA, type: Type[type], elementBytes: stored.byteLength, width: 1 };
  const got = new Int32Array(4);
  bench.run('read_i', { global: [1], local: [1] }, [image, got]);
  expect([...got]).toEqual([...stored]);
  bench.run('write_i', { global: [1], local: [1] }, [image, Int32Array.from(colors)]);
  expect([...data]).toEqual(written);
}); // prettier-ignore

test.each([
  ['UNSIGNED_INT8', Uint8Array.of(0, 1, 128, 255), [300, 0, 5, 255], [255, 0, 5, 255]],
  ['UNSIGNED_INT16', Uint16Array.of(0, 1, 32768, 65535), [70000, 0, 5, 6], [65535, 0, 5, 6]],
  ['UNSIGNED_INT32', Uint32Array.of(0, 1, 2147483648, 4294967295), [4294967295, 0, 5, 6], [4294967295, 0, 5, 6]],
] as const)('RGBA, %s', (type, stored, colors, written) => {
  const data = stored.slice() as Data;
  const image = { data, order: Order.RGBA, type: Type[type], elementBytes: stored.byteLength, width: 1 };
  const got = new Uint32Array(4);
  bench.run('read_ui', { global: [1], local: [1] }, [image, got]);
  expect([...got]).toEqual([...stored]);
  bench.run('write_ui', { global: [1], local: [1] }, [image, Uint32Array.from(colors)]);
  expect([...data]).toEqual(written);
});

test('writing to images of every shape', () => {
  const fill = (kernel: string, image: TestImage, global: readonly number[]): number[] => {
    bench.run(kernel, { global, local: global.map(() => 1) }, [image]);
    return [...image.data].map(Number);
  };
  const numbers = (w: number, h: number, d: number): number[] =>
    Array.from({ length: w * h * d }, (_, i) => (i % w) + 10 * (Math.floor(i / w) % h) + 100 * Math.floor(i / w / h));
  const room = (count: number): Float32Array<ArrayBuffer> => new Float32Array(count);
  expect(fill('fill_1d', floats(Order.R, 5, 1, 1, 1, room(5)), [5])).toEqual([0, 1, 2, 3, 4]);
  expect(fill('fill_1d_layers', floats(Order.R, 4, 1, 1, 3, room(12)), [4, 3])).toEqual(numbers(4, 3, 1));
  expect(fill('fill_2d_layers', floats(Order.R, 4, 3, 1, 2, room(24)), [4, 3, 2])).toEqual(numbers(4, 3, 2));
  expect(fill('fill_3d', floats(Order.R, 2, 3, 4, 1, room(24)), [2, 3, 4])).toEqual(numbers(2, 3, 4));
  const buffer: TestImage = { data: new Uint32Array(100), order: Order.R, type: Type.UNSIGNED_INT32, elementBytes: 4, width: 100 }; // prettier-ignore
  expect(fill('fill_buffer', buffer, [100]).at(-1)).toBe(99);
  const sum = new Uint32Array(1);
  bench.run('sum_buffer', { global: [1], local: [1] }, [buffer, sum]);
  expect(sum[0]).toBe(4950);
  expect(fill('add_to', floats(Order.R, 2, 2, 1, 1, Float32Array.of(1, 2, 3, 4)), [2, 2])).toEqual([2, 3, 4, 5]);
  // A write outside does nothing.
  expect(fill('add_to', floats(Order.R, 1, 1, 1, 1, Float32Array.of(1, 7, 7, 7)), [2, 2])).toEqual([2, 7, 7, 7]);
});

test('depths and halves', () => {
  const image = (numbers: number[]): TestImage => ({ data: Float32Array.from(numbers), order: Order.DEPTH, type: Type.FLOAT, elementBytes: 4, width: 2, height: 2 }); // prettier-ignore
  const results = new Float32Array(2);
  const target = image([0, 0, 0, 0]);
  const sampler = SamplerBits.FILTER_LINEAR | SamplerBits.ADDRESS_CLAMP_TO_EDGE;
  bench.run('depths', { global: [1], local: [1] }, [image([1, 2, 3, 6]), target, sampler, results]);
  expect([...results]).toEqual([3, 2]);
  expect([...target.data]).toEqual([0, 0, 0.75, 0]);
  const rgba = (numbers: number[]): TestImage => floats(Order.RGBA, 2, 1, 1, 1, Float32Array.from(numbers));
  const narrow = rgba(new Array<number>(8).fill(0));
  bench.run('narrow', { global: [1], local: [1] }, [rgba([0, 0, 0, 0, 1, 2, 3, 4]), narrow]);
  expect([...narrow.data]).toEqual([2, 3, 4, 5, 0, 0, 0, 0]);
});

test('images give their sizes and formats', () => {
  const image = (order: number, w: number, h: number, d: number, n: number): TestImage =>
    floats(order, w, h, d, n, new Float32Array(4));
  const buffer = { data: new Uint32Array(4), order: Order.R, type: Type.UNSIGNED_INT32, elementBytes: 4, width: 4 };
  const { RGBA } = Order;
  const images = [image(RGBA, 9, 1, 1, 1), image(RGBA, 8, 1, 1, 7), image(RGBA, 6, 5, 1, 1), image(RGBA, 4, 3, 1, 2), image(RGBA, 7, 8, 9, 1)]; // prettier-ignore
  const results = new Int32Array(16);
  bench.run('asked', { global: [1], local: [1] }, [...images, buffer, results]);
  expect([...results]).toEqual([9, 1, 1, 8, 7, 6, 5, 5, 3, 2, 4, 9, 9, 8, 4, 1]);
});

test('functions take images and samplers', () => {
  const results = new Float32Array(8);
  const image = floats(Order.RGBA, 2, 1, 1, 1, Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  bench.run('through', { global: [1], local: [1] }, [image, results]);
  expect([...results]).toEqual([6, 8, 10, 12, 10, 12, 14, 16]);
});
