import { PublicObject } from '../../core/public-object.ts';
import { checkNumber, nameOf } from '../../core/check.ts';
import { cl } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { checkMemFlags } from './mem-flags.ts';
import { ChannelOrder, ChannelType, MemObjectType } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

/** The type of a channel's numbers in a kernel: `read_imagef`, `read_imagei` or `read_imageui`. */
export type ChannelKind = 'float' | 'int' | 'uint';

const COUNTS: Readonly<Record<keyof typeof ChannelOrder, number>> = {
  R: 1,
  A: 1,
  RG: 2,
  RA: 2,
  RGB: 3,
  RGBA: 4,
  BGRA: 4,
  ARGB: 4,
  INTENSITY: 1,
  LUMINANCE: 1,
  Rx: 1,
  RGx: 2,
  RGBx: 3,
  DEPTH: 1,
  sRGB: 3,
  sRGBx: 3,
  sRGBA: 4,
  sBGRA: 4,
  ABGR: 4,
};
/** Bytes of a channel; those of a whole element where the channels share them. */
const SIZES: Readonly<Record<keyof typeof ChannelType, readonly [bytes: number, packed: boolean]>> = {
  SNORM_INT8: [1, false],
  SNORM_INT16: [2, false],
  UNORM_INT8: [1, false],
  UNORM_INT16: [2, false],
  UNORM_SHORT_565: [2, true],
  UNORM_SHORT_555: [2, true],
  UNORM_INT_101010: [4, true],
  UNORM_INT_101010_2: [4, true],
  SIGNED_INT8: [1, false],
  SIGNED_INT16: [2, false],
  SIGNED_INT32: [4, false],
  UNSIGNED_INT8: [1, false],
  UNSIGNED_INT16: [2, false],
  UNSIGNED_INT32: [4, false],
  HALF_FLOAT: [2, false],
  FLOAT: [4, false],
};
/** Orders whose last channel has no meaning. */
const PADDED = /x$/;

/**
 * The format of a pixel of an {@link Image}.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.UNORM_INT8);
 * console.log(String(format), format.elementBytes); // RGBA UNORM_INT8, 4
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/cl_image_format.html | cl_image_format}
 */
export class ImageFormat extends PublicObject {
  readonly #order: number;
  readonly #type: number;

  /**
   * @param channelOrder - of {@link ChannelOrder}
   * @param channelType - of {@link ChannelType}
   * @throws RangeError a number that is not one of the constants
   */
  constructor(channelOrder: number, channelType: number) {
    super();
    this.#order = known(channelOrder, ChannelOrder, 'channelOrder', 'ChannelOrder');
    this.#type = known(channelType, ChannelType, 'channelType', 'ChannelType');
  }

  /** One of {@link ChannelOrder}. */
  get channelOrder(): number {
    return this.#order;
  }

  /** One of {@link ChannelType}. */
  get channelType(): number {
    return this.#type;
  }

  /** How many channels have a meaning. */
  get channelCount(): number {
    return COUNTS[nameIn(ChannelOrder, this.#order)];
  }

  /** Bytes of a pixel. */
  get elementBytes(): number {
    const [bytes, packed] = SIZES[nameIn(ChannelType, this.#type)];
    if (packed) return bytes;
    return bytes * (this.channelCount + (PADDED.test(nameIn(ChannelOrder, this.#order)) ? 1 : 0));
  }

  /** Bytes of one channel; of the whole pixel where the channels share them, as in `UNORM_SHORT_565`. */
  get channelBytes(): number {
    return SIZES[nameIn(ChannelType, this.#type)][0];
  }

  /** The type that kernels read, and that a fill takes: `float` for the normalised types, too. */
  get channelKind(): ChannelKind {
    const name = nameIn(ChannelType, this.#type);
    return name.startsWith('SIGNED') ? 'int' : name.startsWith('UNSIGNED') ? 'uint' : 'float';
  }

  /** Whether another format has the same order and type. */
  equals(other: ImageFormat): boolean {
    if (!(other instanceof ImageFormat)) {
      throw new TypeError(`ImageFormat.equals takes an ImageFormat, got ${nameOf(other)}`);
    }
    return other.channelOrder === this.#order && other.channelType === this.#type;
  }

  /** `RGBA UNORM_INT8` */
  override toString(): string {
    return `${nameIn(ChannelOrder, this.#order)} ${nameIn(ChannelType, this.#type)}`;
  }
}

/**
 * The formats that images of a type can have.
 *
 * @param context - whose devices are asked
 * @param flags - bits of {@link MemFlags}: how kernels use the image
 * @param type - of {@link MemObjectType}; default: 2-dimensional images
 * @returns an empty array where the devices have no images; formats that only one vendor knows are left out
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * for (const format of cl.getSupportedImageFormats(ctx, cl.MemFlags.READ_ONLY)) console.log(String(format));
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetSupportedImageFormats.html | clGetSupportedImageFormats}
 */
export function getSupportedImageFormats(
  context: Context,
  flags: number,
  type: number = MemObjectType.IMAGE2D,
): ImageFormat[] {
  const what = 'getSupportedImageFormats';
  checkContext(context, what);
  checkMemFlags(flags, what);
  checkNumber(type, `${what}: type`, MemObjectType.IMAGE2D, MemObjectType.IMAGE1D_BUFFER);
  if (!context.devices.some((device) => device.imageSupport)) return [];
  const raw = context.use(what);
  const count = new Uint32Array(1);
  cl.clGetSupportedImageFormats(raw, flags, type, 0, 0n, count);
  const total = count[0] ?? 0;
  if (total === 0) return [];
  const list = new Uint32Array((total * structs.cl_image_format.size) / 4);
  cl.clGetSupportedImageFormats(raw, flags, type, total, list, 0n);
  return Array.from({ length: total }, (_, i) => formatOf(list[2 * i] ?? 0, list[2 * i + 1] ?? 0)).filter(
    (format) => format !== undefined,
  );
}

/** The format of two numbers of a driver; undefined where only its vendor knows one of them. */
export function formatOf(order: number, type: number): ImageFormat | undefined {
  const isKnown = (list: Readonly<Record<string, number>>, value: number): boolean =>
    Object.values(list).includes(value);
  return isKnown(ChannelOrder, order) && isKnown(ChannelType, type) ? new ImageFormat(order, type) : undefined;
}

function known(value: unknown, list: Readonly<Record<string, number>>, what: string, name: string): number {
  if (typeof value !== 'number')
    throw new TypeError(`ImageFormat: ${what} must be one of ${name}, got ${nameOf(value)}`);
  if (Object.values(list).includes(value)) return value;
  throw new RangeError(
    `ImageFormat: ${what} must be one of ${name}'s ${Object.keys(list).join(', ')}, got 0x${value.toString(16)}`,
  );
}

function nameIn<Names extends string>(list: Readonly<Record<Names, number>>, value: number): Names {
  return (Object.keys(list) as Names[]).find((name) => list[name] === value) as Names;
}
