import { cpuTimeoutVariable } from '../core/environment.ts';
import { CHECKS, type CheckedDevice } from '../core/kernel-report.ts';
import type { DriverTable } from '../cuda/sys/tables.ts';
import { environmentCheckMode, readCheckMode, type CheckMode } from '../core/check-mode.ts';
import { SILENT, type DeviceHost } from './reports/device-setup.ts';
import { withCapture } from './driver/capture.ts';
import { contextFunctions } from './driver/context.ts';
import { copyFunctions } from './driver/copy.ts';
import { deviceFunctions } from './driver/device.ts';
import { functionFunctions } from './driver/function.ts';
import { dotFunctions } from './driver/graph-dot.ts';
import { graphFunctions } from './driver/graph.ts';
import { GraphStore } from './driver/graph-store.ts';
import { launchFunctions } from './driver/launch.ts';
import { libraryFunctions } from './driver/library.ts';
import { managedFunctions } from './driver/managed.ts';
import { memoryFunctions } from './driver/memory.ts';
import { moduleFunctions } from './driver/module.ts';
import { pitchedFunctions } from './driver/pitched.ts';
import { poolFunctions } from './driver/pool.ts';
import { DriverState, type CpuContext } from './driver/state.ts';
import { streamAttributeFunctions } from './driver/stream-attributes.ts';
import { streamFunctions } from './driver/stream.ts';
import { unsupportedFunctions } from './driver/unsupported.ts';
import { valueFunctions } from './driver/values.ts';
import type { EngineFinding } from './runtime/finding.ts';
import { workerCount } from './runtime/pool.ts';
import { Status } from './abi/status.ts';

/** How a device is made; by default as the environment says. */
export interface CpuDriverOptions {
  /** Threads that run kernels; `RAWKERNEL_CPU_WORKERS`, else as many as there are cores. */
  readonly workers?: number;
  /** How long a kernel may run, 0 for ever; `RAWKERNEL_CPU_TIMEOUT_MS`, else for ever. */
  readonly timeoutMs?: number;
  /** Device memory in bytes; half of the machine's, up to 4 GiB. */
  readonly memoryBytes?: number;
  /** Who hears of reports that the program does not; by default nobody. */
  readonly host?: DeviceHost;
}

/**
 * A CUDA driver whose one device is this machine's processor. Each call makes another device, with memory and threads
 * of its own, which it takes when they are first needed.
 */
export function cpuDriver(options: CpuDriverOptions = {}): DriverTable {
  const state = new DriverState(
    {
      workers: options.workers ?? workerCount(),
      timeoutMs: options.timeoutMs ?? cpuTimeoutVariable(),
      ...(options.host ?? SILENT),
    },
    options.memoryBytes,
  );
  const plain: DriverTable = {
    ...unsupportedFunctions(),
    ...deviceFunctions(state),
    ...contextFunctions(state),
    ...memoryFunctions(state),
    ...copyFunctions(state),
    ...managedFunctions(state),
    ...pitchedFunctions(state),
    ...poolFunctions(state),
    ...streamFunctions(state),
    ...streamAttributeFunctions(state),
    ...moduleFunctions(state),
    ...functionFunctions(state),
    ...launchFunctions(state),
  };
  const graphs = new GraphStore(state);
  Object.assign(plain, valueFunctions(state, plain), libraryFunctions(state, plain));
  // A graph's steps are calls of these, whatever is captured meanwhile.
  Object.assign(plain, graphFunctions(state, graphs, plain), dotFunctions(graphs));
  const table = refuseNull(withCapture(state, graphs, plain));
  states.set(table, state);
  Object.defineProperty(table, CHECKS, { value: checksOf(state) });
  return table;
}

