import { combine, valuesOf, type Expected, type MatrixValues } from './nccl-matrix-values.ts';
import type { MatrixCase } from './nccl-matrix-cases.ts';

/** How many times the count a rank sends and receives, and where one lies in the other in place, in counts. */
interface Shape {
  readonly send: number;
  readonly recv: number;
  /** Where the smaller one begins in the larger one. */
  readonly offset: number;
}

function shapeOf({ collective, root }: MatrixCase, size: number, rank: number): Shape {
  const isRoot = rank === root;
  switch (collective) {
    case 'reduce':
      return { send: 1, recv: isRoot ? 1 : 0, offset: 0 };
    case 'broadcast':
      return { send: isRoot ? 1 : 0, recv: 1, offset: 0 };
    case 'allGather':
      return { send: 1, recv: size, offset: rank };
    case 'reduceScatter':
      return { send: size, recv: 1, offset: rank };
    case 'gather':
      return { send: 1, recv: isRoot ? size : 0, offset: rank };
    case 'scatter':
      return { send: isRoot ? size : 0, recv: 1, offset: rank };
    case 'allToAll':
      return { send: size, recv: size, offset: 0 };
    default:
      return { send: 1, recv: 1, offset: 0 };
  }
}

/** Which numbers each rank has sent become each of a rank's received ones, part by part. */
function received(one: MatrixCase, size: number, rank: number, { sent, factors }: MatrixValues): Expected[] {
  const { collective, op, count, dtype, root } = one;
  const length = count * dtype.parts;
  const part = (from: number, index: number): Expected[] =>
    (sent[from] as (number | bigint)[])
      .slice(index * length, (index + 1) * length)
      .map((value) => ({ value, error: 0 }));
  const reduced = (index: number): Expected[] =>
    Array.from({ length }, (_, i) => {
      const values = sent.map((numbers) => numbers[index * length + i] as number | bigint);
      return combine(dtype.numbers, op ?? 'sum', values, factors);
    });
  const ranks = Array.from({ length: size }, (_, each) => each);
  switch (collective) {
    case 'allReduce':
      return reduced(0);
    case 'reduce':
      return rank === root ? reduced(0) : [];
    case 'reduceScatter':
      return reduced(rank);
    case 'broadcast':
      return part(root, 0);
    case 'allGather':
      return ranks.flatMap((from) => part(from, 0));
    case 'gather':
      return rank === root ? ranks.flatMap((from) => part(from, 0)) : [];
    case 'scatter':
      return part(root, rank);
    case 'allToAll':
      return ranks.flatMap((from) => part(from, rank));
    case 'sendRecv':
      return part((rank + size - 1) % size, 0);
  }
}

/** Bytes between pieces of memory, which nothing may write. */
const GUARD = 16;
const GUARD_BYTE = 0xee;

/** The memory of a rank in a case: what it gives, where it gets what, and what must be there afterwards. */
export interface Placed {
  readonly one: MatrixCase;
  /** Bytes of the send and the receive memory; undefined where the rank has none. */
  readonly send: readonly [from: number, to: number] | undefined;
  readonly recv: readonly [from: number, to: number] | undefined;
  readonly factor: number | bigint;
  readonly expected: readonly Expected[];
  /** The end of its memory, guards included. */
  readonly end: number;
}

/**
 * Lay out the memory of a rank in a case.
 *
 * @param begin - where its memory begins
 */
export function place(one: MatrixCase, size: number, rank: number, begin: number): Placed & { readonly sent: Sent } {
  const { dtype, inPlace, count } = one;
  const piece = count * dtype.parts * dtype.numbers.bytes;
  const shapes = Array.from({ length: size }, (_, each) => shapeOf(one, size, each));
  const values = valuesOf(
    one,
    size,
    shapes.map(({ send }) => send * count * dtype.parts),
  );
  const { send, recv, offset } = shapes[rank] as Shape;
  const start = begin + GUARD;
  const range = (from: number, pieces: number): readonly [number, number] | undefined =>
    pieces === 0 ? undefined : [from, from + pieces * piece];
  // A rank that only sends or only receives has one piece of memory.
  const isShared = inPlace && send > 0 && recv > 0;
  const sendAt = start + (isShared && send < recv ? offset * piece : 0);
  const recvAt = isShared
    ? start + (recv < send ? offset * piece : 0)
    : send === 0
      ? start
      : aligned(start + send * piece);
  const end = aligned(Math.max(sendAt + send * piece, recv === 0 ? 0 : recvAt + recv * piece));
  return {
    one,
    send: range(sendAt, send),
    recv: range(recvAt, recv),
    factor: values.factors[rank] as number | bigint,
    expected: received(one, size, rank, values),
    sent: values.sent[rank] as Sent,
    end,
  };
}

type Sent = readonly (number | bigint)[];

/** NCCL wants elements at multiples of their size; a guard lies before. */
function aligned(at: number): number {
  return Math.ceil(at / GUARD) * GUARD + GUARD;
}

/** The memory of a rank before a batch. */
export function filled(places: readonly (Placed & { readonly sent: Sent })[], bytes: number): Uint8Array {
  const memory = new Uint8Array(bytes).fill(GUARD_BYTE);
  const view = new DataView(memory.buffer);
  for (const { one, send, sent } of places) {
    const { numbers } = one.dtype;
    sent.forEach((value, i) => {
      numbers.write(view, (send?.[0] ?? 0) + i * numbers.bytes, value);
    });
  }
  return memory;
}

/** Compare the memory after a batch with what must be there. Returns what differs first in a case; undefined: nothing. */
export function difference(placed: Placed, begin: number, before: Uint8Array, after: Uint8Array): string | undefined {
  const { one, recv, expected, end } = placed;
  const { numbers } = one.dtype;
  const wanted = before.slice(begin, end);
  const [view, got] = [wanted, after].map(({ buffer, byteOffset }) => new DataView(buffer, byteOffset)) as [
    DataView,
    DataView,
  ];
  for (const [i, { value, error }] of expected.entries()) {
    const at = (recv?.[0] ?? 0) + i * numbers.bytes;
    numbers.write(view, at - begin, value);
    const [exact, found] = [numbers.read(view, at - begin), numbers.read(got, at)];
    if (error === 0 && typeof value === 'number' && exact !== value)
      throw new Error(`${value} is not of ${numbers.name}`);
    // Other bytes than these are compared below.
    if (error > 0 && Math.abs(Number(found) - Number(value)) <= error) {
      wanted.set(after.subarray(at, at + numbers.bytes), at - begin);
    } else if (found !== exact)
      return `number ${i} is ${found}, must be ${value}${error > 0 ? ` within ${error}` : ''}`;
  }
  const wrong = wanted.findIndex((byte, i) => byte !== after[begin + i]);
  return wrong < 0 ? undefined : `byte ${begin + wrong - (recv?.[0] ?? begin)} of what is received was written`;
}
