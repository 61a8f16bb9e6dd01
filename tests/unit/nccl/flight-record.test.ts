import { expect, test } from '@jest/globals';
import { callerTrace, type HostTrace } from '../../../src/core/host-place.ts';
import { describeEntry, FlightRecord, MAX_ENTRIES, type NewEntry } from '../../../src/nccl/flight-record.ts';

function call(parts: Partial<NewEntry> = {}): NewEntry {
  return { name: 'allReduce', dtype: 'f32', count: 8, op: 'sum', peer: -1, ...parts };
}

test('collectives are numbered in their order, sends and recvs for each peer', () => {
  const record = new FlightRecord(4);
  for (const one of [
    call(),
    call({ name: 'send', peer: 2 }),
    call({ name: 'send', peer: 1 }),
    call({ name: 'send', peer: 2 }),
    call(),
  ]) {
    record.note(one);
  }
  expect(record.tail(32).map(({ name, sequence, peer }) => [name, sequence, peer])).toEqual([
    ['allReduce', 1, -1],
    ['send', 1, 2],
    ['send', 1, 1],
    ['send', 2, 2],
    ['allReduce', 2, -1],
  ]);
});

test('the head is the first call that is not finished', () => {
  const record = new FlightRecord(2);
  expect(record.head()).toBeUndefined();
  record.note(call());
  record.note(call({ count: 9 }));
  expect(record.head()).toMatchObject({ sequence: 1, isTaken: false });
  record.markTaken();
  record.markDone(1);
  expect(record.head()).toMatchObject({ sequence: 2, isTaken: true, isDone: false });
  record.markDone(2);
  expect(record.head()).toBeUndefined();
  expect(record.tail(1)).toHaveLength(1);
});

test('the ring keeps the last calls, and the tail is around the head', () => {
  const record = new FlightRecord(1);
  for (let i = 1; i <= 3 * MAX_ENTRIES; i++) record.note(call({ count: i }));
  record.markDone(3 * MAX_ENTRIES - 10);
  expect(record.head()).toMatchObject({ sequence: 3 * MAX_ENTRIES - 9, count: 3 * MAX_ENTRIES - 9 });
  const tail = record.tail(32);
  expect(tail).toHaveLength(32);
  expect(tail.at(-1)?.sequence).toBe(3 * MAX_ENTRIES);
  expect(tail[0]?.sequence).toBe(3 * MAX_ENTRIES - 31);
});

test('an entry knows the line of the program', () => {
  const record = new FlightRecord(1);
  const trace = (): HostTrace => callerTrace(trace);
  record.note(call(), trace());
  record.note(call());
  record.traceLast(trace());
  const [noted, later] = record.tail(4).map((entry) => describeEntry(entry));
  expect(noted).toMatch(/^allReduce #1 f32 x 8 sum \(tests\/unit\/nccl\/flight-record\.test\.ts:\d+\)$/);
  expect(later).toMatch(/^allReduce #2 f32 x 8 sum \(tests\/unit\/nccl\/flight-record\.test\.ts:\d+\)$/);
  expect(later?.slice(16)).not.toBe(noted?.slice(16));
});
