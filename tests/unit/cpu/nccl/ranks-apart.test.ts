import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { NcclRanks } from '../../../helpers/cpu-nccl.ts';
import { RankRunner, startRanks, type RankApi } from '../../../helpers/nccl-ranks.ts';
import { needs } from '../../../helpers/require.ts';

const SIZE = 3;
const { test } = needs.build();

/** An id that this thread owns: none of the ranks does. */
function newId(owner: NcclRanks): number[] {
  return [...owner.id().internal];
}

const init = ({ init: make, kept }: RankApi, id: number[], size: number, rank: number): void => {
  Object.assign(kept, { comm: make(id, size, rank), rank, size });
};

const destroy = ({ nccl, kept, check, handles }: RankApi): string[] => {
  check(nccl.ncclCommDestroy(kept['comm'] as never));
  return handles().filter((one) => /TCP|Timeout|Worker/.test(one));
};

describe.each(['thread', 'process'] as const)('ranks, each in a %s of its own', (kind) => {
  let owner: NcclRanks;
  let ranks: RankRunner[] = [];
  const all = <Args extends unknown[], Result>(
    call: (api: RankApi, ...args: Args) => Result,
    args: (rank: number) => readonly [...Args],
  ): Promise<Awaited<Result>[]> => Promise.all(ranks.map((one, rank) => one.run(call, ...args(rank))));

  beforeAll(async () => {
    owner = new NcclRanks(1);
    ranks = await startRanks(kind, SIZE);
  });
  afterAll(async () => {
    for (const one of ranks) one.release();
    // A process ends by itself: neither its thread nor its sockets keep it.
    const codes = await Promise.all(ranks.map(({ ended }) => ended));
    if (kind === 'process') expect(codes).toEqual(ranks.map(() => 0));
  });

  test('every collective, and what each rank has of it', async () => {
    const id = newId(owner);
    await all(init, (rank) => [id, SIZE, rank]);
    const seen = await all(
      (api: RankApi, rank: number, size: number) => {
        const { nccl, kept, check, put, get, sync } = api;
        const comm = kept['comm'] as never;
        const send = put(Float32Array.from({ length: size }, (_, i) => 10 * rank + i));
        const results: Record<string, number[]> = {};
        const run = (name: string, count: number, call: (recv: never) => number): void => {
          const recv = put(new Float32Array(count).fill(-1));
          check(call(recv));
          sync();
          results[name] = [...get(recv, new Float32Array(count))];
        };
        const s = 0n as never;
        run('allReduce', size, (recv) => nccl.ncclAllReduce(send, recv, size, 7, 0, comm, s));
        run('reduce', size, (recv) => nccl.ncclReduce(send, recv, size, 7, 2, 1, comm, s));
        run('broadcast', size, (recv) => nccl.ncclBroadcast(send, recv, size, 7, 2, comm, s));
        run('allGather', size, (recv) => nccl.ncclAllGather(send, recv, 1, 7, comm, s));
        run('reduceScatter', 1, (recv) => nccl.ncclReduceScatter(send, recv, 1, 7, 0, comm, s));
        run('allToAll', size, (recv) => nccl.ncclAlltoAll(send, recv, 1, 7, comm, s));
        run('gather', size, (recv) => nccl.ncclGather(send, recv, 1, 7, 0, comm, s));
        run('scatter', 1, (recv) => nccl.ncclScatter(send, recv, 1, 7, 1, comm, s));
        run('ring', 1, (recv) => {
          check(nccl.ncclGroupStart());
          check(nccl.ncclSend(send, 1, 7, (rank + 1) % size, comm, s));
          check(nccl.ncclRecv(recv, 1, 7, (rank + size - 1) % size, comm, s));
          return nccl.ncclGroupEnd();
        });
        return results;
      },
      (rank) => [rank, SIZE],
    );
    expect(seen).toEqual(
      [0, 1, 2].map((rank) => ({
        allReduce: [30, 33, 36],
        reduce: rank === 1 ? [20, 21, 22] : [-1, -1, -1],
        broadcast: [20, 21, 22],
        allGather: [0, 10, 20],
        reduceScatter: [[30], [33], [36]][rank],
        allToAll: [rank, 10 + rank, 20 + rank],
        gather: rank === 0 ? [0, 10, 20] : [-1, -1, -1],
        scatter: [10 + rank],
        ring: [10 * ((rank + 2) % 3)],
      })),
    );
    expect(await all(destroy, () => [])).toEqual([[], [], []]);
  });

  test('large buffers, without a rank that is ahead', async () => {
    const id = newId(owner);
    await all(init, (rank) => [id, SIZE, rank]);
    const count = (3 << 20) + 1;
    const seen = await all(
      ({ nccl, kept, check, put, get, cuda }: RankApi, rank: number, length: number) => {
        const comm = kept['comm'] as never;
        const data = put(Int32Array.from({ length }, (_, i) => i * (rank + 1)));
        check(nccl.ncclAllReduce(data, data, length, 2, 0, comm, 0n as never));
        check(nccl.ncclAllReduce(data, data, length, 2, 2, comm, 0n as never));
        check(cuda.cuCtxSynchronize());
        return get(data, new Int32Array(length)).findIndex((value, i) => value !== Math.imul(i, 6));
      },
      (rank) => [rank, count],
    );
    expect(seen).toEqual([-1, -1, -1]);
    await all(destroy, () => []);
  });

  test('split and shrink: new ranks by the keys, and groups that do not meet', async () => {
    const id = newId(owner);
    await all(init, (rank) => [id, SIZE, rank]);
    const seen = await all(
      ({ nccl, kept, check, made, put, get, sync }: RankApi, rank: number) => {
        const comm = kept['comm'] as never;
        const tell = (one: never): number[] => {
          const [at, size] = [new Int32Array(1), new Int32Array(1)];
          check(nccl.ncclCommUserRank(one, at));
          check(nccl.ncclCommCount(one, size));
          const data = put(Int32Array.of(100 + rank));
          check(nccl.ncclAllReduce(data, data, 1, 2, 0, one, 0n as never));
          sync();
          const result = [at[0] as number, size[0] as number, get(data, new Int32Array(1))[0] as number];
          check(nccl.ncclCommDestroy(one));
          return result;
        };
        // Ranks 0 and 2 in reverse order; rank 1 has no part.
        const part = made((out) => nccl.ncclCommSplit(comm, rank === 1 ? -1 : 5, -rank, out, 0n));
        const first = rank === 1 ? [] : tell(part);
        const whole = made((out) => nccl.ncclCommSplit(comm, 0, 0, out, 0n));
        const second = tell(whole);
        if (rank === 2) return [first, second, []];
        const less = made((out) => nccl.ncclCommShrink(comm, Int32Array.of(2), 1, out, 0n, 0));
        return [first, second, tell(less)];
      },
      (rank) => [rank],
    );
    expect(seen).toEqual([
      [
        [1, 2, 202],
        [0, 3, 303],
        [0, 2, 201],
      ],
      [[], [1, 3, 303], [1, 2, 201]],
      [[0, 2, 202], [2, 3, 303], []],
    ]);
    await all(destroy, () => []);
  });
});

test('a process has the embedded device for itself, unless its devices are counted', async () => {
  const owner = new NcclRanks(1);
  const outcome = async (variables: Readonly<Record<string, string>>): Promise<string[]> => {
    const ranks = await Promise.all([0, 1].map((i) => new RankRunner('process', i, variables).ready()));
    const id = newId(owner);
    const made = await Promise.allSettled(ranks.map((one, rank) => one.run(init, id, 2, rank)));
    for (const one of ranks) one.kill();
    await Promise.all(ranks.map(({ ended }) => ended));
    return made.map((one) => (one.status === 'rejected' ? String(one.reason) : 'made'));
  };
  expect(await outcome({ NCCL_HOSTID: '', RAWKERNEL_CPU_DEVICES: '' })).toEqual(['made', 'made']);
  const refused = expect.stringContaining('status 5') as unknown;
  expect(await outcome({ NCCL_HOSTID: '', RAWKERNEL_CPU_DEVICES: '1' })).toEqual([refused, refused]);
});
