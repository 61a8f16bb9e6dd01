import type { Image } from './image.ts';
import { imageTypeName } from './image-shape.ts';
import { readOrigin, readRegion, type Layout, type Triple } from './region.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { MemObjectType } from '../sys/enums.ts';

/** A part of an image, in pixels. */
export interface ImageRegion {
  readonly origin: Triple;
  readonly region: Triple;
}

/** Read the origin of a part of an image. */
export function imageOrigin(image: Image, origin: unknown, what: string): Triple {
  const place = readOrigin(origin, what);
  place.forEach((at, i) => {
    const size = image.extent[i] ?? 1;
    if (at >= size) throw new RangeError(`${what}[${i}] is ${at}; the ${sizesOf(image)} has ${size} there`);
  });
  return place;
}

/** Read a part of an image; without a region, all from the origin on. */
export function imageRegion(image: Image, origin: unknown, region: unknown, what: string): ImageRegion {
  const from = imageOrigin(image, origin, `${what}: origin`);
  const size = region === undefined ? rest(image, from) : readRegion(region, `${what}: region`);
  checkImageRegion(image, from, size, what);
  return { origin: from, region: size };
}

/** All of an image from a place on. */
export function rest({ extent }: Image, [x, y, z]: Triple): Triple {
  return [extent[0] - x, extent[1] - y, extent[2] - z];
}

/** Refuse a part that does not lie within the image. */
export function checkImageRegion(image: Image, origin: Triple, region: Triple, what: string): void {
  region.forEach((size, i) => {
    const room = (image.extent[i] ?? 1) - (origin[i] ?? 0);
    if (size > room) {
      throw new RangeError(
        `${what}: region [${region.join(', ')}] at [${origin.join(', ')}] goes beyond the ${sizesOf(image)}`,
      );
    }
  });
}

/** The layout of a part of an image in host memory. Rows of a 1D array are its layers, and lie a slice apart. */
export interface HostLayout extends Layout {
  /** Bytes from the first pixel to behind the last. */
  readonly byteLength: number;
}

/** Read the pitches of a part of an image in host memory; without any there are no gaps. */
export function hostLayout(image: Image, region: Triple, pitches: unknown, what: string): HostLayout {
  const width = region[0] * image.format.elementBytes;
  const list = pitches === undefined ? [] : Array.isArray(pitches) ? (pitches as unknown[]) : [pitches];
  if (list.length > 2 || (pitches !== undefined && list.length === 0)) {
    throw new TypeError(`${what} must be [row] or [row, slice], in bytes, got ${nameOf(pitches)}`);
  }
  const row = checkInteger(list[0] ?? 0, `${what}: row`) || width;
  if (row < width) throw new RangeError(`${what}: the row pitch must be at least ${width} bytes, got ${row}`);
  const layers = image.type === MemObjectType.IMAGE1D_ARRAY;
  const rows = layers ? 1 : region[1];
  const given = checkInteger(list[1] ?? 0, `${what}: slice`);
  if (given !== 0 && !isSliced(image.type)) {
    throw new TypeError(`${what}: a ${imageTypeName(image.type)} has no slices, got a slice pitch`);
  }
  const slice = given || row * rows;
  if (slice < row * rows) {
    throw new RangeError(`${what}: the slice pitch must be at least ${row * rows} bytes, got ${slice}`);
  }
  const count = layers ? region[1] : region[2];
  return { row, slice, byteLength: (count - 1) * slice + (rows - 1) * row + width };
}

/** Whether an image has slices, or layers, with a pitch of their own. */
export function isSliced(type: number): boolean {
  return type === MemObjectType.IMAGE3D || type === MemObjectType.IMAGE2D_ARRAY || type === MemObjectType.IMAGE1D_ARRAY;
}

function sizesOf(image: Image): string {
  return `${imageTypeName(image.type)} [${image.shape.join(', ')}]`;
}
