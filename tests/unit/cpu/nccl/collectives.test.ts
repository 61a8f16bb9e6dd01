import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NcclRanks, ok, type Comm } from '../../../helpers/cpu-nccl.ts';
import { NUMBERS, randomElements, REDUCTIONS, reduced, seeded, type Numbers } from '../../../helpers/nccl-reference.ts';
import { needs } from '../../../helpers/require.ts';
import { RedOp, DataType } from '../../../../src/nccl/sys/enums.ts';
import { ReduceOp } from '../../../../src/cpu/nccl/numbers.ts';

const MOST = 5;
const PREMUL = REDUCTIONS.length - 1;

const { test: builtTest } = needs.build();

/** What a collective gives each rank, of what each rank gives: parts of `count` elements. */
interface Shape {
  readonly send: (size: number, isRoot: boolean) => number;
  readonly recv: (size: number, isRoot: boolean) => number;
  /** Where the send buffer begins in the receive buffer in place, or the other way round, in parts. */
  readonly inPlace?: (rank: number) => number;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  allReduce: { send: () => 1, recv: () => 1, inPlace: () => 0 },
  reduce: { send: () => 1, recv: (_, isRoot) => (isRoot ? 1 : 0), inPlace: () => 0 },
  broadcast: { send: (_, isRoot) => (isRoot ? 1 : 0), recv: () => 1, inPlace: () => 0 },
  allGather: { send: () => 1, recv: (size) => size, inPlace: (rank) => rank },
  reduceScatter: { send: (size) => size, recv: () => 1, inPlace: (rank) => -rank },
  allToAll: { send: (size) => size, recv: (size) => size },
  gather: { send: () => 1, recv: (size, isRoot) => (isRoot ? size : 0), inPlace: (rank) => rank },
  scatter: { send: (size, isRoot) => (isRoot ? size : 0), recv: () => 1, inPlace: (rank) => -rank },
};

interface Case {
  readonly name: string;
  readonly numbers: Numbers;
  readonly dtype: number;
  readonly op: number;
  readonly size: number;
  readonly root: number;
  readonly count: number;
  readonly inPlace: boolean;
}

/** What each rank has afterwards. */
function expected(
  { name, numbers, op, root, count, size }: Case,
  sent: readonly Uint8Array[],
  scalar: Uint8Array,
): Uint8Array[] {
  const bytes = count * numbers.bytes;
  const reduction = REDUCTIONS[op] as (typeof REDUCTIONS)[number];
  const part = (from: number, index: number): Uint8Array =>
    (sent[from] as Uint8Array).subarray(index * bytes, (index + 1) * bytes);
  const all = (index: number): Uint8Array[] => sent.map((_, rank) => part(rank, index));
  const none = new Uint8Array();
  return sent.map((_, rank) => {
    switch (name) {
      case 'allReduce':
        return reduced(numbers, reduction, all(0), scalar);
      case 'reduce':
        return rank === root ? reduced(numbers, reduction, all(0), scalar) : none;
      case 'reduceScatter':
        return reduced(numbers, reduction, all(rank), scalar);
      case 'broadcast':
        return part(root, 0);
      case 'allGather':
        return Buffer.concat(all(0));
      case 'gather':
        return rank === root ? Buffer.concat(all(0)) : none;
      case 'scatter':
        return part(root, rank);
      default:
        return Buffer.concat(Array.from({ length: size }, (__, from) => part(from, rank)));
    }
  });
}

function filled(length: number, value: (i: number) => number): Int32Array {
  const array = new Int32Array(length);
  for (let i = 0; i < length; i++) array[i] = value(i);
  return array;
}

