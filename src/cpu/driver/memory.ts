import type { DriverTable } from '../../cuda/sys/tables.ts';
import { MemoryType, PointerAttribute } from '../../cuda/sys/enums.ts';
import { Status } from '../abi/status.ts';
import { Limits } from './attributes.ts';
import { bytesAt, putInt, putWide, type Out } from '../abi/out.ts';
import { CpuContext } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuMemGetInfo'
  | 'cuMemAlloc'
  | 'cuMemAllocPitch'
  | 'cuMemFree'
  | 'cuMemGetAddressRange'
  | 'cuMemHostAlloc'
  | 'cuMemFreeHost'
  | 'cuMemHostGetDevicePointer'
  | 'cuMemHostGetFlags'
  | 'cuPointerGetAttribute'
  | 'cuPointerSetAttribute';

/** Device memory and page-locked memory, which is a part of it that the host reaches by its own address. */
export const memoryFunctions: Rows<DriverState, DriverTable, Names> = {
  cuMemGetInfo: (state, free, total) =>
    state.refuse() ||
    putWide(free, state.devices.freeOf(state.current?.device ?? 0)) ||
    putWide(total, state.devices.total),
  cuMemAlloc: (state, out, byteLength) => allocate(state, out, Number(byteLength)),
  cuMemAllocPitch: (state, out, pitch, width, height, elementBytes) => {
    if (![4, 8, 16].includes(elementBytes)) return Status.INVALID_VALUE;
    const row = Math.ceil(Number(width) / Limits.PITCH) * Limits.PITCH;
    return allocate(state, out, row * Number(height)) || putWide(pitch, row);
  },
  cuMemFree: (state, pointer) => {
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    if (pointer === 0n) return Status.SUCCESS;
    const address = Number(pointer);
    const owner = state.memory.ownerOf(address);
    if (!(owner instanceof CpuContext) || !owner.memory.has(address)) return Status.INVALID_VALUE;
    // Commands that still run may use the memory.
    state.settle(owner);
    owner.memory.delete(address);
    state.forgetAllocation(address);
    state.memory.release(address);
    return state.refusal(context);
  },
  cuMemGetAddressRange: (state, base, size, pointer) => {
    const found = state.memory.find(Number(pointer), 0);
    if (!found) return state.refuse() || Status.INVALID_VALUE;
    return state.refuse() || putWide(base, found.address) || putWide(size, found.byteLength);
  },
  cuMemHostAlloc: (state, out, byteLength, flags) => {
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    const size = Number(byteLength);
    if (size <= 0 || (flags & ~7) !== 0) return Status.INVALID_VALUE;
    state.engine.collect();
    const address = state.memory.allocate(size, context);
    if (address === undefined) return Status.OUT_OF_MEMORY;
    context.hostMemory.set(address, flags);
    // The host may write to the memory at any time.
    state.memory.guard?.write(address, size);
    return putWide(out, state.memory.hostAddress(address));
  },
  cuMemFreeHost: (state, pointer) => {
    const found = typeof pointer === 'bigint' ? hostMemory(state, pointer) : undefined;
    if (!found || state.memory.find(found[1], 0)?.address !== found[1]) {
      return state.refuse() || Status.INVALID_VALUE;
    }
    const [owner, address] = found;
    state.settle(owner);
    owner.hostMemory.delete(address);
    state.memory.release(address);
    return state.refuse();
  },
  cuMemHostGetDevicePointer: (state, out, pointer, flags) => {
    const found = typeof pointer === 'bigint' ? hostMemory(state, pointer) : undefined;
    const refused = state.refuse();
    if (refused !== 0) return refused;
    if (found && flags === 0) return putWide(out, found[1]);
    return typeof pointer === 'bigint' && state.registered.has(pointer) ? Status.NOT_SUPPORTED : Status.INVALID_VALUE;
  },
  cuMemHostGetFlags: (state, out, pointer) => {
    const found = typeof pointer === 'bigint' ? hostMemory(state, pointer) : undefined;
    const start = found ? state.memory.find(found[1], 0)?.address : undefined;
    const flags = found && start !== undefined ? found[0].hostMemory.get(start) : undefined;
    return state.refuse() || (flags === undefined ? Status.INVALID_VALUE : putInt(out, flags));
  },
  // Copies of a stream run in its order, and those that must wait do, which satisfies SYNC_MEMOPS.
  cuPointerSetAttribute: (state, _value, attribute, pointer) => {
    if (attribute !== PointerAttribute.SYNC_MEMOPS) return Status.INVALID_VALUE;
    return state.refuse() || (state.memory.find(Number(pointer), 0) ? Status.SUCCESS : Status.INVALID_VALUE);
  },
  cuPointerGetAttribute: (state, out, attribute, pointer) =>
    state.refuse() || pointerAttribute(state, out, attribute, pointer),
};

