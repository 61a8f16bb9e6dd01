import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { ImageInfo, MemFlags, MemObjectType } from '../../opencl/sys/enums.ts';
import { structs } from '../../opencl/sys/structs.ts';
import { bytesAt, putInt, type Out } from '../abi/out.ts';
import { ImageRecord } from '../abi/opencl-image.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import type { ClContext } from './context.ts';
import { largestBuffer } from './device-info.ts';
import { isChannel, supportedFormats } from './image-format.ts';
import { formatOf, type ImageFormat } from '../../opencl/sys/pixel.ts';
import { extentOf, hostPitches, inBytes, isImageType, layoutOf, type ImageShape } from './image-shape.ts';
import { imageRecord } from './image-record.ts';
import { Limits } from './limits.ts';
import { flagsAgree, flagsOfPart, withAccess, type ClMemory } from './memory.ts';
import { addressAt, hostBytes, propertiesAt } from './pointer.ts';
import { copyRect, endOf } from './rect.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clCreateImage'
  | 'clCreateImageWithProperties'
  | 'clCreateImage2D'
  | 'clCreateImage3D'
  | 'clGetSupportedImageFormats'
  | 'clGetImageInfo';

/** A cl_image_desc. */
interface Description {
  readonly type: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly layers: number;
  readonly rowPitch: number;
  readonly slicePitch: number;
  readonly levels: number;
  readonly samples: number;
  readonly buffer: bigint;
}

/** The owner of a new image, and the memory that the image shares. */
interface Origin {
  readonly context: ClContext;
  /** `MemFlags` */
  readonly flags: number;
  readonly buffer: ClMemory | undefined;
  readonly properties: readonly bigint[];
}

const { IMAGE1D, IMAGE1D_ARRAY, IMAGE1D_BUFFER, IMAGE2D, IMAGE2D_ARRAY, IMAGE3D } = MemObjectType;
const { USE_HOST_PTR, COPY_HOST_PTR, WRITE_ONLY, READ_ONLY, KERNEL_READ_AND_WRITE } = MemFlags;

/** The subject of a query. */
interface ImageSubject {
  readonly shape: ImageShape;
  /** The buffer that the image shares its bytes with. */
  readonly buffer: ClMemory | undefined;
}

const ask = infoQuery<typeof ImageInfo, ImageSubject>(ImageInfo, {
  FORMAT: ({ shape: { format } }) => new Uint8Array(Uint32Array.of(format.order, format.type).buffer),
  ELEMENT_SIZE: ({ shape }) => shape.format.elementBytes,
  ROW_PITCH: ({ shape }) => shape.rowPitch,
  SLICE_PITCH: ({ shape: { type, slicePitch } }) =>
    type === IMAGE3D || type === IMAGE2D_ARRAY || type === IMAGE1D_ARRAY ? slicePitch : 0,
  WIDTH: ({ shape }) => shape.width,
  HEIGHT: ({ shape }) => shape.height,
  DEPTH: ({ shape }) => shape.depth,
  ARRAY_SIZE: ({ shape }) => shape.layers,
  BUFFER: ({ buffer }) => buffer?.handle ?? 0n,
  NUM_MIP_LEVELS: () => 0,
  NUM_SAMPLES: () => 0,
});

/** Images. */
export const imageFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clCreateImage: (state, context, flags, format, desc, pointer, errcode) =>
    created(create(state, context, flags, formatAt(format), descriptionAt(desc), pointer), errcode),
  clCreateImageWithProperties: (state, context, properties, flags, format, desc, pointer, errcode) =>
    created(
      create(state, context, flags, formatAt(format), descriptionAt(desc), pointer, propertiesAt(properties) ?? []),
      errcode,
    ),
  clCreateImage2D: (state, context, flags, format, width, height, pitch, pointer, errcode) => {
    const desc = plain(IMAGE2D, [Number(width), Number(height), 0], [Number(pitch), 0]);
    return created(create(state, context, flags, formatAt(format), desc, pointer), errcode);
  },
  clCreateImage3D: (state, context, flags, format, width, height, depth, row, slice, pointer, errcode) => {
    const sizes = [Number(width), Number(height), Number(depth)] as const;
    const desc = plain(IMAGE3D, sizes, [Number(row), Number(slice)]);
    return created(create(state, context, flags, formatAt(format), desc, pointer), errcode);
  },
  clGetSupportedImageFormats: formats,
  clGetImageInfo: (state, handle, param, size, value, sizeOut) => {
    const memory = state.memories.find(handle);
    if (!memory?.image) return Code.INVALID_MEM_OBJECT;
    return ask({ shape: memory.image, buffer: memory.parent }, param, size, value, sizeOut);
  },
};

