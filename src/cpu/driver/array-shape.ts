import { Array3DFlags, ArrayFormat } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { ImageForm } from '../abi/image-record.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import { fitsLimits } from './texture-limits.ts';

/** The elements of an array. */
export interface ElementFormat {
  /** An `ArrayFormat`. */
  readonly format: number;
  readonly channels: number;
  readonly bytes: number;
}

/** What an array is, checked. */
export interface CpuArrayShape {
  readonly element: ElementFormat;
  /** As the descriptor has them: 0 for a missing dimension; layers and faces are the depth. */
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** `Array3DFlags` */
  readonly flags: number;
  /** `ImageForm` */
  readonly form: number;
  /** Rows of a slice, and slices. */
  readonly rows: number;
  readonly slices: number;
  readonly rowPitch: number;
  readonly slicePitch: number;
  readonly byteLength: number;
}

const FACES = 6;
const BYTES: ReadonlyMap<number, number> = new Map<number, number>([
  [ArrayFormat.UNSIGNED_INT8, 1],
  [ArrayFormat.SIGNED_INT8, 1],
  [ArrayFormat.UNSIGNED_INT16, 2],
  [ArrayFormat.SIGNED_INT16, 2],
  [ArrayFormat.HALF, 2],
  [ArrayFormat.UNSIGNED_INT32, 4],
  [ArrayFormat.SIGNED_INT32, 4],
  [ArrayFormat.FLOAT, 4],
]);
const KNOWN_FLAGS = Object.values(Array3DFlags).reduce<number>((all, flag) => all | flag, 0);
const { size, fields } = structs.CUDA_ARRAY3D_DESCRIPTOR;

/** Elements of this format; undefined for a format or a number of channels that no array has. */
export function elementFormat(format: number, channels: number): ElementFormat | undefined {
  const bytes = BYTES.get(format);
  return bytes === undefined || ![1, 2, 4].includes(channels)
    ? undefined
    : { format, channels, bytes: bytes * channels };
}

/** The shape that a CUDA_ARRAY3D_DESCRIPTOR describes, or a status: cuArray3DCreate in CUDA's driver API lists the forms. */
export function readArrayShape(description: Out): CpuArrayShape | number {
  const bytes = bytesAt(description, size);
  if (bytes.length < size) return Status.INVALID_VALUE;
  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  const wide = (at: number): number => Number(view.getBigUint64(at, true));
  const element = elementFormat(view.getUint32(fields.Format, true), view.getUint32(fields.NumChannels, true));
  const flags = view.getUint32(fields.Flags, true);
  const [width, height, depth] = [wide(fields.Width), wide(fields.Height), wide(fields.Depth)];
  if (!element) return Status.INVALID_VALUE;
  // Sparse arrays, depth textures and deferred mappings are for graphics, or for memory that is mapped later.
  if ((flags & ~KNOWN_FLAGS) !== 0) return Status.NOT_SUPPORTED;
  const form = formOf(width, height, depth, flags);
  if (form === undefined || !isWithinLimits(width, height, depth, flags, form)) return Status.INVALID_VALUE;
  return shapeOf(element, width, height, depth, flags, form);
}

function shapeOf(
  element: ElementFormat,
  width: number,
  height: number,
  depth: number,
  flags: number,
  form: number,
): CpuArrayShape {
  const rows = Math.max(1, height);
  const slices = Math.max(1, depth);
  const rowPitch = width * element.bytes;
  const pitches = { rowPitch, slicePitch: rowPitch * rows, byteLength: rowPitch * rows * slices };
  return { element, width, height, depth, flags, form, rows, slices, ...pitches };
}

/** The form of an array; undefined for sizes and flags that do not fit each other. */
function formOf(width: number, height: number, depth: number, flags: number): number | undefined {
  const layered = (flags & Array3DFlags.LAYERED) !== 0;
  const cube = (flags & Array3DFlags.CUBEMAP) !== 0;
  const gather = (flags & Array3DFlags.TEXTURE_GATHER) !== 0;
  if (width < 1 || (layered && depth < 1)) return undefined;
  if (cube) {
    if (gather || width !== height || depth < FACES || depth % FACES !== 0) return undefined;
    if (!layered && depth !== FACES) return undefined;
    return ImageForm.CUBE | (layered ? ImageForm.LAYERED : 0);
  }
  if (!layered && depth > 0 && height < 1) return undefined;
  const dimensions = !layered && depth > 0 ? 3 : height > 0 ? 2 : 1;
  if (gather && dimensions !== 2) return undefined;
  return dimensions | (layered ? ImageForm.LAYERED : 0);
}

function isWithinLimits(width: number, height: number, depth: number, flags: number, form: number): boolean {
  const layered = (form & ImageForm.LAYERED) !== 0;
  const name = form & ImageForm.CUBE ? 'CUBEMAP' : `${form & ImageForm.DIMENSIONS}D`;
  const kind = `${name}${layered ? '_LAYERED' : ''}`;
  const sizes = { WIDTH: width, HEIGHT: height, DEPTH: depth, LAYERS: depth };
  if (!fitsLimits(`TEXTURE${kind}`, sizes)) return false;
  if (flags & Array3DFlags.SURFACE_LDST && !fitsLimits(`SURFACE${kind}`, sizes)) return false;
  return !(flags & Array3DFlags.TEXTURE_GATHER) || fitsLimits('TEXTURE2D_GATHER', sizes);
}

/** The most levels of a mipmapped array. */
export function mostLevels({ width, height, depth, form }: CpuArrayShape): number {
  const isVolume = (form & ImageForm.DIMENSIONS) === 3;
  return 1 + Math.floor(Math.log2(Math.max(width, height, isVolume ? depth : 0)));
}

/** A level of a mipmapped array: half of the one before, and at least 1, in each direction. Layers and faces stay. */
export function levelOf({ element, width, height, depth, flags, form }: CpuArrayShape, level: number): CpuArrayShape {
  const half = (length: number): number => (length === 0 ? 0 : Math.max(1, Math.floor(length / 2 ** level)));
  const isVolume = (form & ImageForm.DIMENSIONS) === 3;
  return shapeOf(element, half(width), half(height), isVolume ? half(depth) : depth, flags, form);
}

/** Write the descriptor that describes a shape. */
export function putArrayShape(out: Out, { element, width, height, depth, flags }: CpuArrayShape): 0 {
  const bytes = bytesAt(out, size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  view.setBigUint64(fields.Width, BigInt(width), true);
  view.setBigUint64(fields.Height, BigInt(height), true);
  view.setBigUint64(fields.Depth, BigInt(depth), true);
  view.setUint32(fields.Format, element.format, true);
  view.setUint32(fields.NumChannels, element.channels, true);
  view.setUint32(fields.Flags, flags, true);
  return Status.SUCCESS;
}
