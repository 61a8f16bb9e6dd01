import type { Maker } from '../core/maker.ts';
import { pixelBytes } from '../node-opencl/image-size.ts';
import type { CLMem } from '../node-opencl/objects.ts';
import { nameOf } from '../core/check.ts';
import { constants } from './constants.ts';
import { checkLive, cl, WebCLException } from './exception.ts';
import { WebCLMemoryObject } from './memory.ts';
import type { Owner } from './owner.ts';
import type { WebCLDevice } from './platform.ts';

/** The description of an image: sizes in pixels, the pitch in bytes. */
export interface WebCLImageDescriptor {
  /** Default: `webcl.RGBA` */
  readonly channelOrder?: number;
  /** Default: `webcl.UNORM_INT8` */
  readonly channelType?: number;
  readonly width?: number;
  readonly height?: number;
  /** Row pitch of the array with the first content. Default: 0, rows without gaps */
  readonly rowPitch?: number;
}

/** A two-dimensional image. */
export class WebCLImage extends WebCLMemoryObject {
  readonly #descriptor: Required<WebCLImageDescriptor>;

  /** @internal */
  constructor(maker: Maker, context: Owner, handle: CLMem, descriptor: Required<WebCLImageDescriptor>) {
    super(maker, context, handle);
    // Without a given pitch the driver places the rows.
    const rowPitch = descriptor.rowPitch || (cl.getImageInfo(handle, constants.IMAGE_ROW_PITCH) as number);
    this.#descriptor = { ...descriptor, rowPitch };
  }

  /** Without a name, the descriptor, with the pitch of the image's rows; else a property: `webcl.IMAGE_WIDTH`. */
  override getInfo(name?: number): unknown {
    checkLive(this.handle, 'CLMem');
    if (name === undefined) return { ...this.#descriptor };
    if (!IMAGE.has(name)) return this.memoryInfo(name);
    if (name !== constants.IMAGE_FORMAT) return cl.getImageInfo(this.handle, name);
    const { channelOrder, channelType } = this.#descriptor;
    return { channelOrder, channelType };
  }
}

const IMAGE: ReadonlySet<number> = new Set([
  constants.IMAGE_FORMAT,
  constants.IMAGE_ELEMENT_SIZE,
  constants.IMAGE_ROW_PITCH,
  constants.IMAGE_WIDTH,
  constants.IMAGE_HEIGHT,
]);
const ORDERS: ReadonlySet<unknown> = numbered(0x10b0, 0x10bc);
const TYPES: ReadonlySet<unknown> = numbered(0x10d0, 0x10de);

function numbered(first: number, last: number): ReadonlySet<number> {
  return new Set(Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

/** A descriptor with its defaults. */
export function wholeDescriptor(value: unknown): Required<WebCLImageDescriptor> {
  if (typeof value !== 'object' || value === null) throw new TypeError('An image must have a descriptor');
  const { channelOrder = constants.RGBA, channelType = constants.UNORM_INT8 } = value as WebCLImageDescriptor;
  const { width = 0, height = 0, rowPitch = 0 } = value as WebCLImageDescriptor;
  const sizes = [width, height, rowPitch];
  if (!sizes.every((size) => Number.isInteger(size) && size >= 0 && size < 2 ** 32) || width === 0 || height === 0) {
    throw new WebCLException(
      'INVALID_IMAGE_SIZE',
      `An image must have a width and a height, got ${sizes.map(nameOf).join(', ')}`,
    );
  }
  if (!ORDERS.has(channelOrder) || !TYPES.has(channelType)) {
    const text = 'The channel order and type must be constants of webcl, RGBA and UNORM_INT8 for example';
    throw new WebCLException('INVALID_IMAGE_FORMAT_DESCRIPTOR', text);
  }
  return { channelOrder, channelType, width, height, rowPitch };
}

/** Refuse a size that a device does not support, or a pitch that does not fit the array. */
export function checkSize(
  { channelOrder, channelType, width, height, rowPitch }: Required<WebCLImageDescriptor>,
  devices: readonly WebCLDevice[],
  hasArray: boolean,
): void {
  const most = (name: number): number => Math.max(...devices.map((device) => device.getInfo(name) as number));
  const [mostWidth, mostHeight] = [most(constants.DEVICE_IMAGE2D_MAX_WIDTH), most(constants.DEVICE_IMAGE2D_MAX_HEIGHT)];
  if (width > mostWidth || height > mostHeight) {
    const text = `The devices have images of up to ${mostWidth} by ${mostHeight} pixels, got ${width} by ${height}`;
    throw new WebCLException('INVALID_IMAGE_SIZE', text);
  }
  if (rowPitch === 0) return;
  if (!hasArray) throw new WebCLException('INVALID_IMAGE_SIZE', 'rowPitch needs hostPtr, got none');
  const row = width * pixelBytes(channelOrder, channelType);
  if (rowPitch < row)
    throw new WebCLException('INVALID_IMAGE_SIZE', `rowPitch must be at least ${row}, got ${rowPitch}`);
}

/** How many bytes an image reads from its array. */
export function imageBytes({
  channelOrder,
  channelType,
  width,
  height,
  rowPitch,
}: Required<WebCLImageDescriptor>): number {
  const row = width * pixelBytes(channelOrder, channelType);
  return height * (rowPitch || row);
}
