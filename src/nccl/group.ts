import { nameOf } from '../core/check.ts';
import { attempt, begin } from './call.ts';
import { submit, type SubmissionParts } from './call-queue.ts';
import type { CommunicatorState } from './communicator-state.ts';
import { beLate } from './hang.ts';
import type { Operation } from './operation.ts';

/** Calls that are being put together. */
interface Scope {
  readonly operations: Operation[];
  readonly promise: Promise<void>;
  readonly resolve: (end: Promise<void>) => void;
}

let scope: Scope | undefined;

/**
 * Put the calls of a function together: NCCL starts them as one, so one thread can make the calls of several devices, and
 * sends and receives that wait for each other go on. They have no order among themselves: one must not read what another
 * writes. Groups inside of groups belong to the outermost one.
 *
 * The function makes calls and does not wait for them. Nothing is given to NCCL before it returns; if it throws, nothing is.
 *
 * Host: does not block.
 *
 * @returns a promise of NCCL having taken all of them
 * @throws TypeError the function is async: calls behind an `await` would not be in the group
 * @example
 * ```ts
 * import { Communicator, group } from 'rawkernel/nccl';
 * import { Device } from 'rawkernel/cuda';
 * import * as xp from 'rawkernel/cuda/array';
 *
 * const devices = Array.from({ length: Device.count() }, (_, i) => new Device(i));
 * const communicators = await Communicator.initAll(devices);
 * const parts = communicators.map((communicator) => {
 *   communicator.context.makeCurrent();
 *   return xp.ones(4);
 * });
 * await group(() => communicators.map((communicator, i) => communicator.allReduce(parts[i]!)));
 * console.log(await parts[0]!.read()); // the number of devices, 4 times
 * for (const communicator of communicators) communicator.close();
 * ```
 * @see {@link https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/groups.html | Group calls}
 */
export function group(run: () => unknown): Promise<void> {
  if (typeof run !== 'function') throw new TypeError(`group takes a function that makes calls, got ${nameOf(run)}`);
  if (scope !== undefined) {
    checkResult(run(), scope);
    return scope.promise;
  }
  const opened = openScope();
  scope = opened;
  try {
    checkResult(run(), opened);
  } catch (error) {
    for (const operation of opened.operations) operation.end();
    opened.promise.then(undefined, () => undefined);
    opened.resolve(Promise.reject(new Error('The function of the group threw', { cause: error })));
    throw error;
  } finally {
    scope = undefined;
  }
  opened.resolve(submitAll(opened.operations));
  return opened.promise;
}

/** Whether calls are being put together. */
export function isGrouping(): boolean {
  return scope !== undefined;
}

/**
 * Give an operation to NCCL, with the group that is open, or alone.
 *
 * @param meanwhile - what there is to do while NCCL's thread works
 */
export function enqueue(operation: Operation, meanwhile: () => void): Promise<void> {
  if (scope === undefined) return submit(operation, meanwhile);
  operation.hold();
  scope.operations.push(operation);
  meanwhile();
  return scope.promise;
}

function openScope(): Scope {
  let resolve!: (end: Promise<void>) => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { operations: [], promise, resolve };
}

function checkResult(result: unknown, { promise }: Scope): void {
  const isPromise = typeof (result as { readonly then?: unknown } | null | undefined)?.then === 'function';
  if (!isPromise || result === promise) return;
  (result as Promise<unknown>).then(undefined, () => undefined);
  throw new TypeError(
    'group: the function must not be async: calls behind an await would not be in the group; make the calls, and await the group',
  );
}

function submitAll(operations: readonly Operation[]): Promise<void> {
  return submit(partsOf(operations));
}

function partsOf(operations: readonly Operation[]): SubmissionParts {
  const states = [...new Set(operations.map(({ state }) => state))];
  const [first] = operations;
  return {
    states,
    routine: operations.length === 1 && first ? first.routine : 'ncclGroupEnd',
    timeoutMs: Math.max(0, ...operations.map(({ timeoutMs }) => timeoutMs)),
    start: () => startAll(operations),
    taken: () => {
      for (const state of states) markTaken(state, operations);
    },
    end: () => {
      for (const operation of operations) operation.end();
    },
    late: (timeoutMs) => {
      for (const state of states) beLate(state, timeoutMs);
    },
  };
}

/** NCCL has its streams wait for each other, so the first one tells of all. */
function markTaken(state: CommunicatorState, operations: readonly Operation[]): void {
  const own = operations.filter((operation) => operation.state === state);
  const [first] = own;
  if (first === undefined) return;
  state.watch.mark(first.raw, Math.max(...own.map(({ timeoutMs }) => timeoutMs)));
}

function startAll(operations: readonly Operation[]): void {
  if (operations.length === 0) return;
  for (const operation of operations) operation.prepare();
  begin('ncclGroupStart');
  try {
    for (const operation of operations) operation.startInGroup();
  } catch (error) {
    // NCCL drops what is in the group then.
    attempt('ncclGroupEnd');
    throw error;
  }
  begin('ncclGroupEnd');
}
