import { expect, test } from '@jest/globals';
import { Context, memAlloc, Stream } from '../../../src/cuda/index.ts';
import * as xp from '../../../src/cuda/array/index.ts';
import { Communicator, group, NcclError, UniqueId } from '../../../src/nccl/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { communicator, withFakeNccl } from '../../helpers/nccl.ts';

const driver = withFakeDriver();
const fake = withFakeNccl();

test('init() waits for NCCL without blocking, and says which rank it is', async () => {
  fake.turns = 50;
  using comm = await communicator({ rank: 1, size: 3, name: 'tp' });
  expect(comm).toMatchObject({ rank: 1, size: 3, name: 'tp', asyncError: undefined });
  expect(comm.device.ordinal).toBe(0);
  expect(comm.context).toBe(Context.current);
  expect(String(comm)).toContain('tp');
});

test('calls that are not awaited go to NCCL one by one, in their order', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  const done: number[] = [];
  const calls = [16, 15, 14, 13].map((count, i) => comm.allReduce(x, { dtype: 'f32', count }).then(() => done.push(i)));
  await Promise.all(calls);
  expect(fake.started.map(([call]) => call?.args['count'])).toEqual([16, 15, 14, 13]);
  expect(done).toEqual([0, 1, 2, 3]);
});

test('a call of another device does not wait for this one', async () => {
  driver.devices = 2;
  const [first, second] = (await Communicator.initAll([0, 1])) as [Communicator, Communicator];
  expect(fake.comms.size).toBe(2);
  expect(second.context.device.ordinal).toBe(1);
  fake.isStuck = true;
  const one = first.context;
  one.push();
  using x = memAlloc(64);
  Context.pop();
  second.context.push();
  using y = memAlloc(64);
  Context.pop();
  const calls = [first.broadcast(x, { dtype: 'f32' }), second.broadcast(y, { dtype: 'f32' })];
  expect(fake.started).toHaveLength(2);
  fake.isStuck = false;
  await Promise.all(calls);
  first.close();
  second.close();
  driver.devices = 1;
});

test('two communicators of one device take turns: NCCL wants one order on each device', async () => {
  using first = await communicator();
  using second = await communicator();
  using x = memAlloc(64);
  fake.isStuck = true;
  const calls = [first.broadcast(x, { dtype: 'f32' }), second.broadcast(x, { dtype: 'f32' })];
  expect(fake.started).toHaveLength(1);
  fake.isStuck = false;
  await Promise.all(calls);
  expect(fake.started).toHaveLength(2);
});

test('an array gives its dtype and count, and is used on the stream of its last work', async () => {
  using comm = await communicator();
  using stream = new Stream({ nonBlocking: true });
  using x = xp.empty([2, 8], { dtype: 'c64', stream });
  await comm.allReduce(x);
  const [[call] = []] = fake.started;
  expect(call?.args).toMatchObject({
    sendbuff: x.ptr,
    recvbuff: x.ptr,
    count: 32,
    datatype: 7,
    op: 0,
    stream: stream.handle,
  });
});

test('close() lets the calls that were made come to their end', async () => {
  const comm = await communicator();
  using x = memAlloc(64);
  const call = comm.allReduce(x, { dtype: 'f32' });
  comm.close();
  expect(() => comm.allReduce(x, { dtype: 'f32' })).toThrow('Communicator.allReduce: this Communicator is closed');
  await call;
  expect(fake.started).toHaveLength(1);
  expect(fake.calls.filter((name) => /Destroy|Abort/.test(name))).toEqual(['ncclCommDestroy']);
});

test('memory that is closed before NCCL has the call stays until then', async () => {
  using comm = await communicator();
  using other = memAlloc(64);
  fake.isStuck = true;
  const first = comm.broadcast(other, { dtype: 'f32' });
  const x = memAlloc(64);
  const live = driver.live.memory;
  const call = comm.allReduce(x, { dtype: 'f32' });
  x.close();
  expect(driver.live.memory).toBe(live);
  fake.isStuck = false;
  await Promise.all([first, call]);
  expect(driver.live.memory).toBe(live - 1);
});

test('done() waits for the device', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  driver.busy = true;
  let isDone = false;
  await comm.allReduce(x, { dtype: 'f32' });
  const done = comm.done().then(() => (isDone = true));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isDone).toBe(false);
  driver.busy = false;
  await done;
});

test('finalize() takes no more calls', async () => {
  const comm = await communicator();
  using x = memAlloc(64);
  const call = comm.allReduce(x, { dtype: 'f32' });
  await comm.finalize();
  await call;
  expect(() => comm.allReduce(x, { dtype: 'f32' })).toThrow('this communicator is finalized');
  comm.close();
});

