import { noteCopied } from '../../core/element-tag.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { isHostMemory, type HostMemory } from '../../core/host-memory.ts';
import { hostOf, type RefValue } from '../../core/ref-value.ts';
import { bufferOfArray, isDeviceArray, type DeviceArray } from './array-place.ts';
import { Buffer } from './buffer.ts';
import { copyBuffer, LINEAR_OPTIONS, readBuffer, writeBuffer } from './copy-linear.ts';
import {
  bufferToImage,
  copyImage,
  IMAGE_BUFFER_OPTIONS,
  IMAGE_HOST_OPTIONS,
  IMAGE_IMAGE_OPTIONS,
  imageToBuffer,
  readImage,
  writeImage,
} from './copy-image.ts';
import { BUFFER_RECT_OPTIONS, copyRect, HOST_RECT_OPTIONS, readRect, writeRect } from './copy-rect.ts';
import type { CopyOptions } from './copy-options.ts';
import { Image } from './image.ts';
import { copySVM, SVM_OPTIONS } from './svm-commands.ts';
import { isSVM, type SVMMemory } from './svm-memory.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, eventsOf, refuseToBlock, type CommandQueue } from '../queue/queue.ts';

/** An end of {@link enqueueCopy}: a source or a destination. */
export type CopyEnd = Buffer | DeviceArray | Image | SVMMemory | HostMemory | RefValue;

/** One pair of ends: the options that it takes, and the copy. */
interface Route {
  readonly options: readonly string[];
  readonly copy: (queue: CommandQueue, dest: never, src: never, options: CopyOptions) => Event;
}

/** The copy of rectangles, for pairs that have one: used where an option of rectangles is given. */
interface Routes extends Route {
  readonly rect?: Route;
}

type Kind = 'host' | 'buffer' | 'image' | 'svm';

const RECT_OPTIONS = new Set(
  [...HOST_RECT_OPTIONS, ...BUFFER_RECT_OPTIONS].filter((name) => !LINEAR_OPTIONS.includes(name)),
);

/** The copies by source and destination. A new kind of memory is a new word in {@link kindOf}, and its rows here. */
const ROUTES: Readonly<Partial<Record<`${Kind} to ${Kind}`, Routes>>> = {
  'host to buffer': {
    options: LINEAR_OPTIONS,
    copy: writeBuffer,
    rect: { options: HOST_RECT_OPTIONS, copy: writeRect },
  },
  'buffer to host': { options: LINEAR_OPTIONS, copy: readBuffer, rect: { options: HOST_RECT_OPTIONS, copy: readRect } },
  'buffer to buffer': {
    options: LINEAR_OPTIONS,
    copy: copyBuffer,
    rect: { options: BUFFER_RECT_OPTIONS, copy: copyRect },
  },
  'host to svm': { options: SVM_OPTIONS, copy: copySVM },
  'svm to host': { options: SVM_OPTIONS, copy: copySVM },
  'svm to svm': { options: SVM_OPTIONS, copy: copySVM },
  'host to image': { options: IMAGE_HOST_OPTIONS, copy: writeImage },
  'image to host': { options: IMAGE_HOST_OPTIONS, copy: readImage },
  'image to image': { options: IMAGE_IMAGE_OPTIONS, copy: copyImage },
  'image to buffer': { options: IMAGE_BUFFER_OPTIONS, copy: imageToBuffer },
  'buffer to image': { options: IMAGE_BUFFER_OPTIONS, copy: bufferToImage },
};

/**
 * Copy between host arrays, buffers, images and shared memory, but not between two host arrays: bytes in a row, rectangles of
 * bytes, parts of images.
 *
 * Host: blocks with a host array, unless `blocking: false`; then the array stays referenced until the copy has ended,
 * and must not be detached before. Queue: ordered.
 *
 * @param queue - of the context of both ends
 * @param dest - a {@link Buffer}, an {@link Image}, an array or a host array
 * @param src - a {@link Buffer}, an {@link Image}, an array or a host array
 * @param options - which part; without any, all that fits
 * @throws RangeError the part does not lie within both ends
 * @throws TypeError two host arrays, or an end that is neither memory of the context nor a host array
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
export function enqueueCopy(queue: CommandQueue, dest: CopyEnd, src: CopyEnd, options: CopyOptions = {}): Event {
  checkQueue(queue, 'enqueueCopy');
  if (isDeviceArray(dest) || isDeviceArray(src)) return copyArrays(queue, dest, src, options);
  const [target, source] = [hostOf(dest), hostOf(src)];
  const [to, from] = [kindOf(target, queue, 'dest'), kindOf(source, queue, 'src')];
  const found = ROUTES[`${from} to ${to}`];
  if (!found && (to === 'svm' || from === 'svm')) {
    throw new TypeError(`enqueueCopy: no copy from ${from} to ${to}; make a Buffer of shared memory: asBuffer()`);
  }
  if (!found) throw new TypeError('enqueueCopy takes at least one Buffer, got two host arrays: use dest.set(src)');
  const route = found.rect && hasRect(options) ? found.rect : found;
  checkOptions(options, route.options, `enqueueCopy from ${from} to ${to}`);
  const event = route.copy(queue, target as never, source as never, options);
  noteCopied(target, source);
  return event;
}

function copyArrays(queue: CommandQueue, dest: CopyEnd, src: CopyEnd, options: CopyOptions): Event {
  const what = 'enqueueCopy';
  using target = isDeviceArray(dest) ? bufferOfArray(dest, 'writes', what) : undefined;
  using source = isDeviceArray(src) ? bufferOfArray(src, 'reads', what) : undefined;
  checkQueue(queue, what);
  const isWaiting =
    (options as CopyOptions | null)?.blocking !== false && (isHostMemory(hostOf(dest)) || isHostMemory(hostOf(src)));
  // Of the array's own wait list the copy itself does not know.
  if (isWaiting) refuseToBlock(queue, what, (target ?? source)?.uses?.before?.(eventsOf(queue)));
  return enqueueCopy(queue, target ?? dest, source ?? src, options);
}

/** The kind of an end; refuses memory of another context and values that are not memory. */
function kindOf(end: unknown, queue: CommandQueue, side: string): Kind {
  if (isSVM(end)) return 'svm';
  const kind = end instanceof Buffer ? 'buffer' : end instanceof Image ? 'image' : undefined;
  if (kind === undefined) {
    if (isHostMemory(end)) return 'host';
    throw new TypeError(
      `enqueueCopy: ${side} must be a Buffer, an NDArray, an Image, an SVMAllocation or a host array, got ${nameOf(end)}`,
    );
  }
  if ((end as Buffer | Image).context.identity !== queue.context.identity) {
    throw new TypeError(`enqueueCopy: ${side} belongs to another context`);
  }
  return kind;
}

function hasRect(options: unknown): boolean {
  return typeof options === 'object' && options !== null && Object.keys(options).some((key) => RECT_OPTIONS.has(key));
}
