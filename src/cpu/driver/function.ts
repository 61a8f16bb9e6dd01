import type { DriverTable } from '../../cuda/sys/tables.ts';
import { FunctionAttribute, FunctionLoadingState } from '../../cuda/sys/enums.ts';
import { capabilityOf } from '../abi/program.ts';
import { Status } from '../abi/status.ts';
import { CAPABILITY, Limits } from './attributes.ts';
import { putInt, putWide, textAddress } from '../abi/out.ts';
import type { CpuFunction } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuFuncGetAttribute'
  | 'cuFuncSetAttribute'
  | 'cuFuncSetCacheConfig'
  | 'cuFuncIsLoaded'
  | 'cuFuncLoad'
  | 'cuFuncGetModule'
  | 'cuFuncGetName'
  | 'cuFuncGetParamInfo'
  | 'cuOccupancyMaxActiveBlocksPerMultiprocessor'
  | 'cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags'
  | 'cuOccupancyMaxPotentialBlockSize'
  | 'cuOccupancyMaxPotentialBlockSizeWithFlags'
  | 'cuOccupancyAvailableDynamicSMemPerBlock';

/** Registers have no meaning here; tools divide by their number. */
const REGISTERS = 32;
/** Bytes of shared memory that the system reserves for a block. */
const RESERVED = 1024;

/** Attributes of kernels, and occupancy. */
export const functionFunctions: Rows<DriverState, DriverTable, Names> = {
  cuFuncGetAttribute: (state, out, attribute, raw) =>
    withFunction(state, raw, (target) => {
      const value = read(target, attribute);
      return value === undefined ? Status.INVALID_VALUE : putInt(out, value);
    }),
  cuFuncSetAttribute: (state, raw, attribute, value) =>
    withFunction(state, raw, (target) => write(target, attribute, value)),
  cuFuncSetCacheConfig: (state, raw, config) =>
    withFunction(state, raw, () => (config >= 0 && config <= 3 ? Status.SUCCESS : Status.INVALID_VALUE)),
  // Loading is eager.
  cuFuncIsLoaded: (state, out, raw) => withFunction(state, raw, () => putInt(out, FunctionLoadingState.LOADED)),
  cuFuncLoad: (state, raw) => withFunction(state, raw, () => Status.SUCCESS),
  cuFuncGetModule: (state, out, raw) =>
    withFunction(state, raw, (target) => {
      for (const [handle, module] of state.modules) if (module === target.module) return putWide(out, handle);
      return Status.INVALID_HANDLE;
    }),
  cuFuncGetName: (state, out, raw) =>
    withFunction(state, raw, ({ kernel }) => putWide(out, textAddress(kernel.symbol))),
  cuFuncGetParamInfo: (state, raw, index, offset, size) =>
    withFunction(state, raw, ({ kernel }) => {
      const parameter = kernel.parameters[Number(index)];
      if (!parameter) return Status.INVALID_VALUE;
      putWide(offset, parameter.offset);
      return putWide(size, parameter.size);
    }),
  cuOccupancyMaxActiveBlocksPerMultiprocessor: (state, out, raw, threads, shared) =>
    withFunction(state, raw, (target) =>
      threads <= 0 ? Status.INVALID_VALUE : putInt(out, residentBlocks(target, threads, Number(shared))),
    ),
  cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags: (state, out, raw, threads, shared, flags) =>
    flags > 1
      ? Status.INVALID_VALUE
      : functionFunctions.cuOccupancyMaxActiveBlocksPerMultiprocessor(state, out, raw, threads, shared),
  cuOccupancyMaxPotentialBlockSize: (state, grid, block, raw, callback, shared, limit) =>
    withFunction(state, raw, (target) => {
      if (callback !== 0n) return Status.NOT_SUPPORTED;
      const most = Math.min(Limits.THREADS, target.kernel.maxThreads, limit === 0 ? Infinity : limit);
      const threads = most >= Limits.WARP ? most - (most % Limits.WARP) : most;
      putInt(block, threads);
      return putInt(grid, state.workers * residentBlocks(target, threads, Number(shared)));
    }),
  cuOccupancyMaxPotentialBlockSizeWithFlags: (state, grid, block, raw, callback, shared, limit, flags) =>
    flags > 1
      ? Status.INVALID_VALUE
      : functionFunctions.cuOccupancyMaxPotentialBlockSize(state, grid, block, raw, callback, shared, limit),
  cuOccupancyAvailableDynamicSMemPerBlock: (state, out, raw, blocks, threads) =>
    withFunction(state, raw, (target) => {
      if (blocks <= 0 || threads <= 0 || residentBlocks(target, threads, 0) < blocks) return Status.INVALID_VALUE;
      const share = Math.floor(Limits.SHARED_OF_MULTIPROCESSOR / blocks) - RESERVED;
      return putWide(out, Math.min(share, Limits.SHARED_OPTIN) - target.kernel.sharedBytes);
    }),
};

function withFunction(state: DriverState, raw: bigint, run: (target: CpuFunction) => number): number {
  const target = state.functions.get(Number(raw));
  return state.refuse() || (target ? run(target) : Status.INVALID_HANDLE);
}

function read({ kernel, module, dynamicShared, carveout }: CpuFunction, attribute: number): number | undefined {
  const A = FunctionAttribute;
  switch (attribute) {
    case A.MAX_THREADS_PER_BLOCK:
      return Math.min(Limits.THREADS, kernel.maxThreads);
    case A.SHARED_SIZE_BYTES:
      return kernel.sharedBytes;
    case A.NUM_REGS:
      return REGISTERS;
    case A.PTX_VERSION:
      return module.loaded ? capabilityOf(module.loaded.program.program.arch) : CAPABILITY;
    case A.BINARY_VERSION:
      return CAPABILITY;
    case A.MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return dynamicShared;
    case A.PREFERRED_SHARED_MEMORY_CARVEOUT:
      return carveout;
    default:
      return (Object.values(A) as number[]).includes(attribute) ? 0 : undefined;
  }
}

function write(target: CpuFunction, attribute: number, value: number): number {
  switch (attribute) {
    case FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0 || value > Limits.SHARED_OPTIN - target.kernel.sharedBytes) return Status.INVALID_VALUE;
      target.dynamicShared = value;
      return Status.SUCCESS;
    case FunctionAttribute.PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) return Status.INVALID_VALUE;
      target.carveout = value;
      return Status.SUCCESS;
    default:
      return Status.INVALID_VALUE;
  }
}

/** Resident blocks on a multiprocessor of a GPU with these limits. */
export function residentBlocks({ kernel }: CpuFunction, threads: number, shared: number): number {
  if (threads > Math.min(Limits.THREADS, kernel.maxThreads)) return 0;
  const warps = Math.ceil(threads / Limits.WARP) * Limits.WARP;
  const used = kernel.sharedBytes + shared + RESERVED;
  return Math.min(
    Limits.BLOCKS_OF_MULTIPROCESSOR,
    Math.floor(Limits.THREADS_OF_MULTIPROCESSOR / warps),
    Math.floor(Limits.REGISTERS / (REGISTERS * warps)),
    Math.floor(Limits.SHARED_OF_MULTIPROCESSOR / used),
  );
}
