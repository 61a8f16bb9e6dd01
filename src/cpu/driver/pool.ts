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
import { CpuContext, type DriverState } from './state.ts';
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
    device === 0 ? putWide(out, state.pools.default.handle) : Status.INVALID_DEVICE,
  cuDeviceGetMemPool: (state, out, device) =>
    device === 0 ? putWide(out, state.pools.current.handle) : Status.INVALID_DEVICE,
  cuDeviceSetMemPool: (state, device, handle) => {
    if (device !== 0) return Status.INVALID_DEVICE;
    return withPool(state, handle, (pool) => {
      state.pools.current = pool;
      return Status.SUCCESS;
    });
  },
  cuMemAllocAsync: (state, out, size, stream) => allocate(state, out, Number(size), state.pools.current, stream),
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
  // The only device always has full access.
  cuMemPoolSetAccess: (state, handle, map, count) =>
    withPool(state, handle, () => {
      const { size, fields } = structs.CUmemAccessDesc;
      const room = size * Number(count);
      if (map === 0n || room > 1 << 16) return Status.INVALID_VALUE;
      const bytes = bytesAt(map, room);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at < room && at + size <= bytes.length; at += size) {
        if (!isDevice(view, at + fields.location)) return Status.INVALID_DEVICE;
        if (view.getInt32(at + fields.flags, true) !== MemAccessFlags.READWRITE) return Status.INVALID_VALUE;
      }
      return Status.SUCCESS;
    }),
  cuMemPoolGetAccess: (state, out, handle, location) =>
    withPool(state, handle, () => {
      const bytes = bytesAt(location, 8);
      if (bytes.length < 8) return Status.INVALID_VALUE;
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return isDevice(view, 0) ? putInt(out, MemAccessFlags.READWRITE) : Status.INVALID_DEVICE;
    }),
};

function allocate(state: DriverState, out: Out, byteLength: number, pool: CpuPool, stream: bigint): number {
  const refused = state.refuse();
  if (refused !== 0) return refused;
  const on = state.streamOf(Number(stream));
  if (!on) return Status.INVALID_HANDLE;
  if (byteLength <= 0) return Status.INVALID_VALUE;
  if (pool.maxBytes > 0 && pool.used + byteLength > pool.maxBytes) return Status.OUT_OF_MEMORY;
  const { context } = on;
  state.engine.collect();
  let address = state.memory.allocate(byteLength, context);
  if (address === undefined && context.last !== undefined) {
    // Freed memory becomes available when running commands have finished.
    state.settle(context);
    address = state.memory.allocate(byteLength, context);
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
  if (!isHost && !isDevice(view, fields.location)) return Status.INVALID_VALUE;
  return putWide(out, state.pools.create(Number(view.getBigUint64(fields.maxSize, true))).handle);
}

function isDevice(view: DataView, at: number): boolean {
  return view.getInt32(at, true) === MemLocationType.DEVICE && view.getInt32(at + 4, true) === 0;
}
