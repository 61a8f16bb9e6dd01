import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkedDevice } from '../../../src/cuda/selection.ts';
import { noCounts, runBatch, variantsOf, verdictOf } from '../../fuzz/kernels/batch.ts';
import type { Language } from '../../fuzz/kernels/emit.ts';
import { launcherOf, type Launcher } from '../../fuzz/kernels/launcher.ts';
import { isFull, some } from '../../helpers/full.ts';
import { embeddedOpenCL } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { withoutReports } from '../../helpers/without-reports.ts';

withoutReports();

const rows: readonly [Language, boolean][] = [
  ['cuda', needs.cuda().missing === undefined && checkedDevice() !== undefined],
  ['opencl', embeddedOpenCL !== undefined],
];

// A kernel and what lacks something of it take a second each to compile: `npm run fuzz:kernels` takes more seeds.
const FIRST = 1;
const COUNT = isFull ? 2 : 1;

describe.each(some(rows, 2))('random kernels in %s', (language, there) => {
  let launcher: Launcher;
  beforeAll(() => {
    if (there) launcher = launcherOf(language);
  });
  afterAll(() => {
    if (there) launcher[Symbol.dispose]();
  });

  (there ? test : test.skip)(
    `of the seeds ${FIRST} to ${FIRST + COUNT - 1}: what is right is silent, what lacks something is reported`,
    () => {
      const counts = noCounts();
      const seeds = Array.from({ length: COUNT }, (_, i) => FIRST + i);
      const faults = runBatch(launcher, language, seeds, counts);
      expect(faults.map(({ seed, what, source }) => `seed ${seed}: ${what}\n${source}`)).toEqual([]);
      expect(counts.right).toBe(COUNT);
      expect(counts.reported).toBeGreaterThanOrEqual(COUNT);
    },
    300_000,
  );
});

describe('the generator of kernels', () => {
  test.each(['cuda', 'opencl'] as const)('makes some of each verdict, in %s', (language) => {
    const variants = Array.from({ length: 20 }, (_, i) => variantsOf(i + 1, language)).flat();
    const verdicts = variants.map(({ outcome }) => verdictOf(outcome));
    const taken = variants.flatMap(({ mutation, outcome }) =>
      verdictOf(outcome) === 'reported' ? [mutation?.take] : [],
    );
    expect(verdicts.filter((verdict) => verdict === 'silent').length).toBeGreaterThanOrEqual(20);
    expect(new Set(taken)).toEqual(new Set(['barrier', 'part-of-barrier', 'guard', 'atomic']));
  });

  test('makes the same kernel of the same seed', () => {
    expect(JSON.stringify(variantsOf(7, 'cuda'))).toBe(JSON.stringify(variantsOf(7, 'cuda')));
  });
});
