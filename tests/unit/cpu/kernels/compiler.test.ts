import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { compileText, Fault, programOf, TestDevice } from '../../../helpers/cpu-program.ts';

const LIMIT = 300_000;
const COUNT = 64;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('kernels', () => {
  const source = `
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
extern "C" __global__ void stride(int* p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] += i;
}
extern "C" __global__ void places(int* p) {
  int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  p[b * blockDim.x * blockDim.y * blockDim.z + t] = b * 1000 + t;
}
extern "C" __global__ void reverse(int* p) {
  __shared__ int s[${COUNT}];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[${COUNT - 1} - threadIdx.x];
}
extern "C" __global__ void sum(const float* in, float* out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void leave(int* p, int n) {
  __shared__ int s[${COUNT}];
  int t = threadIdx.x;
  s[t] = t;
  if (t >= n) return;
  __syncthreads();
  int v = s[n - 1 - t];
  __syncthreads();
  p[t] = v;
}
extern "C" __global__ void ways(int* p, int m) {
  __shared__ int s[${COUNT}];
  int t = threadIdx.x;
  s[t] = t;
  switch (m) {
    case 0: __syncthreads(); break;
    case 1: goto end;
    default:
      for (int i = 0; i < m; i++) {
        __syncthreads();
        int v = s[(t + 1) & ${COUNT - 1}];
        __syncthreads();
        s[t] = v;
      }
  }
  __syncthreads();
end:
  p[t] = s[t];
}
extern "C" __global__ void warps(int* p) {
  int v = p[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  __shared__ int s[2];
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < 2 ? s[threadIdx.x] : 0;
    v += __shfl_xor_sync(0xffffffffu, v, 1);
    if (threadIdx.x == 0) p[0] = v;
  }
}
extern "C" __global__ void stuck(int* p) {
  if (threadIdx.x == 0) __syncthreads();
  else __shfl_sync(0xffffffffu, p[0], 0);
}
struct Pair { int a; double b; int c[4]; };
extern "C" __global__ void aggregate(Pair p, bool flag, int i, int* out) {
  p.a += threadIdx.x;
  p.c[i] += threadIdx.x;
  out[threadIdx.x] = p.a + (int)p.b + p.c[(i + threadIdx.x) & 3] + flag;
}
__device__ __noinline__ int who() { return threadIdx.x + blockIdx.x * 100; }
struct Base { __device__ virtual int f() { return 1; } };
struct Derived : Base { __device__ int f() override { return who(); } };
extern "C" __global__ void pointers(int* p) {
  Derived d;
  Base* b = p[0] == 7 ? &d : nullptr;
  p[threadIdx.x] = b->f() + who();
}
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
extern "C" __global__ void recursive(int* p) { p[threadIdx.x] = factorial(threadIdx.x % 8); }
extern "C" __global__ void count(unsigned* p) { atomicAdd(p, 1u); atomicMax(p + 1, threadIdx.x); }
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int total;
extern "C" __global__ void __launch_bounds__(128) variables() { atomicAdd(&total, table[threadIdx.x & 3]); }
extern "C" __global__ void wide(unsigned long long* p) {
  unsigned __int128 v = (unsigned __int128)p[0] * p[1];
  p[2] = (unsigned long long)(v >> 64);
  p[3] = (unsigned long long)(v / 1000000007u);
}
struct Empty {};
struct alignas(8) Wide {};
struct Letter { char c; };
struct Twice : Empty { __device__ int operator()(int x) const { return 2 * x; } };
template <class F> __global__ void apply(F f, char a, Empty, int* p, Letter l, F g, Wide, int b) {
  p[threadIdx.x] = f(p[threadIdx.x]) + g(a) + l.c + b;
}
template <class T> __global__ void scale(T* p, T by) { p[threadIdx.x] *= by; }
namespace ns {
__device__ int counter = 3;
__global__ void over(int* p) { *p = counter; }
__global__ void over(float* p) { *p = 1; }
}
`;
  const expressions = [
    'apply<Twice>',
    'scale<float>',
    'scale<int>',
    '&ns::counter',
    '(void (*)(float*))ns::over',
    'ns::counter',
  ];
  let device: TestDevice;
  beforeAll(() => {
    device = new TestDevice(programOf(source, { expressions }));
  }, LIMIT);

  test('add vectors', () => {
    const a = device.f32(range(1000));
    const c = device.f32(range(1000).map(() => -1));
    device.launch('add', [4], [256], [a.address, a.address, c.address, 999]);
    expect([...c.view]).toEqual([...range(999).map((i) => 2 * i), -1]);
  });

  test('go through memory in strides of the grid', () => {
    const p = device.i32(range(1000));
    device.launch('stride', [2], [64], [p.address, 1000]);
    expect([...p.view]).toEqual(range(1000).map((i) => 2 * i));
  });

  test('know where they are', () => {
    const p = device.i32(range(360));
    device.launch('places', [3, 2, 2], [5, 3, 2], [p.address]);
    expect([...p.view]).toEqual(range(360).map((i) => Math.floor(i / 30) * 1000 + (i % 30)));
  });

  test('meet at barriers', () => {
    const p = device.i32(range(COUNT));
    device.launch('reverse', [1], [COUNT], [p.address]);
    expect([...p.view]).toEqual(range(COUNT).reverse());
    const ones = device.f32(range(1000).map(() => 1));
    const out = device.f32(range(4));
    device.launch('sum', [4], [256], [ones.address, out.address, 1000]);
    expect([...out.view]).toEqual([256, 256, 256, 232]);
  });

  test('meet though some have left', () => {
    const p = device.i32(range(COUNT).map(() => -1));
    device.launch('leave', [1], [COUNT], [p.address, 10]);
    expect([...p.view.subarray(0, 11)]).toEqual([...range(10).reverse(), -1]);
  });

  test('meet in switches, loops and around jumps', () => {
    for (const m of [0, 1, 2, 5]) {
      const p = device.i32(range(COUNT));
      device.launch('ways', [1], [COUNT], [p.address, m]);
      expect([...p.view]).toEqual(range(COUNT).map((t) => (t + (m > 1 ? m : 0)) % COUNT));
    }
  });

  test('exchange values in warps', () => {
    const p = device.i32(range(COUNT));
    device.launch('warps', [1], [COUNT], [p.address]);
    expect(p.view[0]).toBe((COUNT * (COUNT - 1)) / 2);
  });

  test('that wait for each other for ever are stopped', () => {
    const p = device.i32([1]);
    const run = (): void => device.launch('stuck', [1], [32], [p.address]);
    expect(run).toThrow(Fault);
    const { kernels, sites } = device.program;
    expect(sites).toHaveLength(kernels.reduce((sum, { barriers }) => sum + barriers, 0));
    try {
      run();
    } catch (error) {
      const { kind, address, detail, site } = error as Fault;
      const states = new Uint32Array(device.memory.buffer, Number(address), 32);
      const waiting = states.filter((state) => state % 2 === 1).length;
      expect({ kind, waiting, thread: Number(detail & 1023n) }).toEqual({ kind: 4, waiting: 31, thread: 1 });
      expect(sites[site & 0xffff]).toMatchObject({ kind: 'barrier', function: 'stuck', file: 'kernel.cu' });
    }
  });

  test('own their aggregates', () => {
    const out = device.i32(range(8));
    const bytes = new Uint8Array(32);
    const view = new DataView(bytes.buffer);
    view.setInt32(0, 10, true);
    view.setFloat64(8, 5, true);
    range(4).forEach((i) => view.setInt32(16 + i * 4, 100 * i, true));
    device.launch('aggregate', [1], [8], [bytes, 1, 1, out.address]);
    expect([...out.view]).toEqual(range(8).map((t) => 10 + t + 5 + 100 * ((1 + t) & 3) + ((t & 3) === 0 ? t : 0) + 1));
  });

  test('call by pointer and recursively, and the callee knows the thread', () => {
    const p = device.i32([7, 0, 0, 0, 0, 0, 0, 0, 0]);
    device.launch('recursive', [1], [8], [p.address]);
    expect([...p.view.subarray(0, 8)]).toEqual([1, 1, 2, 6, 24, 120, 720, 5040]);
  });

  test('have atomics and variables', () => {
    const p = device.u32([0, 0]);
    device.launch('count', [4], [100], [p.address]);
    expect([...p.view]).toEqual([400, 99]);
    device.launch('variables', [1], [8], []);
    expect(new Int32Array(device.memory.buffer, device.addressOf('total'), 1)[0]).toBe(20);
    expect(device.program.variables).toContainEqual({ symbol: 'table', byteLength: 16, constant: true });
    expect(device.program.variables).toContainEqual({ symbol: 'total', byteLength: 4, constant: false });
  });

  test('calculate with 128 bits', () => {
    const address = device.allocate(32);
    const p = new BigUint64Array(device.memory.buffer, address, 4);
    p.set([0xfedcba9876543210n, 0x123456789abcdef1n]);
    const product = 0xfedcba9876543210n * 0x123456789abcdef1n;
    device.launch('wide', [1], [1], [address]);
    expect([p[2], p[3]]).toEqual([product >> 64n, BigInt.asUintN(64, product / 1000000007n)]);
  });

  test('are found by name expressions', () => {
    expect(device.program.lowered).toEqual({
      'apply<Twice>': '_Z5applyI5TwiceEvT_c5EmptyPi6LetterS1_4Widei',
      'scale<float>': '_Z5scaleIfEvPT_S0_',
      'scale<int>': '_Z5scaleIiEvPT_S0_',
      '&ns::counter': '_ZN2ns7counterE',
      'ns::counter': '_ZN2ns7counterE',
      '(void (*)(float*))ns::over': '_ZN2ns4overEPf',
    });
    const p = device.f32([1, 2, 3]);
    device.launch('_Z5scaleIfEvPT_S0_', [1], [3], [p.address, 1.5]);
    expect([...p.view]).toEqual([1.5, 3, 4.5]);
  });

  test('have room for parameters without members', () => {
    const symbol = '_Z5applyI5TwiceEvT_c5EmptyPi6LetterS1_4Widei';
    const kernel = device.program.kernels.find((one) => one.symbol === symbol);
    expect(kernel?.parameters.map(({ offset, size }) => [offset, size])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [8, 8],
      [16, 1],
      [17, 1],
      [24, 8],
      [32, 4],
    ]);
    const p = device.i32([1, 2, 3]);
    const empty = new Uint8Array(1);
    device.launch(symbol, [1], [3], [empty, 5, empty, p.address, 7, empty, new Uint8Array(8), 1000]);
    expect([...p.view]).toEqual([1019, 1021, 1023]);
  });

  test('tell their limits', () => {
    const kernel = (name: string): unknown => device.program.kernels.find(({ symbol }) => symbol === name);
    expect(kernel('variables')).toMatchObject({ maxThreads: 128, parameters: [] });
    expect(kernel('reverse')).toMatchObject({ maxThreads: 1024, sharedBytes: COUNT * 4, barriers: 1 });
    expect(kernel('aggregate')).toMatchObject({
      parameters: [
        { offset: 0, size: 32, ptx: 'b8[32]' },
        { offset: 32, size: 1, ptx: 'u8' },
        { offset: 36, size: 4, ptx: 'u32' },
        { offset: 40, size: 8, ptx: 'u64' },
      ],
      argumentBytes: 48,
    });
  });
});

