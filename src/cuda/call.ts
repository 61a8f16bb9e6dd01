import { warn } from '../core/errors.ts';
import { callOnWorker, unchecked } from '../ffi/bind.ts';
import { guard, type Checked } from '../ffi/guard.ts';
import { cudaError, isSticky, nvrtcError, statusName, type CudaError, type ErrorContext } from './errors.ts';
import { recentLaunches } from './recent-launches.ts';
import { checkedDevice, driver, isEmbedded, nvrtc, type DriverTable, type NvrtcTable } from './select.ts';
import type { NameOf } from '../ffi/prototype.ts';
import { functions as driverFunctions } from './sys/driver.ts';
import { nvrtcStatus } from './sys/enums.ts';
import { functions as nvrtcFunctions } from './sys/nvrtc.ts';

const NOT_READY = 600;
const DEINITIALIZED = 4;
const CONTEXT_IS_DESTROYED = 709;
const [NO_PCH_CREATE_ATTEMPTED] = nvrtcStatus.NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
const [PCH_CREATE_HEAP_EXHAUSTED] = nvrtcStatus.NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED;
const [PCH_CREATE] = nvrtcStatus.NVRTC_ERROR_PCH_CREATE;

/** The first sticky fault of each context, by the context's address. */
const faults = new Map<bigint, CudaError>();
const initialized = new WeakSet<DriverTable>();
const contextSlot = new BigUint64Array(1);

const NOT_SUPPORTED = 801;
const ON_EMBEDDED = 'The embedded CPU device (RAWKERNEL_DEVICE) does not support this; a GPU may';
const STAND_IN = 'RAWKERNEL_DEVICE=cpu runs CUDA on the embedded CPU device';

let ready: DriverTable | undefined;

/** The driver's table, after `cuInit`. */
function readyDriver(): DriverTable {
  const table = driver();
  if (table !== ready) initialize(table);
  return table;
}

function initialize(table: DriverTable): void {
  if (!initialized.has(table)) {
    const status = table.cuInit(0);
    if (status !== 0) throw cudaError('cuInit', status, 'INITIALIZE', { facts: { or: STAND_IN } });
    initialized.add(table);
  }
  ready = table;
}

/** The driver's functions, throwing. */
export const cu: Checked<typeof driverFunctions> = guard(driverFunctions, readyDriver, {
  status: 'CUresult',
  answers: { cuEventQuery: [NOT_READY], cuStreamQuery: [NOT_READY] },
  error: callError,
});

/** NVRTC's functions, throwing. */
export const rtc: Checked<typeof nvrtcFunctions> = guard(nvrtcFunctions, nvrtc, {
  status: 'nvrtcResult',
  answers: { nvrtcGetPCHCreateStatus: [NO_PCH_CREATE_ATTEMPTED, PCH_CREATE_HEAP_EXHAUSTED, PCH_CREATE] },
  error: nvrtcError,
});

/**
 * The error of a failed call, with what this process knows: a context that has seen a sticky fault names that fault
 * as the cause, and a fault names the last launches, because it is reported by whichever call comes later.
 */
export function callError(routine: string, status: number, group: string, given: ErrorContext = {}): CudaError {
  const lacks = status === NOT_SUPPORTED && given.reason === undefined && isEmbedded();
  const context = lacks ? { ...given, reason: ON_EMBEDDED } : given;
  const current = currentContext();
  const first = faults.get(current);
  if (!isSticky(status)) return cudaError(routine, status, group, { cause: first, ...context });
  if (first) {
    const reason =
      'This context is lost since an earlier fault (see cause); only a new process can use the device again';
    return cudaError(routine, status, group, { reason, cause: first, ...context });
  }
  const reports = checkedDevice()?.reportsOf(current) ?? [];
  const known = reports.some(({ thread }) => thread !== undefined);
  const error = cudaError(routine, status, group, {
    ...context,
    // Who knows the culprit needs no suspects.
    ...(reports.length > 0 ? { reason: reports.join('\n'), reports } : {}),
    facts: { ...context.facts, suspects: known ? undefined : recentLaunches() },
  });
  faults.set(current, error);
  return error;
}

function currentContext(): bigint {
  contextSlot[0] = 0n;
  driver().cuCtxGetCurrent(contextSlot);
  return contextSlot[0];
}

/** The name of a driver function. */
export type Routine = NameOf<typeof driverFunctions>;
/** What a driver function takes. */
export type Arguments<Name extends Routine> = Parameters<DriverTable[Name]>;

/** Call the driver and return the status, whatever it is: for callers that know what a failure means. */
export function attempt<Name extends Routine>(name: Name, ...args: Arguments<Name>): number {
  const call = readyDriver()[name] as (...args: Arguments<Name>) => number;
  return call(...args);
}

let quickTable: DriverTable | undefined;
let quick: Partial<DriverTable> = {};

/** A driver function without the checks of its arguments, for who has made them itself and calls often. */
export function quickly<Name extends Routine>(name: Name): DriverTable[Name] {
  const table = readyDriver();
  if (table !== quickTable) {
    quickTable = table;
    quick = {};
  }
  return (quick[name] ??= unchecked(table[name]));
}

/** Call the driver; the error of a failure has these facts. */
export function callWith<Name extends Routine>(
  group: string,
  facts: Readonly<Record<string, string>>,
  name: Name,
  ...args: Arguments<Name>
): void {
  const status = attempt(name, ...args);
  if (status !== 0) throw callError(name, status, group, { facts });
}

/**
 * Call a destroying function: it warns where others throw. In a context that is gone or lost there is nothing left to
 * destroy.
 */
export function cleanup<Name extends Routine>(name: Name, ...args: Arguments<Name>): void {
  const status = attempt(name, ...args);
  if (status === 0 || status === DEINITIALIZED || status === CONTEXT_IS_DESTROYED || isSticky(status)) return;
  warn(`${name} failed: ${statusName(status)}`, 'RAWKERNEL_CLEANUP');
}

type CompileArguments = Parameters<NvrtcTable['nvrtcCompileProgram']>;

/** Run the compiler and return the status: what went wrong is in the program's log. */
export function compileProgram(...args: CompileArguments): number {
  return nvrtc().nvrtcCompileProgram(...args);
}

/** {@link compileProgram} on a worker thread of the runtime. */
export function compileProgramOnWorker(...args: CompileArguments): Promise<number> {
  return callOnWorker(nvrtc().nvrtcCompileProgram, ...args);
}
