import { MAKER } from '../core/maker.ts';
import { addressOf } from '../ffi/memory.ts';
import { readBytes } from '../opencl/info.ts';
import { ProgramBinaryType, ProgramBuildInfo, ProgramInfo } from '../opencl/sys/enums.ts';
import { array, context, object, objects, pointerTo, text } from './argument.ts';
import { cl, onWorker } from './call.ts';
import { runLater } from './callback.ts';
import { expectArguments, failure } from './failure.ts';
import type { Raw } from './handle.ts';
import { CLProgram, retained, type CLContext, type CLDeviceId } from './objects.ts';

/** Called at the end of a build, successful or not. The user data is the first argument. */
export type BuildCallback = ((userData: unknown, program: CLProgram) => void) | null;

type Devices = readonly CLDeviceId[] | null;

const programOf = object('CLProgram');
const NOTIFY = 0n as never;

/**
 * Compile and link a program for its devices, or for some of them. Without a callback the call blocks; with one the
 * build runs on another thread, and `getProgramBuildInfo` has its result.
 */
export function buildProgram(
  ...args: [
    program: CLProgram,
    devices?: Devices,
    options?: string | null,
    callback?: BuildCallback,
    userData?: unknown,
  ]
): 0 {
  expectArguments(args, 1);
  const program = programOf(args[0], 0);
  const devices = objects('CLDeviceId')(args[1], 1);
  const list = [devices.length, pointerTo(devices), optionsOf(args[2]), NOTIFY, 0n] as const;
  return run(program, args[3], args[4], [devices], {
    here: () => cl.clBuildProgram(program, ...list),
    beside: () => onWorker('clBuildProgram', program, ...list),
  });
}

/** Compile a program without linking it; headers are programs of source, each with its name in `#include`. */
export function compileProgram(
  ...args: [
    program: CLProgram,
    devices?: Devices,
    options?: string | null,
    headers?: readonly CLProgram[] | null,
    names?: readonly string[] | null,
    callback?: BuildCallback,
    userData?: unknown,
  ]
): 0 {
  expectArguments(args, 1);
  const program = programOf(args[0], 0);
  const devices = objects('CLDeviceId')(args[1], 1);
  const headers = objects('CLProgram')(args[3], 3);
  const names = (args[4] === null || args[4] === undefined ? [] : array(args[4], 4)).map((name) => cString(name));
  if (names.length !== headers.length) {
    throw failure(
      'CL_INVALID_VALUE',
      new RangeError(`Each of ${headers.length} headers must have a name, got ${names.length}`),
    );
  }
  const pointers = BigUint64Array.from(names, (name) => addressOf(name));
  const list = [
    ...([devices.length, pointerTo(devices), optionsOf(args[2])] as const),
    ...([headers.length, pointerTo(headers), pointerTo(pointers), NOTIFY, 0n] as const),
  ] as const;
  return run(program, args[5], args[6], [devices, headers, names, pointers], {
    here: () => cl.clCompileProgram(program, ...list),
    beside: () => onWorker('clCompileProgram', program, ...list),
  });
}

/** Link compiled programs into one that has kernels. The call blocks; the callback is called afterwards, with the context. */
export function linkProgram(
  ...args: [
    context: CLContext,
    devices: Devices | undefined,
    options: string | null | undefined,
    programs: readonly CLProgram[],
    callback?: ((userData: unknown, context: CLContext) => void) | null,
    userData?: unknown,
  ]
): CLProgram {
  expectArguments(args, 4);
  const owner = context(args[0], 0);
  const devices = objects('CLDeviceId')(args[1], 1);
  array(args[3], 3);
  const programs = objects('CLProgram')(args[3], 3);
  const options = optionsOf(args[2]);
  const [count, list] = [devices.length, pointerTo(devices)];
  for (const program of programs) refuseExecutable(program as Raw<'CLProgram'>, owner, devices);
  const linked = new CLProgram(
    MAKER,
    cl.clLinkProgram(owner, count, list, options, programs.length, pointerTo(programs), NOTIFY, 0n),
  );
  const [callback, userData] = [args[4], args[5]];
  if (typeof callback === 'function') {
    const given = retained.context(owner);
    runLater(Promise.resolve(), () => callback(userData, given));
  }
  return linked;
}

/** NVIDIA's driver reads the code of an executable as that of an object, which ends the process. */
function refuseExecutable(program: Raw<'CLProgram'>, owner: Raw<'CLContext'>, devices: BigUint64Array): void {
  const query = cl.clGetProgramInfo.bind(undefined, program);
  const handles = (param: number): BigUint64Array => new BigUint64Array(readBytes(query, param).buffer);
  // The link itself refuses programs of other contexts.
  if (handles(ProgramInfo.CONTEXT[0])[0] !== owner) return;
  for (const device of devices.length > 0 ? devices : handles(ProgramInfo.DEVICES[0])) {
    const build = cl.clGetProgramBuildInfo.bind(undefined, program, device as Raw<'CLDeviceId'>);
    const [type] = new Uint32Array(readBytes(build, ProgramBuildInfo.BINARY_TYPE[0]).buffer);
    if (type === ProgramBinaryType.EXECUTABLE) {
      throw failure('CL_INVALID_OPERATION', new TypeError('A program to link must be compiled, got a built one'));
    }
  }
}

interface BuildCalls {
  readonly here: () => unknown;
  readonly beside: () => Promise<number>;
}

/** @param used - objects that the driver reads while it builds, kept alive until the build has ended */
function run(
  program: Raw<'CLProgram'>,
  callback: unknown,
  userData: unknown,
  used: readonly unknown[],
  ways: BuildCalls,
): 0 {
  if (typeof callback !== 'function') {
    ways.here();
    return 0;
  }
  const held = [used];
  const given = retained.program(program);
  const done = ways.beside().finally(() => (held.length = 0));
  runLater(done, () => (callback as (...args: unknown[]) => void)(userData, given));
  return 0;
}

function optionsOf(value: unknown): string {
  return value === null || value === undefined ? '' : text(value, 2);
}

function cString(value: unknown): Uint8Array<ArrayBuffer> {
  if (typeof value !== 'string') throw failure('CL_INVALID_VALUE', new TypeError('A header must have a name'));
  return new TextEncoder().encode(`${value}\0`);
}
