import { noteFilled } from '../../core/element-tag.ts';
import { checkNumber, checkOptions, nameOf } from '../../core/check.ts';
import { hostBytes, isHostMemory, type HostMemory } from '../../core/host-memory.ts';
import { Value } from '../../core/value.ts';
import { cl } from '../call.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, submit, type CommandQueue } from '../queue/queue.ts';
import type { UseRecord } from '../queue/uses.ts';
import { bufferOfArray, isDeviceArray, type DeviceArray } from './array-place.ts';
import { checkBuffer, type Buffer } from './buffer.ts';
import { fillImage, type Color } from './fill-image.ts';
import type { FillOptions } from './fill-options.ts';
import { Image } from './image.ts';
import type { RawMemory } from './memory-object.ts';

const LONGEST_PATTERN = 128;

/**
 * Fill a buffer with a repeated pattern, or an image with a colour.
 *
 * Host: does not block. Queue: ordered. On NVIDIA's driver a fill has been seen to fail with a fault where the part
 * reaches beyond the first 2 GiB of the buffer: let a kernel fill such a part.
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
  target: Buffer | DeviceArray | Image,
  pattern: Value | HostMemory | Color | 0,
  options: FillOptions = {},
): Event {
  checkQueue(queue, 'enqueueFill');
  if (isDeviceArray(target)) {
    using buffer = bufferOfArray(target, 'writes', 'enqueueFill');
    return fillBuffer(queue, buffer, pattern, options);
  }
  if (target instanceof Image) return fillImage(queue, target, pattern, options);
  return fillBuffer(queue, target, pattern, options);
}

function fillBuffer(queue: CommandQueue, buffer: unknown, pattern: unknown, options: FillOptions): Event {
  const what = 'enqueueFill';
  checkOptions(options, ['offset', 'byteLength', 'waitFor'], what);
  const { memory, uses, bytes, offset, byteLength } = planFill(queue, buffer, pattern, options, what);
  return submit(queue, what, options.waitFor, [uses], (raw, count, list, out) =>
    cl.clEnqueueFillBuffer(raw, memory, bytes, bytes.length, offset, byteLength, count, list, out),
  );
}

/** A fill of a buffer, checked. */
interface FillPlan {
  readonly memory: RawMemory;
  readonly uses: UseRecord | undefined;
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
  return { memory, uses: buffer.uses, bytes, ...range };
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
    throw new RangeError(`${what}: the pattern must have 1, 2, 4, 8, … or ${LONGEST_PATTERN} bytes, got ${length}`);
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
      `${what}: the pattern needs a type: pass float32(…), int32(…), a vector or a host array, got ${nameOf(pattern)}`,
    );
  }
  return hostBytes(pattern, `${what}: the pattern`);
}
