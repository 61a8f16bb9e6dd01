import { expect, test } from '@jest/globals';
import { allProse, phrasesIn, PHRASES } from './language.ts';

const HERE = 'README.md:1';

test.each(PHRASES.map((phrase) => [phrase.example, phrase] as const))(
  'the phrase in %j is found',
  (example, phrase) => {
    expect(phrasesIn({ place: HERE, text: example })).toHaveLength(1);
    expect(phrasesIn({ place: HERE, text: phrase.instead })).toEqual([]);
    if (phrase.right !== undefined) expect(phrasesIn({ place: HERE, text: phrase.right })).toEqual([]);
  },
);

test('comments, strings, titles of tests and pages use the terms of the glossary', () => {
  const prose = allProse();
  const has = (pattern: RegExp): boolean => prose.some(({ place, text }) => pattern.test(`${place} ${text}`));
  // One of each kind.
  expect(has(/^src\/core\/check\.ts:\d+ .*must be a number, got/)).toBe(true);
  expect(has(/^src\/core\/host-place\.ts:\d+ The package's own code\./)).toBe(true);
  expect(has(/^tests\/docs\/links\.test\.ts:\d+ /)).toBe(true);
  expect(has(/^README\.md:\d+ Raw CUDA and OpenCL kernels from Node\.js/)).toBe(true);
  expect(prose.flatMap(phrasesIn)).toEqual([]);
});
