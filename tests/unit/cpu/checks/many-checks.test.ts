import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { programOf } from '../../../helpers/cpu-program.ts';
import { cpuTables } from '../../../helpers/cpu-tables.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';

withoutReports();

const COMPILE_MS = 60_000;
const unrolled = (steps: number): string => `__global__ void steps(const int *x, int *y)
{
  int i = threadIdx.x, sum = 0;
#pragma unroll
  for (int j = 0; j < ${steps}; j++) {
    sum += x[j * 32 + i];
    y[j * 32 + i] = sum;
  }
  y[${steps} * 32 + i] = sum;
}`;

test(
  'the checks of a function are inlined up to a number of them, and beyond it called',
  () => {
    const size = (steps: number): number => programOf(unrolled(steps), { checked: 'all' }).wasm.length;
    // 19 steps have 39 checks, each of them code of its own; 20 have 41 calls.
    expect(size(20)).toBeLessThan(size(19));
    expect(size(19) - size(10)).toBeGreaterThan(4 * (size(59) - size(50)));
    expect(size(50)).toBeLessThan(size(19));
  },
  COMPILE_MS,
);

let context: cuda.Context;
beforeAll(() => {
  useTables(cpuTables({ workers: 2 }));
  context = new cuda.Context(new cuda.Device(0), { own: true, check: 'report' });
});
afterAll(() => context.close());

test.each([5, 50])(
  'the access behind an unrolled loop of %d steps is found, at its line',
  (steps) => {
    const before = context.reports.length;
    using x = cuda.toDevice(new Int32Array(32 * steps));
    using y = cuda.toDevice(new Int32Array(32 * steps));
    using module = new cuda.SourceModule(unrolled(steps), { cache: false });
    module.getFunction('steps')(x, y, { block: 32 });
    context.synchronize();
    const reports = context.reports.slice(before);
    expect(reports.map(String).join('\n')).toContain(`y[${32 * steps}]`);
    expect(reports).toMatchObject([{ kind: 'out-of-bounds', kernel: 'steps', place: { line: 9 } }]);
  },
  COMPILE_MS,
);
