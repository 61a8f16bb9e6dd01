import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { struct } from '../../../src/core/struct.ts';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { CompileError, CudaRuntimeError } from '../../../src/cuda/errors.ts';
import { fromDevice, memcpyHtoD, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { managedView } from '../../../src/cuda/managed/managed-view.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer, moduleFromFile } from '../../../src/cuda/module/module.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Out } from '../../../src/cuda/copy/transfer.ts';
import { float16 } from '../../../src/core/value.ts';
import { bfloat162, double4, float3, float4, uchar4 } from '../../../src/cuda/kernel/vectors.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

needs.cuda().describe('SourceModule on a CUDA device', () => {
  withDevice();

  test('an array of structs is copied to a kernel and back', () => {
    const Point = struct({ tag: 'i8', weight: 'f64', place: float3 });
    using module = new SourceModule(`
      struct point { signed char tag; double weight; float3 place; };
      extern "C" __global__ void twice(point *all) {
        point &one = all[threadIdx.x];
        one.tag += 1; one.weight *= 2; one.place.z = one.place.x;
      }`);
    const points = [1, 2, 3].map((i) => ({ tag: i, weight: i / 2, place: float3(i, 0, 0) }));
    using memory = toDevice(Point.pack(points));
    module.getFunction('twice')(memory, { block: 3, grid: 1 });
    expect(Point.unpack(fromDevice(memory, 'u8'))).toEqual(
      [1, 2, 3].map((i) => ({ tag: i + 1, weight: i, place: [i, 0, i] })),
    );
  });

  test('templates, overloads, namespaces and extern "C" run', () => {
    using module = new SourceModule(`
      template <typename T> __global__ void put(T *x, T value) { x[threadIdx.x] = value; }
      __global__ void over(int *x) { x[0] = 1; }
      __global__ void over(float *x) { x[0] = 2.5f; }
      namespace ns { __global__ void inner(int *x, int by) { x[threadIdx.x] *= by; } }
      extern "C" __global__ void plain(int *x, unsigned char add) { x[threadIdx.x] += add; }
    `);
    using memory = memAlloc(16);
    module.getFunction('put<int>')(memory, 7, { block: 4 });
    module.getFunction('ns::inner')(memory, -3, { block: 4 });
    module.getFunction('plain')(memory, 255, { block: 4 });
    expect([...fromDevice(memory, 'i32')]).toEqual([234, 234, 234, 234]);
    module.getFunction('put<double>')(memory, 0.1, { block: 2 });
    expect([...fromDevice(memory, 'f64')]).toEqual([0.1, 0.1]);
    module.getFunction('over(float *)')(memory, { block: 1 });
    expect(fromDevice(memory, 'f32', 1)[0]).toBe(2.5);
    module.getFunction('over(int *)')(memory, { block: 1 });
    expect(fromDevice(memory, 'i32', 1)[0]).toBe(1);
  });

  test('a file is compiled with the headers beside it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rawkernel-source-'));
    try {
      writeFileSync(join(folder, 'seven.cuh'), '#define SEVEN 7\n');
      writeFileSync(
        join(folder, 'set.cu'),
        '#include "seven.cuh"\n__global__ void set(int *x) { *x = SEVEN + MORE; }\n',
      );
      const out = new Int32Array(1);
      for (const file of [join(folder, 'set.cu'), pathToFileURL(join(folder, 'set.cu'))]) {
        using module = SourceModule.fromFile(file, { defines: { MORE: 1 } });
        module.getFunction('set')(Out(out), { block: 1 });
        expect(out[0]).toBe(8);
      }
      expect(() => SourceModule.fromFile(join(folder, 'set.cu'))).toThrow(/set\.cu:2:.*MORE/);
      expect(() => SourceModule.fromFile(join(folder, 'none.cu'))).toThrow('ENOENT');
      expect(() => SourceModule.fromFile(3 as never)).toThrow('A path must be a string, got 3');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('the structs of the option types are checked', () => {
    const source = 'struct P { int n; }; __global__ void k(P p, int *x) { *x = p.n; }';
    const P = struct({ n: 'i32' });
    using module = new SourceModule(source, { types: { P } });
    const out = new Int32Array(1);
    module.getFunction('k')(P({ n: 3 }), Out(out), { block: 1 });
    expect(out[0]).toBe(3);
    expect(() => new SourceModule(source, { types: { P: 3 as never } })).toThrow('types.P must be a struct(…), got 3');
    for (const types of [[], 'P', null]) {
      expect(() => new SourceModule(source, { types: types as never })).toThrow(
        'types must be an object of structs by name',
      );
    }
  });

  test('bfloat16 arrives by value, in vectors, structs and arrays', () => {
    using module = new SourceModule(`
      #include <cuda_bf16.h>
      struct Pair { __nv_bfloat16 x; float y; };
      __global__ void take(float *out, __nv_bfloat16 a, __nv_bfloat162 b, Pair p, const __nv_bfloat16 *list) {
        out[0] = __bfloat162float(a);
        out[1] = __bfloat162float(b.x);
        out[2] = __bfloat162float(b.y);
        out[3] = __bfloat162float(p.x) + p.y;
        out[4] = __bfloat162float(list[1]);
      }
    `);
    const Pair = struct({ x: 'bf16', y: 'f32' });
    using list = toDevice(Uint16Array.of(0, 0x4049));
    const out = new Float32Array(5);
    module.getFunction('take')(Out(out), 1.5, bfloat162(-2, 0.1), Pair({ x: 3, y: 0.25 }), list, { block: 1 });
    expect([...out]).toEqual([1.5, -2, 0.10009765625, 3.25, 3.140625]);
  });

  test('structs, vectors, halves, bools and enums arrive by value', () => {
    using module = new SourceModule(`
      #include <cuda_fp16.h>
      struct Inner { char tag; double weight; };
      struct Params { short n; Inner inner; float *data; float3 v; int list[3]; };
      enum Mode { OFF, ON = 9 };
      __global__ void take(double *out, Params p, float4 a, double4 b, uchar4 c, bool flag, Mode mode, __half h, long long wide) {
        double all[] = { (double)p.n, (double)p.inner.tag, p.inner.weight, p.data[1], p.v.z, (double)p.list[2], a.w, b.w,
                         (double)c.z, flag ? 1.0 : 0.0, (double)mode, (double)__half2float(h), (double)wide };
        for (int i = 0; i < 13; i++) out[i] = all[i];
      }
    `);
    const Inner = struct({ tag: 'i8', weight: 'f64' });
    const Params = struct({ n: 'i16', inner: Inner, data: 'ptr', v: float3, list: ['i32', 3] });
    using data = toDevice(Float32Array.of(1.5, 2.5));
    const out = new Float64Array(13);
    const params = Params({ n: -2, inner: { tag: 65, weight: 0.25 }, data, v: float3(1, 2, 3), list: [4, 5, 6] });
    const take = module.getFunction('take');
    take(
      Out(out),
      params,
      float4(1, 2, 3, 4),
      double4(5, 6, 7, 8),
      uchar4(1, 2, 250, 4),
      true,
      9,
      float16(0.5),
      -(2 ** 40),
      {
        block: 1,
      },
    );
    expect([...out]).toEqual([-2, 65, 0.25, 2.5, 3, 6, 4, 8, 250, 1, 9, 0.5, -(2 ** 40)]);
  });

  test('getGlobal() reaches __constant__ and __device__ variables', () => {
    using module = new SourceModule(`
      __constant__ float coefficients[4];
      __device__ int counter;
      __global__ void use(float *out) { out[threadIdx.x] = coefficients[threadIdx.x]; atomicAdd(&counter, 1); }
    `);
    const coefficients = module.getGlobal('coefficients');
    expect(coefficients.byteLength).toBe(16);
    memcpyHtoD(coefficients, Float32Array.of(1, 2, 3, 4));
    const out = new Float32Array(4);
    module.getFunction('use')(Out(out), { block: 4 });
    expect([...out]).toEqual([1, 2, 3, 4]);
    expect(fromDevice(module.getGlobal('counter'), 'i32')[0]).toBe(4);
    expect(() => module.getGlobal('nothing')).toThrow(/no variable 'nothing'/);
  });

  test('managedView() shows the host a __managed__ variable', () => {
    using module = new SourceModule(`
      __managed__ int numbers[4] = { 1, 2, 3, 4 };
      __managed__ double one = 1.5;
      __device__ int plain;
      __global__ void twice() { numbers[threadIdx.x] *= 2; if (threadIdx.x == 0) { one += 1; plain = 1; } }
    `);
    using numbers = managedView(module.getGlobal('numbers'), 'i32');
    using one = managedView(module.getGlobal('one'), Float64Array);
    expect([...numbers, ...one]).toEqual([1, 2, 3, 4, 1.5]);
    numbers[3] = 40;
    module.getFunction('twice')({ block: 4 });
    Context.current?.synchronize();
    expect([...numbers, ...one]).toEqual([2, 4, 6, 80, 2.5]);
    expect([...fromDevice(module.getGlobal('numbers'), 'i32')]).toEqual([2, 4, 6, 80]);
    expect(() => managedView(module.getGlobal('plain'), 'i32')).toThrow(/not a __managed__ variable/);
  });

  test('dynamic shared memory above 48 KiB is opted in', () => {
    using module = new SourceModule(`
      __global__ void far(int *out, int n) {
        extern __shared__ int s[];
        for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
        __syncthreads();
        if (threadIdx.x == 0) out[0] = s[n - 1];
      }`);
    const far = module.getFunction('far');
    const out = new Int32Array(1);
    far(Out(out), 20_000, { block: 64, shared: 80_000 });
    expect(out[0]).toBe(19_999);
    expect(far.maxDynamicSharedSizeBytes).toBe(80_000);
    expect(() => {
      far(0n, 1, { block: 1, shared: 1 << 20 });
    }).toThrow(/shared is 1048576 bytes; a block of far can have/);
  });

  test('attributes and occupancy answer', () => {
    using module = new SourceModule(
      '__global__ void k(float *x) { __shared__ float s[64]; s[threadIdx.x] = *x; *x = s[0]; }',
    );
    const k = module.getFunction('k');
    expect(k.numRegs).toBeGreaterThan(0);
    expect(k.sharedSizeBytes).toBe(256);
    expect(k.maxThreadsPerBlock).toBe(1024);
    const [major, minor] = new Device(0).computeCapability;
    expect(k.binaryVersion).toBe(10 * major + minor);
    expect([k.localSizeBytes, k.constSizeBytes]).toEqual([0, 0]);
    expect(k.ptxVersion).toBeGreaterThan(0);
    expect(k.maxActiveBlocksPerMultiprocessor(128)).toBeGreaterThan(1);
    const { gridSize, blockSize } = k.maxPotentialBlockSize({ blockSizeLimit: 512 });
    expect(blockSize).toBeLessThanOrEqual(512);
    expect(gridSize).toBeGreaterThan(0);
  });

  test('moduleFromBuffer() loads PTX with types from the symbols, moduleFromFile() a cubin', () => {
    const source = '__global__ void add(float *x, float y) { x[0] += y; }';
    using compiled = new SourceModule(source, { arch: 'compute_80' });
    using ptx = moduleFromBuffer(compiled.ptx);
    using memory = toDevice(Float32Array.of(1));
    ptx.getFunction('add')(memory, 0.5, { block: 1 });
    expect(fromDevice(memory, 'f32')[0]).toBe(1.5);
    expect(() => {
      ptx.getFunction('add')(memory, memory, { block: 1 });
    }).toThrow(/argument 1 \(float\)/);
  });

  test('PTX that the driver refuses throws CompileError with its log', () => {
    const broken = '.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { nonsense; }\n';
    expect(() => moduleFromBuffer(broken)).toThrow(CompileError);
    expect(() => moduleFromBuffer(Buffer.from('not an image at all'))).toThrow();
  });

  test('a binary for another device is CUDA_ERROR_NO_BINARY_FOR_GPU', () => {
    const [major, minor] = new Device(0).computeCapability;
    const other = major === 8 && minor === 0 ? 'sm_75' : 'sm_80';
    if (major === 8) return;
    expect(() => new SourceModule('__global__ void k() {}', { arch: other })).toThrow(CudaRuntimeError);
  });

  test('sources and headers are read as editors on Windows save them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rawkernel-crlf-'));
    try {
      writeFileSync(join(folder, 'six.h'), '\uFEFF#pragma once\r\n#define SIX \\\r\n  6\r\n');
      writeFileSync(join(folder, 'all.h'), '\uFEFF#include "six.h"\r\nstruct Point { int x; float y; };\r\n');
      const lines = [
        '\uFEFF#include "all.h"',
        '#define ADD(a, b) \\',
        '  ((a) + \\',
        '   (b))',
        '// A comment goes on \\',
        'in the next line',
        'extern "C" __global__ void add(int *out, const Point p,',
        '    int n) {',
        '  *out = ADD(SIX, n) + p.x;',
        '}',
        '',
      ];
      const options = { includeDirs: [folder] };
      const Point = struct({ x: 'i32', y: 'f32' });
      using module = new SourceModule(lines.join('\r\n'), options);
      using out = memAlloc(4);
      module.getFunction('add')(out, Point({ x: 100, y: 0 }), 20, { block: 1 });
      expect(fromDevice(out, 'i32')[0]).toBe(126);
      const wrong = lines.join('\r\n').replace('SIX', 'SEVEN');
      expect(() => new SourceModule(wrong, options)).toThrow(
        /kernel\.cu:9:\d+: .*SEVEN.*\n.*8 \|.*\n> +9 \| +\*out = ADD\(SEVEN, n\) \+ p\.x;\n/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a header change is seen, and headers are found beside includeDirs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rawkernel-include-'));
    try {
      const run = (value: number): number | undefined => {
        writeFileSync(join(folder, 'value.h'), `#define VALUE ${value}\n`);
        using module = new SourceModule('#include "value.h"\n__global__ void k(int *x) { *x = VALUE; }', {
          includeDirs: [folder],
        });
        const out = new Int32Array(1);
        module.getFunction('k')(Out(out), { block: 1 });
        return out[0];
      };
      expect([run(1), run(2), run(1)]).toEqual([1, 2, 1]);
      using compiled = new SourceModule('__global__ void k(int *x) { *x = 3; }');
      writeFileSync(join(folder, 'k.ptx'), compiled.ptx);
      using module = moduleFromFile(join(folder, 'k.ptx'));
      const out = new Int32Array(1);
      module.getFunction('k')(Out(out), { block: 1 });
      expect(out[0]).toBe(3);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  needs.nvcc().test('nvcc compiles the same kernels', () => {
    using module = new SourceModule(
      `template <int N> __global__ void twice(int *x) { x[threadIdx.x] *= N; }
       __global__ void one(int *x, int n) { x[threadIdx.x] = n; }`,
      { compiler: 'nvcc', nameExpressions: ['twice<3>'] },
    );
    using memory = memAlloc(8);
    module.getFunction('one')(memory, 5, { block: 2 });
    module.getFunction('twice<3>')(memory, { block: 2 });
    expect([...fromDevice(memory, 'i32')]).toEqual([15, 15]);
  });

  test('SourceModule.compile() loads without blocking', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const source = `__global__ void later(int *x) { *x = ${Date.now() % 100000}; }`;
    const module = await SourceModule.compile(source, { cache: false });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    const out = new Int32Array(1);
    module.getFunction('later')(Out(out), { block: 1 });
    expect(source).toContain(String(out[0]));
    module.close();
  });
});
