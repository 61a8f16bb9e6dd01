import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';
import { expectWarnings } from '../../../helpers/warnings.ts';

let fake: FakeOpenCL;
let ctx: cl.Context;

beforeEach(() => {
  fake = fakeOpenCL();
  useOpenCL(fake.table);
  ctx = cl.createSomeContext();
});
afterEach(() => {
  ctx.close();
  sweepFlights();
  useOpenCL(undefined);
});

const events = (): number | undefined => fake.live.get('event');

describe.each([
  ['in-order', false],
  ['out-of-order', true],
])('A sweep of an %s queue', (_, outOfOrder) => {
  test('settles all but the event that the driver cannot be asked about, and throws the error of the driver', () => {
    using queue = new cl.CommandQueue(ctx, { outOfOrder });
    fake.eventStatus = 1;
    for (let i = 0; i < 3; i++) cl.enqueueMarker(queue);
    fake.eventStatus = 0;
    fake.fail.set('clGetEventInfo', [-5]);
    expect(() => queue.finish()).toThrow('clGetEventInfo failed: CL_OUT_OF_RESOURCES');
    expect(events()).toBe(1);
    queue.finish();
    expect(events()).toBe(0);
  });

  test('of a released queue releases an event that the driver cannot be asked about', () => {
    const heard = expectWarnings('RAWKERNEL_CLEANUP');
    const queue = new cl.CommandQueue(ctx, { outOfOrder });
    fake.eventStatus = 1;
    for (let i = 0; i < 3; i++) cl.enqueueMarker(queue);
    fake.fail.set('clGetEventInfo', [-5]);
    queue.close();
    expect(events()).toBe(2);
    fake.eventStatus = 0;
    sweepFlights();
    expect(events()).toBe(0);
    expect(String(heard)).toContain('clGetEventInfo failed');
  });
});

test('close() of an event of which the driver cannot be asked warns, and lets go', () => {
  const heard = expectWarnings('RAWKERNEL_CLEANUP');
  const go = new cl.UserEvent(ctx);
  fake.fail.set('clGetEventInfo', [-5]);
  go.close();
  expect(String(heard)).toContain('clGetEventInfo failed');
  expect(events()).toBe(0);
});
