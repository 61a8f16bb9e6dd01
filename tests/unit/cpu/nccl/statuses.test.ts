import { describe, expect } from '@jest/globals';
import { IN_PROGRESS, NcclRanks, nonblocking, ok, type Comm } from '../../../helpers/cpu-nccl.ts';
import { needs } from '../../../helpers/require.ts';

const INVALID_ARGUMENT = 4;
const INVALID_USAGE = 5;
const [I32, F32] = [2, 7];
const S = 0n as never;

const { test } = needs.build();

describe('arguments', () => {
  test('are refused as NCCL does, with a text that says why', () => {
    const ranks = new NcclRanks(2);
    const { nccl } = ranks;
    const comms = ranks.communicators(2);
    const [comm] = comms as [Comm];
    ranks.use(0);
    const buffer = ranks.put(0, new Uint8Array(64));
    const refused = (status: number, call: number, text: RegExp): void => {
      expect({ status: call, text: ranks.lastError }).toEqual({ status, text: expect.stringMatching(text) });
    };
    refused(
      INVALID_ARGUMENT,
      nccl.ncclAllReduce(buffer, buffer, 1, 12, 0, comm, S),
      /datatype must be below 12, got 12/,
    );
    refused(INVALID_ARGUMENT, nccl.ncclAllReduce(buffer, buffer, 1, F32, 5, comm, S), /op must be below 5 .* got 5/);
    refused(INVALID_ARGUMENT, nccl.ncclAllReduce(buffer, buffer, 17, F32, 0, comm, S), /sendbuff must have 68 bytes/);
    refused(INVALID_ARGUMENT, nccl.ncclAllGather(buffer, buffer, 9, F32, comm, S), /recvbuff must have 72 bytes/);
    refused(INVALID_ARGUMENT, nccl.ncclBroadcast(buffer, buffer, 1, F32, 2, comm, S), /from 0 to 1, got 2/);
    refused(INVALID_ARGUMENT, nccl.ncclSend(buffer, 1, F32, -1, comm, S), /from 0 to 1, got -1/);
    refused(INVALID_ARGUMENT, nccl.ncclAllReduce(buffer, buffer, 1, F32, 0, 0n as never, S), /NULL/);
    refused(INVALID_ARGUMENT, nccl.ncclAllReduce(buffer, buffer, 1, F32, 0, 77n as never, S), /no such communicator/);
    refused(INVALID_ARGUMENT, nccl.ncclAllReduce(buffer, buffer, 1, F32, 0, comm, ranks.stream(1)), /stream/);
    refused(INVALID_ARGUMENT, nccl.ncclCommSplit(comm, -2, 0, new BigUint64Array(1), 0n), /color .* got -2/);
    refused(
      INVALID_ARGUMENT,
      nccl.ncclCommSplit(comm, 0, 0, new BigUint64Array(1), new Uint8Array(96)),
      /ncclConfig_t/,
    );
    refused(INVALID_ARGUMENT, nccl.ncclRedOpDestroy(300, comm), /op 300/);
    refused(INVALID_ARGUMENT, nccl.ncclCommCount(comm, 0n), /argument 2 is NULL/);
    refused(INVALID_USAGE, nccl.ncclGroupEnd(), /not in a group/);
    refused(INVALID_USAGE, nccl.ncclCommRevoke(comm, 0), /2\.28\.3/);
    const made = new BigUint64Array(1);
    const id = ranks.id();
    refused(INVALID_ARGUMENT, nccl.ncclCommInitRank(made, 33, id, 0), /from 1 to 32 .* got 33/);
    refused(INVALID_ARGUMENT, nccl.ncclCommInitRank(made, 2, id, 2), /from 0 to 1, got 2/);
    refused(INVALID_ARGUMENT, nccl.ncclCommInitRank(made, 2, { internal: new Uint8Array(128) }, 0), /unique id/);
    refused(INVALID_ARGUMENT, nccl.ncclCommWindowRegister(comm, buffer + 16n, 32, made, 0), /multiples of 4096/);
    refused(
      INVALID_USAGE,
      nccl.ncclCommInitAll(new BigUint64Array(2), 2, Int32Array.of(0, 99)),
      /Invalid device id 99/,
    );
    ranks.destroy(comms);
    refused(INVALID_ARGUMENT, nccl.ncclCommDestroy(comm), /no such communicator/);
  });

  test('an error in a group is the status of its end, and nothing of it begins', () => {
    const ranks = new NcclRanks(2);
    const comms = ranks.communicators(2);
    const buffers = [ranks.putInt(0, 1), ranks.putInt(1, 2)];
    ok(ranks.nccl.ncclGroupStart());
    ok(ranks.nccl.ncclAllReduce(buffers[0] as bigint, buffers[0] as bigint, 1, I32, 0, comms[0] as Comm, S));
    expect(ranks.nccl.ncclBroadcast(buffers[1] as bigint, buffers[1] as bigint, 1, I32, 9, comms[1] as Comm, S)).toBe(
      4,
    );
    expect(ranks.nccl.ncclGroupEnd()).toBe(INVALID_ARGUMENT);
    expect([ranks.sync(0), ranks.sync(1)]).toEqual([0, 0]);
    ok(ranks.sum(comms, buffers, [0, 1]));
    expect([ranks.getInt(0, buffers[0] as bigint), ranks.getInt(1, buffers[1] as bigint)]).toEqual([3, 3]);
    ranks.destroy(comms);
  });

  test('two ranks on one device are refused', () => {
    const ranks = new NcclRanks(2, { sameDevice: true });
    expect(() => ranks.communicators(2)).toThrow(/status 5: Duplicate GPU detected : rank 0 and rank 1/);
  });

  test('a transfer to itself needs its other side in the group', () => {
    const ranks = new NcclRanks(1);
    const [comm] = ranks.communicators(1) as [Comm];
    const [from, to] = [ranks.putInt(0, 7), ranks.putInt(0, 0)];
    expect(ranks.nccl.ncclSend(from, 1, I32, 0, comm, S)).toBe(INVALID_USAGE);
    const both = ranks.group(() => {
      ok(ranks.nccl.ncclRecv(to, 1, I32, 0, comm, S));
      ok(ranks.nccl.ncclSend(from, 1, I32, 0, comm, S));
    });
    ok(both, ranks);
    expect(ranks.getInt(0, to)).toBe(7);
    ranks.destroy([comm]);
  });
});

