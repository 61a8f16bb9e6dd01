import { writeFileSync } from 'node:fs';
import { sweepFlights } from '../../src/core/in-flight.ts';
import * as cuda from '../../src/cuda/index.ts';
import { useTables } from '../../src/cuda/select.ts';
import type { DriverTable } from '../../src/cuda/sys/tables.ts';
import { functions } from '../../src/cuda/sys/driver.ts';
import { wrapTable } from '../../src/ffi/bind.ts';
import { fakeDriver } from './fake-driver.ts';
import { read, type Around, type Ground } from './faults.ts';

/** A fake driver for one run, with a context that is current; each call goes through `around`. */
export function fakeGround(around: Around): Ground {
  const fake = fakeDriver();
  const table: DriverTable = wrapTable(
    functions,
    fake.table,
    (name, _text, call) =>
      (...args) =>
        around(name, args, () => (name === 'cuGraphDebugDotPrint' ? print(args) : call(...args))),
  );
  let current = 0n;
  fake.onCall = (_routine, _args, context) => (current = context);
  fake.globals.set('table', new Uint8Array(16));
  fake.references.set('image', new Map());
  useTables({ driver: table });
  const context = new cuda.Context(new cuda.Device(0));
  return {
    state: () => {
      sweepFlights();
      const live = Object.entries(fake.live).filter(([, count]) => count !== 0);
      // Asks, so that the fake tells it.
      read(cuda.Context.current);
      return JSON.stringify([Object.fromEntries(live), String(current)]);
    },
    end: () => {
      sweepFlights();
      context.close();
      // It stays for what is collected later.
      useTables({ driver: fake.table });
    },
  };
}

/** What the fake driver does not: write a file. */
function print([, path]: readonly unknown[]): number {
  writeFileSync(String(path), 'digraph {}');
  return 0;
}
