import { MAKER } from '../core/maker.ts';
import type { Handle } from '../core/handle.ts';
import { whenDone } from '../core/poll.ts';
import { trueByteLength, type HostMemory } from '../core/host-memory.ts';
import {
  array,
  bool,
  bytesOf,
  context as contextOf,
  host,
  hostOrEmpty,
  kernel as kernelOf,
  queue as queueOf,
  size,
  uint,
} from './argument.ts';
import { checkViewBytes, addressOf } from '../ffi/memory.ts';
import { cl } from './call.ts';
import { runLater } from './callback.ts';
import { expectArguments, failure } from './failure.ts';
import { CLObject } from './handle.ts';
import { hold } from './kernel-argument.ts';
import { CLEvent, retained, type CLCommandQueue, type CLContext, type CLKernel } from './objects.ts';
import { Parameters } from './parameter.ts';
import { statusOf, submit, type End, type Enqueue, type EventOr0 } from './submit.ts';
import { ownSvm, svmOf, type SvmMemory } from './svm-memory.ts';

function checkBytes(byteLength: number): void {
  try {
    checkViewBytes(byteLength, 'Shared memory');
  } catch (error) {
    throw failure('CL_INVALID_ARG_VALUE', error);
  }
}

/** Allocate memory that host and device share, as an ArrayBuffer. */
export function SVMAlloc(
  ...args: [context: CLContext, flags: number, byteLength: number, alignment: number | null]
): ArrayBuffer {
  expectArguments(args, 4);
  const [owner, flags, byteLength] = [contextOf(args[0], 0), uint(args[1], 1), size(args[2], 2)];
  checkBytes(byteLength);
  const address = cl.clSVMAlloc(owner, flags, byteLength, uint(args[3] ?? 0, 3));
  if (!address) throw failure('CL_INVALID_ARG_VALUE', new Error('The devices have no memory of that kind and size'));
  return ownSvm(owner, CLObject.record(args[0]), address, byteLength);
}

/** Free shared memory. The buffer is empty from then on; kernels in flight still have the memory. Other memory stays. */
export function SVMFree(...args: [context: CLContext, memory: HostMemory]): 0 {
  expectArguments(args, 2);
  contextOf(args[0], 0);
  svmOf(hostOrEmpty(args[1], 1))?.close();
  return 0;
}

/** Free shared memory once all earlier commands have ended; the callback is called afterwards. */
export function enqueueSVMFree(
  ...args: [
    queue: CLCommandQueue,
    memories: readonly HostMemory[],
    callback?: ((userData: unknown, queue: CLCommandQueue) => void) | null,
    userData?: unknown,
    ...End,
  ]
): EventOr0 {
  expectArguments(args, 2);
  const queue = queueOf(args[0], 0);
  const list = [...new Set(array(args[1], 1).map((memory) => wantedSvm(memory, 'CL_INVALID_VALUE')))];
  if (list.length === 0) throw failure('CL_INVALID_VALUE');
  const pointers = BigUint64Array.from(list, ({ handle }) => handle.value);
  const callback = args[2] as unknown;
  const calls = typeof callback === 'function';
  const event = submit(queue, [args[4], args[5] || calls], 4, (...end) =>
    cl.clEnqueueSVMFree(queue, list.length, pointers, 0n as never, 0n, ...end),
  );
  for (const memory of list) {
    memory.give();
    memory.close();
  }
  if (!calls || event === 0) return event;
  const raw = CLObject.raw(event, 'CLEvent');
  cl.clRetainEvent(raw);
  const own = new CLEvent(MAKER, raw);
  const given = retained.queue(queue);
  cl.clFlush(queue);
  runLater(
    whenDone(() => statusOf(raw) <= 0).finally(() => CLObject.release(own, 'CLEvent')),
    () => (callback as (...given: unknown[]) => void)(args[3], given),
  );
  if (args[5]) return event;
  CLObject.release(event, 'CLEvent');
  return 0;
}

/** Let the host use shared memory: wait for it, or for the event, before you touch the bytes. */
export function enqueueSVMMap(
  ...args: [queue: CLCommandQueue, blocking: unknown, flags: number, memory: HostMemory, byteLength: number, ...End]
): EventOr0 {
  expectArguments(args, 5);
  const [queue, blocking, flags] = [queueOf(args[0], 0), bool(args[1], 1), uint(args[2], 2)];
  const { handle } = wantedSvm(args[3], 'CL_INVALID_VALUE');
  const byteLength = within(args[4], args[3]);
  return submit(
    queue,
    args.slice(5),
    5,
    (...end) => cl.clEnqueueSVMMap(queue, blocking, flags, addressOf(args[3]), byteLength, ...end),
    { handles: [handle], blocking: blocking === 1 },
  );
}

