import type { DriverTable } from '../../cuda/sys/tables.ts';
import { Limit } from '../../cuda/sys/enums.ts';
import { Status } from '../abi/status.ts';
import { putInt, putWide } from '../abi/out.ts';
import type { CpuContext } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuDevicePrimaryCtxRetain'
  | 'cuDevicePrimaryCtxRelease'
  | 'cuDevicePrimaryCtxSetFlags'
  | 'cuDevicePrimaryCtxGetState'
  | 'cuDevicePrimaryCtxReset'
  | 'cuCtxCreate'
  | 'cuCtxDestroy'
  | 'cuCtxPushCurrent'
  | 'cuCtxPopCurrent'
  | 'cuCtxSetCurrent'
  | 'cuCtxGetCurrent'
  | 'cuCtxGetDevice'
  | 'cuCtxGetId'
  | 'cuCtxSynchronize'
  | 'cuCtxSetLimit'
  | 'cuCtxGetLimit'
  | 'cuCtxSetCacheConfig'
  | 'cuCtxGetCacheConfig'
  | 'cuCtxGetApiVersion'
  | 'cuCtxGetFlags'
  | 'cuCtxGetStreamPriorityRange';

const API_VERSION = 3020;
const KNOWN_FLAGS = 0xff;
const PRINT_BYTES = 1 << 20;
const L2_GRANULARITY = 128;

/** Primary contexts, other contexts, and their settings. */
export const contextFunctions: Rows<DriverState, DriverTable, Names> = {
  cuDevicePrimaryCtxRetain: (state, out, ordinal) => {
    const device = state.devices.list[ordinal];
    if (!device) return Status.INVALID_DEVICE;
    device.primary ??= state.openContext(ordinal, true, device.primaryFlags);
    if (!device.primary) return Status.OUT_OF_MEMORY;
    device.primaryUses++;
    return putWide(out, device.primary.handle);
  },
  cuDevicePrimaryCtxRelease: (state, ordinal) => {
    const device = state.devices.list[ordinal];
    if (!device) return Status.INVALID_DEVICE;
    if (!device.primary) return Status.INVALID_CONTEXT;
    if (--device.primaryUses > 0) return Status.SUCCESS;
    state.closeContext(device.primary);
    device.primary = undefined;
    return Status.SUCCESS;
  },
  cuDevicePrimaryCtxSetFlags: (state, ordinal, flags) => {
    const device = state.devices.list[ordinal];
    if (!device) return Status.INVALID_DEVICE;
    if ((flags & ~KNOWN_FLAGS) !== 0) return Status.INVALID_VALUE;
    device.primaryFlags = flags;
    return Status.SUCCESS;
  },
  cuDevicePrimaryCtxGetState: (state, ordinal, flags, active) => {
    const device = state.devices.list[ordinal];
    if (!device) return Status.INVALID_DEVICE;
    putInt(flags, device.primaryFlags);
    return putInt(active, device.primary ? 1 : 0);
  },
  cuDevicePrimaryCtxReset: (state, ordinal) => {
    const device = state.devices.list[ordinal];
    if (!device) return Status.INVALID_DEVICE;
    if (device.primary) {
      state.empty(device.primary);
      state.engine.clear(device.primary.index);
      device.primary.reports.reset();
    }
    return Status.SUCCESS;
  },

  cuCtxCreate: (state, out, flags, device) => {
    if (state.known(device)) return Status.INVALID_DEVICE;
    if ((flags & ~KNOWN_FLAGS) !== 0) return Status.INVALID_VALUE;
    const context = state.openContext(device, false, flags);
    if (!context) return Status.OUT_OF_MEMORY;
    state.stack.push(context);
    return putWide(out, context.handle);
  },
  cuCtxDestroy: (state, handle) => {
    const context = find(state, handle);
    if (!context || context.primary) return Status.INVALID_CONTEXT;
    state.closeContext(context);
    if (state.current === context) state.stack.pop();
    return Status.SUCCESS;
  },
  cuCtxPushCurrent: (state, handle) => {
    const context = find(state, handle);
    if (!context) return Status.INVALID_CONTEXT;
    state.stack.push(context);
    return Status.SUCCESS;
  },
  cuCtxPopCurrent: (state, out) => {
    if (state.stack.length === 0) return Status.INVALID_CONTEXT;
    return putWide(out, state.stack.pop()?.handle ?? 0);
  },
  cuCtxSetCurrent: (state, handle) => {
    const context = handle === 0n ? undefined : find(state, handle);
    if (handle !== 0n && !context) return Status.INVALID_CONTEXT;
    state.stack.pop();
    if (context) state.stack.push(context);
    return Status.SUCCESS;
  },
  cuCtxGetCurrent: (state, out) => putWide(out, state.current?.handle ?? 0),
  cuCtxGetDevice: (state, out) => (state.current ? putInt(out, state.current.device) : Status.INVALID_CONTEXT),
  cuCtxGetId: (state, handle, out) => {
    const context = handle === 0n ? state.current : find(state, handle);
    return context ? putWide(out, context.handle) : Status.INVALID_CONTEXT;
  },
  cuCtxSynchronize: (state) => {
    const context = state.current;
    if (!context) return Status.INVALID_CONTEXT;
    return state.finishAll(context);
  },
  cuCtxSetLimit: (state, limit, value) => {
    const context = state.current;
    return state.refuse() || (context ? setLimit(state, context, limit, Number(value)) : Status.INVALID_CONTEXT);
  },
  cuCtxGetLimit: (state, out, limit) => {
    const context = state.current;
    if (!context) return Status.INVALID_CONTEXT;
    const value = getLimit(state, context, limit);
    return state.refusal(context) || (value === undefined ? Status.UNSUPPORTED_LIMIT : putWide(out, value));
  },
  cuCtxSetCacheConfig: (state, config) => {
    const context = state.current;
    if (!context) return Status.INVALID_CONTEXT;
    if (config < 0 || config > 3) return Status.INVALID_VALUE;
    context.cacheConfig = config;
    return state.refusal(context);
  },
  cuCtxGetCacheConfig: (state, out) => state.refuse() || putInt(out, state.current?.cacheConfig ?? 0),
  cuCtxGetApiVersion: (state, handle, out) =>
    handle === 0n || find(state, handle) ? putInt(out, API_VERSION) : Status.INVALID_CONTEXT,
  cuCtxGetFlags: (state, out) => state.refuse() || putInt(out, state.current?.flags ?? 0),
  // All commands go through one queue, so that priorities have no effect.
  cuCtxGetStreamPriorityRange: (state, least, greatest) => state.refuse() || putInt(least, 0) || putInt(greatest, 0),
};

