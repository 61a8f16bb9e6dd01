import { readFlag } from '../../core/choice.ts';
import { dtypes } from '../../core/dtype.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { attempt } from '../call.ts';
import { currentDevice } from '../device/context.ts';
import { Array3DFlags, ArrayFormat, DeviceAttribute } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

/** What an element of an array or a texture is made of. */
export type ArrayDType = 'u8' | 'u16' | 'u32' | 'i8' | 'i16' | 'i32' | 'f16' | 'f32';

/** The elements of an array or a texture. */
export interface ArrayElement {
  readonly dtype: ArrayDType;
  /** How many numbers an element has: 1 (the default), 2 or 4. */
  readonly channels?: 1 | 2 | 4;
}

/** What an array is to be. Sizes are in elements. */
export interface ArrayOptions extends ArrayElement {
  readonly width: number;
  /** None makes an array of one dimension; `width` for a cubemap. */
  readonly height?: number;
  /** Makes an array of three dimensions. */
  readonly depth?: number;
  /** Makes a stack of arrays of one or two dimensions, or of cubemaps, that a kernel picks one of by its index. */
  readonly layers?: number;
  /** Six square faces. */
  readonly cubemap?: boolean;
  /** Let kernels write to it, by a {@link Surface}. */
  readonly surface?: boolean;
  /** Let kernels read by `tex2Dgather`. */
  readonly gather?: boolean;
}

/** A checked shape; what an array does not have is 0. */
export interface ArrayShape extends Required<ArrayOptions> {
  /** Bytes of one element. */
  readonly elementBytes: number;
}

const FORMATS: Readonly<Record<ArrayDType, ArrayFormat>> = {
  u8: ArrayFormat.UNSIGNED_INT8,
  u16: ArrayFormat.UNSIGNED_INT16,
  u32: ArrayFormat.UNSIGNED_INT32,
  i8: ArrayFormat.SIGNED_INT8,
  i16: ArrayFormat.SIGNED_INT16,
  i32: ArrayFormat.SIGNED_INT32,
  f16: ArrayFormat.HALF,
  f32: ArrayFormat.FLOAT,
};
const FACES = 6;
const OPTIONS = ['dtype', 'channels', 'width', 'height', 'depth', 'layers', 'cubemap', 'surface', 'gather'];
const intSlot = slotOf('int');

/**
 * Check the elements of an array or a texture.
 *
 * @throws TypeError the hardware knows no such element
 */
export function readElement(
  element: ArrayElement,
  what: string,
): Required<ArrayElement> & { readonly format: ArrayFormat; readonly elementBytes: number } {
  const { dtype, channels = 1 } = element;
  if (typeof dtype !== 'string' || !Object.hasOwn(FORMATS, dtype)) {
    const names = Object.keys(FORMATS).join(', ');
    const wide = ['f64', 'i64', 'u64'].includes(dtype) ? "; wider ones are passed as 'u32' with 2 channels" : '';
    throw new TypeError(`${what}: dtype must be one of ${names}, got ${nameOf(dtype)}${wide}`);
  }
  if (![1, 2, 4].includes(channels)) {
    throw new RangeError(`${what}: channels must be 1, 2 or 4, got ${nameOf(channels)}`);
  }
  return { dtype, channels, format: FORMATS[dtype], elementBytes: dtypes[dtype].size * channels };
}

/**
 * Check what an array is to be, against the current device's limits too.
 *
 * @param more - the names of other options
 */
export function readShape(options: ArrayOptions | undefined, what: string, more: readonly string[] = []): ArrayShape {
  if (options === undefined) throw new TypeError(`${what} takes options: { width, dtype }`);
  checkOptions(options, [...OPTIONS, ...more], what);
  const { dtype, channels, elementBytes } = readElement(options, what);
  const size = (name: 'height' | 'depth' | 'layers'): number =>
    options[name] === undefined ? 0 : checkInteger(options[name], `${what}: ${name}`, 1);
  const cubemap = readFlag(options.cubemap, `${what}: cubemap`);
  const surface = readFlag(options.surface, `${what}: surface`);
  const gather = readFlag(options.gather, `${what}: gather`);
  const width = checkInteger(options.width, `${what}: width`, 1);
  const height = cubemap && options.height === undefined ? width : size('height');
  const shape = { dtype, channels, elementBytes, width, height, depth: size('depth'), layers: size('layers') };
  const checked: ArrayShape = { ...shape, cubemap, surface, gather };
  checkForm(checked, what);
  checkLimits(checked, what);
  return checked;
}

