import { afterEach, describe, expect, test } from '@jest/globals';
import { liveObjects } from '../../../../src/core/handle.ts';
import { cu } from '../../../../src/cuda/call.ts';
import { toArray } from '../../../../src/cuda/copy/memcpy-array.ts';
import { fromDevice, toDevice } from '../../../../src/cuda/copy/memcpy.ts';
import { Context } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../../src/cuda/module/source-module.ts';
import { checkedDevice } from '../../../../src/cuda/selection.ts';
import { AddressMode, ArrayFormat, FilterMode, TextureFlags } from '../../../../src/cuda/sys/enums.ts';
import type { OpaqueArray } from '../../../../src/cuda/texture/opaque-array.ts';
import { needs } from '../../../helpers/require.ts';

const SOURCE = `
texture<float, 2> image;
texture<uchar4, 1, cudaReadModeNormalizedFloat> colors;
texture<int> list;
static surface<void, 2> target;
__global__ void look(float *out) { out[threadIdx.x] = tex2D(image, threadIdx.x, 0); }
__global__ void mix(float *out) { out[threadIdx.x] = tex1D(colors, threadIdx.x).x; }
__global__ void pick(float *out) { out[threadIdx.x] = tex1Dfetch(list, threadIdx.x); }
__global__ void draw(float *out) { surf2Dwrite(1.0f, target, 4 * (int)threadIdx.x, 0); }`;
const gpu = needs.cuda();
const missing = gpu.missing ?? (checkedDevice() ? undefined : 'a GPU says less, and CUDA 12 has no references');
const open: Context[] = [];

function contextOf(check: boolean): Context {
  const context = check ? new Context({ check: true }) : new Context(new Device(0));
  open.push(context);
  return context;
}

/** What the driver says of a kernel's launch. */
function attempt(kernel: string, check: boolean, bind: (module: SourceModule) => void = () => undefined): string {
  const context = contextOf(check);
  try {
    using module = new SourceModule(SOURCE);
    using out = memAlloc(64);
    bind(module);
    module.getFunction(kernel)(out, { block: 4 });
    context.synchronize();
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    open.pop()?.close();
  }
}

function image(first: number, options: object = {}): OpaqueArray {
  const shape = { width: 4, height: 2, dtype: 'f32', ...options } as const;
  return toArray(Float32Array.of(first, first + 1, first + 2, first + 3, 0, 0, 0, 0), shape);
}

afterEach(() => {
  for (const context of open.splice(0)) context.close();
});

