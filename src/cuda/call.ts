import { addressSpaceAdvice } from '../core/address-space.ts';
import { warn } from '../core/errors.ts';
import { callOnWorker, unchecked, wrapInPlace } from '../ffi/bind.ts';
import type { ThreadCall } from '../ffi/call-thread.ts';
import { guard, type Checked } from '../ffi/guard.ts';
import { leaveWithout } from '../ffi/leave.ts';
import { withSignalHandlers, withSignalHandlersLater } from '../ffi/signals.ts';
import { cudaError, isSticky, nvrtcError, statusName, type CudaError, type ErrorContext } from './errors.ts';
import { recording } from './captures.ts';
import { driverLibrary } from './libraries/driver/table.ts';
import { recentLaunches } from './recent-launches.ts';
import { driver, nvrtc } from './select.ts';
import { checkedDevice, isEmbedded, isNativeNvrtc } from './selection.ts';
import type { DriverTable, NvrtcTable } from './sys/tables.ts';
import type { NameOf, TypesOf } from '../ffi/prototype.ts';
import { functions as driverFunctions } from './sys/driver.ts';
import { nvrtcStatus, status as statuses, CaptureMode } from './sys/enums.ts';
import { functions as nvrtcFunctions } from './sys/nvrtc.ts';
import { slotsOf, take, type SlotMaker } from '../ffi/slot.ts';
import { slotOf } from './slots.ts';

const NOT_READY = statuses.CUDA_ERROR_NOT_READY[0];
const DEINITIALIZED = statuses.CUDA_ERROR_DEINITIALIZED[0];
const CONTEXT_IS_DESTROYED = statuses.CUDA_ERROR_CONTEXT_IS_DESTROYED[0];
const [NO_PCH_CREATE_ATTEMPTED] = nvrtcStatus.NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
const [PCH_CREATE_HEAP_EXHAUSTED] = nvrtcStatus.NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED;
const [PCH_CREATE] = nvrtcStatus.NVRTC_ERROR_PCH_CREATE;

/** The first sticky fault of each context, by the context's address. */
const faults = new Map<bigint, CudaError>();
const initialized = new WeakSet<DriverTable>();
const contextSlot = slotOf('CUcontext');
const captureMode = slotOf('CUstreamCaptureMode');

const STREAM_CAPTURE_UNSUPPORTED = statuses.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED[0];
const CAPTURE_MODE_RELAXED = CaptureMode.RELAXED;

const NOT_SUPPORTED = statuses.CUDA_ERROR_NOT_SUPPORTED[0];
const OUT_OF_MEMORY = statuses.CUDA_ERROR_OUT_OF_MEMORY[0];
const CONTEXT_MAKERS: readonly string[] = ['cuCtxCreate', 'cuDevicePrimaryCtxRetain'];
const ON_EMBEDDED = 'The embedded CPU device (RAWKERNEL_DEVICE) does not support this; a GPU may';
const STAND_IN = 'RAWKERNEL_DEVICE=cpu runs CUDA on the embedded CPU device';

const interposed = new WeakSet<DriverTable>();

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
    if (status !== 0) throw cudaError('cuInit', status, { facts: { or: STAND_IN } });
    initialized.add(table);
  }
  ready = table;
}

/** The driver's functions, throwing. */
export const cu: Checked<typeof driverFunctions> = guard(driverFunctions, readyDriver, {
  status: 'CUresult',
  answers: { cuEventQuery: [NOT_READY], cuStreamQuery: [NOT_READY] },
  error: (routine, status) => callError(routine, status),
});

/** NVRTC's functions, throwing. */
export const rtc: Checked<typeof nvrtcFunctions> = guard(nvrtcFunctions, nvrtc, {
  status: 'nvrtcResult',
  answers: { nvrtcGetPCHCreateStatus: [NO_PCH_CREATE_ATTEMPTED, PCH_CREATE_HEAP_EXHAUSTED, PCH_CREATE] },
  error: nvrtcError,
});

