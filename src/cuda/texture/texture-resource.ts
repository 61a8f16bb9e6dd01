import type { AnyHandle } from '../../core/handle.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { handleOf, type Resource } from '../../core/resource.ts';
import { describeShape, limitOf, readElement, slicesOf, type ArrayDType, type ArrayElement } from './array-shape.ts';
import { deviceRange, roomOf, type DeviceMemory } from '../memory/device-pointer.ts';
import { MipmappedArray, OpaqueArray, shapeOf } from './opaque-array.ts';
import { ownerOf } from '../lifetime/recording.ts';
import { ResourceType, ResourceViewFormat } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { LEVELS, READS, SAMPLING, type ReadOptions, type SamplingOptions } from './texture-sampling.ts';

/** A part of an array's levels or layers, and elements of another type of the same size. */
export interface TextureView extends Partial<ArrayElement> {
  /** The level that becomes level 0. */
  readonly firstLevel?: number;
  readonly lastLevel?: number;
  /** The layer that becomes layer 0. Faces of a cubemap count. */
  readonly firstLayer?: number;
  readonly lastLayer?: number;
}

/** Device memory that is read by an index, with `tex1Dfetch`. */
export interface LinearTextureOptions extends ArrayElement, ReadOptions {
  /** How many bytes are read; all by default, where that is known. */
  readonly byteLength?: number;
}

/** Device memory with rows that lie apart, read as an image; see {@link memAllocPitch}. */
export interface PitchedTextureOptions extends ArrayElement, SamplingOptions {
  /** In elements. */
  readonly width: number;
  /** In rows. */
  readonly height: number;
  /** Bytes from one row to the next. */
  readonly pitch: number;
}

/** What a texture reads, for the driver and for the texture. */
export interface TextureResource {
  readonly description: DataView;
  readonly view: DataView | undefined;
  /** The elements, as they are read. */
  readonly dtype: ArrayDType;
  readonly levels: number;
  /** What has to outlive the texture. */
  readonly owner: AnyHandle | undefined;
}

const { size, fields } = structs.CUDA_RESOURCE_DESC;

/** The description of an array, for a texture or a surface. */
export function describeArray(array: OpaqueArray | MipmappedArray, method: string): DataView {
  const view = new DataView(new ArrayBuffer(size));
  const mipmapped = array instanceof MipmappedArray;
  view.setInt32(fields.resType, mipmapped ? ResourceType.MIPMAPPED_ARRAY : ResourceType.ARRAY, true);
  view.setBigUint64(fields['res.array.hArray'], array.use(method), true);
  return view;
}

/** Check and describe what a texture is to read. */
export function readResource(source: unknown, options: unknown): TextureResource {
  if (source instanceof MipmappedArray) {
    checkOptions(options, [...SAMPLING, ...LEVELS, 'view'], 'Texture of a mipmapped array');
    return arrayResource(source, (options as { view?: TextureView }).view, source.levels);
  }
  if (source instanceof OpaqueArray) {
    checkOptions(options, [...SAMPLING, 'view'], 'Texture of an array');
    return arrayResource(source, (options as { view?: TextureView }).view, 1);
  }
  deviceRange(source, 0, 'Texture: the source, if no array,');
  const memory = source as DeviceMemory;
  const pitched = 'width' in (options as object) || 'height' in (options as object) || 'pitch' in (options as object);
  return pitched
    ? pitchedResource(memory, options as PitchedTextureOptions)
    : linearResource(memory, options as LinearTextureOptions);
}

function arrayResource(
  array: OpaqueArray | MipmappedArray,
  view: TextureView | undefined,
  levels: number,
): TextureResource {
  const description = describeArray(array, 'Texture');
  const owner = handleOf(array as Resource<unknown>, 'Texture');
  if (view === undefined) return { description, view: undefined, dtype: array.dtype, levels, owner };
  const what = 'Texture: view';
  checkOptions(view, ['dtype', 'channels', 'firstLevel', 'lastLevel', 'firstLayer', 'lastLayer'], what);
  const shape = shapeOf(array);
  const element = readElement({ dtype: view.dtype ?? array.dtype, channels: view.channels ?? array.channels }, what);
  if (element.elementBytes !== shape.elementBytes) {
    const { elementBytes } = element;
    throw new RangeError(`${what}: elements of ${elementBytes} bytes cannot replace elements of ${shape.elementBytes}`);
  }
  const flat = shape.layers > 0 || shape.cubemap;
  const layers = flat ? slicesOf(shape) : 1;
  const firstLevel = checkInteger(view.firstLevel ?? 0, `${what}: firstLevel`, 0, levels - 1);
  const lastLevel = checkInteger(view.lastLevel ?? levels - 1, `${what}: lastLevel`, firstLevel, levels - 1);
  const firstLayer = checkInteger(view.firstLayer ?? 0, `${what}: firstLayer`, 0, layers - 1);
  const lastLayer = checkInteger(view.lastLayer ?? layers - 1, `${what}: lastLayer`, firstLayer, layers - 1);
  const struct = structs.CUDA_RESOURCE_VIEW_DESC;
  const view3D = new DataView(new ArrayBuffer(struct.size));
  const extents = describeShape(shape);
  const from = structs.CUDA_ARRAY3D_DESCRIPTOR.fields;
  view3D.setInt32(struct.fields.format, viewFormat(element.dtype, element.channels), true);
  view3D.setBigUint64(struct.fields.width, extents.getBigUint64(from.Width, true), true);
  view3D.setBigUint64(struct.fields.height, extents.getBigUint64(from.Height, true), true);
  view3D.setBigUint64(struct.fields.depth, extents.getBigUint64(from.Depth, true), true);
  view3D.setUint32(struct.fields.firstMipmapLevel, firstLevel, true);
  view3D.setUint32(struct.fields.lastMipmapLevel, lastLevel, true);
  view3D.setUint32(struct.fields.firstLayer, firstLayer, true);
  view3D.setUint32(struct.fields.lastLayer, lastLayer, true);
  return { description, view: view3D, dtype: element.dtype, levels: lastLevel - firstLevel + 1, owner };
}

