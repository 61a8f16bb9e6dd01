import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { cpuTables } from '../../../helpers/cpu-tables.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';

withoutReports();

const COMPILE_MS = 120_000;
const { driver, nvrtc } = cpuTables({ workers: 1 });

/** Of blocks of 64 threads: all access lines of sixteen words alike, and one of them a word of another's. */
const WRONG: readonly (readonly [kind: string, other: string, body: string, blocks?: number])[] = [
  ['global-race', 'thread (5, 0, 0) writes', 'x[t] = t; if (t == 63) x[5] = 3;'],
  ['global-race', 'thread (5, 0, 0) writes', 'x[t] = t; if (t == 63) n[0] = x[5];'],
  ['global-race', 'thread (5, 0, 0) reads', 'int v = x[t]; if (t == 63) x[5] = v;'],
  ['global-race', 'thread (5, 0, 0) reads', 'int v = x[t]; if (t == 63) ((char *)x)[22] = v;'],
  ['global-race', 'reads', 'int v = x[t] + x[t + 1]; if (t == 63) x[5] = v;'],
  ['global-race', 'reads', 'int v = x[t] + x[t + 16]; if (t == 63) x[20] = v;'],
  ['global-race', 'thread (5, 0, 0) writes', 'x[t + 3] = t; if (t == 63) n[0] = x[8];'],
  ['global-race', 'thread (5, 0, 0) writes', '((double *)x)[t] = t; if (t == 63) x[11] = 3;'],
  ['global-race', 'thread (5, 0, 0) writes', '((float4 *)x)[t] = make_float4(1, 2, 3, t); if (t == 63) x[23] = 3;'],
  ['global-race', 'thread (5, 0, 0) writes', '((float4 *)x)[t] = make_float4(1, 2, 3, t); if (t == 63) n[0] = x[20];'],
  ['global-race', 'block (0, 0, 0) writes', 'if (blockIdx.x == 0) x[t] = t; else if (t == 5) n[0] = x[40];', 2],
  ['global-race', 'block (0, 0, 0) reads', 'if (blockIdx.x == 0) n[t] = x[t]; else if (t == 5) x[40] = 3;', 2],
  ['global-race', 'block (0, 0, 0) writes', 'if (blockIdx.x == 0) x[t] = t; else x[t + 8] = t;', 2],
  ['shared-race', 'thread (5, 0, 0) writes', 's[t] = t; if (t == 63) n[0] = s[5];'],
  ['shared-race', 'thread (5, 0, 0) reads', 's[t] = t; __syncthreads(); n[t] = s[t]; if (t == 63) s[5] = 3;'],
  ['shared-race', 'reads', 's[t] = t; __syncthreads(); n[t] = s[t] + s[t ^ 1]; if (t == 63) s[5] = 3;'],
  ['shared-race', 'thread (5, 0, 0) writes', '((double *)s)[t] = t; if (t == 63) n[0] = s[11];'],
  ['shared-race', 'thread (5, 0, 0) writes', '((float4 *)s)[t] = make_float4(1, 2, 3, t); if (t == 63) n[0] = s[22];'],
];
const RIGHT: readonly (readonly [body: string, blocks?: number])[] = [
  ['x[t] = t; __syncthreads(); if (t == 5) x[40] = x[3];'],
  ['x[t] = t; if (t == 5) x[5] += x[5];'],
  ['x[t] = t; __syncthreads(); int v = x[t + 1]; __syncthreads(); x[t] = v;'],
  ['x[t] = t; __syncthreads(); int v = x[63 - t]; __syncthreads(); x[63 - t] = v;'],
  ['x[t] = t; __syncthreads(); ((double *)x)[t] = t; __syncthreads(); ((float4 *)x)[t].x = t;'],
  ['int v = x[t]; if (t == 5) n[0] = x[40] + v;'],
  ['int v = x[t] + x[t + 1] + x[t + 16]; if (t == 5) n[0] = v + x[40];', 3],
  ['x[t + 64 * blockIdx.x] = t; if (t == 5) x[t + 64 * blockIdx.x] += 3;', 3],
  ['if (t < 40) x[t + 40 * blockIdx.x] = t;', 3],
  ['x[t + 72 * blockIdx.x] = t; if (t < 8) x[t + 64 + 72 * blockIdx.x] = x[t + 72 * blockIdx.x];', 3],
  ['s[t] = t; __syncthreads(); n[t] = s[t] + s[63 - t]; __syncthreads(); s[t] = 4; if (t == 5) s[5] = 1;'],
  ['((double *)s)[t] = t; __syncthreads(); n[t] = s[t]; __syncthreads(); ((float4 *)s)[t].y = s[4 * t];'],
];

