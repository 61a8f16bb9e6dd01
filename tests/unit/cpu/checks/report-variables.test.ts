import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../../src/opencl/index.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import type { KernelReport } from '../../../../src/core/kernel-report.ts';
import type { CpuShape } from '../../../../src/cpu/abi/program.ts';
import { elementAt, pathAt, pathTo } from '../../../../src/cpu/abi/shape.ts';
import { plainName } from '../../../../src/cpu/compiler/checks/object-names.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { cpuTables } from '../../../helpers/cpu-tables.ts';
import { embeddedOpenCL } from '../../../helpers/opencl-devices.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';

withoutReports();

const COMPILE_MS = 60_000;
const FLOAT: CpuShape = { type: 'float', bytes: 4 };
const ROW: CpuShape = { type: 'float[3]', bytes: 12, element: FLOAT };
const PAIR: CpuShape = {
  type: 'Pair',
  bytes: 16,
  members: [
    { name: 'x', offset: 0, shape: FLOAT },
    { name: 'row', offset: 4, shape: ROW },
  ],
};
const PAIRS: CpuShape = { type: 'Pair[4]', bytes: 64, element: PAIR };

test.each([
  [FLOAT, 0, ''],
  [ROW, 8, '[2]'],
  [ROW, 12, '[3]'],
  [ROW, -4, '[-1]'],
  [PAIRS, 16, '[1].x'],
  [PAIRS, 28, '[1].row[2]'],
  [{ type: 'float[2][3]', bytes: 24, element: ROW }, 20, '[1][2]'],
  [undefined, 4, ''],
])('%j at %d is %s', (shape, offset, path) => {
  expect(pathAt(shape, offset)).toBe(path);
});

test('the pointee of a pointer has an index, too', () => {
  expect([0, 36, -16].map((offset) => elementAt(PAIR, offset))).toEqual(['[0].x', '[2].row[0]', '[-1].x']);
  expect(elementAt({ type: 'void', bytes: 0 }, 4)).toBe('');
});

test('an array in something is found by its type, if there is only one', () => {
  expect(pathTo(PAIRS, 'float[3]')).toBe('[…].row[#]');
  expect(pathTo(PAIRS, 'Pair[4]')).toBe('[#]');
  expect(pathTo(PAIRS, 'int[3]')).toBeUndefined();
});

test.each([
  ['_ZZ11rotate_leftPfE5cache', 'cache'],
  ['rotate.cache', 'cache'],
  ['"odd.name"', 'name'],
  ['table', 'table'],
])('%s is called %s in the source', (symbol, name) => {
  expect(plainName(symbol)).toBe(name);
});

const SOURCE = `
struct P { float x, y; int id[4]; };
__device__ float table[8];
__device__ __noinline__ void put(float *p, int i) { p[i] = 1.0f + threadIdx.x; }
__global__ void members(P *ps) { ps[threadIdx.x + 3].id[2] = 1; }
__global__ void dynamic(int n) { extern __shared__ float dyn[]; dyn[n] = 3; }
__global__ void behind(float *a, int n) { put(a, n); }
__global__ void before(float *a) { a[-1 - (int)threadIdx.x] = 1; }
__global__ void row(float *c, int n) { __shared__ int tile[4][5]; tile[threadIdx.x][n] = 1; c[0] = tile[0][0]; }
__global__ void own(float *c, int n) { int list[3] = { 1, 2, 3 }; c[0] = list[n]; }
__global__ void variable(int n) { float *p = n > 0 ? table : nullptr; p[n] = 1; }
__global__ void rotateInLine(float *x) { __shared__ float cache[64]; int t = threadIdx.x; cache[t] = x[t]; x[t] = cache[(t + 1) % 64]; }
__global__ void inPlace(float *x) { int t = threadIdx.x; x[t] = x[(t + 1) % 64]; }
__global__ void rotate(float *x) {
  __shared__ float cache[64];
  cache[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = cache[(threadIdx.x + 1) % 64];
}
__global__ void shared_by_two(float *x) {
  __shared__ float cache[2];
  put(cache, 0);
  x[0] = cache[0];
}
__global__ void tail(float *x) {
  __shared__ float cache[64];
  int t = threadIdx.x;
  cache[t] = x[t];
  __syncthreads();
  if (t < 32) {
    volatile float *v = cache;
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
  }
  x[t] = cache[t];
}
__global__ void volatile_between_warps(float *x) {
  volatile __shared__ float cache[64];
  cache[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = cache[threadIdx.x ^ 32];
}`;

let context: cuda.Context;
let module: cuda.SourceModule;
beforeAll(() => {
  useTables(cpuTables({ workers: 2 }));
  context = new cuda.Context(new cuda.Device(0), { own: true, check: 'report' });
  module = new cuda.SourceModule(SOURCE);
}, COMPILE_MS);
afterAll(() => {
  module.close();
  context.close();
});

function reportsOf(kernel: string, args: readonly cuda.KernelArgument[], block = 1, shared = 0): KernelReport[] {
  const known = context.reports.length;
  module.getFunction(kernel)(...args, { block, shared });
  context.synchronize();
  for (const arg of args) if (arg instanceof cuda.DeviceAllocation) arg.close();
  return context.reports.slice(known);
}

