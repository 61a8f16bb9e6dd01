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

describe('Of many kernels whose end is not asked for', () => {
  const COUNT = 200;
  const PENDING = 1;

  /** Enqueues kernels that are pending, ends them by `statusOf` their number, sweeps; how often the driver was asked. */
  function launched(
    queue: cl.CommandQueue,
    statusOf: (i: number) => number,
    waitFor?: readonly cl.Event[],
  ): { readonly kept: readonly cl.Event[]; readonly asked: number } {
    fake.parameters = [];
    using prg = new cl.Program(ctx, '// not told').build('', { cache: false });
    using kernel = new cl.Kernel(prg, 'f');
    fake.eventStatus = PENDING;
    const kept = Array.from({ length: COUNT }, () => kernel(queue, 1, null, ...(waitFor ? [{ waitFor }] : [])));
    const numbers = new Map<bigint, number>();
    kept.forEach((event, i) => numbers.set(event.unfinished as bigint, i));
    fake.eventStatus = (event) => statusOf(numbers.get(event) ?? 0);
    const before = fake.calls.length;
    queue.finish();
    return { kept, asked: fake.calls.slice(before).filter((call) => call === 'clGetEventInfo').length };
  }

  test('few are asked about on an in-order queue, and all are released', () => {
    using queue = new cl.CommandQueue(ctx);
    const { kept, asked } = launched(queue, () => 0);
    expect(asked).toBeLessThan(20);
    expect(events()).toBe(0);
    expect(kept.every((event) => event.status === 0)).toBe(true);
  });

  test('those behind the last that has ended stay', () => {
    using queue = new cl.CommandQueue(ctx);
    const { kept, asked } = launched(queue, (i) => (i < 150 ? 0 : PENDING));
    expect(asked).toBeLessThan(20);
    expect(events()).toBe(50);
    expect(kept.map((event) => event.isDone).indexOf(false)).toBe(150);
    fake.eventStatus = 0;
    queue.finish();
  });

  test('one that fails says so, however many fail with it', () => {
    using queue = new cl.CommandQueue(ctx);
    const { kept } = launched(queue, (i) => (i < 77 ? 0 : -5));
    expect(events()).toBe(0);
    expect(kept.map((event) => event.status).indexOf(-5)).toBe(77);
    expect(() => {
      kept[77]?.wait();
    }).toThrow('the command ended with CL_OUT_OF_RESOURCES (-5)');
  });

  test('one that had a wait list is asked, since it may fail alone', () => {
    using other = new cl.CommandQueue(ctx);
    using queue = new cl.CommandQueue(ctx);
    fake.eventStatus = PENDING;
    const { kept } = launched(queue, (i) => (i === 60 ? -14 : 0), [cl.enqueueMarker(other)]);
    expect(kept[60]?.status).toBe(-14);
    other.finish();
    expect(events()).toBe(0);
  });

  test.each<[string, cl.CommandQueueOptions]>([
    ['an out-of-order queue', { outOfOrder: true }],
    ['a queue with profiles', { profiling: true }],
  ])('each is asked on %s', (_, options) => {
    using queue = new cl.CommandQueue(ctx, options);
    const { kept } = launched(queue, (i) => (i === 60 ? -5 : 0));
    expect(kept[60]?.status).toBe(-5);
    expect(events()).toBe(0);
  });

  test('one that the driver cannot be asked about stays, and its error is thrown', () => {
    using queue = new cl.CommandQueue(ctx);
    const cannot = (i: number): number => {
      // The half is the first to be asked about.
      if (i === COUNT / 2) fake.fail.set('clGetEventInfo', [-5, -5]);
      return 0;
    };
    expect(() => launched(queue, cannot)).toThrow('clGetEventInfo failed: CL_OUT_OF_RESOURCES');
    expect(events()).toBe(1);
    fake.eventStatus = 0;
    queue.finish();
    expect(events()).toBe(0);
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
