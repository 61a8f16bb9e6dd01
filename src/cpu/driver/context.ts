import type { DriverTable } from '../../cuda/sys/tables.ts';
import { Limit } from '../../cuda/sys/enums.ts';
import { Status } from '../abi/status.ts';
import { putInt, putWide } from '../abi/out.ts';
import type { CpuContext, DriverState } from './state.ts';

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

/** The primary context, contexts of one's own, and what is set for them. */
export function contextFunctions(state: DriverState): Pick<DriverTable, Names> {
  const known = (device: number): number => (device === 0 ? Status.SUCCESS : Status.INVALID_DEVICE);
  const find = (handle: bigint): CpuContext | undefined => state.contexts.get(Number(handle));

  const getLimit = (context: CpuContext, limit: number): number | undefined => {
    switch (limit) {
      case Limit.STACK_SIZE:
        return context.stackBytes;
      case Limit.PRINTF_FIFO_SIZE:
        return PRINT_BYTES;
      case Limit.MALLOC_HEAP_SIZE:
        return state.engine.heapBytes;
      case Limit.MAX_L2_FETCH_GRANULARITY:
        return L2_GRANULARITY;
      case Limit.PERSISTING_L2_CACHE_SIZE:
        return 0;
      default:
        return undefined;
    }
  };

  const setLimit = (context: CpuContext, limit: number, value: number): number => {
    switch (limit) {
      case Limit.STACK_SIZE:
        if (value > 512 * 1024) return Status.INVALID_VALUE;
        context.stackBytes = Math.ceil(value / 16) * 16;
        state.engine.resizeStacks(context.stackBytes);
        return Status.SUCCESS;
      case Limit.MALLOC_HEAP_SIZE:
        return state.engine.resizeHeap(value) ? Status.SUCCESS : Status.INVALID_VALUE;
      case Limit.PRINTF_FIFO_SIZE:
      case Limit.MAX_L2_FETCH_GRANULARITY:
      case Limit.PERSISTING_L2_CACHE_SIZE:
        // Advice, which a driver may ignore.
        return Status.SUCCESS;
      default:
        return Status.UNSUPPORTED_LIMIT;
    }
  };

  return {
    cuDevicePrimaryCtxRetain: (out, device) => {
      if (device !== 0) return Status.INVALID_DEVICE;
      state.primary ??= state.openContext(true, state.primaryFlags);
      if (!state.primary) return Status.OUT_OF_MEMORY;
      state.primaryUses++;
      return putWide(out, state.primary.handle);
    },
    cuDevicePrimaryCtxRelease: (device) => {
      if (device !== 0) return Status.INVALID_DEVICE;
      if (!state.primary) return Status.INVALID_CONTEXT;
      if (--state.primaryUses > 0) return Status.SUCCESS;
      state.closeContext(state.primary);
      state.primary = undefined;
      return Status.SUCCESS;
    },
    cuDevicePrimaryCtxSetFlags: (device, flags) => {
      if (device !== 0) return Status.INVALID_DEVICE;
      if ((flags & ~KNOWN_FLAGS) !== 0) return Status.INVALID_VALUE;
      state.primaryFlags = flags;
      return Status.SUCCESS;
    },
    cuDevicePrimaryCtxGetState: (device, flags, active) =>
      known(device) || putInt(flags, state.primaryFlags) || putInt(active, state.primary ? 1 : 0),
    cuDevicePrimaryCtxReset: (device) => {
      if (device !== 0) return Status.INVALID_DEVICE;
      if (state.primary) {
        state.empty(state.primary);
        state.engine.clear(state.primary.index);
        state.primary.reports.reset();
      }
      return Status.SUCCESS;
    },

    cuCtxCreate: (out, flags, device) => {
      if (device !== 0) return Status.INVALID_DEVICE;
      if ((flags & ~KNOWN_FLAGS) !== 0) return Status.INVALID_VALUE;
      const context = state.openContext(false, flags);
      if (!context) return Status.OUT_OF_MEMORY;
      state.stack.push(context);
      return putWide(out, context.handle);
    },
    cuCtxDestroy: (handle) => {
      const context = find(handle);
      if (!context || context.primary) return Status.INVALID_CONTEXT;
      state.closeContext(context);
      if (state.current === context) state.stack.pop();
      return Status.SUCCESS;
    },
    cuCtxPushCurrent: (handle) => {
      const context = find(handle);
      if (!context) return Status.INVALID_CONTEXT;
      state.stack.push(context);
      return Status.SUCCESS;
    },
    cuCtxPopCurrent: (out) => {
      if (state.stack.length === 0) return Status.INVALID_CONTEXT;
      return putWide(out, state.stack.pop()?.handle ?? 0);
    },
    cuCtxSetCurrent: (handle) => {
      const context = handle === 0n ? undefined : find(handle);
      if (handle !== 0n && !context) return Status.INVALID_CONTEXT;
      state.stack.pop();
      if (context) state.stack.push(context);
      return Status.SUCCESS;
    },
    cuCtxGetCurrent: (out) => putWide(out, state.current?.handle ?? 0),
    cuCtxGetDevice: (out) => (state.current ? putInt(out, 0) : Status.INVALID_CONTEXT),
    cuCtxGetId: (handle, out) => {
      const context = handle === 0n ? state.current : find(handle);
      return context ? putWide(out, context.handle) : Status.INVALID_CONTEXT;
    },
    cuCtxSynchronize: () => {
      const context = state.current;
      if (!context) return Status.INVALID_CONTEXT;
      return state.finish(context, context.last);
    },
    cuCtxSetLimit: (limit, value) => {
      const context = state.current;
      return state.refuse() || (context ? setLimit(context, limit, Number(value)) : Status.INVALID_CONTEXT);
    },
    cuCtxGetLimit: (out, limit) => {
      const context = state.current;
      if (!context) return Status.INVALID_CONTEXT;
      const value = getLimit(context, limit);
      return state.refusal(context) || (value === undefined ? Status.UNSUPPORTED_LIMIT : putWide(out, value));
    },
    cuCtxSetCacheConfig: (config) => {
      const context = state.current;
      if (!context) return Status.INVALID_CONTEXT;
      if (config < 0 || config > 3) return Status.INVALID_VALUE;
      context.cacheConfig = config;
      return state.refusal(context);
    },
    cuCtxGetCacheConfig: (out) => state.refuse() || putInt(out, state.current?.cacheConfig ?? 0),
    cuCtxGetApiVersion: (handle, out) =>
      handle === 0n || find(handle) ? putInt(out, API_VERSION) : Status.INVALID_CONTEXT,
    cuCtxGetFlags: (out) => state.refuse() || putInt(out, state.current?.flags ?? 0),
    // All work goes through one queue: there is nothing to prefer.
    cuCtxGetStreamPriorityRange: (least, greatest) => state.refuse() || putInt(least, 0) || putInt(greatest, 0),
  };
}
