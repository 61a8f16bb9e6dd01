import { nameOf } from '../../core/check.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import { checkFixed } from '../../core/pin.ts';
import { Handle } from '../../core/handle.ts';
import { handleOf } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, withReclaim } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { openclError, OpenCLError } from '../errors.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import { foreignHandle, type ForeignOptions } from '../foreign.ts';
import { Buffer } from './buffer.ts';
import { imageFacts, type ImageFacts } from './foreign-image.ts';
import { ImageFormat } from './image-format.ts';
import {
  checkDescriptor,
  describe,
  imageTypeName,
  type CheckedImage,
  type ImageSize,
  type ShapeOptions,
} from './image-shape.ts';
import { checkHostFlag, checkMemFlags } from './mem-flags.ts';
import { MemoryObject, releaser, type RawMemory } from './memory-object.ts';
import { ImageInfo, MemFlags, MemObjectType, status as statuses } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

const FORMAT_NOT_SUPPORTED = statuses.CL_IMAGE_FORMAT_NOT_SUPPORTED[0];

/** An image as it is to be made. */
export interface ImageDescriptor extends ShapeOptions {
  /** What the image is a view of: a buffer, for one or two dimensions; an image, to see it in another format. */
  readonly buffer?: Buffer | Image;
}

/**
 * Memory of pixels, which kernels read through a {@link Sampler} and write by coordinates: of one to three dimensions,
 * an array of images, or a view of a buffer.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * const mf = cl.MemFlags;
 * using ctx = cl.createSomeContext();
 * const format = new cl.ImageFormat(cl.ChannelOrder.R, cl.ChannelType.FLOAT);
 * using image = new cl.Image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, format, [4, 2], new Float32Array(8));
 * using layers = new cl.Image(ctx, mf.READ_WRITE, format, { shape: [4, 2, 5], isArray: true });
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateImage.html | clCreateImage}
 */
export class Image extends MemoryObject {
  /** One of {@link MemObjectType}. */
  readonly type: number;
  readonly format: ImageFormat;
  /** Pixels in each direction, x first; the last number of an array counts its layers. */
  readonly shape: readonly number[];
  /** What the image is a view of. */
  readonly buffer: Buffer | Image | undefined;
  /** @internal */
  readonly extent: readonly [x: number, y: number, z: number];

  /**
   * Allocate an image, or an image with a host array's content.
   *
   * Host: copies with `COPY_HOST_PTR`, else may return before any memory is there.
   *
   * @param context - whose devices can use it
   * @param flags - bits of {@link MemFlags}; `COPY_HOST_PTR` or `USE_HOST_PTR` for a host array
   * @param format - see {@link getSupportedImageFormats}
   * @param shape - pixels, `[width, height, depth]` or fewer, or an {@link ImageDescriptor}
   * @param host - the content, row by row. With `USE_HOST_PTR` it is the memory itself: it stays referenced, and must
   * not be detached, until the image and its commands have ended
   * @throws TypeError a host array without its flag, or the flag without a host array
   * @throws RangeError a size above the devices' limits, or a host array or a buffer that is too short
   * @throws {@link OpenCLLogicError} CL_IMAGE_FORMAT_NOT_SUPPORTED
   * @throws {@link OpenCLMemoryError} CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  constructor(
    context: Context,
    flags: number,
    format: ImageFormat,
    shape: ImageSize | ImageDescriptor,
    host?: HostMemory,
  );
  /** @internal */
  constructor(context: Context, existing: ExistingImage);
  constructor(
    context: Context,
    flags: number | ExistingImage,
    format?: ImageFormat,
    shape?: ImageSize | ImageDescriptor,
    host?: HostMemory,
  ) {
    if (isExisting(flags)) {
      super(flags.handle, context, flags.flags);
      this.type = flags.type;
      this.format = flags.format;
      this.shape = flags.shape;
      this.extent = extentOf(flags.shape);
      this.buffer = undefined;
      return;
    }
    checkContext(context, 'Image');
    const owner = handleOf(context, 'Image');
    checkMemFlags(flags, 'Image');
    if (!(format instanceof ImageFormat)) throw new TypeError(`Image takes an ImageFormat, got ${nameOf(format)}`);
    const checked = checkDescriptor(shape, format, context);
    const size = shape as ImageSize | ImageDescriptor;
    const under = isDescriptor(size) ? size.buffer : undefined;
    checkHost(flags, host, checked.hostBytes, under, (shape as ImageDescriptor).pitches);
    if (under !== undefined) checkUnder(under, checked, format, context);
    const parent = under && handleOf(under, 'Image');
    const desc = describe(checked, parent?.value ?? 0n);
    const raw = create(owner.value, flags, format, desc, host, checked.type);
    const parents = parent ? [owner, parent] : [owner];
    super(new Handle('Image', raw, releaser('Image', flags, host), parents), context, flags, under?.uses, host);
    this.type = checked.type;
    this.format = format;
    this.shape = checked.shape;
    this.extent = checked.extent;
    this.buffer = under;
  }

  /**
   * Use an image that another library has made, by its `cl_mem`. The memory that the image may be a view of is not known here.
   *
   * @param context - the image's
   * @param handle - used as it is: a wrong handle ends the process
   * @param options - whether the new object takes a reference of its own
   * @throws TypeError it is not an image, or one of another context, or of a format that only its vendor knows
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clRetainMemObject.html | clRetainMemObject}
   */
  static fromHandle(context: Context, handle: Opaque<'cl_mem'>, options: ForeignOptions = {}): Image {
    const what = 'Image.fromHandle';
    checkContext(context, what);
    const raw = foreignHandle(handle, options, what);
    const owner = handleOf(context, 'fromHandle');
    const facts = imageFacts(raw, context, what);
    if (options.retain !== false) cl.clRetainMemObject(raw);
    return new Image(context, { ...facts, handle: new Handle('Image', raw, releaser('Image', 0, undefined), [owner]) });
  }

