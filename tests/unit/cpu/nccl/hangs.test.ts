import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect } from '@jest/globals';
import { stateOf } from '../../../../src/cpu/driver-table.ts';
import { noteFault } from '../../../../src/cpu/runtime/context-fault.ts';
import { IN_PROGRESS, NcclRanks, nonblocking, ok, type Comm } from '../../../helpers/cpu-nccl.ts';
import { isListening, listenersAt, type Listener } from '../../../helpers/listening.ts';
import { needs } from '../../../helpers/require.ts';
import { until } from '../../../helpers/until.ts';

const UNHANDLED_CUDA_ERROR = 1;
const INVALID_USAGE = 5;
const REMOTE_ERROR = 6;
const NOT_READY = 600;
const ILLEGAL_ADDRESS = 700;
const [I32, F32] = [2, 7];
const S = 0n as never;
const ROUNDS = 20;

const { test } = needs.build();

/**
 * The statuses of the default streams of both ranks after a while: another communicator has carried out collectives since,
 * in streams that do not wait for these.
 */
function queries(ranks: NcclRanks): number[] {
  const others = ranks.communicators(2);
  const streams = [ranks.stream(0), ranks.stream(1)];
  // Without a copy, which would wait for the default stream.
  const buffers = [ranks.allocate(0, 1), ranks.allocate(1, 1)];
  for (let i = 0; i < ROUNDS; i++) {
    const status = ranks.group(() => {
      others.forEach((comm, rank) => {
        const at = buffers[rank] as bigint;
        ok(ranks.nccl.ncclAllReduce(at, at, 1, 1, 0, comm, streams[rank] as never), ranks);
      });
    });
    ok(status, ranks);
    for (const stream of streams) ok(ranks.driver.cuStreamSynchronize(stream as never));
  }
  ranks.destroy(others);
  return [0, 1].map((device) => {
    ranks.use(device);
    return ranks.driver.cuStreamQuery(S);
  });
}