describe('communicators that do not block', () => {
  test('are in progress until they are made, and after some of their calls', () => {
    const ranks = new NcclRanks(2);
    const { nccl } = ranks;
    const config = nonblocking();
    const id = ranks.id();
    const made = [new BigUint64Array(1), new BigUint64Array(1)];
    ranks.use(0);
    expect(nccl.ncclCommInitRankConfig(made[0] as BigUint64Array, 2, id, 0, config)).toBe(IN_PROGRESS);
    const comm = made[0]?.[0] as Comm;
    const buffer = ranks.put(0, new Uint8Array(4));
    expect(nccl.ncclAllReduce(buffer, buffer, 1, I32, 0, comm, S)).toBe(INVALID_ARGUMENT);
    expect(ranks.lastError).toMatch(/before the previous operation returned ncclSuccess/);
    ranks.use(1);
    expect(nccl.ncclCommInitRankConfig(made[1] as BigUint64Array, 2, id, 1, config)).toBe(IN_PROGRESS);
    const comms = made.map((one) => one[0] as Comm);
    expect(comms.map((one) => ranks.settle(one))).toEqual([0, 0]);
    const buffers = [ranks.putInt(0, 1), ranks.putInt(1, 1)];
    const statuses = Array.from({ length: 6 }, () => {
      const status = ranks.sum(comms, buffers, [0, 1]);
      for (const one of comms) expect(ranks.settle(one)).toBe(0);
      return status;
    });
    expect(statuses).toEqual([IN_PROGRESS, 0, 0, 0, 0, IN_PROGRESS]);
    expect(ranks.getInt(0, buffers[0] as bigint)).toBe(64);
    const parts = new BigUint64Array(2);
    const split = ranks.group(() => {
      comms.forEach((one, i) => {
        ok(nccl.ncclCommSplit(one, 0, -i, parts.subarray(i, i + 1), 0n));
      });
    });
    expect(split).toBe(IN_PROGRESS);
    // As in NCCL the parents are in progress, and the handles come with the communicators.
    expect([...parts]).toEqual([0n, 0n]);
    expect(comms.map((one) => ranks.settle(one))).toEqual([0, 0]);
    expect([...parts].map((one) => ranks.settle(one as Comm))).toEqual([0, 0]);
    const rank = new Int32Array(1);
    ok(nccl.ncclCommUserRank(parts[0] as Comm, rank));
    expect(rank[0]).toBe(1);
    ranks.destroy([...parts] as Comm[]);
    for (const one of comms) expect([0, IN_PROGRESS]).toContain(nccl.ncclCommFinalize(one));
    expect(comms.map((one) => ranks.settle(one))).toEqual([0, 0]);
    ranks.destroy(comms);
  });

  test('cannot be in one group with others', () => {
    const ranks = new NcclRanks(2);
    const [id, other] = [ranks.id(), ranks.id()];
    const made = new BigUint64Array(2);
    const status = ranks.group(() => {
      ranks.use(0);
      ok(ranks.nccl.ncclCommInitRank(made.subarray(0, 1), 1, id, 0));
      ok(ranks.nccl.ncclCommInitRankConfig(made.subarray(1), 1, other, 0, nonblocking()));
    });
    expect([status, ...made]).toEqual([INVALID_ARGUMENT, 0n, 0n]);
  });
});

