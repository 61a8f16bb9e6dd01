import { MAKER } from '../core/maker.ts';
import type { HostMemory } from '../core/host-memory.ts';
import { ImageInfo, MemObjectType } from '../opencl/sys/enums.ts';
import { structs } from '../opencl/sys/structs.ts';
import { context, mem, size, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { pixelBytes } from './image-size.ts';
import { asking, wrapped, readers, type GetInfo, type Readers } from './info.ts';
import { hostFor, ownershipOver } from './memory.ts';
import { CLMem, retained, type CLContext } from './objects.ts';

/** How a pixel is stored. */
export interface ImageFormat {
  readonly channel_order: number;
  readonly channel_data_type: number;
}

/** The description of an image: sizes in pixels, pitches in bytes. */
export interface ImageDescription {
  readonly type: number;
  readonly width: number;
  readonly height?: number;
  readonly depth?: number;
  readonly array_size?: number;
  readonly row_pitch?: number;
  readonly slice_pitch?: number;
  /** The memory of an image over a buffer or another image. */
  readonly buffer?: CLMem | null;
}

const { cl_image_desc: desc, cl_image_format: pixel } = structs;

const READERS: Readers = readers(
  [
    ImageInfo.FORMAT[0],
    // An array with two named properties, as in node-opencl.
    (_, view) =>
      Object.assign([], {
        channel_order: view.getUint32(pixel.fields.image_channel_order, true),
        channel_data_type: view.getUint32(pixel.fields.image_channel_data_type, true),
      }),
  ],
  [ImageInfo.BUFFER[0], wrapped(retained.mem)],
);

/** An image. With `MEM_USE_HOST_PTR` the array is its memory, and stays referenced as long as the image. */
export function createImage(
  ...args: [
    context: CLContext,
    flags: number,
    format: ImageFormat,
    description: ImageDescription,
    array: HostMemory | null | undefined,
  ]
): CLMem {
  expectArguments(args, 5);
  const [owner, flags, format] = [context(args[0], 0), uint(args[1], 1), formatOf(args[2])];
  const description = args[3] as Partial<ImageDescription> | null;
  if (typeof description !== 'object' || description === null) throw failure('CL_INVALID_IMAGE_DESCRIPTOR');
  const bytes = descriptionOf(description);
  const memory = hostFor(args[4], 4, flags, imageBytes(format, description), 'createImage');
  const raw = cl.clCreateImage(owner, flags, format, bytes, memory ?? 0n);
  return new CLMem(MAKER, raw, ownershipOver(memory, flags));
}

/** A two-dimensional image, by OpenCL 1.1's function. */
export function createImage2D(
  ...args: [
    context: CLContext,
    flags: number,
    format: ImageFormat,
    width: number,
    height: number,
    rowPitch: number,
    array: HostMemory | null | undefined,
  ]
): CLMem {
  expectArguments(args, 7);
  const [owner, flags, format] = [context(args[0], 0), uint(args[1], 1), formatOf(args[2])];
  const [width, height, rowPitch] = [size(args[3], 3), size(args[4], 4), size(args[5], 5)];
  const memory = hostFor(
    args[6],
    6,
    flags,
    imageBytes(format, { width, height, row_pitch: rowPitch }),
    'createImage2D',
  );
  const raw = cl.clCreateImage2D(owner, flags, format, width, height, rowPitch, memory ?? 0n);
  return new CLMem(MAKER, raw, ownershipOver(memory, flags));
}

/** The formats that images of a type can have. */
export function getSupportedImageFormats(...args: [context: CLContext, flags: number, type: number]): ImageFormat[] {
  expectArguments(args, 3);
  const [owner, flags, type] = [context(args[0], 0), uint(args[1], 1), uint(args[2], 2)];
  const count = new Uint32Array(1);
  cl.clGetSupportedImageFormats(owner, flags, type, 0, 0n, count);
  const formats = new Uint32Array(2 * (count[0] ?? 0));
  if (formats.length > 0) cl.clGetSupportedImageFormats(owner, flags, type, formats.length / 2, formats, 0n);
  return Array.from({ length: formats.length / 2 }, (_, i) => ({
    channel_order: formats[2 * i] ?? 0,
    channel_data_type: formats[2 * i + 1] ?? 0,
  }));
}

/** A property of an image: `cl.IMAGE_WIDTH`. */
export const getImageInfo: GetInfo<CLMem> = asking('CLMem', 'clGetImageInfo', [ImageInfo], READERS);

function formatOf(value: unknown): Uint32Array<ArrayBuffer> {
  if (typeof value !== 'object' || value === null) throw failure('CL_INVALID_IMAGE_FORMAT_DESCRIPTOR');
  const { channel_order: order, channel_data_type: type } = value as Partial<ImageFormat>;
  return Uint32Array.of(uint(order ?? 0, 2), uint(type ?? 0, 2));
}

function descriptionOf(description: Partial<ImageDescription>): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(desc.size));
  const put = (field: keyof typeof desc.fields, value: unknown): void => {
    view.setBigUint64(desc.fields[field], BigInt(size(value, 3)), true);
  };
  view.setUint32(desc.fields.image_type, uint(description.type ?? 0, 3), true);
  put('image_width', description.width);
  put('image_height', description.height);
  put('image_depth', description.depth);
  put('image_array_size', description.array_size);
  put('image_row_pitch', description.row_pitch);
  put('image_slice_pitch', description.slice_pitch);
  const buffer = memoryOf(description);
  if (buffer !== undefined && buffer !== null) view.setBigUint64(desc.fields.mem_object, mem(buffer, 3), true);
  return view;
}

/** The memory of an image over another object. A proxy of an array, and an object that inherits from one, throw here. */
function memoryOf(description: Partial<ImageDescription>): CLMem | null | undefined {
  try {
    return description.buffer;
  } catch (cause) {
    throw failure('CL_INVALID_IMAGE_DESCRIPTOR', cause);
  }
}

/** How many bytes an image reads from its array. */
function imageBytes(format: Uint32Array, description: Partial<ImageDescription>): number {
  const { type = MemObjectType.IMAGE2D } = description;
  const width = size(description.width, 3);
  const lines = type === MemObjectType.IMAGE1D || type === MemObjectType.IMAGE1D_BUFFER ? 1 : 0;
  const layers = Math.max(1, size(description.array_size, 3));
  const height = lines || (type === MemObjectType.IMAGE1D_ARRAY ? 1 : size(description.height, 3));
  const row = size(description.row_pitch, 3) || width * pixelBytes(format[0] ?? 0, format[1] ?? 0);
  const slice = size(description.slice_pitch, 3) || row * height;
  switch (type) {
    case MemObjectType.IMAGE3D:
      return slice * size(description.depth, 3);
    case MemObjectType.IMAGE1D_ARRAY:
    case MemObjectType.IMAGE2D_ARRAY:
      return slice * layers;
    default:
      return row * height;
  }
}
