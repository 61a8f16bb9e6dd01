import { checkInteger, checkNumber, checkOptions, nameOf } from '../../core/check.ts';
import { hostByteLength, isHostMemory, trueByteLength, type HostMemory } from '../../core/host-memory.ts';
import { noteFilled } from '../../core/element-tag.ts';
import type { Value } from '../../core/value.ts';
import { cl } from '../call.ts';
import { requireVersion } from '../device/requirement.ts';
import { fillRange, patternBytes } from './fill.ts';
import type { FillOptions } from './fill-options.ts';
import type { MigrateOptions } from './migrate.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, submit, type CommandQueue } from '../queue/queue.ts';
import type { UseRecord } from '../queue/uses.ts';
import { MigrationFlags } from '../sys/enums.ts';
import { hostBytes, isBlocking, settle } from './copy-host.ts';
import type { CopyOptions } from './copy-options.ts';
import { isSVM, type SVMMemory } from './svm-memory.ts';

export const SVM_OPTIONS: readonly string[] = ['dstOffset', 'srcOffset', 'byteLength', 'blocking', 'waitFor'];

/**
 * Fill shared memory with a repeated pattern.
 *
 * Host: does not block. Queue: ordered.
 *
 * @param pattern - a typed value (`float32(1)`), a host array of 1, 2, 4 … 128 bytes, or 0
 * @param options - the part to fill, in bytes, whose offset and length the pattern's length must divide
 * @throws RangeError the part does not lie within the memory, or the pattern does not divide it
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueSVMMemFill.html | clEnqueueSVMMemFill}
 */
export function enqueueSVMMemFill(
  queue: CommandQueue,
  memory: SVMMemory,
  pattern: Value | HostMemory | 0,
  options: FillOptions = {},
): Event {
  const what = 'enqueueSVMMemFill';
  checkQueue(queue, what);
  checkOptions(options, ['offset', 'byteLength', 'waitFor'], what);
  const pointer = pointerOf(memory, queue, what);
  const bytes = patternBytes(pattern, what);
  const { offset, byteLength } = fillRange(options, memory.byteLength, bytes.length, 0, what);
  noteFilled(memory, pattern);
  return submit(queue, what, options.waitFor, [memory.uses], (raw, count, list, out) =>
    byteLength === 0
      ? cl.clEnqueueMarkerWithWaitList(raw, count, list, out)
      : cl.clEnqueueSVMMemFill(raw, pointer + BigInt(offset), bytes, bytes.length, byteLength, count, list, out),
  );
}

/**
 * Move shared memory to the queue's device, or to the host, before it is needed there. OpenCL 2.1.
 *
 * Host: does not block. Queue: ordered.
 *
 * @throws Error the platform is older
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueSVMMigrateMem.html | clEnqueueSVMMigrateMem}
 */
export function enqueueSVMMigrate(
  queue: CommandQueue,
  memories: readonly SVMMemory[],
  options: MigrateOptions = {},
): Event {
  const what = 'enqueueSVMMigrate';
  checkQueue(queue, what);
  checkOptions(options, ['flags', 'waitFor'], what);
  requireVersion(queue.context.platform, 2, 1, what);
  const { flags = 0 } = options;
  checkNumber(flags, `${what}: flags`, 0, MigrationFlags.HOST | MigrationFlags.CONTENT_UNDEFINED);
  if (!Array.isArray(memories) || memories.length === 0) {
    throw new TypeError(`${what} takes an array of at least one SVMAllocation, got ${nameOf(memories)}`);
  }
  const all = BigUint64Array.from(memories, (memory: unknown) => pointerOf(memory, queue, what));
  const pointers = all.filter((pointer) => pointer !== 0n);
  // Sizes of 0 stand for whole allocations.
  const sizes = new BigUint64Array(pointers.length);
  return submit(queue, what, options.waitFor, usesOf(memories), (raw, count, list, out) =>
    pointers.length === 0
      ? cl.clEnqueueMarkerWithWaitList(raw, count, list, out)
      : cl.clEnqueueSVMMigrateMem(raw, pointers.length, pointers, sizes, flags, count, list, out),
  );
}

/** Bytes in a row, between shared memory and shared memory or the host. */
export function copySVM(
  queue: CommandQueue,
  dest: SVMMemory | HostMemory,
  src: SVMMemory | HostMemory,
  options: CopyOptions,
): Event {
  const what = 'enqueueCopy';
  const [dstBytes, srcBytes] = [bytesIn(dest), bytesIn(src)];
  const dstOffset = checkInteger(options.dstOffset ?? 0, `${what}: dstOffset`, 0, dstBytes);
  const srcOffset = checkInteger(options.srcOffset ?? 0, `${what}: srcOffset`, 0, srcBytes);
  const rooms = [dstBytes - dstOffset, srcBytes - srcOffset] as const;
  const host = [dest, src].find((end) => isHostMemory(end));
  const wanted = host === undefined ? Math.min(...rooms) : host === dest ? rooms[0] : rooms[1];
  const byteLength = checkInteger(options.byteLength ?? wanted, `${what}: byteLength`, 0);
  for (const [i, side] of ['dest', 'src'].entries()) {
    if (byteLength > (rooms[i] ?? 0)) {
      throw new RangeError(`${what}: ${byteLength} bytes go beyond ${side}, which has ${rooms[i] ?? 0} from there`);
    }
  }
  const to = endOf(dest, dstOffset, byteLength, queue, 'dest');
  const from = endOf(src, srcOffset, byteLength, queue, 'src');
  if (typeof to === 'bigint' && typeof from === 'bigint') {
    const apart = to > from ? to - from : from - to;
    if (apart < byteLength)
      throw new RangeError(`${what}: the two regions overlap: ${byteLength} bytes, ${apart} bytes apart`);
  }
  const blocking = host === undefined ? 0 : isBlocking(queue, options, host);
  const event = submit(queue, what, options.waitFor, usesOf([dest, src]), (raw, count, list, out) =>
    byteLength === 0
      ? cl.clEnqueueMarkerWithWaitList(raw, count, list, out)
      : cl.clEnqueueSVMMemcpy(raw, blocking, to, from, byteLength, count, list, out),
  );
  return host === undefined ? event : settle(event, blocking, host);
}

function endOf(
  end: SVMMemory | HostMemory,
  offset: number,
  byteLength: number,
  queue: CommandQueue,
  side: string,
): bigint | Uint8Array {
  if (isSVM(end)) return end.pointer(queue.context, `enqueueCopy: ${side}`) + BigInt(offset);
  if (byteLength > 0) hostByteLength(end, `enqueueCopy: ${side}`);
  return hostBytes(end, offset, byteLength);
}

function pointerOf(memory: unknown, queue: CommandQueue, what: string): bigint {
  if (isSVM(memory)) return memory.pointer(queue.context, what);
  const hint = isHostMemory(memory) ? '; where devices share all memory, pass new SVM(array)' : '';
  throw new TypeError(`${what} takes an SVMAllocation, got ${nameOf(memory)}${hint}`);
}

function usesOf(ends: readonly (SVMMemory | HostMemory)[]): readonly UseRecord[] {
  return ends.flatMap((end) => (isSVM(end) ? [end.uses] : []));
}

function bytesIn(memory: SVMMemory | HostMemory): number {
  return isHostMemory(memory) ? trueByteLength(memory) : memory.byteLength;
}
