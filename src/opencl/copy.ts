import {
  checkInteger,
  checkOptions,
  hostByteLength,
  isHostMemory,
  nameOf,
  type HostMemory,
} from '../core/host-memory.ts';
import { Buffer, checkBuffer } from './buffer.ts';
import { cl } from './call.ts';
import type { EnqueueOptions } from './enqueue.ts';
import type { Event } from './event.ts';
import { checkQueue, refuseToBlock, submit, type CommandQueue } from './queue.ts';

/** Which bytes {@link enqueueCopy} copies, and whether it waits. */
export interface CopyOptions extends EnqueueOptions {
  /** Bytes from the destination's start. Default: 0 */
  readonly dstOffset?: number;
  /** Bytes from the source's start. Default: 0 */
  readonly srcOffset?: number;
  /** Bytes. Default: the rest of the host array; between buffers, what fits. */
  readonly byteLength?: number;
  /** Whether a copy from or to a host array waits for its end. Default: true. Copies between buffers never wait. */
  readonly blocking?: boolean;
}

const OPTIONS = ['dstOffset', 'srcOffset', 'byteLength', 'blocking', 'waitFor'];

/**
 * Copy bytes: from a host array to a buffer, from a buffer to a host array, or between buffers.
 *
 * Host: blocks with a host array, unless `blocking: false`; then the array stays referenced until the copy has ended,
 * and must not be detached before. Queue: ordered.
 *
 * @param queue - of the buffers' context
 * @param dest - a {@link Buffer} or a host array
 * @param src - a {@link Buffer} or a host array
 * @param options - offsets and length in bytes
 * @throws RangeError the bytes do not lie within both sides
 * @throws TypeError two host arrays, or what is neither a buffer nor a host array
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using buffer = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 16);
 * cl.enqueueCopy(queue, buffer, Float32Array.of(1, 2, 3, 4));
 * const tail = new Float32Array(2);
 * cl.enqueueCopy(queue, tail, buffer, { srcOffset: 8 });
 * console.log(tail); // 3, 4
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueReadBuffer.html | clEnqueueReadBuffer}
 */
export function enqueueCopy(
  queue: CommandQueue,
  dest: Buffer | HostMemory,
  src: Buffer | HostMemory,
  options: CopyOptions = {},
): Event {
  checkQueue(queue, 'enqueueCopy');
  checkOptions(options, OPTIONS, 'enqueueCopy');
  if (dest instanceof Buffer && src instanceof Buffer) return copyBuffer(queue, dest, src, options);
  if (isHostMemory(dest) && isHostMemory(src)) {
    throw new TypeError('enqueueCopy takes at least one Buffer; two host arrays came: use dest.set(src)');
  }
  if (isHostMemory(dest)) return read(queue, dest, src, options);
  if (isHostMemory(src)) return write(queue, dest, src, options);
  const [side, value] = dest instanceof Buffer ? ['src', src] : ['dest', dest];
  throw new TypeError(`enqueueCopy: ${side} must be a Buffer or a host array; ${nameOf(value)} came`);
}

function copyBuffer(queue: CommandQueue, dest: Buffer, src: Buffer, options: CopyOptions): Event {
  checkBuffer(dest, queue.context, 'enqueueCopy: dest');
  checkBuffer(src, queue.context, 'enqueueCopy: src');
  const [to, from] = [dest.use('enqueueCopy'), src.use('enqueueCopy')];
  const dstOffset = offsetOf(options.dstOffset, 'dstOffset', dest.byteLength);
  const srcOffset = offsetOf(options.srcOffset, 'srcOffset', src.byteLength);
  const { byteLength = Math.min(dest.byteLength - dstOffset, src.byteLength - srcOffset) } = options;
  checkFit(byteLength, dest, dstOffset, 'dest');
  checkFit(byteLength, src, srcOffset, 'src');
  const apart = Math.abs(dest.offset + dstOffset - (src.offset + srcOffset));
  if (dest.root === src.root && apart < byteLength) {
    throw new RangeError(
      `enqueueCopy: the two regions overlap: ${byteLength} bytes, ${apart} bytes apart in one buffer`,
    );
  }
  return submit(queue, 'enqueueCopy', options.waitFor, (raw, count, list, out) =>
    cl.clEnqueueCopyBuffer(raw, from, to, srcOffset, dstOffset, byteLength, count, list, out),
  );
}