/** Memory for what a function of NVRTC writes, by the C type of its parameter. */
export const rtcSlotOf: SlotMaker<TypesOf<typeof nvrtcFunctions>> = slotsOf(nvrtcFunctions.TYPES);

/**
 * The error of a failed call, with what this process knows: a context that has seen a sticky fault names that fault
 * as the cause, and a fault names the last launches, because a later call reports it.
 */
export function callError(routine: string, status: number, given: ErrorContext = {}): CudaError {
  const lack = given.reason === undefined ? embeddedReason(routine, status) : undefined;
  const context: ErrorContext = lack === undefined ? given : { ...given, reason: lack };
  const current = currentContext();
  const first = faults.get(current);
  if (!isSticky(status)) return cudaError(routine, status, { cause: first, ...context });
  const reports = checkedDevice()?.reportsOf(0n) ?? [];
  if (first) {
    const reason =
      'This context is lost since an earlier fault (see cause); only a new process can use the device again';
    return cudaError(routine, status, { reason, cause: first, ...context });
  }
  const known = reports.some(({ thread }) => thread !== undefined);
  const error = cudaError(routine, status, {
    ...context,
    // A report that names the thread makes suspects unnecessary.
    ...(reports.length > 0 ? { reports } : {}),
    facts: { ...context.facts, suspects: known ? undefined : recentLaunches() },
  });
  faults.set(current, error);
  return error;
}

/** What only the embedded device lacks. */
function embeddedReason(routine: string, status: number): string | undefined {
  if ((status !== NOT_SUPPORTED && status !== OUT_OF_MEMORY) || !isEmbedded()) return undefined;
  if (status === NOT_SUPPORTED) return ON_EMBEDDED;
  return CONTEXT_MAKERS.includes(routine) ? addressSpaceAdvice() : undefined;
}

function currentContext(): bigint {
  contextSlot[0] = 0n;
  driver().cuCtxGetCurrent(contextSlot);
  return take(contextSlot);
}

/** The name of a driver function. */
export type Routine = NameOf<typeof driverFunctions>;
/** Any driver function that returns a status. */
export type DriverCall = (...args: never[]) => number;
/** What a driver function takes. */
export type Arguments<Name extends Routine> = Parameters<DriverTable[Name]>;

// The functions in use, of a table that has hundreds: a property of so large an object is looked up by its name each time.
let usedTable: DriverTable | undefined;
let used: Partial<DriverTable> = {};
let quick: Partial<DriverTable> = {};

function findAgain(table: DriverTable): void {
  usedTable = table;
  used = {};
  quick = {};
}

/** Call the driver and return any status: for callers that know what a failure means. */
export function attempt<Name extends Routine>(name: Name, ...args: Arguments<Name>): number {
  const table = readyDriver();
  if (table !== usedTable) findAgain(table);
  const call = (used[name] ??= table[name]) as (...args: Arguments<Name>) => number;
  return call(...args);
}

/** What {@link callQuickly} calls, for callers that know what a failure means. */
export function quickly<Name extends Routine>(name: Name): DriverTable[Name] {
  const table = readyDriver();
  if (table !== usedTable) findAgain(table);
  return (quick[name] ??= unchecked(table[name]));
}

/** Put something around functions of the table in use, once. */
export function interpose(wraps: Partial<Record<Routine, (call: DriverCall) => DriverCall>>): void {
  const table = readyDriver();
  if (interposed.has(table)) return;
  interposed.add(table);
  for (const [name, wrap] of Object.entries(wraps)) wrapInPlace(table, name as Routine, wrap as never);
  findAgain(table);
}

/** Call a driver function without the checks of its arguments: for hot paths that validate first. */
export function callQuickly<Name extends Routine>(name: Name, ...args: Arguments<Name>): void {
  const status = (quickly(name) as (...args: Arguments<Name>) => number)(...args);
  if (status !== 0) throw callError(name, status);
}

