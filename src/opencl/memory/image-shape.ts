import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import type { Context } from '../device/context.ts';
import type { ImageFormat } from './image-format.ts';
import type { MemoryObject } from './memory-object.ts';
import type { Device } from '../device/device.ts';
import { MemObjectType } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

/** Pixels in each direction, x first: the reverse of numpy's order. */
export type ImageSize =
  | number
  | readonly [width: number]
  | readonly [width: number, height: number]
  | readonly [width: number, height: number, depth: number];

/** What the shape of an image depends on. */
export interface ShapeOptions {
  /** Pixels: `[width, height, depth]`, or fewer. */
  readonly shape: ImageSize;
  /** Whether the last number of the shape counts the layers of an array of images. Default: false */
  readonly isArray?: boolean;
  /** The memory that the image is a view of. */
  readonly buffer?: MemoryObject;
  /** Bytes from row to row, and from slice to slice, of the host array or the buffer. Default: no gaps */
  readonly pitches?: readonly [row: number] | readonly [row: number, slice: number];
  /** Levels of a mip-mapped image (`cl_khr_mipmap_image`). Default: 0 */
  readonly numMipLevels?: number;
  /** Samples of a pixel. Default: 0 */
  readonly numSamples?: number;
}

const { IMAGE1D, IMAGE1D_ARRAY, IMAGE1D_BUFFER, IMAGE2D, IMAGE2D_ARRAY, IMAGE3D } = MemObjectType;
const OPTIONS = ['shape', 'isArray', 'buffer', 'pitches', 'numMipLevels', 'numSamples'];
const TYPE_NAMES: Readonly<Record<number, string>> = {
  [IMAGE1D]: '1D image',
  [IMAGE1D_ARRAY]: '1D image array',
  [IMAGE1D_BUFFER]: '1D image over a buffer',
  [IMAGE2D]: '2D image',
  [IMAGE2D_ARRAY]: '2D image array',
  [IMAGE3D]: '3D image',
};

/** The name of a type of image in errors. */
export function imageTypeName(type: number): string {
  return TYPE_NAMES[type] ?? 'image';
}

/** A checked descriptor. */
export interface CheckedImage {
  /** Of {@link MemObjectType}. */
  readonly type: number;
  readonly shape: readonly number[];
  /** The limit of each of the three numbers of an origin. */
  readonly extent: readonly [x: number, y: number, z: number];
  readonly rowPitch: number;
  readonly slicePitch: number;
  readonly numMipLevels: number;
  readonly numSamples: number;
  /** Bytes that a host array needs. */
  readonly hostBytes: number;
}

/** Read a shape or a descriptor; refuse an image that no device of the context can make. */
export function checkDescriptor(
  given: ImageSize | ShapeOptions | undefined,
  format: ImageFormat,
  context: Context,
): CheckedImage {
  const plain = typeof given === 'number' || given === undefined || Array.isArray(given);
  if (!plain) checkOptions(given, OPTIONS, 'Image: the descriptor');
  const descriptor = plain ? { shape: given as ImageSize } : (given as ShapeOptions);
  const shape = readSize(descriptor.shape);
  const type = typeOf(descriptor, shape.length);
  checkSizes(type, shape, context);
  const [x, y = 1, z = 1] = shape as [number, number?, number?];
  const flat = type === IMAGE1D_ARRAY;
  const packed = x * format.elementBytes;
  const [row, slice] = readPitches(descriptor.pitches, type, packed, flat ? 1 : y);
  const stride = slice || (row || packed) * (flat ? 1 : y);
  return {
    type,
    shape,
    extent: [x, y, z],
    rowPitch: row,
    slicePitch: slice,
    numMipLevels: checkInteger(descriptor.numMipLevels ?? 0, 'Image: numMipLevels', 0, 64),
    numSamples: checkInteger(descriptor.numSamples ?? 0, 'Image: numSamples', 0, 64),
    hostBytes: stride * (flat ? y : z),
  };
}

/** A `cl_image_desc`. */
export function describe(image: CheckedImage, under: bigint): DataView<ArrayBuffer> {
  const { size, fields } = structs.cl_image_desc;
  const view = new DataView(new ArrayBuffer(size));
  const put = (at: number, value: number): void => view.setBigUint64(at, BigInt(value), true);
  const { type, extent } = image;
  view.setUint32(fields.image_type, type, true);
  put(fields.image_width, extent[0]);
  put(fields.image_height, type === IMAGE2D || type === IMAGE2D_ARRAY || type === IMAGE3D ? extent[1] : 0);
  put(fields.image_depth, type === IMAGE3D ? extent[2] : 0);
  put(fields.image_array_size, type === IMAGE1D_ARRAY ? extent[1] : type === IMAGE2D_ARRAY ? extent[2] : 0);
  put(fields.image_row_pitch, image.rowPitch);
  put(fields.image_slice_pitch, image.slicePitch);
  view.setUint32(fields.num_mip_levels, image.numMipLevels, true);
  view.setUint32(fields.num_samples, image.numSamples, true);
  view.setBigUint64(fields.mem_object, under, true);
  return view;
}

