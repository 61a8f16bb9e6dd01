import { expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

test('waits and writes reach the driver by their width, with their flags', () => {
  using stream = new Stream();
  using memory = memAlloc(16);
  const { handle } = stream;
  const seen: unknown[][] = [];
  fake.onCall = (routine, args) => {
    if (routine.includes('Value')) seen.push([routine, ...args]);
  };
  stream.waitValue(memory, 7);
  stream.waitValue(memory, 7n, { compare: 'nor', flush: true });
  stream.waitValue(memory.slice(8), 2n ** 40n, { bits: 64, compare: 'eq' });
  stream.writeValue(memory, 0xffff_ffff);
  stream.writeValue(memory.ptr, 2 ** 40, { bits: 64, noBarrier: true });
  fake.onCall = undefined;
  expect(seen).toEqual([
    ['cuStreamWaitValue32', handle, memory.ptr, 7, 0],
    ['cuStreamWaitValue32', handle, memory.ptr, 7, 0x4000_0003],
    ['cuStreamWaitValue64', handle, memory.ptr + 8n, 2n ** 40n, 1],
    ['cuStreamWriteValue32', handle, memory.ptr, 0xffff_ffff, 0],
    ['cuStreamWriteValue64', handle, memory.ptr, 2n ** 40n, 1],
  ]);
});

test.each<[unknown[], RegExp]>([
  [[2 ** 32], /from 0 to 2\^32 - 1, got 4294967296/],
  [[-1], /from 0 to 2\^32 - 1/],
  [[0.5], /got 0.5/],
  [['1'], /must be a number or a bigint, got the string "1"/],
  [[2n ** 64n, { bits: 64 }], /2\^64 - 1/],
  [[1, { bits: 16 }], /bits must be 32 or 64, got 16/],
  [[1, { bit: 32 }], /no option 'bit'/],
  [[1, null], /options object, got null/],
])('waitValue and writeValue refuse %p', (args, message) => {
  using stream = new Stream();
  using memory = memAlloc(8);
  for (const method of ['waitValue', 'writeValue'] as const) {
    expect(() => {
      (stream[method] as (...values: unknown[]) => void).call(stream, memory, ...args);
    }).toThrow(message);
  }
});

test('memory that is too small, not aligned or gone is refused', () => {
  using stream = new Stream();
  const memory = memAlloc(8);
  expect(() => {
    stream.waitValue(memory.slice(2), 1);
  }).toThrow(/not a multiple of 4/);
  expect(() => {
    stream.writeValue(memory.slice(6), 1);
  }).toThrow(/has 2 bytes; 4 were asked for/);
  expect(() => {
    stream.waitValue(memory, 1, { compare: 'less' as never });
  }).toThrow(/compare must be 'geq'/);
  memory.close();
  expect(() => {
    stream.writeValue(memory, 1);
  }).toThrow(ClosedError);
});

test('a batch reaches the driver as one call', () => {
  using stream = new Stream();
  using memory = memAlloc(16);
  let words: bigint[] = [];
  let rest: unknown[] = [];
  fake.onCall = (routine, [handle, count, params, flags]) => {
    if (routine !== 'cuStreamBatchMemOp') return;
    words = [...new BigUint64Array((params as Uint8Array<ArrayBuffer>).buffer)];
    rest = [handle, count, flags];
  };
  stream.batchMemOp([
    { write: memory, value: 7, noBarrier: true },
    { wait: memory.slice(8), value: 2n ** 40n, bits: 64, compare: 'eq' },
  ]);
  fake.onCall = undefined;
  expect(rest).toEqual([stream.handle, 2, 0]);
  expect(words).toEqual([2n, memory.ptr, 7n, 1n, 0n, 0n, 4n, memory.ptr + 8n, 2n ** 40n, 1n, 0n, 0n]);
});

test.each<[unknown, RegExp]>([
  [[], /takes 1 to 255 operations, got 0/],
  [Array.from({ length: 256 }, () => ({ write: 8n, value: 1 })), /got 256/],
  [5, /an array of operations, got 5/],
  [[null], /operation 0 must be .*got null/],
  [[{ value: 1 }], /operation 0 must be/],
  [[{ wait: 8n, write: 8n, value: 1 }], /operation 0 must be/],
  [[{ write: 8n, value: 2 ** 32 }], /from 0 to 2\^32 - 1/],
  [[{ wait: 8n, value: 1, noBarrier: true }], /no option 'noBarrier'/],
])('batchMemOp refuses %p', (operations, message) => {
  using stream = new Stream();
  expect(() => {
    stream.batchMemOp(operations as never);
  }).toThrow(message);
});
