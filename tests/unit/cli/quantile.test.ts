import { expect, test } from '@jest/globals';
import { quantile } from '../../../src/cli/quantile.ts';

test('a quantile lies between neighbours in proportion', () => {
  const values = [4, 1, 3, 2];
  expect([0, 0.25, 0.5, 0.75, 1].map((share) => quantile(values, share))).toEqual([1, 1.75, 2.5, 3.25, 4]);
  expect(values).toEqual([4, 1, 3, 2]);
});

test('one value is every quantile, and of none there is no number', () => {
  expect([quantile([7], 0), quantile([7], 0.5)]).toEqual([7, 7]);
  expect(quantile([], 0.5)).toBeNaN();
});
