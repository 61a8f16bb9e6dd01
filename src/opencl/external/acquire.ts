import { checkOptions, nameOf } from '../../core/check.ts';
import { requireExtension } from '../device/requirement.ts';
import { extensionCalls } from '../extension.ts';
import { isExternal } from '../memory/buffer.ts';
import { MemoryObject } from '../memory/memory-object.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, submit, type CommandQueue } from '../queue/queue.ts';
import type { UseRecord } from '../queue/uses.ts';

/**
 * Acquire external memory before commands use it: the changes of its other users are visible then. Order it behind them by a
 * {@link Semaphore}.
 *
 * Host: does not block. Queue: ordered.
 *
 * @param objects - made with `Buffer.fromExternal`, of the queue's context
 * @throws TypeError one of them was not
 * @throws Error the device has no `cl_khr_external_memory`
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueAcquireExternalMemObjectsKHR.html | clEnqueueAcquireExternalMemObjectsKHR}
 */
export function enqueueAcquireExternal(
  queue: CommandQueue,
  objects: readonly MemoryObject[],
  options: EnqueueOptions = {},
): Event {
  return enqueue('enqueueAcquireExternal', 'clEnqueueAcquireExternalMemObjectsKHR', queue, objects, options);
}

/**
 * Release external memory to its other users: the changes of commands are visible there.
 *
 * Host: does not block. Queue: ordered.
 *
 * @param objects - made with `Buffer.fromExternal`, of the queue's context
 * @throws TypeError one of them was not
 * @throws Error the device has no `cl_khr_external_memory`
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueReleaseExternalMemObjectsKHR.html | clEnqueueReleaseExternalMemObjectsKHR}
 */
export function enqueueReleaseExternal(
  queue: CommandQueue,
  objects: readonly MemoryObject[],
  options: EnqueueOptions = {},
): Event {
  return enqueue('enqueueReleaseExternal', 'clEnqueueReleaseExternalMemObjectsKHR', queue, objects, options);
}

function enqueue(
  what: string,
  routine: 'clEnqueueAcquireExternalMemObjectsKHR' | 'clEnqueueReleaseExternalMemObjectsKHR',
  queue: CommandQueue,
  objects: unknown,
  options: EnqueueOptions,
): Event {
  checkQueue(queue, what);
  checkOptions(options, ['waitFor'], what);
  requireExtension(queue.device, 'cl_khr_external_memory', what);
  if (!Array.isArray(objects) || objects.length === 0) {
    throw new TypeError(`${what} takes an array of at least one Buffer, got ${nameOf(objects)}`);
  }
  const uses: (UseRecord | undefined)[] = [];
  const list = Array.from(objects, (object: unknown, i) => {
    if (!(object instanceof MemoryObject)) {
      throw new TypeError(`${what}: object ${i} must be a Buffer, got ${nameOf(object)}`);
    }
    if (object.context.identity !== queue.context.identity) {
      throw new TypeError(`${what}: object ${i} belongs to another context`);
    }
    // NVIDIA's driver accepts any memory; afterwards a wait for the queue, or its release, never ends.
    if (!isExternal(object)) {
      throw new TypeError(
        `${what}: object ${i} must be made with Buffer.fromExternal; its memory is the context's own`,
      );
    }
    uses.push(object.uses);
    return object.use(what);
  });
  const call = extensionCalls(queue.context.platform.raw)[routine];
  return submit(queue, what, options.waitFor, uses, (raw, count, waits, out) =>
    call(raw, list.length, new BigUint64Array(list), count, waits, out),
  );
}
