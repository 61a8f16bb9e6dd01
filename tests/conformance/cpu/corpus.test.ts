import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { compilerVersion } from '../../../src/cuda/device/version.ts';
import { Limit } from '../../../src/cuda/sys/enums.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { some } from '../../helpers/full.ts';
import { isEmbedded } from '../../../src/cuda/selection.ts';
import { needs } from '../../helpers/require.ts';
import type { Case } from './case.ts';
import { corpus } from './corpus.ts';
import { differences, inputsOf, resultsFromJson, resultsToJson, runCase } from './results.ts';

// Results of one device go to a folder, and those of another are compared with them: run the corpus on a GPU with
// RAWKERNEL_CORPUS_OUT=folder, then here with RAWKERNEL_CORPUS_EXPECTED=folder.
const out = process.env['RAWKERNEL_CORPUS_OUT'];
const other = process.env['RAWKERNEL_CORPUS_EXPECTED'];

needs.cuda().describe('the conformance corpus', () => {
  withDevice();
  // A GPU gives each thread 1 KiB by default; recursion wants more.
  beforeAll(() => Context.current?.setLimit(Limit.STACK_SIZE, 16 * 1024));

  // What this compiler has no more, or not yet, is left out, with groups of nothing else.
  const ran = Object.entries(corpus).map(([name, cases]) => {
    const has = ({ isNew, isOld }: Case): boolean =>
      !(isNew === true || (isOld === true && compilerVersion()[0] >= 12));
    return [name, cases.filter((one) => isEmbedded() || has(one))] as const;
  });
  describe.each(some(ran, 3).filter(([, cases]) => cases.length > 0))('%s', (_, cases) => {
    test.each(some(cases, 20, 5).map((one) => [one.name, one] as const))(
      '%s',
      (name, one) => {
        const results = runCase(one);
        if (out !== undefined) {
          mkdirSync(out, { recursive: true });
          writeFileSync(join(out, `${name}.json`), resultsToJson(results));
        }
        const expected = one.expected(inputsOf(one));
        expect(differences(results, expected, one.tolerance)).toEqual([]);
        if (other === undefined) return;
        const file = join(other, `${name}.json`);
        expect(existsSync(file)).toBe(true);
        const theirs = resultsFromJson(readFileSync(file, 'utf8'));
        const compared = Object.fromEntries(Object.keys(expected).map((buffer) => [buffer, theirs[buffer]]));
        expect(differences(results, compared, one.tolerance)).toEqual([]);
      },
      // The first one waits for the compiler to load.
      120_000,
    );
  });
});

test('every case has a name of its own, and a file name', () => {
  const names = Object.values(corpus).flatMap((cases) => cases.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
  expect(names.length).toBeGreaterThanOrEqual(60);
});