describe('beside the driver', () => {
  test('a graph replays the collectives that were captured', () => {
    const ranks = new NcclRanks(2);
    const { driver } = ranks;
    const comms = ranks.communicators(2);
    const buffers = [ranks.putInt(0, 1), ranks.putInt(1, 2)];
    const streams = [ranks.stream(0), ranks.stream(1)];
    streams.forEach((stream, device) => {
      ranks.use(device);
      ok(driver.cuStreamBeginCapture(stream as never, 0));
    });
    const recorded = ranks.group(() => {
      comms.forEach((comm, i) => {
        const at = buffers[i] as bigint;
        ok(ranks.nccl.ncclAllReduce(at, at, 1, I32, 0, comm, streams[i] as never), ranks);
      });
    });
    ok(recorded, ranks);
    const execs = streams.map((stream, device) => {
      ranks.use(device);
      const [graph, exec] = [new BigUint64Array(1), new BigUint64Array(1)];
      ok(driver.cuStreamEndCapture(stream as never, graph));
      ok(driver.cuGraphInstantiateWithParams(exec, graph[0] as never, new Uint8Array(32)));
      return exec[0] as bigint;
    });
    for (let i = 0; i < 3; i++)
      execs.forEach((exec, at) => {
        ok(driver.cuGraphLaunch(exec as never, streams[at] as never));
      });
    expect([ranks.sync(0), ranks.sync(1)]).toEqual([0, 0]);
    expect(buffers.map((at, device) => ranks.getInt(device, at))).toEqual([12, 12]);
    ranks.destroy(comms);
  });

  test('in the checked mode buffers may overlap in place alone', () => {
    process.env['RAWKERNEL_CPU_CHECK'] = '1';
    try {
      const ranks = new NcclRanks(2);
      const { nccl } = ranks;
      const comms = ranks.communicators(2);
      const buffers = [0, 1].map((device) => ranks.put(device, new Uint8Array(Int32Array.of(1, 2, 3, 4).buffer)));
      const at = buffers[0] as bigint;
      expect(nccl.ncclAllReduce(at, at + 4n, 2, I32, 0, comms[0] as Comm, S)).toBe(INVALID_ARGUMENT);
      expect(ranks.lastError).toMatch(/overlap/);
      const gathered = ranks.group(() => {
        comms.forEach((comm, rank) => {
          const own = buffers[rank] as bigint;
          ok(nccl.ncclAllGather(own + BigInt(8 * rank), own, 2, I32, comm, S), ranks);
        });
      });
      ok(gathered, ranks);
      expect([...new Int32Array(ranks.get(1, buffers[1] as bigint, 16).buffer)]).toEqual([1, 2, 3, 4]);
      ok(ranks.sum(comms, buffers, [0, 1]));
      expect(ranks.getInt(0, at)).toBe(2);
      ranks.destroy(comms);
    } finally {
      process.env['RAWKERNEL_CPU_CHECK'] = '';
    }
  });

  test('InitAll, memory, registrations, a simulated group', () => {
    const ranks = new NcclRanks(1);
    const { nccl } = ranks;
    const made = new BigUint64Array(1);
    ok(nccl.ncclCommInitAll(made, 1, 0n), ranks);
    const comm = made[0] as Comm;
    const [memory, handle] = [new BigUint64Array(1), new BigUint64Array(1)];
    ok(nccl.ncclMemAlloc(memory, 4096), ranks);
    ok(nccl.ncclCommRegister(comm, memory[0] as bigint, 4096, handle), ranks);
    ok(nccl.ncclCommDeregister(comm, handle[0] as bigint), ranks);
    expect(nccl.ncclCommDeregister(comm, handle[0] as bigint)).toBe(INVALID_ARGUMENT);
    ok(nccl.ncclCommWindowRegister(comm, memory[0] as bigint, 4096, handle, 1), ranks);
    ok(nccl.ncclCommWindowDeregister(comm, handle[0] as never), ranks);
    const info = new Uint8Array(24);
    ok(nccl.ncclGroupStart());
    const at = memory[0] as bigint;
    ok(nccl.ncclAllReduce(at, at, 1000, F32, 0, comm, S), ranks);
    ok(nccl.ncclGroupSimulateEnd(info), ranks);
    expect(new DataView(info.buffer).getFloat32(16, true)).toBeGreaterThan(0);
    ranks.destroy([comm]);
    ok(nccl.ncclMemFree(at), ranks);
    const version = new Int32Array(1);
    ok(nccl.ncclGetVersion(version));
    expect(version[0]).toBe(22_803);
  });
});
