import { expect, test } from '@jest/globals';
import { memAlloc } from '../../../src/cuda/index.ts';
import { useTables } from '../../../src/cuda/select.ts';
import { NcclTimeoutError, UniqueId, type ReportStore } from '../../../src/nccl/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { communicator, withFakeNccl } from '../../helpers/nccl.ts';

const driver = withFakeDriver();
const fake = withFakeNccl();

/** A store in this process, for several ranks. */
class LocalStore {
  readonly values = new Map<string, string>();
  readonly #listeners = new Set<{ prefix: string; hear: (key: string, value: Uint8Array | undefined) => void }>();
  readonly #leaves = new Set<(rank: number, reason: string) => void>();

  rank(rank: number): ReportStore {
    return {
      rank,
      set: (key, value) => {
        this.values.set(key, value);
        return this.#tell(key, value);
      },
      deleteKey: (key) => {
        this.values.delete(key);
        return this.#tell(key, undefined);
      },
      subscribe: (prefix, hear) => {
        const listener = { prefix, hear };
        this.#listeners.add(listener);
        for (const [key, value] of this.values) if (key.startsWith(prefix)) hear(key, Buffer.from(value));
        return Promise.resolve({ close: () => void this.#listeners.delete(listener) });
      },
      onLeave: (listener) => {
        this.#leaves.add(listener);
        return Promise.resolve({ close: () => void this.#leaves.delete(listener) });
      },
    };
  }

  leave(rank: number, reason: string): void {
    for (const listener of this.#leaves) listener(rank, reason);
  }

  get listeners(): number {
    return this.#listeners.size + this.#leaves.size;
  }

  async #tell(key: string, value: string | undefined): Promise<void> {
    await Promise.resolve();
    for (const { prefix, hear } of this.#listeners) {
      if (key.startsWith(prefix)) hear(key, value === undefined ? undefined : Buffer.from(value));
    }
  }
}

test('a call that NCCL does not take rejects in time, and the communicator is aborted', async () => {
  const comm = await communicator({ timeoutMs: 20 });
  using x = memAlloc(64);
  fake.isStuck = true;
  const calls = [comm.allReduce(x, { dtype: 'f32' }), comm.broadcast(x, { dtype: 'f32' })];
  for (const result of await Promise.allSettled(calls)) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'ncclTimeout', routine: 'ncclAllReduce' } });
    expect((result as PromiseRejectedResult).reason).toBeInstanceOf(NcclTimeoutError);
    const { message } = (result as PromiseRejectedResult).reason as Error;
    expect(message).toMatch(
      /^allReduce #1 f32 x 16 sum \(tests\/unit\/nccl\/timeout\.test\.ts:\d+\) did not finish within 0\.02 s\n/,
    );
    expect(message).toContain('Only this rank is known');
    expect(message).toContain('rank 0 of 4');
  }
  expect(fake.calls).toContain('ncclCommAbort');
  await expect(comm.allReduce(x, { dtype: 'f32' })).rejects.toBeInstanceOf(NcclTimeoutError);
  comm.close();
});

test.each([
  ['20', { timeoutMs: 60_000 }, {}],
  ['20', {}, { timeoutMs: 60_000 }],
  ['60000', { timeoutMs: 60_000 }, { timeoutMs: 20 }],
])('RAWKERNEL_NCCL_TIMEOUT_MS=%s limits the time of %j and of a call with %j', async (variable, options, call) => {
  process.env['RAWKERNEL_NCCL_TIMEOUT_MS'] = variable;
  try {
    const comm = await communicator(options);
    using x = memAlloc(64);
    fake.isStuck = true;
    await expect(comm.allReduce(x, { dtype: 'f32', ...call })).rejects.toThrow('did not finish within 0.02 s');
    comm.close();
  } finally {
    delete process.env['RAWKERNEL_NCCL_TIMEOUT_MS'];
  }
});

test('a collective that the device does not finish is noticed by its event', async () => {
  const comm = await communicator({ timeoutMs: 500 });
  using x = memAlloc(64);
  driver.busy = true;
  await comm.allReduce(x, { dtype: 'f32' });
  await comm.broadcast(x, { dtype: 'f32', root: 2 });
  await expect(comm.done()).rejects.toThrow('allReduce #1 f32 x 16 sum');
  driver.busy = false;
  comm.close();
});

