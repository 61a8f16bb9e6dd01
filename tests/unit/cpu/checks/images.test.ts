import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Context } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { memAllocPitch, memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { memcpyAtoH, toArray } from '../../../../src/cuda/copy/memcpy-array.ts';
import { SourceModule } from '../../../../src/cuda/module/source-module.ts';
import { Surface } from '../../../../src/cuda/texture/surface.ts';
import { Texture } from '../../../../src/cuda/texture/texture.ts';
import { checkedDevice } from '../../../../src/cuda/selection.ts';
import { needs } from '../../../helpers/require.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';

withoutReports();

const SOURCE = `
__global__ void read(float *out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1);
}
__global__ void readInteger(float *out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex2D<int>(t, threadIdx.x + 0.5f, 1);
}
__global__ void readWide(float *out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex2DLod<float4>(t, threadIdx.x + 0.5f, 1, 0).w;
}
__device__ float deeper(cudaTextureObject_t t) { return tex3D<float>(t, 1, 2, 3); }
__global__ void readVolume(float *out, cudaTextureObject_t t) {
  out[threadIdx.x] = deeper(t);
}
__global__ void write(float *out, cudaSurfaceObject_t s) {
  for (int y = 0; y < 2; y++) {
    surf2Dwrite(1.0f, s, 4 * (int)threadIdx.x, y);
    __syncthreads();
  }
}
__global__ void writeByte(float *out, cudaSurfaceObject_t s) {
  surf2Dwrite((unsigned char)1, s, (int)threadIdx.x, 0, cudaBoundaryModeZero);
}
`;
const LINES = SOURCE.split('\n');
const lineOf = (code: string): number => 1 + LINES.findIndex((line) => line.includes(code));

const gpu = needs.cuda();
const missing = gpu.missing ?? (checkedDevice() ? undefined : 'a GPU has no checked mode');

(missing === undefined ? describe : describe.skip)('the checked mode and textures', () => {
  let context: Context;
  let module: SourceModule;
  beforeAll(() => {
    context = new Context(new Device(0), { check: 'report' });
    module = new SourceModule(SOURCE);
  });
  afterAll(() => {
    context.close();
  });

  /** The reports on a launch of twelve threads. */
  function reportsOf(kernel: string, image: Texture | Surface | bigint): string[] {
    const known = context.reports.length;
    using out = memAlloc(4 * 12);
    module.getFunction(kernel)(out, image, { block: 12 });
    context.synchronize();
    return context.reports.slice(known).map((one) => `${one.kind} ${one.place?.line ?? 0} ${one.summary}`);
  }

  const image = (surface = false): ReturnType<typeof toArray> =>
    toArray(new Float32Array(8 * 8), { width: 8, height: 8, dtype: 'f32', surface });

  test('right reads have no reports, wherever they are', () => {
    using array = image();
    using texture = new Texture(array);
    expect(reportsOf('read', texture)).toEqual([]);
  });

  test.each([
    ['readInteger', 'tex2D<int>', /does not fit elements of 1 f32/],
    ['readWide', 'tex2DLod<float4>', /does not fit elements of 1 f32/],
    ['readVolume', 'tex3D', /the function does not fit an image of 2 dimensions/],
  ])('%s is misuse', (kernel, code, words) => {
    using array = image();
    using texture = new Texture(array);
    const [report = '', ...others] = reportsOf(kernel, texture);
    expect(report).toMatch(words);
    expect(report).toMatch(new RegExp(`^texture-misuse ${lineOf(code)} `));
    expect(others).toEqual([]);
  });

  test('a number, and a surface in the place of a texture, are told from textures', () => {
    using array = image(true);
    using surface = new Surface(array);
    for (const wrong of [0n, 77n, 2n ** 40n, surface]) {
      expect(reportsOf('read', wrong)).toEqual([expect.stringMatching(/^texture-misuse 3 .*which is not a texture/)]);
    }
  });

  test('a closed texture, and freed memory below one', () => {
    using array = image();
    const texture = new Texture(array);
    const { handle } = texture;
    texture.close();
    expect(reportsOf('read', handle)).toEqual([expect.stringMatching(/^use-after-free 3 .*closed texture/)]);
    const { memory, pitch } = memAllocPitch(32, 8);
    using other = new Texture(memory.ptr, { dtype: 'f32', width: 8, height: 8, pitch });
    memory.free();
    expect(reportsOf('read', other)).toEqual([expect.stringMatching(/^use-after-free 3 .*freed memory/)]);
  });

  test('a write beyond a surface traps, and changes nothing', () => {
    using array = image(true);
    using surface = new Surface(array);
    const line = lineOf('surf2Dwrite(1.0f');
    expect(reportsOf('write', surface)).toEqual([
      expect.stringMatching(new RegExp(`^out-of-bounds ${line} .*outside of a surface \\(x is 32 bytes, y is 0\\)`)),
    ]);
    const content = new Float32Array(64);
    memcpyAtoH(content, array);
    expect([...content]).toEqual([...new Array<number>(16).fill(1), ...new Array<number>(48).fill(0)]);
  });

  test('a byte is not an element of floats', () => {
    using array = image(true);
    using surface = new Surface(array);
    expect(reportsOf('writeByte', surface)).toEqual([expect.stringMatching(/^texture-misuse .* elements of 1 f32/)]);
  });
});
