import { cpuDevicesVariable, cpuTimeoutVariable } from '../core/environment.ts';
import { CHECKS, type CheckedDevice } from '../core/kernel-report.ts';
import type { DriverTable } from '../cuda/sys/tables.ts';
import { environmentCheckMode, readCheckMode, type CheckMode } from '../core/check-mode.ts';
import { SILENT, type DeviceHost } from './reports/device-setup.ts';
import { arrayFunctions } from './driver/arrays.ts';
import { withCapture } from './driver/capture.ts';
import { contextFunctions } from './driver/context.ts';
import { copyFunctions } from './driver/copy.ts';
import { deviceFunctions } from './driver/device.ts';
import { functionFunctions } from './driver/function.ts';
import { dotFunctions } from './driver/graph-dot.ts';
import { graphFunctions } from './driver/graph.ts';
import { GraphStore } from './driver/graph-store.ts';
import { ipcFunctions } from './driver/ipc.ts';
import { launchFunctions } from './driver/launch.ts';
import { libraryFunctions, LibraryScope } from './driver/library.ts';
import { linkFunctions, LinkScope } from './driver/link.ts';
import { managedFunctions } from './driver/managed.ts';
import { memoryFunctions } from './driver/memory.ts';
import { moduleFunctions } from './driver/module.ts';
import { peerFunctions } from './driver/peers.ts';
import { pitchedFunctions } from './driver/pitched.ts';
import { poolFunctions } from './driver/pool.ts';
import { referenceFunctions } from './driver/references.ts';
import { refuseNull } from './driver/refuse-null.ts';
import type { CpuContext } from './driver/objects.ts';
import { DriverState } from './driver/state.ts';
import { streamAttributeFunctions } from './driver/stream-attributes.ts';
import { streamFunctions } from './driver/stream.ts';
import { textureFunctions } from './driver/textures.ts';
import { unsupportedFunctions } from './driver/unsupported.ts';
import { valueFunctions } from './driver/values.ts';
import type { EngineFinding } from './runtime/finding.ts';
import { bindRows } from './abi/rows.ts';
import { workerCount } from './runtime/pool.ts';
import { Status } from './abi/status.ts';

/** Options of a device. The environment gives the defaults. */
export interface CpuDriverOptions {
  /** Threads that run kernels. Default: `RAWKERNEL_CPU_WORKERS`, else the number of cores. */
  readonly workers?: number;
  /** The time limit of a kernel in milliseconds; 0 is no limit. Default: `RAWKERNEL_CPU_TIMEOUT_MS`, else no limit. */
  readonly timeoutMs?: number;
  /** How many devices it counts, from 1 to 16. Default: `RAWKERNEL_CPU_DEVICES`, else 1. */
  readonly devices?: number;
  /** Device memory in bytes, of all devices together. Default: half of the machine's memory, up to 4 GiB. */
  readonly memoryBytes?: number;
  /** Receives the reports that the program does not. By default they are dropped. */
  readonly host?: DeviceHost;
}

/** The functions that need the device's state and nothing else. */
const stateRows = {
  ...deviceFunctions,
  ...peerFunctions,
  ...contextFunctions,
  ...memoryFunctions,
  ...copyFunctions,
  ...managedFunctions,
  ...pitchedFunctions,
  ...arrayFunctions,
  ...textureFunctions,
  ...referenceFunctions,
  ...poolFunctions,
  ...streamFunctions,
  ...ipcFunctions,
  ...streamAttributeFunctions,
  ...moduleFunctions,
  ...functionFunctions,
  ...launchFunctions,
};

/**
 * A CUDA driver with this machine's processor as its only device, or as each of several. Each call makes others, with memory
 * and threads of their own, which are created on first use.
 */
export function cpuDriver(options: CpuDriverOptions = {}): DriverTable {
  const state = new DriverState(
    {
      workers: options.workers ?? workerCount(),
      timeoutMs: options.timeoutMs ?? cpuTimeoutVariable(),
      ...(options.host ?? SILENT),
    },
    options.memoryBytes,
    options.devices ?? cpuDevicesVariable(),
  );
  const plain: DriverTable = { ...unsupportedFunctions(), ...bindRows(state, stateRows) };
  const graphs = new GraphStore(state, plain);
  Object.assign(plain, bindRows({ state, table: plain }, valueFunctions));
  Object.assign(plain, bindRows(new LibraryScope(state, plain), libraryFunctions));
  Object.assign(plain, bindRows(new LinkScope(state), linkFunctions));
  // The steps of a graph call these functions, which never record.
  Object.assign(plain, bindRows(graphs, { ...graphFunctions, ...dotFunctions }));
  const table = refuseNull(withCapture(state, graphs, plain));
  states.set(table, state);
  Object.defineProperty(table, CHECKS, { value: checksOf(state) });
  return table;
}

/** The handle 0 names the context that last refused a call after a fault of its kernels, once. */
function checksOf(state: DriverState): CheckedDevice {
  const find = (handle: bigint): CpuContext | undefined => state.contexts.get(Number(handle));
  return {
    check: (handle, text) => {
      const context = find(handle);
      const mode = readCheckMode(text, 'check');
      if (!context) return Status.INVALID_CONTEXT;
      return mode ? state.check(context, mode) : Status.SUCCESS;
    },
    isChecked: (handle) => find(handle)?.check !== undefined,
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

/** The check mode of programs that are compiled now: the current context's, else the environment's. */
export function currentCheckMode(table: DriverTable): CheckMode | undefined {
  const state = states.get(table);
  return state?.current ? state.current.check : environmentCheckMode();
}

const states = new WeakMap<DriverTable, DriverState>();

/**
 * What is behind a table of {@link cpuDriver}.
 *
 * @throws TypeError it is another table
 */
export function stateOf(table: DriverTable): DriverState {
  const state = states.get(table);
  if (!state) throw new TypeError('The table must be one of the embedded device');
  return state;
}

/**
 * The faults of kernels on a device since the last call: traps, failed assertions, findings
 * of the checked mode, oldest first.
 *
 * @param table - of {@link cpuDriver}
 * @returns an empty list for a table of another kind
 */
export function takeFindings(table: DriverTable): readonly EngineFinding[] {
  return states.get(table)?.engine.checks.take() ?? [];
}