/** The arguments of each function, by their places, that must not be NULL. */
const NEEDED: { readonly [Name in keyof DriverTable]?: readonly number[] } = {
  cuGetErrorName: [1],
  cuGetErrorString: [1],
  cuDriverGetVersion: [0],
  cuDeviceGetCount: [0],
  cuDeviceGet: [0],
  cuDeviceGetName: [0],
  cuDeviceGetUuid: [0],
  cuDeviceTotalMem: [0],
  cuDeviceGetAttribute: [0],
  cuDevicePrimaryCtxRetain: [0],
  cuDevicePrimaryCtxGetState: [1, 2],
  cuCtxCreate: [0],
  cuCtxGetCurrent: [0],
  cuCtxGetDevice: [0],
  cuCtxGetId: [1],
  cuCtxGetLimit: [0],
  cuCtxGetCacheConfig: [0],
  cuCtxGetApiVersion: [1],
  cuCtxGetFlags: [0],
  cuDeviceCanAccessPeer: [0],
  cuModuleLoadData: [0, 1],
  cuModuleLoadDataEx: [0, 1],
  cuModuleGetFunction: [0],
  cuModuleGetFunctionCount: [0],
  cuModuleEnumerateFunctions: [0],
  cuModuleGetLoadingMode: [0],
  cuLibraryLoadData: [0, 1],
  cuLibraryGetKernel: [0],
  cuLibraryGetKernelCount: [0],
  cuLibraryEnumerateKernels: [0],
  cuLibraryGetModule: [0],
  cuKernelGetFunction: [0],
  cuKernelGetAttribute: [0],
  cuKernelGetName: [0],
  cuKernelGetParamInfo: [2],
  cuDeviceGetByPCIBusId: [0],
  cuDeviceGetPCIBusId: [0],
  cuMemGetInfo: [0, 1],
  cuMemAlloc: [0],
  cuMemAllocPitch: [0, 1],
  cuMemHostAlloc: [0],
  cuMemHostGetDevicePointer: [0],
  cuMemHostGetFlags: [0],
  cuPointerGetAttribute: [0],
  cuPointerSetAttribute: [0],
  cuMemAllocManaged: [0],
  cuMemRangeGetAttribute: [0],
  cuMemHostRegister: [0],
  cuMemHostUnregister: [0],
  cuDeviceGetDefaultMemPool: [0],
  cuDeviceGetMemPool: [0],
  cuMemAllocAsync: [0],
  cuMemAllocFromPoolAsync: [0],
  cuMemPoolCreate: [0, 1],
  cuMemPoolGetAttribute: [2],
  cuMemPoolSetAttribute: [2],
  cuMemPoolSetAccess: [1],
  cuMemPoolGetAccess: [0, 2],
  cuMemcpy2D: [0],
  cuMemcpy2DUnaligned: [0],
  cuMemcpy2DAsync: [0],
  cuMemcpy3D: [0],
  cuMemcpy3DAsync: [0],
  cuMemcpy3DPeer: [0],
  cuMemcpy3DPeerAsync: [0],
  cuStreamCreate: [0],
  cuStreamCreateWithPriority: [0],
  cuStreamGetFlags: [1],
  cuStreamGetPriority: [1],
  cuStreamGetCtx: [1],
  cuStreamGetId: [1],
  cuStreamGetAttribute: [2],
  cuStreamSetAttribute: [2],
  cuStreamBatchMemOp: [2],
  cuStreamEndCapture: [1],
  cuStreamIsCapturing: [1],
  cuStreamGetCaptureInfo: [1],
  cuGraphCreate: [0],
  cuGraphClone: [0],
  cuGraphAddKernelNode: [0, 4],
  cuGraphKernelNodeSetParams: [1],
  cuGraphKernelNodeSetAttribute: [2],
  cuGraphAddMemcpyNode: [0, 4],
  cuGraphMemcpyNodeSetParams: [1],
  cuGraphAddMemsetNode: [0, 4],
  cuGraphMemsetNodeSetParams: [1],
  cuGraphAddEmptyNode: [0],
  cuGraphAddEventRecordNode: [0],
  cuGraphAddEventWaitNode: [0],
  cuGraphAddChildGraphNode: [0],
  cuGraphChildGraphNodeGetGraph: [1],
  cuGraphAddMemAllocNode: [0, 4],
  cuGraphAddMemFreeNode: [0],
  cuGraphNodeGetType: [1],
  cuGraphGetNodes: [2],
  cuGraphGetEdges: [3],
  cuGraphInstantiateWithParams: [0, 2],
  cuGraphExecUpdate: [2],
  cuGraphExecKernelNodeSetParams: [2],
  cuGraphExecMemcpyNodeSetParams: [2],
  cuGraphExecMemsetNodeSetParams: [2],
  cuGraphNodeGetEnabled: [2],
  cuEventCreate: [0],
  cuEventElapsedTime: [0],
  cuFuncGetAttribute: [0],
  cuFuncIsLoaded: [0],
  cuFuncGetModule: [0],
  cuFuncGetName: [0],
  cuFuncGetParamInfo: [2],
  cuOccupancyMaxActiveBlocksPerMultiprocessor: [0],
  cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags: [0],
  cuOccupancyMaxPotentialBlockSize: [0, 1],
  cuOccupancyMaxPotentialBlockSizeWithFlags: [0, 1],
  cuOccupancyAvailableDynamicSMemPerBlock: [0],
};

/** The functions, of which none has to look for NULL where it has no meaning. */
function refuseNull(functions: DriverTable): DriverTable {
  const table = { ...functions } as Record<string, (...args: unknown[]) => number>;
  for (const [name, places] of Object.entries(NEEDED)) {
    const call = table[name] as (...args: unknown[]) => number;
    table[name] = (...args) => (places.some((place) => args[place] === 0n) ? Status.INVALID_VALUE : call(...args));
  }
  return table as unknown as DriverTable;
}

/** The handle 0 stands for the context whose kernels have ended it and that has refused a call last, once. */
function checksOf(state: DriverState): CheckedDevice {
  const find = (handle: bigint): CpuContext | undefined => state.contexts.get(Number(handle));
  return {
    check: (handle, text) => {
      const context = find(handle);
      const mode = readCheckMode(text, 'check');
      if (!context) return Status.INVALID_CONTEXT;
      return mode ? state.check(context, mode) : Status.SUCCESS;
    },
    reportsOf: (handle) => {
      const context = handle === 0n ? state.failed : find(handle);
      if (handle === 0n) state.failed = undefined;
      return context ? state.hear(context) : [];
    },
    tell: () => {
      state.tell();
    },
  };
}

/** How programs are checked that are compiled for a device now: as its current context says, else the environment. */
export function currentCheckMode(table: DriverTable): CheckMode | undefined {
  const state = states.get(table);
  return state?.current ? state.current.check : environmentCheckMode();
}

const states = new WeakMap<DriverTable, DriverState>();

/**
 * What kernels on a device have done wrong since the last time that somebody asked: traps, failed assertions, findings
 * of the checked mode, oldest first.
 *
 * @param table - of {@link cpuDriver}
 * @returns an empty list for a table of another kind
 */
export function takeFindings(table: DriverTable): readonly EngineFinding[] {
  return states.get(table)?.engine.checks.take() ?? [];
}