test(
  'headers and macros of the user',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'rawkernel-cpu-'));
    try {
      writeFileSync(join(folder, 'inner.h'), '#define FACTOR 3\n');
      writeFileSync(
        join(folder, 'outer.h'),
        '#include "inner.h"\n__device__ int times(int x) { return x * FACTOR * WEIGHT; }\n',
      );
      const source = '#include <outer.h>\nextern "C" __global__ void k(int* p) { p[0] = times(p[0]); }';
      const device = new TestDevice(programOf(source, { includes: [folder], options: ['-DWEIGHT=2', '--std=c++20'] }));
      const p = device.i32([7]);
      device.launch('k', [1], [1], [p.address]);
      expect(p.view[0]).toBe(42);
      expect(compileText('#include "nowhere.h"').log).toMatch(/'nowhere\.h' file not found/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  LIMIT,
);

test(
  'functions are for the device where an option says so, as long as the source lasts',
  () => {
    const source = 'int twice(int x) { return 2 * x; }\nextern "C" __global__ void k(int* p) { p[0] = twice(p[0]); }';
    const device = new TestDevice(
      programOf(source, { options: ['--device-as-default-execution-space'], expressions: ['k'] }),
    );
    const p = device.i32([21]);
    device.launch('k', [1], [1], [p.address]);
    expect(p.view[0]).toBe(42);
  },
  LIMIT,
);

test(
  "macros of the user do not reach the device's own headers",
  () => {
    const source = '#include <cmath>\nextern "C" __global__ void k(T* p) { p[N] = M + max(N, 2); assert(false); }';
    const device = new TestDevice(programOf(source, { options: ['-DT=int', '-DN=1', '-DM=5', '-DNDEBUG'] }));
    const p = device.i32([0, 0]);
    device.launch('k', [1], [1], [p.address]);
    expect([...p.view]).toEqual([0, 7]);
  },
  LIMIT,
);
