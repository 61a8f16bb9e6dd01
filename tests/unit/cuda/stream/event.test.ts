import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { CudaLogicError, CudaRuntimeError } from '../../../../src/cuda/errors.ts';
import { Event } from '../../../../src/cuda/stream/event.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { EventFlags } from '../../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { turns } from '../../../helpers/until.ts';

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.busy = false;
  fake.onCall = undefined;
});

test.each([
  [{}, EventFlags.DEFAULT],
  [{ timing: false }, EventFlags.DISABLE_TIMING],
  [{ blockingSync: true }, EventFlags.BLOCKING_SYNC],
  [{ timing: false, interprocess: true }, EventFlags.DISABLE_TIMING | EventFlags.INTERPROCESS],
])('new Event(%j) asks for its flags', (options, flags) => {
  let seen: unknown;
  fake.onCall = (routine, args) => {
    if (routine === 'cuEventCreate') seen = args[1];
  };
  new Event(options).close();
  expect(seen).toBe(flags);
});

test.each([
  [{ interprocess: true }, /An interprocess event cannot record times: pass timing: false/],
  [{ timings: true }, /Event has no option 'timings'/],
  [null, /options object/],
])('new Event(%j) is a TypeError', (options, message) => {
  expect(() => new Event(options as never)).toThrow(TypeError);
  expect(() => new Event(options as never)).toThrow(message);
  expect(fake.live.event).toBe(0);
});

test('record() marks a stream and returns the event', () => {
  using stream = new Stream();
  using event = new Event();
  const seen: unknown[] = [];
  fake.onCall = (routine, args) => {
    if (routine === 'cuEventRecord') seen.push(...args);
  };
  expect(event.record(stream)).toBe(event);
  event.record();
  expect(seen).toEqual([event.handle, stream.handle, event.handle, 0n]);
});

test.each([5, {}, 'x', true])('record(%p) is a TypeError', (stream) => {
  using event = new Event();
  expect(() => event.record(stream as never)).toThrow(/^Event.record: stream must be a Stream or null, got .+$/);
});

test('synchronize() returns the event', () => {
  using event = new Event();
  expect(event.record().synchronize()).toBe(event);
});

test('query() tells whether the mark was passed', () => {
  using event = new Event().record();
  fake.busy = true;
  expect(event.query()).toBe(false);
  fake.busy = false;
  expect(event.query()).toBe(true);
});

test('done() resolves when the mark was passed', async () => {
  using event = new Event().record();
  fake.busy = true;
  let done = false;
  const promise = event.done().then(() => (done = true));
  await turns(20);
  expect(done).toBe(false);
  fake.busy = false;
  await promise;
});

test('done() rejects with what the driver reports', async () => {
  using event = new Event().record();
  fake.fail.set('cuEventQuery', 1);
  await expect(event.done()).rejects.toThrow(CudaLogicError);
});

test('done() keeps the native event when it is closed meanwhile', async () => {
  const event = new Event().record();
  fake.busy = true;
  const promise = event.done();
  event.close();
  expect(fake.live.event).toBe(1);
  fake.busy = false;
  await promise;
  expect(fake.live.event).toBe(0);
});

test('timeSince() and timeTill() give milliseconds', () => {
  using start = new Event().record();
  using end = new Event().record();
  expect([end.timeSince(start), start.timeTill(end)]).toEqual([1.5, 1.5]);
});

test('timeSince() of an event that was never recorded says so', () => {
  using start = new Event();
  using end = new Event().record();
  expect(() => end.timeSince(start)).toThrow(CudaLogicError);
  expect(() => end.timeSince(start)).toThrow(
    /CUDA_ERROR_INVALID_HANDLE\nAn event was never recorded: call record\(\) first/,
  );
});

test('timeSince() of an event without times says so', () => {
  using start = new Event({ timing: false }).record();
  using end = new Event().record();
  fake.fail.set('cuEventElapsedTime', 400);
  expect(() => end.timeSince(start)).toThrow(/An event was made with timing: false and has no time/);
});

test('timeSince() of events of two contexts says so', () => {
  using start = new Event().record();
  using end = new Event().record();
  fake.fail.set('cuEventElapsedTime', 400);
  expect(() => end.timeSince(start)).toThrow(/The events belong to different contexts/);
});

test('timeSince() before the device has passed the events says what to do', () => {
  using start = new Event().record();
  using end = new Event().record();
  fake.busy = true;
  expect(() => end.timeSince(start)).toThrow(CudaRuntimeError);
  expect(() => end.timeSince(start)).toThrow(
    /CUDA_ERROR_NOT_READY\nThe device has not passed both events yet: synchronize/,
  );
});

test('timeSince() and timeTill() refuse what is not an event', () => {
  using event = new Event().record();
  using stream = new Stream();
  for (const value of [stream, undefined, null, 5n, {}]) {
    expect(() => event.timeSince(value as never)).toThrow(/^Event\.timeSince takes an Event, got .*$/);
    expect(() => event.timeTill(value as never)).toThrow(/^Event\.timeTill takes an Event, got .*$/);
  }
});

test('every use after close() throws ClosedError', () => {
  const event = new Event().record();
  event.close();
  using other = new Event().record();
  const uses: (() => unknown)[] = [
    () => event.handle,
    () => event.record(),
    () => event.synchronize(),
    () => event.query(),
    () => event.done(),
    () => event.timeSince(other),
    () => other.timeSince(event),
    () => event.timeTill(other),
  ];
  for (const use of uses) expect(use).toThrow(ClosedError);
});

test('10,000 events made and closed leave none', () => {
  for (let i = 0; i < 10_000; i++) new Event().close();
  expect(fake.live.event).toBe(0);
});
