import { afterEach, expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { fromDevice, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { CompileError } from '../../../src/cuda/errors.ts';
import { DynamicModule } from '../../../src/cuda/module/dynamic-module.ts';
import type { Module } from '../../../src/cuda/module/module.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { useTables } from '../../../src/cuda/select.ts';
import { Limit } from '../../../src/cuda/sys/enums.ts';
import { cpuTables } from '../../helpers/cpu-tables.ts';
import { needs } from '../../helpers/require.ts';

const COUNTS = `
__global__ void count(int *counts) { atomicAdd(counts, 1); }
__global__ void many(int *counts, int n) {
  for (int i = 0; i < n; i++) count<<<1, 1>>>(counts);
  counts[1] = cudaGetLastError();
}
__global__ void down(int *counts, int depth) {
  counts[0] = depth;
  down<<<1, 1>>>(counts, depth + 1);
  counts[1] = cudaGetLastError();
}
__global__ void wide(int *counts, int children, int blocks) {
  for (int i = threadIdx.x; i < children; i += blockDim.x) count<<<blocks, 1>>>(counts);
}
__global__ void note(const int *counts, int *notes, int i) { notes[i] = counts[0]; }`;
const COOPERATIVE = `#include <cooperative_groups.h>
__global__ void add(int *sum, int value) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, value);
  __syncthreads();
  if (threadIdx.x == 0) *sum += total;
}
__global__ void parent(int *sums) {
  if (threadIdx.x == 0) sums[blockIdx.x] = blockIdx.x + 1;
  cooperative_groups::this_grid().sync();
  int all = 0;
  for (int i = 0; i < gridDim.x; i++) all += sums[i];
  if (threadIdx.x == 0) add<<<1, 32>>>(sums + gridDim.x + blockIdx.x, all + blockIdx.x);
}`;
const WRONG = `__global__ void child(int *p, int n) {
  __shared__ int kept[64];
  kept[threadIdx.x] = threadIdx.x;
  p[threadIdx.x + n] = kept[threadIdx.x ^ 1];
}
__global__ void sibling(int *p) { p[0] = 7; }
__global__ void parent(int *p, int n) {
  child<<<1, 64>>>(p, n);
  sibling<<<1, 1>>>(p);
}`;

const linked = (source: string): Module => new DynamicModule().addSource(source).link();

needs.clang().describe('kernels that launch kernels on the embedded device', () => {
  let context: Context;
  const open = (workers: number, check?: 'report' | true): void => {
    useTables(cpuTables({ workers }));
    context = new Context(new Device(0), { own: true, ...(check === undefined ? {} : { check }) });
  };
  afterEach(() => {
    context.close();
  });

  const run = (module: Module, kernel: string, ...numbers: readonly number[]): number[] => {
    using counts = toDevice(new Int32Array(2));
    module.getFunction(kernel)(counts, ...numbers, { block: 1 });
    context.synchronize();
    return [...fromDevice(counts, 'i32')];
  };

  test('the depth of launches has a limit, which is an error of the deepest kernel', () => {
    open(2);
    using module = linked(COUNTS);
    // The host's own launch is at depth 0. The deepest kernel writes its error last.
    expect(run(module, 'down', 0)).toEqual([2048, 69]);
    expect(run(module, 'down', 20)).toEqual([2068, 69]);
  });

  test('launches that wait have a limit, which the host can set', () => {
    open(2);
    using module = linked(COUNTS);
    expect(context.getLimit(Limit.DEV_RUNTIME_PENDING_LAUNCH_COUNT)).toBe(2048);
    expect(run(module, 'many', 2048)).toEqual([2048, 0]);
    expect(run(module, 'many', 17_000)).toEqual([16_384, 69]);
    context.setLimit(Limit.DEV_RUNTIME_PENDING_LAUNCH_COUNT, 3000);
    expect(run(module, 'many', 17_000)).toEqual([17_000, 0]);
    expect(() => context.setLimit(Limit.DEV_RUNTIME_PENDING_LAUNCH_COUNT, 0)).toThrow(/CUDA_ERROR_INVALID_VALUE/);
  });

  test('the memory of launches is free again after them', () => {
    open(1);
    using module = linked(COUNTS);
    for (let i = 0; i < 40; i++) expect(run(module, 'many', 2000)).toEqual([2000, 0]);
    // More than the heap holds: those without room are not launched.
    context.setLimit(Limit.DEV_RUNTIME_PENDING_LAUNCH_COUNT, 200_000);
    const [count = 0, error] = run(module, 'many', 100_000);
    expect(count).toBeGreaterThan(20_000);
    expect(count).toBeLessThan(100_000);
    expect(error).toBe(701);
    expect(run(module, 'many', 2000)).toEqual([2000, 0]);
  });

  test.each([1, 2, 5])('every block of every child runs once, with %d workers', (workers) => {
    open(workers);
    using module = linked(COUNTS);
    using counts = toDevice(new Int32Array(2));
    let wanted = 0;
    for (const [children, blocks] of [
      [200, 1],
      [100, 37],
      [40, 500],
      [500, 3],
    ] as const) {
      for (let round = 0; round < 4; round++) {
        module.getFunction('wide')(counts, children, blocks, { block: 64, grid: 2 });
        wanted += 2 * children * blocks;
      }
    }
    context.synchronize();
    expect(fromDevice(counts, 'i32')[0]).toBe(wanted);
  });

  test.each([1, 2, 5])('streams side by side wait for their own children, with %d workers', (workers) => {
    const rounds = 12;
    open(workers);
    using module = linked(COUNTS);
    const lines = [3, 50, 7].map((children) => ({
      children,
      stream: new Stream({ nonBlocking: true }),
      counts: toDevice(new Int32Array(2)),
      notes: toDevice(new Int32Array(rounds)),
    }));
    context.synchronize();
    for (let round = 0; round < rounds; round++) {
      for (const { children, stream, counts, notes } of lines) {
        module.getFunction('wide')(counts, children, 1 + round, { block: 4, grid: 3, stream });
        module.getFunction('note')(counts, notes, round, { block: 1, stream });
      }
    }
    context.synchronize();
    for (const { children, notes, counts, stream } of lines) {
      // After each launch: all blocks of its children and of those before.
      const wanted = Array.from({ length: rounds }, (_, i) => (3 * children * (i + 1) * (i + 2)) / 2);
      expect([...fromDevice(notes, 'i32')]).toEqual(wanted);
      for (const one of [notes, counts, stream]) one.close();
    }
  });

  test.each([undefined, 'report'] as const)('blocks that wait for their grid launch, checks: %s', (check) => {
    open(3, check);
    using module = linked(COOPERATIVE);
    using sums = toDevice(new Int32Array(12));
    for (let round = 1; round <= 2; round++) {
      module.getFunction('parent')(sums, { block: 8, grid: 6, cooperative: true });
      context.synchronize();
      // Each block finds what all have written before the barrier; its child runs after all of them.
      expect([...fromDevice(sums, 'i32')]).toEqual([
        ...Array.from({ length: 6 }, (_, i) => i + 1),
        ...Array.from({ length: 6 }, (_, i) => round * 32 * (21 + i)),
      ]);
    }
    expect(context.reports.map(String)).toEqual([]);
  });

  test('a fault of a child ends the launch with its siblings, and the report names the child', () => {
    open(2, true);
    using module = linked(WRONG.replace('  p[', '  __syncthreads();\n  p['));
    using memory = toDevice(new Int32Array(64));
    module.getFunction('parent')(memory, 40, { block: 1 });
    expect(() => context.synchronize()).toThrow(
      /out-of-bounds write of p by thread \(24, 0, 0\)[^]*of child[^]*source 0\.cu:5/,
    );
  });

  test('the checked mode finds a missing barrier in a child, and goes on with its siblings', () => {
    open(2, 'report');
    using module = linked(WRONG);
    using memory = toDevice(new Int32Array(64));
    module.getFunction('parent')(memory, 0, { block: 1 });
    context.synchronize();
    const told = context.reports.map(({ kind, kernel }) => [kind, kernel]);
    expect(told.length).toBeGreaterThan(0);
    for (const one of told) expect(one).toEqual(['shared-race', 'child']);
    expect(fromDevice(memory, 'i32')[0]).toBe(7);
  });

  test('what CUDA 12 has removed, and code that is not relocatable, say what to do', () => {
    open(1);
    const refusal = (compile: () => unknown): string => {
      try {
        compile();
      } catch (error) {
        expect(error).toBeInstanceOf(CompileError);
        return (error as Error).message;
      }
      return 'it compiles';
    };
    const waits = '__global__ void c() {}\n__global__ void p() { c<<<1, 1>>>(); cudaDeviceSynchronize(); }';
    expect(refusal(() => linked(waits))).toContain(
      'CUDA 12 has removed cudaDeviceSynchronize() from kernels: put what follows the children into a kernel that is ' +
        'launched into cudaStreamTailLaunch',
    );
    const message = refusal(() => new SourceModule('__global__ void c() {}\n__global__ void p() { c<<<1, 1>>>(); }'));
    expect(message).toContain('kernel.cu:2:24: a kernel launches a kernel');
    expect(message).toContain('launches from kernels need relocatable code');
  });
});
