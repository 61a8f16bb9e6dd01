import { checkInteger } from '../../core/check.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import type { Buffer } from './buffer.ts';
import { cl } from '../call.ts';
import type { CopyOptions } from './copy-options.ts';
import { hostBytes, isBlocking, settle } from './copy-host.ts';
import type { Image } from './image.ts';
import { checkImageRegion, hostLayout, imageOrigin, imageRegion, isSliced, rest } from './image-region.ts';
import type { Event } from '../queue/event.ts';
import { submit, type CommandQueue } from '../queue/queue.ts';
import { readRegion, sizes, type Triple } from './region.ts';

export const IMAGE_HOST_OPTIONS: readonly string[] = ['origin', 'region', 'pitches', 'blocking', 'waitFor'];
export const IMAGE_BUFFER_OPTIONS: readonly string[] = ['offset', 'origin', 'region', 'blocking', 'waitFor'];
export const IMAGE_IMAGE_OPTIONS: readonly string[] = ['srcOrigin', 'dstOrigin', 'region', 'blocking', 'waitFor'];

const WHAT = 'enqueueCopy';

/** A part of an image, to the host. */
export function readImage(queue: CommandQueue, dest: HostMemory, src: Image, options: CopyOptions): Event {
  return exchange(queue, src, dest, options, 'read');
}

/** A part of an image, from the host. */
export function writeImage(queue: CommandQueue, dest: Image, src: HostMemory, options: CopyOptions): Event {
  return exchange(queue, dest, src, options, 'write');
}

/** A part of an image, to another image of the same format; by default what fits. */
export function copyImage(queue: CommandQueue, dest: Image, src: Image, options: CopyOptions): Event {
  const [to, from] = [dest.use(WHAT), src.use(WHAT)];
  if (!dest.format.equals(src.format)) {
    throw new TypeError(
      `${WHAT}: two images need the same format, got ${String(src.format)} and ${String(dest.format)}: copy through a Buffer`,
    );
  }
  const source = imageOrigin(src, options.srcOrigin, `${WHAT}: srcOrigin`);
  const target = imageOrigin(dest, options.dstOrigin, `${WHAT}: dstOrigin`);
  const region =
    options.region === undefined
      ? smaller(rest(src, source), rest(dest, target))
      : readRegion(options.region, `${WHAT}: region`);
  checkImageRegion(src, source, region, `${WHAT}: src`);
  checkImageRegion(dest, target, region, `${WHAT}: dest`);
  if (src === dest && source.every((at, i) => Math.abs(at - (target[i] ?? 0)) < (region[i] ?? 1))) {
    throw new RangeError(`${WHAT}: the two regions overlap in one image: copy through another one`);
  }
  return submit(queue, WHAT, options.waitFor, [dest.uses, src.uses], (raw, count, list, out) =>
    cl.clEnqueueCopyImage(raw, from, to, sizes(source), sizes(target), sizes(region), count, list, out),
  );
}

/** A part of an image, to a buffer, without gaps. */
export function imageToBuffer(queue: CommandQueue, dest: Buffer, src: Image, options: CopyOptions): Event {
  const [to, from] = [dest.use(WHAT), src.use(WHAT)];
  const { origin, region, offset } = packed(src, dest, options, 'dest');
  return submit(queue, WHAT, options.waitFor, [dest.uses, src.uses], (raw, count, list, out) =>
    cl.clEnqueueCopyImageToBuffer(raw, from, to, sizes(origin), sizes(region), offset, count, list, out),
  );
}

/** A part of an image, from a buffer, without gaps. */
export function bufferToImage(queue: CommandQueue, dest: Image, src: Buffer, options: CopyOptions): Event {
  const [to, from] = [dest.use(WHAT), src.use(WHAT)];
  const { origin, region, offset } = packed(dest, src, options, 'src');
  return submit(queue, WHAT, options.waitFor, [dest.uses, src.uses], (raw, count, list, out) =>
    cl.clEnqueueCopyBufferToImage(raw, from, to, offset, sizes(origin), sizes(region), count, list, out),
  );
}

function exchange(
  queue: CommandQueue,
  image: Image,
  host: HostMemory,
  options: CopyOptions,
  what: 'read' | 'write',
): Event {
  const memory = image.use(WHAT);
  const side = what === 'read' ? 'dest' : 'src';
  const byteLength = hostByteLength(host, `${WHAT}: ${side}`);
  const { origin, region } = imageRegion(image, options.origin, options.region, WHAT);
  const layout = hostLayout(image, region, options.pitches, `${WHAT}: pitches`);
  if (layout.byteLength > byteLength) {
    throw new RangeError(
      `${WHAT}: region [${region.join(', ')}] has ${layout.byteLength} bytes; ${side}, a host array, has ${byteLength}`,
    );
  }
  const blocking = isBlocking(queue, options, host);
  const bytes = hostBytes(host, 0, byteLength);
  const call = what === 'read' ? cl.clEnqueueReadImage : cl.clEnqueueWriteImage;
  const slice = isSliced(image.type) ? layout.slice : 0;
  const event = submit(queue, WHAT, options.waitFor, [image.uses], (raw, count, list, out) =>
    call(raw, memory, blocking, sizes(origin), sizes(region), layout.row, slice, bytes, count, list, out),
  );
  return settle(event, blocking, host);
}

function packed(
  image: Image,
  buffer: Buffer,
  options: CopyOptions,
  side: string,
): { readonly origin: Triple; readonly region: Triple; readonly offset: number } {
  const { origin, region } = imageRegion(image, options.origin, options.region, WHAT);
  const offset = checkInteger(options.offset ?? 0, `${WHAT}: offset`, 0, buffer.byteLength - 1);
  const byteLength = region[0] * region[1] * region[2] * image.format.elementBytes;
  if (byteLength > buffer.byteLength - offset) {
    throw new RangeError(
      `${WHAT}: region [${region.join(', ')}] has ${byteLength} bytes; ${side}, a buffer, has ${buffer.byteLength - offset} from offset ${offset}`,
    );
  }
  return { origin, region, offset };
}

function smaller(one: Triple, other: Triple): Triple {
  return [Math.min(one[0], other[0]), Math.min(one[1], other[1]), Math.min(one[2], other[2])];
}
