import { pixelBytes } from '../node-opencl/image-size.ts';
import type { CLMem } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import type { WebCLContext } from './context.ts';
import { WebCLException } from './exception.ts';
import { WebCLMemoryObject } from './memory.ts';

/** What an image is: sizes in pixels, the pitch in bytes. */
export interface WebCLImageDescriptor {
  /** Default: `webcl.RGBA` */
  readonly channelOrder?: number;
  /** Default: `webcl.UNORM_INT8` */
  readonly channelType?: number;
  readonly width?: number;
  readonly height?: number;
  /** Of the array that the image begins as. Default: 0, rows without gaps */
  readonly rowPitch?: number;
}

/** A two-dimensional image. */
export class WebCLImage extends WebCLMemoryObject {
  readonly #descriptor: Required<WebCLImageDescriptor>;

  /** @internal */
  constructor(context: WebCLContext, handle: CLMem, descriptor: Required<WebCLImageDescriptor>) {
    super(context, handle);
    this.#descriptor = descriptor;
  }

  /** Without a name, the descriptor; else a property: `webcl.MEM_SIZE`. */
  override getInfo(name?: number): unknown {
    if (name !== undefined) return this.memoryInfo(name);
    this.memoryInfo(constants.MEM_TYPE);
    return { ...this.#descriptor };
  }
}

/** A descriptor with its defaults. */
export function wholeDescriptor(value: unknown): Required<WebCLImageDescriptor> {
  if (typeof value !== 'object' || value === null) throw new TypeError('An image has a descriptor');
  const { channelOrder = constants.RGBA, channelType = constants.UNORM_INT8 } = value as WebCLImageDescriptor;
  const { width = 0, height = 0, rowPitch = 0 } = value as WebCLImageDescriptor;
  const sizes = [width, height, rowPitch];
  if (!sizes.every((size) => Number.isInteger(size) && size >= 0 && size < 2 ** 32) || width === 0 || height === 0) {
    throw new WebCLException('INVALID_IMAGE_SIZE', `An image has a width and a height; ${sizes.join(', ')} came`);
  }
  return { channelOrder, channelType, width, height, rowPitch };
}

/** How many bytes an image takes from its array. */
export function imageBytes({
  channelOrder,
  channelType,
  width,
  height,
  rowPitch,
}: Required<WebCLImageDescriptor>): number {
  return height * (rowPitch || width * pixelBytes(channelOrder, channelType));
}
