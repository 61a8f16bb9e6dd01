import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { orderSeed } from '../../../../src/cpu/abi/order.ts';
import { shuffled } from '../../../../src/cpu/runtime/shuffle.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { cpuTables } from '../../../helpers/cpu-tables.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';
import { some } from '../../../helpers/full.ts';

withoutReports();

const COMPILE_MS = 120_000;
const SEEDS = some(
  Array.from({ length: 20 }, (_, i) => i),
  7,
);

const before = process.env['RAWKERNEL_CPU_ORDER'];
function order(value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, 'RAWKERNEL_CPU_ORDER');
  else process.env['RAWKERNEL_CPU_ORDER'] = value;
}
afterEach(() => order(before));

test.each([1, 2, 3, 31, 32, 1000, 65_537])('a shuffled order of %d has each index once', (count) => {
  for (const seed of [0, 1, 12_345, 0xffff_ffff]) {
    const places = Array.from({ length: count }, (_, i) => shuffled(i, count, seed));
    expect(new Set(places).size).toBe(count);
    expect(Math.max(...places.slice(0, 60_000))).toBeLessThan(count);
  }
});

test('a random seed is printed once', () => {
  const said: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  try {
    order('random');
    const seed = orderSeed();
    expect(orderSeed()).toBe(seed);
    expect(said).toEqual([
      `rawkernel: threads and blocks run in a random order: RAWKERNEL_CPU_ORDER=random:${String(seed)}\n`,
    ]);
  } finally {
    write.mockRestore();
  }
  order('random:7');
  expect(orderSeed()).toBe(7);
  order(undefined);
  expect(orderSeed()).toBeUndefined();
});

const SOURCE = `__global__ void count(int *x) { x[0] += 1; }
__global__ void neighbour(int *x) { int t = threadIdx.x; x[t] = x[(t + 1) % 64]; }
__global__ void left(int *x)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  cache[t] = x[t];
  x[t] = t > 0 ? cache[t - 1] : 0;
}
__global__ void ordered(int *x)
{
  __shared__ int cache[64];
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    cache[t] = x[t];
    __syncthreads();
    x[t] = cache[(t + 1) % 64];
    __syncthreads();
  }
  for (int offset = 16; offset > 0; offset /= 2) x[t + 64] += __shfl_xor_sync(~0u, x[t + 64], offset);
  atomicAdd(&x[128], x[t]);
}
__global__ void turns(int *x) { x[atomicAdd(&x[128], 1)] = threadIdx.x; }
__global__ void blocks(int *x) { x[atomicAdd(&x[128], 1)] = blockIdx.x; }
`;

/** What a kernel makes of 0, 1, 2, … */
type Run = (kernel: string, block?: number, grid?: number) => number[];

/** Compiled once for all seeds. */
const programs = new Map<string, cuda.Program>();

function programFor(kind: string): cuda.Program {
  const known = programs.get(kind) ?? cuda.Program.compile(SOURCE, { cache: false });
  programs.set(kind, known);
  return known;
}

/** Run kernels in an order. */
function inOrder<T>(value: string | undefined, use: (run: Run, context: cuda.Context) => T, check = false): T {
  order(value);
  const { driver, nvrtc } = cpuTables({ workers: 1 });
  useTables({ driver, nvrtc });
  const context = new cuda.Context(new cuda.Device(0), { own: true, check: check && 'report' });
  try {
    using module = programFor(`${value !== undefined} ${check}`).toModule();
    return use((kernel, block = 64, grid = 1) => {
      using x = cuda.toDevice(Int32Array.from({ length: 256 }, (_, i) => (i < 128 ? i : 0)));
      module.getFunction(kernel)(x, { block, grid });
      return [...cuda.fromDevice(x, 'i32')];
    }, context);
  } finally {
    context.close();
  }
}

describe('the order of threads and blocks', () => {
  beforeAll(() => order(undefined));

  const neighbours = Array.from({ length: 64 }, (_, i) => (i + 1) % 64);
  const moved = Array.from({ length: 64 }, (_, i) => Math.max(0, i - 1));
  const first = (list: readonly number[]): number[] => list.slice(0, 64);

  test(
    'hides what is missing where it is that of their numbers',
    () =>
      inOrder(undefined, (run) => {
        expect(run('count')[0]).toBe(64);
        expect(first(run('left'))).toEqual(moved);
        expect(first(run('turns'))).toEqual(Array.from({ length: 64 }, (_, i) => i));
      }),
    COMPILE_MS,
  );

  test(
    'shows a missing atomic, a missing barrier and a read of a neighbour where it is drawn',
    () => {
      for (const seed of SEEDS) {
        inOrder(`random:${seed}`, (run) => {
          const wrong = [
            run('count')[0] !== 64,
            first(run('left')).join() !== moved.join(),
            first(run('neighbour')).filter((value, i) => value !== neighbours[i]).length > 1,
          ];
          expect([seed, ...wrong]).toEqual([seed, true, true, true]);
        });
      }
    },
    10 * COMPILE_MS,
  );

  test(
    'does not matter to what is right',
    () => {
      const expected = inOrder(undefined, (run) => run('ordered'));
      for (const seed of SEEDS) expect(inOrder(`random:${seed}`, (run) => run('ordered'))).toEqual(expected);
    },
    10 * COMPILE_MS,
  );

  test(
    'is the same for one seed and another one for another',
    () => {
      const runs = ['random:1', 'random:1', 'random:2'].map((seed) =>
        inOrder(seed, (run) => [first(run('turns')), first(run('blocks', 1, 64))]),
      );
      expect(runs[1]).toEqual(runs[0]);
      expect(runs[2]).not.toEqual(runs[0]);
      const all = Array.from({ length: 64 }, (_, i) => i);
      for (const list of runs.flat()) expect(list.toSorted((a, b) => a - b)).toEqual(all);
    },
    COMPILE_MS,
  );

  test(
    'leaves what the checked mode reports, which says the seed',
    () => {
      const kinds = (value: string | undefined): unknown[] =>
        inOrder(
          value,
          (run, context) => {
            for (const kernel of ['count', 'neighbour', 'left', 'ordered', 'turns']) run(kernel);
            if (value !== undefined)
              for (const { notes } of context.reports) expect(notes).toContain(`RAWKERNEL_CPU_ORDER=${value}`);
            return [...new Set(context.reports.map(({ kind, kernel }) => `${kernel} ${kind}`))].sort();
          },
          true,
        );
      const expected = ['count global-race', 'left shared-race', 'neighbour global-race'];
      expect(kinds(undefined)).toEqual(expected);
      for (const seed of SEEDS) expect([seed, kinds(`random:${seed}`)]).toEqual([seed, expected]);
    },
    10 * COMPILE_MS,
  );
});
