import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as cl from '../../../../src/opencl/index.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { programOf } from '../../../helpers/cpu-program.ts';
import { cpuTables } from '../../../helpers/cpu-tables.ts';
import { embeddedOpenCL } from '../../../helpers/opencl-devices.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';

withoutReports();

const COMPILE_MS = 120_000;
const COUNT = 256;
const BYTES = 4 * COUNT;
/** A block reads what the next one writes, if both arrays are the same. */
const NEXT = 'int i = blockIdx.x * blockDim.x + threadIdx.x, next = (i + 64) % 256;';
const SOURCE = `
#include <cooperative_groups.h>
struct Job { const int *x; int *y; };
__device__ int variable[256];
__device__ __noinline__ void put(int *y, int at, int depth, int value) {
  if (depth > 3) put(y, at, depth - 1, value + 1); else y[at] = value;
}
extern "C" {
__global__ void plain(const int *x, int *y) { ${NEXT} y[i] = x[next]; }
__global__ void loop(const int *x, int *y) { ${NEXT} int sum = 0; for (int k = 0; k < 3; k++) sum += x[(next + k * 64) % 256]; y[i] = sum; }
__global__ void restricted(const int *__restrict__ x, int *__restrict__ y) { ${NEXT} y[i] = x[next]; }
__global__ void chosen(const int *x, int *y, int *z, int which) { ${NEXT} int *t = which ? y : z; t[i] = x[next]; }
__global__ void optional(const int *x, int *y, int *z) { ${NEXT} if (z) z[i] = x[next]; y[i] = x[next]; }
__global__ void loaded(const int *x, int **y) { ${NEXT} (*y)[i] = x[next]; }
__global__ void inStruct(const Job *job) { ${NEXT} job->y[i] = job->x[next]; }
__global__ void byValue(const int *x, Job job) { ${NEXT} job.y[i] = x[next]; }
__global__ void called(const int *x, int *y, int depth) { ${NEXT} put(y, i, depth, x[next]); }
__global__ void atomic(const int *x, int *y) { ${NEXT} atomicAdd(&y[i], x[next]); }
__global__ void ofModule(const int *x) { ${NEXT} variable[i] = x[next]; }
__global__ void filled(const int *x, int *y) { ${NEXT} if (threadIdx.x == 0) memset(y + i, 0, 256); variable[i] = x[next]; }
__global__ void bytes(const unsigned char *x, unsigned char *y) { ${NEXT} y[i] = x[next]; }
__global__ void halves(const short *x, short *y) { ${NEXT} y[i] = x[next]; }
__global__ void neighbours(const unsigned char *x, unsigned char *y) { int t = threadIdx.x; y[t] = x[t & ~1]; }
__global__ void update(const int *x, int *y) { ${NEXT} for (int k = 0; k < 4; k++) y[i] += x[(next + k) % 256]; }
__global__ void updateNext(const int *x, int *y) { ${NEXT} for (int k = 0; k < 2; k++) y[k ? next : i] += x[i]; }
__global__ void periodic(const int *x, int *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x, left = i > 0 ? i - 1 : n - 1; y[i] = x[left] + x[i]; }
__global__ void inner(const int *x, int *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < 255) y[i] = x[i - 1] + x[i + 1]; }
__global__ void shared(const int *x, int *y) { __shared__ int s[64]; int t = threadIdx.x; s[t] = x[t]; __syncthreads(); int v = s[t ^ 32]; __syncthreads(); s[t] = v; y[t] = v; }
__global__ void sharedTooEarly(const int *x, int *y) { __shared__ int s[64]; int t = threadIdx.x; s[t] = x[t]; __syncthreads(); int v = s[63 - t]; s[t] = v + 1; y[t] = v; }
__global__ void sharedThrough(const int *x, int *y, int which) { __shared__ int s[64]; int t = threadIdx.x; s[t] = x[t]; __syncthreads(); int *to = which ? s : y; to[t] = s[63 - t]; }
}`;

interface Given {
  readonly kernel: string;
  readonly args: readonly ('x' | 'y' | 'x+32' | 'null' | 'variable' | '*x' | '*y' | 'job' | number)[];
  readonly kinds: readonly string[];
  readonly block?: number;
}

