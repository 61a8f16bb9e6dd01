import { cpuDevicesVariable, cpuTimeoutVariable } from '../core/environment.ts';
import { CHECKS, type CheckedDevice } from '../core/kernel-report.ts';
import type { ExtensionTable, OpenCLTable } from '../opencl/sys/tables.ts';
import { EXTENSIONS } from '../opencl/sys/extensions.ts';
import { readCheckMode } from '../core/check-mode.ts';
import { SILENT, type DeviceHost } from './reports/device-setup.ts';
import { bufferFunctions } from './opencl/buffer-functions.ts';
import { bufferTransferFunctions } from './opencl/buffer-transfer-functions.ts';
import { bindRows } from './abi/rows.ts';
import { buildFunctions, provideAsyncBuilds } from './opencl/build-functions.ts';
import { Code } from './opencl/code.ts';
import type { OpenCLCompiler } from './opencl/compiler.ts';
import { contextFunctions } from './opencl/context-functions.ts';
import { deviceFunctions } from './opencl/device-functions.ts';
import { eventFunctions } from './opencl/event-functions.ts';
import { extensionFunctions } from './opencl/extension-functions.ts';
import { imageFunctions } from './opencl/image-functions.ts';
import { imageTransferFunctions } from './opencl/image-transfer-functions.ts';
import { kernelFunctions } from './opencl/kernel-functions.ts';
import { launchFunctions } from './opencl/launch-functions.ts';
import { mapFunctions } from './opencl/map-functions.ts';
import { markerFunctions } from './opencl/marker-functions.ts';
import { platformFunctions } from './opencl/platform-functions.ts';
import { programFunctions } from './opencl/program-functions.ts';
import { queueFunctions } from './opencl/queue-functions.ts';
import { samplerFunctions } from './opencl/sampler-functions.ts';
import { OpenCLState } from './opencl/state.ts';
import { svmFunctions } from './opencl/svm-functions.ts';
import { workerCount } from './runtime/pool.ts';

/** OpenCL's functions, those of extensions, and the reports on failed kernels. */
export type CheckedOpenCL = OpenCLTable & {
  readonly [CHECKS]: CheckedDevice;
  readonly [EXTENSIONS]: ExtensionTable;
};

/** Options of a platform. The environment gives the defaults. */
export interface CpuOpenCLOptions {
  readonly compiler: OpenCLCompiler;
  /** Threads that run kernels. Default: `RAWKERNEL_CPU_WORKERS`, else the number of cores. */
  readonly workers?: number;
  /** The time limit of a kernel in milliseconds; 0 is no limit. Default: `RAWKERNEL_CPU_TIMEOUT_MS`, else no limit. */
  readonly timeoutMs?: number;
  /** How many devices the platform has, from 1 to 16. Default: `RAWKERNEL_CPU_DEVICES`, else 1. */
  readonly devices?: number;
  /** Device memory in bytes. Default: half of the machine's memory, up to 4 GiB. */
  readonly memoryBytes?: number;
  /** Receives the reports that the program does not. By default they are dropped. */
  readonly host?: DeviceHost;
}

const rows = {
  ...platformFunctions,
  ...deviceFunctions,
  ...contextFunctions,
  ...queueFunctions,
  ...bufferFunctions,
  ...imageFunctions,
  ...samplerFunctions,
  ...programFunctions,
  ...buildFunctions,
  ...kernelFunctions,
  ...eventFunctions,
  ...bufferTransferFunctions,
  ...imageTransferFunctions,
  ...mapFunctions,
  ...launchFunctions,
  ...markerFunctions,
  ...svmFunctions,
};

/**
 * An OpenCL platform with this machine's processor as its only device, or as each of several. Each call makes another platform, with memory and
 * threads of its own, which are created on first use.
 */
export function cpuOpenCL(options: CpuOpenCLOptions): CheckedOpenCL {
  const engine = {
    workers: options.workers ?? workerCount(),
    timeoutMs: options.timeoutMs ?? cpuTimeoutVariable(),
    ...(options.host ?? SILENT),
  };
  const state = new OpenCLState(engine, options.compiler, options.memoryBytes, options.devices ?? cpuDevicesVariable());
  const table: OpenCLTable = bindRows(state, rows);
  provideAsyncBuilds(state, table);
  return Object.defineProperties(table, {
    [CHECKS]: { value: checksOf(state) },
    [EXTENSIONS]: { value: extensionFunctions(state) },
  }) as CheckedOpenCL;
}

/** The handle 0 names the context with the latest fault, once. */
function checksOf(state: OpenCLState): CheckedDevice {
  return {
    check: (handle, text) => {
      const context = state.contexts.find(handle);
      if (!context) return Code.INVALID_CONTEXT;
      const mode = readCheckMode(text, 'check');
      return mode ? state.check(context, mode) : Code.SUCCESS;
    },
    isChecked: (handle) => state.contexts.find(handle)?.check !== undefined,
    reportsOf: (handle) => {
      const context = handle === 0n ? state.failed : state.contexts.find(handle);
      if (handle === 0n) state.failed = undefined;
      return context ? state.hear(context) : [];
    },
    tell: () => {
      state.tell();
    },
  };
}
