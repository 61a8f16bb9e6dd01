import { checkInteger, checkNumber } from '../../core/check.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import type { Buffer } from './buffer.ts';
import { cl } from '../call.ts';
import type { CopyOptions } from './copy-options.ts';
import { hostBytes, isBlocking, settle } from './copy-host.ts';
import type { RawMemory } from './memory-object.ts';
import type { Event } from '../queue/event.ts';
import { submit, type CommandQueue } from '../queue/queue.ts';
import { CommandType } from '../sys/enums.ts';

export const LINEAR_OPTIONS: readonly string[] = ['dstOffset', 'srcOffset', 'byteLength', 'blocking', 'waitFor'];

/** Bytes in a row, from buffer to buffer. */
export function copyBuffer(queue: CommandQueue, dest: Buffer, src: Buffer, options: CopyOptions): Event {
  const { to, from, dstOffset, srcOffset, byteLength } = planCopy(dest, src, options, 'enqueueCopy');
  return submit(
    queue,
    'enqueueCopy',
    options.waitFor,
    [dest.uses, src.uses],
    (raw, count, list, out) =>
      cl.clEnqueueCopyBuffer(raw, from, to, srcOffset, dstOffset, byteLength, count, list, out),
    CommandType.COPY_BUFFER,
  );
}

/** Which bytes of a buffer. */
export interface LinearOptions {
  readonly dstOffset?: number;
  readonly srcOffset?: number;
  readonly byteLength?: number;
}

/** A copy between buffers, checked. */
interface CopyPlan {
  readonly to: RawMemory;
  readonly from: RawMemory;
  readonly dstOffset: number;
  readonly srcOffset: number;
  readonly byteLength: number;
}

/** Check a copy between buffers of one context. */
export function planCopy(dest: Buffer, src: Buffer, options: LinearOptions, what: string): CopyPlan {
  const [to, from] = [dest.use(what), src.use(what)];
  const dstOffset = offsetOf(options.dstOffset, `${what}: dstOffset`, dest.byteLength);
  const srcOffset = offsetOf(options.srcOffset, `${what}: srcOffset`, src.byteLength);
  const { byteLength = Math.min(dest.byteLength - dstOffset, src.byteLength - srcOffset) } = options;
  checkFit(byteLength, dest, dstOffset, 'dest', what);
  checkFit(byteLength, src, srcOffset, 'src', what);
  const apart = Math.abs(dest.offset + dstOffset - (src.offset + srcOffset));
  if (dest.root === src.root && apart < byteLength) {
    throw new RangeError(`${what}: the two regions overlap: ${byteLength} bytes, ${apart} bytes apart in one buffer`);
  }
  return { to, from, dstOffset, srcOffset, byteLength };
}

/** Bytes in a row, from a buffer to the host. */
export function readBuffer(queue: CommandQueue, dest: HostMemory, src: Buffer, options: CopyOptions): Event {
  const memory = src.use('enqueueCopy');
  const srcOffset = offsetOf(options.srcOffset, 'enqueueCopy: srcOffset', src.byteLength);
  const host = hostRange(dest, options.dstOffset, options.byteLength, 'dest', 'dstOffset');
  checkFit(host.byteLength, src, srcOffset, 'src', 'enqueueCopy');
  const blocking = isBlocking(queue, options, dest);
  const event = submit(
    queue,
    'enqueueCopy',
    options.waitFor,
    [src.uses],
    (raw, count, list, out) =>
      cl.clEnqueueReadBuffer(raw, memory, blocking, srcOffset, host.byteLength, host, count, list, out),
    CommandType.READ_BUFFER,
  );
  return settle(event, blocking, dest);
}

/** Bytes in a row, from the host to a buffer. */
export function writeBuffer(queue: CommandQueue, dest: Buffer, src: HostMemory, options: CopyOptions): Event {
  const memory = dest.use('enqueueCopy');
  const dstOffset = offsetOf(options.dstOffset, 'enqueueCopy: dstOffset', dest.byteLength);
  const host = hostRange(src, options.srcOffset, options.byteLength, 'src', 'srcOffset');
  checkFit(host.byteLength, dest, dstOffset, 'dest', 'enqueueCopy');
  const blocking = isBlocking(queue, options, src);
  const event = submit(
    queue,
    'enqueueCopy',
    options.waitFor,
    [dest.uses],
    (raw, count, list, out) =>
      cl.clEnqueueWriteBuffer(raw, memory, blocking, dstOffset, host.byteLength, host, count, list, out),
    CommandType.WRITE_BUFFER,
  );
  return settle(event, blocking, src);
}

function offsetOf(offset: number | undefined, what: string, byteLength: number): number {
  return offset === undefined ? 0 : checkInteger(offset, what, 0, byteLength - 1);
}

function hostRange(
  host: HostMemory,
  offset: number | undefined,
  byteLength: number | undefined,
  side: string,
  name: string,
): Uint8Array {
  const size = hostByteLength(host, `enqueueCopy: ${side}`);
  const start = offsetOf(offset, `enqueueCopy: ${name}`, size);
  const length = byteLength ?? size - start;
  checkNumber(length, 'enqueueCopy: byteLength', 1);
  if (length > size - start) {
    throw new RangeError(
      `enqueueCopy: ${length} bytes go beyond ${side}: the host array has ${size} bytes${start > 0 ? `, ${size - start} of them from ${name} ${start}` : ''}`,
    );
  }
  return hostBytes(host, start, length);
}

function checkFit(byteLength: number, buffer: Buffer, offset: number, side: string, what: string): void {
  checkNumber(byteLength, `${what}: byteLength`, 1);
  const room = buffer.byteLength - offset;
  if (byteLength > room) {
    throw new RangeError(
      `${what}: ${byteLength} bytes go beyond ${side}: the buffer has ${buffer.byteLength} bytes${offset > 0 ? `, ${room} of them from offset ${offset}` : ''}`,
    );
  }
}
