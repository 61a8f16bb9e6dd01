import { readChoice, readFlag } from '../../core/choice.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import type { ArrayDType } from './array-shape.ts';
import { AddressMode, FilterMode, TextureFlags } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

/** What a read beyond the edge gives: the other side, the edge, the mirrored image, the border's color. */
export type AddressModeName = 'wrap' | 'clamp' | 'mirror' | 'border';
/** What a read between elements gives: the nearest one, or a blend of those around. */
export type FilterModeName = 'point' | 'linear';

/** How integers are read. */
export interface ReadOptions {
  /** Read integers of 8 or 16 bits as floats from 0 (or -1) to 1. */
  readonly normalizedReads?: boolean;
  /** Turn sRGB into linear values; for `'u8'` with `normalizedReads`. */
  readonly srgb?: boolean;
}

/** How a texture is read by coordinates. */
export interface SamplingOptions extends ReadOptions {
  /** For all directions, or for each of x, y and z; `'clamp'` by default. */
  readonly addressMode?: AddressModeName | readonly AddressModeName[];
  /** `'point'` by default. */
  readonly filterMode?: FilterModeName;
  /** Coordinates from 0 to 1 instead of elements. */
  readonly normalizedCoords?: boolean;
  /** What `'border'` gives: 1 to 4 numbers, 0 for the others. */
  readonly borderColor?: readonly number[];
  /** How many samples a slanted view may take, 1 to 16. */
  readonly maxAnisotropy?: number;
  /** Filter across the edges of a cubemap. */
  readonly seamlessCubemap?: boolean;
  /** Let the driver blend levels less exactly where that is faster; true by default. */
  readonly trilinearOptimization?: boolean;
}

/** How the levels of a {@link MipmappedArray} are chosen. */
export interface LevelOptions {
  /** `'linear'` blends two levels; `'point'` by default. */
  readonly mipmapFilterMode?: FilterModeName;
  /** Added to every level that is asked for. */
  readonly mipmapLevelBias?: number;
  /** The least level that is read, 0 by default; may lie between two. */
  readonly minMipmapLevel?: number;
  /** The greatest level that is read, the last by default. */
  readonly maxMipmapLevel?: number;
}

/** The options of each interface, for checks. */
export const READS: readonly string[] = ['normalizedReads', 'srgb'];
export const SAMPLING: readonly string[] = [
  ...READS,
  'addressMode',
  'filterMode',
  'normalizedCoords',
  'borderColor',
  'maxAnisotropy',
  'seamlessCubemap',
  'trilinearOptimization',
];
export const LEVELS: readonly string[] = ['mipmapFilterMode', 'mipmapLevelBias', 'minMipmapLevel', 'maxMipmapLevel'];

const MODES = {
  wrap: AddressMode.WRAP,
  clamp: AddressMode.CLAMP,
  mirror: AddressMode.MIRROR,
  border: AddressMode.BORDER,
} as const;
const FILTERS = { point: FilterMode.POINT, linear: FilterMode.LINEAR } as const;

/**
 * The driver's description of how a texture is read.
 *
 * @param dtype - of the elements, as they are read
 * @param levels - how many there are
 * @throws TypeError an option is of the wrong kind, or two do not fit each other
 * @throws RangeError a number is out of its range
 */
