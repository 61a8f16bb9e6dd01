import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { CommandType, MapFlags, MemObjectType } from '../../opencl/sys/enums.ts';
import { putInt, putWide, type Out } from '../abi/out.ts';
import { Code } from './code.ts';
import type { Command, EventArguments } from './event.ts';
import { holdsRegion, inBytes, layoutOf } from './image-shape.ts';
import type { ClMemory, HostPart, Mapping } from './memory.ts';
import { addressAt, extentAt } from './pointer.ts';
import type { ClQueue } from './queue.ts';
import { copyRect, endOf, placeOf, type Extent } from './rect.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names = 'clEnqueueMapBuffer' | 'clEnqueueMapImage' | 'clEnqueueUnmapMemObject';

/** Which part of an object is mapped: x in bytes. */
interface Part {
  readonly device: { readonly base: number; readonly rowPitch: number; readonly slicePitch: number };
  readonly origin: Extent;
  readonly region: Extent;
}

const { READ, WRITE, WRITE_INVALIDATE_REGION } = MapFlags;
const KNOWN = READ | WRITE | WRITE_INVALIDATE_REGION;

/**
 * Mapping. The host reaches the device's memory by a host address, so that there is nothing to copy. Only an
 * object with USE_HOST_PTR has two copies: mapping and unmapping update one from the other.
 */
export const mapFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clEnqueueMapBuffer: (state, handle, buffer, blocking, flags, offset, size, count, waits, out, errcode) =>
    enqueue(state, handle, CommandType.MAP_BUFFER, { count, list: waits, out }, blocking !== 0, errcode, (queue) => {
      const memory = state.memories.find(buffer);
      if (memory?.type !== MemObjectType.BUFFER) return Code.INVALID_MEM_OBJECT;
      if (memory.context !== queue.context) return Code.INVALID_CONTEXT;
      const [start, length] = [Number(offset), Number(size)];
      if (length === 0 || start + length > memory.byteLength) return Code.INVALID_VALUE;
      const device = { base: memory.address, rowPitch: memory.byteLength, slicePitch: memory.byteLength };
      const made = map(state, memory, flags, { device, origin: [start, 0, 0], region: [length, 1, 1] });
      return typeof made === 'number' ? made : [memory, ...made];
    }),
  clEnqueueMapImage: (state, handle, image, blocking, flags, origin, region, row, slice, count, waits, out, errcode) =>
    enqueue(state, handle, CommandType.MAP_IMAGE, { count, list: waits, out }, blocking !== 0, errcode, (queue) =>
      mapImage(state, queue, image, flags, origin, region, row, slice),
    ),
  clEnqueueUnmapMemObject: (state, handle, memory, pointer, count, waits, out) =>
    state.enqueue(handle, CommandType.UNMAP_MEM_OBJECT, { count, list: waits, out }, (queue) =>
      unmap(state, queue, memory, pointer),
    ),
};

/** The command that maps, and the mapping; or a status. */
function map(
  state: OpenCLState,
  memory: ClMemory,
  rawFlags: number | bigint,
  part: Part,
): readonly [Command, Mapping] | number {
  const flags = Number(rawFlags);
  if ((flags & ~KNOWN) !== 0) return Code.INVALID_VALUE;
  if ((flags & WRITE_INVALIDATE_REGION) !== 0 && flags !== WRITE_INVALIDATE_REGION) return Code.INVALID_VALUE;
  // Flags of 0 leave the host's access open.
  const writes = flags === 0 ? memory.hostMay('write') : (flags & (WRITE | WRITE_INVALIDATE_REGION)) !== 0;
  if ((flags & READ) !== 0 && !memory.hostMay('read')) return Code.INVALID_OPERATION;
  if (writes && !memory.hostMay('write')) return Code.INVALID_OPERATION;
  const { device, origin, region } = part;
  const start = placeOf({ ...device, base: 0 }, origin);
  const end = endOf({ ...device, base: 0 }, origin, region);
  if (writes && memory.maps.some((other) => other.writes && start < other.end && other.start < end)) {
    return Code.INVALID_OPERATION;
  }
  const { host } = memory;
  const pointer = host
    ? host.address + BigInt(placeOf({ ...host, base: 0 }, origin))
    : state.memory.hostAddress(memory.address + start);
  const mapping: Mapping = {
    pointer,
    start,
    end,
    writes,
    writeBack: host && writes ? () => copy(state, host, part, false) : undefined,
  };
  if (!host || flags === WRITE_INVALIDATE_REGION) return [{ memory: [memory] }, mapping];
  const perform = (): number => {
    copy(state, host, part, true);
    return Code.SUCCESS;
  };
  return [{ memory: [memory], perform }, mapping];
}

