import { addressSpaceAdvice } from '../core/address-space.ts';
import { warn } from '../core/errors.ts';
import { reclaim } from '../core/handle.ts';
import { sweepFlights } from '../core/in-flight.ts';
import { callOnWorker, unchecked } from '../ffi/bind.ts';
import { NULL, type Opaque } from '../ffi/ctype.ts';
import { guard, type Checked } from '../ffi/guard.ts';
import { isMemoryStatus, OpenCLError, openclError } from './errors.ts';
import { opencl } from './select.ts';
import type { OpenCLTable } from './sys/tables.ts';
import { EventInfo, status as statuses } from './sys/enums.ts';
import { functions } from './sys/opencl.ts';

const PLATFORM_NOT_FOUND = statuses.CL_PLATFORM_NOT_FOUND_KHR[0];
const DEVICE_NOT_FOUND = statuses.CL_DEVICE_NOT_FOUND[0];
const INVALID_DEVICE_TYPE = statuses.CL_INVALID_DEVICE_TYPE[0];
const OUT_OF_HOST_MEMORY = statuses.CL_OUT_OF_HOST_MEMORY[0];

/** The OpenCL functions, throwing {@link OpenCLError}. */
export const cl: Checked<typeof functions> = guard(functions, opencl, {
  status: 'cl_int',
  answers: { clGetPlatformIDs: [PLATFORM_NOT_FOUND], clGetDeviceIDs: [DEVICE_NOT_FOUND, INVALID_DEVICE_TYPE] },
  error: (routine, status) => openclError(routine, status, noRoom(routine, status)),
});

/** Why the embedded device could not make a context: only this device needs so much address space. */
function noRoom(routine: string, status: number): { readonly reason: string } | undefined {
  if (status !== OUT_OF_HOST_MEMORY || !routine.startsWith('clCreateContext')) return undefined;
  const reason = addressSpaceAdvice();
  return reason === undefined ? undefined : { reason };
}

/** Run a release that must not throw: an error becomes a warning. */
export function cleanup(what: string, release: () => unknown): void {
  try {
    release();
  } catch (error) {
    warn(`Clean-up of a ${what} failed: ${String(error)}`, 'RAWKERNEL_CLEANUP');
  }
}

/** Run a call that allocates. Where memory has run out, free the memory of dropped objects, once, and try again. */
export function withReclaim<T>(allocate: () => T): T {
  try {
    return allocate();
  } catch (error) {
    if (!(error instanceof OpenCLError) || !isMemoryStatus(error.status)) throw error;
    reclaim();
    sweepFlights();
    return allocate();
  }
}

const createSlot = new Int32Array(1);

/** Make a buffer without content, as programs do most often: its arguments were checked, and are not looked at again. */
export function createBuffer(context: Opaque<'cl_context'>, flags: number, byteLength: number): Opaque<'cl_mem'> {
  return withReclaim(() => {
    createSlot[0] = 0;
    const raw = unchecked(opencl().clCreateBuffer)(context, flags, byteLength, 0n, createSlot);
    const status = createSlot[0];
    if (status !== 0) throw openclError('clCreateBuffer', status);
    return raw;
  });
}

const statusSlot = new Int32Array(1);
const EXECUTION_STATUS = EventInfo.COMMAND_EXECUTION_STATUS[0];

/** The execution status of an event. Polled, so it allocates nothing. */
export function eventStatus(event: Opaque<'cl_event'>): number {
  const status = unchecked(opencl().clGetEventInfo)(event, EXECUTION_STATUS, 4, statusSlot, 0n);
  if (status !== 0) throw openclError('clGetEventInfo', status);
  return statusSlot[0] ?? 0;
}

/** Wait for an event. Returns the status: a thrown error counts as reported to the program, also where the caller drops it. */
export function waitForEvent(event: Opaque<'cl_event'>): number {
  return opencl().clWaitForEvents(1, new BigUint64Array([event]));
}

const typeSlot = new Uint32Array(1);
const COMMAND_TYPE = EventInfo.COMMAND_TYPE[0];

/** The type of an event's command; 0 where the driver does not report it. */
export function eventType(event: Opaque<'cl_event'>): number {
  const status = unchecked(opencl().clGetEventInfo)(event, COMMAND_TYPE, 4, typeSlot, 0n);
  return status === 0 ? (typeSlot[0] ?? 0) : 0;
}

/** Build a program on a worker thread of the runtime. Returns the status. */
export async function buildOnThread(
  program: Opaque<'cl_program'>,
  devices: BigUint64Array,
  options: string,
): Promise<number> {
  const status = await callOnWorker(
    opencl().clBuildProgram,
    program,
    devices.length,
    devices,
    options,
    NULL as Opaque<'cl_program_notify'>,
    0n,
  );
  return status;
}

type Makers = 'clCompileProgram' | 'clLinkProgram';

/** Call a function of the compiler or the linker, whose status the caller reads. */
export function callHere<Name extends Makers>(
  name: Name,
  ...args: Parameters<OpenCLTable[Name]>
): ReturnType<OpenCLTable[Name]> {
  const call = opencl()[name] as (...list: unknown[]) => unknown;
  return call(...args) as ReturnType<OpenCLTable[Name]>;
}

/** As {@link callHere}, on a worker thread of the runtime. */
export async function callOnThread<Name extends Makers>(
  name: Name,
  ...args: Parameters<OpenCLTable[Name]>
): Promise<ReturnType<OpenCLTable[Name]>> {
  const call = opencl()[name] as (...list: unknown[]) => unknown;
  return (await callOnWorker(call, ...args)) as ReturnType<OpenCLTable[Name]>;
}

/** Build a program. Returns the status. */
export function buildHere(program: Opaque<'cl_program'>, devices: BigUint64Array, options: string): number {
  return opencl().clBuildProgram(program, devices.length, devices, options, NULL, 0n);
}