const FOUND: readonly Given[] = [
  ...['plain', 'loop', 'restricted', 'atomic', 'bytes', 'halves'].map((kernel) => {
    return { kernel, args: ['x', 'x'], kinds: ['global-race'] } as const;
  }),
  { kernel: 'plain', args: ['x', 'x+32'], kinds: ['global-race'], block: 32 },
  { kernel: 'chosen', args: ['x', 'y', 'x', 0], kinds: ['global-race'] },
  { kernel: 'optional', args: ['x', 'y', 'x'], kinds: ['global-race'] },
  { kernel: 'loaded', args: ['x', '*x'], kinds: ['global-race'] },
  { kernel: 'inStruct', args: ['job'], kinds: ['global-race'] },
  { kernel: 'called', args: ['x', 'x', 5], kinds: ['global-race'] },
  { kernel: 'ofModule', args: ['variable'], kinds: ['global-race'] },
  { kernel: 'filled', args: ['x', 'x'], kinds: ['global-race'] },
  { kernel: 'neighbours', args: ['x', 'x'], kinds: ['global-race'] },
  { kernel: 'update', args: ['x', 'null'], kinds: ['null-dereference'] },
  { kernel: 'updateNext', args: ['x', 'y'], kinds: ['global-race'] },
  { kernel: 'periodic', args: ['x', 'x', 256], kinds: ['global-race'] },
  { kernel: 'periodic', args: ['x', 'y', 4096], kinds: ['out-of-bounds'] },
  { kernel: 'sharedTooEarly', args: ['x', 'y'], kinds: ['shared-race'] },
  { kernel: 'sharedThrough', args: ['x', 'y', 1], kinds: ['shared-race'] },
];
const SILENT: readonly Given[] = [
  ...['plain', 'loop', 'restricted', 'bytes', 'halves', 'neighbours', 'update', 'atomic', 'inner', 'shared'].map(
    (kernel) => {
      return { kernel, args: ['x', 'y'], kinds: [] } as const;
    },
  ),
  { kernel: 'chosen', args: ['x', 'y', 'x', 1], kinds: [] },
  { kernel: 'optional', args: ['x', 'y', 'null'], kinds: [] },
  { kernel: 'loaded', args: ['x', '*y'], kinds: [] },
  { kernel: 'called', args: ['x', 'y', 5], kinds: [] },
  { kernel: 'ofModule', args: ['x'], kinds: [] },
  { kernel: 'periodic', args: ['x', 'y', 256], kinds: [] },
  { kernel: 'sharedThrough', args: ['x', 'y', 0], kinds: [] },
];

const { driver, nvrtc } = cpuTables({ workers: 2 });
let context: cuda.Context;
let module: cuda.SourceModule;
beforeAll(() => {
  useTables({ driver, nvrtc });
  context = new cuda.Context(new cuda.Device(0), { own: true, check: 'report' });
  module = new cuda.SourceModule(SOURCE);
}, COMPILE_MS);
afterAll(() => {
  module.close();
  context.close();
});

/** The kinds of the reports of what is run, each once. */
function kindsOf(run: () => void): string[] {
  const known = context.reports.length;
  run();
  context.synchronize();
  return [...new Set(context.reports.slice(known).map(({ kind }) => kind))];
}

const count = (): Int32Array<ArrayBuffer> => Int32Array.from({ length: COUNT }, (_, i) => i * 7919);

function run({ kernel, args, block = 64 }: Given): string[] {
  using x = cuda.toDevice(count());
  using y = cuda.toDevice(new Int32Array(COUNT));
  using toX = cuda.toDevice(new BigUint64Array([BigInt(x.ptr)]));
  using toY = cuda.toDevice(new BigUint64Array([BigInt(y.ptr)]));
  using job = cuda.toDevice(new BigUint64Array([BigInt(x.ptr), BigInt(x.ptr)]));
  const known = {
    x: BigInt(x.ptr),
    y: BigInt(y.ptr),
    job,
    '*x': toX,
    '*y': toY,
    'x+32': BigInt(x.ptr) + 128n,
    null: 0n,
    variable: module.getGlobal('variable'),
  };
  const passed = args.map((arg) => (typeof arg === 'number' ? arg : known[arg]));
  const small = kernel === 'neighbours' || kernel.startsWith('shared');
  const grid = small ? 1 : kernel === 'plain' && block === 32 ? 4 : COUNT / block;
  return kindsOf(() => module.getFunction(kernel)(...(passed as [number]), { block, grid }));
}

const titled = (all: readonly Given[]): [string, Given][] =>
  all.map((one) => [`${one.kernel}(${one.args.join(', ')})`, one]);

describe('what a launch only reads has no races, and any other memory has', () => {
  test.each(titled(FOUND))('%s is found', (_, one) => expect(run(one)).toEqual(one.kinds));
  test.each(titled(SILENT))('%s is right', (_, one) => expect(run(one)).toEqual([]));
});

test('managed memory that is given twice is written', () => {
  using x = cuda.managedZeros(COUNT, 'i32');
  expect(kindsOf(() => module.getFunction('plain')(x, x, { block: 64, grid: 4 }))).toEqual(['global-race']);
});

