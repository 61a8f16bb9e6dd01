import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readCheckMode } from '../../../../src/core/check-mode.ts';
import type { KernelReport } from '../../../../src/core/kernel-report.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { cpuTables } from '../../../helpers/cpu-tables.ts';
import { fakeDriver } from '../../../helpers/fake-driver.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';

withoutReports();

const COMPILE_MS = 120_000;
const { driver, nvrtc } = cpuTables({ workers: 2 });

beforeAll(() => useTables({ driver, nvrtc }));

const SOURCE = `struct Pair { char tag; int value; };
struct Shape { __device__ virtual int area(int *sides, int i) { return sides[i]; } };
struct Square : Shape { __device__ int area(int *sides, int i) override { return sides[i] * sides[i]; } };

__device__ int depth(const int *list, int i, int left)
{
  return left == 0 ? list[i] : 1 + depth(list, i + 1, left - 1);
}
__global__ void recurse(const int *list, int *out, int steps) { out[0] = depth(list, threadIdx.x, steps); }
__global__ void shapes(int *sides, int *out)
{
  Square square;
  Shape *shape = out ? &square : new Shape;
  out[threadIdx.x] = shape->area(sides, threadIdx.x);
}
__global__ void add(int *x, int value) { x[threadIdx.x] += value; }
__global__ void copy(const Pair *from, Pair *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void make(Pair *to) { to[threadIdx.x].tag = 1; to[threadIdx.x].value = 2; }
__global__ void values(const Pair *from, int *out) { out[threadIdx.x] = from[threadIdx.x].value; }
__global__ void heap(int *out, int kind)
{
  int *mine = (int *)malloc(12);
  if (kind != 2) mine[0] = 1;
  if (kind == 0) mine[3] = 1;
  if (kind == 1) free(mine);
  out[0] = mine[0];
  if (kind != 1) free(mine);
}
__global__ void fails(int n) { if (threadIdx.x == 3) __trap(); }
__global__ void asserts(int n) { assert(threadIdx.x + n < 3); }
__global__ void flag(int *x) { x[0] = 1; }
__global__ void ordered(int *x, int *turn)
{
  if (blockIdx.x == 1) { while (atomicAdd(turn, 0) == 0) { } __threadfence(); }
  x[0] = x[0] + 1;
  __threadfence();
  if (blockIdx.x == 0) atomicAdd(turn, 1);
}
__global__ void fill(char *x, int n) { memset(x + 16 * threadIdx.x, 0, n); }
__global__ void poke(int *x, int i) { x[i] = 1; }
__global__ void bytes(unsigned char *x) { x[threadIdx.x + blockIdx.x * blockDim.x] = threadIdx.x; }
`;

/** Compiled once, for contexts that check. */
let compiled: cuda.Program | undefined;

/** The reports of what runs in a context of its own. */
function found(run: (module: cuda.Module) => void): readonly KernelReport[] {
  const context = new cuda.Context(new cuda.Device(0), { own: true, check: 'report' });
  try {
    compiled ??= cuda.Program.compile(SOURCE, { cache: false });
    using module = compiled.toModule();
    run(module);
    context.synchronize();
    return context.reports;
  } finally {
    context.close();
  }
}

const at = (reports: readonly KernelReport[]): unknown[] =>
  reports.map(({ kind, place, count }) => [kind, place?.function, place?.line, count]);