let context: cuda.Context;
let module: cuda.SourceModule;
beforeAll(() => {
  useTables({ driver, nvrtc });
  context = new cuda.Context(new cuda.Device(0), { own: true, check: 'report' });
  const all = [...WRONG.map(([, , body]) => body), ...RIGHT.map(([body]) => body), 'x[t] = t;', 'n[t] = x[t] + 1;'];
  const text = (body: string, i: number): string => `extern "C" __global__ void k${i}(int *x, int *n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  ${body}
  if (n[200]) n[0] = s[0];
}`;
  module = new cuda.SourceModule(all.map(text).join('\n'));
}, COMPILE_MS);
afterAll(() => {
  module.close();
  context.close();
});

const WRITES = WRONG.length + RIGHT.length;
const READS = WRITES + 1;

function run(kernel: number, x: cuda.DeviceAllocation, n: cuda.DeviceAllocation, grid = 1): cuda.KernelReport[] {
  const known = context.reports.length;
  module.getFunction(`k${kernel}`)(x, n, { block: 64, grid });
  context.synchronize();
  return context.reports.slice(known);
}

/** What a kernel is found to do, the second time after it was there already. */
function found(kernel: number, grid?: number): cuda.KernelReport[][] {
  using x = cuda.toDevice(new Int32Array(256));
  using n = cuda.toDevice(new Int32Array(256));
  return [run(kernel, x, n, grid), run(kernel, x, n, grid)];
}

test.each(WRONG.map((one, i) => [one[2], one, i] as const))('%s', (_, [kind, other, , blocks], i) => {
  for (const reports of found(i, blocks)) {
    expect(reports.map((report) => report.kind)).toContain(kind);
    expect(reports.flatMap(({ others }) => others.map(({ what }) => what)).join()).toContain(other);
  }
});

test.each(RIGHT.map(([body, blocks], i) => [body, blocks, i] as const))('%s nothing is wrong', (_, blocks, i) => {
  expect(
    found(WRONG.length + i, blocks)
      .flat()
      .map(String),
  ).toEqual([]);
});

describe('memory that a kernel wrote by lines', () => {
  /** The words of 64 that count as never written. */
  function unset(x: cuda.DeviceAllocation): number {
    using n = cuda.toDevice(new Int32Array(256));
    const [report] = run(READS, x, n);
    return report?.kind === 'uninitialised-read' ? report.count : 0;
  }

  function written(): cuda.DeviceAllocation {
    using n = cuda.toDevice(new Int32Array(256));
    const x = cuda.memAlloc(1024);
    expect(run(WRITES, x, n).map(String)).toEqual([]);
    return x;
  }

  test('stays so where the host writes some of it', () => {
    using x = written();
    cuda.memcpyHtoD(x.slice(4, 12), new Uint8Array(8));
    cuda.memcpyHtoD(x.slice(60, 200), new Uint8Array(140));
    expect(unset(x)).toBe(0);
  });

  test('is written where it is copied to', () => {
    using x = written();
    using y = cuda.memAlloc(1024);
    cuda.memcpyDtoD(y, x, 256);
    expect(unset(y)).toBe(0);
    using z = cuda.memAlloc(1024);
    cuda.memcpyDtoD(z.slice(8), x.slice(4), 100);
    expect(unset(z)).toBe(64 - 25);
  });

  test('is uninitialised after a copy of uninitialised memory over it', () => {
    using x = written();
    using y = cuda.memAlloc(1024);
    cuda.memcpyDtoD(x.slice(8), y, 100);
    expect(unset(x)).toBe(25);
  });

  test('is not in the memory that is given out there next', () => {
    using x = written();
    x.free();
    using y = cuda.memAlloc(1024);
    expect(unset(y)).toBe(64);
  });
});