function checkForm({ width, height, depth, layers, cubemap, gather }: ArrayShape, what: string): void {
  if (depth > 0 && height === 0) throw new TypeError(`${what}: an array with a depth needs a height too`);
  if (depth > 0 && layers > 0) throw new TypeError(`${what}: an array has a depth or layers, not both`);
  if (cubemap && depth > 0) throw new TypeError(`${what}: a cubemap has no depth; several are layers`);
  if (cubemap && width !== height) {
    throw new RangeError(`${what}: the faces of a cubemap are square, got ${width} × ${height}`);
  }
  if (gather && (height === 0 || depth > 0 || cubemap)) {
    throw new TypeError(`${what}: gather is for arrays of two dimensions`);
  }
}

function checkLimits(shape: ArrayShape, what: string): void {
  const { width, height, depth, layers, cubemap, surface, gather } = shape;
  const kind = `${cubemap ? 'CUBEMAP' : `${depth > 0 ? 3 : height > 0 ? 2 : 1}D`}${layers > 0 ? '_LAYERED' : ''}`;
  const families = [`MAXIMUM_TEXTURE${kind}`];
  if (surface) families.push(`MAXIMUM_SURFACE${kind}`);
  if (gather) families.push('MAXIMUM_TEXTURE2D_GATHER');
  const sizes = { WIDTH: width, HEIGHT: cubemap ? 0 : height, DEPTH: depth, LAYERS: cubemap ? layers * FACES : layers };
  for (const family of families) {
    for (const [name, size] of Object.entries(sizes)) {
      const most = Math.max(limitOf(`${family}_${name}`), depth > 0 ? limitOf(`${family}_${name}_ALTERNATE`) : 0);
      if (most > 0 && size > most) {
        throw new RangeError(`${what}: ${name.toLowerCase()} is ${size}; the device allows ${most}`);
      }
    }
  }
}

/** A limit of the current device; 0 for an unknown limit. */
export function limitOf(name: string): number {
  const attribute = (DeviceAttribute as Readonly<Record<string, number>>)[name];
  if (attribute === undefined) return 0;
  intSlot[0] = 0;
  const status = attempt('cuDeviceGetAttribute', intSlot, attribute as DeviceAttribute, currentDevice().raw);
  return status === 0 ? take(intSlot) : 0;
}

/** How many arrays of two dimensions, or rows of one, lie behind each other. */
export function slicesOf({ depth, layers, cubemap }: ArrayShape): number {
  return Math.max(1, depth) * Math.max(1, layers) * (cubemap ? FACES : 1);
}

/** All bytes of an array without gaps. */
export function byteLengthOf(shape: ArrayShape): number {
  return shape.width * shape.elementBytes * Math.max(1, shape.height) * slicesOf(shape);
}

/** The shape of a level of a mipmapped array: half the level's before, and at least 1, in each direction. */
export function levelShape(shape: ArrayShape, level: number): ArrayShape {
  const half = (size: number): number => (size === 0 ? 0 : Math.max(1, Math.floor(size / 2 ** level)));
  return { ...shape, width: half(shape.width), height: half(shape.height), depth: half(shape.depth) };
}

/** The driver's description of an array. */
export function describeShape(shape: ArrayShape): DataView {
  const { size, fields } = structs.CUDA_ARRAY3D_DESCRIPTOR;
  const view = new DataView(new ArrayBuffer(size));
  const { layers, cubemap } = shape;
  const flat = layers > 0 || cubemap;
  view.setBigUint64(fields.Width, BigInt(shape.width), true);
  view.setBigUint64(fields.Height, BigInt(shape.height), true);
  view.setBigUint64(fields.Depth, BigInt(flat ? slicesOf(shape) : shape.depth), true);
  view.setUint32(fields.Format, FORMATS[shape.dtype], true);
  view.setUint32(fields.NumChannels, shape.channels, true);
  let flags = 0;
  if (layers > 0) flags |= Array3DFlags.LAYERED;
  if (cubemap) flags |= Array3DFlags.CUBEMAP;
  if (shape.surface) flags |= Array3DFlags.SURFACE_LDST;
  if (shape.gather) flags |= Array3DFlags.TEXTURE_GATHER;
  view.setUint32(fields.Flags, flags, true);
  return view;
}
