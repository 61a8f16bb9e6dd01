import { describe, expect } from '@jest/globals';
import { NcclRanks, ok, type Comm } from '../../../helpers/cpu-nccl.ts';
import { type RankRunner, startRanks, type RankApi } from '../../../helpers/nccl-ranks.ts';
import { needs } from '../../../helpers/require.ts';

const NOT_READY = 600;
const { test } = needs.build();

const init = ({ init: make, kept, put }: RankApi, id: number[], size: number, rank: number): void => {
  Object.assign(kept, { comm: make(id, size, rank), data: put(Int32Array.of(rank + 1)) });
};

/** Begin a sum, and do not wait for it. */
const begin = ({ nccl, kept, check }: RankApi): void => {
  const data = kept['data'] as never;
  check(nccl.ncclAllReduce(data, data, 1, 2, 0, kept['comm'] as never, 0n as never));
};

const query = ({ cuda }: RankApi): number => cuda.cuStreamQuery(0n as never);

const abort = ({ nccl, kept, check, cuda }: RankApi): number => {
  check(nccl.ncclCommAbort(kept['comm'] as never));
  return cuda.cuCtxSynchronize();
};

const read = ({ kept, get, sync }: RankApi): number => {
  sync();
  return get(kept['data'] as never, new Int32Array(1))[0] as number;
};

const asyncError = ({ nccl, kept, check }: RankApi): number => {
  const status = new Int32Array(1);
  check(nccl.ncclCommGetAsyncError(kept['comm'] as never, status));
  return status[0] as number;
};

async function meet(runners: readonly RankRunner[]): Promise<void> {
  const id = [...new NcclRanks(1).id().internal];
  await Promise.all(runners.map((one, rank) => one.run(init, id, runners.length, rank)));
}

describe('the end of a rank', () => {
  test('that is killed: the others wait, without an error, until they abort', async () => {
    const runners = await startRanks('process', 3);
    await meet(runners);
    const [first, second, third] = runners as [RankRunner, RankRunner, RankRunner];
    await first.run(begin);
    third.kill();
    await third.ended;
    await second.run(begin);
    // Both have told each other of the collective, and their links to the third are closed.
    for (const one of [first, second]) {
      expect(await one.run(query)).toBe(NOT_READY);
      expect(await one.run(asyncError)).toBe(0);
    }
    expect([await first.run(abort), await second.run(abort)]).toEqual([0, 0]);
    for (const one of [first, second]) one.release();
    expect([await first.ended, await second.ended]).toEqual([0, 0]);
  });

  test('with a communicator and a collective that never ends: its process ends by itself', async () => {
    const runners = await startRanks('process', 2);
    await meet(runners);
    const [first, second] = runners as [RankRunner, RankRunner];
    await first.run(begin);
    first.release();
    second.release();
    expect([await first.ended, await second.ended]).toEqual([0, 0]);
  });

  test('that destroys its communicator first waits for the others, who lose nothing', async () => {
    const runners = await startRanks('thread', 2);
    await meet(runners);
    const [first, second] = runners as [RankRunner, RankRunner];
    await first.run(begin);
    let isDestroyed = false;
    const destroyed = first
      .run(({ nccl, kept, check }) => {
        check(nccl.ncclCommDestroy(kept['comm'] as never));
      })
      .then(() => (isDestroyed = true));
    await second.run(query);
    expect(isDestroyed).toBe(false);
    await second.run(begin);
    await destroyed;
    expect([await first.run(read), await second.run(read)]).toEqual([3, 3]);
    // What it begins now no other rank joins.
    await second.run(begin);
    expect(await second.run(query)).toBe(NOT_READY);
    expect(await second.run(abort)).toBe(0);
    for (const one of runners) one.release();
  });

  test('an abort while the communicator is being made', () => {
    const ranks = new NcclRanks(1);
    const config = new Uint8Array(96);
    const view = new DataView(config.buffer);
    view.setUint32(0, 80, true);
    view.setUint32(8, 0xcafe_beef, true);
    const made = new BigUint64Array(1);
    expect(ranks.nccl.ncclCommInitRankConfig(made, 2, ranks.id(), 0, config)).toBe(7);
    ok(ranks.nccl.ncclCommAbort(made[0] as Comm));
    ranks.destroy(ranks.communicators(1));
  });
});

describe('what communicators leave', () => {
  test('no handles and no descriptors, however many there were', async () => {
    const runners = await startRanks('process', 2);
    const owner = new NcclRanks(1);
    const cycle = async (): Promise<void> => {
      const id = [...owner.id().internal];
      await Promise.all(runners.map((one, rank) => one.run(init, id, 2, rank)));
      await Promise.all(runners.map((one) => one.run(begin)));
      await Promise.all(
        runners.map((one) =>
          one.run(({ nccl, kept, check, cuda }) => {
            check(cuda.cuCtxSynchronize());
            check(nccl.ncclCommDestroy(kept['comm'] as never));
          }),
        ),
      );
    };
    const descriptors = (): Promise<number[]> =>
      Promise.all(
        runners.map((one) =>
          one.run(async () => {
            const { readdirSync } = await import('node:fs');
            return readdirSync('/dev/fd').length;
          }),
        ),
      );
    await cycle();
    const before = await descriptors();
    for (let i = 0; i < 15; i++) await cycle();
    // A socket closes a moment after its end.
    let now = await descriptors();
    while (now.some((count, i) => count > (before[i] as number))) now = await descriptors();
    for (const one of runners) one.release();
    expect(await Promise.all(runners.map(({ ended }) => ended))).toEqual([0, 0]);
  });
});
