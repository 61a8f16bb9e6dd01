import { expect, test } from '@jest/globals';
import { recentLaunches, rememberLaunch } from '../../../src/cuda/recent-launches.ts';

const config = (...numbers: number[]): Uint32Array => Uint32Array.from([...numbers, 0, 0, 0, 0, 0, 0]);

test('recentLaunches() has the last eight launches, the latest first', () => {
  expect(recentLaunches()).toBeUndefined();
  rememberLaunch({ name: 'first' }, config(1, 2, 3, 4, 5, 6));
  expect(recentLaunches()).toBe('first grid [1, 2, 3] block [4, 5, 6]');
  for (let i = 0; i < 9; i++) rememberLaunch({ name: `k${i}` }, config(i, 1, 1, 32, 1, 1));
  const names = recentLaunches()
    ?.split('; ')
    .map((line) => line.split(' ')[0]);
  expect(names).toEqual(['k8', 'k7', 'k6', 'k5', 'k4', 'k3', 'k2', 'k1']);
});

test('rememberLaunch() keeps the numbers, not the array', () => {
  const numbers = config(7, 1, 1, 8, 1, 1);
  rememberLaunch({ name: 'copied' }, numbers);
  numbers.fill(0);
  expect(recentLaunches()).toMatch(/^copied grid \[7, 1, 1\] block \[8, 1, 1\];/);
});