describe('what goes wrong between ranks', () => {
  test('a collective that a rank never joins hangs until the communicator is aborted', () => {
    const ranks = new NcclRanks(2);
    const comms = ranks.communicators(2);
    const buffers = [ranks.putInt(0, 1), ranks.putInt(1, 2)];
    ok(ranks.sum(comms, buffers, [0]));
    expect(queries(ranks)).toEqual([NOT_READY, 0]);
    ok(ranks.nccl.ncclCommAbort(comms[0] as Comm), ranks);
    expect([ranks.sync(0), ranks.sync(1)]).toEqual([0, 0]);
    ok(ranks.nccl.ncclCommAbort(comms[1] as Comm), ranks);
    const again = ranks.communicators(2);
    ok(ranks.sum(again, buffers, [0, 1]));
    expect(ranks.getInt(1, buffers[1] as bigint)).toBe(3);
    ranks.destroy(again);
  });

  test.each([
    ['another count', [1, 2], [I32, I32], [0, 0]],
    ['another element type', [1, 1], [I32, F32], [0, 0]],
    ['another reduction', [1, 1], [I32, I32], [0, 2]],
  ])('%s on two ranks hangs', (_, counts, dtypes, ops) => {
    const ranks = new NcclRanks(2);
    const comms = ranks.communicators(2);
    const buffers = [0, 1].map((device) => ranks.put(device, new Uint8Array(64)));
    const status = ranks.group(() => {
      comms.forEach((comm, i) => {
        const at = buffers[i] as bigint;
        ok(ranks.nccl.ncclAllReduce(at, at, counts[i] as number, dtypes[i] as number, ops[i] as number, comm, S));
      });
    });
    ok(status);
    expect(queries(ranks)).toEqual([NOT_READY, NOT_READY]);
    for (const comm of comms) ok(ranks.nccl.ncclCommAbort(comm), ranks);
    expect([ranks.sync(0), ranks.sync(1)]).toEqual([0, 0]);
  });

  test('another root, another operation, and a transfer of another length hang', () => {
    const ranks = new NcclRanks(2);
    const { nccl } = ranks;
    const calls: ((comm: Comm, at: bigint, rank: number) => number)[] = [
      (comm, at, rank) => nccl.ncclBroadcast(at, at, 4, I32, rank, comm, S),
      (comm, at, rank) =>
        rank === 0 ? nccl.ncclAllReduce(at, at, 4, I32, 0, comm, S) : nccl.ncclReduce(at, at, 4, I32, 0, 1, comm, S),
      (comm, at, rank) => (rank === 0 ? nccl.ncclSend(at, 3, I32, 1, comm, S) : nccl.ncclRecv(at, 4, I32, 0, comm, S)),
    ];
    for (const call of calls) {
      const comms = ranks.communicators(2);
      const buffers = [0, 1].map((device) => ranks.put(device, new Uint8Array(64)));
      ok(
        ranks.group(() => {
          comms.forEach((comm, rank) => {
            ok(call(comm, buffers[rank] as bigint, rank), ranks);
          });
        }),
      );
      expect(queries(ranks)).toEqual([NOT_READY, NOT_READY]);
      for (const comm of comms) ok(nccl.ncclCommAbort(comm), ranks);
      expect([ranks.sync(0), ranks.sync(1)]).toEqual([0, 0]);
    }
  });

  test('a fault of a context ends its collectives, and is the error of its communicator alone', () => {
    const ranks = new NcclRanks(2);
    const comms = ranks.communicators(2);
    const buffers = [ranks.putInt(0, 1), ranks.putInt(1, 2)];
    ok(ranks.sum(comms, buffers, [0]));
    const state = stateOf(ranks.driver);
    ranks.use(0);
    noteFault(state.engine.control, state.current?.index as number, ILLEGAL_ADDRESS, 1);
    expect(ranks.sync(0)).toBe(ILLEGAL_ADDRESS);
    expect(ranks.settle(comms[0] as Comm)).toBe(UNHANDLED_CUDA_ERROR);
    expect([ranks.sync(1), ranks.settle(comms[1] as Comm)]).toEqual([0, 0]);
    for (const comm of comms) ok(ranks.nccl.ncclCommAbort(comm), ranks);
  });

  test('an id is good for one communicator', () => {
    const ranks = new NcclRanks(2);
    const id = ranks.id();
    const made = new BigUint64Array(1);
    ranks.use(0);
    ok(ranks.nccl.ncclCommInitRank(made, 1, id, 0), ranks);
    const second = new BigUint64Array(1);
    expect(ranks.nccl.ncclCommInitRank(second, 1, id, 0)).toBe(REMOTE_ERROR);
    expect([second[0], ranks.lastError]).toEqual([0n, expect.stringMatching(/unique id was used before/)]);
    ranks.destroy([made[0] as Comm]);
  });

  test('ranks that disagree on their number, or are there twice: the later one gets the error', () => {
    const ranks = new NcclRanks(3);
    const id = ranks.id();
    const made = new BigUint64Array(3);
    const init = (device: number, size: number, rank: number): Comm => {
      ranks.use(device);
      const config = nonblocking();
      expect(ranks.nccl.ncclCommInitRankConfig(made.subarray(device, device + 1), size, id, rank, config)).toBe(7);
      return made[device] as Comm;
    };
    const first = init(0, 2, 0);
    const status = new Int32Array(1);
    expect(ranks.settle(init(1, 3, 1))).toBe(INVALID_USAGE);
    expect(ranks.lastError).toMatch(/must agree on their number; rank 1 says 3/);
    expect(ranks.settle(init(2, 2, 0))).toBe(INVALID_USAGE);
    expect(ranks.lastError).toMatch(/Rank 0 of 2 has come to this id twice/);
    ok(ranks.nccl.ncclCommGetAsyncError(first, status));
    expect(status[0]).toBe(IN_PROGRESS);
    for (const comm of made) ok(ranks.nccl.ncclCommAbort(comm as Comm), ranks);
  });

  test('strangers at the port neither stop a communicator nor stay', async () => {
    const ranks = new NcclRanks(2);
    const { internal } = ranks.id();
    const port = new DataView(internal.buffer).getUint16(12, true);
    const listeners = listenersAt(port);
    expect(listeners).toHaveLength(1);
    const garbage = [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.alloc(1 << 20, 0xff),
      Buffer.concat([Buffer.from('rknccl01'), Buffer.alloc(200, 0xff)]),
      Buffer.from('rknc'),
      Buffer.alloc(0),
    ];
    const strangers = garbage.map((bytes) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      if (bytes.length > 0) socket.write(bytes);
      return socket;
    });
    await once(strangers.at(-1) as (typeof strangers)[number], 'connect');
    const made = new BigUint64Array(2);
    const status = ranks.group(() => {
      for (const rank of [0, 1]) {
        ranks.use(rank);
        ok(ranks.nccl.ncclCommInitRank(made.subarray(rank, rank + 1), 2, { internal }, rank));
      }
    });
    ok(status, ranks);
    const buffers = [ranks.putInt(0, 1), ranks.putInt(1, 2)];
    ok(ranks.sum([...made] as Comm[], buffers, [0, 1]));
    expect(ranks.getInt(1, buffers[1] as bigint)).toBe(3);
    ranks.destroy([...made] as Comm[]);
    // With the last communicator the listener and all that hangs on it are gone.
    await until('all connections are closed', () => strangers.every((one) => one.closed || one.readableEnded));
    expect(await isListening(listeners[0] as Listener)).toBe(false);
  });
});