describe('a checked context', () => {
  test(
    'throws what it found, and is lost',
    () => {
      const context = new cuda.Context(new cuda.Device(0), { own: true, check: true });
      using module = new cuda.SourceModule(SOURCE, { cache: false });
      using x = cuda.toDevice(new Int32Array(8));
      module.getFunction('add')(x, 1, { block: 9 });
      const errors: unknown[] = [];
      for (let i = 0; i < 2; i++) {
        try {
          context.synchronize();
        } catch (error) {
          errors.push(error);
        }
      }
      const [first, second] = errors as cuda.CudaLaunchError[];
      expect(first).toBeInstanceOf(cuda.CudaLaunchError);
      expect(first?.code).toBe('CUDA_ERROR_ILLEGAL_ADDRESS');
      expect(first?.message).toMatch(/out-of-bounds read of x\[8\] by thread \(8, 0, 0\) of block/);
      expect(first?.message).toMatch(/at add \(kernel\.cu:16:\d+\)/);
      expect(first?.message).toMatch(/> 16 \| __global__ void add/);
      expect(first?.message).toMatch(/^x has 8 elements, allocated at \S+checked-mode\.test\.ts:\d+$/m);
      expect(first?.message).toMatch(/^launched at \S+checked-mode\.test\.ts:\d+$/m);
      expect(first?.message).toMatch(/^cure: if \(i < 8\)/m);
      expect(first?.reports[0]?.variable).toBe('x[8]');
      expect(first?.reports[0]?.address).toBe(BigInt(x.ptr) + 32n);
      expect(first?.message).not.toMatch(/suspects/);
      expect(first?.reports).toHaveLength(1);
      expect(first?.reports[0]).toMatchObject({ kind: 'out-of-bounds', kernel: 'add', thread: [8, 0, 0], count: 1 });
      expect(second?.cause).toBe(first);
      expect(context.reports).toEqual(first?.reports);
      context.close();
    },
    COMPILE_MS,
  );

  test(
    'finds an index of up to twice the size, or in bytes, though other memory follows',
    () => {
      const reports = found((module) => {
        const arrays = [64, 1 << 18, 64].map((length) => cuda.toDevice(new Int32Array(length)));
        const [small, large] = arrays as [cuda.DeviceAllocation, cuda.DeviceAllocation];
        const poke = module.getFunction('poke');
        // Each is a report of its own: those of one place that are found together have a count.
        const at = (array: cuda.DeviceAllocation, index: number): void => {
          poke(array, index, { block: 1 });
          cuda.Context.current?.synchronize();
        };
        for (const index of [64, 127, 4 * 63]) at(small, index);
        for (const index of [1 << 18, (1 << 19) - 1]) at(large, index);
        for (const array of arrays) array.close();
      });
      expect(reports.map(({ kind, variable }) => [kind, variable])).toEqual(
        [64, 127, 252, 262_144, 524_287].map((index) => ['out-of-bounds', `x[${index}]`]),
      );
    },
    COMPILE_MS,
  );

  test(
    'names functions that are not inlined, and who called them',
    () => {
      const reports = found((module) => {
        using list = cuda.toDevice(new Int32Array(4));
        using out = cuda.memAlloc(64);
        module.getFunction('recurse')(list, out, 5, { block: 1 });
        module.getFunction('shapes')(list, out, { block: 5 });
      });
      expect(at(reports)).toEqual([
        ['out-of-bounds', 'depth', 7, 1],
        ['out-of-bounds', 'area', 3, expect.any(Number)],
      ]);
      expect(reports.map(({ thread }) => thread)).toEqual([
        [0, 0, 0],
        [4, 0, 0],
      ]);
    },
    COMPILE_MS,
  );

  test(
    'lets a structure be copied whose padding nobody wrote, and finds a number that nobody wrote',
    () => {
      const reports = found((module) => {
        using a = cuda.memAlloc(64);
        using b = cuda.memAlloc(64);
        using out = cuda.memAlloc(64);
        module.getFunction('make')(a, { block: 4 });
        module.getFunction('copy')(a, b, { block: 8 });
        module.getFunction('values')(b, out, { block: 4 });
        cuda.memcpyDtoD(out, b, 64);
        module.getFunction('add')(out, 1, { block: 8 });
      });
      expect(reports).toEqual([]);
      const missing = found((module) => {
        using a = cuda.memAlloc(64);
        using out = cuda.memAlloc(64);
        cuda.memsetD8(a, 0, 32);
        module.getFunction('values')(a, out, { block: 8 });
      });
      expect(at(missing)).toEqual([['uninitialised-read', 'values', 19, 4]]);
    },
    COMPILE_MS,
  );

  test(
    "knows the kernels' own heap",
    () => {
      const reports = found((module) => {
        using out = cuda.memAlloc(64);
        for (const kind of [0, 1, 2]) module.getFunction('heap')(out, kind, { block: 1 });
      });
      expect(reports.map(({ kind, place }) => [kind, place?.line])).toEqual([
        ['out-of-bounds', 24],
        ['use-after-free', 26],
        ['uninitialised-read', 26],
      ]);
    },
    COMPILE_MS,
  );

  test(
    'takes the same value, an order by fences and different bytes of a word for what they are',
    () => {
      const reports = found((module) => {
        using x = cuda.toDevice(new Uint8Array(64));
        using turn = cuda.toDevice(new Int32Array(1));
        module.getFunction('flag')(x, { block: 32, grid: 8 });
        module.getFunction('ordered')(x, turn, { block: 1, grid: 2 });
        module.getFunction('bytes')(x, { block: 3, grid: 20 });
      });
      expect(reports).toEqual([]);
    },
    COMPILE_MS,
  );

  test(
    'looks at all bytes of a fill',
    () => {
      const reports = found((module) => {
        using x = cuda.memAlloc(64);
        module.getFunction('fill')(x, 16, { block: 4 });
        module.getFunction('fill')(x, 17, { block: 4 });
      });
      expect(at(reports)).toEqual([['out-of-bounds', 'fill', 39, 1]]);
    },
    COMPILE_MS,
  );

  test(
    'knows which thread ended a kernel, and without checks tells how to know',
    () => {
      const ending = (check: boolean, run: (module: cuda.SourceModule) => void): cuda.CudaLaunchError => {
        const context = new cuda.Context(new cuda.Device(0), { own: true, check });
        using module = new cuda.SourceModule(SOURCE, { cache: false });
        try {
          run(module);
          context.synchronize();
        } catch (error) {
          return error as cuda.CudaLaunchError;
        } finally {
          context.close();
        }
        throw new Error('nothing happened');
      };
      const trap = (module: cuda.SourceModule): void => module.getFunction('fails')(0, { block: 8, grid: 1 });
      expect(ending(true, trap).message).toMatch(/__trap\(\) by thread \(3, 0, 0\) of block \(0, 0, 0\) of fails/);
      expect(ending(true, trap).reports[0]?.place).toMatchObject({ line: 29 });
      expect(ending(false, trap).message).toMatch(/__trap\(\) by thread \(3, 0, 0\) of .*RAWKERNEL_CPU_CHECK=1 tells/s);
      const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
      const failed = ending(false, (module) => module.getFunction('asserts')(2, { block: [2, 2], grid: 2 }));
      stderr.mockRestore();
      expect(failed.code).toBe('CUDA_ERROR_ASSERT');
      expect(failed.message).toMatch(/assertion in line 30 failed by thread \(1, 0, 0\) of block/);
    },
    COMPILE_MS,
  );
});

