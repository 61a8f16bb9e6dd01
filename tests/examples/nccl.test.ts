import { describe, expect, test } from '@jest/globals';
import { exampleFiles, requirements } from '../helpers/examples.ts';
import { isFull, share } from '../helpers/full.ts';
import { launched } from '../helpers/launched.ts';
import { needs } from '../helpers/require.ts';

const LIMIT_MS = 60_000;
const files = exampleFiles.filter((file) => requirements(file)[0] === 'nccl');
const built = needs.build();
/** Numbers of ranks that divide what the examples split, and others. */
const counts = isFull ? share([1, 2, 3, 5], 2) : [3];

/** What the examples say of themselves. */
async function expectPassed(file: string, count: number, env: Readonly<Record<string, string>>): Promise<void> {
  const launch = await launched(['-n', String(count), `examples/${file}`], env);
  expect({ code: launch.code, stderr: launch.stderr }).toEqual({ code: 0, stderr: '' });
  expect(launch.linesOf(0).join('\n')).toMatch(new RegExp(`\\b${count} rank\\(s\\)[^]*\nPASSED$`));
}

test('there are examples of jobs', () => {
  expect(files).toEqual(['halo', 'k-means', 'sort', 'train'].map((name) => `nccl/${name}.ts`));
});

describe.each(files)('%s', (file) => {
  for (const count of counts) {
    built.test(
      `${count} rank(s) on the embedded device`,
      () => expectPassed(file, count, { RAWKERNEL_DEVICE: 'cpu' }),
      LIMIT_MS,
    );
  }

  for (const count of [1, 2, 4, 8]) {
    const lacking = [built, needs.gpu(), needs.nccl(count)].find(({ missing }) => missing !== undefined) ?? built;
    lacking.test(`${count} rank(s) on GPUs`, () => expectPassed(file, count, {}), LIMIT_MS);
  }
});
