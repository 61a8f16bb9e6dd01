import { expect, test } from '@jest/globals';
import { flightCount, holdUntil, sweepFlights } from '../../../src/core/in-flight.ts';
import { runChild } from '../../helpers/child.ts';

test('sweepFlights() lands what has finished, once, and keeps the rest', () => {
  const landed: string[] = [];
  let ready = false;
  holdUntil(
    () => true,
    () => landed.push('a'),
  );
  holdUntil(
    () => ready,
    () => landed.push('b'),
  );
  sweepFlights();
  expect([landed, flightCount()]).toEqual([['a'], 1]);
  ready = true;
  sweepFlights();
  sweepFlights();
  expect([landed, flightCount()]).toEqual([['a', 'b'], 0]);
});

test('holdUntil() lands by itself after a while', async () => {
  const landed: string[] = [];
  holdUntil(
    () => true,
    () => landed.push('alone'),
  );
  expect(landed).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(landed).toEqual(['alone']);
});

test('holdUntil() keeps what the landing refers to', async () => {
  let ready = false;
  const hold = (): WeakRef<object> => {
    const held = { big: new Uint8Array(1000) };
    holdUntil(
      () => ready,
      () => held.big.fill(0),
    );
    return new WeakRef(held);
  };
  const reference = hold();
  await new Promise(setImmediate);
  globalThis.gc?.();
  expect(reference.deref()).toBeDefined();
  ready = true;
  sweepFlights();
  await new Promise(setImmediate);
  globalThis.gc?.();
  expect(reference.deref()).toBeUndefined();
});

test('a landing may start another flight', () => {
  const landed: string[] = [];
  holdUntil(
    () => true,
    () => {
      landed.push('first');
      holdUntil(
        () => true,
        () => landed.push('second'),
      );
    },
  );
  sweepFlights();
  sweepFlights();
  expect([landed, flightCount()]).toEqual([['first', 'second'], 0]);
});

test('holdUntil() lands what has finished in a loop that never yields', () => {
  let most = 0;
  let ready = false;
  for (let i = 0; i < 100; i++) {
    holdUntil(
      () => ready,
      () => {},
    );
  }
  let asked = 0;
  for (let i = 0; i < 10_000; i++) {
    holdUntil(
      () => ++asked > 0,
      () => {
        if (i % 2 === 0) return;
        holdUntil(
          () => true,
          () => {},
        );
      },
    );
    most = Math.max(most, flightCount());
  }
  expect(most).toBeLessThan(1000);
  expect(asked).toBeLessThanOrEqual(10_000);
  ready = true;
  sweepFlights();
  sweepFlights();
  expect(flightCount()).toBe(0);
});

test('holdUntil() asks each of many that take long a few times only', () => {
  let asked = 0;
  let ready = false;
  const hold = (): boolean => {
    asked++;
    return ready;
  };
  for (let i = 0; i < 10_000; i++) holdUntil(hold, () => {});
  expect(asked).toBeLessThan(20_000);
  ready = true;
  sweepFlights();
  expect(flightCount()).toBe(0);
});

test('holdUntil() does not keep the process alive', async () => {
  const script = `
    import { holdUntil } from '@/src/core/in-flight.ts';
    holdUntil(() => false, () => {});
    console.log('end');`;
  await expect(runChild(script)).resolves.toMatchObject({ code: 0, stdout: 'end\n' });
}, 30_000);
