import { isFixed } from '../core/pin.ts';
import { trueByteLength, type HostMemory } from '../core/host-memory.ts';
import { ImageInfo, MemObjectType, MemInfo } from '../opencl/sys/enums.ts';
import { bool, bytesOf, mem as memOf, queue as queueOf, size, triple, wantedHost } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import type { Raw } from './handle.ts';
import { regionBytes } from './image-size.ts';
import type { CLCommandQueue, CLMem } from './objects.ts';
import { withRoom } from './short-memory.ts';
import { submit, type End, type Enqueue, type EventOr0 } from './submit.ts';

type Dims = readonly number[];

/** The first arguments of all transfers. */
type Start = [queue: CLCommandQueue, memory: CLMem, blocking: unknown];

type Linear = [...Start, offset: number, byteLength: number, array: HostMemory, ...End];
type Rect = [
  ...Start,
  bufferOrigin: Dims,
  hostOrigin: Dims,
  region: Dims,
  bufferRowPitch: number,
  bufferSlicePitch: number,
  hostRowPitch: number,
  hostSlicePitch: number,
  array: HostMemory,
  ...End,
];
type Image = [...Start, origin: Dims, region: Dims, rowPitch: number, slicePitch: number, array: HostMemory, ...End];

/** Copy a part of a buffer into an array: bytes from an offset. */
export const enqueueReadBuffer: (...args: Linear) => EventOr0 = linear('clEnqueueReadBuffer');
/** Copy an array into a part of a buffer. */
export const enqueueWriteBuffer: (...args: Linear) => EventOr0 = linear('clEnqueueWriteBuffer');
/** Copy a box of a buffer into an array. Origins and regions count bytes, rows and slices. */
export const enqueueReadBufferRect: (...args: Rect) => EventOr0 = rect('clEnqueueReadBufferRect');
/** Copy an array into a box of a buffer. */
export const enqueueWriteBufferRect: (...args: Rect) => EventOr0 = rect('clEnqueueWriteBufferRect');
/** Copy a region of an image into an array. Origins and regions count pixels, pitches bytes. */
export const enqueueReadImage: (...args: Image) => EventOr0 = image('clEnqueueReadImage');
/** Copy an array into a region of an image. */
export const enqueueWriteImage: (...args: Image) => EventOr0 = image('clEnqueueWriteImage');

function linear(name: 'clEnqueueReadBuffer' | 'clEnqueueWriteBuffer'): (...args: Linear) => EventOr0 {
  return (...args) => {
    const { queue, memory, blocking } = start(args, 6);
    const [offset, byteLength] = [size(args[3], 3), size(args[4], 4)];
    const array = wantedHost(args[5], 5);
    return transfer(name, { queue, blocking }, array, byteLength, args.slice(6), 6, (bytes, ...end) =>
      cl[name](queue, memory, blocking, offset, byteLength, bytes, ...end),
    );
  };
}

function rect(name: 'clEnqueueReadBufferRect' | 'clEnqueueWriteBufferRect'): (...args: Rect) => EventOr0 {
  return (...args) => {
    const { queue, memory, blocking } = start(args, 11);
    const [from, to, region] = [triple(args[3], 3), triple(args[4], 4), triple(args[5], 5)];
    const pitches = [size(args[6], 6), size(args[7], 7), size(args[8], 8), size(args[9], 9)] as const;
    const array = wantedHost(args[10], 10);
    const [width = 0, height = 0, depth = 0] = Array.from(region, Number);
    const row = pitches[2] || width;
    const slice = pitches[3] || row * height;
    const [x = 0, y = 0, z = 0] = Array.from(to, Number);
    const wanted = x + y * row + z * slice + regionBytes(1, [width, height, depth], row, slice);
    checkBox(memory, from, region, pitches[0], pitches[1]);
    return transfer(name, { queue, blocking }, array, wanted, args.slice(11), 11, (bytes, ...end) =>
      cl[name](queue, memory, blocking, from, to, region, ...pitches, bytes, ...end),
    );
  };
}