function read(queue: CommandQueue, dest: HostMemory, src: unknown, options: CopyOptions): Event {
  checkBuffer(src, queue.context, 'enqueueCopy: src');
  const memory = src.use('enqueueCopy');
  const srcOffset = offsetOf(options.srcOffset, 'srcOffset', src.byteLength);
  const host = hostRange(dest, options.dstOffset, options.byteLength, 'dest', 'dstOffset');
  checkFit(host.byteLength, src, srcOffset, 'src');
  const blocking = isBlocking(queue, options);
  const event = submit(queue, 'enqueueCopy', options.waitFor, (raw, count, list, out) =>
    cl.clEnqueueReadBuffer(raw, memory, blocking, srcOffset, host.byteLength, host, count, list, out),
  );
  return settle(event, blocking, dest);
}

function write(queue: CommandQueue, dest: unknown, src: HostMemory, options: CopyOptions): Event {
  checkBuffer(dest, queue.context, 'enqueueCopy: dest');
  const memory = dest.use('enqueueCopy');
  const dstOffset = offsetOf(options.dstOffset, 'dstOffset', dest.byteLength);
  const host = hostRange(src, options.srcOffset, options.byteLength, 'src', 'srcOffset');
  checkFit(host.byteLength, dest, dstOffset, 'dest');
  const blocking = isBlocking(queue, options);
  const event = submit(queue, 'enqueueCopy', options.waitFor, (raw, count, list, out) =>
    cl.clEnqueueWriteBuffer(raw, memory, blocking, dstOffset, host.byteLength, host, count, list, out),
  );
  return settle(event, blocking, src);
}

function isBlocking(queue: CommandQueue, options: CopyOptions): 0 | 1 {
  if (options.blocking === false) return 0;
  refuseToBlock(queue, 'enqueueCopy', options.waitFor);
  return 1;
}

/** A copy that goes on holds its host array; one that has ended gives its event back at once. */
function settle(event: Event, blocking: 0 | 1, host: HostMemory): Event {
  if (blocking) event.settle();
  else event.hold(host);
  return event;
}

function offsetOf(offset: number | undefined, name: string, byteLength: number): number {
  return offset === undefined ? 0 : checkInteger(offset, `enqueueCopy: ${name}`, 0, byteLength - 1);
}

function hostRange(
  host: HostMemory,
  offset: number | undefined,
  byteLength: number | undefined,
  side: string,
  name: string,
): Uint8Array {
  const size = hostByteLength(host, `enqueueCopy: ${side}`);
  const start = offsetOf(offset, name, size);
  const length = byteLength ?? size - start;
  checkInteger(length, 'enqueueCopy: byteLength', 1);
  if (length > size - start) {
    throw new RangeError(
      `enqueueCopy: ${length} bytes go beyond ${side}: the host array has ${size} bytes${start > 0 ? `, ${size - start} of them from ${name} ${start}` : ''}`,
    );
  }
  const view = ArrayBuffer.isView(host);
  return new Uint8Array(view ? host.buffer : host, (view ? host.byteOffset : 0) + start, length);
}

function checkFit(byteLength: number, buffer: Buffer, offset: number, side: string): void {
  checkInteger(byteLength, 'enqueueCopy: byteLength', 1);
  const room = buffer.byteLength - offset;
  if (byteLength > room) {
    throw new RangeError(
      `enqueueCopy: ${byteLength} bytes go beyond ${side}: the buffer has ${buffer.byteLength} bytes${offset > 0 ? `, ${room} of them from offset ${offset}` : ''}`,
    );
  }
}
