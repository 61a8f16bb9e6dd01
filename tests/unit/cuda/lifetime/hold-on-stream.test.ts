import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { flightCount, sweepFlights } from '../../../../src/core/in-flight.ts';
import { Context } from '../../../../src/cuda/device/context.ts';
import { memcpyHtoDAsync } from '../../../../src/cuda/copy/memcpy.ts';
import { memAlloc, type DeviceAllocation } from '../../../../src/cuda/memory/memory.ts';
import { endStream, holdOnStream } from '../../../../src/cuda/lifetime/hold-on-stream.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();
let calls: string[] = [];
let memory: DeviceAllocation;

beforeEach(() => {
  memory = memAlloc(64);
  calls = [];
  fake.onCall = (routine) => {
    if (/^cu(?:Event|StreamDestroy|CtxSynchronize)/.test(routine)) calls.push(routine);
  };
});
afterEach(() => {
  fake.busy = false;
  fake.fail.clear();
  sweepFlights();
  memory.close();
  expect([flightCount(), fake.live.event, fake.live.memory]).toEqual([0, 0, 0]);
});

function copies(count: number, stream: Stream | null): void {
  for (let i = 0; i < count; i++) memcpyHtoDAsync(memory, new Float32Array(4), stream);
}

function count(routine: string): number {
  return calls.filter((one) => one === routine).length;
}

test('consecutive copies share a mark, which is made on demand', () => {
  using stream = new Stream();
  copies(3, stream);
  expect([calls, flightCount()]).toEqual([[], 1]);
  sweepFlights();
  expect(calls).toEqual(['cuEventCreate', 'cuEventRecord', 'cuEventQuery', 'cuEventDestroy']);
});

test('a mark is for sixteen', () => {
  using stream = new Stream();
  copies(16 + 16 + 1, stream);
  expect([count('cuEventRecord'), flightCount()]).toEqual([2, 3]);
});

test('what is held stays until the mark has been passed', () => {
  using stream = new Stream();
  const landed: number[] = [];
  fake.busy = true;
  holdOnStream(stream.handle, () => landed.push(1));
  sweepFlights();
  holdOnStream(stream.handle, () => landed.push(2));
  sweepFlights();
  expect([landed, count('cuEventRecord')]).toEqual([[], 2]);
  fake.busy = false;
  sweepFlights();
  expect(landed).toEqual([1, 2]);
});

test('a stream that goes is marked before', () => {
  const stream = new Stream();
  fake.busy = true;
  copies(1, stream);
  stream.close();
  expect(calls).toEqual(['cuEventCreate', 'cuEventRecord', 'cuStreamDestroy']);
  expect(flightCount()).toBe(1);
});

test('a foreign stream, whose owner may destroy it, is marked at once', () => {
  using stream = new Stream();
  using foreign = Stream.fromHandle(stream.handle + 0x1000n);
  copies(2, foreign);
  expect([count('cuEventRecord'), flightCount()]).toEqual([2, 2]);
});

test('the default stream of another context has marks of its own, in that context', () => {
  const contexts: bigint[] = [];
  const first = Context.current;
  copies(1, null);
  const other = new Context({ own: true });
  const there = memAlloc(64);
  memcpyHtoDAsync(there, new Float32Array(4));
  fake.onCall = (routine, _, context) => {
    if (routine === 'cuEventRecord') contexts.push(context);
  };
  sweepFlights();
  there.close();
  const own = other.handle;
  other.close();
  first?.makeCurrent();
  expect(contexts).toEqual([own]);
});

test('a context that is lost holds nothing: nothing runs there', () => {
  using stream = new Stream();
  const landed: number[] = [];
  fake.busy = true;
  holdOnStream(stream.handle, () => landed.push(1));
  fake.fail.set('cuEventRecord', 700);
  sweepFlights();
  expect(landed).toEqual([1]);
});

test('while a stream is captured no mark is made on it; what others hold lands', () => {
  using stream = new Stream();
  using other = new Stream();
  copies(3, stream);
  stream.beginCapture('global');
  copies(1, other);
  sweepFlights();
  expect([calls, flightCount()]).toEqual([['cuEventCreate', 'cuEventRecord', 'cuEventQuery', 'cuEventDestroy'], 1]);
  stream.endCapture().close();
  sweepFlights();
  expect([count('cuEventRecord'), flightCount()]).toEqual([2, 0]);
});

test('a foreign stream is marked at once, also while another is captured', () => {
  using stream = new Stream();
  using foreign = Stream.fromHandle(stream.handle + 0x1000n);
  stream.beginCapture();
  copies(1, foreign);
  expect(calls).toEqual(['cuEventCreate', 'cuEventRecord']);
  stream.endCapture().close();
});

test('a stream that goes while it is captured is waited for afterwards', () => {
  using stream = new Stream();
  copies(1, stream);
  stream.beginCapture();
  endStream(stream.handle);
  expect(calls).toEqual([]);
  stream.endCapture().close();
  sweepFlights();
  expect(calls).toEqual(['cuCtxSynchronize']);
});
