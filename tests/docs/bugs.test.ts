import { describe, expect, test } from '@jest/globals';
import * as cuda from '../../src/cuda/index.ts';
import type { KernelReport } from '../../src/core/kernel-report.ts';
import { checkedDevice } from '../../src/cuda/selection.ts';
import { needs } from '../helpers/require.ts';
import { bugs, type Bug, type BugArgument } from './bugs.ts';
import { some } from '../helpers/full.ts';

const gpu = needs.cuda();
const list = bugs();

test('the guide walks through ten mistakes at least', () => {
  expect(list.length).toBeGreaterThanOrEqual(10);
});

(gpu.missing === undefined && checkedDevice() ? describe : describe.skip)('what the guide prints of', () => {
  test.each(some(list, 3).map((bug) => [bug.title, bug] as const))(
    '%s',
    (_, bug) => {
      const context = new cuda.Context(new cuda.Device(0), { own: true, check: true });
      try {
        expect(shown(reportOf(bug, context))).toBe(bug.printed);
      } finally {
        context.close();
      }
    },
    60_000,
  );
});

/** The report, without the lines of this program. */
function shown(report: KernelReport): string {
  const lines = String(report)
    .split('\n')
    .filter((line) => !line.startsWith('launched at '));
  const places = / at \S+bugs\.test\.ts:\d+/g;
  return `${lines.join('\n').replace(places, ' at program.ts:12')}\n`;
}

function reportOf({ source, args, block, grid }: Bug, context: cuda.Context): KernelReport {
  const module = new cuda.SourceModule(source);
  const [kernel] = module.kernels;
  const given = args.map(memoryOf);
  module.getFunction(kernel ?? '')(...given, { block, grid });
  try {
    context.synchronize();
  } catch (error) {
    const [report] = (error as cuda.CudaLaunchError).reports;
    if (report) return report;
    throw error;
  } finally {
    for (const one of [module, ...given]) if (one instanceof cuda.Resource) one.close();
  }
  throw new Error('Nothing was found');
}

function memoryOf(argument: BugArgument): cuda.KernelArgument {
  if (argument === null || typeof argument === 'number') return argument;
  const { type, count, state } = argument;
  if (state === 'zeros') return cuda.toDevice(type === 'float' ? new Float32Array(count) : new Int32Array(count));
  const memory = cuda.memAlloc(4 * count);
  const { ptr } = memory;
  if (state === 'freed') memory.free();
  return state === 'freed' ? ptr : memory;
}
