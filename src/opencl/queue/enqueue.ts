import { noteFilled } from '../../core/element-tag.ts';
import { checkNumber, checkOptions, hostBytes, isHostMemory, nameOf, type HostMemory } from '../../core/host-memory.ts';
import { Value } from '../../core/value.ts';
import { checkBuffer, type Buffer } from '../memory/buffer.ts';
import { fillImage, type Color } from '../memory/fill-image.ts';
import { Image } from '../memory/image.ts';
import { MemoryObject, type RawMemory } from '../memory/memory-object.ts';
import type { Extent } from '../memory/region.ts';
import { cl } from '../call.ts';
import type { Event } from './event.ts';
import { checkQueue, submit, type CommandQueue } from './queue.ts';
import { MigrationFlags } from '../sys/enums.ts';

/** What every enqueue takes. */
export interface EnqueueOptions {
  /** The command starts when these have ended. */
  readonly waitFor?: readonly Event[];
}

/** Which part of a buffer or an image {@link enqueueFill} fills. */
export interface FillOptions extends EnqueueOptions {
  /** Image: where the part begins, `[x, y, z]` in pixels. Default: 0 */
  readonly origin?: Extent;
  /** Image: pixels in each direction, `[x, y, z]`. Default: all from the origin on */
  readonly region?: Extent;
  /** Bytes from the buffer's start. Default: 0 */
  readonly offset?: number;
  /** Bytes. Default: up to the buffer's end. */
  readonly byteLength?: number;
}

/** Where {@link enqueueMigrate} moves memory. */
export interface MigrateOptions extends EnqueueOptions {
  /** Bits of {@link MigrationFlags}: `HOST` for the host, else the queue's device. */
  readonly flags?: number;
}

const LONGEST_PATTERN = 128;

/**
 * Fill a buffer with a repeated pattern, or an image with a colour.
 *
 * Host: does not block. Queue: ordered. NVIDIA's driver has been seen to end in a fault where a part of a buffer reaches behind
 * the first 2 GiB: let a kernel fill those.
 *
 * @param queue - of the memory's context
 * @param target - what to fill
 * @param pattern - for a buffer a typed value (`float32(1)`, `int4(…)`), a host array of 1, 2, 4 … 128 bytes, or 0; for an
 * image a colour, `[r, g, b, a]`, a `float4`, `int4` or `uint4`, or 0
 * @param options - the part to fill; of a buffer, the pattern's length must divide its offset and length
 * @throws RangeError the part does not lie within the buffer, or the pattern does not divide it
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using buffer = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4096);
 * cl.enqueueFill(queue, buffer, cl.float32(1.5));
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueFillBuffer.html | clEnqueueFillBuffer}
 */
export function enqueueFill(
  queue: CommandQueue,
  target: Buffer | Image,
  pattern: Value | HostMemory | Color | 0,
  options: FillOptions = {},
): Event {
  checkQueue(queue, 'enqueueFill');
  if (target instanceof Image) return fillImage(queue, target, pattern, options);
  return fillBuffer(queue, target, pattern, options);
}

function fillBuffer(queue: CommandQueue, buffer: unknown, pattern: unknown, options: FillOptions): Event {
  const what = 'enqueueFill';
  checkOptions(options, ['offset', 'byteLength', 'waitFor'], what);
  const { memory, bytes, offset, byteLength } = planFill(queue, buffer, pattern, options, what);
  return submit(queue, what, options.waitFor, (raw, count, list, out) =>
    cl.clEnqueueFillBuffer(raw, memory, bytes, bytes.length, offset, byteLength, count, list, out),
  );
}

/** A fill of a buffer, checked. */
interface FillPlan {
  readonly memory: RawMemory;
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly byteLength: number;
}

/** Check the fill of a buffer. */
export function planFill(
  queue: CommandQueue,
  buffer: unknown,
  pattern: unknown,
  options: Pick<FillOptions, 'offset' | 'byteLength'>,
  what: string,
): FillPlan {
  checkBuffer(buffer, queue.context, `${what}: the buffer`);
  const memory = buffer.use(what);
  const bytes = patternBytes(pattern, what);
  const range = fillRange(options, buffer.byteLength, bytes.length, 1, what);
  noteFilled(buffer, pattern);
  return { memory, bytes, ...range };
}

