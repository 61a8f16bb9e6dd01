import { expect, test } from '@jest/globals';
import { Store } from '../../../src/job/store.ts';
import { StoreServer } from '../../../src/job/store-server.ts';
import type { NcclTimeoutError } from '../../../src/nccl/errors.ts';
import { Exchange } from '../../../src/nccl/exchange.ts';
import { jobId } from '../../../src/nccl/job-id.ts';
import type { ReportStore } from '../../../src/nccl/report-store.ts';
import type { UniqueId } from '../../../src/nccl/unique-id.ts';

const SIZE = 3;
/** A limit that is not reached. */
const FAR_MS = 600_000;

interface Rank {
  readonly store: Store;
  readonly exchange: Exchange;
  readonly id: (timeoutMs: number) => Promise<UniqueId>;
}

/** A rank of a job whose first rank does not come. */
async function come(port: number, rank: number): Promise<Rank> {
  const store = await Store.connect({ port, rank });
  const told: ReportStore = {
    rank,
    set: (key, value) => store.set(key, value),
    deleteKey: (key) => store.deleteKey(key),
    subscribe: (prefix, listener) => store.subscribe(prefix, listener),
    onLeave: (listener) => store.onLeave(listener),
  };
  const exchange = await Exchange.open(told, 'job0.0', { rank, size: SIZE, isJob: true });
  return {
    store,
    exchange,
    id: (timeoutMs) => jobId(store, 'nccl/job0.0/id', { rank, size: SIZE, exchange, timeoutMs }),
  };
}

async function leave(...ranks: readonly Rank[]): Promise<void> {
  for (const { store, exchange } of ranks) {
    exchange.close();
    await store.close();
  }
}

function errorOf(asked: Promise<unknown>): Promise<NcclTimeoutError> {
  return asked.catch((error: unknown) => error) as Promise<NcclTimeoutError>;
}

test('the rank at its time limit has the others explain themselves, too, before the launcher ends them', async () => {
  await using server = await StoreServer.listen();
  const [first, second] = [await come(server.port, 1), await come(server.port, 2)];
  const far = errorOf(first.id(FAR_MS));
  for (const { message, routine, report } of await Promise.all([errorOf(second.id(300)), far])) {
    expect(message).toMatch(/^init did not finish within 0\.3 s\n/);
    expect(message).toMatch(/^rank 0 has not come to init within 0\.3 s$/m);
    expect({ routine, known: report?.ranks.length }).toEqual({ routine: 'ncclGetUniqueId', known: SIZE });
  }
  // One that comes afterwards hears of it as well.
  await leave(first);
  const late = await come(server.port, 1);
  expect((await errorOf(late.id(FAR_MS))).message).toMatch(/^init did not finish within 0\.3 s\n/);
  await leave(second, late);
});

test.each([
  [
    'exited with code 3',
    async (port: number): Promise<void> => {
      await using launcher = await Store.connect({ port });
      await launcher.set('exit/0', '3');
    },
  ],
  [
    'has failed in init',
    async (port: number): Promise<void> => {
      const { exchange } = await come(port, 0);
      exchange.close('failed');
    },
  ],
])('a first rank that %s is not waited for', async (how, fail) => {
  await using server = await StoreServer.listen();
  const ranks = [await come(server.port, 1), await come(server.port, 2)];
  const asked = Promise.all(ranks.map(({ id }) => errorOf(id(FAR_MS))));
  await fail(server.port);
  for (const { message } of await asked) {
    expect(message).toMatch(/^init cannot finish\n/);
    expect(message).toMatch(new RegExp(`^rank 0 ${how}$`, 'm'));
  }
  await leave(...ranks);
});

test('the id of the first rank comes to the others', async () => {
  await using server = await StoreServer.listen();
  const rank = await come(server.port, 1);
  const asked = rank.id(FAR_MS);
  const bytes = new Uint8Array(128).fill(7);
  await rank.store.set('nccl/job0.0/id', bytes);
  expect((await asked).toBytes()).toEqual(bytes);
  await leave(rank);
});
