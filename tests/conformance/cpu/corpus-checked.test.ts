import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { checkedDevice } from '../../../src/cuda/selection.ts';
import { Limit } from '../../../src/cuda/sys/enums.ts';
import { some } from '../../helpers/full.ts';
import { needs } from '../../helpers/require.ts';
import { corpus } from './corpus.ts';
import { differences, inputsOf, runCase } from './results.ts';

const gpu = needs.cuda();
const missing = gpu.missing ?? (checkedDevice() ? undefined : 'a GPU has no checked mode');
if (missing !== undefined && missing !== gpu.missing) process.stderr.write(`Tests skipped: ${missing}\n`);

(missing === undefined ? describe : describe.skip)('the checked mode finds nothing in the corpus', () => {
  let context: Context;
  beforeAll(() => {
    context = new Context({ check: 'report' });
    context.setLimit(Limit.STACK_SIZE, 16 * 1024);
  });
  afterAll(() => context.close());

  describe.each(some(Object.entries(corpus), 4))('%s', (_, cases) => {
    test.each(some(cases, 40, 8).map((one) => [one.name, one] as const))(
      '%s',
      (_, one) => {
        const before = context.reports.length;
        const results = runCase(one);
        expect(context.reports.slice(before).map(String)).toEqual([]);
        expect(differences(results, one.expected(inputsOf(one)), one.tolerance)).toEqual([]);
      },
      120_000,
    );
  });
});