/** End the host's use of shared memory, so that the device can use it. */
export function enqueueSVMUnmap(...args: [queue: CLCommandQueue, memory: HostMemory, ...End]): EventOr0 {
  expectArguments(args, 2);
  const queue = queueOf(args[0], 0);
  const { handle } = wantedSvm(args[1], 'CL_INVALID_VALUE');
  const address = addressOf(args[1]);
  const unmap: Enqueue = (...end) => cl.clEnqueueSVMUnmap(queue, address, ...end);
  return submit(queue, args.slice(2), 2, unmap, { handles: [handle] });
}

/** Copy bytes between shared memory and shared memory or an array. */
export function enqueueSVMMemcpy(
  ...args: [
    queue: CLCommandQueue,
    blocking: unknown,
    target: HostMemory,
    source: HostMemory,
    byteLength: number,
    ...End,
  ]
): EventOr0 {
  expectArguments(args, 5);
  const [queue, blocking] = [queueOf(args[0], 0), bool(args[1], 1)];
  const [target, source] = [host(args[2], 2), host(args[3], 3)];
  const byteLength = Math.min(within(args[4], target), within(args[4], source));
  return submit(
    queue,
    args.slice(5),
    5,
    (...end) => cl.clEnqueueSVMMemcpy(queue, blocking, addressOf(target), addressOf(source), byteLength, ...end),
    { memory: [target, source], handles: handlesOf(target, source), blocking: blocking === 1 },
  );
}

/** Fill shared memory with the bytes of an array, over and over. */
export function enqueueSVMMemFill(
  ...args: [queue: CLCommandQueue, memory: HostMemory, pattern: HostMemory, byteLength: number, ...End]
): EventOr0 {
  expectArguments(args, 4);
  const queue = queueOf(args[0], 0);
  const memory = host(args[1], 1);
  const { handle } = wantedSvm(memory, 'CL_INVALID_VALUE');
  const pattern = bytesOf(host(args[2], 2)).slice();
  const byteLength = within(args[3], memory);
  if (byteLength % pattern.length !== 0) {
    throw failure(
      'CL_INVALID_VALUE',
      new RangeError(`The ${pattern.length} bytes of the pattern must divide ${byteLength}`),
    );
  }
  return submit(
    queue,
    args.slice(4),
    4,
    (...end) => cl.clEnqueueSVMMemFill(queue, addressOf(memory), pattern, pattern.length, byteLength, ...end),
    { handles: [handle] },
  );
}

/** Set an argument of a kernel to shared memory, or to a place within it. */
export function setKernelArgSVMPointer(...args: [kernel: CLKernel, index: number, memory: HostMemory]): 0 {
  expectArguments(args, 3);
  const [kernel, index] = [kernelOf(args[0], 0), uint(args[1], 1)];
  const memory = host(args[2], 2);
  const { handle, context } = wantedSvm(memory, 'CL_INVALID_ARG_VALUE');
  Parameters.of(args[0], kernel).checkShared(index, context);
  cl.clSetKernelArgSVMPointer(kernel, index, addressOf(memory));
  hold(args[0], index, handle);
  return 0;
}

function wantedSvm(value: unknown, status: 'CL_INVALID_VALUE' | 'CL_INVALID_ARG_VALUE'): SvmMemory {
  const memory = svmOf(hostOrEmpty(value, 1));
  if (memory) return memory;
  throw failure(status, new TypeError('The memory must be allocated by SVMAlloc and not freed'));
}

/** A size, at most that of the memory. */
function within(value: unknown, memory: HostMemory): number {
  const byteLength = size(value, 0);
  const room = trueByteLength(memory);
  if (byteLength <= room) return byteLength;
  throw failure('CL_INVALID_VALUE', new RangeError(`The size must be at most ${room} bytes, got ${byteLength}`));
}

function handlesOf(...memories: readonly HostMemory[]): Handle<bigint>[] {
  return memories.flatMap((memory) => svmOf(memory)?.handle ?? []);
}
