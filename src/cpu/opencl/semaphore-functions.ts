import type { ExtensionTable } from '../../opencl/sys/tables.ts';
import { CommandType, SemaphoreInfo, SemaphoreProperty, SemaphoreType } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import type { ClEvent } from './event.ts';
import { propertiesAt, widesAt } from './pointer.ts';
import { ClSemaphore } from './semaphore.ts';
import type { OpenCLState } from './state.ts';

type Names =
  | 'clCreateSemaphoreWithPropertiesKHR'
  | 'clEnqueueWaitSemaphoresKHR'
  | 'clEnqueueSignalSemaphoresKHR'
  | 'clGetSemaphoreInfoKHR'
  | 'clReleaseSemaphoreKHR'
  | 'clRetainSemaphoreKHR';

/** Binary semaphores. A wait follows the signal that was enqueued before it; without one it is refused. */
export function semaphoreFunctions(state: OpenCLState): Pick<ExtensionTable, Names> {
  const { scheduler } = state;
  const ask = infoQuery<typeof SemaphoreInfo, ClSemaphore>(SemaphoreInfo, {
    CONTEXT: ({ context }) => context.handle,
    REFERENCE_COUNT: ({ references }) => references,
    PROPERTIES: ({ properties }) => properties,
    PAYLOAD: ({ signal }) => (signal !== undefined && scheduler.settle(signal) ? 1 : 0),
    TYPE: () => SemaphoreType.BINARY,
  });

  const withSemaphore = (handle: bigint, run: (semaphore: ClSemaphore) => number): number => {
    const semaphore = state.semaphores.find(handle);
    return semaphore ? run(semaphore) : Code.INVALID_SEMAPHORE_KHR;
  };

  const create = (handle: bigint, raw: Out): bigint | number => {
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
  };

  /** Enqueue a command that every semaphore of a list is ready for. */
  const enqueue = (
    handle: bigint,
    type: number,
    [semaphoreCount, rawSemaphores]: readonly [number, Out],
    [count, list, out]: readonly [number, Out, Out],
    isReady: (semaphore: ClSemaphore) => boolean,
  ): number | readonly [ClEvent, readonly ClSemaphore[]] => {
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
    const waits = state.eventsAt(count, list, queue.context);
    if (typeof waits === 'number') return waits;
    const signals = semaphores.flatMap(({ signal }) => signal ?? []);
    const event = scheduler.replay(queue, type, [...waits, ...signals], [], out);
    return typeof event === 'number' ? event : [event, semaphores];
  };

  return {
    clCreateSemaphoreWithPropertiesKHR: (context, properties, errcode) => created(create(context, properties), errcode),
    clEnqueueSignalSemaphoresKHR: (queue, count, list, _payloads, ...rest) => {
      const isFree = ({ signal }: ClSemaphore): boolean => signal === undefined;
      const made = enqueue(queue, CommandType.SEMAPHORE_SIGNAL_KHR, [count, list], rest, isFree);
      if (typeof made === 'number') return made;
      for (const semaphore of made[1]) semaphore.signal = made[0];
      return Code.SUCCESS;
    },
    clEnqueueWaitSemaphoresKHR: (queue, count, list, _payloads, ...rest) => {
      const isSignaled = ({ signal }: ClSemaphore): boolean => signal !== undefined;
      const made = enqueue(queue, CommandType.SEMAPHORE_WAIT_KHR, [count, list], rest, isSignaled);
      if (typeof made === 'number') return made;
      for (const semaphore of made[1]) semaphore.signal = undefined;
      return Code.SUCCESS;
    },
    clGetSemaphoreInfoKHR: (handle, param, size, value, sizeOut) =>
      withSemaphore(handle, (semaphore) => ask(semaphore, param, size, value, sizeOut)),
    clRetainSemaphoreKHR: (handle) =>
      withSemaphore(handle, (semaphore) => {
        semaphore.retain();
        return Code.SUCCESS;
      }),
    clReleaseSemaphoreKHR: (handle) =>
      withSemaphore(handle, (semaphore) => {
        semaphore.release();
        return Code.SUCCESS;
      }),
  };
}
