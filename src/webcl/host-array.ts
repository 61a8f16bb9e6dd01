import { nameOf } from '../core/check.ts';
import { trueByteLength } from '../core/host-memory.ts';
import { isArray } from '../node-opencl/argument.ts';
import { pixelBytes, regionBytes } from '../node-opencl/image-size.ts';
import { WebCLException } from './exception.ts';
import type { WebCLImage, WebCLImageDescriptor } from './image.ts';

/** Refuse a value that is not a typed array. */
export function checkArray(value: unknown): ArrayBufferView {
  if (ArrayBuffer.isView(value)) return value;
  throw new WebCLException('INVALID_HOST_PTR', `hostPtr must be a typed array or a DataView, got ${nameOf(value)}`);
}

/** Refuse an array that is shorter than a transfer. */
export function checkRoom(array: ArrayBufferView, byteLength: number): void {
  const room = trueByteLength(array);
  if (!(byteLength > room)) return;
  throw new WebCLException('INVALID_VALUE', `hostPtr must have ${byteLength} bytes, got ${room}`);
}

/** Refuse sizes that are not multiples of an array's element size. */
export function checkSteps(array: ArrayBufferView, sizes: readonly number[]): void {
  const { BYTES_PER_ELEMENT: step = 1 } = array as { readonly BYTES_PER_ELEMENT?: number };
  const odd = (sizes as readonly unknown[]).find(
    (size) => size !== undefined && size !== null && (typeof size !== 'number' || size % step !== 0),
  );
  if (odd === undefined) return;
  throw new WebCLException('INVALID_VALUE', `Sizes and pitches must be multiples of ${step} bytes, got ${nameOf(odd)}`);
}

/** Places and sizes of so many numbers; where WebCL has two, a third is added. */
export function place(list: unknown, count: number, third?: number): number[] {
  if (!isArray(list) || list.length !== count || list.some((one) => typeof one !== 'number')) {
    throw new WebCLException('INVALID_VALUE', `A place must have ${count} numbers, got ${nameOf(list)}`);
  }
  return [...(list as number[]), ...(third === undefined ? [] : [third])];
}

/** How far a box reaches in an array. */
export function rectRoom(
  origin: readonly number[],
  region: readonly number[],
  rowPitch: number,
  slicePitch: number,
): number {
  const [x = 0, y = 0, z = 0] = origin;
  const [width = 0, height = 0] = region;
  const row = rowPitch || width;
  const slice = slicePitch || row * height;
  return x + y * row + z * slice + regionBytes(1, region, row, slice);
}

/** How far a region of an image reaches in an array. */
export function imageRoom(image: WebCLImage, region: readonly number[], rowPitch: number): number {
  const { channelOrder, channelType } = image.getInfo() as Required<WebCLImageDescriptor>;
  if (region.includes(0)) throw new WebCLException('INVALID_VALUE', 'A region must have at least one pixel');
  return regionBytes(pixelBytes(channelOrder, channelType), region, rowPitch, 0);
}
