import type { DriverTable } from '../../cuda/sys/tables.ts';
import { MemAdvise, MemLocationType, MemRangeAttribute } from '../../cuda/sys/enums.ts';
import { addressOf } from '../../ffi/memory.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, putWide, type Out } from '../abi/out.ts';
import type { ManagedRange } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuMemAllocManaged'
  | 'cuMemPrefetchAsync'
  | 'cuMemAdvise'
  | 'cuMemRangeGetAttribute'
  | 'cuStreamAttachMemAsync'
  | 'cuMemHostRegister'
  | 'cuMemHostUnregister';

const NOWHERE = -2;
const ON_HOST = -1;

/** Managed memory (the host reaches all memory of this device) and registered host memory. */
export const managedFunctions: Rows<DriverState, DriverTable, Names> = {
  cuMemAllocManaged: (state, out, size, flags) => {
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    const byteLength = Number(size);
    if (byteLength <= 0 || (flags !== 1 && flags !== 2)) return Status.INVALID_VALUE;
    state.engine.collect();
    const address = state.memory.allocate(byteLength, context);
    if (address === undefined) return Status.OUT_OF_MEMORY;
    context.memory.add(address);
    state.managed.set(address, {
      readMostly: false,
      preferred: NOWHERE,
      prefetched: NOWHERE,
      accessedBy: new Set(),
    });
    // The host may write to the memory at any time.
    state.memory.guard?.write(address, byteLength);
    return putWide(out, address);
  },
  cuMemPrefetchAsync: (state, pointer, count, location, flags, stream) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    if (!state.streamOf(Number(stream))) return Status.INVALID_HANDLE;
    const range = rangeAt(state, pointer, Number(count));
    const place = placeOf(state, location);
    if (!range || flags !== 0) return Status.INVALID_VALUE;
    if (place === undefined) return Status.INVALID_DEVICE;
    range.prefetched = place;
    return Status.SUCCESS;
  },
  cuMemAdvise: (state, pointer, count, advice, location) => {
    const range = rangeAt(state, pointer, Number(count));
    return state.refuse() || (range ? advise(range, advice, placeOf(state, location)) : Status.INVALID_VALUE);
  },
  cuMemRangeGetAttribute: (state, out, byteLength, attribute, pointer, count) =>
    state.refuse() || getAttribute(state, out, Number(byteLength), attribute, pointer, Number(count)),
  // Kernels and the host may use the same memory at the same time, for every stream that the memory is attached to.
  cuStreamAttachMemAsync: (state, stream, pointer, length, flags) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    if (!state.streamOf(Number(stream))) return Status.INVALID_HANDLE;
    const known = flags === 1 || flags === 2 || flags === 4;
    return known && rangeAt(state, pointer, Number(length)) ? Status.SUCCESS : Status.INVALID_VALUE;
  },
  cuMemHostRegister: (state, pointer, byteLength, flags) => register(state, pointer, Number(byteLength), flags),
  cuMemHostUnregister: (state, pointer) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    return state.registered.delete(hostAddress(pointer)) ? Status.SUCCESS : Status.HOST_MEMORY_NOT_REGISTERED;
  },
};

function rangeAt(state: DriverState, pointer: bigint, byteLength: number): ManagedRange | undefined {
  const found = state.memory.find(Number(pointer), byteLength);
  return found && state.managed.get(found.address);
}

/** A device's ordinal, -1 for the host; undefined for an unknown location. */
function placeOf(state: DriverState, location: number | bigint): number | undefined {
  const packed = BigInt(location);
  const type = Number(packed & 0xffff_ffffn);
  const id = Number(BigInt.asIntN(32, packed >> 32n));
  if (type === MemLocationType.DEVICE) return state.known(id) === Status.SUCCESS ? id : undefined;
  return type >= MemLocationType.HOST && type <= MemLocationType.HOST_NUMA_CURRENT ? ON_HOST : undefined;
}

