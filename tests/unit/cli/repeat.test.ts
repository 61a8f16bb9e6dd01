import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pause, repeat } from '../../../src/cli/top/repeat.ts';

const { signal } = new AbortController();

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

/** When work began that takes so long each time, and when all of it was over. */
async function timesOf(takesMs: number, intervalMs: number): Promise<number[]> {
  const start = performance.now();
  const times: number[] = [];
  const note = (): unknown => times.push(Math.round(performance.now() - start));
  const work = (): void => {
    note();
    jest.advanceTimersByTime(takesMs);
  };
  const end = repeat(work, { intervalMs, count: 3, signal }).then(note);
  while (times.length < 4) await jest.advanceTimersToNextTimerAsync();
  await end;
  return times;
}

test('what is quick comes at its times', async () => {
  expect(await timesOf(0, 40)).toEqual([0, 40, 80, 80]);
  expect(await timesOf(30, 40)).toEqual([0, 40, 80, 110]);
});

test('what takes longer than its interval has pauses all the same', async () => {
  expect(await timesOf(30, 20)).toEqual([0, 50, 100, 130]);
});

test('a signal ends a pause, and nothing comes after it', async () => {
  const ending = new AbortController();
  let count = 0;
  const end = repeat(() => count++, { intervalMs: 1000, count: Infinity, signal: ending.signal });
  await jest.advanceTimersByTimeAsync(1500);
  expect(count).toBe(2);
  ending.abort();
  await end;
  await repeat(() => count++, { intervalMs: 1, count: 1, signal: ending.signal });
  expect(count).toBe(2);
});

test('a pause tells whether it was to the end', async () => {
  const ending = new AbortController();
  const [whole, cut] = [pause(10, signal), pause(1000, ending.signal)];
  await jest.advanceTimersByTimeAsync(10);
  ending.abort();
  expect([await whole, await cut, await pause(10, ending.signal)]).toEqual([true, false, false]);
});