function image(name: 'clEnqueueReadImage' | 'clEnqueueWriteImage'): (...args: Image) => EventOr0 {
  return (...args) => {
    const { queue, memory, blocking } = start(args, 8);
    const [origin, region] = [triple(args[3], 3), triple(args[4], 4)];
    const [rowPitch, slicePitch] = [size(args[5], 5), size(args[6], 6)];
    const array = wantedHost(args[7], 7);
    const wanted = imageRegionBytes(memory, region, rowPitch, slicePitch);
    return transfer(name, { queue, blocking }, array, wanted, args.slice(8), 8, (bytes, ...end) =>
      cl[name](queue, memory, blocking, origin, region, rowPitch, slicePitch, bytes, ...end),
    );
  };
}

interface Started {
  readonly queue: Raw<'CLCommandQueue'>;
  readonly memory: Raw<'CLMem'>;
  readonly blocking: 0 | 1;
}

function start(args: readonly unknown[], least: number): Started {
  expectArguments(args, least);
  return { queue: queueOf(args[0], 0), memory: memOf(args[1], 1), blocking: bool(args[2], 2) };
}

type Call = (bytes: HostMemory, ...end: Parameters<Enqueue>) => unknown;

/** Copy from or to an array. An array that is too short is not written past its end: the remaining bytes are lost. */
function transfer(
  name: string,
  { queue, blocking }: Pick<Started, 'queue' | 'blocking'>,
  array: HostMemory,
  wanted: number,
  end: readonly unknown[],
  position: number,
  call: Call,
): EventOr0 {
  const room = trueByteLength(array);
  if (room < wanted && !blocking) {
    const text = `The array must have at least ${wanted} bytes, got ${room}`;
    throw failure('CL_INVALID_VALUE', new RangeError(text));
  }
  if (!blocking && !isFixed(array)) {
    throw failure('CL_INVALID_VALUE', new TypeError('A copy that does not block needs memory of a fixed length'));
  }
  const bytes = withRoom(array, wanted, name.replace('clE', 'e'));
  const command = blocking ? { blocking: true } : { memory: array };
  const result = submit(queue, end, position, (...list) => call(bytes, ...list), command);
  if (bytes !== array && name.startsWith('clEnqueueRead')) bytesOf(array).set(bytesOf(bytes).subarray(0, room));
  return result;
}

/** Refuse a box that does not lie within a buffer: the sums of huge numbers wrap around in the driver. */
export function checkBox(
  memory: Raw<'CLMem'>,
  origin: BigUint64Array,
  region: BigUint64Array,
  rowPitch: number,
  slicePitch: number,
): void {
  const [x = 0, y = 0, z = 0] = Array.from(origin, Number);
  const [width = 0, height = 0, depth = 0] = Array.from(region, Number);
  const row = rowPitch || width;
  const slice = slicePitch || row * height;
  const end = x + y * row + z * slice + regionBytes(1, [width, height, depth], row, slice);
  cl.clGetMemObjectInfo(memory, MemInfo.SIZE[0], 8, numberSlot, 0n);
  const byteLength = Number(numberSlot[0]);
  if (end <= byteLength) return;
  throw failure('CL_INVALID_VALUE', new RangeError(`The box ends at byte ${end}; the buffer has ${byteLength}`));
}

const numberSlot = new BigUint64Array(1);

/** The size of an image's pixels in bytes; 0 for other objects, which the driver refuses. */
function elementBytes(memory: Raw<'CLMem'>): number {
  try {
    cl.clGetImageInfo(memory, ImageInfo.ELEMENT_SIZE[0], 8, numberSlot, 0n);
    return Number(numberSlot[0]);
  } catch {
    return 0;
  }
}

/** How far a region of an image reaches in an array with these pitches. */
export function imageRegionBytes(
  memory: Raw<'CLMem'>,
  region: BigUint64Array,
  rowPitch: number,
  slicePitch: number,
): number {
  const [width = 0, height = 0, depth = 0] = Array.from(region, Number);
  const pixel = elementBytes(memory);
  // The layers of a one-dimensional image are its slices.
  return isLineArray(memory) && slicePitch > 0
    ? regionBytes(pixel, [width, 1, height], rowPitch, slicePitch)
    : regionBytes(pixel, [width, height, depth], rowPitch, slicePitch);
}

const typeSlot = new Uint32Array(1);

function isLineArray(memory: Raw<'CLMem'>): boolean {
  cl.clGetMemObjectInfo(memory, MemInfo.TYPE[0], 4, typeSlot, 0n);
  return typeSlot[0] === MemObjectType.IMAGE1D_ARRAY;
}
