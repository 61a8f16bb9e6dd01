import { array, elements, kernel as kernelOf, queue as queueOf, size, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure, type StatusName } from './failure.ts';
import { heldHandles } from './kernel-argument.ts';
import { checkLocalMemory } from './local-memory.ts';
import type { CLCommandQueue, CLEvent, CLKernel } from './objects.ts';
import { enqueuing, submit, type End, type Enqueue, type EnqueueFunction, type EventOr0 } from './submit.ts';
import { SVM } from './svm-memory.ts';

type Dims = readonly number[] | null | undefined;

/** Run a kernel over a range of work-items: sizes and offsets have as many numbers as there are dimensions. */
export function enqueueNDRangeKernel(
  ...args: [
    queue: CLCommandQueue,
    kernel: CLKernel,
    dimensions: number,
    offset: Dims,
    global: Dims,
    local: Dims,
    ...End,
  ]
): EventOr0 {
  expectArguments(args, 6);
  const [queue, kernel, dimensions] = [queueOf(args[0], 0), kernelOf(args[1], 1), uint(args[2], 2)];
  const offset = sizes(args[3], 3, dimensions, 'CL_INVALID_GLOBAL_OFFSET');
  const global = sizes(args[4], 4, dimensions, 'CL_INVALID_GLOBAL_WORK_SIZE');
  const local = sizes(args[5], 5, dimensions, 'CL_INVALID_WORK_GROUP_SIZE', 1);
  if (global === 0n) throw failure('CL_INVALID_GLOBAL_WORK_SIZE');
  const handles = heldHandles(args[1], SVM);
  checkLocalMemory(args[1], queue);
  const launch: Enqueue = (...end) =>
    cl.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, ...end);
  return submit(queue, args.slice(6), 6, launch, { handles });
}

/** Run a kernel in one work-item, by OpenCL 1's function. */
export function enqueueTask(...args: [queue: CLCommandQueue, kernel: CLKernel, ...End]): EventOr0 {
  expectArguments(args, 2);
  const [queue, kernel] = [queueOf(args[0], 0), kernelOf(args[1], 1)];
  const handles = heldHandles(args[1], SVM);
  checkLocalMemory(args[1], queue);
  return submit(queue, args.slice(2), 2, (...end) => cl.clEnqueueTask(queue, kernel, ...end), { handles });
}

/** Functions of the host cannot be enqueued: it always throws. */
export function enqueueNativeKernel(): never {
  throw failure('CL_INVALID_OPERATION', new Error('Functions of the program cannot be enqueued'));
}

/** An event that ends when the events of the list, or else all earlier commands, have ended. */
export const enqueueMarkerWithWaitList: EnqueueFunction<[]> = waitListFirst('clEnqueueMarkerWithWaitList');

/** As a marker; later commands wait for it, too. */
export const enqueueBarrierWithWaitList: EnqueueFunction<[]> = waitListFirst('clEnqueueBarrierWithWaitList');

/** A marker, by OpenCL 1.1's function. */
export function enqueueMarker(...args: [queue: CLCommandQueue, wantEvent?: unknown]): EventOr0 {
  expectArguments(args, 1);
  const queue = queueOf(args[0], 0);
  return submit(queue, [null, args[1]], 0, (_count, _list, event) =>
    cl.clEnqueueMarkerWithWaitList(queue, 0, 0n, event),
  );
}

/** Let later commands wait for events, by OpenCL 1.1's function. */
export function enqueueWaitForEvents(...args: [queue: CLCommandQueue, events: readonly CLEvent[]]): 0 {
  expectArguments(args, 2);
  const queue = queueOf(args[0], 0);
  if (array(args[1], 1).length === 0) throw failure('CL_INVALID_VALUE');
  submit(queue, [args[1]], 1, (...end) => cl.clEnqueueBarrierWithWaitList(queue, ...end));
  return 0;
}

/** Let later commands wait for earlier ones, by OpenCL 1.1's function. */
export function enqueueBarrier(...args: [queue: CLCommandQueue]): 0 {
  expectArguments(args, 1);
  const queue = queueOf(args[0], 0);
  submit(queue, [], 1, (...end) => cl.clEnqueueBarrierWithWaitList(queue, ...end));
  return 0;
}

function waitListFirst(name: 'clEnqueueMarkerWithWaitList' | 'clEnqueueBarrierWithWaitList'): EnqueueFunction<[]> {
  const enqueue = enqueuing<[]>(name, []);
  return (...args) => {
    expectArguments(args, 2);
    return enqueue(...args);
  };
}

/** The largest size that every driver survives. */
const MAX_SIZE = 2 ** 32 - 1;

/** The sizes of so many dimensions; NULL for a missing list. */
function sizes(
  value: unknown,
  position: number,
  dimensions: number,
  status: StatusName,
  least = 0,
): BigUint64Array | bigint {
  if (value === null || value === undefined) return 0n;
  const list = elements(value, position);
  if (list.length !== dimensions) {
    throw failure(status, new RangeError(`The list must have ${dimensions} numbers, got ${list.length}`));
  }
  const numbers = Array.from(list, (one) => size(one, position));
  const wrong = numbers.find((one) => one < least || one > MAX_SIZE);
  if (wrong !== undefined) {
    throw failure(status, new RangeError(`Each number must be from ${least} to ${MAX_SIZE}, got ${wrong}`));
  }
  return numbers.length === 0 ? 0n : BigUint64Array.from(numbers, BigInt);
}
