import { nameOf } from '../core/check.ts';
import { arrayDTypes, type ArrayDType } from './dtype.ts';
import type { AdoptOptions } from './engine.ts';
import { contiguous, type Layout } from './layout.ts';
import { readNewShape } from './reshape.ts';
import { readShape, shapeText, sizeOf } from './shape.ts';

/**
 * The dtype and the layout of memory that does not describe itself.
 *
 * @param byteLength - of the memory, where it is known
 * @param known - the dtype of its elements, where that is known
 * @throws TypeError nobody says which dtype it is, or how many elements
 * @throws RangeError the array does not fit in the memory
 */
export function describeMemory(
  value: unknown,
  byteLength: number | undefined,
  { dtype: asked, shape }: AdoptOptions,
  known: ArrayDType | undefined,
  what: string,
): { readonly dtype: ArrayDType; readonly layout: Layout } {
  const dtype = asked ?? known;
  if (dtype === undefined) {
    throw new TypeError(
      `${what}: dtype must be given for ${nameOf(value)}, whose elements are not known; write ${what}(memory, { dtype: 'f32' })`,
    );
  }
  const { size } = arrayDTypes[dtype];
  if (byteLength === undefined) {
    if (shape !== undefined) return { dtype, layout: contiguous(readShape(shape, `${what}: shape`)) };
    throw new TypeError(`${what}: shape must be given for ${nameOf(value)}, whose size is not known`);
  }
  const count = Math.floor(byteLength / size);
  const isOpen = typeof shape === 'object' ? shape.includes(-1) : shape === -1;
  if (shape === undefined || isOpen) {
    if (byteLength % size !== 0) {
      throw new RangeError(
        `${what}: the memory must be a multiple of ${size} bytes for elements of ${dtype}, got ${byteLength}; pass { shape }`,
      );
    }
    return {
      dtype,
      layout: contiguous(shape === undefined ? [count] : readNewShape([count], shape, `${what}: shape`)),
    };
  }
  const lengths = readShape(shape, `${what}: shape`);
  if (sizeOf(lengths) > count) {
    throw new RangeError(
      `${what}: the memory must have ${sizeOf(lengths) * size} bytes for ${shapeText(lengths)} of ${dtype}, got ${byteLength}`,
    );
  }
  return { dtype, layout: contiguous(lengths) };
}

/**
 * Strides in bytes as strides in elements.
 *
 * @throws RangeError one is no multiple of the bytes of an element
 */
export function elementStrides(strides: readonly number[], dtype: ArrayDType, what: string): number[] {
  const { size } = arrayDTypes[dtype];
  return strides.map((bytes, axis) => {
    if (bytes % size === 0) return bytes / size;
    throw new RangeError(
      `${what}: strides must be multiples of ${size} bytes for elements of ${dtype}, got ${bytes} at axis ${axis}`,
    );
  });
}

/** What an address is a multiple of: up to 16. */
export function alignmentOf(address: bigint): number {
  let alignment = 1;
  while (alignment < 16 && address % BigInt(alignment * 2) === 0n) alignment *= 2;
  return alignment;
}
