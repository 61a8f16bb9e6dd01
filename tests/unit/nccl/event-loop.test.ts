import { monitorEventLoopDelay } from 'node:perf_hooks';
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
    await new Promise((resolve) => setImmediate(resolve));
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

test('a call waits at once for as long as NCCL usually takes, and no longer: one of many is asked for few times', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  fake.isStuck = true;
  const asked: number[] = [];
  const { ncclCommGetAsyncError } = fake.table;
  const counting = (...args: Parameters<typeof ncclCommGetAsyncError>): number => {
    asked.push(performance.now());
    return ncclCommGetAsyncError(...args);
  };
  Object.defineProperty(fake.table, 'ncclCommGetAsyncError', { value: counting, configurable: true });
  const calls = Array.from({ length: 100 }, () => comm.broadcast(x, { dtype: 'f32' }));
  const [first = 0] = asked;
  // Those behind the first do not ask: the call in front of them is not over.
  expect((asked.at(-1) ?? 0) - first).toBeLessThan(50);
  expect(fake.started).toHaveLength(1);
  fake.isStuck = false;
  await Promise.all(calls);
  Object.defineProperty(fake.table, 'ncclCommGetAsyncError', { value: ncclCommGetAsyncError, configurable: true });
  expect(fake.started).toHaveLength(100);
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
