import { createHash } from 'node:crypto';
import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { ThreadStart } from '../../core/kernel-thread.ts';
import { contextWord, endedMark, reached, Slot, slotBase, Word } from '../runtime/control.ts';
import { Gatekeeper } from '../runtime/gate.ts';
import { MemoryGuard } from '../runtime/guard.ts';
import { answer, CommWord, setStatus } from './comm-words.ts';
import type { Member } from './hello.ts';
import { Hub } from './hub.ts';
import { childKey, MeshError, MeshJob } from './mesh.ts';
import type { Operation, ProgressData, ProgressMessage } from './messages.ts';
import { Result } from './numbers.ts';
import { perform, type SeenMemory } from './operations.ts';
import type { Rank } from './rank.ts';

/** Long enough for a program that does not wait for it to fail. */
const SLOW_MS = 2;

/** Node.js has it; TypeScript's library of ES2022 lacks it. */
const { waitAsync } = Atomics as unknown as {
  readonly waitAsync: (
    words: Int32Array,
    at: number,
    value: number,
  ) => { readonly async: boolean; readonly value: unknown };
};

type Words = Int32Array<SharedArrayBuffer>;
type Message<Type extends ProgressMessage['type']> = Extract<ProgressMessage, { readonly type: Type }>;

/** A rank of the program. */
interface Comm {
  readonly words: Words;
  readonly job: MeshJob;
  rank: Rank | undefined;
  members: readonly Member[];
}

/** Operations that begin when their gate is reached, and open it at their end. */
interface Batch {
  readonly comm: Comm;
  readonly gate: number;
  readonly context: number;
  readonly operations: readonly Operation[];
  begun: boolean;
}

const { port, begun } = workerData as ThreadStart;
Atomics.wait(begun, 0, 0);
const { control, memory } = (receiveMessageOnPort(port) as { readonly message: ProgressData }).message;
const hub = new Hub();
const comms = new Map<number, Comm>();
const batches = new Set<Batch>();
/** Gates that could not be opened before the new control block is here. */
const deferred: { readonly gate: number; readonly skipped: boolean }[] = [];
let keeper = new Gatekeeper(new Int32Array(control));
let bytes = new Uint8Array(memory.buffer);
let guard: MemoryGuard | undefined;

const seen: SeenMemory = {
  view: (address, byteLength) => {
    reach(address + byteLength);
    return bytes.subarray(address, address + byteLength);
  },
  wrote: (address, byteLength) => {
    const level = Atomics.load(keeper.control, Word.GUARDED);
    if (level !== 2) return;
    reach(Infinity);
    guard ??= new MemoryGuard(bytes.buffer, true);
    guard.write(address, byteLength);
  },
};

/** Another thread's growth is visible here for certain only after a call of `grow` in this thread. */
function reach(end: number): void {
  if (bytes.length >= end) return;
  memory.grow(0);
  if (memory.buffer !== bytes.buffer) bytes = new Uint8Array(memory.buffer);
}

function open(gate: number, skipped: boolean): void {
  if (!keeper.open(gate, skipped)) deferred.push({ gate, skipped });
}

/** Begin what has been reached, and give up what a fault of its context has ended. */
function look(): void {
  for (const batch of batches) {
    const { control: words } = keeper;
    if (Atomics.load(words, contextWord(batch.context)) !== 0) {
      batches.delete(batch);
      fail(batch.comm, Result.UNHANDLED_CUDA_ERROR, 'A kernel of the context has failed before the collective');
      open(batch.gate, true);
    } else if (!batch.begun && keeper.isReached(batch.gate)) begin(batch);
  }
}

function begin(batch: Batch): void {
  const { rank } = batch.comm;
  if (!rank) return;
  batch.begun = true;
  void perform(rank, seen, batch.operations).then(() => {
    end(batch);
  });
}

function end(batch: Batch): void {
  if (batches.delete(batch)) open(batch.gate, false);
}

/** The first error stays. */
function fail({ words }: Comm, status: number, text: string): void {
  const now = Atomics.load(words, CommWord.STATUS);
  if (now === Result.SUCCESS || now === Result.IN_PROGRESS) setStatus(words, status, text);
}

async function watch(): Promise<void> {
  const watched = keeper;
  let gates = Atomics.load(watched.control, Word.GATES);
  while (watched === keeper) {
    look();
    const change = waitAsync(watched.control, Word.GATES, gates);
    if (change.async) await change.value;
    gates = Atomics.load(watched.control, Word.GATES);
  }
}

function newComm(id: number, words: Words): Comm {
  const comm: Comm = { words, job: new MeshJob(hub), rank: undefined, members: [] };
  comms.set(id, comm);
  return comm;
}

/** Link a communicator's ranks. */
async function connect(comm: Comm, key: string, rank: number): Promise<void> {
  const { words, job, members } = comm;
  const made = await job.build(key, rank, members);
  if (job.isOver) return;
  comm.rank = made;
  Atomics.store(words, CommWord.RANK, rank);
  Atomics.store(words, CommWord.SIZE, members.length);
  setStatus(words, Result.SUCCESS);
  look();
}

