import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { checkedDevice } from '../../../src/cuda/selection.ts';
import type { KernelReport } from '../../../src/core/kernel-report.ts';
import { firstOfEach } from '../../helpers/full.ts';
import { needs } from '../../helpers/require.ts';
import { broken as all } from './broken/all.ts';
import { findings, markedLines } from './broken/broken-kernel.ts';
import { launchBroken } from './broken/launch.ts';
import { printTally, Tally } from './broken/tally.ts';
import { withoutReports } from '../../helpers/without-reports.ts';

withoutReports();

const broken = all.map((one) => [one.name, one] as const);

const gpu = needs.cuda();
const missing = gpu.missing ?? (checkedDevice() ? undefined : 'a GPU has no checked mode');
if (missing !== undefined && missing !== gpu.missing) process.stderr.write(`Tests skipped: ${missing}\n`);

(missing === undefined ? describe : describe.skip)('the checked mode finds what is wrong', () => {
  let context: Context;
  beforeAll(() => {
    context = new Context(new Device(0), { check: 'report' });
  });
  const tally = new Tally();
  afterAll(() => {
    context.close();
    printTally(tally);
  });

  test.each(firstOfEach(broken, ([, { finding }]) => finding))(
    '%s',
    (_, one) => {
      const known = context.reports.length;
      launchBroken(one, context);
      const reports = context.reports.slice(known);
      const found = reports.map(textOf);
      const { finding, source } = one;
      const fits = (report: KernelReport): boolean => findings[finding].test(textOf(report));
      const said = { finding, source, lines: markedLines(one), fitting: reports.filter(fits) };
      const { strange } = tally.note(said);
      expect(found).not.toEqual([]);
      const fitting = found.filter((text) => findings[one.finding].test(text));
      expect({ fitting: fitting.length > 0, found }).toMatchObject({ fitting: true });
      expect(strange).toEqual([]);
      for (const line of markedLines(one)) expect(fitting.join('\n')).toMatch(new RegExp(`kernel\\.cu:${line}\\b`));
    },
    60_000,
  );
});

/** Of mistakes that a part of the checks leaves out, and of some that it keeps: is anything found? */
(missing === undefined ? describe : describe.skip)('without races on global memory', () => {
  let context: Context;
  beforeAll(() => {
    context = new Context(new Device(0), { check: 'no-global-races,report' });
  });
  afterAll(() => context.close());

  test.each(firstOfEach(broken, ([, { finding }]) => finding === 'global-race'))(
    '%s',
    (_, one) => {
      const known = context.reports.length;
      launchBroken(one, context);
      const found = context.reports.slice(known).map(textOf);
      const fitting = found.filter((text) => findings[one.finding].test(text));
      // Some of these have a second mistake, which stays one.
      if (one.finding === 'global-race') expect(fitting).toEqual([]);
      else expect({ fitting: fitting.length > 0, found }).toMatchObject({ fitting: true });
    },
    60_000,
  );
});

/** A report in both its forms. */
function textOf(report: KernelReport): string {
  return `${report.toString()} ${JSON.stringify(report)}`;
}

describe('the broken kernels', () => {
  test('are ninety at least, and each marks a line', () => {
    expect(broken.length).toBeGreaterThanOrEqual(90);
    expect(broken.filter(([, one]) => markedLines(one).length === 0)).toEqual([]);
    expect(new Set(broken.map(([name]) => name)).size).toBe(broken.length);
  });
});