function advise(range: ManagedRange, advice: number, place: number | undefined): number {
  const needsPlace = advice === MemAdvise.SET_PREFERRED_LOCATION || advice >= MemAdvise.SET_ACCESSED_BY;
  if (needsPlace && place === undefined) return Status.INVALID_DEVICE;
  switch (advice) {
    case MemAdvise.SET_READ_MOSTLY:
    case MemAdvise.UNSET_READ_MOSTLY:
      range.readMostly = advice === MemAdvise.SET_READ_MOSTLY;
      return Status.SUCCESS;
    case MemAdvise.SET_PREFERRED_LOCATION:
    case MemAdvise.UNSET_PREFERRED_LOCATION:
      range.preferred = advice === MemAdvise.SET_PREFERRED_LOCATION ? (place ?? NOWHERE) : NOWHERE;
      return Status.SUCCESS;
    case MemAdvise.SET_ACCESSED_BY:
      range.accessedBy.add(place ?? NOWHERE);
      return Status.SUCCESS;
    case MemAdvise.UNSET_ACCESSED_BY:
      range.accessedBy.delete(place ?? NOWHERE);
      return Status.SUCCESS;
    default:
      return Status.INVALID_VALUE;
  }
}

function answer(range: ManagedRange, attribute: number, count: number): readonly number[] | undefined {
  const typeOf = (place: number): number =>
    place === NOWHERE ? MemLocationType.INVALID : place === ON_HOST ? MemLocationType.HOST : MemLocationType.DEVICE;
  const A = MemRangeAttribute;
  switch (attribute) {
    case A.READ_MOSTLY:
      return [range.readMostly ? 1 : 0];
    case A.PREFERRED_LOCATION:
      return [range.preferred];
    case A.ACCESSED_BY:
      return Array.from({ length: count }, (_, i) => [...range.accessedBy][i] ?? NOWHERE);
    case A.LAST_PREFETCH_LOCATION:
      return [range.prefetched];
    case A.PREFERRED_LOCATION_TYPE:
      return [typeOf(range.preferred)];
    case A.PREFERRED_LOCATION_ID:
      return [Math.max(0, range.preferred)];
    case A.LAST_PREFETCH_LOCATION_TYPE:
      return [typeOf(range.prefetched)];
    case A.LAST_PREFETCH_LOCATION_ID:
      return [Math.max(0, range.prefetched)];
    default:
      return undefined;
  }
}

function getAttribute(
  state: DriverState,
  out: Out,
  byteLength: number,
  attribute: number,
  pointer: bigint,
  count: number,
): number {
  const range = rangeAt(state, pointer, count);
  const room = bytesAt(out, Math.min(byteLength, 4096));
  if (!range || byteLength < 4 || byteLength % 4 !== 0 || room.length < 4) return Status.INVALID_VALUE;
  const words = answer(range, attribute, room.length >>> 2);
  if (!words) return Status.INVALID_VALUE;
  const view = new DataView(room.buffer, room.byteOffset, room.byteLength);
  words.forEach((word, i) => {
    view.setInt32(4 * i, word, true);
  });
  return Status.SUCCESS;
}

function hostAddress(pointer: Out): bigint {
  return typeof pointer === 'bigint' ? pointer : addressOf(pointer);
}

function register(state: DriverState, pointer: Out, byteLength: number, flags: number): number {
  const context = state.current;
  const refused = state.refuse();
  if (!context || refused !== 0) return refused;
  const start = hostAddress(pointer);
  if (start === 0n || byteLength <= 0 || flags < 0 || flags > 0xf) return Status.INVALID_VALUE;
  const end = start + BigInt(byteLength);
  const taken = [...state.registered].some(([at, { size }]) => at < end && start < at + BigInt(size));
  if (taken || state.memory.deviceAddress(start) !== undefined) return Status.HOST_MEMORY_ALREADY_REGISTERED;
  state.registered.set(start, { context, size: byteLength, flags });
  return Status.SUCCESS;
}
