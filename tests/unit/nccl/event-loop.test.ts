import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { memAlloc, memsetD32Async, moduleFromBuffer } from '../../../src/cuda/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { communicator, withFakeNccl } from '../../helpers/nccl.ts';
import { turns } from '../../helpers/until.ts';

const driver = withFakeDriver();
const fake = withFakeNccl();

/** How many turns of the event loop there are while something runs. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let count = 0;
  const state = { isOver: false };
  void work.then(() => (state.isOver = true));
  while (!state.isOver) {
    await nextTurn();
    count++;
  }
  return count;
}

test('a call that NCCL does not take does not hold the event loop', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.isStuck = true;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const call = comm.allReduce(x, { dtype: 'f32' });
  await turns(20);
  delay.disable();
  fake.isStuck = false;
  expect(await turnsOf(call)).toBeGreaterThan(0);
  // The time depends on what else the machine does; that it is measured at all means that the loop has turned.
  expect(delay.count).toBeGreaterThan(0);
});

test('only the first of many calls waits for NCCL; those behind it ask once what has become of it', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.isStuck = true;
  let asked = 0;
  const { ncclCommGetAsyncError } = fake.table;
  const counting = (...args: Parameters<typeof ncclCommGetAsyncError>): number => {
    asked++;
    return ncclCommGetAsyncError(...args);
  };
  Object.defineProperty(fake.table, 'ncclCommGetAsyncError', { value: counting, configurable: true });
  const first = comm.broadcast(x, { dtype: 'f32' });
  expect(asked).toBeGreaterThan(1);
  asked = 0;
  const others = Array.from({ length: 99 }, () => comm.broadcast(x, { dtype: 'f32' }));
  expect(asked).toBe(99);
  expect(fake.started).toHaveLength(1);
  fake.isStuck = false;
  await Promise.all([first, ...others]);
  Object.defineProperty(fake.table, 'ncclCommGetAsyncError', { value: ncclCommGetAsyncError, configurable: true });
  expect(fake.started).toHaveLength(100);
});

/** Run with a clock that goes on by a millisecond whenever it is looked at. */
async function withFastClock<T>(run: () => Promise<T>): Promise<T> {
  await nextTurn();
  let ms = 1000;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => ms++);
  try {
    return await run();
  } finally {
    clock.mockRestore();
  }
}

const counts = Array.from({ length: 60 }, (_, i) => i % 16);
const givenCounts = (): unknown[] => fake.started.map(([call]) => call?.args['count']);

test('a program that awaits its calls, which NCCL takes soon, leaves the event loop its turns', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.turns = 1;
  const calls = async (): Promise<void> => {
    for (const count of counts) await comm.broadcast(x, { dtype: 'f32', count });
  };
  expect(await withFastClock(() => turnsOf(calls()))).toBeGreaterThan(5);
  expect(givenCounts()).toEqual(counts);
});

test('calls that are not awaited do not wait for turns of the event loop', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.turns = 1;
  await withFastClock(async () => {
    const calls = counts.map((count) => comm.broadcast(x, { dtype: 'f32', count }));
    expect(fake.started.length).toBeGreaterThan(50);
    await Promise.all(calls);
  });
  expect(givenCounts()).toEqual(counts);
});

test('calls behind one that NCCL takes late leave the event loop its turns', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.turns = 1;
  fake.isStuck = true;
  await withFastClock(async () => {
    const calls = counts.map((count) => comm.broadcast(x, { dtype: 'f32', count }));
    expect(fake.started).toHaveLength(1);
    fake.isStuck = false;
    expect(await turnsOf(Promise.all(calls))).toBeGreaterThan(5);
  });
  expect(givenCounts()).toEqual(counts);
});

test('behind a call that NCCL has taken late, the next one goes to NCCL without a turn of the event loop', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.turns = 0;
  fake.isStuck = true;
  const first = comm.broadcast(x, { dtype: 'f32' });
  const second = comm.broadcast(x, { dtype: 'f32' });
  expect(fake.started).toHaveLength(1);
  fake.isStuck = false;
  const third = comm.broadcast(x, { dtype: 'f32' });
  expect(fake.started).toHaveLength(3);
  await Promise.all([first, second, third]);
});

// Pieces of the program's own work for each call, and how many calls go to NCCL while the device finishes none of them: a driver
// holds about 1000 pieces, of which a call is four, with its event.
test.each([
  ['nothing else', 0, 101],
  ['a few copies and kernels', 16, 21],
  ['many', 200, 2],
])(
  'a program that is far ahead of the device waits for it, so that no launch of it can block: %s',
  async (_, pieces, expected) => {
    using comm = await communicator();
    using x = memAlloc(64);
    using module = moduleFromBuffer('.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry f() { ret; }');
    const kernel = module.getFunction('f');
    fake.turns = 0;
    driver.busy = true;
    // It is no matter of time.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1000);
    const calls: Promise<void>[] = [];
    while (calls.length === fake.started.length) {
      calls.push(comm.broadcast(x, { dtype: 'f32' }));
      for (let i = 0; i < pieces && calls.length === fake.started.length; i += 2) {
        kernel({ block: 1, grid: 1 });
        memsetD32Async(x, 0, 16);
      }
    }
    while (calls.length < 1000) calls.push(comm.broadcast(x, { dtype: 'f32' }));
    await turns(3);
    expect(fake.started).toHaveLength(expected);
    clock.mockRestore();
    driver.busy = false;
    await Promise.all(calls);
    await comm.done();
    expect(fake.started).toHaveLength(1000);
  },
);

test('a kernel whose fault is found when a program is far ahead is why the call rejects, not that NCCL refuses it', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.turns = 0;
  driver.busy = true;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(1000);
  const taken = Array.from({ length: 101 }, () => comm.broadcast(x, { dtype: 'f32' }));
  await Promise.all(taken);
  clock.mockRestore();
  driver.fail.set('cuEventQuery', 700);
  fake.fail.set('ncclBroadcast', 1);
  await expect(comm.broadcast(x, { dtype: 'f32' })).rejects.toThrow('cuEventQuery failed: CUDA_ERROR_ILLEGAL_ADDRESS');
  driver.fail.clear();
  fake.fail.clear();
  driver.busy = false;
});

test('where the device does not come on, a program is a few calls ahead', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.turns = 0;
  driver.busy = true;
  const calls: Promise<void>[] = [];
  for (let i = 0; i < 10; i++) {
    calls.push(comm.broadcast(x, { dtype: 'f32' }));
    const end = performance.now() + 10;
    while (performance.now() < end);
  }
  await turns(3);
  expect(fake.started).toHaveLength(4);
  driver.busy = false;
  await Promise.all(calls);
  expect(fake.started).toHaveLength(10);
});
