import { MemObjectType } from '../../opencl/sys/enums.ts';
import type { ImageFormat } from '../../opencl/sys/pixel.ts';
import type { Extent, Places } from './rect.ts';

const { IMAGE1D, IMAGE1D_ARRAY, IMAGE1D_BUFFER, IMAGE2D, IMAGE2D_ARRAY, IMAGE3D } = MemObjectType;

/** The type, format and sizes of an image. */
export interface ImageShape {
  /** `MemObjectType` */
  readonly type: number;
  readonly format: ImageFormat;
  readonly width: number;
  /** 0 for a missing dimension; depth and layers too. */
  readonly height: number;
  readonly depth: number;
  readonly layers: number;
  /** Bytes. */
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** Whether a number is the type of an image. */
export function isImageType(type: number): boolean {
  return ([IMAGE1D, IMAGE1D_ARRAY, IMAGE1D_BUFFER, IMAGE2D, IMAGE2D_ARRAY, IMAGE3D] as number[]).includes(type);
}

/** The limits of the three numbers of an origin. The layers of an array are its last dimension. */
export function extentOf({ type, width, height, depth, layers }: ImageShape): Extent {
  switch (type) {
    case IMAGE1D_ARRAY:
      return [width, layers, 1];
    case IMAGE2D:
      return [width, height, 1];
    case IMAGE2D_ARRAY:
      return [width, height, layers];
    case IMAGE3D:
      return [width, height, depth];
    default:
      return [width, 1, 1];
  }
}

/** Whether a region lies within an image and is not empty. */
export function holdsRegion(shape: ImageShape, origin: Extent, region: Extent): boolean {
  const extent = extentOf(shape);
  return region.every((size, i) => size > 0 && (origin[i] ?? 0) + size <= (extent[i] ?? 0));
}

/** An origin or a region with x in bytes. */
export function inBytes({ format }: ImageShape, [x, y, z]: Extent): Extent {
  return [x * format.elementBytes, y, z];
}

/** Where the rows of an image lie. */
export function layoutOf(shape: ImageShape, base: number): Places {
  const { type, rowPitch, slicePitch } = shape;
  return { base, rowPitch: type === IMAGE1D_ARRAY ? slicePitch : rowPitch, slicePitch };
}

/**
 * The pitches of a part of an image in host memory; a given pitch of 0 means no gaps.
 *
 * @param region - with x in bytes
 * @returns undefined for pitches that are too small
 */
export function hostPitches(
  { type }: Pick<ImageShape, 'type'>,
  rowPitch: number,
  slicePitch: number,
  [width, height]: Extent,
): readonly [row: number, slice: number] | undefined {
  const isSliced = type === IMAGE3D || type === IMAGE2D_ARRAY || type === IMAGE1D_ARRAY;
  if (!isSliced && slicePitch !== 0) return undefined;
  const row = rowPitch === 0 ? width : rowPitch;
  const rows = type === IMAGE1D_ARRAY ? 1 : height;
  const slice = slicePitch === 0 ? row * rows : slicePitch;
  return row < width || slice < row * rows ? undefined : [row, slice];
}
