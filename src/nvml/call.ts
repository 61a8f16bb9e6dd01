import { warn } from '../core/errors.ts';
import { guard, type Checked } from '../ffi/guard.ts';
import type { NameOf } from '../ffi/prototype.ts';
import { nvmlError, statusName } from './errors.ts';
import { nvml } from './select.ts';
import type { NvmlTable } from './sys/tables.ts';
import { status } from './sys/enums.ts';
import { functions } from './sys/nvml.ts';

const [INSUFFICIENT_SIZE] = status.NVML_ERROR_INSUFFICIENT_SIZE;
const [NOT_FOUND] = status.NVML_ERROR_NOT_FOUND;
const [TIMEOUT] = status.NVML_ERROR_TIMEOUT;

/** Tables that this module has started. */
const started = new Set<NvmlTable>();
let ready: NvmlTable | undefined;

/**
 * NVML's table, started. NVML counts its starts, so each thread starts it for itself and ends that when it exits;
 * child processes are processes of their own.
 */
function readyNvml(): NvmlTable {
  const table = nvml();
  if (table !== ready) start(table);
  return table;
}

function start(table: NvmlTable): void {
  if (!started.has(table)) {
    const status = table.nvmlInitWithFlags(0);
    if (status !== 0) throw nvmlError('nvmlInitWithFlags', status);
    if (started.size === 0) process.once('exit', shutDown);
    started.add(table);
  }
  ready = table;
}

/**
 * End what was started; the next call starts it again.
 * @internal
 */
export function shutDown(): void {
  process.off('exit', shutDown);
  ready = undefined;
  for (const table of started) table.nvmlShutdown();
  started.clear();
}

/** NVML's functions, throwing {@link NvmlError}. */
export const nv: Checked<typeof functions> = guard(functions, readyNvml, {
  status: 'nvmlReturn_t',
  answers: {
    nvmlDeviceGetComputeRunningProcesses: [INSUFFICIENT_SIZE],
    nvmlDeviceGetGraphicsRunningProcesses: [INSUFFICIENT_SIZE],
    nvmlDeviceGetMPSComputeRunningProcesses: [INSUFFICIENT_SIZE],
    nvmlDeviceGetSupportedMemoryClocks: [INSUFFICIENT_SIZE],
    nvmlDeviceGetSupportedGraphicsClocks: [INSUFFICIENT_SIZE],
    nvmlDeviceGetRetiredPages: [INSUFFICIENT_SIZE],
    nvmlDeviceGetAccountingPids: [INSUFFICIENT_SIZE],
    nvmlDeviceGetProcessUtilization: [INSUFFICIENT_SIZE, NOT_FOUND],
    nvmlDeviceGetSamples: [INSUFFICIENT_SIZE, NOT_FOUND],
    nvmlEventSetWait: [TIMEOUT],
  },
  error: (routine, status) => nvmlError(routine, status),
});

type Routine = NameOf<typeof functions>;

/** Call NVML; the error of a failure has these facts. */
export function callWith<Name extends Routine>(
  facts: Readonly<Record<string, string>>,
  name: Name,
  ...args: Parameters<NvmlTable[Name]>
): void {
  const call = readyNvml()[name] as (...list: Parameters<NvmlTable[Name]>) => number;
  const status = call(...args);
  if (status !== 0) throw nvmlError(name, status, { facts });
}

/** Call a destroying function: it warns where others throw. */
export function cleanup<Name extends Routine>(name: Name, ...args: Parameters<NvmlTable[Name]>): void {
  const call = readyNvml()[name] as (...list: Parameters<NvmlTable[Name]>) => number;
  const status = call(...args);
  if (status !== 0) warn(`${name} failed: ${statusName(status)}`, 'RAWKERNEL_CLEANUP');
}