  /** Pixels of a row. */
  get width(): number {
    return this.extent[0];
  }

  /** Rows; 0 where the image has one dimension. */
  get height(): number {
    return this.getImageInfo('HEIGHT');
  }

  /** Slices of a 3-dimensional image; 0 of others. */
  get depth(): number {
    return this.getImageInfo('DEPTH');
  }

  /** Layers of an array of images; 0 of others. */
  get arraySize(): number {
    return this.getImageInfo('ARRAY_SIZE');
  }

  /** Bytes of the memory, as the driver counts them. */
  get byteLength(): number {
    return this.getInfo('SIZE');
  }

  /** Ask the driver for a property of images, by its name or by any number with the kind of the answer. */
  getImageInfo<Name extends ImageInfo>(name: Name): InfoOf<typeof ImageInfo, Name>;
  getImageInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getImageInfo(name: ImageInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(
      ImageInfo,
      cl.clGetImageInfo.bind(undefined, handleOf(this, 'getImageInfo').value),
      name,
      kind,
      'Image',
    );
  }
}

/** An existing image. */
interface ExistingImage extends ImageFacts {
  readonly handle: Handle<RawMemory>;
}

function isExisting(given: number | ExistingImage): given is ExistingImage {
  return typeof given === 'object' && Handle.isOwnOf(given);
}

function extentOf([x = 1, y = 1, z = 1]: readonly number[]): readonly [x: number, y: number, z: number] {
  return [x, y, z];
}

function isDescriptor(shape: ImageSize | ImageDescriptor): shape is ImageDescriptor {
  return typeof shape !== 'number' && !Array.isArray(shape);
}

function checkHost(flags: number, host: unknown, needed: number, under: unknown, pitches: unknown): void {
  if (under !== undefined && host !== undefined)
    throw new TypeError('Image: a buffer and a host array exclude each other');
  checkHostFlag(flags, host, 'Image');
  if (pitches !== undefined && host === undefined && under === undefined) {
    throw new TypeError('Image: pitches need a host array or a buffer, got neither');
  }
  if (host === undefined) return;
  if ((flags & MemFlags.USE_HOST_PTR) !== 0) checkFixed(host as HostMemory, 'Image: the host array of USE_HOST_PTR');
  const byteLength = hostByteLength(host, 'Image: the host array');
  if (byteLength < needed) {
    throw new RangeError(`Image: the pixels have ${needed} bytes; the host array has ${byteLength}`);
  }
}

function checkUnder(
  under: unknown,
  { type, hostBytes: needed, rowPitch, extent: [width] }: CheckedImage,
  format: ImageFormat,
  context: Context,
): void {
  if (!(under instanceof Buffer) && !(under instanceof Image)) {
    throw new TypeError(`Image: buffer must be a Buffer or an Image, got ${nameOf(under)}`);
  }
  if (under.context.identity !== context.identity) throw new TypeError('Image: the buffer belongs to another context');
  if (under instanceof Image && type !== MemObjectType.IMAGE2D) {
    throw new TypeError(`Image: only a 2D image can be a view of an image, got a ${imageTypeName(type)}`);
  }
  if (under instanceof Image) return;
  if (under.byteLength < needed) {
    throw new RangeError(`Image: the pixels have ${needed} bytes; the buffer has ${under.byteLength}`);
  }
  if (type !== MemObjectType.IMAGE2D) return;
  const alignments = context.devices.map((device) => pitchAlignment(() => device.imagePitchAlignment));
  const alignment = Math.max(...alignments) * format.elementBytes;
  if (alignment === 0) {
    throw new Error(
      `Image: ${context.devices[0]?.name ?? 'the device'} cannot make 2D images over buffers; that needs OpenCL 2.0 or cl_khr_image2d_from_buffer`,
    );
  }
  const pitch = rowPitch === 0 ? width * format.elementBytes : rowPitch;
  if (pitch % alignment !== 0) {
    throw new RangeError(`Image: the row pitch must be a multiple of ${alignment} bytes on this device, got ${pitch}`);
  }
}

/** 0 where the driver does not know the query. */
function pitchAlignment(ask: () => number): number {
  try {
    return ask();
  } catch (error) {
    if (error instanceof OpenCLError) return 0;
    throw error;
  }
}

function create(
  context: Parameters<typeof cl.clCreateImage>[0],
  flags: number,
  format: ImageFormat,
  desc: DataView,
  host: HostMemory | undefined,
  type: number,
): ReturnType<typeof cl.clCreateImage> {
  const words = new Uint32Array(structs.cl_image_format.size / 4);
  words[0] = format.channelOrder;
  words[1] = format.channelType;
  try {
    return withReclaim(() => cl.clCreateImage(context, flags, words, desc, host ?? 0n));
  } catch (error) {
    if (!(error instanceof OpenCLError) || error.status !== FORMAT_NOT_SUPPORTED) throw error;
    const access = (flags & MemFlags.READ_ONLY) !== 0 ? 'that kernels read' : 'that kernels write';
    throw openclError('clCreateImage', FORMAT_NOT_SUPPORTED, {
      reason: `The device has no ${imageTypeName(type)} of ${String(format)} ${access}; getSupportedImageFormats lists the supported formats`,
    });
  }
}
