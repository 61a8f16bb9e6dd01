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

test('holdUntil() does not keep the process alive', async () => {
  const script = `
    import { holdUntil } from '@/src/core/in-flight.ts';
    holdUntil(() => false, () => {});
    console.log('end');`;
  await expect(runChild(script)).resolves.toMatchObject({ code: 0, stdout: 'end\n' });
}, 30_000);
