import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { cpuTables } from '../../../helpers/cpu-tables.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';

withoutReports();

const COMPILE_MS = 120_000;
const { driver, nvrtc } = cpuTables({ workers: 1 });

// The first and the last thread of a warp do what is right; one in between does not.
const WRONG: readonly (readonly [kind: string, body: string])[] = [
  ['out-of-bounds', 'if (t == 5) a[1000] = 1;'],
  ['out-of-bounds', 'if (t != 5) return; a[1000] = 1;'],
  ['out-of-bounds', 'if (t > 3 && t < 6) a[1000 + t] = 1;'],
  ['out-of-bounds', 'if ((unsigned)(t - 10) < 2u) a[1000] = 1;'],
  ['out-of-bounds', 'if ((t & 8) && !(t & 16)) a[t + 1000] = 3;'],
  ['out-of-bounds', 'if (t * t - 20 * t + 99 < 0) a[1000] = 1;'],
  ['out-of-bounds', 'a[(t * 7) % 32 == 3 ? 1000 : t] = 1;'],
  ['out-of-bounds', 'int j = t ^ 5; if (j == 9) a[j + 1000] = 2;'],
  ['out-of-bounds', 'int s = t < 16 ? t : 31 - t; a[s == 15 ? 1000 : s] = 1;'],
  ['out-of-bounds', 'for (int k = 0; k < (t == 7 ? 3 : 1); k++) a[t + 1000 * (k > 1)] = 2;'],
  ['out-of-bounds', 'float v = a[t]; if (v == 3) a[1001] = v;'],
  ['out-of-bounds', 'a[t * 33 & 1023] = a[(t == 9) * 1000];'],
  ['global-race', 'a[t == 7 ? 8 : t] = t;'],
  ['global-race', 'a[t / 2] = t;'],
  ['global-race', 'a[t & ~1] = t;'],
  ['global-race', 'a[(t * 3) % 31] = t;'],
  ['global-race', 'a[t] = a[t == 7 ? 3 : t] + 1;'],
  ['global-race', 'a[(unsigned)(t * 0x10000001) >> 28] = t;'],
];
const RIGHT = [
  'a[t] = t;',
  'a[31 - t] = a[31 - t] + 1;',
  'a[2 * t] = a[2 * t + 1];',
  'if (t == 5) a[999] = 1;',
  'a[t ^ 1] = t;',
];

let context: cuda.Context;
let module: cuda.SourceModule;
beforeAll(() => {
  useTables({ driver, nvrtc });
  context = new cuda.Context(new cuda.Device(0), { own: true, check: 'report' });
  const all = [...WRONG.map(([, body]) => body), ...RIGHT];
  const text = (body: string, i: number): string =>
    `extern "C" __global__ void k${i}(float *a) { int t = threadIdx.x; ${body} }`;
  module = new cuda.SourceModule(all.map(text).join('\n'));
}, COMPILE_MS);
afterAll(() => {
  module.close();
  context.close();
});

/** The kinds of what a kernel with one warp, or two, is found to do. */
function kindsOf(kernel: number, threads: number): string[] {
  using a = cuda.toDevice(new Float32Array(1000).fill(3, 11, 12));
  const known = context.reports.length;
  module.getFunction(`k${kernel}`)(a, { block: threads });
  context.synchronize();
  return context.reports.slice(known).map(({ kind }) => kind);
}

test.each(WRONG.map(([kind, body], i) => [body, kind, i] as const))('%s', (_, kind, i) => {
  for (const threads of [32, 64]) expect(kindsOf(i, threads)).toContain(kind);
});

test.each(RIGHT.map((body, i) => [body, i] as const))('%s nothing is wrong', (_, i) => {
  expect(kindsOf(WRONG.length + i, 32)).toEqual([]);
});
