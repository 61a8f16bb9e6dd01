import { describe, expect, test } from '@jest/globals';
import { compileCudaLater } from '../../../../src/cpu/compiler/client.ts';
import { compileText } from '../../../helpers/cpu-program.ts';

const LIMIT = 300_000;

describe('messages', () => {
  test.each([
    [
      'an error',
      'extern "C" __global__ void k(int* p) {\n  p[0] = y;\n}',
      /^kernel\.cu:2:10: error: use of undeclared identifier 'y'/,
    ],
    [
      'a barrier in a recursive function',
      '__device__ int f(int* p, int n) {\n  __syncthreads();\n  return n <= 0 ? p[0] : f(p, n - 1) + 1;\n}\nextern "C" __global__ void k(int* p) { p[threadIdx.x] = f(p, p[1]); }',
      /^kernel\.cu:2:3: error: a barrier in a recursive function cannot be run/,
    ],
    [
      'a barrier behind a pointer',
      '__device__ void a(int* p) { __syncthreads(); p[0] = 1; }\n__device__ void b(int* p) { p[0] = 2; }\nextern "C" __global__ void k(int* p, int n) {\n  void (*f)(int*) = n > p[3] ? a : b;\n  f(p);\n}',
      /^kernel\.cu:1:29: error: a barrier behind a function pointer/,
    ],
    [
      'PTX that is not translated',
      '#define ASM asm volatile\n/* two\n   lines */ extern "C" __global__ void k(int* p) {\n  int x;\n  ASM("mov.u32 %0, %%smid;" : "=r"(x));\n  p[0] = x;\n}',
      /^kernel\.cu:5:\d+: error: PTX special register '%smid' is not translated by the CPU device/,
    ],
    [
      'a constraint that PTX does not have',
      'extern "C" __global__ void k(int* p) {\n  asm volatile("add.u32 %0, %0, 1;" : "+x"(p[0]));\n}',
      /^kernel\.cu:2:\d+: error: invalid output constraint '\+x' in asm[^]*note: operands of inline PTX must have one of/,
    ],
    [
      'a register that PTX does not have',
      'extern "C" __global__ void k(int* p) {\n  asm volatile("bar.sync 0;" ::: "rax");\n}',
      /^kernel\.cu:2:\d+: error: unknown register name 'rax' in asm[^]*note: inline PTX can have 'memory'/,
    ],
    [
      'another mistake in a source with PTX',
      'extern "C" __global__ void k(int* p) {\n  asm volatile("bar.sync 0;");\n  p[0] = y;\n}',
      /^kernel\.cu:3:10: error: use of undeclared identifier 'y'/,
    ],
    [
      'a launch in a kernel',
      '__global__ void c(int* p) {}\nextern "C" __global__ void k(int* p) { c<<<1, 1>>>(p); }',
      /^kernel\.cu:2:41: error: a kernel launches a kernel\n[^]*note: launches from kernels need relocatable code, .*dynamicSourceModule/,
    ],
    [
      'a launch in host code',
      '__global__ void c(int* p) {}\nint main() {\n  int* p;\n  cudaMalloc(&p, 4);\n  c<<<1, 1>>>(p);\n}',
      /^kernel\.cu:4:3: error: use of undeclared identifier 'cudaMalloc'[^]*note: code for the host .* does not belong here/,
    ],
    [
      'a header of the host',
      '#include <vector>\n__global__ void k() {}',
      /^kernel\.cu:1:10: fatal error: 'vector' file not found[^]*note: the C\+\+ library of the host is not for kernels/,
    ],
    [
      'a library',
      '#include <cutlass/cutlass.h>\n__global__ void k() {}',
      /^kernel\.cu:1:10: fatal error: 'cutlass\/cutlass\.h' file not found[^]*note: the CPU device brings the headers/,
    ],
    [
      "a header of cub's device-wide algorithms",
      '#include <cub/device/device_reduce.cuh>\n__global__ void k() {}',
      /^kernel\.cu:1:10: fatal error: 'cub\/device\/device_reduce\.cuh' file not found\n[^]*note: cub's Device… algorithms are host code/,
    ],
    [
      'a texture of doubles',
      '__global__ void k(cudaTextureObject_t t, double* p) {\n  p[0] = tex2D<double>(t, 1.0f, 2.0f);\n}',
      /error: static assertion failed[^]*textures have elements of 1, 2 or 4 numbers[^]*kernel\.cu:2:10: note: in instantiation/,
    ],
    [
      "thrust's vector",
      '#include <thrust/device_vector.h>\nvoid f() {\n  thrust::device_vector<int> v;\n}',
      /error: static assertion failed[^\n]*thrust::device_vector is host code: give the kernel a pointer/,
    ],
    [
      'a texture reference behind a macro',
      '#define TEX texture\nTEX<float, 2> t;\n__global__ void k(float* p) { p[0] = tex2D(t, 1.0f, 2.0f); }',
      /^kernel\.cu:2:1: error: .*'texture'[^]*note: a texture or surface reference is taken for one where the source/,
    ],
    [
      'a texture reference of doubles',
      'texture<double, 1> t;\n__global__ void k(double* p) { p[0] = tex1Dfetch(t, 1); }',
      /error: static assertion failed[^]*textures have elements of 1, 2 or 4 numbers/,
    ],
    [
      'a texture reference of integers that are read as floats',
      'texture<int, 1, cudaReadModeNormalizedFloat> t;\n__global__ void k(float* p) { p[0] = tex1D(t, 1); }',
      /error: static assertion failed[^]*cudaReadModeNormalizedFloat is for elements of 8 and 16 bits/,
    ],
    [
      'a function for another kind of texture reference',
      'texture<float, 2> t;\n__global__ void k(float* p) { p[0] = tex1Dfetch(t, 1); }',
      /^kernel\.cu:2:38: error: no matching function for call to 'tex1Dfetch'/,
    ],
    [
      'floats of four bits',
      '#include <cuda_fp4.h>\n__global__ void k() {}',
      /^kernel\.cu:1:10: fatal error: 'cuda_fp4\.h' file not found[^]*note: the CPU device has no numbers of 4 and 6 bits/,
    ],
    [
      'a function of the host called by a kernel',
      'int f(int x) { return x; }\n__global__ void k(int* p) { p[0] = f(1); }',
      /^kernel\.cu:2:36: error: no matching function for call to 'f'[^]*call to __host__ function from __global__ function/,
    ],
    [
      'an array of variable size across a barrier',
      'extern "C" __global__ void k(int* p, int n) {\n  int* a = (int*)__builtin_alloca(n * 4);\n  a[threadIdx.x] = 1;\n  __syncthreads();\n  p[0] = a[n - 1];\n}',
      /^kernel\.cu:\d+:\d+: error: kernel k has code that the CPU device cannot run: an array of variable size/,
    ],
    [
      'a function that nobody has',
      'extern "C" __device__ int nope(int);\nextern "C" __global__ void k(int* p) { p[0] = nope(p[1]); }',
      /^kernel\.cu:2:47: error: unresolved extern function 'nope'/,
    ],
    [
      'a function that nobody has, in a function that is inlined, and a variable',
      'extern "C" __device__ int nope(int);\nextern __device__ int other;\n__device__ int f(int x) {\n  return nope(x) +\n    other;\n}\nextern "C" __global__ void k(int* p) { p[0] = f(p[1]); }',
      /^kernel\.cu:4:10: error: unresolved extern function 'nope'[^]*\nkernel\.cu:5:5: error: unresolved extern variable 'other'/,
    ],
  ])(
    '%s',
    (_, source, message) => {
      const { program, log } = compileText(source);
      expect(program).toBeUndefined();
      expect(log).toMatch(message);
    },
    LIMIT,
  );

  test(
    'threads that count on lockstep are warned of, those that wait are not',
    () => {
      const reduce = (wait: string): string => `extern "C" __global__ void k(int* p) {
  __shared__ int s[64];
  volatile int* v = s;
  int t = threadIdx.x;
  v[t] = p[t];
  __syncthreads();
  if (t < 32) {
    v[t] += v[t + 32]; ${wait}
    v[t] += v[t + 16];
    p[t] = v[t];
  }
}`;
      const { program, log } = compileText(reduce(''));
      expect(program?.kernels).toHaveLength(1);
      expect(log).toMatch(/^kernel\.cu:9:13: warning: volatile shared memory .* with no __syncwarp\(\) between/);
      const dynamic = reduce('').replace('__shared__ int s[64]', 'extern __shared__ int s[]');
      expect(compileText(dynamic).log).toBe(log);
      expect(compileText('__global__ void k(volatile int* p) { p[0] = 1; p[1] = p[2]; }').log).toBe('');
    },
    LIMIT,
  );

  test(
    'a wrong name expression is named, an unknown option too, a warning does no harm',
    async () => {
      const source = 'extern "C" __global__ void k(int* p) { int unused = p[0] = p[1] == (p[2]); }';
      const request = {
        source,
        file: 'a "b".cu',
        options: [],
        expressions: ['nope<float>'],
        includes: [],
        checked: false as const,
      };
      expect((await compileCudaLater(request)).log).toMatch(/^name expression 'nope<float>':1:\d+: error: /m);
      expect(compileText(source, { options: ['--frobnicate'] }).log).toBe(
        'error: unrecognized option --frobnicate found',
      );
      const { program, log } = compileText('#warning "careful"\n', { file: 'a "b".cu' });
      expect(program?.kernels).toEqual([]);
      expect(log).toMatch(/^a "b"\.cu:1:2: warning: "careful"/);
    },
    LIMIT,
  );
});