describe('the mode', () => {
  test.each([
    ['1', { checks: 'all', report: false }],
    ['bounds', { checks: 'bounds', report: false }],
    ['report', { checks: 'all', report: true }],
    ['bounds, REPORT', { checks: 'bounds', report: true }],
    ['1,no-races-in-blocks', { checks: 'blocks', report: false }],
    ['no-races-in-blocks,report', { checks: 'blocks', report: true }],
    ['no-global-races', { checks: 'shared', report: false }],
    ['no-races-in-blocks,no-global-races', { checks: 'shared', report: false }],
    ['bounds,no-races-in-blocks', { checks: 'bounds', report: false }],
    ['', undefined],
    ['0', undefined],
  ])('%p is read', (text, mode) => {
    expect(readCheckMode(text, 'check')).toEqual(mode);
  });

  test('is a known mode', () => {
    expect(() => readCheckMode('bonds', 'RAWKERNEL_CPU_CHECK')).toThrow(/RAWKERNEL_CPU_CHECK must be .*got 'bonds'/);
    expect(() => new cuda.Context({ check: 'bonds' as never })).toThrow(TypeError);
  });

  test('is refused for a GPU', () => {
    const fake = fakeDriver();
    useTables({ driver: fake.table });
    try {
      expect(() => new cuda.Context({ check: true })).toThrow(cuda.CudaLogicError);
      expect(() => new cuda.Context({ check: true })).toThrow(/compute-sanitizer/);
      const plain = new cuda.Context({ check: false });
      expect(plain.reports).toEqual([]);
      plain.close();
      expect(fake.live.primary).toBe(0);
    } finally {
      useTables({ driver });
    }
  });
});
