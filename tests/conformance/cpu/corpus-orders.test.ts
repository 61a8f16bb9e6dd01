import { afterEach, expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { useTables } from '../../../src/cuda/select.ts';
import { Limit } from '../../../src/cuda/sys/enums.ts';
import { cpuTables } from '../../helpers/cpu-tables.ts';
import { isFull } from '../../helpers/full.ts';
import { needs } from '../../helpers/require.ts';
import { corpus } from './corpus.ts';
import { differences, inputsOf, runCase } from './results.ts';

// A part of what `npm run test:orders` does.
const SEEDS = isFull ? [1, 2, 3] : [1];
const STEP = isFull ? 3 : 12;
const cases = ['barriers', 'atomics', 'reductions']
  .flatMap((noun) => corpus[noun] ?? [])
  .filter((_, i) => i % STEP === 0);

const before = process.env['RAWKERNEL_CPU_ORDER'];
afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(process.env, 'RAWKERNEL_CPU_ORDER');
  else process.env['RAWKERNEL_CPU_ORDER'] = before;
});

needs.clang().describe('the checked mode finds nothing in right kernels in a drawn order', () => {
  test.each(SEEDS)(
    'of the seed %d, and all results are right',
    (seed) => {
      process.env['RAWKERNEL_CPU_ORDER'] = `random:${seed}`;
      const { driver, nvrtc } = cpuTables({});
      useTables({ driver, nvrtc });
      const context = new Context(new Device(0), { own: true, check: 'report' });
      try {
        context.setLimit(Limit.STACK_SIZE, 16 * 1024);
        expect(cases.length).toBeGreaterThan(2);
        for (const one of cases) {
          const results = runCase(one);
          expect([one.name, ...context.reports.map(String)]).toEqual([one.name]);
          expect([one.name, ...differences(results, one.expected(inputsOf(one)), one.tolerance)]).toEqual([one.name]);
        }
      } finally {
        context.close();
      }
    },
    300_000,
  );
});
