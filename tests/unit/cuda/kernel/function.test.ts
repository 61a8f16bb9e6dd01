import { expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { struct } from '../../../../src/core/struct.ts';
import { float32, float64, int32, int64 } from '../../../../src/core/value.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { In, InOut, Out } from '../../../../src/cuda/copy/transfer.ts';
import { float3, float4, int3 } from '../../../../src/cuda/kernel/vectors.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { needs } from '../../../helpers/require.ts';
import { until } from '../../../helpers/until.ts';

const SOURCE = `
struct Params { int n; float *data; };
enum class Mode : int { OFF, ON };
typedef float real;
template <typename T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }
__global__ void add(float *c, const float *a, const float *b, int n) { c[0] = a[0] + b[0] + n; }
__global__ void over(int *x, int n) { x[0] = n; }
__global__ void over(float *x, int n) { x[0] = n; }
__global__ void kinds(Params p, float3 v, Mode m, bool flag, char c, unsigned long long wide, double d, short s) {
  if (flag) p.data[0] = v.x + (int)m + c + wide + d + s;
}
extern "C" __global__ void plain(unsigned int u, real r, size_t n) {}
__global__ void none() {}
namespace ns { __global__ void inner(short *s) { s[0] = 1; } }
`;

const nvrtc = needs.nativeNvrtc();

nvrtc.describe('KernelFunction over a fake driver', () => {
  const fake = withFakeDriver();
  const last = (): DataView => fake.launches.at(-1)?.args as DataView;
  const load = (): SourceModule => new SourceModule(SOURCE, { arch: 'compute_80' });

  test('getFunction() finds a kernel by its name, its signature, its symbol and through a namespace', () => {
    using module = load();
    expect(module.getFunction('add').signature).toBe('add(float *c, const float *a, const float *b, int n)');
    expect(module.getFunction('over(float*, int)').symbol).toBe('_Z4overPfi');
    expect(module.getFunction('over( int * , int )').symbol).toBe('_Z4overPii');
    expect(module.getFunction('ns::inner').symbol).toBe('_ZN2ns5innerEPs');
    expect(module.getFunction('inner').symbol).toBe('_ZN2ns5innerEPs');
    expect(module.getFunction('_Z4overPii')).toBe(module.getFunction('over(int *, int)'));
    expect(module.getFunction('plain').signature).toBe('plain(unsigned int u, float r, unsigned long n)');
  });

  test('getFunction() says what there is when a name is ambiguous or unknown', () => {
    using module = load();
    expect(() => module.getFunction('over')).toThrow(
      /ambiguous.*\n.*over\(int \*x, int n\)\n.*over\(float \*x, int n\)/s,
    );
    expect(() => module.getFunction('nothing')).toThrow(/no kernel 'nothing'.*add\(float \*c/s);
    expect(() => module.getFunction(3 as never)).toThrow(TypeError);
  });

  test('getFunction() instantiates a template', () => {
    using module = load();
    const scale = module.getFunction('scale<float>');
    expect(scale.signature).toBe('scale<float>(float *x, float by)');
    expect(module.getFunction('scale<float>')).toBe(scale);
    using known = new SourceModule(SOURCE, { arch: 'compute_80', nameExpressions: ['scale<double>'] });
    expect(known.getFunction('scale<double>').signature).toBe('scale<double>(double *x, double by)');
  });

  test('a call packs plain numbers as the types of the parameters', () => {
    using module = load();
    using memory = memAlloc(64);
    module.getFunction('add')(memory, memory.slice(16), memory.ptr, -7, { block: 32, grid: [2, 3] });
    expect(last().getBigUint64(0, true)).toBe(memory.ptr);
    expect(last().getBigUint64(8, true)).toBe(memory.ptr + 16n);
    expect(last().getInt32(24, true)).toBe(-7);
    expect(fake.launches.at(-1)).toMatchObject({ grid: [2, 3, 1], block: [32, 1, 1], shared: 0, stream: 0n });
  });

  test('a call packs structs, vectors, enums, bools and wide integers where C puts them', () => {
    using module = load();
    using memory = memAlloc(64);
    const Params = struct({ n: 'i32', data: 'ptr' });
    const params = Params({ n: 5, data: memory });
    module.getFunction('kinds')(params, float3(1, 2, 3), 1, true, -3, 2n ** 63n, 0.5, -9, { block: 1 });
    const view = last();
    expect(view.getInt32(0, true)).toBe(5);
    expect(view.getBigUint64(8, true)).toBe(memory.ptr);
    expect([view.getFloat32(16, true), view.getFloat32(20, true), view.getFloat32(24, true)]).toEqual([1, 2, 3]);
    expect(view.getInt32(28, true)).toBe(1);
    expect([view.getUint8(32), view.getInt8(33)]).toEqual([1, -3]);
    expect(view.getBigUint64(40, true)).toBe(2n ** 63n);
    expect(view.getFloat64(48, true)).toBe(0.5);
    expect(view.getInt16(56, true)).toBe(-9);
  });

  test('a call takes typed scalars of the right kind and size only', () => {
    using module = load();
    const plain = module.getFunction('plain');
    plain(int32(3), float32(0.5), int64(9), { block: 1 });
    expect([last().getUint32(0, true), last().getFloat32(4, true)]).toEqual([3, 0.5]);
    expect(last().getBigUint64(8, true)).toBe(9n);
    expect(() => plain(float32(3), 1, 1, { block: 1 })).toThrow(/argument 0 \(unsigned int u\) does not take float32/);
    expect(() => plain(1, float64(3), 1, { block: 1 })).toThrow(/argument 1 \(float r\) does not take float64/);
    expect(() => plain(int32(-1), 1, 1, { block: 1 })).toThrow(/-1 is not in 0 to 4294967295/);
  });

  test.each<[string, unknown[], RegExp]>([
    ['too few', [0n, 0n], /add\(.*\) takes 4 arguments, got 2/],
    ['too many', [0n, 0n, 0n, 1, 2], /takes 4 arguments, got 5/],
    ['a fraction for an int', [0n, 0n, 0n, 1.5], /argument 3 \(int n\).*1.5 is not an integer/],
    ['NaN for an int', [0n, 0n, 0n, NaN], /NaN is not an integer/],
    ['2**40 for an int', [0n, 0n, 0n, 2 ** 40], /1099511627776 is not in -2147483648 to 2147483647/],
    ['a host array for a pointer', [new Float32Array(4), 0n, 0n, 1], /argument 0 \(float \*c\).*cuda\.In/],
    ['a number for a pointer', [0n, 12, 0n, 1], /argument 1 \(const float \*a\) is a pointer/],
    ['undefined for a pointer', [undefined, 0n, 0n, 1], /got undefined/],
    ['a string for an int', [0n, 0n, 0n, 'x'], /it takes an integer, got the string "x"/],
    ['a pointer for an int', [0n, 0n, 0n, { ptr: 3n }], /it takes an integer/],
  ])('a call refuses %s', (_, args, message) => {
    using module = load();
    const before = fake.launches.length;
    const add = module.getFunction('add') as unknown as (...args: unknown[]) => void;
    expect(() => {
      add(...args, { block: 1 });
    }).toThrow(message);
    expect(fake.launches).toHaveLength(before);
  });

  test.each<[string, object, RegExp]>([
    ['no block', { grid: 1 }, /launch options/],
    ['an unknown option', { block: 1, grids: 2 }, /no option 'grids'/],
    ['a zero block', { block: 0 }, /block must hold integers >= 1, got 0/],
    ['a fractional grid', { block: 1, grid: 1.5 }, /grid must hold integers >= 1, got 1.5/],
    ['four dimensions', { block: [1, 1, 1, 1] }, /1 to 3 numbers/],
    ['too many threads', { block: [2048, 1, 1] }, /Block \[2048, 1, 1\] has 2048 along x; the device allows 1024/],
    ['too many threads in all', { block: [64, 64, 1] }, /has 4096 threads; none\(\) allows 1024/],
    ['a deep block', { block: [1, 1, 65] }, /65 along z; the device allows 64/],
    ['a high grid', { block: 1, grid: [1, 65536] }, /Grid \[1, 65536, 1\] has 65536 along y; the device allows 65535/],
    [
      'too much shared memory',
      { block: 1, shared: 2 ** 20 },
      /shared is 1048576 bytes; a block of none can have 166912/,
    ],
    ['NaN shared memory', { block: 1, shared: NaN }, /shared must be/],
    ['a stream that is none', { block: 1, stream: 3 }, /stream must be a Stream or null/],
  ])('a call refuses %s', (_, options, message) => {
    using module = load();
    const none = module.getFunction('none') as unknown as (options: object) => void;
    expect(() => {
      none(options);
    }).toThrow(message);
  });

  test('a call refuses vectors of another type', () => {
    using module = load();
    const Params = struct({ n: 'i32', data: 'ptr' });
    const kinds = module.getFunction('kinds');
    const p = Params({ n: 1, data: null });
    expect(() => kinds(p, float4(1, 2, 3, 4), 0, true, 0, 0, 0, 0, { block: 1 })).toThrow(
      /takes a float3\(…\), got float4/,
    );
    expect(() => kinds(p, int3(1, 2, 3), 0, true, 0, 0, 0, 0, { block: 1 })).toThrow(/takes a float3\(…\), got int3/);
    expect(() => kinds(int32(1), float3(1, 2, 3), 0, true, 0, 0, 0, 0, { block: 1 })).toThrow(
      /has 16 bytes; the int32 has 4/,
    );
  });

  test('In, Out and InOut copy in before and out after, and free what they allocated', () => {
    using module = load();
    fake.kernels.set('3add', ({ args }, memory) => {
      const at = (i: number): Float32Array => {
        const bytes = memory(args.getBigUint64(8 * i, true), 16);
        return new Float32Array(bytes.buffer, bytes.byteOffset, 4);
      };
      const [c, a, b] = [at(0), at(1), at(2)];
      for (let i = 0; i < 4; i++) c[i] = (a[i] ?? 0) + (b[i] ?? 0);
    });
    const c = new Float32Array(4);
    const live = fake.live.memory;
    module.getFunction('add')(Out(c), In(Float32Array.of(1, 2, 3, 4)), InOut(Float32Array.of(5, 6, 7, 8)), 4, {
      block: 4,
    });
    expect([...c]).toEqual([6, 8, 10, 12]);
    expect(fake.live.memory).toBe(live);
    expect(() => module.getFunction('add')(Out(c), In(c), In(c), 'no' as never, { block: 4 })).toThrow(TypeError);
    expect(fake.live.memory).toBe(live);
    fake.kernels.clear();
  });

  test('In on a stream keeps the memory until the stream has passed', async () => {
    using module = load();
    using stream = new Stream();
    const live = fake.live.memory;
    fake.busy = true;
    module.getFunction('add')(In(new Float32Array(4)), 0n, 0n, 4, { block: 4, stream });
    expect(fake.launches.at(-1)?.stream).toBe(stream.handle);
    expect(fake.live.memory).toBe(live + 1);
    fake.busy = false;
    await until('the memory is freed', () => fake.live.memory === live);
  });

  test('prepare() fixes the shape and checks the arguments of each launch', () => {
    using module = load();
    const launch = module.getFunction('over(int*, int)').prepare({ block: 64, grid: 2 });
    launch(0n, 3);
    expect(fake.launches.at(-1)).toMatchObject({ grid: [2, 1, 1], block: [64, 1, 1] });
    expect(last().getInt32(8, true)).toBe(3);
    expect(() => launch(0n)).toThrow(/takes 2 arguments, got 1/);
    expect(() => launch(0n, 0.5)).toThrow(/not an integer/);
    module.close();
    expect(() => launch(0n, 3)).toThrow(ClosedError);
  });

  test('use after close() throws', () => {
    const module = load();
    const none = module.getFunction('none');
    module.close();
    expect(() => none({ block: 1 })).toThrow(ClosedError);
    expect(() => module.getFunction('none')).toThrow(ClosedError);
    const memory = memAlloc(16);
    const slice = memory.slice(4);
    memory.free();
    using other = load();
    expect(() => other.getFunction('over(int*, int)')(memory, 1, { block: 1 })).toThrow(ClosedError);
    expect(() => other.getFunction('over(int*, int)')(slice, 1, { block: 1 })).toThrow(ClosedError);
  });

  test('a machine-code module knows its kernels by the names in the binary', () => {
    using source = new SourceModule(SOURCE, { arch: 'sm_80' });
    expect(source.getFunction('add').signature).toContain('int n');
    using module = moduleFromBuffer(source.ptx);
    expect(module.getFunction('add').signature).toBe('add(float *, const float *, const float *, int)');
  });
});