function readSize(shape: unknown): number[] {
  const list: readonly unknown[] = Array.isArray(shape) ? shape : [shape];
  if (list.length < 1 || list.length > 3 || (typeof shape !== 'number' && !Array.isArray(shape))) {
    throw new TypeError(`Image: the shape must be a number or an array of 1 to 3 numbers, got ${nameOf(shape)}`);
  }
  return Array.from(list, (size, i) => checkInteger(size, `Image: size ${i} of the shape`, 1));
}

function typeOf({ isArray = false, buffer }: ShapeOptions, dimensions: number): number {
  if (isArray && buffer) throw new TypeError('Image: an array of images cannot lie over a buffer');
  if (buffer && dimensions === 3)
    throw new TypeError('Image: an image over a buffer must have 1 or 2 dimensions, got 3');
  if (isArray && dimensions === 1) {
    throw new TypeError('Image: the shape of an array of images must end with the number of its layers, got 1 number');
  }
  if (isArray) return dimensions === 2 ? IMAGE1D_ARRAY : IMAGE2D_ARRAY;
  if (dimensions === 1) return buffer ? IMAGE1D_BUFFER : IMAGE1D;
  return dimensions === 2 ? IMAGE2D : IMAGE3D;
}

/** The most that any of the devices allows. */
function checkSizes(type: number, shape: readonly number[], context: Context): void {
  const devices = context.devices.filter((device) => device.imageSupport);
  if (devices.length === 0) throw new Error(`Image: ${context.devices[0]?.name ?? 'the device'} has no images`);
  const limits = limitsOf(type);
  shape.forEach((size, i) => {
    const most = Math.max(...devices.map((device) => limits[i]?.(device) ?? 1));
    if (size > most) {
      throw new RangeError(
        `Image: size ${i} of the ${imageTypeName(type)} [${shape.join(', ')}] is ${size}; the device allows ${most}`,
      );
    }
  });
}

type Limit = (device: Device) => number;

function limitsOf(type: number): readonly Limit[] {
  const width: Limit = (device) => device.image2dMaxWidth;
  const height: Limit = (device) => device.image2dMaxHeight;
  const layers: Limit = (device) => device.imageMaxArraySize;
  switch (type) {
    case IMAGE1D_BUFFER:
      return [(device) => device.imageMaxBufferSize];
    case IMAGE1D_ARRAY:
      return [width, layers];
    case IMAGE2D_ARRAY:
      return [width, height, layers];
    case IMAGE3D:
      return [
        (device) => device.image3dMaxWidth,
        (device) => device.image3dMaxHeight,
        (device) => device.image3dMaxDepth,
      ];
    default:
      return [width, height];
  }
}

/** 0 stands for no gaps. */
function readPitches(
  pitches: unknown,
  type: number,
  packed: number,
  rows: number,
): readonly [row: number, slice: number] {
  if (pitches === undefined) return [0, 0];
  if (!Array.isArray(pitches) || pitches.length < 1 || pitches.length > 2) {
    throw new TypeError(`Image: pitches must be [row] or [row, slice], in bytes, got ${nameOf(pitches)}`);
  }
  const [rawRow, rawSlice] = pitches as unknown[];
  const row = checkInteger(rawRow, 'Image: the row pitch in bytes', packed);
  if (type === IMAGE1D_ARRAY) return [row, rawSlice === undefined ? row : checkSlice(rawSlice, row, 1)];
  if (type !== IMAGE2D_ARRAY && type !== IMAGE3D) {
    if (rawSlice !== undefined) throw new TypeError(`Image: a ${imageTypeName(type)} has no slices, got a slice pitch`);
    return [row, 0];
  }
  return [row, rawSlice === undefined ? row * rows : checkSlice(rawSlice, row, rows)];
}

function checkSlice(value: unknown, row: number, rows: number): number {
  const slice = checkInteger(value, 'Image: the slice pitch in bytes', row * rows);
  if (slice % row !== 0) throw new RangeError(`Image: the row pitch ${row} must divide the slice pitch, got ${slice}`);
  return slice;
}