function copy(state: OpenCLState, host: HostPart, { device, origin, region }: Part, toHost: boolean): void {
  const here = { ...device, ...state.bytes };
  const there = { base: 0, rowPitch: host.rowPitch, slicePitch: host.slicePitch, bytes: host.bytes };
  if (toHost) copyRect(there, origin, here, origin, region);
  else copyRect(here, origin, there, origin, region);
}

/** Enqueue a mapping: its host address, or NULL with a status in `errcode`. */
function enqueue(
  state: OpenCLState,
  queueHandle: bigint,
  type: number,
  events: EventArguments,
  blocking: boolean,
  errcode: Out,
  make: (queue: ClQueue) => readonly [ClMemory, Command, Mapping] | number,
): bigint {
  let made: readonly [ClMemory, Command, Mapping] | undefined;
  const status = state.enqueue(
    queueHandle,
    type,
    events,
    (queue) => {
      const answer = make(queue);
      if (typeof answer === 'number') return answer;
      made = answer;
      return answer[1];
    },
    blocking,
  );
  putInt(errcode, status);
  if (status !== Code.SUCCESS || !made) return 0n;
  const [memory, , mapping] = made;
  memory.maps.push(mapping);
  return mapping.pointer;
}

function mapImage(
  state: OpenCLState,
  queue: ClQueue,
  handle: bigint,
  flags: number | bigint,
  rawOrigin: Out,
  rawRegion: Out,
  rowOut: Out,
  sliceOut: Out,
): readonly [ClMemory, Command, Mapping] | number {
  const memory = state.memories.find(handle);
  if (!memory?.image) return Code.INVALID_MEM_OBJECT;
  if (memory.context !== queue.context) return Code.INVALID_CONTEXT;
  const shape = memory.image;
  const [origin, region] = [extentAt(rawOrigin), extentAt(rawRegion)];
  if (!origin || !region || !holdsRegion(shape, origin, region) || rowOut === 0n) return Code.INVALID_VALUE;
  const { IMAGE3D, IMAGE2D_ARRAY, IMAGE1D_ARRAY } = MemObjectType;
  const isSliced = ([IMAGE3D, IMAGE2D_ARRAY, IMAGE1D_ARRAY] as number[]).includes(shape.type);
  if (isSliced && sliceOut === 0n) return Code.INVALID_VALUE;
  const device = layoutOf(shape, memory.address);
  const made = map(state, memory, flags, { device, origin: inBytes(shape, origin), region: inBytes(shape, region) });
  if (typeof made === 'number') return made;
  const pitches = memory.host ?? device;
  putWide(rowOut, pitches.rowPitch);
  putWide(sliceOut, isSliced ? pitches.slicePitch : 0);
  return [memory, ...made];
}

function unmap(state: OpenCLState, queue: ClQueue, handle: bigint, pointer: Out): Command | number {
  const memory = state.memories.find(handle);
  if (!memory) return Code.INVALID_MEM_OBJECT;
  if (memory.context !== queue.context) return Code.INVALID_CONTEXT;
  const address = addressAt(pointer);
  const at = memory.maps.findIndex((mapping) => mapping.pointer === address);
  if (at < 0) return Code.INVALID_VALUE;
  const [mapping] = memory.maps.splice(at, 1);
  const writeBack = mapping?.writeBack;
  if (!writeBack) return { memory: [memory] };
  const perform = (): number => {
    writeBack();
    return Code.SUCCESS;
  };
  return { memory: [memory], perform };
}