(missing === undefined ? describe : describe.skip)('texture and surface references', () => {
  describe.each([false, true])('used wrongly (checked: %s)', (check) => {
    test('are not bound', () => {
      expect(attempt('look', check)).toMatch(
        /texture misuse: the texture reference image is not bound to anything, and used by [^]*cure: module\.getTextureReference\('image'\)\.bind\(array or memory, options\) before the launch[^]*/,
      );
      expect(attempt('draw', check)).toMatch(
        /surface misuse: the surface reference target is not bound to anything[^]*getSurfaceReference\('target'\)\.bind\(array\)/,
      );
    });

    test('are bound to elements of another type', () => {
      const wrong = attempt('look', check, (module) => {
        using array = toArray(new Int32Array(8), { width: 4, height: 2, dtype: 'i32' });
        module.getTextureReference('image').bind(array);
      });
      expect(wrong).toMatch(/reference image, declared to read 1 f32, is bound to elements of 1 i32, and used/);
      const unread = attempt('mix', check, (module) => {
        using array = toArray(new Uint8Array(16), { width: 4, dtype: 'u8', channels: 4 });
        module.getTextureReference('colors').bind(array);
      });
      expect(unread).toMatch(
        /reference colors, declared to read 4 u8, read as floats, is bound to elements of 4 u8, and used[^]*cure: [^]*with elements of 4 u8 and normalizedReads/,
      );
    });

    test('are bound to another form', () => {
      const wrong = attempt('look', check, (module) => {
        using array = toArray(new Float32Array(8), { width: 8, dtype: 'f32' });
        module.getTextureReference('image').bind(array);
      });
      expect(wrong).toMatch(
        /reference image, declared for an image of 2 dimensions, is bound to an image of 1 dimension/,
      );
    });
  });

  test('have settings that do not fit each other', () => {
    const wrong = attempt('pick', false, (module) => {
      const reference = module.getTextureReference('list');
      using array = toArray(new Int32Array(8), { width: 8, dtype: 'i32' });
      reference.bind(array);
      cu.cuTexRefSetFilterMode(reference.handle, FilterMode.LINEAR);
    });
    expect(wrong).toMatch(/reference list is used with settings that do not fit each other/);
  });

  test('are found by their names and kinds', () => {
    contextOf(false);
    using module = new SourceModule(SOURCE);
    expect(module.getTextureReference('image')).toBe(module.getTextureReference('image'));
    expect(() => module.getTextureReference('target')).toThrow(/NOT_FOUND[^]*no texture reference 'target'/);
    expect(() => module.getSurfaceReference('image')).toThrow(/NOT_FOUND[^]*no surface reference 'image'/);
    expect(() => module.getGlobal('image')).toThrow(/NOT_FOUND/);
    expect(module.ptx).toContain('.global .texref image;\n');
    expect(module.ptx).toContain('.global .surfref target;\n');
  });

  test('read what is bound at their launch, which stays alive', () => {
    contextOf(false);
    const before = liveObjects()['OpaqueArray'] ?? 0;
    const module = new SourceModule(SOURCE);
    using out = toDevice(new Float32Array(4));
    const look = module.getFunction('look');
    const reference = module.getTextureReference('image');
    const results: number[] = [];
    for (const first of [10, 20, 30]) {
      using array = image(first);
      reference.bind(array);
      look(out, { block: 4 });
      results.push(...fromDevice(out, 'f32'));
    }
    look(out, { block: 4 });
    results.push(...fromDevice(out, 'f32'));
    expect(results).toEqual([10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33, 30, 31, 32, 33]);
    // The last array is closed and bound.
    expect(liveObjects()['OpaqueArray']).toBe(before + 1);
    module.close();
    expect(liveObjects()['OpaqueArray'] ?? 0).toBe(before);
    using late = image(1);
    expect(() => reference.bind(late)).toThrow(/closed/);
  });

  test('change while kernels run', () => {
    contextOf(false);
    using module = new SourceModule(`
      texture<float> t;
      __global__ void copy(float *out, int n) { for (int k = 0; k < 200; k++) for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex1Dfetch(t, i) + k; }`);
    const n = 4096;
    using first = toDevice(new Float32Array(n).fill(1));
    using second = toDevice(new Float32Array(n).fill(2));
    using out1 = memAlloc(4 * n);
    using out2 = memAlloc(4 * n);
    const [copy, t] = [module.getFunction('copy'), module.getTextureReference('t')];
    t.bind(first, { dtype: 'f32' });
    copy(out1, n, { block: 64 });
    t.bind(second, { dtype: 'f32' });
    copy(out2, n, { block: 64 });
    expect(new Set(fromDevice(out1, 'f32'))).toEqual(new Set([200]));
    expect(new Set(fromDevice(out2, 'f32'))).toEqual(new Set([201]));
  });

  test('are declared and not defined, or of types that no texture has', () => {
    contextOf(false);
    using module = new SourceModule(`
      texture<double, 1> never;
      extern texture<float> t;
      __global__ void k(float *out) { *out = tex1Dfetch(t, 1); }`);
    using data = toDevice(Float32Array.of(3, 4));
    using out = memAlloc(4);
    module.getTextureReference('t').bind(data, { dtype: 'f32' });
    module.getFunction('k')(out, { block: 1 });
    expect([...fromDevice(out, 'f32')]).toEqual([4]);
    module.getTextureReference('never').bind(data, { dtype: 'u32', channels: 2 });
  });

  test("leave names to a source's own types", () => {
    contextOf(false);
    using module = new SourceModule(`
      template <class T> struct texture { const T *p; __device__ T at(int i) const { return p[i]; } };
      __constant__ int surface;
      __global__ void k(float *out, texture<float> t, int n) { if (surface < n && surface > -n) *out = t.at(1); }`);
    using data = toDevice(Float32Array.of(3, 4));
    using out = memAlloc(4);
    module.getFunction('k')(out, data, 1, { block: 1 });
    expect([...fromDevice(out, 'f32')]).toEqual([4]);
  });

  test('have the settings that the driver was told', () => {
    contextOf(false);
    using module = new SourceModule(SOURCE);
    const { handle } = module.getTextureReference('list');
    const [int, other, wide] = [new Int32Array(1), new Int32Array(1), new BigUint64Array(1)];
    const [float, color] = [new Float32Array(1), new Float32Array(4)];
    cu.cuTexRefGetFormat(int, other, handle);
    // Seen on an H200.
    expect([int[0], other[0]]).toEqual([ArrayFormat.FLOAT, 1]);
    cu.cuTexRefGetAddressMode(int, handle, 2);
    expect(int[0]).toBe(AddressMode.CLAMP);
    expect(() => cu.cuTexRefGetAddress(wide, handle)).toThrow(/INVALID_VALUE/);
    expect(() => cu.cuTexRefGetArray(wide, handle)).toThrow(/INVALID_VALUE/);
    cu.cuTexRefSetFlags(handle, TextureFlags.READ_AS_INTEGER);
    const flags = new Uint32Array(1);
    cu.cuTexRefGetFlags(flags, handle);
    expect(flags[0]).toBe(TextureFlags.READ_AS_INTEGER);
    cu.cuTexRefSetAddressMode(handle, 1, AddressMode.BORDER);
    cu.cuTexRefGetAddressMode(int, handle, 1);
    expect(int[0]).toBe(AddressMode.BORDER);
    cu.cuTexRefSetBorderColor(handle, Float32Array.of(1, 2, 3, 4));
    cu.cuTexRefGetBorderColor(color, handle);
    expect([...color]).toEqual([1, 2, 3, 4]);
    cu.cuTexRefSetMipmapLevelBias(handle, 0.5);
    cu.cuTexRefGetMipmapLevelBias(float, handle);
    expect(float[0]).toBe(0.5);
    cu.cuTexRefSetMipmapLevelClamp(handle, 1, 2);
    const most = new Float32Array(1);
    cu.cuTexRefGetMipmapLevelClamp(float, most, handle);
    expect([float[0], most[0]]).toEqual([1, 2]);
    cu.cuTexRefSetMaxAnisotropy(handle, 8);
    cu.cuTexRefGetMaxAnisotropy(int, handle);
    expect(int[0]).toBe(8);
    cu.cuTexRefSetMipmapFilterMode(handle, FilterMode.LINEAR);
    cu.cuTexRefGetMipmapFilterMode(int, handle);
    expect(int[0]).toBe(FilterMode.LINEAR);
    cu.cuTexRefGetFilterMode(int, handle);
    expect(int[0]).toBe(FilterMode.POINT);
    for (const wrong of [
      () => cu.cuTexRefSetFlags(handle, 0x80),
      () => cu.cuTexRefSetAddressMode(handle, 3, 0),
      () => cu.cuTexRefSetAddressMode(handle, 0, 4),
      () => cu.cuTexRefSetFilterMode(handle, 2),
      () => cu.cuTexRefSetFormat(handle, ArrayFormat.FLOAT, 3),
    ]) {
      expect(wrong).toThrow(/INVALID_VALUE/);
    }
  });

  test('begin in the middle of memory, with an offset for the kernel', () => {
    contextOf(false);
    using module = new SourceModule(SOURCE);
    const { handle } = module.getTextureReference('list');
    using data = toDevice(Int32Array.from({ length: 16 }, (_, i) => 100 + i));
    using out = memAlloc(16);
    const offset = new BigUint64Array(1);
    const middle = (data.ptr + 8n) as typeof data.ptr;
    cu.cuTexRefSetFormat(handle, ArrayFormat.SIGNED_INT32, 1);
    cu.cuTexRefSetFlags(handle, TextureFlags.READ_AS_INTEGER);
    expect(() => cu.cuTexRefSetAddress(0n, handle, middle as never, 16n)).toThrow(/INVALID_VALUE/);
    cu.cuTexRefSetAddress(offset, handle, middle, 16n);
    expect(offset[0]).toBe(8n);
    module.getFunction('pick')(out, { block: 4 });
    expect([...fromDevice(out, 'f32')]).toEqual([100, 101, 102, 103]);
  });
});