/**
 * The part of memory that a fill is for: a whole number of patterns.
 *
 * @param room - bytes of the memory
 * @param step - bytes of the pattern
 * @param least - bytes that have to be filled
 */
export function fillRange(
  options: Pick<FillOptions, 'offset' | 'byteLength'>,
  room: number,
  step: number,
  least: number,
  what: string,
): { readonly offset: number; readonly byteLength: number } {
  const { offset = 0 } = options;
  checkNumber(offset, `${what}: offset`, 0, room);
  const { byteLength = room - offset } = options;
  checkNumber(byteLength, `${what}: byteLength`, least, room - offset);
  if (offset % step !== 0 || byteLength % step !== 0) {
    throw new RangeError(
      `${what}: the pattern's ${step} bytes must divide offset ${offset} and byteLength ${byteLength}`,
    );
  }
  return { offset, byteLength };
}

/** The bytes of a pattern that a fill repeats. */
export function patternBytes(pattern: unknown, what = 'enqueueFill'): Uint8Array {
  const bytes = readPattern(pattern, what);
  const { length } = bytes;
  if (length > LONGEST_PATTERN || (length & (length - 1)) !== 0) {
    throw new RangeError(`${what}: a pattern has 1, 2, 4, 8, … or ${LONGEST_PATTERN} bytes; this one has ${length}`);
  }
  return bytes;
}

function readPattern(pattern: unknown, what: string): Uint8Array {
  if (pattern === 0) return new Uint8Array(1);
  if (pattern instanceof Value) {
    const bytes = new Uint8Array(pattern.byteLength);
    pattern.writeTo(new DataView(bytes.buffer), 0);
    return bytes;
  }
  if (!isHostMemory(pattern)) {
    throw new TypeError(
      `${what}: the pattern needs a type: pass float32(…), int32(…), a vector or a host array; ${nameOf(pattern)} came`,
    );
  }
  return hostBytes(pattern, `${what}: the pattern`);
}

/**
 * Enqueue a marker: an event that ends when the events given have, or else everything enqueued before.
 *
 * Host: does not block. Queue: ordered; on an out-of-order queue later commands do not wait for it.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * await cl.enqueueMarker(queue).done();
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueMarkerWithWaitList.html | clEnqueueMarkerWithWaitList}
 */
export function enqueueMarker(queue: CommandQueue, options: EnqueueOptions = {}): Event {
  checkQueue(queue, 'enqueueMarker');
  checkOptions(options, ['waitFor'], 'enqueueMarker');
  return submit(queue, 'enqueueMarker', options.waitFor, (raw, count, list, out) =>
    cl.clEnqueueMarkerWithWaitList(raw, count, list, out),
  );
}

/**
 * Enqueue a barrier: what comes after starts only when the events given, or else everything before, has ended.
 *
 * Host: does not block. Queue: ordered.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx, { outOfOrder: true });
 * cl.enqueueBarrier(queue);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueBarrierWithWaitList.html | clEnqueueBarrierWithWaitList}
 */
export function enqueueBarrier(queue: CommandQueue, options: EnqueueOptions = {}): Event {
  checkQueue(queue, 'enqueueBarrier');
  checkOptions(options, ['waitFor'], 'enqueueBarrier');
  return submit(queue, 'enqueueBarrier', options.waitFor, (raw, count, list, out) =>
    cl.clEnqueueBarrierWithWaitList(raw, count, list, out),
  );
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
    throw new TypeError(`${what} takes an array of at least one Buffer or Image; ${nameOf(objects)} came`);
  }
  const list = new BigUint64Array(
    Array.from(objects, (object: unknown, i) => {
      if (!(object instanceof MemoryObject)) {
        throw new TypeError(`${what}: object ${i} must be a Buffer or an Image; ${nameOf(object)} came`);
      }
      if (object.context.identity !== queue.context.identity) {
        throw new TypeError(`${what}: object ${i} belongs to another context`);
      }
      return object.use(what);
    }),
  );
  return submit(queue, what, options.waitFor, (raw, count, waits, out) =>
    cl.clEnqueueMigrateMemObjects(raw, list.length, list, flags, count, waits, out),
  );
}