const floats = (count: number): cuda.DeviceAllocation => cuda.toDevice(new Float32Array(count));

test.each<[string, () => cuda.KernelArgument[], string[], RegExp | undefined]>([
  ['members', () => [floats(12)], ['ps[3].id[2]'], /^ps has 2 elements, allocated at \S+:\d+$/],
  ['dynamic', () => [8], ['dyn[8]'], undefined],
  ['behind', () => [floats(8), 9], ['a[9]'], /^a has 8 elements/],
  ['before', () => [floats(8)], ['a[-1]'], /^a has 8 elements/],
  ['row', () => [floats(1), 5], ['tile[…][5]'], undefined],
  ['own', () => [floats(1), 3], ['list[3]'], undefined],
])('%s: the variable is named', (kernel, make, variables, fact) => {
  const [report, ...others] = reportsOf(kernel, make(), 1, 32);
  expect([report, ...others].map((one) => one?.variable)).toEqual(variables);
  expect(report?.summary).toContain(variables[0] ?? '');
  expect(report?.launchedAt).toMatch(/report-variables\.test\.ts:\d+$/);
  if (fact) expect(report?.notes[0]).toMatch(fact);
});

test('a barrier goes between statements, also of one line, and not into one', () => {
  const [between] = reportsOf('rotateInLine', [floats(64)], 64);
  expect(between?.cure).toBe('__syncthreads() between the two');
  const [within] = reportsOf('inPlace', [floats(64)], 64);
  expect(within?.cure).toBe('read into a variable, then __syncthreads(), then write');
});

test('a race names the element and what orders the threads', () => {
  const reports = reportsOf('rotate', [floats(64)], 64);
  expect(reports.map(({ kind }) => kind)).toEqual(['shared-race', 'shared-race']);
  for (const report of reports) {
    expect(report.variable).toMatch(/^cache\[\d+\]$/);
    expect(report.cure).toBe('__syncthreads() between the two');
    expect(String(report).split('\n').length).toBeLessThanOrEqual(20);
  }
});

test('code that counts on the lockstep of a warp is told so, and to take __syncwarp()', () => {
  const reports = reportsOf('tail', [floats(64)], 64).filter(({ kind }) => kind === 'shared-race');
  expect(reports.length).toBeGreaterThan(0);
  const told = reports.filter(({ notes }) =>
    notes.some((note) => /one warp, and the code counts on lockstep/.test(note)),
  );
  const read = SOURCE.split('\n').findIndex((line) => line.includes('v[t + 16]')) + 1;
  expect(told.flatMap(({ place, others }) => [place, ...others.map((other) => other.place)])).toEqual(
    expect.arrayContaining([expect.objectContaining({ line: read }), expect.objectContaining({ line: read - 1 })]),
  );
  for (const { cure } of told) expect(cure).toContain('__syncwarp()');
  // Threads of two warps have never run in lockstep.
  const [between] = reportsOf('volatile_between_warps', [floats(64)], 64);
  expect(between?.kind).toBe('shared-race');
  expect(between?.cure).toBe('__syncthreads() between the two');
  expect(between?.notes.join()).not.toContain('lockstep');
});

test('a variable keeps its name when a function gets its address', () => {
  const [report] = reportsOf('shared_by_two', [floats(1)], 2).filter(({ kind }) => kind === 'shared-race');
  expect(report?.variable).toBe('cache[0]');
});

test(
  'in OpenCL local memory goes by the name of the parameter',
  () => {
    const ctx = new cl.Context(embeddedOpenCL as cl.Device, { check: 'report' });
    const queue = new cl.CommandQueue(ctx);
    const program = new cl.Program(
      ctx,
      `__kernel void rotate(__global float *x, __local float *spare, __local float *cache) {
       int t = get_local_id(0);
       cache[t] = x[t];
       spare[t] = 0;
       x[t] = cache[(t + 1) % 64];
     }
     __kernel void past(__global float *sums, __constant float *a, int n) { sums[n] = a[0]; }`,
    ).build();
    const x = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR, new Float32Array(64));
    program.kernels.rotate(queue, [64], [64], x, new cl.LocalMemory(256), new cl.LocalMemory(256));
    program.kernels.past(queue, [1], null, x, x, 64);
    queue.finish();
    const [race] = ctx.reports;
    const past = ctx.reports.find(({ kind }) => kind === 'out-of-bounds');
    expect(race?.variable).toMatch(/^cache\[\d+\]$/);
    expect(race?.cure).toBe('barrier(CLK_LOCAL_MEM_FENCE) between the two');
    expect(past).toMatchObject({ variable: 'sums[64]', cure: 'if (i < 64) before it, for an index i' });
    expect(past?.notes[0]).toMatch(/^sums has 64 elements, allocated at \S+report-variables\.test\.ts:\d+$/);
    for (const object of [x, program, queue, ctx]) object.close();
  },
  COMPILE_MS,
);