test('a fault of the device is the error of what it does not finish, and of later calls', async () => {
  const comm = await communicator();
  using x = memAlloc(64);
  driver.busy = true;
  await comm.allReduce(x, { dtype: 'f32' });
  const done = comm.done();
  useTables({ driver: { ...driver.table, cuEventQuery: () => 700 } });
  await expect(done).rejects.toThrow('cuEventQuery failed: CUDA_ERROR_ILLEGAL_ADDRESS');
  useTables({ driver: driver.table });
  driver.busy = false;
  await expect(comm.allReduce(x, { dtype: 'f32' })).rejects.toThrow('CUDA_ERROR_ILLEGAL_ADDRESS');
  comm.close();
});

test("with a store each rank's error names what differs", async () => {
  const local = new LocalStore();
  const id = UniqueId.create();
  const make = (rank: number, timeoutMs: number) =>
    communicator({ rank, size: 2, id, timeoutMs, store: local.rank(rank) });
  const first = await make(0, 500);
  const second = await make(1, 600_000);
  using x = memAlloc(64);
  using y = memAlloc(64);
  driver.busy = true;
  const calls = [first.allReduce(x, { dtype: 'f32' }), second.broadcast(y, { dtype: 'f32', root: 1 })];
  await Promise.all(calls);
  const results = await Promise.allSettled([first.done(), second.done()]);
  driver.busy = false;
  for (const result of results) {
    const error = (result as PromiseRejectedResult).reason as NcclTimeoutError;
    expect(error).toBeInstanceOf(NcclTimeoutError);
    expect(error.message).toMatch(
      /rank 0 is at allReduce #1 f32 x 16 sum \(\S+\); rank 1 is at broadcast #1 f32 x 16 from rank 1 \(\S+\)/,
    );
    expect(error.message).toContain('The operation differs');
    expect(error.report?.ranks).toHaveLength(2);
  }
  first.close();
  second.close();
  expect(local.listeners).toBe(0);
});

test('a rank that leaves is named soon, not at the time limit', async () => {
  const local = new LocalStore();
  await local
    .rank(1)
    .set(
      `nccl/${Buffer.from(UniqueId.fromBytes(new Uint8Array(128).fill(9)).toBytes()).toString('base64url')}/here/1.other`,
      JSON.stringify({ job: 1, size: 2 }),
    );
  const id = UniqueId.fromBytes(new Uint8Array(128).fill(9));
  const comm = await communicator({ rank: 0, size: 2, id, store: local.rank(0) });
  using x = memAlloc(64);
  driver.busy = true;
  await comm.allReduce(x, { dtype: 'f32' });
  const done = comm.done();
  local.leave(1, 'connection lost');
  local.leave(1, 'signal SIGKILL');
  await expect(done).rejects.toThrow('rank 1 exited with signal SIGKILL before allReduce #1 was finished');
  driver.busy = false;
  comm.close();
});