function allocate(state: DriverState, out: Out, byteLength: number): number {
  const context = state.current;
  const refused = state.refuse();
  if (!context || refused !== 0) return refused;
  if (byteLength <= 0) return Status.INVALID_VALUE;
  state.engine.collect();
  const address = state.allocate(byteLength, context, context);
  if (address === undefined) return Status.OUT_OF_MEMORY;
  context.memory.add(address);
  return putWide(out, address);
}

/** The page-locked allocation at a host address. */
function hostMemory(
  state: DriverState,
  hostAddress: bigint,
): readonly [context: CpuContext, address: number] | undefined {
  const address = state.memory.deviceAddress(hostAddress);
  const found = address === undefined ? undefined : state.memory.find(address, 0);
  if (!found || address === undefined) return undefined;
  const owner = state.memory.ownerOf(found.address);
  return owner instanceof CpuContext && owner.hostMemory.has(found.address) ? [owner, address] : undefined;
}

/** An attribute of registered host memory, which kernels do not reach. */
function registeredAttribute(state: DriverState, out: Out, attribute: number, pointer: bigint): number {
  for (const [start, { context, size }] of state.registered) {
    if (pointer < start || pointer >= start + BigInt(size)) continue;
    if (attribute === PointerAttribute.MEMORY_TYPE) return putInt(out, MemoryType.HOST);
    if (attribute === PointerAttribute.CONTEXT) return putWide(out, context.handle);
    if (attribute === PointerAttribute.HOST_POINTER) return putWide(out, pointer);
    if (attribute === PointerAttribute.DEVICE_ORDINAL) return putInt(out, context.device);
    if (attribute === PointerAttribute.RANGE_START_ADDR) return putWide(out, start);
    if (attribute === PointerAttribute.RANGE_SIZE) return putWide(out, size);
    return Status.NOT_SUPPORTED;
  }
  return Status.INVALID_VALUE;
}

function pointerAttribute(state: DriverState, out: Out, attribute: number, pointer: bigint): number {
  const mapped = hostMemory(state, pointer);
  const address = mapped ? mapped[1] : Number(pointer);
  const found = state.memory.find(address, 0);
  if (!found) return registeredAttribute(state, out, attribute, pointer);
  const owner = state.memory.ownerOf(found.address) as CpuContext | { readonly context: CpuContext };
  const context = 'context' in owner ? owner.context : owner;
  const isHost = context.hostMemory.has(found.address);
  const isManaged = state.managed.has(found.address) || state.inManagedVariable(address);
  switch (attribute) {
    case PointerAttribute.CONTEXT:
      return putWide(out, context.handle);
    case PointerAttribute.MEMORY_TYPE:
      return putInt(out, isHost ? MemoryType.HOST : MemoryType.DEVICE);
    case PointerAttribute.DEVICE_POINTER:
      return putWide(out, address);
    case PointerAttribute.HOST_POINTER:
      if (!isHost && !isManaged) return Status.INVALID_VALUE;
      return putWide(out, state.memory.hostAddress(address));
    case PointerAttribute.DEVICE_ORDINAL:
      return putInt(out, state.deviceOf(found.address, context));
    case PointerAttribute.RANGE_START_ADDR:
      return putWide(out, found.address);
    case PointerAttribute.RANGE_SIZE:
      return putWide(out, found.byteLength);
    case PointerAttribute.MEMPOOL_HANDLE:
      return putWide(out, state.pools.of(found.address)?.handle ?? 0);
    case PointerAttribute.BUFFER_ID:
      return putWide(out, found.address);
    case PointerAttribute.MAPPED:
    case PointerAttribute.SYNC_MEMOPS:
    case PointerAttribute.IS_MANAGED: {
      const yes = attribute === PointerAttribute.MAPPED || (attribute === PointerAttribute.IS_MANAGED && isManaged);
      // Callers pass a bool or an int: only the first byte is written.
      const bytes = bytesAt(out, 1);
      bytes[0] = yes ? 1 : 0;
      return Status.SUCCESS;
    }
    default:
      return Status.NOT_SUPPORTED;
  }
}
