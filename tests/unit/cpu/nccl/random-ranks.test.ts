import { expect } from '@jest/globals';
import { NcclRanks, ok, type Comm } from '../../../helpers/cpu-nccl.ts';
import { needs } from '../../../helpers/require.ts';
import { seeded } from '../../../helpers/nccl-reference.ts';

const SIZE = 4;
const STREAMS = 3;
const STEPS = 120;
/** Words of a rank's memory. */
const WORDS = 64;

const { test } = needs.build();

/** An order of calls that all ranks make, and what it does to their memory. */
class Model {
  readonly memories: Int32Array[] = Array.from({ length: SIZE }, (_, rank) =>
    Int32Array.from({ length: WORDS }, (__, i) => Math.imul(i + 1, 1 + rank * 1001)),
  );

  part(rank: number, at: number, count: number): Int32Array {
    return (this.memories[rank] as Int32Array).slice(at, at + count);
  }

  put(rank: number, at: number, values: Int32Array): void {
    (this.memories[rank] as Int32Array).set(values, at);
  }

  sum(at: number, count: number): Int32Array {
    return this.memories.reduce(
      (all, one) => all.map((value, i) => value + (one[at + i] as number)),
      new Int32Array(count),
    );
  }
}

for (const [name, blocking] of [
  ['in streams that wait for the default stream', 0],
  ['in streams that do not', 1],
] as const) {
  test.each([1, 2, 3, 4])(`random collectives and transfers ${name}: seed %i`, (seed) => {
    const ranks = new NcclRanks(SIZE);
    const { nccl } = ranks;
    const comms = ranks.communicators(SIZE);
    const random = seeded(seed);
    const below = (most: number): number => Math.floor(random() * most);
    const model = new Model();
    const bases = model.memories.map((memory, rank) => ranks.put(rank, new Uint8Array(memory.buffer.slice(0))));
    const streams = comms.map((_, rank) => Array.from({ length: STREAMS }, () => ranks.stream(rank, blocking)));
    const place = (rank: number, word: number): bigint => (bases[rank] as bigint) + BigInt(4 * word);
    const each = (call: (comm: Comm, rank: number, stream: never) => number): void => {
      const stream = below(STREAMS);
      const status = ranks.group(() => {
        comms.forEach((comm, rank) => {
          ok(call(comm, rank, streams[rank]?.[stream] as never), ranks);
        });
      });
      ok(status, ranks);
    };
    const steps = [
      (): void => {
        const [from, to, count] = [below(16), 16 + below(16), 1 + below(16)];
        each((comm, rank, stream) => nccl.ncclAllReduce(place(rank, from), place(rank, to), count, 2, 0, comm, stream));
        const sum = model.sum(from, count);
        for (const rank of comms.keys()) model.put(rank, to, sum);
      },
      (): void => {
        const [at, count, root] = [below(32), 1 + below(16), below(SIZE)];
        each((comm, rank, stream) =>
          nccl.ncclBroadcast(place(rank, at), place(rank, at), count, 2, root, comm, stream),
        );
        const sent = model.part(root, at, count);
        for (const rank of comms.keys()) model.put(rank, at, sent);
      },
      (): void => {
        const [from, to, count] = [below(16), 32, 1 + below(8)];
        each((comm, rank, stream) => nccl.ncclAllGather(place(rank, from), place(rank, to), count, 2, comm, stream));
        const sent = comms.map((_, rank) => model.part(rank, from, count));
        for (const rank of comms.keys())
          sent.forEach((one, i) => {
            model.put(rank, to + i * count, one);
          });
      },
      (): void => {
        const [from, to, count] = [below(8), 48, 1 + below(4)];
        each((comm, rank, stream) =>
          nccl.ncclReduceScatter(place(rank, from), place(rank, to), count, 2, 0, comm, stream),
        );
        const sums = comms.map((_, rank) => model.sum(from + rank * count, count));
        sums.forEach((sum, rank) => {
          model.put(rank, to, sum);
        });
      },
      // Several transfers between the same ranks in one group meet in the order of their calls.
      (): void => {
        const [from, to, shift, times] = [below(16), 32 + below(16), below(SIZE), 1 + below(3)];
        each((comm, rank, stream) => {
          for (let i = 0; i < times; i++) {
            ok(nccl.ncclSend(place(rank, from + i), 1, 2, (rank + shift) % SIZE, comm, stream));
            ok(nccl.ncclRecv(place(rank, to + i), 1, 2, (rank + SIZE - shift) % SIZE, comm, stream));
          }
          return 0;
        });
        const sent = comms.map((_, rank) => model.part(rank, from, times));
        for (const rank of comms.keys()) model.put(rank, to, sent[(rank + SIZE - shift) % SIZE] as Int32Array);
      },
      // On one rank alone.
      (): void => {
        const [rank, stream, to, value] = [below(SIZE), below(STREAMS), below(WORDS), below(1000)];
        const on = streams[rank]?.[stream] as never;
        for (const device of comms.keys()) ok(ranks.sync(device));
        ok(ranks.driver.cuMemsetD32Async(place(rank, to) as never, value, 1, on));
        ok(ranks.driver.cuStreamSynchronize(on));
        model.put(rank, to, Int32Array.of(value));
      },
    ];
    for (let i = 0; i < STEPS; i++) steps[below(steps.length)]?.();
    model.memories.forEach((memory, rank) => {
      ok(ranks.sync(rank));
      const got = new Int32Array(ranks.get(rank, bases[rank] as bigint, 4 * WORDS).buffer);
      expect([rank, ...got]).toEqual([rank, ...memory]);
    });
    ranks.destroy(comms);
  });
}
