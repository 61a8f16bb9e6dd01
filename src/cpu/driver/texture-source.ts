import { ArrayFormat, ResourceType, ResourceViewFormat } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { ImageForm } from '../abi/image-record.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import { elementFormat, type ElementFormat } from './array-shape.ts';
import type { CpuArray } from './images.ts';
import type { DriverState } from './state.ts';
import { fitsLimits, TEXTURE_ALIGNMENT, TEXTURE_PITCH_ALIGNMENT } from './texture-limits.ts';

/** One size of what a texture reads, in device memory. */
export interface SourceLevel {
  readonly address: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** Layers and faces. */
  readonly layers: number;
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** What a texture or a surface is over. */
export interface ImageSource {
  readonly element: ElementFormat;
  /** `ImageForm` */
  readonly form: number;
  readonly levels: readonly SourceLevel[];
  /** Over a mipmapped array. */
  readonly mipmapped: boolean;
  /** The array, for a surface. */
  readonly array: CpuArray | undefined;
}

const RESOURCE = structs.CUDA_RESOURCE_DESC;
const VIEW = structs.CUDA_RESOURCE_VIEW_DESC;
const FACES = 6;
const { fields } = RESOURCE;

/** Formats of views come in threes: 1, 2 and 4 channels of each. */
const VIEW_FORMATS: readonly number[] = [
  ...[ArrayFormat.UNSIGNED_INT8, ArrayFormat.SIGNED_INT8, ArrayFormat.UNSIGNED_INT16, ArrayFormat.SIGNED_INT16],
  ...[ArrayFormat.UNSIGNED_INT32, ArrayFormat.SIGNED_INT32, ArrayFormat.HALF, ArrayFormat.FLOAT],
];

/** A struct at an address. */
export function structAt(pointer: Out, size: number): DataView | undefined {
  const bytes = bytesAt(pointer, size);
  return bytes.length < size ? undefined : new DataView(bytes.buffer, bytes.byteOffset, size);
}

/** What a CUDA_RESOURCE_DESC and a CUDA_RESOURCE_VIEW_DESC describe, or a status. */
export function readSource(state: DriverState, description: Out, view: Out): ImageSource | number {
  const resource = structAt(description, RESOURCE.size);
  if (!resource || resource.getUint32(fields.flags, true) !== 0) return Status.INVALID_VALUE;
  const handle = Number(resource.getBigUint64(fields['res.array.hArray'], true));
  switch (resource.getInt32(fields.resType, true)) {
    case ResourceType.ARRAY: {
      const array = state.images.arrays.get(handle);
      return array ? viewed(ofArrays([array], false), view) : Status.INVALID_HANDLE;
    }
    case ResourceType.MIPMAPPED_ARRAY: {
      const whole = state.images.mipmapped.get(handle);
      return whole ? viewed(ofArrays(whole.levels, true), view) : Status.INVALID_HANDLE;
    }
    // Only arrays have views.
    case ResourceType.LINEAR:
      return view === 0n ? ofLinear(state, resource) : Status.INVALID_VALUE;
    case ResourceType.PITCH2D:
      return view === 0n ? ofPitched(state, resource) : Status.INVALID_VALUE;
    default:
      return Status.INVALID_VALUE;
  }
}

function ofArrays(arrays: readonly CpuArray[], mipmapped: boolean): ImageSource {
  const [first] = arrays as [CpuArray];
  const { element, form } = first.shape;
  const isVolume = (form & ImageForm.DIMENSIONS) === 3;
  const levels = arrays.map(({ address, shape }) => ({
    address,
    width: shape.width,
    height: shape.rows,
    depth: isVolume ? shape.slices : 1,
    layers: isVolume ? 1 : shape.slices,
    rowPitch: shape.rowPitch,
    slicePitch: shape.slicePitch,
  }));
  return { element, form, levels, mipmapped, array: first };
}

function ofLinear(state: DriverState, view: DataView): ImageSource | number {
  const address = Number(view.getBigUint64(fields['res.linear.devPtr'], true));
  const format = view.getInt32(fields['res.linear.format'], true);
  const element = elementFormat(format, view.getUint32(fields['res.linear.numChannels'], true));
  const byteLength = Number(view.getBigUint64(fields['res.linear.sizeInBytes'], true));
  if (!element || address % TEXTURE_ALIGNMENT !== 0) return Status.INVALID_VALUE;
  const width = Math.floor(byteLength / element.bytes);
  if (width < 1 || !fitsLimits('TEXTURE1D_LINEAR', { WIDTH: width })) return Status.INVALID_VALUE;
  if (!state.memory.find(address, byteLength)) return Status.INVALID_VALUE;
  const pitch = width * element.bytes;
  const level = { address, width, height: 1, depth: 1, layers: 1, rowPitch: pitch, slicePitch: pitch };
  return { element, form: 1 | ImageForm.LINEAR_MEMORY, levels: [level], mipmapped: false, array: undefined };
}

function ofPitched(state: DriverState, view: DataView): ImageSource | number {
  const wide = (name: 'width' | 'height' | 'pitchInBytes' | 'devPtr'): number =>
    Number(view.getBigUint64(fields[`res.pitch2D.${name}`], true));
  const format = view.getInt32(fields['res.pitch2D.format'], true);
  const element = elementFormat(format, view.getUint32(fields['res.pitch2D.numChannels'], true));
  const [address, width, height, pitch] = [wide('devPtr'), wide('width'), wide('height'), wide('pitchInBytes')];
  if (!element || width < 1 || height < 1 || address % TEXTURE_ALIGNMENT !== 0) return Status.INVALID_VALUE;
  if (pitch % TEXTURE_PITCH_ALIGNMENT !== 0 || pitch < width * element.bytes) return Status.INVALID_VALUE;
  if (!fitsLimits('TEXTURE2D_LINEAR', { WIDTH: width, HEIGHT: height, PITCH: pitch })) return Status.INVALID_VALUE;
  if (!state.memory.find(address, (height - 1) * pitch + width * element.bytes)) return Status.INVALID_VALUE;
  const level = { address, width, height, depth: 1, layers: 1, rowPitch: pitch, slicePitch: pitch * height };
  return { element, form: 2, levels: [level], mipmapped: false, array: undefined };
}

/** A part of an array's levels and layers, with elements of another format. */
function viewed(source: ImageSource, pointer: Out): ImageSource | number {
  if (pointer === 0n) return source;
  const view = structAt(pointer, VIEW.size);
  if (!view) return Status.INVALID_VALUE;
  const word = (name: keyof typeof VIEW.fields): number => view.getUint32(VIEW.fields[name], true);
  const element = viewElement(word('format'), source.element);
  if (element?.bytes !== source.element.bytes || !isWholeSize(view, source)) return Status.INVALID_VALUE;
  const [firstLevel, lastLevel] = [word('firstMipmapLevel'), word('lastMipmapLevel')];
  if (firstLevel > lastLevel || lastLevel >= source.levels.length) return Status.INVALID_VALUE;
  const layers = source.levels[0]?.layers ?? 1;
  const [firstLayer, lastLayer] = [word('firstLayer'), word('lastLayer')];
  const count = lastLayer - firstLayer + 1;
  if (count < 1 || lastLayer >= layers) return Status.INVALID_VALUE;
  if (source.form & ImageForm.CUBE && count % FACES !== 0) return Status.INVALID_VALUE;
  const levels = source.levels
    .slice(firstLevel, lastLevel + 1)
    .map((level) => ({ ...level, address: level.address + firstLayer * level.slicePitch, layers: count }));
  return { ...source, element, levels };
}

function viewElement(format: number, own: ElementFormat): ElementFormat | undefined {
  if (format === ResourceViewFormat.NONE) return own;
  return elementFormat(VIEW_FORMATS[Math.floor((format - 1) / 3)] ?? 0, [1, 2, 4][(format - 1) % 3] ?? 0);
}

/** A view has the sizes of its array: another width is for block-compressed formats, which arrays here do not have. */
function isWholeSize(view: DataView, { levels, form }: ImageSource): boolean {
  const [level] = levels as [SourceLevel];
  const size = (name: 'width' | 'height' | 'depth'): number => Number(view.getBigUint64(VIEW.fields[name], true));
  const flat = (form & ImageForm.DIMENSIONS) === 1;
  const slices = level.depth * level.layers;
  const layered = (form & (ImageForm.LAYERED | ImageForm.CUBE)) !== 0;
  const depth = layered || (form & ImageForm.DIMENSIONS) === 3 ? slices : 0;
  return size('width') === level.width && size('height') === (flat ? 0 : level.height) && size('depth') === depth;
}