function find(state: DriverState, handle: bigint): CpuContext | undefined {
  return state.contexts.get(Number(handle));
}

function getLimit(state: DriverState, context: CpuContext, limit: number): number | undefined {
  switch (limit) {
    case Limit.STACK_SIZE:
      return context.stackBytes;
    case Limit.PRINTF_FIFO_SIZE:
      return PRINT_BYTES;
    case Limit.MALLOC_HEAP_SIZE:
      return state.engine.heapBytes;
    case Limit.DEV_RUNTIME_PENDING_LAUNCH_COUNT:
      return state.engine.queue.maxPending;
    case Limit.MAX_L2_FETCH_GRANULARITY:
      return L2_GRANULARITY;
    case Limit.PERSISTING_L2_CACHE_SIZE:
      return 0;
    default:
      return undefined;
  }
}

function setLimit(state: DriverState, context: CpuContext, limit: number, value: number): number {
  switch (limit) {
    case Limit.STACK_SIZE:
      if (value > 512 * 1024) return Status.INVALID_VALUE;
      context.stackBytes = Math.ceil(value / 16) * 16;
      state.engine.resizeStacks(context.stackBytes);
      return Status.SUCCESS;
    case Limit.MALLOC_HEAP_SIZE:
      return state.engine.resizeHeap(value) ? Status.SUCCESS : Status.INVALID_VALUE;
    case Limit.DEV_RUNTIME_PENDING_LAUNCH_COUNT:
      if (value === 0 || value > 0x7fff_ffff) return Status.INVALID_VALUE;
      state.engine.queue.maxPending = value;
      return Status.SUCCESS;
    case Limit.PRINTF_FIFO_SIZE:
    case Limit.MAX_L2_FETCH_GRANULARITY:
    case Limit.PERSISTING_L2_CACHE_SIZE:
      // Advice, which a driver may ignore.
      return Status.SUCCESS;
    default:
      return Status.UNSUPPORTED_LIMIT;
  }
}
