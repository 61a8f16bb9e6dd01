import { expect, test } from '@jest/globals';
import type { ArrayElement } from '../../../src/cuda/texture/array-shape.ts';
import { memcpyAtoH, toArray } from '../../../src/cuda/copy/memcpy-array.ts';
import { Memcpy3D } from '../../../src/cuda/copy/memcpy-3d.ts';
import { toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { OpaqueArray } from '../../../src/cuda/texture/opaque-array.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Surface } from '../../../src/cuda/texture/surface.ts';
import { Texture } from '../../../src/cuda/texture/texture.ts';
import { In, Out } from '../../../src/cuda/copy/transfer.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

type Numbers = Int16Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** An element type of kernels: how an array holds it, what a texture reads, and how that is turned back. */
interface ElementType {
  readonly element: ArrayElement;
  readonly raw: string;
  readonly whole: string;
  readonly turn: string;
  /** Numbers of an element. */
  readonly parts: 1 | 2;
  readonly array: new (length: number) => Numbers;
}

// The hardware has no doubles: they are two or four words.
const HIGH_LOW = (low: string, high: string): string => `__hiloint2double((int)v.${high}, (int)v.${low})`;
const TYPES: Readonly<Record<string, ElementType>> = {
  int16: { element: { dtype: 'i16' }, raw: 'short', whole: 'short', turn: 'v', parts: 1, array: Int16Array },
  float32: { element: { dtype: 'f32' }, raw: 'float', whole: 'float', turn: 'v', parts: 1, array: Float32Array },
  float64: {
    element: { dtype: 'u32', channels: 2 },
    raw: 'uint2',
    whole: 'double',
    turn: HIGH_LOW('x', 'y'),
    parts: 1,
    array: Float64Array,
  },
  complex64: {
    element: { dtype: 'f32', channels: 2 },
    raw: 'float2',
    whole: 'float2',
    turn: 'v',
    parts: 2,
    array: Float32Array,
  },
  complex128: {
    element: { dtype: 'u32', channels: 4 },
    raw: 'uint4',
    whole: 'double2',
    turn: `make_double2(${HIGH_LOW('x', 'y')}, ${HIGH_LOW('z', 'w')})`,
    parts: 2,
    array: Float64Array,
  },
};
const [WIDTH, HEIGHT, DEPTH] = [13, 7, 5];

/** Numbers that differ, each exact in its type. */
function content(type: ElementType, elements: number): Numbers {
  return new type.array(elements * type.parts).map((_, i) => i * 3 - 100);
}

/** A kernel that writes to `out` an element for each thread of WIDTH × HEIGHT, in DEPTH blocks. */
function compile(type: ElementType, parameters: string, body: string): SourceModule {
  return new SourceModule(`
    typedef ${type.raw} Raw;
    typedef ${type.whole} Whole;
    __device__ Whole turn(Raw v) { return ${type.turn}; }
    __global__ void run(Whole *out, ${parameters}) {
      const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
      const int i = (z * ${HEIGHT} + y) * ${WIDTH} + x;
      ${body}
    }`);
}

needs.arrays().describe('textures and surfaces on a CUDA device', () => {
  withDevice();
  const types = Object.entries(TYPES);

  test('2d_texture: tex2D copies an array', () => {
    using module = new SourceModule(`__global__ void copy(float *out, cudaTextureObject_t image) {
      out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<float>(image, threadIdx.x, threadIdx.y);
    }`);
    const image = Float32Array.from({ length: 12 }, (_, i) => i / 4);
    using array = toArray(image, { width: 4, height: 3, dtype: 'f32' });
    using texture = new Texture(array);
    const out = new Float32Array(12);
    module.getFunction('copy')(Out(out), texture, { block: [4, 3] });
    expect(out).toEqual(image);
  });

  test('multiple_2d_textures: the sum of two', () => {
    using module = new SourceModule(`__global__ void sum(float *out, cudaTextureObject_t a, cudaTextureObject_t b) {
      const int x = threadIdx.x, y = threadIdx.y;
      out[y * blockDim.x + x] = tex2D<float>(a, x, y) + tex2D<float>(b, x, y);
    }`);
    const shape = { width: 4, height: 3, dtype: 'f32' } as const;
    using first = toArray(
      Float32Array.from({ length: 12 }, (_, i) => i),
      shape,
    );
    using second = toArray(
      Float32Array.from({ length: 12 }, (_, i) => 100 * i),
      shape,
    );
    using a = new Texture(first);
    using b = new Texture(second);
    const out = new Float32Array(12);
    module.getFunction('sum')(Out(out), a, b, { block: [4, 3] });
    expect([...out]).toEqual(Array.from({ length: 12 }, (_, i) => 101 * i));
  });

  test('multichannel_2d_texture: float4 from an array', () => {
    using module = new SourceModule(`__global__ void copy(float4 *out, cudaTextureObject_t image) {
      out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<float4>(image, threadIdx.x, threadIdx.y);
    }`);
    const image = Float32Array.from({ length: 48 }, (_, i) => i);
    using array = toArray(image, { width: 4, height: 3, dtype: 'f32', channels: 4 });
    using texture = new Texture(array);
    const out = new Float32Array(48);
    module.getFunction('copy')(Out(out), texture, { block: [4, 3] });
    expect(out).toEqual(image);
  });

  test('multichannel_linear_texture: float4 from linear memory', () => {
    using module = new SourceModule(`__global__ void copy(float4 *out, cudaTextureObject_t list) {
      out[threadIdx.x] = tex1Dfetch<float4>(list, threadIdx.x);
    }`);
    const list = Float32Array.from({ length: 64 }, (_, i) => i);
    using memory = toDevice(list);
    using texture = new Texture(memory, { dtype: 'f32', channels: 4 });
    const out = new Float32Array(64);
    module.getFunction('copy')(Out(out), texture, { block: 16 });
    expect(out).toEqual(list);
  });

  test.each(types)('fp_textures: %s from linear memory', (_, type) => {
    using module = compile(type, 'cudaTextureObject_t list', 'out[i] = turn(tex1Dfetch<Raw>(list, i));');
    const list = content(type, WIDTH * HEIGHT * DEPTH);
    using memory = toDevice(list);
    using texture = new Texture(memory, type.element);
    const out = new type.array(list.length);
    module.getFunction('run')(Out(out), texture, { block: [WIDTH, HEIGHT], grid: DEPTH });
    expect(out).toEqual(list);
  });

  test.each(types)('2d_fp_textures: %s', (_, type) => {
    using module = compile(type, 'cudaTextureObject_t image', 'out[i] = turn(tex2D<Raw>(image, x, y));');
    const image = content(type, WIDTH * HEIGHT);
    using array = toArray(image, { width: WIDTH, height: HEIGHT, ...type.element });
    using texture = new Texture(array);
    const out = new type.array(image.length);
    module.getFunction('run').prepare({ block: [WIDTH, HEIGHT] })(Out(out), texture);
    expect(out).toEqual(image);
  });

  test.each(types)('2d_fp_textures_layered: %s', (_, type) => {
    using module = compile(type, 'cudaTextureObject_t image', 'out[i] = turn(tex2DLayered<Raw>(image, x, y, z));');
    const image = content(type, WIDTH * HEIGHT * DEPTH);
    using array = toArray(image, { width: WIDTH, height: HEIGHT, layers: DEPTH, ...type.element });
    using texture = new Texture(array);
    const out = new type.array(image.length);
    module.getFunction('run').prepare({ block: [WIDTH, HEIGHT], grid: DEPTH })(Out(out), texture);
    expect(out).toEqual(image);
  });

  test.each(types)('3d_fp_textures: %s', (_, type) => {
    using module = compile(type, 'cudaTextureObject_t image', 'out[i] = turn(tex3D<Raw>(image, x, y, z));');
    const image = content(type, WIDTH * HEIGHT * DEPTH);
    using array = toArray(image, { width: WIDTH, height: HEIGHT, depth: DEPTH, ...type.element });
    using texture = new Texture(array);
    const out = new type.array(image.length);
    module.getFunction('run').prepare({ block: [WIDTH, HEIGHT], grid: DEPTH })(Out(out), texture);
    expect(out).toEqual(image);
  });

  test.each(types)('2d_fp_surfaces: %s is written, and read back transposed', (_, type) => {
    const at = (x: string, y: string): string => `(int)sizeof(Raw) * ${x}, ${y}`;
    using write = compile(
      type,
      'cudaSurfaceObject_t image, const Raw *in',
      `surf2Dwrite(in[i], image, ${at('x', 'y')}); out[i] = turn(in[i]);`,
    );
    using read = compile(
      type,
      'cudaSurfaceObject_t image',
      `out[x * ${HEIGHT} + y] = turn(surf2Dread<Raw>(image, ${at('x', 'y')}));`,
    );
    const image = content(type, WIDTH * HEIGHT);
    using array = new OpaqueArray({ width: WIDTH, height: HEIGHT, surface: true, ...type.element });
    using surface = new Surface(array);
    const out = new type.array(image.length);
    write.getFunction('run')(Out(out), surface, In(new Uint8Array(image.buffer)), { block: [WIDTH, HEIGHT] });
    expect(out).toEqual(image);
    read.getFunction('run')(Out(out), surface, { block: [WIDTH, HEIGHT] });
    const transposed = image.map((__, i) => {
      const [part, element] = [i % type.parts, Math.floor(i / type.parts)];
      const [x, y] = [Math.floor(element / HEIGHT), element % HEIGHT];
      return image[(y * WIDTH + x) * type.parts + part] ?? NaN;
    });
    expect(out).toEqual(transposed);
    memcpyAtoH(out, array);
    expect(out).toEqual(image);
  });

  test.each(types)('3d_fp_surfaces: %s is written, and read back mirrored', (_, type) => {
    using write = compile(
      type,
      'cudaSurfaceObject_t image, const Raw *in',
      'surf3Dwrite(in[i], image, (int)sizeof(Raw) * x, y, z); out[i] = turn(in[i]);',
    );
    using read = compile(
      type,
      'cudaSurfaceObject_t image',
      `out[i] = turn(surf3Dread<Raw>(image, (int)sizeof(Raw) * x, y, ${DEPTH - 1} - z));`,
    );
    const image = content(type, WIDTH * HEIGHT * DEPTH);
    using array = new OpaqueArray({ width: WIDTH, height: HEIGHT, depth: DEPTH, surface: true, ...type.element });
    using surface = new Surface(array);
    const out = new type.array(image.length);
    write.getFunction('run')(Out(out), surface, In(new Uint8Array(image.buffer)), {
      block: [WIDTH, HEIGHT],
      grid: DEPTH,
    });
    read.getFunction('run')(Out(out), surface, { block: [WIDTH, HEIGHT], grid: DEPTH });
    const plane = WIDTH * HEIGHT * type.parts;
    const mirrored = image.map((__, i) => image[(DEPTH - 1 - Math.floor(i / plane)) * plane + (i % plane)] ?? NaN);
    expect(out).toEqual(mirrored);
  });

  test('3d_texture: Memcpy3D fills a part of an array', () => {
    using module = compile(
      TYPES['float32'] as ElementType,
      'cudaTextureObject_t image',
      'out[i] = turn(tex3D<Raw>(image, x, y, z));',
    );
    const count = WIDTH * HEIGHT * DEPTH;
    using array = toArray(new Float32Array(count).fill(-1), {
      width: WIDTH,
      height: HEIGHT,
      depth: DEPTH,
      dtype: 'f32',
    });
    const source = Float32Array.from({ length: 3 * 2 * 2 }, (_, i) => i);
    const copy = new Memcpy3D().setSrcHost(source).setDstArray(array);
    Object.assign(copy, { srcPitch: 12, srcHeight: 2, dstXInBytes: 16, dstY: 3, dstZ: 1 });
    Object.assign(copy, { widthInBytes: 12, height: 2, depth: 2 });
    copy.run();
    using texture = new Texture(array);
    const out = new Float32Array(count);
    module.getFunction('run')(Out(out), texture, { block: [WIDTH, HEIGHT], grid: DEPTH });
    const wanted = new Float32Array(count).fill(-1);
    source.forEach((value, i) => {
      const [x, y, z] = [4 + (i % 3), 3 + (Math.floor(i / 3) % 2), 1 + Math.floor(i / 6)];
      wanted[(z * HEIGHT + y) * WIDTH + x] = value;
    });
    expect(out).toEqual(wanted);
  });
});
