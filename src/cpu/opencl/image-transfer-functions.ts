import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { CommandType, MemObjectType } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import type { Size } from './answer.ts';
import { Code } from './code.ts';
import type { Command } from './event.ts';
import { encodeColor } from '../../opencl/sys/pixel.ts';
import { holdsRegion, hostPitches, inBytes, layoutOf, type ImageShape } from './image-shape.ts';
import type { ClMemory } from './memory.ts';
import { extentAt, hostBytes } from './pointer.ts';
import type { ClQueue } from './queue.ts';
import { copyRect, endOf, placeOf, type Extent } from './rect.ts';
import type { OpenCLState } from './state.ts';
import { repeat } from './transfer.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clEnqueueReadImage'
  | 'clEnqueueWriteImage'
  | 'clEnqueueFillImage'
  | 'clEnqueueCopyImage'
  | 'clEnqueueCopyImageToBuffer'
  | 'clEnqueueCopyBufferToImage';

interface Image {
  readonly memory: ClMemory;
  readonly shape: ImageShape;
}

const COLOR_BYTES = 16;
const ORIGIN: Extent = [0, 0, 0];

const T = CommandType;

/** Copies from, to and between images, and fills. */
export const imageTransferFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clEnqueueReadImage: (state, handle, image, blocking, origin, region, row, slice, pointer, count, waits, out) => {
    const make = (queue: ClQueue): Command | number =>
      withImage(state, queue, image, (found) => transfer(state, found, 'read', origin, region, [row, slice], pointer));
    return state.enqueue(handle, T.READ_IMAGE, { count, list: waits, out }, make, blocking !== 0);
  },
  clEnqueueWriteImage: (state, handle, image, blocking, origin, region, row, slice, pointer, count, waits, out) => {
    const make = (queue: ClQueue): Command | number =>
      withImage(state, queue, image, (found) => transfer(state, found, 'write', origin, region, [row, slice], pointer));
    return state.enqueue(handle, T.WRITE_IMAGE, { count, list: waits, out }, make, blocking !== 0);
  },
  clEnqueueFillImage: (state, handle, image, color, origin, region, count, waits, out) =>
    state.enqueue(handle, T.FILL_IMAGE, { count, list: waits, out }, (queue) =>
      withImage(state, queue, image, (found) => fill(state, found, color, origin, region)),
    ),
  clEnqueueCopyImage: (state, handle, from, to, origin, target, region, count, waits, out) =>
    state.enqueue(handle, T.COPY_IMAGE, { count, list: waits, out }, (queue) =>
      withImage(state, queue, from, (source) =>
        withImage(state, queue, to, (image) => copy(state, source, image, origin, target, region)),
      ),
    ),
  clEnqueueCopyImageToBuffer: (state, handle, image, raw, origin, region, offset, count, waits, out) =>
    state.enqueue(handle, T.COPY_IMAGE_TO_BUFFER, { count, list: waits, out }, (queue) =>
      withImage(state, queue, image, (found) => {
        const buffer = bufferOf(state, queue, raw);
        if (typeof buffer === 'number') return buffer;
        return exchange(state, found, buffer, false, origin, region, Number(offset));
      }),
    ),
  clEnqueueCopyBufferToImage: (state, handle, raw, image, offset, origin, region, count, waits, out) =>
    state.enqueue(handle, T.COPY_BUFFER_TO_IMAGE, { count, list: waits, out }, (queue) =>
      withImage(state, queue, image, (found) => {
        const buffer = bufferOf(state, queue, raw);
        if (typeof buffer === 'number') return buffer;
        return exchange(state, found, buffer, true, origin, region, Number(offset));
      }),
    ),
};

/** An image of the queue's context, or a status. */
function imageOf(state: OpenCLState, queue: ClQueue, handle: bigint): Image | number {
  const memory = state.memories.find(handle);
  if (!memory?.image) return Code.INVALID_MEM_OBJECT;
  return memory.context === queue.context ? { memory, shape: memory.image } : Code.INVALID_CONTEXT;
}

function bufferOf(state: OpenCLState, queue: ClQueue, handle: bigint): ClMemory | number {
  const memory = state.memories.find(handle);
  if (memory?.type !== MemObjectType.BUFFER) return Code.INVALID_MEM_OBJECT;
  return memory.context === queue.context ? memory : Code.INVALID_CONTEXT;
}

