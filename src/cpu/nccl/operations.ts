import type { OperationName } from '../../nccl/flight-record.ts';
import { ReduceOp } from './numbers.ts';
import { ELEMENTS, type ElementType } from './elements.ts';
import { POINT_TO_POINT } from './frame.ts';
import type { Operation } from './messages.ts';
import type { Rank } from './rank.ts';
import { aligned, reduceParts } from './reduce.ts';

/** The bytes of a reduction that are under way at once. */
const ROUND_BYTES = 16 << 20;

/** Device memory, as the progress thread sees it. */
export interface SeenMemory {
  readonly view: (address: number, byteLength: number) => Uint8Array;
  /** The checked mode takes the bytes for written from now on. */
  readonly wrote: (address: number, byteLength: number) => void;
}

/** An operation under way. */
interface Course {
  readonly rank: Rank;
  readonly memory: SeenMemory;
  readonly operation: Operation;
  readonly index: number;
  /** Bytes of an element. */
  readonly size: number;
}

type Perform = (course: Course) => Promise<unknown>;

/** Self sends and receives of a batch: each waits for the other. */
class SelfTransfers {
  readonly #sends: Operation[] = [];
  readonly #receives: Operation[] = [];

  /** Copy once both sides are there. */
  add(operation: Operation, memory: SeenMemory): void {
    (operation.name === 'send' ? this.#sends : this.#receives).push(operation);
    const at = Math.min(this.#sends.length, this.#receives.length) - 1;
    const [send, receive] = [this.#sends[at], this.#receives[at]];
    if (!send || !receive || this.#sends.length !== this.#receives.length) return;
    const byteLength = bytesOf(receive);
    memory.view(receive.recv, byteLength).set(memory.view(send.send, byteLength));
    memory.wrote(receive.recv, byteLength);
  }
}

/** Perform operations that begin together, to their end. The numbers are taken at once, in the order of the operations. */
export async function perform(rank: Rank, memory: SeenMemory, operations: readonly Operation[]): Promise<void> {
  const self = new SelfTransfers();
  const courses = operations.map((operation): Promise<unknown> => {
    const size = elementOf(operation).bytes;
    const { name, root } = operation;
    if (name !== 'send' && name !== 'recv') {
      const course = { rank, memory, operation, index: rank.nextCollective(), size };
      return Promise.all([rank.join(course.index, KINDS.indexOf(name), operation), PERFORM[name](course)]);
    }
    if (root === rank.rank) {
      self.add(operation, memory);
      return Promise.resolve();
    }
    return PERFORM[name]({ rank, memory, operation, index: rank.nextTransfer(name === 'send', root), size });
  });
  await Promise.all(courses);
}

function elementOf({ dtype }: Operation): ElementType {
  return ELEMENTS[dtype] as ElementType;
}

function bytesOf(operation: Operation): number {
  return operation.count * elementOf(operation).bytes;
}

const PERFORM: Readonly<Record<OperationName, Perform>> = {
  allReduce,
  reduceScatter,
  reduce,
  broadcast: async (course) => {
    const { rank, operation } = course;
    const { send, recv, root } = operation;
    const byteLength = bytesOf(operation);
    const isRoot = rank.rank === root;
    if (isRoot) copy(course, recv, send, byteLength);
    await (isRoot ? sendAll(course, 0, send, byteLength) : receiveAt(course, root, 0, recv, byteLength));
    wrote(course, recv, byteLength);
  },
  allGather: async (course) => {
    const { rank, operation } = course;
    const { send, recv } = operation;
    const byteLength = bytesOf(operation);
    copy(course, recv + rank.rank * byteLength, send, byteLength);
    await Promise.all([
      sendAll(course, 0, send, byteLength),
      ...rank.others.map((other) => receiveAt(course, other, 0, recv + other * byteLength, byteLength)),
    ]);
    wrote(course, recv, rank.size * byteLength);
  },
  allToAll: async (course) => {
    const { rank, operation, memory } = course;
    const { send, recv } = operation;
    const byteLength = bytesOf(operation);
    const all = rank.size * byteLength;
    // In place, what has to be sent would be overwritten.
    const kept = Math.abs(send - recv) < all ? new Uint8Array(memory.view(send, all)) : undefined;
    const part = (at: number): Uint8Array =>
      kept ? kept.subarray(at * byteLength, (at + 1) * byteLength) : memory.view(send + at * byteLength, byteLength);
    memory.view(recv + rank.rank * byteLength, byteLength).set(part(rank.rank));
    await Promise.all(
      rank.others.flatMap((other) => [
        rank.send(other, course.index, 0, () => part(other), byteLength),
        receiveAt(course, other, 0, recv + other * byteLength, byteLength),
      ]),
    );
    wrote(course, recv, all);
  },
  gather: async (course) => {
    const { rank, operation } = course;
    const { send, recv, root } = operation;
    const byteLength = bytesOf(operation);
    if (rank.rank !== root) {
      await sendAt(course, root, 0, send, byteLength);
      return;
    }
    copy(course, recv + root * byteLength, send, byteLength);
    await Promise.all(rank.others.map((other) => receiveAt(course, other, 0, recv + other * byteLength, byteLength)));
    wrote(course, recv, rank.size * byteLength);
  },
  scatter: async (course) => {
    const { rank, operation } = course;
    const { send, recv, root } = operation;
    const byteLength = bytesOf(operation);
    if (rank.rank === root) {
      copy(course, recv, send + root * byteLength, byteLength);
      await Promise.all(rank.others.map((other) => sendAt(course, other, 0, send + other * byteLength, byteLength)));
    } else await receiveAt(course, root, 0, recv, byteLength);
    wrote(course, recv, byteLength);
  },
  send: (course) =>
    sendAt(course, course.operation.root, POINT_TO_POINT, course.operation.send, bytesOf(course.operation)),
  recv: async (course) => {
    const { operation } = course;
    await receiveAt(course, operation.root, POINT_TO_POINT, operation.recv, bytesOf(operation));
    wrote(course, operation.recv, bytesOf(operation));
  },
};
/** Operations by the numbers that ranks tell each other. */
const KINDS: readonly string[] = Object.keys(PERFORM);

function wrote({ memory }: Course, address: number, byteLength: number): void {
  memory.wrote(address, byteLength);
}

function copy({ memory }: Course, to: number, from: number, byteLength: number): void {
  if (to !== from) memory.view(to, byteLength).set(memory.view(from, byteLength));
}

function sendAt(course: Course, to: number, step: number, address: number, byteLength: number): Promise<void> {
  return course.rank.send(to, course.index, step, () => course.memory.view(address, byteLength), byteLength);
}

function receiveAt(course: Course, from: number, step: number, address: number, byteLength: number): Promise<void> {
  return course.rank.receive(from, course.index, step, () => course.memory.view(address, byteLength), byteLength);
}

function sendAll(course: Course, step: number, address: number, byteLength: number): Promise<unknown> {
  return Promise.all(course.rank.others.map((other) => sendAt(course, other, step, address, byteLength)));
}

/** This rank's elements as they enter a reduction, from one on. */
function contribution({ memory, operation, size }: Course, from: number, count: number): Uint8Array {
  const bytes = memory.view(operation.send + from * size, count * size);
  const scalar = operation.reduction?.scalar;
  if (scalar === undefined) return bytes;
  const scaled = new Uint8Array(bytes);
  const factor = typeof scalar === 'number' ? memory.view(scalar, size) : scalar;
  elementOf(operation).scale(scaled, factor.slice());
  return scaled;
}

/**
 * The elements of all ranks, combined.
 *
 * @param own - this rank's
 */
async function combine(course: Course, step: number, own: Uint8Array): Promise<Uint8Array> {
  const { rank, operation, index } = course;
  const parts = Array.from({ length: rank.size }, (_, at) => (at === rank.rank ? own : new Uint8Array(own.length)));
  await Promise.all(
    rank.others.map((other) => {
      const part = parts[other] as Uint8Array;
      return rank.receive(other, index, step, () => part, part.length);
    }),
  );
  return reduceParts(
    operation.dtype,
    operation.reduction?.op ?? ReduceOp.SUM,
    parts.map((part) => aligned(part, elementOf(operation))),
  );
}

/** Each rank combines a part of the elements, and gives it to the others. */
async function allReduce(course: Course): Promise<void> {
  const { rank, memory, operation, index, size } = course;
  const { recv, count } = operation;
  const most = Math.floor(ROUND_BYTES / size);
  for (let from = 0, step = 0; from < count; from += most, step += 2) {
    const some = Math.min(most, count - from);
    const startOf = (part: number): number => Math.floor((some * part) / rank.size);
    const lengthOf = (part: number): number => startOf(part + 1) - startOf(part);
    const all = contribution(course, from, some);
    const part = (at: number): Uint8Array => all.subarray(startOf(at) * size, startOf(at + 1) * size);
    const sent = Promise.all(
      rank.others.map((other) => rank.send(other, index, step, () => part(other), lengthOf(other) * size)),
    );
    const result = await combine(course, step, part(rank.rank));
    await sent;
    memory.view(recv + (from + startOf(rank.rank)) * size, result.length).set(result);
    await Promise.all(
      rank.others.flatMap((other) => [
        rank.send(other, index, step + 1, () => result, result.length),
        receiveAt(course, other, step + 1, recv + (from + startOf(other)) * size, lengthOf(other) * size),
      ]),
    );
  }
  wrote(course, recv, count * size);
}

async function reduceScatter(course: Course): Promise<void> {
  const { rank, memory, operation, index, size } = course;
  const { recv, count } = operation;
  const most = Math.max(1, Math.floor(ROUND_BYTES / size / rank.size));
  // In place, the result of a part overwrites this rank's own elements, and of those only the combined ones.
  for (let from = 0, step = 0; from < count; from += most, step++) {
    const some = Math.min(most, count - from);
    const sent = Promise.all(
      rank.others.map((other) => {
        const part = contribution(course, other * count + from, some);
        return rank.send(other, index, step, () => part, some * size);
      }),
    );
    const result = await combine(course, step, contribution(course, rank.rank * count + from, some));
    await sent;
    memory.view(recv + from * size, result.length).set(result);
  }
  wrote(course, recv, count * size);
}

async function reduce(course: Course): Promise<void> {
  const { rank, memory, operation, index, size } = course;
  const { recv, count, root } = operation;
  const most = Math.max(1, Math.floor(ROUND_BYTES / size / rank.size));
  for (let from = 0, step = 0; from < count; from += most, step++) {
    const some = Math.min(most, count - from);
    const own = contribution(course, from, some);
    if (rank.rank !== root) await rank.send(root, index, step, () => own, some * size);
    else memory.view(recv + from * size, some * size).set(await combine(course, step, own));
  }
  if (rank.rank === root) wrote(course, recv, count * size);
}