function viewFormat(dtype: ArrayDType, channels: 1 | 2 | 4): number {
  const kind = { u: 'UINT', i: 'SINT', f: 'FLOAT' }[dtype[0] as 'u' | 'i' | 'f'];
  return ResourceViewFormat[`${kind}_${channels}X${dtype.slice(1)}` as keyof typeof ResourceViewFormat];
}

function linearResource(memory: DeviceMemory, options: LinearTextureOptions): TextureResource {
  const what = 'Texture of linear memory';
  checkOptions(options, [...READS, 'dtype', 'channels', 'byteLength'], what);
  const { dtype, channels, format, elementBytes } = readElement(options, what);
  const room = roomOf(memory);
  if (options.byteLength === undefined && room === undefined) {
    throw new TypeError(`${what}: byteLength is needed: an address does not tell it`);
  }
  const all = options.byteLength ?? room ?? 0;
  const bytes = checkInteger(all, `${what}: byteLength`, elementBytes);
  if (options.byteLength !== undefined && bytes % elementBytes !== 0) {
    throw new RangeError(
      `${what}: byteLength must be a multiple of the ${elementBytes} bytes of an element, got ${bytes}`,
    );
  }
  const count = Math.floor(bytes / elementBytes);
  const most = limitOf('MAXIMUM_TEXTURE1D_LINEAR_WIDTH');
  if (most > 0 && count > most) {
    throw new RangeError(`${what}: ${count} elements; the device allows ${most}: say less by byteLength`);
  }
  const address = aligned(deviceRange(memory, count * elementBytes, what), what);
  const view = new DataView(new ArrayBuffer(size));
  view.setInt32(fields.resType, ResourceType.LINEAR, true);
  view.setBigUint64(fields['res.linear.devPtr'], address, true);
  view.setInt32(fields['res.linear.format'], format, true);
  view.setUint32(fields['res.linear.numChannels'], channels, true);
  view.setBigUint64(fields['res.linear.sizeInBytes'], BigInt(count * elementBytes), true);
  return { description: view, view: undefined, dtype, levels: 1, owner: ownerOf(memory, 'Texture') };
}

function pitchedResource(memory: DeviceMemory, options: PitchedTextureOptions): TextureResource {
  const what = 'Texture of pitched memory';
  checkOptions(options, [...SAMPLING, 'dtype', 'channels', 'width', 'height', 'pitch'], what);
  const { dtype, channels, format, elementBytes } = readElement(options, what);
  const largest = (name: string): number => limitOf(`MAXIMUM_TEXTURE2D_LINEAR_${name}`) || Number.MAX_SAFE_INTEGER;
  const width = checkInteger(options.width, `${what}: width`, 1, largest('WIDTH'));
  const height = checkInteger(options.height, `${what}: height`, 1, largest('HEIGHT'));
  const pitch = checkInteger(options.pitch, `${what}: pitch`, width * elementBytes, largest('PITCH'));
  const unit = limitOf('TEXTURE_PITCH_ALIGNMENT') || 1;
  if (pitch % unit !== 0) {
    throw new RangeError(`${what}: pitch is ${pitch}; it must be a multiple of ${unit}, as memAllocPitch makes it`);
  }
  const address = aligned(deviceRange(memory, pitch * (height - 1) + width * elementBytes, what), what);
  const view = new DataView(new ArrayBuffer(size));
  view.setInt32(fields.resType, ResourceType.PITCH2D, true);
  view.setBigUint64(fields['res.pitch2D.devPtr'], address, true);
  view.setInt32(fields['res.pitch2D.format'], format, true);
  view.setUint32(fields['res.pitch2D.numChannels'], channels, true);
  view.setBigUint64(fields['res.pitch2D.width'], BigInt(width), true);
  view.setBigUint64(fields['res.pitch2D.height'], BigInt(height), true);
  view.setBigUint64(fields['res.pitch2D.pitchInBytes'], BigInt(pitch), true);
  return { description: view, view: undefined, dtype, levels: 1, owner: ownerOf(memory, 'Texture') };
}

function aligned(address: bigint, what: string): bigint {
  const unit = limitOf('TEXTURE_ALIGNMENT') || 1;
  if (address % BigInt(unit) === 0n) return address;
  throw new RangeError(`${what}: it begins at 0x${address.toString(16)}, which is not a multiple of ${unit} bytes`);
}

/** Refuse options that are not an object, before anything is looked up in them. */
export function checkTextureOptions(options: unknown): asserts options is object {
  if (typeof options === 'object' && options !== null) return;
  throw new TypeError(`Texture takes options, got ${nameOf(options)}`);
}
