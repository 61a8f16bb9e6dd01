import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import type { Buffer } from './buffer.ts';
import { cl } from '../call.ts';
import type { CopyOptions } from './copy-options.ts';
import { hostBytes, isBlocking, settle } from './copy-host.ts';
import type { Event } from '../queue/event.ts';
import { submit, type CommandQueue } from '../queue/queue.ts';
import { endOf, readOrigin, readPitches, readRegion, sizes, type Layout, type Triple } from './region.ts';

export const HOST_RECT_OPTIONS: readonly string[] = [
  'bufferOrigin',
  'hostOrigin',
  'region',
  'bufferPitches',
  'hostPitches',
  'blocking',
  'waitFor',
];
export const BUFFER_RECT_OPTIONS: readonly string[] = [
  'srcOrigin',
  'dstOrigin',
  'region',
  'srcPitches',
  'dstPitches',
  'blocking',
  'waitFor',
];

/** A rectangle or a box of bytes, from a buffer to the host. */
export function readRect(queue: CommandQueue, dest: HostMemory, src: Buffer, options: CopyOptions): Event {
  return exchange(queue, src, dest, options, 'read');
}

/** A rectangle or a box of bytes, from the host to a buffer. */
export function writeRect(queue: CommandQueue, dest: Buffer, src: HostMemory, options: CopyOptions): Event {
  return exchange(queue, dest, src, options, 'write');
}

/** A rectangle or a box of bytes, from buffer to buffer. */
export function copyRect(queue: CommandQueue, dest: Buffer, src: Buffer, options: CopyOptions): Event {
  const [to, from] = [dest.use('enqueueCopy'), src.use('enqueueCopy')];
  const region = regionOf(options);
  const source = place(options.srcOrigin, options.srcPitches, region, src.byteLength, 'src');
  const target = place(options.dstOrigin, options.dstPitches, region, dest.byteLength, 'dst');
  if (dest.root === src.root) checkOverlap(src.offset, source, dest.offset, target, region);
  return submit(queue, 'enqueueCopy', options.waitFor, [dest.uses, src.uses], (raw, count, list, out) =>
    cl.clEnqueueCopyBufferRect(
      raw,
      from,
      to,
      sizes(source.origin),
      sizes(target.origin),
      sizes(region),
      source.row,
      source.slice,
      target.row,
      target.slice,
      count,
      list,
      out,
    ),
  );
}

function exchange(
  queue: CommandQueue,
  buffer: Buffer,
  host: HostMemory,
  options: CopyOptions,
  what: 'read' | 'write',
): Event {
  const memory = buffer.use('enqueueCopy');
  const region = regionOf(options);
  const byteLength = hostByteLength(host, `enqueueCopy: ${what === 'read' ? 'dest' : 'src'}`);
  const device = place(options.bufferOrigin, options.bufferPitches, region, buffer.byteLength, 'buffer');
  const here = place(options.hostOrigin, options.hostPitches, region, byteLength, 'host');
  const blocking = isBlocking(queue, options, host);
  const bytes = hostBytes(host, 0, byteLength);
  const call = what === 'read' ? cl.clEnqueueReadBufferRect : cl.clEnqueueWriteBufferRect;
  const event = submit(queue, 'enqueueCopy', options.waitFor, [buffer.uses], (raw, count, list, out) =>
    call(
      raw,
      memory,
      blocking,
      sizes(device.origin),
      sizes(here.origin),
      sizes(region),
      device.row,
      device.slice,
      here.row,
      here.slice,
      bytes,
      count,
      list,
      out,
    ),
  );
  return settle(event, blocking, host);
}

interface Place extends Layout {
  readonly origin: Triple;
}

function regionOf({ region }: CopyOptions): Triple {
  if (region === undefined) {
    throw new TypeError('enqueueCopy of a rectangle needs its region: [bytes, rows, slices], got none');
  }
  return readRegion(region, 'enqueueCopy: region');
}

/** The place of a rectangle in one end; refuses a rectangle that goes beyond the end. */
function place(origin: unknown, pitches: unknown, region: Triple, byteLength: number, side: string): Place {
  const from = readOrigin(origin, `enqueueCopy: ${side}Origin`);
  const layout = readPitches(pitches, region, `enqueueCopy: ${side}Pitches`);
  const end = endOf(layout, from, region);
  if (end > byteLength) {
    throw new RangeError(
      `enqueueCopy: region [${region.join(', ')}] at ${side}Origin [${from.join(', ')}] with ${side}Pitches [${layout.row}, ${layout.slice}] ends at byte ${end}; there are ${byteLength}`,
    );
  }
  return { origin: from, ...layout };
}

/** The two rectangles of one buffer must not share a byte, and OpenCL requires the same pitches. */
function checkOverlap(srcOffset: number, src: Place, dstOffset: number, dst: Place, region: Triple): void {
  if (srcOffset === dstOffset && (src.row !== dst.row || src.slice !== dst.slice)) {
    throw new RangeError(
      `enqueueCopy: within one buffer srcPitches and dstPitches must be the same, got [${src.row}, ${src.slice}] and [${dst.row}, ${dst.slice}]`,
    );
  }
  const first = (at: number, { row, slice, origin: [x, y, z] }: Place): number => at + z * slice + y * row + x;
  const [from, to] = [first(srcOffset, src), first(dstOffset, dst)];
  const [fromEnd, toEnd] = [srcOffset + endOf(src, src.origin, region), dstOffset + endOf(dst, dst.origin, region)];
  if (fromEnd <= to || toEnd <= from) return;
  if (src.row !== dst.row || src.slice !== dst.slice || meet(Math.abs(from - to), src, region)) {
    throw new RangeError('enqueueCopy: the two regions overlap in one buffer: copy through another one');
  }
}

/** Whether two rectangles of the same pitches, this many bytes apart, share a byte. */
function meet(apart: number, { row, slice }: Layout, [width, height, depth]: Triple): boolean {
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      // Row y of slice z of one meets the first row of the other, or a row further on in it.
      const gap = Math.abs(apart - z * slice - y * row);
      if (gap < width) return true;
      const back = Math.abs(apart - z * slice + y * row);
      if (back < width) return true;
    }
  }
  return false;
}