function transfer(
  state: OpenCLState,
  { memory, shape }: Image,
  what: 'read' | 'write',
  rawOrigin: Out,
  rawRegion: Out,
  pitches: readonly [row: Size, slice: Size],
  pointer: Out,
): Command | number {
  if (!memory.hostMay(what)) return Code.INVALID_OPERATION;
  const [origin, region] = [extentAt(rawOrigin), extentAt(rawRegion)];
  if (pointer === 0n || !origin || !region || !holdsRegion(shape, origin, region)) return Code.INVALID_VALUE;
  const size = inBytes(shape, region);
  const theirs = hostPitches(shape, Number(pitches[0]), Number(pitches[1]), size);
  if (!theirs) return Code.INVALID_VALUE;
  const onHost = layoutOf({ ...shape, rowPitch: theirs[0], slicePitch: theirs[1] }, 0);
  const bytes = hostBytes(pointer, endOf(onHost, ORIGIN, size));
  if (!bytes) return Code.INVALID_VALUE;
  const perform = (): number => {
    const device = { ...layoutOf(shape, memory.address), ...state.bytes };
    const host = { ...onHost, bytes };
    if (what === 'read') copyRect(host, ORIGIN, device, inBytes(shape, origin), size);
    else copyRect(device, inBytes(shape, origin), host, ORIGIN, size);
    return Code.SUCCESS;
  };
  return { memory: [memory], perform };
}

function fill(
  state: OpenCLState,
  { memory, shape }: Image,
  color: Out,
  rawOrigin: Out,
  rawRegion: Out,
): Command | number {
  const [origin, region] = [extentAt(rawOrigin), extentAt(rawRegion)];
  const given = color === 0n ? undefined : hostBytes(color, COLOR_BYTES);
  if (!given || !origin || !region || !holdsRegion(shape, origin, region)) return Code.INVALID_VALUE;
  const pixel = encodeColor(shape.format, given);
  const perform = (): number => {
    const layout = layoutOf(shape, memory.address);
    const [x, y, z] = inBytes(shape, origin);
    const [width, height, depth] = inBytes(shape, region);
    for (let slice = z; slice < z + depth; slice++) {
      for (let row = y; row < y + height; row++) {
        const at = placeOf(layout, [x, row, slice]);
        repeat(state.memory.bytes, at, width, pixel);
        state.memory.guard?.write(at, width);
      }
    }
    return Code.SUCCESS;
  };
  return { memory: [memory], perform };
}

function copy(
  state: OpenCLState,
  from: Image,
  to: Image,
  rawOrigin: Out,
  rawTarget: Out,
  rawRegion: Out,
): Command | number {
  const [origin, target, region] = [extentAt(rawOrigin), extentAt(rawTarget), extentAt(rawRegion)];
  const [source, other] = [from.shape.format, to.shape.format];
  if (source.order !== other.order || source.type !== other.type) return Code.IMAGE_FORMAT_MISMATCH;
  if (!origin || !target || !region) return Code.INVALID_VALUE;
  if (!holdsRegion(from.shape, origin, region) || !holdsRegion(to.shape, target, region)) return Code.INVALID_VALUE;
  if (from.memory === to.memory && origin.every((at, i) => Math.abs(at - (target[i] ?? 0)) < (region[i] ?? 0))) {
    return Code.MEM_COPY_OVERLAP;
  }
  const perform = (): number => {
    copyRect(
      { ...layoutOf(to.shape, to.memory.address), ...state.bytes },
      inBytes(to.shape, target),
      { ...layoutOf(from.shape, from.memory.address), ...state.bytes },
      inBytes(from.shape, origin),
      inBytes(from.shape, region),
    );
    return Code.SUCCESS;
  };
  return { memory: [from.memory, to.memory], perform };
}

/** Between an image and the rows of a buffer, which have no gaps. */
function exchange(
  state: OpenCLState,
  { memory, shape }: Image,
  buffer: ClMemory,
  toImage: boolean,
  rawOrigin: Out,
  rawRegion: Out,
  offset: number,
): Command | number {
  const [origin, region] = [extentAt(rawOrigin), extentAt(rawRegion)];
  if (!origin || !region || !holdsRegion(shape, origin, region)) return Code.INVALID_VALUE;
  const size = inBytes(shape, region);
  const [width, height, depth] = size;
  if (offset + width * height * depth > buffer.byteLength) return Code.INVALID_VALUE;
  const rows = { base: buffer.address + offset, rowPitch: width, slicePitch: width * height };
  const perform = (): number => {
    const image = { ...layoutOf(shape, memory.address), ...state.bytes };
    const packed = { ...rows, ...state.bytes };
    if (toImage) copyRect(image, inBytes(shape, origin), packed, ORIGIN, size);
    else copyRect(packed, ORIGIN, image, inBytes(shape, origin), size);
    return Code.SUCCESS;
  };
  return { memory: [memory, buffer], perform };
}

function withImage(
  state: OpenCLState,
  queue: ClQueue,
  handle: bigint,
  run: (image: Image) => Command | number,
): Command | number {
  const image = imageOf(state, queue, handle);
  return typeof image === 'number' ? image : run(image);
}
