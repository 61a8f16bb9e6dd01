import { checkOptions, nameOf } from '../../core/check.ts';
import { checkMade } from '../../core/maker.ts';
import { cl } from '../call.ts';
import { Image } from './image.ts';
import { imageRegion, isSliced } from './image-region.ts';
import { mapClass, type MapArray, type MapElement } from './map-type.ts';
import { Pages } from './pages.ts';
import { checkMapFlags, mapped, MemoryMap } from './map.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, refuseToBlock, type CommandQueue } from '../queue/queue.ts';
import { sizes, type Extent } from './region.ts';
import { MemObjectType } from '../sys/enums.ts';

/** Which part of an image {@link enqueueMapImage} maps, and as what. */
export interface MapImageOptions<T extends MapElement> extends EnqueueOptions {
  /** Element type: a dtype's name, a typed array's class, or a vector type such as `float4`. Default: `'u8'` */
  readonly type?: T;
  /** Where the part begins, `[x, y, z]` in pixels. Default: 0 */
  readonly origin?: Extent;
  /** Pixels in each direction, `[x, y, z]`. Default: all from the origin on */
  readonly region?: Extent;
  /** Whether to wait until the content is there. Default: true */
  readonly blocking?: boolean;
}

/**
 * A part of an image in the host's memory, made by {@link enqueueMapImage}: the pitches are the distances of its rows and
 * slices.
 */
export class ImageMap<A extends ArrayBufferView> extends MemoryMap<A> {
  /** Bytes from row to row. */
  readonly rowPitch: number;
  /** Bytes from slice to slice, or from layer to layer; 0 where there is only one. */
  readonly slicePitch: number;

  /** @internal */
  constructor(
    queue: CommandQueue,
    image: Image,
    event: Event,
    address: bigint,
    pages: Pages,
    array: A,
    pitches: readonly [row: number, slice: number],
  ) {
    checkMade(pages instanceof Pages, 'ImageMap', 'call enqueueMapImage(queue, image, flags)');
    super(queue, image, event, address, pages, array);
    [this.rowPitch, this.slicePitch] = pitches;
  }
}

const rowSlot = new BigUint64Array(1);
const sliceSlot = new BigUint64Array(1);

/**
 * Map a part of an image into the host's memory, as a typed array over its pages: nothing is copied where the
 * device shares the host's memory. Pixel `(x, y, z)` of the part begins at byte
 * `x * elementBytes + y * rowPitch + z * slicePitch`; layer `y` of a 1D array at `y * slicePitch`.
 *
 * Host: blocks, unless `blocking: false`; then wait for the map's `event` before you touch its array. Queue: ordered.
 *
 * @param queue - of the image's context
 * @param image - what to map
 * @param flags - bits of {@link MapFlags}: what the host will do
 * @param options - the part, in pixels, and the array's element type
 * @returns the mapping: unmap it, or declare it with `using`, before the device uses the part again
 * @throws RangeError the part does not lie within the image, or is not a multiple of the element size
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.UNSIGNED_INT8);
 * using image = new cl.Image(ctx, cl.MemFlags.READ_WRITE, format, [64, 48]);
 * using map = cl.enqueueMapImage(queue, image, cl.MapFlags.WRITE);
 * map.array.fill(255, 0, 4 * 64); // the first row
 * map.unmap();
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueMapImage.html | clEnqueueMapImage}
 */
export function enqueueMapImage<T extends MapElement = 'u8'>(
  queue: CommandQueue,
  image: Image,
  flags: number,
  options: MapImageOptions<T> = {},
): ImageMap<MapArray<T>> {
  const what = 'enqueueMapImage';
  checkQueue(queue, what);
  checkOptions(options, ['type', 'origin', 'region', 'blocking', 'waitFor'], what);
  if (!(image instanceof Image)) throw new TypeError(`${what} takes an Image, got ${nameOf(image)}`);
  if (image.context.identity !== queue.context.identity)
    throw new TypeError(`${what}: the image belongs to another context`);
  const memory = image.use(what);
  checkMapFlags(flags, what);
  const { array: ArrayType, bytes } = mapClass(options.type ?? 'u8', `${what}: type`);
  const { origin, region } = imageRegion(image, options.origin, options.region, what);
  const width = region[0] * image.format.elementBytes;
  if (width % bytes !== 0) {
    throw new RangeError(`${what}: a row of ${width} bytes must be a multiple of the element size ${bytes}`);
  }
  const blocking = options.blocking === false ? 0 : 1;
  if (blocking) refuseToBlock(queue, what, options.waitFor);
  const pitches = (): readonly [row: number, slice: number] => [
    Number(rowSlot[0]),
    isSliced(image.type) ? Number(sliceSlot[0]) : 0,
  ];
  return mapped(
    queue,
    image,
    options.waitFor,
    what,
    (raw, count, list, out) => {
      rowSlot[0] = sliceSlot[0] = 0n;
      const [from, size] = [sizes(origin), sizes(region)];
      return cl.clEnqueueMapImage(raw, memory, blocking, flags, from, size, rowSlot, sliceSlot, count, list, out);
    },
    () => {
      const [row, slice] = pitches();
      const [, y, z] = region;
      const length = image.type === MemObjectType.IMAGE1D_ARRAY ? (y - 1) * slice : (z - 1) * slice + (y - 1) * row;
      // With a row pitch that is not a multiple of the element size, the last row may end inside of an element.
      return Math.floor((length + width) / bytes) * bytes;
    },
    (event, address, pages) =>
      new ImageMap(queue, image, event, address, pages, new ArrayType(pages.buffer) as MapArray<T>, pitches()),
  );
}
