import { nameOf } from '../../core/check.ts';
import { hostByteLength, isHostMemory } from '../../core/host-memory.ts';
import { Value } from '../../core/value.ts';
import { buildHere, cl, withReclaim } from '../call.ts';
import type { Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { requireVersion } from '../device/requirement.ts';
import { openclError } from '../errors.ts';
import { extensionCalls, unsupported } from '../extension.ts';
import { BUILD_FAILURES, buildFailure, readLogs } from './build-log.ts';
import { makingOf } from './making.ts';
import { idsOf, type ProgramBase } from './program-base.ts';
import type { RawProgram } from './raw-program.ts';
import { status } from '../sys/enums.ts';

const INVALID_PROGRAM = status.CL_INVALID_PROGRAM[0];
/** The state of programs that are built from the start. */
const NOT_TO_BUILD: readonly number[] = [status.CL_INVALID_OPERATION[0], INVALID_PROGRAM];

/** A program of intermediate language, such as SPIR-V. */
export function createFromIL(context: Context, il: Uint8Array): RawProgram {
  const byteLength = hostByteLength(il, 'Program.fromIL: the intermediate language');
  const owner = context.use('Program');
  const { platform } = context;
  // A table of OpenCL 2.0 has no entry for the function.
  const isCore = platform.atLeast(2, 1);
  const takers = context.devices.filter((device) => (isCore ? ilVersion(device) : takesIL(device)));
  if (takers.length === 0) {
    const names = context.devices.map(({ name }) => name).join(', ');
    throw unsupported('clCreateProgramWithIL', `${names}: takes no intermediate language (IL_VERSION is empty)`);
  }
  const { clCreateProgramWithIL } = cl;
  const { clCreateProgramWithILKHR } = extensionCalls(platform.raw);
  return withReclaim(() => (isCore ? clCreateProgramWithIL : clCreateProgramWithILKHR)(owner, il, byteLength));
}

function ilVersion(device: Device): boolean {
  return device.getInfo('IL_VERSION') !== '';
}

function takesIL(device: Device): boolean {
  return device.hasExtension('cl_khr_il_program');
}

/** Build kernels that devices have built in: some drivers require it, and some refuse it. */
export function buildBuiltIn(raw: RawProgram, devices: readonly Device[]): void {
  const result = buildHere(raw, idsOf(devices), '');
  if (result === 0 || NOT_TO_BUILD.includes(result)) return;
  if (!BUILD_FAILURES.includes(result)) throw openclError('clBuildProgram', result);
  throw buildFailure('clBuildProgram', result, readLogs(raw, devices), '', '');
}

/** A program of kernels that devices have built in. */
export function createBuiltIn(context: Context, names: readonly string[], devices: readonly Device[]): RawProgram {
  const what = 'Program.fromBuiltInKernels';
  if (
    !Array.isArray(names) ||
    names.length === 0 ||
    ![...(names as unknown[])].every((name) => typeof name === 'string')
  ) {
    throw new TypeError(`${what} takes a list of kernel names, got ${nameOf(names)}`);
  }
  requireVersion(context.platform, 1, 2, what);
  for (const device of devices) {
    const there = device.getInfo('BUILT_IN_KERNELS').split(';');
    const unknown = (names as readonly string[]).find((name) => !there.includes(name));
    if (unknown === undefined) continue;
    const list = there[0] === '' ? 'none' : there.join(', ');
    throw new RangeError(`${what}: ${device.name} has no built-in kernel '${unknown}'; it has ${list}`);
  }
  const ids = new BigUint64Array(devices.map(({ raw }) => raw));
  const owner = context.use('Program');
  return withReclaim(() => cl.clCreateProgramWithBuiltInKernels(owner, ids.length, ids, names.join(';')));
}

/** Set a specialization constant of intermediate language. */
export function specialize(program: ProgramBase, id: number, value: unknown): void {
  const what = 'setSpecializationConstant';
  requireVersion(program.context.platform, 2, 2, `Program.${what}`);
  const bytes = constantBytes(value);
  if (!makingOf(program).isIL) {
    // PoCL would abort the process.
    throw openclError('clSetProgramSpecializationConstant', INVALID_PROGRAM, {
      reason: 'Only a program of Program.fromIL has specialization constants; a source takes -D options',
    });
  }
  cl.clSetProgramSpecializationConstant(program.native(what), id, bytes.byteLength, bytes);
}

function constantBytes(value: unknown): ArrayBufferView | ArrayBufferLike {
  const what = 'Program.setSpecializationConstant';
  // OpenCL passes these as bytes.
  if (typeof value === 'boolean') return Uint8Array.of(Number(value));
  if (value instanceof Value) {
    const view = new DataView(new ArrayBuffer(value.byteLength));
    value.writeTo(view, 0);
    return view;
  }
  if (!isHostMemory(value)) {
    throw new TypeError(`${what} takes a typed value such as int32(…), or a boolean, got ${nameOf(value)}`);
  }
  hostByteLength(value, `${what}: the value`);
  return value;
}
