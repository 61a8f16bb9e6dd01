import { claim, Handle } from '../core/handle.ts';
import { isHostMemory } from '../core/host-memory.ts';
import { MapFlags } from '../opencl/sys/enums.ts';
import { checkViewBytes } from '../ffi/memory.ts';
import { Pages } from '../opencl/memory/pages.ts';
import { bool, mem as memOf, queue as queueOf, size, triple, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { CLObject, type Raw } from './handle.ts';
import type { CLCommandQueue, CLEvent, CLMem } from './objects.ts';
import { submit, type End, type Enqueue, type EventOr0 } from './submit.ts';
import { imageRegionBytes } from './transfer.ts';

/** The mapped bytes, with the facts about the map. */
export type MappedBuffer = ArrayBuffer & {
  /** The map's event, where it was asked for. */
  event?: CLEvent;
  /** Of an image: bytes from a row to the next. */
  image_row_pitch?: number;
  /** Of an image: bytes from a slice to the next. */
  image_slice_pitch?: number;
};

interface Mapping {
  readonly memory: Raw<'CLMem'>;
  readonly address: bigint;
  readonly pages: Pages;
  readonly handle: Handle<bigint>;
  readonly disown: () => void;
}

const mappings = new WeakMap<ArrayBufferLike, Mapping>();

function checkBytes(byteLength: number): void {
  try {
    checkViewBytes(byteLength, 'The map');
  } catch (error) {
    throw failure('CL_INVALID_VALUE', error);
  }
}

/** Map a part of a buffer into the host's memory. Unmap the result before the device uses the bytes again. */
export function enqueueMapBuffer(
  ...args: [
    queue: CLCommandQueue,
    buffer: CLMem,
    blocking: unknown,
    flags: number,
    offset: number,
    byteLength: number,
    ...End,
  ]
): MappedBuffer {
  expectArguments(args, 6);
  const [queue, memory, blocking] = [queueOf(args[0], 0), memOf(args[1], 1), bool(args[2], 2)];
  const [flags, offset, byteLength] = [flagsOf(args[3]), size(args[4], 4), size(args[5], 5)];
  checkBytes(byteLength);
  let address = 0n;
  const map: Enqueue = (...end) => {
    address = cl.clEnqueueMapBuffer(queue, memory, blocking, flags, offset, byteLength, ...end);
  };
  const event = submit(queue, args.slice(6), 6, map, { blocking: blocking === 1 });
  return mapped(args[1], address, byteLength, event);
}

/** Map a region of an image into the host's memory: the pitches are the distances of rows and slices. */
export function enqueueMapImage(
  ...args: [
    queue: CLCommandQueue,
    image: CLMem,
    blocking: unknown,
    flags: number,
    origin: readonly number[],
    region: readonly number[],
    ...End,
  ]
): MappedBuffer {
  expectArguments(args, 6);
  const [queue, memory, blocking] = [queueOf(args[0], 0), memOf(args[1], 1), bool(args[2], 2)];
  const [flags, origin, region] = [flagsOf(args[3]), triple(args[4], 4), triple(args[5], 5)];
  const row = new BigUint64Array(1);
  const slice = new BigUint64Array(1);
  let address = 0n;
  const map: Enqueue = (...end) => {
    address = cl.clEnqueueMapImage(queue, memory, blocking, flags, origin, region, row, slice, ...end);
  };
  const event = submit(queue, args.slice(6), 6, map, { blocking: blocking === 1 });
  const [rowPitch, slicePitch] = [Number(row[0]), Number(slice[0])];
  const buffer = mapped(args[1], address, imageRegionBytes(memory, region, rowPitch, slicePitch), event);
  return Object.assign(buffer, { image_row_pitch: rowPitch, image_slice_pitch: slicePitch });
}

/** Unmap bytes. The array is empty from then on. */
export function enqueueUnmapMemObject(
  ...args: [queue: CLCommandQueue, memory: CLMem, mapped: ArrayBufferLike | ArrayBufferView, ...End]
): EventOr0 {
  expectArguments(args, 3);
  const [queue, memory] = [queueOf(args[0], 0), memOf(args[1], 1)];
  const given = args[2] as unknown;
  const buffer = isHostMemory(given) ? (ArrayBuffer.isView(given) ? given.buffer : given) : undefined;
  const mapping = buffer && mappings.get(buffer);
  if (!buffer || mapping?.memory !== memory) {
    throw failure('CL_INVALID_VALUE', new Error('The bytes must be mapped, and of this object'));
  }
  if (mapping.pages.isTaken) {
    mapping.pages.end('a mapping', () => mapping.handle.retain());
    throw failure('CL_INVALID_VALUE', new Error('The mapped bytes were transferred to another ArrayBuffer'));
  }
  const event = submit(queue, args.slice(3), 3, (...end) =>
    cl.clEnqueueUnmapMemObject(queue, memory, mapping.address, ...end),
  );
  mappings.delete(buffer);
  mapping.pages.end('a mapping', () => undefined);
  mapping.disown();
  mapping.handle.release();
  return event;
}

const { READ, WRITE, WRITE_INVALIDATE_REGION } = MapFlags;

/** Not every driver checks the flags. */
function flagsOf(value: unknown): number {
  const flags = uint(value, 3);
  const excluded = (flags & WRITE_INVALIDATE_REGION) !== 0 && (flags & (READ | WRITE)) !== 0;
  if (flags <= (READ | WRITE | WRITE_INVALIDATE_REGION) && !excluded) return flags;
  throw failure(
    'CL_INVALID_VALUE',
    new RangeError('The flags must be MAP_READ and MAP_WRITE, or MAP_WRITE_INVALIDATE_REGION'),
  );
}

/** The bytes at an address. They keep the mapped object alive. */
function mapped(memory: CLMem, address: bigint, byteLength: number, event: EventOr0): MappedBuffer {
  const pages = new Pages(address, byteLength);
  const buffer: MappedBuffer = pages.buffer;
  const parent = CLObject.record(memory);
  const handle = new Handle('mapping', address, () => undefined, parent ? [parent] : []);
  const disown = claim(buffer, handle, true);
  mappings.set(buffer, { memory: CLObject.raw(memory, 'CLMem'), address, pages, handle, disown });
  return event === 0 ? buffer : Object.assign(buffer, { event });
}
