import { expect } from '@jest/globals';
import { CudaError } from '../../../src/cuda/errors.ts';
import * as cuda from '../../../src/cuda/index.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
  __constant__ float offset = 1;
  __device__ int calls;
  __global__ void apply(float *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] = p[threadIdx.x] * 2 + offset;
    if (threadIdx.x == 0) calls++;
  }
  extern "C" __global__ void dynamic(float *p) { extern __shared__ float s[]; s[threadIdx.x] = 1; p[0] = s[0]; }`;

needs.nvrtc().describe('Library', () => {
  withDevice();
  const { test } = needs.cuda();
  const run = (kernel: cuda.Kernel): number[] => {
    using memory = cuda.toDevice(Float32Array.of(1, 2, 3, 4));
    kernel(memory, 4, { block: 4 });
    return [...cuda.fromDevice(memory, 'f32')];
  };

  test('a kernel runs in each context, with variables of its own', () => {
    using library = cuda.Program.compile(SOURCE).toLibrary();
    const apply = library.getKernel('apply');
    const before = cuda.Context.current;
    expect(run(apply)).toEqual([3, 5, 7, 9]);
    cuda.memcpyHtoD(library.getGlobal('offset'), Float32Array.of(10));
    expect(run(apply)).toEqual([12, 14, 16, 18]);
    const own = new cuda.Context(before?.device, { own: true });
    expect(run(apply)).toEqual([3, 5, 7, 9]);
    expect(cuda.fromDevice(library.getGlobal('calls'), 'i32')[0]).toBe(1);
    own.close();
    before?.makeCurrent();
    expect(cuda.fromDevice(library.getGlobal('calls'), 'i32')[0]).toBe(2);
    expect(run(apply)).toEqual([12, 14, 16, 18]);
  });

  test('a library loads without a context', () => {
    const before = cuda.Context.current;
    const arch = `compute_${before?.device.computeCapability.join('') ?? ''}`;
    const program = cuda.Program.compile(SOURCE, { arch });
    new cuda.Context(before?.device, { own: true }).close();
    using library = program.toLibrary();
    expect(library.hasKernel('apply')).toBe(true);
    const apply = library.getKernel('apply');
    before?.makeCurrent();
    expect(run(apply)).toEqual([3, 5, 7, 9]);
  });

  test('what is known of a kernel', () => {
    using library = cuda.Program.compile(SOURCE).toLibrary();
    const apply = library.getKernel('apply');
    expect(library.kernels.sort()).toEqual(['apply(float *p, int n)', 'dynamic(float *p)']);
    expect(apply.parameters).toEqual([
      { offset: 0, size: 8 },
      { offset: 8, size: 4 },
    ]);
    expect(apply.maxThreadsPerBlock).toBe(apply.function.maxThreadsPerBlock);
    expect(apply.getAttributes().MAX_THREADS_PER_BLOCK).toBeGreaterThanOrEqual(32);
    expect(apply.function.maxActiveBlocksPerMultiprocessor(32)).toBeGreaterThan(0);
  });

  test('an attribute of a device holds for the function of its contexts', () => {
    using library = cuda.Program.compile(SOURCE).toLibrary();
    const dynamic = library.getKernel('dynamic');
    dynamic.maxDynamicSharedSizeBytes = 40_000;
    expect(dynamic.maxDynamicSharedSizeBytes).toBe(40_000);
    using memory = cuda.toDevice(new Float32Array(1));
    dynamic(memory, { block: 32, shared: 40_000 });
    dynamic.prepare({ block: 32, shared: 128 })(memory);
    expect(cuda.fromDevice(memory, 'f32')[0]).toBe(1);
  });

  test('the module of a library is one like others, and a graph takes kernels', () => {
    using library = cuda.Program.compile(SOURCE).toLibrary();
    using module = library.getModule();
    using memory = cuda.toDevice(Float32Array.of(1));
    module.getFunction('apply')(memory, 1, { block: 1 });
    using graph = new cuda.Graph();
    graph.addKernel(library.getKernel('apply'), [memory, 1], { block: 1 });
    using exec = graph.instantiate();
    exec.launch();
    expect(cuda.fromDevice(memory, 'f32')[0]).toBe(7);
    expect(cuda.fromDevice(library.getGlobal('calls'), 'i32')[0]).toBe(2);
  });

  test('what is not there is an error', () => {
    using library = cuda.Program.compile(SOURCE).toLibrary();
    expect(() => library.getKernel('nothing')).toThrow(/no kernel 'nothing'/);
    expect(() => library.getGlobal('nothing')).toThrow(/no variable 'nothing'/);
    expect(() => library.getManaged('nothing')).toThrow(CudaError);
  });

  needs.gpu().test('a managed variable is one for all contexts', () => {
    using library = cuda.Program.compile(
      '__managed__ int shared = 5; __global__ void add(int n) { shared += n; }',
    ).toLibrary();
    const shared = library.getManaged('shared');
    library.getKernel('add')(2, { block: 1 });
    expect(cuda.fromDevice(shared, 'i32')[0]).toBe(7);
    using view = cuda.managedView(shared, 'i32');
    expect([...view]).toEqual([7]);
  });

  needs.gpu().test('PTX that is wrong says where', () => {
    const broken = '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { nonsense; }\n';
    expect(() => {
      using library = cuda.libraryFromBuffer(broken);
      library.getKernel('k')({ block: 1 });
    }).toThrow(cuda.CompileError);
  });
});
