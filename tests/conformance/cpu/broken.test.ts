import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { checkedDevice } from '../../../src/cuda/select.ts';
import type { KernelReport } from '../../../src/core/kernel-report.ts';
import { memAlloc, type DeviceAllocation } from '../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { needs } from '../../helpers/require.ts';
import { brokenBounds } from './broken/bounds.ts';
import { argumentsOf, findings, markedLines, type BrokenKernel } from './broken/broken-kernel.ts';
import { brokenInBlocks } from './broken/races-in-blocks.ts';
import { brokenOrder } from './broken/races.ts';
import { brokenUndefined } from './broken/undefined.ts';
import { brokenVariables } from './broken/variables.ts';
import { withoutReports } from '../../helpers/without-reports.ts';

withoutReports();

const broken = [...brokenBounds, ...brokenOrder, ...brokenInBlocks, ...brokenUndefined, ...brokenVariables].map(
  (one) => [one.name, one] as const,
);

const gpu = needs.cuda();
const missing = gpu.missing ?? (checkedDevice() ? undefined : 'a GPU has no checked mode');
if (missing !== undefined && missing !== gpu.missing) process.stderr.write(`Tests skipped: ${missing}\n`);

(missing === undefined ? describe : describe.skip)('the checked mode finds what is wrong', () => {
  let context: Context;
  beforeAll(() => {
    context = new Context(new Device(0), { check: 'report' });
  });
  afterAll(() => context.close());

  test.each(broken)(
    '%s',
    (_, one) => {
      const known = context.reports.length;
      launch(one, context);
      const found = context.reports.slice(known).map(textOf);
      if (one.hard !== undefined && found.length === 0) return;
      expect(found).not.toEqual([]);
      const fitting = found.filter((text) => findings[one.finding].test(text));
      expect({ fitting: fitting.length > 0, found }).toMatchObject({ fitting: true });
      for (const line of markedLines(one)) expect(fitting.join('\n')).toMatch(new RegExp(`kernel\\.cu:${line}\\b`));
    },
    60_000,
  );
});

/** A report in both its forms. */
function textOf(report: KernelReport): string {
  return `${report.toString()} ${JSON.stringify(report)}`;
}

function launch(one: BrokenKernel, context: Context): void {
  using module = new SourceModule(one.source);
  const memory: Record<string, DeviceAllocation> = {};
  try {
    for (const [name, content] of Object.entries(one.memory)) {
      memory[name] = typeof content === 'number' ? memAlloc(content) : toDevice(content);
    }
    const addresses = Object.fromEntries(Object.entries(memory).map(([name, { ptr }]) => [name, ptr]));
    for (const name of one.freed ?? []) memory[name]?.free();
    const kernel = /__global__ void (\w+)/.exec(one.source)?.[1] ?? '';
    const { block, grid = 1, shared = 0 } = one;
    module.getFunction(kernel)(...argumentsOf(one, addresses), { block, grid, shared });
    context.synchronize();
  } finally {
    for (const [name, allocation] of Object.entries(memory)) if (!one.freed?.includes(name)) allocation.close();
  }
}

describe('the broken kernels', () => {
  test('are twenty at least, and each marks a line', () => {
    expect(broken.length).toBeGreaterThanOrEqual(20);
    expect(broken.filter(([, one]) => markedLines(one).length === 0)).toEqual([]);
    expect(new Set(broken.map(([name]) => name)).size).toBe(broken.length);
  });
});
