import { expect, test } from '@jest/globals';
import type { FlightEntry } from '../../../src/nccl/flight-record.ts';
import { ranksText, reportHang, type RankState } from '../../../src/nccl/hang-report.ts';

function entry(parts: Partial<FlightEntry>): FlightEntry {
  return {
    sequence: 41,
    name: 'allReduce',
    dtype: 'f32',
    count: 1024,
    op: 'sum',
    peer: -1,
    isTaken: true,
    isDone: false,
    place: 'train.ts:30',
    ...parts,
  };
}

const broadcast = entry({ name: 'broadcast', op: undefined, peer: 0, place: 'train.ts:31' });

/** Ranks whose calls are given; undefined: those of most. */
function ranks(most: FlightEntry[], other: Readonly<Record<number, Partial<RankState>>>, size = 4): RankState[] {
  return Array.from({ length: size }, (_, rank) => ({ rank, entries: most, ...other[rank] }));
}

const lines = (states: readonly RankState[], timeoutMs?: number): readonly string[] =>
  reportHang(states, timeoutMs).lines;

test.each<[what: string, other: FlightEntry, line: string, cause: string]>([
  [
    'operation',
    broadcast,
    'rank 2 is at broadcast #41 f32 x 1024 from rank 0 (train.ts:31); ranks 0, 1, 3 are at allReduce #41 f32 x 1024 sum (train.ts:30)',
    'The operation differs',
  ],
  [
    'count',
    entry({ count: 512 }),
    'rank 2 is at allReduce #41 f32 x 512 sum (train.ts:30); ranks 0, 1, 3 are at allReduce #41 f32 x 1024 sum (train.ts:30)',
    'The count differs',
  ],
  [
    'dtype',
    entry({ dtype: 'f16' }),
    'rank 2 is at allReduce #41 f16 x 1024 sum (train.ts:30); ranks 0, 1, 3 are at allReduce #41 f32 x 1024 sum (train.ts:30)',
    'The dtype differs',
  ],
  [
    'reduction',
    entry({ op: 'max' }),
    'rank 2 is at allReduce #41 f32 x 1024 max (train.ts:30); ranks 0, 1, 3 are at allReduce #41 f32 x 1024 sum (train.ts:30)',
    'The reduction differs',
  ],
])('a mismatch of the %s is named with rank and line', (_what, other, line, cause) => {
  expect(lines(ranks([entry({})], { 2: { entries: [other] } }))).toEqual([
    line,
    `${cause}: all ranks must make the same calls in the same order`,
  ]);
});

test('a mismatch of the root is named', () => {
  const found = lines(ranks([broadcast], { 1: { entries: [entry({ ...broadcast, peer: 3 })] } }));
  expect(found[0]).toContain('rank 1 is at broadcast #41 f32 x 1024 from rank 3');
  expect(found[1]).toContain('The root differs');
});

test('calls in another order are named as that', () => {
  const [a, b] = [entry({}), entry({ ...broadcast, sequence: 42 })];
  const swapped = [entry({ ...broadcast, sequence: 41 }), entry({ sequence: 42 })];
  expect(lines(ranks([a, b], { 0: { entries: swapped } }))[1]).toContain('The order of the calls differs');
});

test('a mismatch is found behind calls that went through', () => {
  const earlier = entry({ isDone: true, sequence: 40 });
  const small = entry({ isDone: true, sequence: 40, count: 512, place: 'train.ts:29' });
  const found = lines(ranks([earlier, entry({})], { 3: { entries: [small, entry({})] } }));
  expect(found[0]).toContain('rank 3 is at allReduce #40 f32 x 512 sum (train.ts:29)');
});