export function describeSampling(options: SamplingOptions & LevelOptions, dtype: ArrayDType, levels: number): DataView {
  const { size, fields } = structs.CUDA_TEXTURE_DESC;
  const view = new DataView(new ArrayBuffer(size));
  const normalizedCoords = readFlag(options.normalizedCoords, 'Texture: normalizedCoords');
  const filter = readChoice(options.filterMode ?? 'point', FILTERS, 'Texture: filterMode');
  const mipmapFilter = readChoice(options.mipmapFilterMode ?? 'point', FILTERS, 'Texture: mipmapFilterMode');
  const flags = readFlags(options, dtype, normalizedCoords);
  if ((filter | mipmapFilter) === FilterMode.LINEAR && (flags & TextureFlags.READ_AS_INTEGER) !== 0) {
    throw new TypeError(
      `Texture: reads of ${dtype} are integers, which are not blended: set normalizedReads, or filter by 'point'`,
    );
  }
  readAddressModes(options.addressMode, normalizedCoords).forEach((mode, i) => {
    view.setInt32(fields.addressMode + 4 * i, mode, true);
  });
  view.setInt32(fields.filterMode, filter, true);
  view.setUint32(fields.flags, flags, true);
  view.setUint32(fields.maxAnisotropy, checkInteger(options.maxAnisotropy ?? 1, 'Texture: maxAnisotropy', 1, 16), true);
  view.setInt32(fields.mipmapFilterMode, mipmapFilter, true);
  const least = readNumber(options.minMipmapLevel ?? 0, 'minMipmapLevel', 0, levels - 1);
  view.setFloat32(fields.mipmapLevelBias, readNumber(options.mipmapLevelBias ?? 0, 'mipmapLevelBias'), true);
  view.setFloat32(fields.minMipmapLevelClamp, least, true);
  const most = readNumber(options.maxMipmapLevel ?? levels - 1, 'maxMipmapLevel', least, levels - 1);
  view.setFloat32(fields.maxMipmapLevelClamp, most, true);
  readColor(options.borderColor).forEach((value, i) => {
    view.setFloat32(fields.borderColor + 4 * i, value, true);
  });
  return view;
}

function readFlags(options: SamplingOptions, dtype: ArrayDType, normalizedCoords: boolean): number {
  const normalizedReads = readFlag(options.normalizedReads, 'Texture: normalizedReads');
  const srgb = readFlag(options.srgb, 'Texture: srgb');
  const seamless = readFlag(options.seamlessCubemap, 'Texture: seamlessCubemap');
  const optimized = readFlag(options.trilinearOptimization ?? true, 'Texture: trilinearOptimization');
  const integer = !dtype.startsWith('f');
  if (normalizedReads && (!integer || dtype.endsWith('32'))) {
    throw new TypeError(`Texture: normalizedReads is for integers of 8 and 16 bits; the elements are ${dtype}`);
  }
  if (srgb && (dtype !== 'u8' || !normalizedReads)) {
    throw new TypeError(`Texture: srgb is for u8 elements with normalizedReads; the elements are ${dtype}`);
  }
  let flags = 0;
  if (integer && !normalizedReads) flags |= TextureFlags.READ_AS_INTEGER;
  if (normalizedCoords) flags |= TextureFlags.NORMALIZED_COORDINATES;
  if (srgb) flags |= TextureFlags.SRGB;
  if (!optimized) flags |= TextureFlags.DISABLE_TRILINEAR_OPTIMIZATION;
  if (seamless) flags |= TextureFlags.SEAMLESS_CUBEMAP;
  return flags;
}

function readAddressModes(chosen: unknown, normalizedCoords: boolean): readonly number[] {
  const names: readonly unknown[] = Array.isArray(chosen) ? chosen : new Array<unknown>(3).fill(chosen ?? 'clamp');
  if (names.length < 1 || names.length > 3) {
    throw new RangeError(`Texture: addressMode has 1 to 3 directions, got ${names.length}`);
  }
  return Array.from(names, (name) => {
    const mode = readChoice(name, MODES, 'Texture: addressMode');
    if (!normalizedCoords && (mode === AddressMode.WRAP || mode === AddressMode.MIRROR)) {
      throw new TypeError(`Texture: addressMode '${String(name)}' needs normalizedCoords`);
    }
    return mode;
  });
}

function readColor(color: unknown): readonly number[] {
  if (color === undefined) return [];
  if (!Array.isArray(color) || color.length < 1 || color.length > 4) {
    throw new TypeError(`Texture: borderColor must be an array of 1 to 4 numbers, got ${nameOf(color)}`);
  }
  return color.map((value: unknown) => readNumber(value, 'borderColor'));
}

function readNumber(value: unknown, name: string, min = -3.4e38, max = 3.4e38): number {
  if (typeof value !== 'number') throw new TypeError(`Texture: ${name} must be a number, got ${nameOf(value)}`);
  if (!(value >= min && value <= max)) {
    throw new RangeError(`Texture: ${name} must be from ${min} to ${max}, got ${value}`);
  }
  return value;
}
