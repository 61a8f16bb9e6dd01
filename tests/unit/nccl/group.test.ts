import { expect, test } from '@jest/globals';
import { Context, memAlloc, Stream } from '../../../src/cuda/index.ts';
import * as xp from '../../../src/cuda/array/index.ts';
import { Communicator, group } from '../../../src/nccl/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { communicator, withFakeNccl } from '../../helpers/nccl.ts';

const driver = withFakeDriver();
const fake = withFakeNccl();

driver.devices = 2;

async function pair(): Promise<[Communicator, Communicator]> {
  return (await Communicator.initAll([0, 1])) as [Communicator, Communicator];
}

function on<T>(comm: Communicator, make: () => T): T {
  comm.context.push();
  try {
    return make();
  } finally {
    Context.pop();
  }
}

test('the calls of several devices go to NCCL as one', async () => {
  const comms = await pair();
  const parts = comms.map((comm) => on(comm, () => xp.empty(8)));
  fake.calls.length = 0;
  await group(() => comms.map((comm, i) => comm.allReduce(parts[i] as xp.NDArray)));
  expect(fake.calls).toEqual(['ncclGroupStart', 'ncclAllReduce', 'ncclAllReduce', 'ncclGroupEnd']);
  expect(fake.started.map((calls) => calls.length)).toEqual([2]);
  for (const comm of comms) comm.close();
});

test('groups inside of groups belong to the outermost one', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  let inner: Promise<void> | undefined;
  const outer = group(() => {
    inner = group(() => comm.send(x, 1, { dtype: 'f32' }));
    return comm.recv(x, 2, { dtype: 'f32', count: 2 });
  });
  expect(inner).toBe(outer);
  await outer;
  expect(fake.started[0]?.map(({ routine }) => routine)).toEqual(['ncclSend', 'ncclRecv']);
});

test('a function that throws gives nothing to NCCL, and keeps nothing', async () => {
  using comm = await communicator();
  const x = memAlloc(64);
  const live = driver.live.memory;
  fake.calls.length = 0;
  expect(() =>
    group(() => {
      void comm.allReduce(x, { dtype: 'f32' });
      throw new Error('mine');
    }),
  ).toThrow('mine');
  expect(() =>
    group(() => [comm.allReduce(x, { dtype: 'f32' }), comm.broadcast(x, { dtype: 'f32', root: 9 })]),
  ).toThrow('root must be an integer from 0 to 3, got 9');
  expect(fake.calls).toEqual([]);
  x.close();
  expect(driver.live.memory).toBe(live - 1);
  using y = memAlloc(64);
  await group(() => comm.allReduce(y, { dtype: 'f32' }));
  expect(fake.started).toHaveLength(1);
});

test('an async function is refused: calls behind an await would be outside', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.calls.length = 0;
  expect(() => group(async () => comm.allReduce(x, { dtype: 'f32' }))).toThrow('the function must not be async');
  expect(() => group(() => Promise.all([comm.allReduce(x, { dtype: 'f32' })]))).toThrow('must not be async');
  expect(() => group(5 as never)).toThrow('group takes a function that makes calls, got 5');
  expect(fake.calls).toEqual([]);
});

test('an empty group is nothing', async () => {
  await group(() => undefined);
  expect(fake.calls).toEqual([]);
});

test('a call that NCCL refuses in a group ends the group: nothing of it is started', async () => {
  const comm = await communicator();
  using x = memAlloc(64);
  using y = memAlloc(64);
  fake.fail.set('ncclBroadcast', 5);
  const ended = group(() => [comm.allReduce(x, { dtype: 'f32' }), comm.broadcast(y, { dtype: 'f32' })]);
  await expect(ended).rejects.toThrow('ncclBroadcast failed: ncclInvalidUsage');
  expect(fake.started).toEqual([]);
  fake.fail.clear();
  using other = await communicator();
  await other.allReduce(x, { dtype: 'f32' });
  expect(fake.started).toHaveLength(1);
  comm.close();
});

test('a group waits for earlier calls of all of its devices', async () => {
  const [first, second] = await pair();
  const x = on(first, () => memAlloc(64));
  const y = on(second, () => memAlloc(64));
  fake.isStuck = true;
  const before = second.broadcast(y, { dtype: 'f32' });
  const both = group(() => [first.allReduce(x, { dtype: 'f32' }), second.allReduce(y, { dtype: 'f32' })]);
  const after = first.broadcast(x, { dtype: 'f32' });
  expect(fake.started).toHaveLength(1);
  fake.isStuck = false;
  await Promise.all([before, both, after]);
  expect(fake.started.map((calls) => calls.map(({ routine }) => routine))).toEqual([
    ['ncclBroadcast'],
    ['ncclAllReduce', 'ncclAllReduce'],
    ['ncclBroadcast'],
  ]);
  for (const one of [x, y, first, second]) one.close();
});

test('a send to itself needs its recv in the same group', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  using y = memAlloc(64);
  expect(() => comm.send(x, 0, { dtype: 'f32' })).toThrow('to must be another rank than 0, this one, unless');
  await group(() => [comm.send(x, 0, { dtype: 'f32' }), comm.recv(y, 0, { dtype: 'f32' })]);
  expect(fake.started[0]).toHaveLength(2);
});

test('in a capture no event is recorded: it would be a part of the graph', async () => {
  using comm = await communicator();
  using stream = new Stream({ nonBlocking: true });
  using x = memAlloc(64);
  stream.beginCapture();
  const recorded: string[] = [];
  driver.onCall = (routine) => recorded.push(routine);
  await comm.allReduce(x, { dtype: 'f32', stream });
  driver.onCall = undefined;
  using graph = stream.endCapture();
  expect(graph.closed).toBe(false);
  expect(recorded.filter((routine) => routine.startsWith('cuEvent'))).toEqual([]);
  await comm.done();
});
