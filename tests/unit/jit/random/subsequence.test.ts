import { expect, test } from '@jest/globals';
import { subsequences } from '../../../../src/jit/random/subsequence.ts';
import { referenceStates, Xoroshiro128pReference } from '../../../helpers/xoroshiro128p.ts';

/** Seeds and the first number of SplitMix64 behind each, as Java's SplittableRandom and Rosetta Code's tables have them. */
const SPLIT_MIX = [
  [0n, 0xe220a8397b1dcdafn],
  [1n, 0x910a2dec89025cc1n],
  [1234567n, 6457827717110365317n],
] as const;

test.each(SPLIT_MIX)('both words of the first state are what SplitMix64 makes of the seed %d', (seed, word) => {
  expect([...subsequences(1, seed, 0n)]).toEqual([word, word]);
});

test.each([0, 1, 5])('states are 2^64 steps apart, by the published polynomial, from subsequence %d on', (first) => {
  const [seed, word] = SPLIT_MIX[2];
  const expected = referenceStates(12, word, first).flatMap(({ s0, s1 }) => [s0, s1]);
  expect([...subsequences(12, seed, BigInt(first))]).toEqual(expected);
});

test('2^64 subsequences are the whole period of 2^128 - 1 steps, and one step more', () => {
  const [first0 = 0n, first1 = 0n] = subsequences(1, 42n, 0n);
  const state = new Xoroshiro128pReference(first0, first1);
  state.next();
  expect([...subsequences(2, 42n, 2n ** 64n - 1n).subarray(2)]).toEqual([state.s0, state.s1]);
});

test('a start is where the states before it go on', () => {
  const start = 2n ** 63n + 12345n;
  const words = subsequences(100, 7n, start);
  expect([...subsequences(60, 7n, start + 40n)]).toEqual([...words.subarray(80)]);
});

test('the seed of which SplitMix64 makes zeros has a state that moves', () => {
  const seed = 2n ** 64n - 0x9e3779b97f4a7c15n;
  expect([...subsequences(1, seed, 0n)]).toEqual([SPLIT_MIX[0][1], SPLIT_MIX[0][1]]);
});

test('no state is there twice in a million', () => {
  const words = subsequences(1_000_000, 3n, 0n);
  expect(new Set(words.filter((_, i) => i % 2 === 0)).size).toBe(1_000_000);
  expect(subsequences(0, 3n, 0n)).toHaveLength(0);
});