test('await using finalizes', async () => {
  {
    await using comm = await communicator();
    expect(comm.closed).toBe(false);
  }
  expect(fake.calls).toEqual(expect.arrayContaining(['ncclCommFinalize', 'ncclCommDestroy']));
});

test('abort() rejects what waits, and closes', async () => {
  const comm = await communicator();
  using x = memAlloc(64);
  fake.isStuck = true;
  const calls = [comm.allReduce(x, { dtype: 'f32' }), comm.broadcast(x, { dtype: 'f32' })];
  const results = Promise.allSettled(calls);
  await comm.abort();
  for (const result of await results) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { message: 'The communicator (rank 0 of 4) was aborted' },
    });
  }
  expect(comm.closed).toBe(true);
  await comm.abort();
});

test('an abort that does not come to an end has a time limit', async () => {
  const comm = await communicator();
  fake.abortHangs = true;
  await expect(comm.abort({ timeoutMs: 5 })).rejects.toThrow('NCCL did not abort within 5 ms');
  fake.comms.clear();
});

test('what NCCL refuses ends the communicator: all later calls have the same error, and it is aborted', async () => {
  const comm = await communicator();
  using x = memAlloc(64);
  fake.fail.set('ncclAllReduce', 1);
  const calls = [comm.allReduce(x, { dtype: 'f32' }), comm.broadcast(x, { dtype: 'f32' })];
  const results = await Promise.allSettled(calls);
  for (const result of results) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { code: 'ncclUnhandledCudaError', routine: 'ncclAllReduce' },
    });
  }
  expect(comm.asyncError).toBe('ncclUnhandledCudaError');
  await expect(comm.allReduce(x, { dtype: 'f32' })).rejects.toThrow(NcclError);
  comm.close();
  expect(fake.calls).toContain('ncclCommAbort');
});

test('an init that NCCL refuses leaves nothing', async () => {
  fake.fail.set('ncclCommInitRankConfig', 5);
  await expect(communicator()).rejects.toThrow('ncclCommInitRankConfig failed: ncclInvalidUsage');
  driver.devices = 2;
  await expect(Communicator.initAll([0, 1])).rejects.toThrow(NcclError);
  driver.devices = 1;
  fake.fail.clear();
  using comm = await communicator();
  expect(comm.size).toBe(4);
});

test('a communicator stays in its thread', async () => {
  using comm = await communicator();
  expect(() => structuredClone(comm)).toThrow('could not be cloned');
  expect(() => structuredClone(UniqueId.create())).toThrow('could not be cloned');
});

test('a unique id is its bytes', () => {
  const id = UniqueId.create();
  expect(UniqueId.fromBytes(id.toBytes()).toBytes()).toEqual(id.toBytes());
  expect(() => UniqueId.fromBytes(new Uint8Array(64))).toThrow('must be 128 bytes in a Uint8Array, got 64 bytes');
  expect(() => UniqueId.fromBytes('x' as never)).toThrow('must be 128 bytes');
});

test('split() and shrink() make communicators of parts', async () => {
  using comm = await communicator({ rank: 2 });
  using half = await comm.split({ color: 1, key: 5, name: 'half' });
  expect(half).toMatchObject({ rank: 5, size: 4, name: 'half' });
  expect(await comm.split({ color: null })).toBeUndefined();
  using fewer = await comm.shrink({ exclude: [1, 3] });
  expect(fewer).toMatchObject({ rank: 1, size: 2 });
  await expect(comm.shrink({ exclude: [2] })).rejects.toThrow('exclude must not have 2, this rank');
  await expect(comm.shrink({ exclude: [4] })).rejects.toThrow('must be an integer from 0 to 3, got 4');
  await expect(comm.split({ color: -1 })).rejects.toThrow('color must be an integer from 0');
});

test('other things than transfers stay out of groups', async () => {
  using comm = await communicator();
  expect(() => group(() => comm.registerBuffer(0n))).toThrow('must not be called inside of group()');
});

test.each([
  ['at once', false],
  ['later', true],
])(
  'a fault that is found by the mark behind a call, which NCCL takes %s, is told by all that follow',
  async (_, isLate) => {
    using comm = await communicator();
    using x = memAlloc(64);
    fake.turns = 0;
    fake.isStuck = isLate;
    driver.fail.set('cuEventRecord', 700);
    const first = comm.broadcast(x, { dtype: 'f32' });
    fake.isStuck = false;
    await expect(first).rejects.toThrow('cuEventRecord failed: CUDA_ERROR_ILLEGAL_ADDRESS');
    driver.fail.clear();
    const reason: unknown = await first.catch((error: unknown) => error);
    await expect(comm.broadcast(x, { dtype: 'f32' })).rejects.toBe(reason);
    await expect(comm.done()).rejects.toBe(reason);
    expect(fake.started).toHaveLength(1);
  },
);
