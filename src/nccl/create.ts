import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Handle } from '../core/handle.ts';
import type { Context } from '../cuda/device/context.ts';
import { cleanup as cleanupCuda, cu } from '../cuda/call.ts';
import { slotOf } from '../cuda/slots.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { take } from '../ffi/slot.ts';
import { abortOnWorker } from './abort.ts';
import { Submission, type SubmissionParts } from './call-queue.ts';
import { lookAfter } from './blocked.ts';
import { Cell } from './cell.ts';
import { CommunicatorState, type CommunicatorFacts, type Waiting } from './communicator-state.ts';
import type { Exchange } from './exchange.ts';
import { makeFirstCalls, type FirstCall } from './first-calls.ts';
import { beLate } from './hang.ts';
import type { UniqueId } from './unique-id.ts';
import type { WatchListener } from './watch.ts';

/** One rank that is made in this process. */
export interface NewRank {
  readonly facts: CommunicatorFacts;
  readonly exchange: Exchange | undefined;
}

const INIT: Waiting = { text: 'init', routine: 'ncclCommInitRankConfig' };
const primarySlot = slotOf('CUcontext');

/** Devices of this process that have communicators, by how many. */
const devices = new Map<number, number>();

/**
 * Refuse a device beside others where kernels block: with `CUDA_LAUNCH_BLOCKING=1` the first device of a collective waits for
 * the second before its kernel is launched (NVIDIA/nccl#750).
 */
export function checkLaunchBlocking(ordinals: readonly number[], what: string): void {
  if (process.env['CUDA_LAUNCH_BLOCKING'] !== '1') return;
  const all = new Set([...devices.keys(), ...ordinals]);
  if (all.size < 2) return;
  throw new TypeError(
    `${what}: CUDA_LAUNCH_BLOCKING must not be 1 in a process with communicators on several devices (${[...all].join(', ')}): each launch would wait for the other ones, for ever; unset it, or run one process a device`,
  );
}

/**
 * Check that a context is its device's primary one: NCCL works in no other.
 *
 * @returns its record
 */
export function checkPrimary(context: Context, handle: Handle<Opaque<'CUcontext'>>, what: string): void {
  const { device } = context;
  cu.cuDevicePrimaryCtxRetain(primarySlot, device.raw);
  const primary: bigint = take(primarySlot);
  cleanupCuda('cuDevicePrimaryCtxRelease', device.raw);
  if (handle.value === primary) return;
  throw new TypeError(
    `${what}: context must be the primary context of device ${device.ordinal}, the only one that NCCL works in, got another one; make it with new Context(device)`,
  );
}

/**
 * Make the communicators of ranks in this process, each on its device, and wait until all ranks of all processes have come.
 * Those that fail are aborted.
 */
export async function initialize(
  ranks: readonly NewRank[],
  id: UniqueId,
  timeoutMs: number,
): Promise<CommunicatorState[]> {
  const states = await begun(ranks, id);
  const [first] = states;
  try {
    await nextTurn();
    await waitApart({
      states,
      routine: 'ncclCommInitRankConfig',
      timeoutMs,
      start: () => undefined,
      late: (limitMs) => first && beLate(first, limitMs),
    });
  } catch (error) {
    for (const state of states) {
      state.fail(error as never);
      state.handle.release();
    }
    throw error;
  }
  for (const state of states) settled(state);
  return states;
}

/** Do something that does not wait for other calls of the device. */
export function waitApart(parts: SubmissionParts): Promise<void> {
  const submission = new Submission(parts, () => undefined);
  submission.start();
  return submission.promise;
}

async function begun(ranks: readonly NewRank[], id: UniqueId): Promise<CommunicatorState[]> {
  const calls = ranks.map(({ facts }) => ({ facts, cell: new Cell() }));
  const ordinals = ranks.map(({ facts }) => facts.context.device.ordinal);
  ordinals.forEach(count);
  try {
    await makeFirstCalls(calls, id);
    await nextTurn();
    return ranks.map(({ facts, exchange }, i) => stateOf((calls[i] as FirstCall).cell.wide, facts, exchange, INIT));
  } catch (error) {
    for (const { cell } of calls) if (cell.wide !== 0n) abortOnWorker(cell.wide as never).catch(() => undefined);
    for (const { facts } of ranks) if (facts.ownsContext) facts.context.close();
    throw error;
  } finally {
    ordinals.forEach(forget);
  }
}

/** The record of a communicator that NCCL works on. */
export function stateOf(
  raw: bigint,
  facts: CommunicatorFacts,
  exchange: Exchange | undefined,
  waiting: Waiting,
): CommunicatorState {
  const { ordinal } = facts.context.device;
  const state: CommunicatorState = new CommunicatorState(raw as Opaque<'ncclComm_t'>, facts, listenerOf, () => {
    forget(ordinal);
    release();
  });
  const release = lookAfter(state);
  count(ordinal);
  state.waiting = waiting;
  if (exchange) listenTo(exchange, state);
  return state;
}

/** Have a rank answer what others ask. */
export function listenTo(exchange: Exchange, state: CommunicatorState): void {
  state.join(exchange);
  exchange.onAlarm(({ timeoutMs }) => beLate(state, timeoutMs));
}

/** NCCL has made it. */
export function settled(state: CommunicatorState): void {
  state.waiting = undefined;
  state.exchange?.wait(undefined);
}

function count(ordinal: number): void {
  devices.set(ordinal, (devices.get(ordinal) ?? 0) + 1);
}

function forget(ordinal: number): void {
  const count = (devices.get(ordinal) ?? 1) - 1;
  if (count === 0) devices.delete(ordinal);
  else devices.set(ordinal, count);
}

function listenerOf(state: CommunicatorState): WatchListener {
  return {
    keep: (isKept) => {
      if (isKept) state.handle.retain();
      else state.handle.release();
    },
    near: () => state.exchange?.near(),
    passed: () => state.exchange?.notNear(),
    late: (timeoutMs) => beLate(state, timeoutMs),
    broken: () => beLate(state, undefined),
    lost: (error) => state.lose(error),
    check: () => {
      if (state.isBroken) beLate(state, undefined);
      else state.checkBackground();
    },
  };
}