function create(
  state: OpenCLState,
  contextHandle: bigint,
  rawFlags: number | bigint,
  format: ImageFormat | number,
  raw: Description | undefined,
  pointer: Out,
  properties: readonly bigint[] = [],
): bigint | number {
  const context = state.contexts.find(contextHandle);
  if (!context) return Code.INVALID_CONTEXT;
  if (properties.length > 1) return Code.INVALID_PROPERTY;
  if (!flagsAgree(Number(rawFlags))) return Code.INVALID_VALUE;
  if (typeof format === 'number') return format;
  if (!raw) return Code.INVALID_IMAGE_DESCRIPTOR;
  const under = raw.buffer === 0n ? undefined : state.memories.find(raw.buffer);
  if (raw.buffer !== 0n && under?.context !== context) return Code.INVALID_IMAGE_DESCRIPTOR;
  const flags = under ? flagsOfPart(Number(rawFlags), under.flags) : withAccess(Number(rawFlags));
  if (flags === undefined) return Code.INVALID_VALUE;
  const readOnly = (flags & READ_ONLY) !== 0;
  const supported = supportedFormats(!readOnly);
  if (!supported.some(({ order, type }) => order === format.order && type === format.type)) {
    return Code.IMAGE_FORMAT_NOT_SUPPORTED;
  }
  const shape = shapeOf(raw, format, under);
  if (typeof shape === 'number') return shape;
  const wantsHost = !under && (flags & (USE_HOST_PTR | COPY_HOST_PTR)) !== 0;
  if ((pointer !== 0n) !== wantsHost) return Code.INVALID_HOST_PTR;
  return place(state, { context, flags, buffer: under, properties }, shape, raw, pointer);
}

/** Take memory for an image, or answer with a status. */
function place(
  state: OpenCLState,
  { context, flags, buffer, properties }: Origin,
  shape: ImageShape,
  raw: Description,
  pointer: Out,
): bigint | number {
  const region = inBytes(shape, extentOf(shape));
  const byteLength = endOf(layoutOf(shape, 0), [0, 0, 0], region);
  if (byteLength > largestBuffer(state)) return Code.INVALID_IMAGE_SIZE;
  const pitches = pointer === 0n ? undefined : hostPitches(shape, raw.rowPitch, raw.slicePitch, region);
  if (pointer !== 0n && !pitches) return Code.INVALID_IMAGE_DESCRIPTOR;
  const hostShape = { ...shape, rowPitch: pitches?.[0] ?? 0, slicePitch: pitches?.[1] ?? 0 };
  const hostLayout = layoutOf(hostShape, 0);
  const bytes = pitches && hostBytes(pointer, endOf(hostLayout, [0, 0, 0], region));
  if (pitches && !bytes) return Code.INVALID_HOST_PTR;
  const record = state.allocate(context, ImageRecord.BYTES);
  const own = buffer || record === undefined ? undefined : state.allocate(context, byteLength);
  const address = buffer ? buffer.address : own;
  if (record === undefined || address === undefined) {
    if (record !== undefined) state.memory.release(record);
    return Code.MEM_OBJECT_ALLOCATION_FAILURE;
  }
  state.put(record, imageRecord(shape, address));
  if (bytes) {
    const target = { ...layoutOf(shape, address), ...state.bytes };
    copyRect(target, [0, 0, 0], { ...hostLayout, bytes }, [0, 0, 0], region);
  }
  const isHost = bytes && (flags & USE_HOST_PTR) !== 0;
  const hostPointer = isHost ? addressAt(pointer) : 0n;
  return state.addMemory({
    context,
    type: shape.type,
    flags,
    byteLength,
    address,
    parent: buffer,
    owned: own === undefined ? [record] : [record, own],
    host: isHost ? { bytes, address: hostPointer, ...hostLayout } : undefined,
    hostPointer,
    image: shape,
    record,
    properties,
  });
}

function formats(
  state: OpenCLState,
  handle: bigint,
  rawFlags: number | bigint,
  type: number,
  count: number,
  list: Out,
  out: Out,
): number {
  if (!state.contexts.find(handle)) return Code.INVALID_CONTEXT;
  const flags = Number(rawFlags);
  if (!flagsAgree(flags) || !isImageType(type) || (list !== 0n && count === 0)) return Code.INVALID_VALUE;
  const found = supportedFormats((flags & READ_ONLY) === 0 || (flags & (WRITE_ONLY | KERNEL_READ_AND_WRITE)) !== 0);
  if (list !== 0n) {
    const words = Uint32Array.from(found.slice(0, count).flatMap(({ order, type: channel }) => [order, channel]));
    bytesAt(list, words.byteLength).set(new Uint8Array(words.buffer));
  }
  return putInt(out, found.length);
}

