import { beforeAll, describe, expect, test } from '@jest/globals';
import type { KernelReport } from '../../../../src/core/kernel-report.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { cpuTables } from '../../../helpers/cpu-tables.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';

withoutReports();

const COMPILE_MS = 120_000;
const { driver, nvrtc } = cpuTables({ workers: 2 });

beforeAll(() => useTables({ driver, nvrtc }));

/** Kernels for 64 threads, `x` of 256 numbers and `n` of 16 zeros, in which nothing is wrong. */
const RIGHT = `__global__ void steps(int *x, int *n)
{
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    int right = x[(t + 1) % 64];
    __syncthreads();
    x[t] = right + 1;
    __syncthreads();
  }
}
__global__ void warps(int *x, int *n)
{
  int t = threadIdx.x;
  x[t] = t;
  __syncwarp();
  int other = x[t ^ 1];
  __syncwarp();
  x[t] = other;
}
__global__ void flag(int *x, int *n) { if (x[threadIdx.x] >= 0) n[0] = 1; }
__global__ void bytes(int *x, int *n) { ((unsigned char *)x)[threadIdx.x] += 1; }
__global__ void vectors(int *x, int *n) { float4 *v = (float4 *)x; v[threadIdx.x].y += v[threadIdx.x].x; }
__global__ void fill(int *x, int *n) { memset((char *)x + 4 * threadIdx.x, 0, 8); }
__global__ void histogram(int *x, int *n) { atomicAdd(&n[x[threadIdx.x] & 15], 1); }
__global__ void last(int *x, int *n)
{
  x[threadIdx.x] = threadIdx.x;
  __threadfence();
  if (atomicAdd(n, 1) == 63)
    for (int i = 0; i < 64; i++) n[1] += x[i];
}
__global__ void last_shared(int *x, int *n)
{
  __shared__ int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  x[threadIdx.x] = threadIdx.x;
  __threadfence_block();
  if (atomicAdd(&done, 1) == 63)
    for (int i = 0; i < 64; i++) n[1] += x[i];
}
__global__ void lock(int *x, int *n)
{
  for (bool done = false; !done;)
    if (atomicCAS(n, 0, 1) == 0) {
      __threadfence();
      *x += 1;
      __threadfence();
      atomicExch(n, 0);
      done = true;
    }
}
__global__ void heap(int *x, int *n)
{
  int *mine = (int *)malloc(16);
  mine[0] = threadIdx.x;
  x[threadIdx.x] = mine[0];
  free(mine);
}
__global__ void guarded(int *x, int *n)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  if (t >= 50) return;
  cache[t] = x[t];
  __syncthreads();
  x[t] = cache[49 - t];
}
__global__ void within(int *x, int *n)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  if (t < 50) {
    int mine[4] = { t, x[t], x[t + 64], 1 };
    cache[t] = mine[x[t] & 3];
    __syncthreads();
    x[t] = cache[49 - t];
  }
}
__global__ void leave(int *x, int *n)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  cache[t] = x[t];
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (t >= half) return;
    cache[t] += cache[t + half];
  }
  n[0] = cache[0];
}
`;

/** The reports of what runs in a context of its own. */
function found(
  check: NonNullable<cuda.ContextOptions['check']>,
  source: string,
  kernels: readonly string[],
): KernelReport[] {
  const context = new cuda.Context(new cuda.Device(0), { own: true, check });
  try {
    using module = new cuda.SourceModule(source, { cache: false });
    for (const name of kernels) {
      using x = cuda.toDevice(Int32Array.from({ length: 256 }, (_, i) => i));
      using n = cuda.toDevice(new Int32Array(16));
      module.getFunction(name)(x, n, { block: 64 });
      context.synchronize();
    }
    return [...context.reports];
  } finally {
    context.close();
  }
}

describe('inside one block, the checked mode', () => {
  const names = [...RIGHT.matchAll(/__global__ void (\w+)/g)].map(([, name = '']) => name);

  test(
    'finds nothing where barriers, fences and atomics order the threads',
    () => expect(found('report', RIGHT, names).map(String)).toEqual([]),
    COMPILE_MS,
  );

  const COUNT = '__global__ void count(int *x, int *n) { n[0] += 1; }';

  test(
    'says which threads race',
    () => {
      const [report, ...more] = found('report', COUNT, ['count']);
      expect(more).toEqual([]);
      expect(report).toMatchObject({ kind: 'global-race', thread: [1, 0, 0], block: [0, 0, 0], count: 63 });
      expect(report?.summary).toMatch(
        /^race on global memory: read of n\[0\] by thread \(1, 0, 0\) of block \(0, 0, 0\) of count, with no barrier between$/,
      );
      expect(report?.others.map(({ what }) => what)).toEqual(['thread (0, 0, 0) writes the same']);
    },
    COMPILE_MS,
  );

  test(
    'leaves races out where that is asked for',
    () => expect(found('no-races-in-blocks,report', COUNT, ['count'])).toEqual([]),
    COMPILE_MS,
  );

  const AROUND = `__global__ void around(int *x, int *n)
{
  if (threadIdx.x < 32) __syncthreads();
  x[threadIdx.x] = n[0];
}`;

  test.each(['report', 'bounds,report'] as const)(
    'tells the threads that never reached a barrier (%s)',
    (check) => {
      const [report, ...more] = found(check, AROUND, ['around']);
      expect(more).toEqual([]);
      expect(report).toMatchObject({ kind: 'divergent-barrier', place: { line: 3 } });
      expect(report?.summary).toBe(
        'divergent barrier: some threads of block (0, 0, 0) of around wait at a barrier that others never reached, and a GPU may wait for ever',
      );
      expect(report?.others.map(({ what }) => what)).toEqual([
        '32 threads, the first (0, 0, 0), wait',
        '32 threads, the first (32, 0, 0), returned',
      ]);
    },
    COMPILE_MS,
  );
});
