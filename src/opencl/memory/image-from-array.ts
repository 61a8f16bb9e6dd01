import { isNameIn } from '../../core/choice.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import { types } from 'node:util';
import type { Context } from '../device/context.ts';
import { Image } from './image.ts';
import { ImageFormat } from './image-format.ts';
import type { ImageSize } from './image-shape.ts';
import { ChannelOrder, ChannelType, MemFlags } from '../sys/enums.ts';

/** How {@link imageFromArray} makes an image of an array. */
export interface ImageFromArrayOptions {
  /** Numbers of a pixel, which lie side by side in the array. Default: 1 */
  readonly channels?: 1 | 2 | 3 | 4;
  /** Kernels read it (`'r'`), write it (`'w'`: the content is not copied), or both. Default: `'r'` */
  readonly mode?: 'r' | 'w' | 'rw';
  /** Whether integers are read as numbers from 0, or -1, to 1. Default: false */
  readonly normalized?: boolean;
  /** Of {@link ChannelType}, where the array's class does not determine it: `HALF_FLOAT` for a Uint16Array of halves. */
  readonly channelType?: number;
}

const ORDERS = [ChannelOrder.R, ChannelOrder.RG, ChannelOrder.RGB, ChannelOrder.RGBA] as const;
const { READ_ONLY, WRITE_ONLY, READ_WRITE, COPY_HOST_PTR } = MemFlags;
const FLAGS: Readonly<Record<string, number>> = {
  r: READ_ONLY | COPY_HOST_PTR,
  w: WRITE_ONLY,
  rw: READ_WRITE | COPY_HOST_PTR,
};
const TYPES: readonly (readonly [is: (value: unknown) => boolean, plain: number, normalized: number | undefined])[] = [
  [types.isFloat32Array, ChannelType.FLOAT, undefined],
  [types.isUint8Array, ChannelType.UNSIGNED_INT8, ChannelType.UNORM_INT8],
  [types.isUint8ClampedArray, ChannelType.UNSIGNED_INT8, ChannelType.UNORM_INT8],
  [types.isInt8Array, ChannelType.SIGNED_INT8, ChannelType.SNORM_INT8],
  [types.isUint16Array, ChannelType.UNSIGNED_INT16, ChannelType.UNORM_INT16],
  [types.isInt16Array, ChannelType.SIGNED_INT16, ChannelType.SNORM_INT16],
  [types.isUint32Array, ChannelType.UNSIGNED_INT32, undefined],
  [types.isInt32Array, ChannelType.SIGNED_INT32, undefined],
];

/**
 * Make an image of a typed array: its class is the type of the channels.
 *
 * Host: copies.
 *
 * @param context - whose devices can use it
 * @param array - the pixels, row by row
 * @param shape - pixels, `[width, height, depth]` or fewer
 * @param options - numbers of a pixel, and how kernels use it
 * @throws TypeError no channel type fits the array's class
 * @throws RangeError the array is too short
 * @throws {@link OpenCLLogicError} CL_IMAGE_FORMAT_NOT_SUPPORTED: few devices have three channels
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using image = cl.imageFromArray(ctx, new Uint8Array(4 * 64 * 48), [64, 48], { channels: 4, normalized: true });
 * console.log(String(image.format)); // RGBA UNORM_INT8
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateImage.html | clCreateImage}
 */
export function imageFromArray(
  context: Context,
  array: HostMemory,
  shape: ImageSize,
  options: ImageFromArrayOptions = {},
): Image {
  const what = 'imageFromArray';
  checkOptions(options, ['channels', 'mode', 'normalized', 'channelType'], what);
  hostByteLength(array, `${what}: the array`);
  const { channels = 1, mode = 'r', normalized = false } = options;
  const order = typeof channels === 'number' ? ORDERS[channels - 1] : undefined;
  if (order === undefined) throw new RangeError(`${what}: channels must be 1, 2, 3 or 4, got ${nameOf(channels)}`);
  const flags = isNameIn(FLAGS, mode) ? FLAGS[mode] : undefined;
  if (flags === undefined) throw new TypeError(`${what}: mode must be 'r', 'w' or 'rw', got ${nameOf(mode)}`);
  const type = options.channelType ?? channelType(array, normalized);
  const format = new ImageFormat(order, type);
  return new Image(context, flags, format, shape, (flags & COPY_HOST_PTR) === 0 ? undefined : array);
}

function channelType(array: HostMemory, normalized: boolean): number {
  const row = TYPES.find(([is]) => is(array));
  if (!row) {
    throw new TypeError(`imageFromArray: no channel type fits ${nameOf(array)}; pass a channelType of ChannelType`);
  }
  const type = normalized ? row[2] : row[1];
  if (type === undefined) throw new TypeError(`imageFromArray: ${nameOf(array)} cannot be normalised`);
  return type;
}