/** Do what may fail with a communicator's making. */
async function making(comm: Comm, make: () => Promise<void>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (comm.job.isOver) return;
    if (error instanceof MeshError) fail(comm, error.status, error.message);
    else fail(comm, Result.SYSTEM_ERROR, `The sockets of the communicator failed: ${String(error)}`);
  }
}

async function listen({ words, nonce }: Message<'listen'>): Promise<void> {
  try {
    Atomics.store(words, CommWord.PORT, await hub.open(nonce));
    setStatus(words, Result.SUCCESS);
  } catch (error) {
    setStatus(words, Result.SYSTEM_ERROR, `No port of the loopback can be had: ${String(error)}`);
  }
}

async function init({ comm: id, words, roots, size, rank, device }: Message<'init'>): Promise<void> {
  const comm = newComm(id, words);
  await making(comm, async () => {
    const self: Member = {
      port: await hub.use(),
      token: hub.token,
      device: createHash('sha256').update(device).digest().subarray(0, 16),
    };
    const [root, ...others] = roots;
    if (!root) return;
    comm.members = await comm.job.meet(root, size, rank, self);
    if (rank === 0) for (const other of others) comm.job.retire(other, self);
    await connect(comm, Buffer.from(root.nonce).toString('hex'), rank);
  });
}

async function split({ parent, comm: id, words, color, key }: Message<'split'>): Promise<void> {
  const from = comms.get(parent);
  if (!from?.rank) return;
  const { rank } = from;
  const comm = newComm(id, words);
  await hub.use();
  const { index, said } = await rank.exchange(color, key);
  if (comm.job.isOver) return;
  const group = said
    .map(([one, order], old) => ({ one, order, old }))
    .filter(({ one }) => one === color)
    .sort((a, b) => a.order - b.order || a.old - b.old);
  if (color < 0) {
    drop(id, true);
    setStatus(words, Result.SUCCESS);
    return;
  }
  comm.members = group.map(({ old }) => from.members[old] as Member);
  const place = group.findIndex(({ old }) => old === rank.rank);
  await making(comm, () => connect(comm, childKey(rank.key, index, `color ${color}`), place));
}

async function shrink({ parent, comm: id, words, exclude }: Message<'shrink'>): Promise<void> {
  const from = comms.get(parent);
  if (!from?.rank) return;
  const { rank } = from;
  const comm = newComm(id, words);
  await hub.use();
  const left = from.members.map((_, old) => old).filter((old) => !exclude.includes(old));
  comm.members = left.map((old) => from.members[old] as Member);
  const key = childKey(rank.key, rank.nextSplit(), `without ${exclude.join()}`);
  await making(comm, () => connect(comm, key, left.indexOf(rank.rank)));
}

function enqueue({ comm: id, gate, context, operations, slow }: Message<'batch'>): void {
  const comm = comms.get(id);
  if (!comm) {
    open(gate, false);
    return;
  }
  batches.add({ comm, gate, context, operations, begun: false });
  look();
  if (!slow) return;
  setTimeout(() => {
    Atomics.compareExchange(comm.words, CommWord.STATUS, Result.IN_PROGRESS, Result.SUCCESS);
    Atomics.notify(comm.words, CommWord.STATUS);
  }, SLOW_MS);
}

/** Open the gates of a communicator: what is under way never ends. */
function release(id: number): void {
  const comm = comms.get(id);
  for (const batch of batches) {
    if (batch.comm !== comm) continue;
    batches.delete(batch);
    open(batch.gate, false);
  }
}

function drop(id: number, abort: boolean): void {
  const comm = comms.get(id);
  if (!comm) return;
  release(id);
  comms.delete(id);
  if (abort || !comm.rank) comm.job.stop();
  comm.rank?.close(abort);
  comm.rank = undefined;
  hub.leave();
}

/** The queue has another control block. Gates of contexts that were lost are not in it. */
function move(buffer: SharedArrayBuffer): void {
  const words = new Int32Array(buffer);
  keeper = new Gatekeeper(words);
  const isThere = (gate: number): boolean =>
    !reached(Atomics.load(words, slotBase(gate) + Slot.STATE), endedMark(gate));
  for (const batch of batches) {
    if (isThere(batch.gate)) continue;
    batches.delete(batch);
    fail(batch.comm, Result.UNHANDLED_CUDA_ERROR, 'The context of the collective was lost');
  }
  for (const { gate, skipped } of deferred.splice(0)) if (isThere(gate)) open(gate, skipped);
  void watch();
}

function receive(message: ProgressMessage): void {
  switch (message.type) {
    case 'listen':
      void listen(message);
      break;
    case 'init':
      void init(message);
      break;
    case 'split':
      void split(message);
      break;
    case 'shrink':
      void shrink(message);
      break;
    case 'batch':
      enqueue(message);
      break;
    case 'control':
      move(message.control);
      break;
    default: {
      const words = comms.get(message.comm)?.words;
      if (message.type === 'release') release(message.comm);
      else drop(message.comm, message.abort);
      if (words) answer(words);
    }
  }
}

// A mistake of this thread must not leave the program asleep.
process.on('uncaughtException', (error) => {
  for (const comm of comms.values()) fail(comm, Result.INTERNAL_ERROR, `The progress thread failed: ${String(error)}`);
  for (const batch of batches) end(batch);
});
port.on('message', receive);
void watch();
