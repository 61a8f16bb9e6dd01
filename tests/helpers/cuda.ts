import { afterAll, beforeAll } from '@jest/globals';
import { sweepFlights } from '../../src/core/in-flight.ts';
import { Context } from '../../src/cuda/device/context.ts';
import { Device } from '../../src/cuda/device/device.ts';
import { fakeDriver, type FakeDriver } from './fake-driver.ts';
import { useTables } from '../../src/cuda/select.ts';

/** Put a fake driver under the CUDA half for the tests of this file, with a primary context that is current. */
export function withFakeDriver(): FakeDriver {
  const fake = fakeDriver();
  let context: Context | undefined;
  useTables({ driver: fake.table });
  beforeAll(() => {
    context = new Context(new Device(0));
  });
  afterAll(() => {
    // What is still in flight asks the driver from a timer.
    fake.busy = false;
    sweepFlights();
    context?.close();
    // It stays: what the tests dropped may be collected at any later time, also when the worker runs another file, and
    // handles that a fake made up must not reach the driver of this machine, which does not survive them.
  });
  return fake;
}

/** A primary context of a real device for the tests of this file. */
export function withDevice(ordinal = 0): void {
  let context: Context | undefined;
  beforeAll(() => {
    context = new Context(new Device(ordinal));
  });
  afterAll(() => {
    context?.synchronize();
    // The process may end before the next sweep.
    sweepFlights();
    context?.close();
  });
}
