import { checkNumber, checkOptions, nameOf } from '../../core/check.ts';
import { cl } from '../call.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, submit, type CommandQueue } from '../queue/queue.ts';
import type { UseRecord } from '../queue/uses.ts';
import { MigrationFlags } from '../sys/enums.ts';
import type { Buffer } from './buffer.ts';
import type { Image } from './image.ts';
import { MemoryObject } from './memory-object.ts';

/** Where {@link enqueueMigrate} moves memory. */
export interface MigrateOptions extends EnqueueOptions {
  /** Bits of {@link MigrationFlags}: `HOST` for the host, else the queue's device. */
  readonly flags?: number;
}

/**
 * Move buffers and images to the queue's device, or to the host, before they are needed there.
 *
 * Host: does not block. Queue: ordered.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using buffer = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4096);
 * cl.enqueueMigrate(queue, [buffer], { flags: cl.MigrationFlags.CONTENT_UNDEFINED });
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueMigrateMemObjects.html | clEnqueueMigrateMemObjects}
 */
export function enqueueMigrate(
  queue: CommandQueue,
  objects: readonly (Buffer | Image)[],
  options: MigrateOptions = {},
): Event {
  const what = 'enqueueMigrate';
  checkQueue(queue, what);
  checkOptions(options, ['flags', 'waitFor'], what);
  const { flags = 0 } = options;
  checkNumber(flags, `${what}: flags`, 0, MigrationFlags.HOST | MigrationFlags.CONTENT_UNDEFINED);
  if (!Array.isArray(objects) || objects.length === 0) {
    throw new TypeError(`${what} takes an array of at least one Buffer or Image, got ${nameOf(objects)}`);
  }
  const uses: (UseRecord | undefined)[] = [];
  const list = new BigUint64Array(
    Array.from(objects, (object: unknown, i) => {
      if (!(object instanceof MemoryObject)) {
        throw new TypeError(`${what}: object ${i} must be a Buffer or an Image, got ${nameOf(object)}`);
      }
      if (object.context.identity !== queue.context.identity) {
        throw new TypeError(`${what}: object ${i} belongs to another context`);
      }
      uses.push(object.uses);
      return object.use(what);
    }),
  );
  return submit(queue, what, options.waitFor, uses, (raw, count, waits, out) =>
    cl.clEnqueueMigrateMemObjects(raw, list.length, list, flags, count, waits, out),
  );
}
