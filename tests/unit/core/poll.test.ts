import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { whenDone } from '../../../src/core/poll.ts';
import { runChild } from '../../helpers/child.ts';
import { turns } from '../../helpers/until.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('whenDone() resolves once the query says true', async () => {
  let asked = 0;
  await whenDone(() => ++asked === 5);
  expect(asked).toBe(5);
});

test('whenDone() does not ask before the current job has ended', async () => {
  let asked = 0;
  const done = whenDone(() => ++asked > 0);
  expect(asked).toBe(0);
  await done;
});

test('whenDone() rejects with what the query throws, and asks no more', async () => {
  let asked = 0;
  const failing = whenDone(() => {
    asked++;
    throw new Error('lost');
  });
  await expect(failing).rejects.toThrow('lost');
  await turns(20);
  expect(asked).toBe(1);
});

test('whenDone() lets others go on when one query throws', async () => {
  let asked = 0;
  const results = await Promise.allSettled([
    whenDone(() => {
      throw new Error('lost');
    }),
    whenDone(() => ++asked === 3),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('whenDone() resolves many in the order in which they finish', async () => {
  const order: number[] = [];
  const turns = [3, 1, 2];
  await Promise.all(
    turns.map(async (wanted) => {
      let asked = 0;
      await whenDone(() => ++asked === wanted);
      order.push(wanted);
    }),
  );
  expect(order).toEqual([1, 2, 3]);
});

test('whenDone() backs off to a timer when it takes long', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] });
  let asked = 0;
  let wanted = Infinity;
  const done = whenDone(() => ++asked >= wanted);
  for (let turn = 0; turn < 300; turn++) await setImmediate();
  // Turns without a pause, then a timer.
  expect({ asked, timers: jest.getTimerCount() }).toEqual({ asked: 200, timers: 1 });
  jest.advanceTimersByTime(1);
  expect(asked).toBe(201);
  jest.advanceTimersByTime(2000);
  const before = asked;
  jest.advanceTimersByTime(4000);
  expect(asked - before).toBe(1000);
  wanted = asked + 1;
  jest.advanceTimersByTime(4);
  await done;
  expect(jest.getTimerCount()).toBe(0);
});

test('whenDone() leaves the event loop free', async () => {
  let ticks = 0;
  let asked = 0;
  const timer = setInterval(() => ticks++, 5);
  // Timers that never had their turn would leave it waiting for good.
  await whenDone(() => ++asked > 0 && ticks > 5);
  clearInterval(timer);
  expect(asked).toBeGreaterThan(5);
});

test('whenDone() keeps the process alive, and no longer than needed', async () => {
  const script = `
    import { whenDone } from '@/src/core/poll.ts';
    const start = Date.now();
    whenDone(() => Date.now() - start > 200).then(() => console.log('done'));`;
  await expect(runChild(script)).resolves.toMatchObject({ code: 0, stdout: 'done\n' });
}, 30_000);