function plain(
  type: number,
  sizes: readonly [number, number, number],
  pitches: readonly [number, number],
): Description {
  return {
    type,
    width: sizes[0],
    height: sizes[1],
    depth: sizes[2],
    layers: 0,
    rowPitch: pitches[0],
    slicePitch: pitches[1],
    levels: 0,
    samples: 0,
    buffer: 0n,
  };
}

function formatAt(pointer: Out): ImageFormat | number {
  const bytes = pointer === 0n ? undefined : hostBytes(pointer, structs.cl_image_format.size);
  if (!bytes) return Code.INVALID_IMAGE_FORMAT_DESCRIPTOR;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [order, type] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (!isChannel(order, type)) return Code.INVALID_IMAGE_FORMAT_DESCRIPTOR;
  return formatOf(order, type) ?? Code.IMAGE_FORMAT_NOT_SUPPORTED;
}

function descriptionAt(pointer: Out): Description | undefined {
  const { size, fields } = structs.cl_image_desc;
  const bytes = pointer === 0n ? undefined : hostBytes(pointer, size);
  if (!bytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const wide = (at: number): number => Number(view.getBigUint64(at, true));
  return {
    type: view.getUint32(fields.image_type, true),
    width: wide(fields.image_width),
    height: wide(fields.image_height),
    depth: wide(fields.image_depth),
    layers: wide(fields.image_array_size),
    rowPitch: wide(fields.image_row_pitch),
    slicePitch: wide(fields.image_slice_pitch),
    levels: view.getUint32(fields.num_mip_levels, true),
    samples: view.getUint32(fields.num_samples, true),
    buffer: view.getBigUint64(fields.mem_object, true),
  };
}

/** The shape of the described image, or the status of a wrong description. */
function shapeOf(raw: Description, format: ImageFormat, under: ClMemory | undefined): ImageShape | number {
  const { type, width } = raw;
  if (!isImageType(type) || raw.levels !== 0 || raw.samples !== 0) return Code.INVALID_IMAGE_DESCRIPTOR;
  // Only a row or a plane of pixels can be a view of a buffer.
  if ((type === IMAGE1D_BUFFER) !== (under !== undefined) && !(type === IMAGE2D && under)) {
    return Code.INVALID_IMAGE_DESCRIPTOR;
  }
  if (under && under.type !== MemObjectType.BUFFER) return Code.INVALID_IMAGE_DESCRIPTOR;
  const flat = type === IMAGE1D || type === IMAGE1D_ARRAY || type === IMAGE1D_BUFFER;
  const height = flat ? 0 : raw.height;
  const depth = type === IMAGE3D ? raw.depth : 0;
  const layers = type === IMAGE1D_ARRAY || type === IMAGE2D_ARRAY ? raw.layers : 0;
  const wide = type === IMAGE1D_BUFFER ? Limits.IMAGE_BUFFER : type === IMAGE3D ? Limits.IMAGE_3D : Limits.IMAGE_2D;
  const wanted: readonly (readonly [size: number, most: number, has: boolean])[] = [
    [width, wide, true],
    [height, type === IMAGE3D ? Limits.IMAGE_3D : Limits.IMAGE_2D, !flat],
    [depth, Limits.IMAGE_3D, type === IMAGE3D],
    [layers, Limits.IMAGE_LAYERS, type === IMAGE1D_ARRAY || type === IMAGE2D_ARRAY],
  ];
  if (wanted.some(([size, most, has]) => has && (size < 1 || size > most))) return Code.INVALID_IMAGE_SIZE;
  const packed = width * format.elementBytes;
  const rowPitch = under && raw.rowPitch !== 0 ? raw.rowPitch : packed;
  if (rowPitch < packed || rowPitch % format.elementBytes !== 0) return Code.INVALID_IMAGE_DESCRIPTOR;
  const rows = Math.max(1, height);
  if (under && rowPitch * (rows - 1) + packed > under.byteLength) return Code.INVALID_IMAGE_SIZE;
  return { type, format, width, height, depth, layers, rowPitch, slicePitch: rowPitch * rows };
}
