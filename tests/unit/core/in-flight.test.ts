import { expect, test } from '@jest/globals';
import { flightCount, holdUntil, sweepFlights } from '../../../src/core/in-flight.ts';
import { runChild } from '../../helpers/child.ts';
import { collect, until, untilCollected } from '../../helpers/until.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

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
  await until('it has landed', () => landed.length > 0);
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
  await collect();
  expect(reference.deref()).toBeDefined();
  ready = true;
  sweepFlights();
  await untilCollected('it is let go', () => reference.deref() === undefined);
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

test('a flight that throws is a warning, once, and the others land', async () => {
  const landed: string[] = [];
  let asked = 0;
  const fail = (): never => {
    asked++;
    throw new Error('lost');
  };
  const land = (name: string) => (): void => {
    landed.push(name);
  };
  holdUntil(() => true, land('before'));
  holdUntil(fail, land('never'));
  holdUntil(() => true, fail);
  holdUntil(() => true, land('after'));
  const warnings = expectWarnings('RAWKERNEL_CLEANUP');
  sweepFlights();
  sweepFlights();
  expect([landed, asked, flightCount()]).toEqual([['before', 'after'], 2, 0]);
  await new Promise(setImmediate);
  const said = 'Memory of a command could not be released: Error: lost';
  expect(warnings.map(({ message }) => message)).toEqual([said, said]);
});
