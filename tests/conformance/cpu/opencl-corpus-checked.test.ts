import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Device } from '../../../src/opencl/device/device.ts';
import { some } from '../../helpers/full.ts';
import { embeddedDescribe, embeddedOpenCL } from '../../helpers/opencl-devices.ts';
import { openCLCorpus } from './opencl/corpus.ts';
import { inputsOf, Runner } from './opencl/run.ts';
import { differences } from './results.ts';

embeddedDescribe()('the checked mode finds nothing in the corpus', () => {
  describe.each(some(Object.entries(openCLCorpus), 4))('%s', (_, all) => {
    const cases = some(all, 40);
    let runner: Runner;
    beforeAll(() => {
      runner = new Runner(embeddedOpenCL as Device, cases, { check: 'report' });
    });
    afterAll(() => runner[Symbol.dispose]());

    test.each(cases.map((one) => [one.name, one] as const))(
      '%s',
      (__, one) => {
        const before = runner.context.reports.length;
        const results = runner.run(one);
        expect(runner.context.reports.slice(before).map(String)).toEqual([]);
        expect(differences(results, one.expected(inputsOf(one)), one.tolerance)).toEqual([]);
      },
      120_000,
    );
  });
});
