import { AddressMode, ArrayFormat, FilterMode, TextureFlags } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { ImageFlag, ImagePart } from '../abi/image-record.ts';
import { Status } from '../abi/status.ts';
import type { Out } from '../abi/out.ts';
import { structAt, type ImageSource } from './texture-source.ts';

/** How a texture is read, checked. */
export interface Sampling {
  /** `AddressMode` of x, y and z. */
  readonly modes: readonly number[];
  /** `ImageFlag` */
  readonly flags: number;
  /** `ImagePart` */
  readonly part: number;
  readonly linear: boolean;
  readonly normalized: boolean;
  readonly slanted: number;
  readonly bias: number;
  readonly leastLevel: number;
  readonly mostLevel: number;
  /** The bits of four floats or integers. */
  readonly border: readonly number[];
}

const { size, fields } = structs.CUDA_TEXTURE_DESC;
const KNOWN_FLAGS = Object.values(TextureFlags).reduce<number>((all, flag) => all | flag, 0);
const MOST_SLANTED = 16;

/** The number type of a read: as it is, and of integers that are read as floats. */
const PARTS: ReadonlyMap<number, readonly [plain: number, normalized: number | undefined]> = new Map<
  number,
  readonly [number, number | undefined]
>([
  [ArrayFormat.UNSIGNED_INT8, [ImagePart.U8, ImagePart.UN8]],
  [ArrayFormat.UNSIGNED_INT16, [ImagePart.U16, ImagePart.UN16]],
  [ArrayFormat.UNSIGNED_INT32, [ImagePart.U32, undefined]],
  [ArrayFormat.SIGNED_INT8, [ImagePart.I8, ImagePart.SN8]],
  [ArrayFormat.SIGNED_INT16, [ImagePart.I16, ImagePart.SN16]],
  [ArrayFormat.SIGNED_INT32, [ImagePart.I32, undefined]],
  [ArrayFormat.HALF, [ImagePart.F16, undefined]],
  [ArrayFormat.FLOAT, [ImagePart.F32, undefined]],
]);

/** The sampling that a CUDA_TEXTURE_DESC describes, or a status. */
export function readSampling(pointer: Out, source: ImageSource): Sampling | number {
  const view = structAt(pointer, size);
  if (!view) return Status.INVALID_VALUE;
  const flags = view.getUint32(fields.flags, true);
  const modes = [0, 1, 2].map((axis) => view.getInt32(fields.addressMode + 4 * axis, true));
  const filter = view.getInt32(fields.filterMode, true);
  const mipmapFilter = view.getInt32(fields.mipmapFilterMode, true);
  if ((flags & ~KNOWN_FLAGS) !== 0 || modes.some((mode) => mode < 0 || mode > AddressMode.BORDER)) {
    return Status.INVALID_VALUE;
  }
  if (![filter, mipmapFilter].every((mode) => mode === FilterMode.POINT || mode === FilterMode.LINEAR)) {
    return Status.INVALID_VALUE;
  }
  const part = partOf(source, flags);
  const normalized = (flags & TextureFlags.NORMALIZED_COORDINATES) !== 0;
  if (part === undefined || (source.mipmapped && !normalized)) return Status.INVALID_VALUE;
  const linear = filter === FilterMode.LINEAR;
  const between = mipmapFilter === FilterMode.LINEAR && source.levels.length > 1;
  // Integers are not blended.
  if ((linear || between) && part < ImagePart.F16) return Status.INVALID_VALUE;
  return {
    modes: modes.map((mode) => modeOf(mode, normalized)),
    flags: flagsOf(linear, between, normalized, flags),
    ...{ part, linear, normalized, border: borderOf(view, part) },
    slanted: Math.max(1, Math.min(MOST_SLANTED, view.getUint32(fields.maxAnisotropy, true))),
    bias: view.getFloat32(fields.mipmapLevelBias, true),
    leastLevel: view.getFloat32(fields.minMipmapLevelClamp, true),
    mostLevel: view.getFloat32(fields.maxMipmapLevelClamp, true),
  };
}

/** The numbers of an array's elements. */
export function plainPart({ format }: ImageSource['element']): number {
  return PARTS.get(format)?.[0] ?? ImagePart.U8;
}

function partOf({ element }: ImageSource, flags: number): number | undefined {
  const [plain, normalized] = PARTS.get(element.format) ?? [];
  if (flags & TextureFlags.READ_AS_INTEGER) return plain;
  // Other formats have no sRGB, and the flag no effect on them.
  return flags & TextureFlags.SRGB && normalized === ImagePart.UN8 ? ImagePart.SRGB : (normalized ?? plain);
}

/** The border's color. Where integers are read as floats, it has their range. */
function borderOf(view: DataView, part: number): number[] {
  const places = [0, 1, 2, 3].map((i) => fields.borderColor + 4 * i);
  if (part <= ImagePart.F32) return places.map((at) => view.getUint32(at, true));
  const least = part === ImagePart.SN8 || part === ImagePart.SN16 ? -1 : 0;
  return places.map((at) => bitsOf(Math.min(1, Math.max(least, view.getFloat32(at, true)))));
}

function bitsOf(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
}

/** Without normalized coordinates nothing repeats: cuTexObjectCreate takes such modes for clamping. */
function modeOf(mode: number, normalized: boolean): number {
  return normalized || mode === AddressMode.BORDER ? mode : AddressMode.CLAMP;
}

function flagsOf(linear: boolean, between: boolean, normalized: boolean, flags: number): number {
  return (
    (linear ? ImageFlag.LINEAR : 0) |
    (between ? ImageFlag.BETWEEN_LEVELS : 0) |
    (normalized ? ImageFlag.NORMALIZED : 0) |
    (flags & TextureFlags.SEAMLESS_CUBEMAP ? ImageFlag.SEAMLESS : 0)
  );
}
