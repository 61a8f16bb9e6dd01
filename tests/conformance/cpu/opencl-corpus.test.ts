import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { some } from '../../helpers/full.ts';
import { needs } from '../../helpers/require.ts';
import { isSound, lacks, openclDevices } from '../../helpers/opencl-devices.ts';
import { openCLCorpus } from './opencl/corpus.ts';
import { inputsOf, lackedBy, Runner } from './opencl/run.ts';
import { differences, type Results } from './results.ts';

// Results of the first device that ran a case; those of the others are compared with them too.
const first = new Map<string, Results>();

// What is not sound is not a reference.
const devices = openclDevices.filter(([, device]) => !lacks(device, 'sound PoCL', isSound(device)));

if (devices.length === 0) needs.opencl().test('the corpus', () => undefined);
else {
  describe.each(devices)('the corpus on %s', (_, device) => {
    describe.each(some(Object.entries(openCLCorpus), 3))('%s', (__, all) => {
      const cases = some(all, 20, 2);
      let runner: Runner;
      beforeAll(() => {
        runner = new Runner(device, cases);
      });
      afterAll(() => runner[Symbol.dispose]());

      test.each(cases.map((one) => [one.name, one] as const))(
        '%s',
        (name, one) => {
          const lacked = lackedBy(device, one);
          if (lacks(device, lacked.join(', '), lacked.length === 0)) return;
          const results = runner.run(one);
          const expected = one.expected(inputsOf(one));
          expect(differences(results, expected, one.tolerance)).toEqual([]);
          const others = first.get(name);
          if (!others) first.set(name, results);
          else {
            const compared = Object.fromEntries(Object.keys(expected).map((buffer) => [buffer, others[buffer]]));
            expect(differences(results, compared, one.tolerance)).toEqual([]);
          }
        },
        // The first one of a file waits for its compilation.
        120_000,
      );
    });
  });
}

test('every case has a name of its own', () => {
  const names = Object.values(openCLCorpus).flatMap((cases) => cases.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(60);
});