test('a rank that has not called is named with its last call', () => {
  const last = entry({ isDone: true, sequence: 40, place: 'train.ts:29' });
  expect(lines(ranks([last, entry({})], { 2: { entries: [last] } }))).toEqual([
    'ranks 0, 1, 3 are at allReduce #41 f32 x 1024 sum (train.ts:30)',
    'rank 2 has not called #41: its last call, allReduce #40 f32 x 1024 sum (train.ts:29), is finished',
  ]);
  expect(lines(ranks([entry({})], { 2: { entries: [] } }))[1]).toBe(
    'rank 2 has not called #41: it has made no call on this communicator',
  );
  expect(lines(ranks([entry({})], { 2: { entries: [], waiting: 'split (train.ts:9)' } }))[1]).toBe(
    'rank 2 waits in split (train.ts:9)',
  );
});

test('a rank that does not come to a split, a send or a recv is named with what it has not called', () => {
  const last = entry({ isDone: true });
  const waits = { entries: [last], waiting: 'split (train.ts:9)' };
  expect(lines(ranks([last], { 0: waits, 1: waits, 3: waits }))).toEqual([
    'ranks 0, 1, 3 wait in split (train.ts:9)',
    'rank 2 has not called split: its last call, allReduce #41 f32 x 1024 sum (train.ts:30), is finished',
  ]);
  const send = entry({ name: 'send', op: undefined, peer: 1, sequence: 3 });
  expect(lines(ranks([], { 0: { entries: [send] } }, 2))[1]).toBe(
    'rank 1 has not called recv #3 from rank 0: it has made no call on this communicator',
  );
  const recv = entry({ name: 'recv', op: undefined, peer: 0, sequence: 3 });
  expect(lines(ranks([], { 1: { entries: [recv] } }, 2))[1]).toBe(
    'rank 0 has not called send #3 to rank 1: it has made no call on this communicator',
  );
});

test('ranks that come twice, or count other ranks, are named', () => {
  const come = { entries: [], waiting: 'init', comers: 1, sizes: [4] };
  const missing = { entries: [], isMissing: true, comers: 0, sizes: [] };
  expect(lines(ranks([], { 0: { ...come, comers: 2 }, 1: come, 2: missing, 3: come }))).toEqual([
    'rank 0 has come twice: several processes have this number; each rank must have one of its own',
    'rank 2 has not come to init',
    'ranks 0, 1, 3 wait in init',
  ]);
  expect(lines(ranks([], { 0: come, 1: come, 2: { ...come, sizes: [5] }, 3: come }))[0]).toBe(
    'The number of ranks differs: rank 2 counts 5 ranks; ranks 0, 1, 3 count 4 ranks',
  );
});

test('a rank that has closed or aborted the communicator, or has failed, is named', () => {
  const others = (of: Partial<RankState>): readonly string[] =>
    lines(ranks([entry({})], { 2: { entries: [], ...of } }));
  expect(others({ gone: { how: 'closed', calls: 40 } })).toEqual([
    'rank 2 has closed the communicator before allReduce #41',
    'ranks 0, 1, 3 are at allReduce #41 f32 x 1024 sum (train.ts:30)',
  ]);
  expect(others({ gone: { how: 'aborted', calls: 41 } })[0]).toBe(
    'rank 2 has aborted the communicator in allReduce #41',
  );
  expect(others({ failed: 'cuEventRecord failed' })[0]).toBe('rank 2 makes no more calls: cuEventRecord failed');
  const waits = { entries: [], waiting: 'init' };
  const failed = { entries: [], gone: { how: 'failed', calls: 0 }, failed: 'ncclInvalidUsage' } as const;
  expect(lines(ranks([], { 0: waits, 1: waits, 2: failed, 3: waits }))[0]).toBe(
    'rank 2 has failed in init: ncclInvalidUsage',
  );
});

test('without the store, only its end is known', () => {
  const unknown = { entries: [], isUnknown: true };
  const gone = { entries: [], left: 'connection lost' };
  const found = reportHang(ranks([entry({})], { 0: gone, 1: unknown, 2: unknown }), 1000, 'The store is lost');
  expect(found.lines).toEqual([
    'rank 0 was killed, or has lost its connection, before allReduce #41 was finished',
    'The store is lost',
    'rank 3 is at allReduce #41 f32 x 1024 sum (train.ts:30)',
  ]);
});