test("NCCL's word that a rank has gone becomes what the ranks know of it", async () => {
  const local = new LocalStore();
  const id = UniqueId.fromBytes(new Uint8Array(128).fill(11));
  const key = `nccl/${Buffer.from(id.toBytes()).toString('base64url')}`;
  await local.rank(1).set(`${key}/here/1.other`, JSON.stringify({ job: 1, size: 2 }));
  const comm = await communicator({ rank: 0, size: 2, id, store: local.rank(0) });
  using x = memAlloc(64);
  fake.isStuck = true;
  const sum = comm.allReduce(x, { dtype: 'f32' });
  for (const known of fake.comms.values()) known.asyncError = 6;
  local.leave(1, 'signal SIGKILL');
  const error = await sum.catch((reason: unknown) => reason as NcclTimeoutError);
  expect(error).toBeInstanceOf(NcclTimeoutError);
  expect(error?.message).toMatch(/^allReduce #1 f32 x 16 sum \(\S+\) cannot finish\nrank 1 exited with signal SIGKILL/);
  expect(error?.message).toMatch(/^ +NCCL +\S/m);
  comm.close();
});

test('a rank that has not come to init is named', async () => {
  fake.isStuck = true;
  const local = new LocalStore();
  await expect(communicator({ size: 3, rank: 1, timeoutMs: 20, store: local.rank(1) })).rejects.toThrow(
    /^init did not finish within 0\.02 s\nranks 0, 2 have not come to init within 0\.02 s/,
  );
  expect(local.listeners).toBe(0);
});

test('a rank that does not answer is named with the last call that it told of', async () => {
  const local = new LocalStore();
  const id = UniqueId.create();
  const first = await communicator({ rank: 0, size: 2, id, timeoutMs: 1500, store: local.rank(0) });
  let isBlocked = false;
  const silent = local.rank(1);
  const second = await communicator({
    rank: 1,
    size: 2,
    id,
    store: { ...silent, set: (key, value) => (isBlocked ? Promise.resolve() : silent.set(key, value)) },
  });
  using x = memAlloc(64);
  using y = memAlloc(64);
  await second.allReduce(y, { dtype: 'f32' });
  await first.allReduce(x, { dtype: 'f32' });
  await Promise.all([first.done(), second.done()]);
  driver.busy = true;
  await first.allReduce(x, { dtype: 'f32', count: 4 });
  // Half of the time is over: the other rank tells what it was at, and no more after that.
  const key =
    [...local.values.keys()].find((name) => name.includes('/here/1.'))?.replace(/here\/1\..*/, 'head/1') ?? '';
  for (let i = 0; i < 4000 && !local.values.has(key); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(local.values.get(key)).toContain('"sequence":1');
  isBlocked = true;
  await second.allReduce(y, { dtype: 'f32' });
  const results = await Promise.allSettled([first.done(), second.done()]);
  driver.busy = false;
  expect(((results[0] as PromiseRejectedResult).reason as Error).message).toContain(
    'rank 1 does not answer; its last call was allReduce #1 f32 x 16 sum',
  );
  first.close();
  second.close();
});

test('ranks that have answered are not taken for blocked ones while a third one is silent', async () => {
  const local = new LocalStore();
  const id = UniqueId.fromBytes(new Uint8Array(128).fill(8));
  await local.rank(2).set(`nccl/${Buffer.from(id.toBytes()).toString('base64url')}/here/2`, '{"job":2,"size":3}');
  const store = local.rank(0);
  // The store has not told this rank of its own answer when the time is over.
  const slow = {
    ...store,
    set: (key: string, value: string) => (/head/.test(key) ? new Promise<void>(() => {}) : store.set(key, value)),
  };
  const first = await communicator({ rank: 0, size: 3, id, timeoutMs: 1500, store: slow });
  const second = await communicator({ rank: 1, size: 3, id, store: local.rank(1) });
  using x = memAlloc(64);
  using y = memAlloc(64);
  driver.busy = true;
  await Promise.all([first.allReduce(x, { dtype: 'f32' }), second.allReduce(y, { dtype: 'f32' })]);
  const results = await Promise.allSettled([first.done(), second.done()]);
  driver.busy = false;
  const { message } = (results[0] as PromiseRejectedResult).reason as Error;
  expect(message).toContain('ranks 0, 1 are at allReduce #1');
  expect(message).toMatch(/rank 2 does not answer/);
  expect(message).not.toMatch(/rank [01] does not answer/);
  first.close();
  second.close();
});

test("'report' leaves the communicator to shrink()", async () => {
  const comm = await communicator({ timeoutMs: 20, onTimeout: 'report' });
  using x = memAlloc(64);
  fake.isStuck = true;
  await expect(comm.allReduce(x, { dtype: 'f32' })).rejects.toBeInstanceOf(NcclTimeoutError);
  expect(fake.calls).not.toContain('ncclCommAbort');
  fake.isStuck = false;
  using fewer = await comm.shrink({ exclude: [3], abort: true });
  expect(fewer.size).toBe(3);
  await fewer.allReduce(x, { dtype: 'f32' });
  comm.close();
});