describe('collectives of the embedded device', () => {
  let ranks: NcclRanks;
  let comms: Comm[][];

  beforeAll(() => {
    ranks = new NcclRanks(MOST);
    comms = Array.from({ length: MOST }, (_, i) => ranks.communicators(i + 1));
  });

  afterAll(() => {
    for (const list of comms) ranks.destroy(list);
  });

  function call(one: Case, rank: number, send: bigint, recv: bigint, op: number): number {
    const comm = (comms[one.size - 1] as Comm[])[rank] as Comm;
    const { nccl } = ranks;
    const { name, count, dtype, root } = one;
    switch (name) {
      case 'allReduce':
        return nccl.ncclAllReduce(send, recv, count, dtype, op, comm, 0n as never);
      case 'reduce':
        return nccl.ncclReduce(send, recv, count, dtype, op, root, comm, 0n as never);
      case 'reduceScatter':
        return nccl.ncclReduceScatter(send, recv, count, dtype, op, comm, 0n as never);
      case 'broadcast':
        return nccl.ncclBroadcast(send, recv, count, dtype, root, comm, 0n as never);
      case 'allGather':
        return nccl.ncclAllGather(send, recv, count, dtype, comm, 0n as never);
      case 'gather':
        return nccl.ncclGather(send, recv, count, dtype, root, comm, 0n as never);
      case 'scatter':
        return nccl.ncclScatter(send, recv, count, dtype, root, comm, 0n as never);
      default:
        return nccl.ncclAlltoAll(send, recv, count, dtype, comm, 0n as never);
    }
  }

  function run(one: Case, random: () => number): void {
    const { name, numbers, size, root, count, inPlace, op } = one;
    const shape = SHAPES[name] as Shape;
    const bytes = count * numbers.bytes;
    const scalar = randomElements(numbers, 1, random);
    const lengths = (rank: number): [number, number] => [
      shape.send(size, rank === root),
      shape.recv(size, rank === root),
    ];
    const sent = Array.from({ length: size }, (_, rank) => randomElements(numbers, lengths(rank)[0] * count, random));
    const places = sent.map((data, rank) => {
      const [send, recv] = lengths(rank);
      if (!inPlace || send === 0 || recv === 0) {
        return {
          send: ranks.put(rank, data),
          recv: ranks.put(rank, new Uint8Array(recv * bytes).fill(0xee)),
          own: true,
        };
      }
      const offset = shape.inPlace?.(rank) ?? 0;
      const whole = new Uint8Array(Math.max(send, recv) * bytes).fill(0xee);
      whole.set(data, Math.max(0, offset) * bytes);
      const base = ranks.put(rank, whole);
      return {
        send: base + BigInt(Math.max(0, offset) * bytes),
        recv: base + BigInt(Math.max(0, -offset) * bytes),
        own: false,
      };
    });
    const ops = places.map((_, rank) => {
      if (op !== PREMUL) return op;
      const made = new Uint32Array(1);
      const comm = (comms[size - 1] as Comm[])[rank] as Comm;
      ok(ranks.nccl.ncclRedOpCreatePreMulSum(made, scalar, one.dtype, 1, comm), ranks);
      return made[0] as number;
    });
    const status = ranks.group(() => {
      places.forEach(({ send, recv }, rank) => {
        ok(call(one, rank, send, recv, ops[rank] as number), ranks);
      });
    });
    ok(status, ranks);
    const wanted = expected(one, sent, scalar);
    wanted.forEach((data, rank) => {
      const { send, recv, own } = places[rank] as (typeof places)[number];
      const got = ranks.get(rank, recv, data.length);
      expect({ ...one, numbers: numbers.name, rank, got: numbersOf(numbers, got) }).toEqual({
        ...one,
        numbers: numbers.name,
        rank,
        got: numbersOf(numbers, data),
      });
      ranks.free(own ? send : send < recv ? send : recv);
      if (own) ranks.free(recv);
    });
    if (op === PREMUL) {
      ops.forEach((made, rank) => {
        ok(ranks.nccl.ncclRedOpDestroy(made, (comms[size - 1] as Comm[])[rank] as Comm));
      });
    }
  }

  function numbersOf(numbers: Numbers, bytes: Uint8Array): (number | bigint)[] {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Array.from({ length: bytes.length / numbers.bytes }, (_, i) => numbers.read(view, i * numbers.bytes));
  }

  for (const name of ['allReduce', 'reduce', 'reduceScatter']) {
    builtTest(`${name}: all element types and reductions, 1 to ${MOST} ranks, in place and not`, () => {
      const random = seeded(1);
      NUMBERS.forEach((numbers, dtype) => {
        REDUCTIONS.forEach((_, op) => {
          for (let size = 1; size <= MOST; size++) {
            for (const inPlace of [false, true]) {
              const count = 1 + Math.floor(random() * 9);
              run({ name, numbers, dtype, op, size, root: Math.floor(random() * size), count, inPlace }, random);
            }
          }
        });
      });
    });
  }

  for (const name of ['broadcast', 'allGather', 'allToAll', 'gather', 'scatter']) {
    builtTest(`${name}: all element types, 1 to ${MOST} ranks, in place and not`, () => {
      const random = seeded(2);
      NUMBERS.forEach((numbers, dtype) => {
        for (let size = 1; size <= MOST; size++) {
          for (const inPlace of SHAPES[name]?.inPlace ? [false, true] : [false]) {
            const count = 1 + Math.floor(random() * 9);
            run({ name, numbers, dtype, op: 0, size, root: Math.floor(random() * size), count, inPlace }, random);
          }
        }
      });
    });
  }

  builtTest('more elements than the ranks combine at once', () => {
    const [size, count] = [3, (5 << 20) + 3];
    const list = comms[size - 1] as Comm[];
    const data = list.map((_, rank) => filled(count * size, (i) => (i + rank) * (7 + rank)));
    const sum = (from: number): Int32Array =>
      filled(count, (i) => {
        const [a, b, c] = data as [Int32Array, Int32Array, Int32Array];
        return (a[from + i] as number) + (b[from + i] as number) + (c[from + i] as number);
      });
    const sends = data.map((one, rank) => ranks.put(rank, new Uint8Array(one.buffer)));
    const recvs = list.map((_, rank) => ranks.put(rank, new Uint8Array(4 * count)));
    const check = (rank: number, wanted: Int32Array): void => {
      expect(Buffer.compare(ranks.get(rank, recvs[rank] as bigint, 4 * count), new Uint8Array(wanted.buffer))).toBe(0);
    };
    const all = (call: (rank: number, send: bigint, recv: bigint, comm: Comm) => number): number =>
      ranks.group(() => {
        list.forEach((comm, rank) => {
          ok(call(rank, sends[rank] as bigint, recvs[rank] as bigint, comm));
        });
      });
    ok(all((_, send, recv, comm) => ranks.nccl.ncclAllReduce(send, recv, count, 2, 0, comm, 0n as never)));
    for (const rank of list.keys()) check(rank, sum(0));
    ok(all((_, send, recv, comm) => ranks.nccl.ncclReduceScatter(send, recv, count, 2, 0, comm, 0n as never)));
    for (const rank of list.keys()) check(rank, sum(rank * count));
    ok(all((_, send, recv, comm) => ranks.nccl.ncclReduce(send, recv, count, 2, 0, 1, comm, 0n as never)));
    check(1, sum(0));
    for (const address of [...sends, ...recvs]) ranks.free(address);
  });
});

test('the numbers of the progress thread are those of the table', () => {
  expect(ReduceOp).toEqual(RedOp);
  expect(NUMBERS.length).toBe(Object.keys(DataType).length);
});
