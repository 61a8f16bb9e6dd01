import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { rtc } from '../../../src/cuda/call.ts';
import * as cuda from '../../../src/cuda/index.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { SINE } from '../../helpers/nvvm-ir.ts';
import { needs } from '../../helpers/require.ts';

const TWICE = '__device__ float twice(float x) { return 2 * x; }';
const MAIN = `
  extern __device__ float twice(float x);
  __constant__ float offset = 1;
  __global__ void apply(float *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = twice(p[threadIdx.x]) + offset; }`;
const PARENT = `
  __global__ void child(int *x) { atomicAdd(x, 1); }
  __global__ void parent(int *x) { child<<<2, 32>>>(x); }`;
const folder = mkdtempSync(join(tmpdir(), 'rawkernel-program-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

needs.nvrtc().describe('Program', () => {
  withDevice();
  const { test } = needs.cuda();
  const linking = needs.gpu();
  const lto = linking.missing === undefined ? needs.nvjitlink() : linking;

  function run(module: cuda.Module): number[] {
    using owned = module;
    using memory = cuda.toDevice(Float32Array.of(1, 2, 3, 4));
    owned.getFunction('apply')(memory, 4, { block: 4 });
    return [...cuda.fromDevice(memory, 'f32')];
  }

  test('a saved program runs after it was loaded', () => {
    const path = join(folder, 'set.program');
    const source = 'template <int N> __global__ void set(int *x) { *x = N; }';
    cuda.Program.compile(source, { nameExpressions: ['set<3>'] }).save(path);
    const program = cuda.Program.load(path);
    using module = program.toModule();
    using memory = cuda.toDevice(new Int32Array(1));
    module.getFunction('set<3>')(memory, { block: 1 });
    expect(cuda.fromDevice(memory, 'i32')[0]).toBe(3);
    module.getFunction(program.getLoweredName('set<3>'))(memory, { block: 1 });
  });

  test('moduleLoadingMode() is one of the two', () => {
    expect(['eager', 'lazy']).toContain(cuda.moduleLoadingMode());
  });

  test('load() has a kernel on the device before its first launch', () => {
    const program = cuda.Program.compile('__global__ void set(int *x) { *x = 3; }');
    using module = program.toModule();
    using library = program.toLibrary();
    using memory = cuda.toDevice(new Int32Array(1));
    const set = module.getFunction('set');
    if (cuda.moduleLoadingMode() === 'eager') expect(set.isLoaded()).toBe(true);
    for (const kernel of [set, library.getKernel('set')]) {
      kernel.load();
      expect(kernel.isLoaded()).toBe(true);
      kernel(memory, { block: 1 });
    }
    expect(cuda.fromDevice(memory, 'i32')[0]).toBe(3);
  });

  test.each(['sm', 'compute'])('the driver links %s code of two sources', (prefix) => {
    const [major, minor] = cuda.Context.current?.device.computeCapability ?? [0, 0];
    const arch = `${prefix}_${major}${minor}`;
    const linker = new cuda.Linker({ verbose: true });
    for (const source of [TWICE, MAIN]) linker.add(cuda.Program.compile(source, { relocatable: true, arch }));
    expect(run(linker.link().toModule())).toEqual([3, 5, 7, 9]);
  });

  test('what does not link says what is missing', () => {
    const linker = new cuda.Linker().add(cuda.Program.compile(MAIN, { relocatable: true }), 'main.cu');
    expect(() => linker.link()).toThrow(cuda.CompileError);
    expect(() => linker.link()).toThrow(/twice/);
  });

  test('a variable of a linked module can be reached', () => {
    const linker = new cuda.Linker();
    for (const source of [TWICE, MAIN]) linker.add(cuda.Program.compile(source, { relocatable: true }));
    const module = linker.link().toModule();
    cuda.memcpyHtoD(module.getGlobal('offset'), Float32Array.of(10));
    expect(run(module)).toEqual([12, 14, 16, 18]);
  });

  test('a kernel launches a kernel', () => {
    using module = cuda.dynamicSourceModule(PARENT);
    using memory = cuda.toDevice(new Int32Array(1));
    module.getFunction('parent')(memory, { block: 1 });
    cuda.Context.current?.synchronize();
    expect(cuda.fromDevice(memory, 'i32')[0]).toBe(64);
  });

  test('a DynamicModule takes sources and PTX', () => {
    const [major, minor] = cuda.Context.current?.device.computeCapability ?? [0, 0];
    const ptx = cuda.Program.compile(TWICE, { relocatable: true, arch: `compute_${major}${minor}` }).ptx;
    expect(run(new cuda.DynamicModule().addSource(MAIN).addData(ptx).link())).toEqual([3, 5, 7, 9]);
  });

  lto.test('nvJitLink links LTO IR, and code with it', () => {
    const linker = new cuda.Linker()
      .add(cuda.Program.compile(TWICE, { output: 'ltoir' }))
      .add(cuda.Program.compile(MAIN, { output: 'ltoir' }));
    expect(run(linker.link().toModule())).toEqual([3, 5, 7, 9]);
  });

  /** PTX that is left to the driver's compiler, and that its cache has not seen: what is read from there has no log. */
  function portable(): cuda.Program {
    const [major, minor] = cuda.Context.current?.device.computeCapability ?? [0, 0];
    const fresh = `extern "C" __global__ void unseen${process.hrtime.bigint()}() {}`;
    return cuda.Program.compile(`${fresh}\n${TWICE}\n${MAIN.replace('extern', '')}`, {
      arch: `compute_${major}${minor}`,
    });
  }

  linking.test('the options of the driver reach its compiler', () => {
    using module = portable().toModule({ maxRegisters: 32 });
    expect(module.getFunction('apply').numRegs).toBeLessThanOrEqual(32);
  });

  // Under compute-sanitizer it is empty.
  linking.test('a verbose JIT log tells of registers', () => {
    using module = portable().toModule({ verbose: true });
    expect(module.jitLog).toMatch(/registers/);
  });

  const SETS = '#include "value.h"\n__global__ void set(int *x) { *x = VALUE; }';

  function valueOf(program: cuda.Program): number | undefined {
    using module = program.toModule();
    using memory = cuda.toDevice(new Int32Array(1));
    module.getFunction('set')(memory, { block: 1 });
    return cuda.fromDevice(memory, 'i32')[0];
  }

  needs.pch().test('a precompiled header is made, and used by the next source', () => {
    writeFileSync(
      join(folder, 'value.h'),
      '#define VALUE 7\ntemplate <typename T> __device__ T twice(T x) { return x + x; }\n',
    );
    const options = { includeDirs: [folder], pchDir: folder };
    const first = cuda.Program.compile(SETS, { ...options, createPch: 'value.pch' });
    expect([first.pch, valueOf(first)]).toEqual(['created', 7]);
    expect(existsSync(join(folder, 'value.pch'))).toBe(true);
    const second = cuda.Program.compile(SETS, { ...options, usePch: 'value.pch' });
    expect([second.pch, valueOf(second)]).toEqual(['not-attempted', 7]);
    expect(second.log).toMatch(/value\.pch/);
  });

  needs.pch().test('the heap of precompiled headers grows where it is too small', () => {
    const slot = new BigUint64Array(1);
    rtc.nvrtcGetPCHHeapSize(slot);
    const before = slot[0] ?? 0n;
    rtc.nvrtcSetPCHHeapSize(65_536n);
    const source = '#include <cuda_fp16.h>\n__global__ void k(__half *x) { *x = __float2half(1); }';
    expect(cuda.Program.compile(source, { createPch: join(folder, 'half.pch') }).pch).toBe('created');
    rtc.nvrtcGetPCHHeapSize(slot);
    expect(slot[0]).toBeGreaterThan(65_536n);
    rtc.nvrtcSetPCHHeapSize(before);
  });

  test('supportedArchitectures() has what the device is compiled for', () => {
    const { arch } = cuda.Program.compile('__global__ void k() {}');
    const all = cuda.supportedArchitectures();
    expect(all).toEqual(expect.arrayContaining([arch.replace('compute', 'sm')]));
  });

  linking.test('OptiX IR is made, and neither loaded nor linked', () => {
    const program = cuda.Program.compile('extern "C" __global__ void __raygen__k() {}', { output: 'optixir' });
    expect(program.kind).toBe('optixir');
    expect(program.code.length).toBeGreaterThan(0);
    expect(() => program.toModule()).toThrow(TypeError);
    expect(() => new cuda.Linker().add(program)).toThrow(TypeError);
  });

  const nvvm = linking.missing === undefined ? needs.nvvm() : linking;

  nvvm.test('NVVM IR runs', () => {
    const [major, minor] = cuda.Context.current?.device.computeCapability ?? [0, 0];
    // Newer targets take IR of a newer LLVM.
    const arch = `compute_${Math.min(90, major * 10 + minor)}`;
    using module = cuda.Program.fromNvvm(SINE, { arch, libdevice: true }).toModule();
    using memory = cuda.toDevice(Float32Array.of(0.5));
    module.getFunction('sine')(memory, { block: 1 });
    expect(cuda.fromDevice(memory, 'f32')[0]).toBeCloseTo(Math.sin(0.5), 6);
  });

  const embedded = linking.missing === undefined ? undefined : test;
  embedded?.('the embedded device reads headers as text, and takes the options of precompiled ones', () => {
    writeFileSync(join(folder, 'value.h'), '#define VALUE 7\n');
    for (const options of [{ createPch: 'value.pch' }, { usePch: 'value.pch' }, { pch: true }]) {
      const program = cuda.Program.compile(SETS, { includeDirs: [folder], pchDir: folder, cache: false, ...options });
      expect([program.pch, valueOf(program)]).toEqual(['not-attempted', 7]);
    }
  });

  embedded?.('the embedded device has neither NVVM IR nor LTO IR, and a device runtime without a library', () => {
    using whole = new cuda.DynamicModule()
      .addSource('__global__ void k(int *x) { *x = 1; }')
      .addStdlib('cudadevrt')
      .link();
    expect(whole.hasFunction('k')).toBe(true);
    expect(() => cuda.Program.fromNvvm(SINE)).toThrow(expect.objectContaining({ code: 'CUDA_ERROR_NOT_SUPPORTED' }));
    for (const output of ['ltoir', 'optixir'] as const) {
      expect(() => cuda.Program.compile(TWICE, { output })).toThrow(
        expect.objectContaining({ code: 'CUDA_ERROR_NOT_SUPPORTED' }),
      );
    }
  });
});
