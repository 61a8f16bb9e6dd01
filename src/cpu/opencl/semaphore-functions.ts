import type { ExtensionTable } from '../../opencl/sys/tables.ts';
import { CommandType, SemaphoreInfo, SemaphoreProperty, SemaphoreType } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import type { ClEvent, EventArguments } from './event.ts';
import { propertiesAt, widesAt } from './pointer.ts';
import { ClSemaphore } from './semaphore.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clCreateSemaphoreWithPropertiesKHR'
  | 'clEnqueueWaitSemaphoresKHR'
  | 'clEnqueueSignalSemaphoresKHR'
  | 'clGetSemaphoreInfoKHR'
  | 'clReleaseSemaphoreKHR'
  | 'clRetainSemaphoreKHR';

/** The subject of a query. */
interface SemaphoreSubject {
  readonly state: OpenCLState;
  readonly semaphore: ClSemaphore;
}

const ask = infoQuery<typeof SemaphoreInfo, SemaphoreSubject>(SemaphoreInfo, {
  CONTEXT: ({ semaphore }) => semaphore.context.handle,
  REFERENCE_COUNT: ({ semaphore }) => semaphore.references,
  PROPERTIES: ({ semaphore }) => semaphore.properties,
  PAYLOAD: ({ state, semaphore: { signal } }) => (signal !== undefined && state.scheduler.settle(signal) ? 1 : 0),
  TYPE: () => SemaphoreType.BINARY,
});

/** Binary semaphores. A wait follows the signal that was enqueued before it; without one it is refused. */
export const semaphoreFunctions: Rows<OpenCLState, ExtensionTable, Names> = {
  clCreateSemaphoreWithPropertiesKHR: (state, context, properties, errcode) =>
    created(create(state, context, properties), errcode),
  clEnqueueSignalSemaphoresKHR: (state, queue, semaphoreCount, semaphores, _payloads, count, list, out) => {
    const isFree = ({ signal }: ClSemaphore): boolean => signal === undefined;
    const given = [semaphoreCount, semaphores] as const;
    const made = enqueue(state, queue, CommandType.SEMAPHORE_SIGNAL_KHR, given, { count, list, out }, isFree);
    if (typeof made === 'number') return made;
    for (const semaphore of made[1]) semaphore.signal = made[0];
    return Code.SUCCESS;
  },
  clEnqueueWaitSemaphoresKHR: (state, queue, semaphoreCount, semaphores, _payloads, count, list, out) => {
    const isSignaled = ({ signal }: ClSemaphore): boolean => signal !== undefined;
    const given = [semaphoreCount, semaphores] as const;
    const made = enqueue(state, queue, CommandType.SEMAPHORE_WAIT_KHR, given, { count, list, out }, isSignaled);
    if (typeof made === 'number') return made;
    for (const semaphore of made[1]) semaphore.signal = undefined;
    return Code.SUCCESS;
  },
  clGetSemaphoreInfoKHR: (state, handle, param, size, value, sizeOut) =>
    withSemaphore(state, handle, (semaphore) => ask({ state, semaphore }, param, size, value, sizeOut)),
  clRetainSemaphoreKHR: (state, handle) =>
    withSemaphore(state, handle, (semaphore) => {
      semaphore.retain();
      return Code.SUCCESS;
    }),
  clReleaseSemaphoreKHR: (state, handle) =>
    withSemaphore(state, handle, (semaphore) => {
      semaphore.release();
      return Code.SUCCESS;
    }),
};

function withSemaphore(state: OpenCLState, handle: bigint, run: (semaphore: ClSemaphore) => number): number {
  const semaphore = state.semaphores.find(handle);
  return semaphore ? run(semaphore) : Code.INVALID_SEMAPHORE_KHR;
}

function create(state: OpenCLState, handle: bigint, raw: Out): bigint | number {
  const context = state.contexts.find(handle);
  if (!context) return Code.INVALID_CONTEXT;
  const properties = propertiesAt(raw);
  if (!properties) return Code.INVALID_VALUE;
  let type = 0n;
  for (let i = 0; i + 1 < properties.length; i += 2) {
    const [name, value = 0n] = properties.slice(i, i + 2);
    if (name === BigInt(SemaphoreProperty.TYPE)) type = value;
    else return Code.INVALID_PROPERTY;
  }
  if (type !== BigInt(SemaphoreType.BINARY)) return Code.INVALID_VALUE;
  const gone = (semaphore: ClSemaphore): void => state.semaphores.remove(semaphore);
  return state.semaphores.add(new ClSemaphore(context, properties, gone));
}

/** Enqueue a command, if all semaphores of a list are ready for it. */
function enqueue(
  state: OpenCLState,
  handle: bigint,
  type: number,
  [semaphoreCount, rawSemaphores]: readonly [number, Out],
  events: EventArguments,
  isReady: (semaphore: ClSemaphore) => boolean,
): number | readonly [ClEvent, readonly ClSemaphore[]] {
  const queue = state.queues.find(handle);
  if (!queue) return Code.INVALID_COMMAND_QUEUE;
  if (semaphoreCount === 0 || rawSemaphores === 0n) return Code.INVALID_VALUE;
  const semaphores: ClSemaphore[] = [];
  for (const raw of widesAt(rawSemaphores, semaphoreCount)) {
    const semaphore = state.semaphores.find(raw);
    if (!semaphore) return Code.INVALID_SEMAPHORE_KHR;
    if (semaphore.context !== queue.context) return Code.INVALID_CONTEXT;
    if (!isReady(semaphore) || semaphores.includes(semaphore)) return Code.INVALID_OPERATION;
    semaphores.push(semaphore);
  }
  const waits = state.eventsAt(events, queue.context);
  if (typeof waits === 'number') return waits;
  const signals = semaphores.flatMap(({ signal }) => signal ?? []);
  const event = state.scheduler.replay(queue, type, [...waits, ...signals], [], events.out);
  return typeof event === 'number' ? event : [event, semaphores];
}