test('the kernels before a call that all have made are told', () => {
  const found = lines(ranks([entry({})], { 2: { launched: 'spin grid [1, 1, 1] block [1, 1, 1]' } }));
  expect(found[1]).toBe('Kernels launched last: rank 2: spin grid [1, 1, 1] block [1, 1, 1]; ranks 0, 1, 3: none');
});

test('a rank that has died is named with the reason', () => {
  const found = lines(ranks([entry({})], { 3: { entries: [], left: 'signal SIGKILL', isSilent: true } }));
  expect(found[0]).toBe('rank 3 exited with signal SIGKILL before allReduce #41 was finished');
  const during = lines(ranks([entry({})], { 3: { left: 'exit code 3', isSilent: true } }));
  expect(during[0]).toBe('rank 3 exited with code 3 in allReduce #41');
  const lost = lines(ranks([entry({})], { 0: { entries: [], left: 'connection lost', isSilent: true } }));
  expect(lost[0]).toBe('rank 0 was killed, or has lost its connection, before allReduce #41 was finished');
  expect(lines(ranks([entry({})], { 0: { entries: [], left: 'closed', isSilent: true } }))[0]).toBe(
    'rank 0 has left the job while allReduce #41 waited for it',
  );
  expect(lines(ranks([entry({})], { 1: { entries: [], left: 'exit code 0', isSilent: true } }))[0]).toBe(
    'rank 1 ended with exit code 0 while allReduce #41 waited for it',
  );
});

test('a rank that does not answer is named, with its last call where it has told of one', () => {
  const last = entry({ sequence: 40, isDone: true });
  const found = lines(ranks([last, entry({})], { 1: { entries: [last], isSilent: true } }));
  expect(found[0]).toBe(
    'rank 1 does not answer; its last call was allReduce #40 f32 x 1024 sum (train.ts:30): its event loop is blocked, or its process is stopped',
  );
  expect(lines(ranks([entry({})], { 1: { entries: [], isSilent: true } }))[0]).toContain(
    'rank 1 does not answer; it has called nothing that is known',
  );
});

test('ranks that have not come to init are named', () => {
  const waiting = { entries: [], waiting: 'init' };
  const states = ranks([], { 0: waiting, 1: { isMissing: true, isSilent: true }, 2: waiting, 3: waiting });
  expect(lines(states, 30_000)[0]).toBe('rank 1 has not come to init within 30 s');
  const two = ranks([], {
    0: waiting,
    1: { isMissing: true, isSilent: true },
    2: { isMissing: true, isSilent: true },
    3: waiting,
  });
  expect(lines(two, 250)[0]).toBe('ranks 1, 2 have not come to init within 0.25 s');
});

test('ranks that agree are sent to the GPUs and the network', () => {
  const found = lines(ranks([entry({})], {}));
  expect(found[0]).toBe('ranks 0 to 3 are at allReduce #41 f32 x 1024 sum (train.ts:30)');
  expect(found[1]).toContain('All ranks have made the same calls');
});

test('a send whose recv has another count is named', () => {
  const send = entry({ name: 'send', op: undefined, peer: 1, sequence: 3, count: 10 });
  const recv = entry({ name: 'recv', op: undefined, peer: 0, sequence: 3, count: 12 });
  const found = lines(ranks([], { 0: { entries: [send] }, 1: { entries: [recv] } }, 2));
  expect(found).toEqual([
    'rank 0 is at send #3 f32 x 10 to rank 1 (train.ts:30); rank 1 is at recv #3 f32 x 12 from rank 0 (train.ts:30)',
    'The count differs: a recv must have the count and dtype of its send',
  ]);
});

test.each([
  [[2], 'rank 2'],
  [[0, 1, 3], 'ranks 0, 1, 3'],
  [[0, 1, 2, 3, 4, 8], 'ranks 0 to 4, 8'],
])('%j is %s', (list, text) => {
  expect(ranksText(list)).toBe(text);
});