/** A call of the installed driver for a thread of its own: {@link callOnThread}. */
export function threadCall<Name extends Routine>(name: Name, ...args: Arguments<Name>): ThreadCall {
  return driverLibrary.threadCall(name, args, [0]);
}

/** Call the driver; the error of a failure has these facts. */
export function callWith<Name extends Routine>(
  facts: Readonly<Record<string, string>>,
  name: Name,
  ...args: Arguments<Name>
): void {
  const status = attempt(name, ...args);
  if (status !== 0) throw callError(name, status, { facts });
}

/**
 * Call a destroying function: it warns where others throw. In a context that is gone or lost there is nothing left to
 * destroy.
 */
export function cleanup<Name extends Routine>(name: Name, ...args: Arguments<Name>): void {
  let status = recording.active > 0 ? attemptInCapture(name, args) : destroyNow(name, ...args);
  // A capture of another thread is not known here.
  if (status === STREAM_CAPTURE_UNSUPPORTED) status = attemptInCapture(name, args);
  if (status !== 0) warnOfStatus(name, status);
}

/** What is destroyed is a handle that the driver gave, and needs no check. */
function destroyNow<Name extends Routine>(name: Name, ...args: Arguments<Name>): number {
  const call = quickly(name) as (...args: Arguments<Name>) => number;
  return call(...args);
}

/** Say that something could not be destroyed, and stays. */
export function warnOfStatus(name: Routine, status: number): void {
  if (status === 0 || status === DEINITIALIZED || status === CONTEXT_IS_DESTROYED) return;
  if (isSticky(status)) {
    // A kernel has failed, and what it used goes: perhaps no other call ever says so.
    checkedDevice()?.tell();
    return;
  }
  warn(`${name} failed: ${statusName(status)}`, 'RAWKERNEL_CLEANUP');
}

/** {@link attempt} for calls that do no harm to a capture, but that a capture of mode 'global' or 'threadLocal' refuses. */
export function attemptRelaxed<Name extends Routine>(name: Name, ...args: Arguments<Name>): number {
  return recording.active > 0 ? attemptInCapture(name, args) : attempt(name, ...args);
}

/**
 * A capture of mode 'global' or 'threadLocal' refuses calls that destroy, and the attempt invalidates the capture. The
 * collector destroys at any time, so a call that destroys is made in relaxed mode.
 */
function attemptInCapture<Name extends Routine>(name: Name, args: Arguments<Name>): number {
  captureMode[0] = CAPTURE_MODE_RELAXED;
  const relaxed = attempt('cuThreadExchangeStreamCaptureMode', captureMode) === 0;
  try {
    return attempt(name, ...args);
  } finally {
    if (relaxed) attempt('cuThreadExchangeStreamCaptureMode', captureMode);
  }
}

/** Destroy a compiler's program. A failure is a warning: an error would hide why a compilation failed. */
export function destroyProgram(...args: Parameters<NvrtcTable['nvrtcDestroyProgram']>): void {
  const status = nvrtc().nvrtcDestroyProgram(...args);
  if (status !== 0) warn(nvrtcError('nvrtcDestroyProgram', status).message, 'RAWKERNEL_CLEANUP');
}

type CompileArguments = Parameters<NvrtcTable['nvrtcCompileProgram']>;

/** Run the compiler and return the status: the errors are in the program's log. */
export function compileProgram(...args: CompileArguments): number {
  const compile = (): number => nvrtc().nvrtcCompileProgram(...args);
  return isNativeNvrtc() ? withSignalHandlers(compile) : compile();
}

/** {@link compileProgram} on a worker thread of the runtime. An abandoned compilation does not keep the process alive. */
export function compileProgramOnWorker(...args: CompileArguments): Promise<number> {
  const compile = (): Promise<number> => callOnWorker(nvrtc().nvrtcCompileProgram, ...args);
  return isNativeNvrtc() ? leaveWithout(withSignalHandlersLater(compile)) : compile();
}
