import type { DriverTable } from '../../cuda/sys/tables.ts';
import {
  MemAccessFlags,
  MemAllocationType,
  MemHandleType,
  MemLocationType,
  MemPoolAttribute,
} from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, putInt, putWide, type Out } from '../abi/out.ts';
import type { CpuPool } from './pools.ts';
import { CpuContext } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuDeviceGetDefaultMemPool'
  | 'cuDeviceGetMemPool'
  | 'cuDeviceSetMemPool'
  | 'cuMemAllocAsync'
  | 'cuMemAllocFromPoolAsync'
  | 'cuMemFreeAsync'
  | 'cuMemPoolCreate'
  | 'cuMemPoolDestroy'
  | 'cuMemPoolGetAttribute'
  | 'cuMemPoolSetAttribute'
  | 'cuMemPoolTrimTo'
  | 'cuMemPoolSetAccess'
  | 'cuMemPoolGetAccess';

const A = MemPoolAttribute;
const FLAGS: readonly number[] = [
  A.REUSE_FOLLOW_EVENT_DEPENDENCIES,
  A.REUSE_ALLOW_OPPORTUNISTIC,
  A.REUSE_ALLOW_INTERNAL_DEPENDENCIES,
];

/** Allocation in stream order. Memory is freed when all commands that were enqueued before have finished. */
export const poolFunctions: Rows<DriverState, DriverTable, Names> = {
  cuDeviceGetDefaultMemPool: (state, out, device) =>
    state.known(device) || putWide(out, state.pools.defaultOf(device).handle),
  cuDeviceGetMemPool: (state, out, device) => state.known(device) || putWide(out, state.pools.currentOf(device).handle),
  cuDeviceSetMemPool: (state, device, handle) => {
    if (state.known(device)) return Status.INVALID_DEVICE;
    return withPool(state, handle, (pool) => {
      if (pool.device >= 0 && pool.device !== device) return Status.INVALID_VALUE;
      state.pools.choose(device, pool);
      return Status.SUCCESS;
    });
  },
  cuMemAllocAsync: (state, out, size, stream) => allocate(state, out, Number(size), undefined, stream),
  cuMemAllocFromPoolAsync: (state, out, size, handle, stream) =>
    withPool(state, handle, (pool) => allocate(state, out, Number(size), pool, stream)),
  cuMemFreeAsync: (state, pointer, stream) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    if (!state.streamOf(Number(stream))) return Status.INVALID_HANDLE;
    const address = Number(pointer);
    const owner = state.memory.ownerOf(address);
    if (!(owner instanceof CpuContext) || !owner.memory.delete(address)) return Status.INVALID_VALUE;
    state.forgetAllocation(address);
    state.engine.afterAll(() => state.memory.release(address));
    return Status.SUCCESS;
  },
  cuMemPoolCreate: create,
  cuMemPoolDestroy: (state, handle) =>
    withPool(state, handle, (pool) => (state.pools.destroy(pool) ? Status.SUCCESS : Status.INVALID_VALUE)),
  cuMemPoolGetAttribute: (state, handle, attribute, out) =>
    withPool(state, handle, (pool) => get(pool, attribute, out)),
  cuMemPoolSetAttribute: (state, handle, attribute, value) =>
    withPool(state, handle, (pool) => set(pool, attribute, value)),
  cuMemPoolTrimTo: (state, handle) => withPool(state, handle, () => Status.SUCCESS),
  cuMemPoolSetAccess: (state, handle, map, count) =>
    withPool(state, handle, (pool) => {
      const { size, fields } = structs.CUmemAccessDesc;
      const room = size * Number(count);
      if (map === 0n || room > 1 << 16) return Status.INVALID_VALUE;
      const bytes = bytesAt(map, room);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at < room && at + size <= bytes.length; at += size) {
        const device = deviceAt(state, view, at + fields.location);
        const status = setAccess(pool, device, view.getInt32(at + fields.flags, true));
        if (status !== Status.SUCCESS) return status;
      }
      state.devices.refreshAll();
      return Status.SUCCESS;
    }),
  cuMemPoolGetAccess: (state, out, handle, location) =>
    withPool(state, handle, (pool) => {
      const bytes = bytesAt(location, 8);
      if (bytes.length < 8) return Status.INVALID_VALUE;
      const device = deviceAt(state, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
      if (device === undefined) return Status.INVALID_DEVICE;
      const has = pool.device < 0 || pool.device === device || pool.access.has(device);
      return putInt(out, has ? MemAccessFlags.READWRITE : MemAccessFlags.NONE);
    }),
};