describe('bytes without a value are found in memory of which all others have one', () => {
  const readAll = (x: cuda.DeviceMemory): string[] => {
    using y = cuda.toDevice(new Int32Array(COUNT));
    return kindsOf(() => module.getFunction('plain')(x, y, { block: 64, grid: 4 }));
  };

  test('the last element', () => {
    using x = cuda.memAlloc(BYTES);
    cuda.memcpyHtoD(x, count().subarray(0, COUNT - 1));
    expect(readAll(x)).toEqual(['uninitialised-read']);
    cuda.memcpyHtoD(x, count());
    expect(readAll(x)).toEqual([]);
  });

  test('behind a copy of such bytes', () => {
    using x = cuda.toDevice(count());
    expect(readAll(x)).toEqual([]);
    using empty = cuda.memAlloc(BYTES);
    cuda.memcpyDtoD(x, empty, BYTES);
    expect(readAll(x)).toEqual(['uninitialised-read']);
  });

  test('in memory that is allocated where other memory was', () => {
    for (let round = 0; round < 3; round++) {
      using x = cuda.memAlloc(BYTES);
      if (round === 1) cuda.memcpyHtoD(x, count());
      expect(readAll(x)).toEqual(round === 1 ? [] : ['uninitialised-read']);
    }
  });

  test('what one launch has written, the next one reads', () => {
    using x = cuda.toDevice(count());
    using y = cuda.memAlloc(BYTES);
    const inner = module.getFunction('inner');
    expect(kindsOf(() => inner(x, y, { block: 64, grid: 4 }))).toEqual([]);
    expect(readAll(y)).toEqual(['uninitialised-read']);
    expect(kindsOf(() => module.getFunction('plain')(x, y, { block: 64, grid: 4 }))).toEqual([]);
    expect(readAll(y)).toEqual([]);
  });
});

test('launches of two streams keep what they only read apart', () => {
  using x = cuda.toDevice(count());
  using y = cuda.toDevice(count());
  using z = cuda.toDevice(count());
  using one = new cuda.Stream();
  using two = new cuda.Stream();
  const plain = module.getFunction('plain');
  const both = (): void => {
    for (let i = 0; i < 20; i++) {
      plain(x, y, { block: 64, grid: 4, stream: one });
      plain(x, z, { block: 64, grid: 4, stream: two });
    }
  };
  expect(kindsOf(both)).toEqual([]);
  const mixed = (): void => {
    plain(x, y, { block: 64, grid: 4, stream: one });
    plain(x, x, { block: 64, grid: 4, stream: two });
  };
  expect(kindsOf(mixed)).toEqual(['global-race']);
});

test(
  'a kernel tells by which of its pointers it writes, or that it may write any memory',
  () => {
    const { kernels } = programOf(SOURCE, { checked: 'all' });
    const written = Object.fromEntries(kernels.map(({ symbol, reach }) => [symbol, reach?.written]));
    expect(written).toMatchObject({ plain: [1], loop: [1], atomic: [1], ofModule: [], filled: [1], bytes: [1] });
    for (const kernel of ['chosen', 'loaded', 'inStruct', 'byValue', 'called']) expect(written[kernel]).toBeUndefined();
  },
  COMPILE_MS,
);

(embeddedOpenCL ? test : test.skip)('OpenCL: a part of a buffer is of the same memory as the whole', () => {
  using opencl = new cl.Context([embeddedOpenCL as cl.Device], { check: 'report' });
  using queue = new cl.CommandQueue(opencl);
  const body = '{ int i = get_global_id(0); y[i] = x[(i + 64) % 256]; }';
  using program = new cl.Program(opencl, `kernel void plain(global const int *x, global int *y) ${body}`).build();
  using plain = new cl.Kernel(program, 'plain');
  const flags = cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR;
  using x = new cl.Buffer(opencl, flags, new Int32Array(4 * COUNT));
  using part = x.subRegion(0, 2 * BYTES);
  using behind = x.subRegion(2 * BYTES, 2 * BYTES);
  using y = new cl.Buffer(opencl, flags, new Int32Array(COUNT));
  const kinds = (from: cl.Buffer, to: cl.Buffer): string[] => {
    const known = opencl.reports.length;
    plain(queue, [COUNT], [64], from, to);
    queue.finish();
    return [...new Set(opencl.reports.slice(known).map(({ kind }) => kind))];
  };
  expect(kinds(x, y)).toEqual([]);
  expect(kinds(part, y)).toEqual([]);
  expect(kinds(part, behind)).toEqual([]);
  expect(kinds(x, part)).toEqual(['global-race']);
  expect(kinds(part, x)).toEqual(['global-race']);
});
