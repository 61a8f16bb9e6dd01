import { expect, test } from '@jest/globals';
import { repeat } from '../../../src/cli/repeat.ts';

/** Timers may be a little early. */
const SLACK_MS = 5;

function spend(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('what is quick comes at its times', async () => {
  const times: number[] = [];
  const { signal } = new AbortController();
  await repeat(() => times.push(performance.now()), { intervalMs: 40, count: 3, signal });
  expect(times).toHaveLength(3);
  expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(80 - SLACK_MS);
});

test('what takes longer than its interval has pauses all the same', async () => {
  const begin = performance.now();
  const { signal } = new AbortController();
  await repeat(() => spend(30), { intervalMs: 20, count: 3, signal });
  expect(performance.now() - begin).toBeGreaterThan(3 * 30 + 2 * 20 - SLACK_MS);
});

test('a signal ends a pause, and nothing comes after it', async () => {
  const ending = new AbortController();
  let count = 0;
  await repeat(
    () => {
      if (++count === 2) ending.abort();
    },
    { intervalMs: 1, count: Infinity, signal: ending.signal },
  );
  expect(count).toBe(2);
  await repeat(() => count++, { intervalMs: 1, count: 1, signal: ending.signal });
  expect(count).toBe(2);
});