/** A pool's own device always has full access. */
function setAccess(pool: CpuPool, device: number | undefined, flags: number): number {
  if (device === undefined) return Status.INVALID_DEVICE;
  if (flags !== MemAccessFlags.NONE && flags !== MemAccessFlags.READWRITE) return Status.INVALID_VALUE;
  if (device === pool.device) return flags === MemAccessFlags.NONE ? Status.INVALID_DEVICE : Status.SUCCESS;
  if (flags === MemAccessFlags.NONE) pool.access.delete(device);
  else pool.access.add(device);
  return Status.SUCCESS;
}

function allocate(
  state: DriverState,
  out: Out,
  byteLength: number,
  given: CpuPool | undefined,
  stream: bigint,
): number {
  const refused = state.refuse();
  if (refused !== 0) return refused;
  const on = state.streamOf(Number(stream));
  if (!on) return Status.INVALID_HANDLE;
  if (byteLength <= 0) return Status.INVALID_VALUE;
  const pool = given ?? state.pools.currentOf(on.context.device);
  if (pool.maxBytes > 0 && pool.used + byteLength > pool.maxBytes) return Status.OUT_OF_MEMORY;
  const { context } = on;
  state.engine.collect();
  const take = (): number | undefined =>
    pool.device < 0 ? state.memory.allocate(byteLength, context) : state.allocate(byteLength, context, pool);
  let address = take();
  if (address === undefined && context.last !== undefined) {
    // Freed memory becomes available when running commands have finished.
    state.settle(context);
    address = take();
  }
  if (address === undefined) return Status.OUT_OF_MEMORY;
  context.memory.add(address);
  state.pools.note(pool, address, byteLength);
  return putWide(out, address);
}

function withPool(state: DriverState, handle: bigint, run: (pool: CpuPool) => number): number {
  const pool = state.pools.find(handle);
  return pool ? run(pool) : Status.INVALID_VALUE;
}

function get(pool: CpuPool, attribute: number, out: Out): number {
  switch (attribute) {
    case A.RELEASE_THRESHOLD:
      return putWide(out, pool.threshold);
    case A.RESERVED_MEM_CURRENT:
    case A.USED_MEM_CURRENT:
      return putWide(out, pool.used);
    case A.RESERVED_MEM_HIGH:
      return putWide(out, pool.reservedHigh);
    case A.USED_MEM_HIGH:
      return putWide(out, pool.usedHigh);
    default:
      return FLAGS.includes(attribute) ? putInt(out, pool.reuse.get(attribute) ?? 1) : Status.INVALID_VALUE;
  }
}

function set(pool: CpuPool, attribute: number, value: Out): number {
  if (value === 0n) return Status.INVALID_VALUE;
  const bytes = bytesAt(value, FLAGS.includes(attribute) ? 4 : 8);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (FLAGS.includes(attribute)) {
    pool.reuse.set(attribute, view.getInt32(0, true) === 0 ? 0 : 1);
    return Status.SUCCESS;
  }
  const wide = view.getBigUint64(0, true);
  if (attribute === A.RELEASE_THRESHOLD) pool.threshold = wide;
  else if (attribute === A.RESERVED_MEM_HIGH && wide === 0n) pool.reservedHigh = pool.used;
  else if (attribute === A.USED_MEM_HIGH && wide === 0n) pool.usedHigh = pool.used;
  else return Status.INVALID_VALUE;
  return Status.SUCCESS;
}

function create(state: DriverState, out: Out, props: Out): number {
  const { size, fields } = structs.CUmemPoolProps;
  const bytes = bytesAt(props, size);
  if (bytes.length < size) return Status.INVALID_VALUE;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getInt32(fields.allocType, true) !== MemAllocationType.PINNED) return Status.INVALID_VALUE;
  if (view.getInt32(fields.handleTypes, true) !== MemHandleType.NONE) return Status.NOT_SUPPORTED;
  // All memory of this device is the host's.
  const isHost = view.getInt32(fields.location, true) === MemLocationType.HOST;
  const device = isHost ? -1 : deviceAt(state, view, fields.location);
  if (device === undefined) return Status.INVALID_VALUE;
  return putWide(out, state.pools.create(device, Number(view.getBigUint64(fields.maxSize, true))).handle);
}

/** The ordinal in a location of a device; undefined for another location. */
function deviceAt(state: DriverState, view: DataView, at: number): number | undefined {
  const ordinal = view.getInt32(at + 4, true);
  return view.getInt32(at, true) === MemLocationType.DEVICE && state.known(ordinal) === 0 ? ordinal : undefined;
}
