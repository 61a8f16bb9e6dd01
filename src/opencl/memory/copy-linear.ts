import { checkInteger, checkNumber } from '../../core/check.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import type { Buffer } from './buffer.ts';
import { cl } from '../call.ts';
import type { CopyOptions } from './copy-options.ts';
import { hostBytes, isBlocking, settle } from './copy-host.ts';
import type { RawMemory } from './memory-object.ts';
import type { Event } from '../queue/event.ts';
import { submit, type CommandQueue, type Issue } from '../queue/queue.ts';
import { CommandType } from '../sys/enums.ts';

export const LINEAR_OPTIONS: readonly string[] = ['dstOffset', 'srcOffset', 'byteLength', 'blocking', 'waitFor'];

/** Bytes in a row, from buffer to buffer. */
export function copyBuffer(queue: CommandQueue, dest: Buffer, src: Buffer, options: CopyOptions): Event {
  const { to, from, dstOffset, srcOffset, byteLength } = planCopy(dest, src, options, 'enqueueCopy');
  const issue: Issue = (raw, count, list, out) =>
    cl.clEnqueueCopyBuffer(raw, from, to, srcOffset, dstOffset, byteLength, count, list, out);
  return submit(queue, 'enqueueCopy', options.waitFor, [dest.uses, src.uses], issue, CommandType.COPY_BUFFER);
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
  return copyWithHost(queue, src, dest, options, READ);
}

/** Bytes in a row, from the host to a buffer. */
export function writeBuffer(queue: CommandQueue, dest: Buffer, src: HostMemory, options: CopyOptions): Event {
  return copyWithHost(queue, dest, src, options, WRITE);
}

/** A direction: the driver's call, and which end the buffer is and which the host array. */
interface Way {
  readonly call: 'clEnqueueReadBuffer' | 'clEnqueueWriteBuffer';
  readonly type: CommandType;
  readonly buffer: 'src' | 'dest';
  readonly bufferOffset: 'srcOffset' | 'dstOffset';
  readonly host: 'src' | 'dest';
  readonly hostOffset: 'srcOffset' | 'dstOffset';
}

const READ: Way = {
  call: 'clEnqueueReadBuffer',
  type: CommandType.READ_BUFFER,
  buffer: 'src',
  bufferOffset: 'srcOffset',
  host: 'dest',
  hostOffset: 'dstOffset',
};
const WRITE: Way = {
  call: 'clEnqueueWriteBuffer',
  type: CommandType.WRITE_BUFFER,
  buffer: 'dest',
  bufferOffset: 'dstOffset',
  host: 'src',
  hostOffset: 'srcOffset',
};

function copyWithHost(queue: CommandQueue, buffer: Buffer, host: HostMemory, options: CopyOptions, way: Way): Event {
  const memory = buffer.use('enqueueCopy');
  const offset = offsetOf(options[way.bufferOffset], `enqueueCopy: ${way.bufferOffset}`, buffer.byteLength);
  const bytes = hostRange(host, options[way.hostOffset], options.byteLength, way.host, way.hostOffset);
  checkFit(bytes.byteLength, buffer, offset, way.buffer, 'enqueueCopy');
  const blocking = isBlocking(queue, options, host);
  const issue: Issue = (raw, count, list, out) =>
    cl[way.call](raw, memory, blocking, offset, bytes.byteLength, bytes, count, list, out);
  return settle(submit(queue, 'enqueueCopy', options.waitFor, [buffer.uses], issue, way.type), blocking, host);
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
