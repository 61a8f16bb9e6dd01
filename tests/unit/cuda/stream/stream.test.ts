import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { CudaLaunchError, CudaLogicError } from '../../../../src/cuda/errors.ts';
import { Event } from '../../../../src/cuda/stream/event.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { StreamFlags } from '../../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { expectWarnings } from '../../../helpers/warnings.ts';
import { turns, untilCollected } from '../../../helpers/until.ts';

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.busy = false;
  fake.onCall = undefined;
});

/** The calls whose name fits, while `run` runs. */
function calls(pattern: RegExp, run: () => void): unknown[][] {
  const seen: unknown[][] = [];
  fake.onCall = (routine, args) => {
    if (pattern.test(routine)) seen.push([routine, ...args]);
  };
  run();
  fake.onCall = undefined;
  return seen;
}

test('new Stream() and close() make and destroy one', () => {
  const stream = new Stream();
  expect([fake.live.stream, typeof stream.handle]).toEqual([1, 'bigint']);
  stream.close();
  stream.close();
  expect(fake.live.stream).toBe(0);
});

test('new Stream() passes flags and priority on', () => {
  using stream = new Stream({ nonBlocking: true, priority: -3 });
  expect([stream.flags, stream.priority]).toEqual([StreamFlags.NON_BLOCKING, -3]);
  using plain = new Stream();
  expect([plain.flags, plain.priority]).toEqual([StreamFlags.DEFAULT, 0]);
});

test.each([
  [{ nonblocking: true }, TypeError, /Stream has no option 'nonblocking'; it knows nonBlocking, priority/],
  [{ priority: 0.5 }, RangeError, /The stream priority must be an integer/],
  [{ priority: NaN }, RangeError, /got NaN/],
  [{ priority: '1' }, TypeError, /must be a number/],
  [null, TypeError, /options object, got null/],
  [5, TypeError, /options object, got 5/],
])('new Stream(%p) throws and makes nothing', (options, kind, message) => {
  expect(() => new Stream(options as never)).toThrow(kind);
  expect(() => new Stream(options as never)).toThrow(message);
  expect(fake.live.stream).toBe(0);
});

test('synchronize() waits for this stream', () => {
  using stream = new Stream();
  expect(
    calls(/Synchronize/, () => {
      stream.synchronize();
    }),
  ).toEqual([['cuStreamSynchronize', stream.handle]]);
});

test('synchronize() throws what a kernel did', () => {
  using stream = new Stream();
  fake.fail.set('cuStreamSynchronize', 701);
  expect(() => {
    stream.synchronize();
  }).toThrow(CudaLaunchError);
});

test('isDone() tells whether the stream is busy', () => {
  using stream = new Stream();
  fake.busy = true;
  expect(stream.isDone()).toBe(false);
  fake.busy = false;
  expect(stream.isDone()).toBe(true);
});

test('done() resolves when the stream has finished, not before', async () => {
  using stream = new Stream();
  fake.busy = true;
  let done = false;
  const promise = stream.done().then(() => (done = true));
  await turns(20);
  expect(done).toBe(false);
  fake.busy = false;
  await promise;
  expect(done).toBe(true);
});

test('done() rejects with the failure of a kernel', async () => {
  using stream = new Stream();
  fake.fail.set('cuStreamQuery', 701);
  await expect(stream.done()).rejects.toThrow(/cuStreamQuery failed: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES/);
});

test('done() keeps the native stream when it is closed meanwhile', async () => {
  const stream = new Stream();
  fake.busy = true;
  const promise = stream.done();
  stream.close();
  expect(fake.live.stream).toBe(1);
  fake.busy = false;
  await promise;
  expect(fake.live.stream).toBe(0);
});

test('waitForEvent() names both to the driver', () => {
  using stream = new Stream();
  using event = new Event();
  expect(
    calls(/Wait/, () => {
      stream.waitForEvent(event);
    }),
  ).toEqual([['cuStreamWaitEvent', stream.handle, event.handle, 0]]);
});

test('waitForEvent() refuses a stream, which would crash the driver, and other values', () => {
  using stream = new Stream();
  using other = new Stream();
  for (const value of [other, undefined, null, 5, 5n, {}]) {
    expect(() => {
      stream.waitForEvent(value as never);
    }).toThrow(/^Stream\.waitForEvent takes an Event, got .*$/);
  }
});

test('waitForEvent() refuses a closed event', () => {
  using stream = new Stream();
  const event = new Event();
  event.close();
  expect(() => {
    stream.waitForEvent(event);
  }).toThrow(ClosedError);
});

test('every use after close() throws ClosedError', () => {
  const stream = new Stream();
  stream.close();
  using event = new Event();
  const uses: (() => unknown)[] = [
    () => stream.handle,
    () => stream.flags,
    () => stream.priority,
    () => stream.isDone(),
    () => stream.done(),
    () => {
      stream.synchronize();
    },
    () => {
      stream.waitForEvent(event);
    },
    () => event.record(stream),
  ];
  for (const use of uses) expect(use).toThrow(ClosedError);
});

test('asyncDispose waits, then closes', async () => {
  const stream = new Stream();
  fake.busy = true;
  const disposed = stream[Symbol.asyncDispose]();
  await turns(20);
  expect(stream.closed).toBe(false);
  fake.busy = false;
  await disposed;
  expect([stream.closed, fake.live.stream]).toEqual([true, 0]);
  await stream[Symbol.asyncDispose]();
});

test('fromHandle() forgets a borrowed stream on close', () => {
  const raw = new Stream();
  const destroyed = calls(/Destroy/, () => {
    Stream.fromHandle(raw.handle).close();
  });
  expect(destroyed).toEqual([]);
  raw.close();
});

test('fromHandle() destroys an own one', () => {
  const slot = new BigUint64Array(1);
  fake.table.cuStreamCreateWithPriority(slot, 0, 0);
  Stream.fromHandle(slot[0] ?? 0n, { own: true }).close();
  expect(fake.live.stream).toBe(0);
});

test.each([
  [5, {}, TypeError],
  [undefined, {}, TypeError],
  [-1n, {}, RangeError],
  [2n ** 64n, {}, RangeError],
  [5n, { owned: true }, TypeError],
])('fromHandle(%p, %p) throws', (handle, options, kind) => {
  expect(() => Stream.fromHandle(handle as never, options as never)).toThrow(kind);
});

test('perThread() is the default stream of this thread', () => {
  using stream = Stream.perThread();
  expect(stream.handle).toBe(2n);
});

test('new Stream() reports what the driver refuses, and makes nothing', () => {
  fake.fail.set('cuStreamCreateWithPriority', 1);
  expect(() => new Stream()).toThrow(CudaLogicError);
  expect(liveObjects()).not.toHaveProperty('Stream');
});

test('a dropped stream is destroyed by the collector', async () => {
  expectWarnings('RAWKERNEL_LEAK');
  const drop = (): void => {
    for (let i = 0; i < 5; i++) new Stream().isDone();
  };
  drop();
  await untilCollected('the streams are destroyed', () => fake.live.stream === 0);
});

test('a stream that is only borrowed need not be closed', async () => {
  const before = liveObjects();
  (() => {
    for (let i = 0; i < 10; i++) Stream.perThread();
  })();
  await untilCollected('they are gone', () => (liveObjects()['Stream'] ?? 0) === (before['Stream'] ?? 0));
  expect(liveObjects()).toEqual(before);
});
